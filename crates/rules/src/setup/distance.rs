//! `rules setup distance`.

use super::arguments::Distance;
use super::{open_commander, read_one};
use crate::commands::answer;
use crate::failure::Failure;
use commander::deployment::distance;
use serde::Serialize;
use std::fmt::Write as _;

#[derive(Serialize)]
struct DistanceAnswer {
    metric: &'static str,
    steps: u32,
    moves: Vec<MoveAnswer>,
}

#[derive(Serialize)]
struct MoveAnswer {
    piece: char,
    from: String,
    to: String,
    steps: u32,
}

/// Tells the distance of two set-ups.
pub fn run(arguments: &Distance) -> Result<String, Failure> {
    let game = open_commander(&arguments.common)?;
    let (from, to) = (read_one(&game, &arguments.from)?, read_one(&game, &arguments.to)?);
    // Legal set-ups have the same pieces.
    let found = distance(&from, &to, arguments.metric.into())
        .ok_or_else(|| Failure::Input("the set-ups have different pieces".to_owned()))?;
    let moves = found.moves.iter().map(|piece| MoveAnswer {
        piece: piece.kind.letter(),
        from: piece.from.to_string(),
        to: piece.to.to_string(),
        steps: piece.steps,
    });
    let value =
        DistanceAnswer { metric: arguments.metric.word(), steps: found.steps, moves: moves.collect() };
    answer(&arguments.common, &value, || {
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let mut text = format!(
            "{} {} step{}, {} piece{} elsewhere\n",
            value.steps,
            value.metric,
            plural(value.steps as usize),
            value.moves.len(),
            plural(value.moves.len())
        );
        for MoveAnswer { piece, from, to, steps } in &value.moves {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{piece} {from} {to}\t{steps}");
        }
        text
    })
}
