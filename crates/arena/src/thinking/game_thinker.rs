//! A game behind an engine protocol.

use super::{Judge, OtherShapes, Spent, Stopwatch, ThinkerPlan, ThinkingLimit};
use crate::inspection::line_texts;
use engine::{Best, Declared, DeclaredKind, Info, Limits, Score, Thinker};
use game::random::{Purpose, stream};
use game::{BoardGame, Play, Player};
use pairs::Clock;
use search::Search;
use std::time::Duration;

/// How often a search tells what it has found.
const TELL: Duration = Duration::from_millis(500);

/// Most simulations and most lines that can be asked for.
const MOST_SIMULATIONS: u64 = 1_000_000;
const MOST_LINES: u64 = 64;

/// Scores are told within this, in hundredths of a pawn.
const MOST_CENTIPAWNS: f64 = 9_999.0;

/// A game, its network and the position on the board.
pub(super) struct GameThinker<G: BoardGame> {
    game: G,
    name: String,
    judge: Judge,
    simulations: u32,
    lines: usize,
    show_wdl: bool,
    search: Search<G>,
    board: Option<Board<G>>,
}

/// The position that the board has set.
struct Board<G: BoardGame> {
    start: G::Position,
    play: Play<G>,
    /// All steps from the start.
    steps: Vec<G::Step>,
    /// How many of them the search has played, and those that it has played ahead of the board: its own
    /// turn, until the board plays it or something else.
    searched: usize,
    ahead: Vec<G::Step>,
}

impl<G: BoardGame> GameThinker<G> {
    pub(super) fn new(game: G, plan: ThinkerPlan) -> Result<GameThinker<G>, OtherShapes> {
        let ThinkerPlan { name, evaluator, search, simulations, leaves } = plan;
        let judge = Judge::new(&game, evaluator, leaves)?;
        let search = Search::new(search).with_margin_unit(game.margin_unit());
        Ok(GameThinker { game, name, judge, simulations, lines: 1, show_wdl: true, search, board: None })
    }

    /// The position that the texts name, as steps from its start.
    fn read(&self, start: Option<&str>, turns: &[String]) -> Result<Board<G>, String> {
        let game = &self.game;
        let start = match start {
            None => game.start(),
            Some(text) => {
                game.read_position(text).map_err(|faults| format!("position `{text}`: {faults}"))?
            }
        };
        let mut play = Play::new(game, start);
        let mut steps = Vec::new();
        for (number, text) in (1..).zip(turns) {
            let fault = |why: &str| format!("turn {number} `{text}`: {why}");
            if let Some(outcome) = play.outcome(game) {
                return Err(fault(&format!("the game has ended before it ({})", outcome.reason)));
            }
            let turn = game.read_turn(&play.position, text).map_err(|found| fault(&found.message))?;
            for &step in &turn {
                play.step(game, step);
            }
            steps.extend(turn);
        }
        Ok(Board { start, play, steps, searched: 0, ahead: Vec::new() })
    }

    /// Brings the search to the board's position, keeping its tree where the board has gone on from the
    /// position that was searched before.
    fn catch_up(&mut self, board: &mut Board<G>) {
        let old = self.board.take();
        let known = old.filter(|old| {
            let searched = old.steps[..old.searched].iter().chain(&old.ahead);
            old.start == board.start
                && old.searched + old.ahead.len() <= board.steps.len()
                && searched.eq(&board.steps[..old.searched + old.ahead.len()])
        });
        match known {
            Some(old) => {
                for &step in &board.steps[old.searched + old.ahead.len()..] {
                    self.search.advance(&self.game, step);
                }
            }
            None => self.search.begin(&self.game, &board.play, stream(0, Purpose::Search, &[])),
        }
        board.searched = board.steps.len();
    }
}

impl<G: BoardGame> Thinker for GameThinker<G> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn author(&self) -> String {
        "the Garrison developers".to_owned()
    }

    fn options(&self) -> Vec<Declared> {
        vec![
            Declared {
                name: "Simulations",
                kind: DeclaredKind::Spin {
                    default: self.simulations.into(),
                    least: 0,
                    most: MOST_SIMULATIONS,
                },
            },
            Declared { name: "MultiPV", kind: DeclaredKind::Spin { default: 1, least: 1, most: MOST_LINES } },
            Declared { name: "UCI_ShowWDL", kind: DeclaredKind::Check { default: true } },
        ]
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        let fault = |wanted: &str| Err(format!("option {name}: `{value}` should be {wanted}"));
        match (name, value.parse::<u64>(), value.parse::<bool>()) {
            ("Simulations", Ok(number @ 0..=MOST_SIMULATIONS), _) => self.simulations = number as u32,
            ("Simulations", ..) => return fault("a whole number from 0 to 1000000"),
            ("MultiPV", Ok(number @ 1..=MOST_LINES), _) => self.lines = number as usize,
            ("MultiPV", ..) => return fault("a whole number from 1 to 64"),
            ("UCI_ShowWDL", _, Ok(show)) => self.show_wdl = show,
            ("UCI_ShowWDL", ..) => return fault("true or false"),
            _ => return Err(format!("option {name} is not known")),
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.board = None;
    }

    fn set_position(&mut self, start: Option<&str>, turns: &[String]) -> Result<(), String> {
        match self.read(start, turns) {
            Ok(mut board) => {
                self.catch_up(&mut board);
                self.board = Some(board);
                Ok(())
            }
            Err(fault) => {
                self.board = None;
                Err(fault)
            }
        }
    }

    fn think(
        &mut self,
        limits: &Limits,
        stop: &dyn Fn() -> bool,
        tell: &mut dyn FnMut(Info),
    ) -> Result<Best, String> {
        let mut board = self.board.take().ok_or("there is no position to think about")?;
        if !board.ahead.is_empty() {
            // Asked again about the same position: the search has gone on from it.
            self.search.begin(&self.game, &board.play, stream(0, Purpose::Search, &[]));
            board.ahead.clear();
        }
        let GameThinker { game, judge, search, .. } = self;
        let game = &*game;
        if let Some(outcome) = board.play.outcome(game) {
            self.board = Some(board);
            return Err(format!("the game has ended ({})", outcome.reason));
        }
        let begin = Stopwatch::start(Clock::Wall);
        let first = game.mover(&board.play.position) == Player::First;
        let time = if limits.infinite { None } else { limits.time(first) };
        let limit = thinking_limit(limits, time, self.simulations);
        let over = || stop() || time.is_some_and(|time| begin.elapsed() >= time);
        let teller = Teller { lines: self.lines, show_wdl: self.show_wdl };
        let mut told = Duration::ZERO;
        let mut watch = |search: &Search<G>, spent: Spent| {
            if spent.time >= told + TELL {
                told = spent.time;
                teller.tell(game, search, spent, tell);
            }
        };
        let failed = |error: selfplay::EvaluatorError| error.to_string();
        let spent = judge.search(game, search, limit, &over, &mut watch).map_err(failed)?;
        teller.tell(game, search, spent, tell);
        let chosen = search.choose(0.0);
        let reply = line_texts(game, search, chosen).into_iter().nth(1).filter(|turn| !turn.ends_with('…'));
        let mut ahead = board.play.clone();
        let mut step = chosen;
        loop {
            search.advance(game, step);
            ahead.step(game, step);
            board.ahead.push(step);
            if !game.mid_turn(&ahead.position) || ahead.outcome(game).is_some() {
                break;
            }
            let later = match limit {
                ThinkingLimit::Simulations(_) => limit,
                _ => ThinkingLimit::LaterStep,
            };
            // The rest of the turn must come, however late it is.
            judge.search(game, search, later, &|| false, &mut |_, _| {}).map_err(failed)?;
            step = search.choose(0.0);
        }
        let turn = game.turn_text(&board.play.position, &board.ahead);
        self.board = Some(board);
        Ok(Best { turn, reply })
    }
}

/// The limit of a search. Several limits hold together: time stops any of the others.
fn thinking_limit(limits: &Limits, time: Option<Duration>, simulations: u32) -> ThinkingLimit {
    match (limits.infinite, limits.nodes, limits.depth, time) {
        (true, ..) => ThinkingLimit::Endless,
        (_, Some(nodes), ..) => ThinkingLimit::Simulations(nodes.min(MOST_SIMULATIONS) as u32),
        (_, None, Some(turns), _) => {
            ThinkingLimit::Depth { turns, most: simulations.max(1).saturating_mul(turns.max(1)) }
        }
        (_, None, None, Some(time)) => ThinkingLimit::Time { time, clock: Clock::Wall },
        (_, None, None, None) => ThinkingLimit::Simulations(simulations),
    }
}

/// Tells what a search has found.
struct Teller {
    lines: usize,
    show_wdl: bool,
}

impl Teller {
    fn tell<G: BoardGame>(&self, game: &G, search: &Search<G>, spent: Spent, tell: &mut dyn FnMut(Info)) {
        let report = search.report();
        let mut order: Vec<usize> = (0..report.steps.len()).collect();
        let policy = |index: usize| report.steps[index].policy;
        order.sort_by(|&left, &right| {
            let visits = |index: usize| report.steps[index].visits;
            visits(right)
                .cmp(&visits(left))
                .then(policy(right).total_cmp(&policy(left)))
                .then(left.cmp(&right))
        });
        let milliseconds = spent.time.as_millis() as u64;
        let nodes = u64::from(spent.simulations);
        for (place, &index) in order.iter().take(self.lines).enumerate() {
            let step = &report.steps[index];
            let line = line_texts(game, search, step.step);
            let wdl = report.after.wdl.0;
            let value = match (place, step.value) {
                (0, _) | (_, None) => wdl.value(),
                (_, Some(value)) => value.0.clamp(-1.0, 1.0),
            };
            let line: Vec<String> = line.into_iter().filter(|turn| !turn.ends_with('…')).collect();
            tell(Info {
                depth: Some((line.len() as u32).max(1)),
                line_number: (self.lines > 1).then_some(place as u32 + 1),
                score: Some(Score::Centipawns(centipawns(value))),
                wdl: (self.show_wdl && place == 0).then(|| thousandths(wdl)),
                nodes: Some(nodes),
                nodes_per_second: (milliseconds > 0).then(|| nodes * 1_000 / milliseconds),
                milliseconds: Some(milliseconds),
                line,
            });
        }
    }
}

/// The score that stands for an expected result in [−1, 1]: the difference in Elo at which players score
/// like that, a point of Elo being a hundredth of a pawn.
fn centipawns(value: f32) -> i32 {
    let score = f64::midpoint(f64::from(value), 1.0);
    let elo = 400.0 * (score / (1.0 - score)).log10();
    elo.clamp(-MOST_CENTIPAWNS, MOST_CENTIPAWNS).round() as i32
}

/// Win, draw and loss in thousandths that add up to 1000.
fn thousandths(wdl: game::Wdl) -> [u32; 3] {
    let part = |share: f32| (share.clamp(0.0, 1.0) * 1_000.0).round() as u32;
    let win = part(wdl.win);
    let loss = part(wdl.loss).min(1_000 - win);
    [win, 1_000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_differences_in_elo() {
        assert_eq!(centipawns(0.0), 0);
        assert_eq!(centipawns(9.0 / 11.0), 400);
        assert_eq!(centipawns(-1.0), -9_999);
        assert_eq!(centipawns(1.0), 9_999);
        assert_eq!(thousandths(game::Wdl { win: 0.333_6, draw: 0.0, loss: 0.666_6 }), [334, 0, 666]);
        assert_eq!(thousandths(game::Wdl::DRAW), [0, 1_000, 0]);
    }
}
