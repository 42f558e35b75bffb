//! What the commands do: each returns the text for standard output.

use crate::arguments::{Arguments, Bench, Command, Common, Judge, Perft, Play, Position, Show};
use crate::failure::Failure;
use crate::setup;
use crate::solve;
use crate::written;
use arena::games::{self, AnyGame};
use arena::rules_session::{TurnLine, View};
use game::judged::Streak;
use game::options::parse_pairs;
use game::perft::{Branch, Count};
use serde::Serialize;
use std::fmt::Write as _;
use std::io;
use std::time::{Duration, Instant};

/// Runs a command.
pub fn run(arguments: &Arguments) -> Result<String, Failure> {
    match &arguments.command {
        Command::Perft(perft) => run_perft(perft),
        Command::Steps(steps) => run_steps(steps),
        Command::Turns(turns) => run_turns(turns),
        Command::Show(show) => run_show(show),
        Command::Solve(position) => solve::run(position),
        Command::Play(play) => run_play(play),
        Command::Judge(judge) => run_judge(judge),
        Command::Starts(common) => run_starts(common),
        Command::Setup(setup) => setup::run(setup),
        Command::Formats(common) => written::run_formats(common),
        Command::Convert(convert) => written::run_convert(convert),
        Command::Check(check) => written::run_check(check),
        Command::Bench(bench) => run_bench(bench),
    }
}

/// The game under the rules asked for.
pub(crate) fn open(common: &Common) -> Result<Box<dyn AnyGame>, Failure> {
    let options = parse_pairs(&common.options).map_err(|error| Failure::Input(error.to_string()))?;
    Ok(games::open(&common.game, common.preset.as_deref(), &options)?)
}

/// The position asked for as a text; `None` for the game's standard start.
pub(crate) fn fen(game: &dyn AnyGame, position: &Position) -> Result<Option<String>, Failure> {
    match &position.start {
        None => Ok(position.fen.clone()),
        Some(start) => Ok(Some(game.draw_start(&start.kind, start.seed)?)),
    }
}

/// The answer as one JSON value in a line, or else as `text`.
pub(crate) fn answer(
    common: &Common,
    value: &impl Serialize,
    text: impl FnOnce() -> String,
) -> Result<String, Failure> {
    if !common.json {
        return Ok(text());
    }
    // Only maps with keys that are no text fail, and no answer has any.
    let mut json = serde_json::to_string(value).map_err(|error| Failure::Output(io::Error::other(error)))?;
    json.push('\n');
    Ok(json)
}

#[derive(Serialize)]
struct PerftAnswer<'a> {
    game: &'a str,
    depth: u32,
    count: &'static str,
    nodes: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<&'a [Branch]>,
}

fn run_perft(perft: &Perft) -> Result<String, Failure> {
    let common = &perft.position.common;
    let game = open(common)?;
    let fen = fen(&*game, &perft.position)?;
    let fen = fen.as_deref();
    let count = Count::from(perft.count);
    let begin = Instant::now();
    let branches = match perft.divide && perft.depth > 0 {
        true => Some(game.divide(fen, perft.depth, count)?),
        false => None,
    };
    let nodes = match &branches {
        Some(branches) => branches.iter().map(|branch| branch.nodes).sum(),
        None => game.perft(fen, perft.depth, count)?,
    };
    let seconds = begin.elapsed().as_secs_f64();
    let divide = branches.as_deref();
    let value =
        PerftAnswer { game: &common.game, depth: perft.depth, count: count.word(), nodes, seconds, divide };
    answer(common, &value, || {
        let mut text = String::new();
        for branch in divide.unwrap_or_default() {
            // Writing to a string cannot fail, here and below.
            let _ = writeln!(text, "{}\t{}", branch.turn, branch.nodes);
        }
        let _ = writeln!(text, "depth {}: {nodes} {} in {seconds:.3} s", perft.depth, count.word());
        text
    })
}

fn run_steps(position: &Position) -> Result<String, Failure> {
    let game = open(&position.common)?;
    let steps = game.steps(fen(&*game, position)?.as_deref())?;
    answer(&position.common, &steps, || lines(steps.iter().map(String::as_str)))
}

fn run_turns(position: &Position) -> Result<String, Failure> {
    let game = open(&position.common)?;
    let turns = game.turns(fen(&*game, position)?.as_deref())?;
    answer(&position.common, &turns, || {
        lines(turns.iter().map(|TurnLine { turn, fen, winner, reason }| {
            let end = result(*winner, *reason).map(|words| format!("\t{words}")).unwrap_or_default();
            format!("{turn}\t{fen}{end}")
        }))
    })
}

fn run_show(show: &Show) -> Result<String, Failure> {
    let common = &show.position.common;
    let game = open(common)?;
    let view = View { turn: show.turn.as_deref(), layers: &show.layers };
    let shown = game.show(fen(&*game, &show.position)?.as_deref(), &view)?;
    if let Some(path) = &show.svg {
        files::write(path, shown.svg.as_bytes())
            .map_err(|error| Failure::File { path: path.clone(), error })?;
    }
    answer(common, &shown, || {
        let state = match result(shown.winner, shown.reason) {
            Some(words) => format!("ended: {words}"),
            None => {
                let phase = shown.phase.map(|phase| format!(", {phase} phase")).unwrap_or_default();
                format!("{} to move, {} legal steps{phase}", shown.mover.word(), shown.steps)
            }
        };
        let [first, second] = shown.points;
        let points = match shown.points {
            [0, 0] => String::new(),
            _ => format!("points captured: first {first}, second {second}\n"),
        };
        format!("{}{}\n{state}\n{points}", shown.board, shown.fen)
    })
}

fn run_play(play: &Play) -> Result<String, Failure> {
    let common = &play.position.common;
    let game = open(common)?;
    let played = game.play(fen(&*game, &play.position)?.as_deref(), play.seed)?;
    answer(common, &played, || {
        let mut text = lines(played.turns.iter().map(String::as_str));
        let [first, second] = played.points;
        let words = result(Some(played.winner), Some(played.reason)).unwrap_or_default();
        let _ = writeln!(text, "{words} after {} turns, points {first} to {second}", played.turns.len());
        let _ = writeln!(text, "{}", played.fen);
        text
    })
}

fn run_judge(judge: &Judge) -> Result<String, Failure> {
    let common = &judge.position.common;
    let game = open(common)?;
    let judged = game.judge(fen(&*game, &judge.position)?.as_deref(), &judge.moves)?;
    answer(common, &judged, || {
        let end = match (judged.verdict, judged.reason) {
            ("none", "") => "no verdict".to_owned(),
            (verdict, reason) => result(Some(verdict), Some(reason)).unwrap_or_default(),
        };
        let mut text = format!("{end} (ply {})\n", judged.ply);
        if !judged.explanation.is_empty() {
            let _ = writeln!(text, "{}", judged.explanation);
        }
        for (side, streaks) in [("first", &judged.streaks.first), ("second", &judged.streaks.second)] {
            for Streak { attack, target, by, length, limit } in streaks {
                let target = target.as_ref().map(|target| format!(" of {target}")).unwrap_or_default();
                let by = by.join(", ");
                let _ = writeln!(text, "{side}: {attack}{target} by {by}: {length} in a row, limit {limit}");
            }
            if streaks.is_empty() {
                let _ = writeln!(text, "{side}: no streak");
            }
        }
        for (name, counter) in &judged.counters {
            let _ = writeln!(text, "{name}: {} of {} plies", counter.plies, counter.limit);
        }
        let _ = writeln!(text, "{}", judged.fen);
        text
    })
}

#[derive(Serialize)]
struct StartAnswer {
    name: &'static str,
    about: &'static str,
    takes: Vec<&'static str>,
}

fn run_starts(common: &Common) -> Result<String, Failure> {
    let game = open(common)?;
    let kinds = game.named_starts().iter();
    let starts: Vec<StartAnswer> = kinds
        .map(|kind| StartAnswer {
            name: kind.name,
            about: kind.about,
            takes: kind.takes.iter().map(|key| key.word()).collect(),
        })
        .collect();
    answer(common, &starts, || {
        let width = starts.iter().map(|start| start.name.len()).max().unwrap_or_default();
        lines(starts.iter().map(|start| format!("{:width$}  {}", start.name, start.about)))
    })
}

fn run_bench(bench: &Bench) -> Result<String, Failure> {
    let game = open(&bench.common)?;
    let speeds = game.bench(Duration::from_secs_f64(bench.seconds));
    answer(&bench.common, &speeds, || {
        format!(
            "perft leaves/s      {:>13.0}\nrandom steps/s      {:>13.0}\nencoded positions/s {:>13.0}\n\
             bytes of a position {:>13}\n",
            speeds.perft_per_s, speeds.random_steps_per_s, speeds.encode_per_s, speeds.position_bytes
        )
    })
}

pub(crate) fn lines(texts: impl Iterator<Item = impl AsRef<str>>) -> String {
    let mut text = String::new();
    for line in texts {
        text.push_str(line.as_ref());
        text.push('\n');
    }
    text
}

/// The end of a game in words.
pub(crate) fn result(winner: Option<&str>, reason: Option<&str>) -> Option<String> {
    let words = match winner? {
        "draw" => "a draw".to_owned(),
        "none" => "no result".to_owned(),
        winner => format!("{winner} wins"),
    };
    Some(format!("{words}: {}", reason.unwrap_or_default()))
}
