//! `rules solve`: perfect play. Connect Four is the one game small enough for it.

use crate::arguments::Position;
use crate::commands::{answer, fen, open};
use crate::failure::Failure;
use arena::rules_session::RulesError;
use connect4::solver::Score;
use connect4::{ConnectFour, Solver};
use game::{Game, Notation};
use serde::Serialize;
use std::fmt::Write as _;
use std::time::Instant;

#[derive(Serialize)]
struct SolveAnswer {
    game: &'static str,
    fen: String,
    #[serde(flatten)]
    solved: Solved,
    /// Legal steps in their order.
    steps: Vec<StepAnswer>,
    nodes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct StepAnswer {
    step: String,
    #[serde(flatten)]
    solved: Solved,
}

/// What perfect play comes to, seen by the side to move.
#[derive(Serialize)]
struct Solved {
    value: &'static str,
    score: i32,
    turns: u32,
}

impl Solved {
    fn new(score: Score, position: &connect4::Position) -> Solved {
        Solved { value: score.value().word(), score: score.number(), turns: score.turns_left(position) }
    }

    fn words(&self) -> String {
        let Solved { value, turns, .. } = self;
        format!("{value} after {turns} turn{}", if *turns == 1 { "" } else { "s" })
    }
}

/// Solves a position and each of its steps.
pub fn run(position: &Position) -> Result<String, Failure> {
    let common = &position.common;
    let any_game = open(common)?;
    if common.game != ConnectFour::NAME {
        return Err(Failure::Input(format!(
            "{} has no solver: solve knows {}",
            common.game,
            ConnectFour::NAME
        )));
    }
    let game = ConnectFour::new();
    let board = match fen(&*any_game, position)? {
        None => game.start(),
        Some(text) => game.read_position(&text).map_err(|faults| RulesError::Position { text, faults })?,
    };
    let begin = Instant::now();
    let mut solver = Solver::new();
    let scores = solver.step_scores(&board);
    let score = scores.iter().flatten().max().copied().unwrap_or_else(|| solver.score(&board));
    let mut legal = Vec::new();
    game.legal_steps(&board, &mut legal);
    let steps = legal
        .iter()
        .filter_map(|&step| {
            let score = scores[step.file()]?;
            Some(StepAnswer { step: game.step_text(&board, step), solved: Solved::new(score, &board) })
        })
        .collect();
    let found = SolveAnswer {
        game: ConnectFour::NAME,
        fen: game.write_position(&board),
        solved: Solved::new(score, &board),
        steps,
        nodes: solver.nodes(),
        seconds: begin.elapsed().as_secs_f64(),
    };
    answer(common, &found, || {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}, score {}", found.solved.words(), found.solved.score);
        for StepAnswer { step, solved } in &found.steps {
            let _ = writeln!(text, "{step}\t{}\t{}", solved.score, solved.words());
        }
        text
    })
}
