//! `evaluate canaries`: positions that any trained network must judge sanely.
//!
//! Each canary has steps that are plainly right (a win in one, the only defence, a piece that hangs) or
//! plainly wrong, and may say who stands better. Three things are checked: the raw policy prefers the
//! right steps, the search plays one, and the network's value has the right sign. A network that has
//! learned anything passes; one that reads the board upside down does not.

use crate::agent;
use crate::arguments::CanariesArguments;
use crate::checkpoint::Loader;
use crate::failure::{End, Failure};
use crate::interrupt::Interrupt;
use crate::rules::expected;
use arena::games::{self, AnyGame};
use arena::inspection::{Inspection, InspectionError};
use arena::matches::Stop;
use game::StepCode;
use net::RulesCheck;
use serde::Serialize;
use std::fmt;
use std::io::Write;

/// The canaries that come with the program, by game.
const CANARIES: [(&str, &str); 4] = [
    ("commander", include_str!("../canaries/commander.txt")),
    ("connect4", include_str!("../canaries/connect4.txt")),
    ("emergo", include_str!("../canaries/emergo.txt")),
    ("xiangqi", include_str!("../canaries/xiangqi.txt")),
];

/// A position with what is plain about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Canary {
    /// What it is about.
    pub name: String,
    /// The position.
    pub fen: String,
    /// Whether `steps` are right or wrong.
    pub kind: Kind,
    /// The steps.
    pub steps: Vec<StepCode>,
    /// Who stands better.
    pub outlook: Outlook,
}

/// What is said of the steps of a canary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One of them should be played.
    Right,
    /// None of them should be played.
    Wrong,
}

/// Who stands better, seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlook {
    /// The side to move.
    Win,
    /// The other side.
    Loss,
    /// Nothing is said.
    Open,
}

/// How a canary did.
#[derive(Clone, Debug, Serialize)]
pub struct CanaryRow {
    /// What it is about.
    pub name: String,
    /// The position.
    pub fen: String,
    /// The raw policy's probability of the right or wrong steps together.
    pub prior: f32,
    /// What it must be at least (right steps) or at most (wrong steps).
    pub bound: f32,
    /// The step that the search plays.
    pub played: String,
    /// The network's value without search, win − loss of the side to move.
    pub value: f32,
    /// What is wrong; empty when the canary passes.
    pub faults: Vec<String>,
}

/// What came out.
#[derive(Clone, Debug, Serialize)]
pub struct CanaryReport {
    /// Name of the game.
    pub game: &'static str,
    /// Simulations of the search.
    pub simulations: u32,
    /// Canaries that pass.
    pub passed: usize,
    /// All canaries.
    pub rows: Vec<CanaryRow>,
}

/// Runs the command and prints its table.
///
/// # Errors
/// [`Failure::Input`] for wrong input; [`Failure::Work`] when a canary fails, or the network or the
/// output.
pub fn run(arguments: &CanariesArguments, interrupt: &Interrupt) -> Result<End, Failure> {
    let Some(report) = report(arguments, interrupt)? else { return Ok(End::Stopped) };
    let mut out = std::io::stdout().lock();
    let printed = if arguments.json {
        serde_json::to_writer(&mut out, &report).map_err(Failure::work)?;
        writeln!(out)
    } else {
        write!(out, "{report}")
    };
    printed.and_then(|()| out.flush()).map_err(Failure::work)?;
    match report.rows.len() - report.passed {
        0 => Ok(End::Finished),
        failed => Err(Failure::work(format!("{failed} of {} canaries fail", report.rows.len()))),
    }
}

/// Asks a checkpoint about the canaries of its game; `None` when the interrupt stopped it.
///
/// # Errors
/// As [`run`], apart from canaries that fail.
pub fn report(arguments: &CanariesArguments, interrupt: &Interrupt) -> Result<Option<CanaryReport>, Failure> {
    let (checkpoint, own) = agent::find(&arguments.agent).map_err(Failure::input)?;
    let name = checkpoint.state.identity.game.as_str();
    let game = games::open(name, None, &checkpoint.rule_options()).map_err(Failure::input)?;
    let canaries = match &arguments.file {
        Some(path) => {
            let place = |fault: &dyn fmt::Display| Failure::input(format!("{}: {fault}", path.display()));
            let text = files::read_text(path).map_err(|error| place(&error))?;
            read(game.as_ref(), &text).map_err(|fault| place(&fault))?
        }
        None => {
            let known = CANARIES.iter().find(|(game, _)| *game == name);
            let (_, text) = known.ok_or_else(|| {
                Failure::input(format!("no canaries come with {name}: give some with --file"))
            })?;
            read(game.as_ref(), text)
                .map_err(|fault| Failure::input(format!("canaries of {name}: {fault}")))?
        }
    };
    let expected = expected(&game.facts(), RulesCheck::Same);
    let device = arguments.machine.open()?;
    let mut loader = Loader::new(device, arguments.machine.precision, &expected, game.as_ref());
    let player = loader.player(&checkpoint, own.unwrap_or(arguments.sims))?;
    for remark in &loader.remarks {
        crate::say(remark);
    }
    let positions: Vec<Option<&str>> = canaries.iter().map(|canary| Some(canary.fen.as_str())).collect();
    let stop = || interrupt.stop() != Stop::GoOn;
    let inspections = match agent::inspect(game.as_ref(), &player, &positions, &arguments.machine, &stop) {
        Ok(inspections) => inspections,
        Err(InspectionError::Stopped) => return Ok(None),
        Err(error) if error.is_input() => return Err(Failure::input(error)),
        Err(error) => return Err(Failure::work(error)),
    };
    let rows: Vec<CanaryRow> =
        canaries.iter().zip(&inspections).map(|(canary, inspection)| judge(canary, inspection)).collect();
    let passed = rows.iter().filter(|row| row.faults.is_empty()).count();
    Ok(Some(CanaryReport { game: game.facts().name, simulations: player.simulations, passed, rows }))
}

/// Compares what a network says with what is plain.
pub fn judge(canary: &Canary, inspection: &Inspection) -> CanaryRow {
    let named = |code: &StepCode| canary.steps.contains(code);
    let legal = inspection.steps.len() as f32;
    let even = canary.steps.len() as f32 / legal;
    let prior: f32 = inspection.steps.iter().filter(|step| named(&step.code)).map(|step| step.prior).sum();
    let played = &inspection.steps[inspection.chosen];
    let value = inspection.network.win - inspection.network.loss;
    let mut faults = Vec::new();
    // Twice what an even policy gives, or half of everything.
    let bound = match canary.kind {
        Kind::Right => (2.0 * even).min(0.5),
        Kind::Wrong => even,
    };
    match canary.kind {
        Kind::Right if prior < bound => {
            faults.push(format!("policy {:.0} % should be at least {:.0} %", 100.0 * prior, 100.0 * bound));
        }
        Kind::Wrong if prior > bound => {
            faults.push(format!("policy {:.0} % should be at most {:.0} %", 100.0 * prior, 100.0 * bound));
        }
        Kind::Right | Kind::Wrong => {}
    }
    if named(&played.code) != (canary.kind == Kind::Right) {
        faults.push(format!("the search plays {}", played.step));
    }
    match canary.outlook {
        Outlook::Win if value <= 0.0 => faults.push(format!("value {value:+.2} should be above 0")),
        Outlook::Loss if value >= 0.0 => faults.push(format!("value {value:+.2} should be below 0")),
        Outlook::Win | Outlook::Loss | Outlook::Open => {}
    }
    CanaryRow {
        name: canary.name.clone(),
        fen: canary.fen.clone(),
        prior,
        bound,
        played: played.step.clone(),
        value,
        faults,
    }
}

/// Reads canaries, one a line; empty lines and lines with `#` in front are ignored.
///
/// # Errors
/// All faulty lines at once, or that there are no canaries.
pub fn read(game: &dyn AnyGame, text: &str) -> Result<Vec<Canary>, String> {
    let (mut canaries, mut faults) = (Vec::new(), Vec::new());
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        match read_line(game, line) {
            Ok(canary) => canaries.push(canary),
            Err(fault) => faults.push(format!("line {}: {fault}", index + 1)),
        }
    }
    match (canaries.is_empty(), faults.is_empty()) {
        (_, false) => Err(faults.join("; ")),
        (true, true) => Err("there are no canaries".to_owned()),
        (false, true) => Ok(canaries),
    }
}

fn read_line(game: &dyn AnyGame, line: &str) -> Result<Canary, String> {
    let fields: Vec<&str> = line.split(';').map(str::trim).collect();
    let [name, fen, steps, outlook] = fields[..] else {
        return Err(format!("{} fields: write `name; position; + steps; win, loss or -`", fields.len()));
    };
    let mut words = steps.split_whitespace();
    let kind = match words.next() {
        Some("+") => Kind::Right,
        Some("-") => Kind::Wrong,
        _ => return Err(format!("steps `{steps}`: write `+` before right steps or `-` before wrong ones")),
    };
    let steps = words.map(|step| game.find_step(fen, step)).collect::<Result<Vec<_>, _>>()?;
    if steps.is_empty() {
        return Err("no steps".to_owned());
    }
    let outlook = match outlook {
        "win" => Outlook::Win,
        "loss" => Outlook::Loss,
        "-" => Outlook::Open,
        other => return Err(format!("outlook `{other}`: write win, loss or -")),
    };
    Ok(Canary { name: name.to_owned(), fen: fen.to_owned(), kind, steps, outlook })
}

impl fmt::Display for CanaryReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
        let played = self.rows.iter().map(|row| row.played.chars().count()).max().unwrap_or(0).max(6);
        writeln!(formatter, "{:width$}  policy  {:played$}  value", "canary", "plays")?;
        for row in &self.rows {
            let verdict = match row.faults.is_empty() {
                true => "pass".to_owned(),
                false => format!("FAIL: {}", row.faults.join("; ")),
            };
            writeln!(
                formatter,
                "{:width$}  {:4.0} %  {:played$}  {:+.2}  {verdict}",
                row.name,
                100.0 * row.prior,
                row.played,
                row.value
            )?;
        }
        writeln!(formatter, "{} of {} pass", self.passed, self.rows.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::inspection::{Appraisal, InspectedStep};
    use game::{Encoding, Game, Notation, Player, Turns};

    fn connect4() -> Box<dyn AnyGame> {
        games::open("connect4", None, &Vec::new()).unwrap()
    }

    #[test]
    fn the_canaries_of_every_game_can_be_read() {
        for (name, text) in CANARIES {
            let game = games::open(name, None, &Vec::new()).unwrap();
            let canaries = read(game.as_ref(), text).unwrap_or_else(|fault| panic!("{name}: {fault}"));
            assert!(canaries.len() >= 6, "{name} has only {}", canaries.len());
            for canary in &canaries {
                let legal = game.steps(Some(&canary.fen)).unwrap();
                assert!(canary.steps.len() < legal.len(), "{name}: {}: nothing to choose", canary.name);
            }
        }
    }

    /// What is said of the canaries of Connect Four is true.
    #[test]
    fn the_solver_confirms_connect_four() {
        use connect4::{ConnectFour, Solver, solver::Value};
        let mut solver = Solver::new();
        for canary in read(connect4().as_ref(), CANARIES[1].1).unwrap() {
            let position = ConnectFour::new().read_position(&canary.fen).unwrap();
            let scores = solver.step_scores(&position);
            let best = *scores.iter().flatten().max().unwrap();
            for (file, score) in scores.iter().enumerate() {
                let Some(score) = score else { continue };
                let named = canary.steps.contains(&StepCode(file as u32));
                let right = match canary.kind {
                    Kind::Right => named == (*score == best),
                    Kind::Wrong => !named || *score < best,
                };
                assert!(right, "{}: file {file}", canary.name);
            }
            match canary.outlook {
                Outlook::Win => assert_eq!(best.value(), Value::Win, "{}", canary.name),
                Outlook::Loss => assert_eq!(best.value(), Value::Loss, "{}", canary.name),
                Outlook::Open => {}
            }
        }
    }

    /// Men that the side to move is ahead by, at best, when `turns` more turns have been played.
    fn men_ahead(game: &emergo::Emergo, position: &emergo::Position, turns: u32) -> i32 {
        let mut walk = Turns::new(game, position);
        let mut best = None;
        while turns > 0 && walk.advance(game) {
            best = best.max(Some(-men_ahead(game, walk.position(), turns - 1)));
        }
        best.unwrap_or_else(|| {
            let [first, second] = game.points(position);
            if game.mover(position) == Player::First { first - second } else { second - first }
        })
    }

    /// What is said of the canaries of Emergo is true: three men hang on every choice.
    #[test]
    fn counting_men_confirms_emergo() {
        let rules = emergo::Emergo::preset("standard").unwrap();
        let rules = emergo::Emergo::with_rules(rules).unwrap();
        let game = games::open("emergo", None, &Vec::new()).unwrap();
        for canary in read(game.as_ref(), CANARIES[2].1).unwrap() {
            let position = rules.read_position(&canary.fen).unwrap();
            for later in [1, 4] {
                let mut walk = Turns::new(&rules, &position);
                let (mut named, mut others) = (Vec::new(), Vec::new());
                while walk.advance(&rules) {
                    let code = rules.step_code(&position, walk.steps()[0]);
                    let list = if canary.steps.contains(&code) { &mut named } else { &mut others };
                    list.push(-men_ahead(&rules, walk.position(), later));
                }
                let (right, wrong) = match canary.kind {
                    Kind::Right => (named, others),
                    Kind::Wrong => (others, named),
                };
                let (best_right, best_wrong) = (right.iter().max(), wrong.iter().max());
                assert!(
                    *best_right.unwrap() >= best_wrong.unwrap() + 3,
                    "{}: {right:?} {wrong:?} {later} turns later",
                    canary.name
                );
            }
        }
    }

    #[test]
    fn faults_name_their_lines() {
        let game = connect4();
        let fault = |text: &str| read(game.as_ref(), text).unwrap_err();
        assert_eq!(fault("# nothing\n\n"), "there are no canaries");
        assert_eq!(
            fault("a; 7/7/7/7/7/7 x; + h; win\nb; 7/7/7/7/7/7 x; d; win\nc; 7/7/7/7/7/7 x; - a; good"),
            "line 1: h: no step: write a file from a to g; \
             line 2: steps `d`: write `+` before right steps or `-` before wrong ones; \
             line 3: outlook `good`: write win, loss or -"
        );
    }

    #[test]
    fn each_check_can_fail() {
        let step = |file: u32, prior: f32| InspectedStep {
            step: char::from(b'a' + file as u8).to_string(),
            code: StepCode(file),
            prior,
            visits: 0,
            value: None,
            policy: prior,
            line: Vec::new(),
        };
        let inspection = |prior: f32, chosen: usize, win: f32| Inspection {
            fen: "7/7/7/7/7/7 x".to_owned(),
            mover: Player::First,
            network: Appraisal { win, loss: 1.0 - win, ..Appraisal::default() },
            search: Appraisal::default(),
            simulations: 10,
            chosen,
            steps: vec![step(0, prior), step(1, 0.8 - prior), step(2, 0.1), step(3, 0.1)],
        };
        let canary = |kind, outlook| Canary {
            name: "test".to_owned(),
            fen: "7/7/7/7/7/7 x".to_owned(),
            kind,
            steps: vec![StepCode(0)],
            outlook,
        };
        let faults =
            |kind, outlook, inspection: &Inspection| judge(&canary(kind, outlook), inspection).faults;
        assert!(faults(Kind::Right, Outlook::Win, &inspection(0.6, 0, 0.7)).is_empty());
        assert_eq!(
            faults(Kind::Right, Outlook::Win, &inspection(0.4, 1, 0.3)),
            ["policy 40 % should be at least 50 %", "the search plays b", "value -0.40 should be above 0"]
        );
        assert!(faults(Kind::Wrong, Outlook::Loss, &inspection(0.2, 1, 0.3)).is_empty());
        assert_eq!(
            faults(Kind::Wrong, Outlook::Loss, &inspection(0.3, 0, 0.7)),
            ["policy 30 % should be at most 25 %", "the search plays a", "value +0.40 should be below 0"]
        );
        assert!(faults(Kind::Wrong, Outlook::Open, &inspection(0.2, 1, 0.7)).is_empty());
    }
}
