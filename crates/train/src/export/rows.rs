//! A step of a recorded game as a row of a table.

use game::record::{GameRecord, nats, replay, share};
use game::{BoardGame, Fault, OfFirst};
use serde::Serialize;

/// Version of the columns; it changes when one is renamed, removed or means something else.
pub const SCHEMA: u32 = 1;

/// A row: one step. The fields are the columns of both kinds of files, in this order. What belongs to a
/// search is `None` or empty where the step was not searched (a random opening).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Number of the game, unique in its run.
    pub game: u64,
    /// Training cycle in which the game ended.
    pub cycle: u64,
    /// Number of the step in its game, from 0.
    pub step: u32,
    /// Number of the turn in its game, from 0; steps of one turn have the same.
    pub turn: u32,
    /// The side to move: `first` or `second`.
    pub mover: &'static str,
    /// The position before the step, as the game writes it (FEN).
    pub position: String,
    /// Number of legal steps.
    pub legal_steps: u32,
    /// Code of the step that was played.
    pub played_code: u32,
    /// The same as text.
    pub played: String,
    /// Whether the step was searched in full (its policy trains the network); false for fast searches
    /// and without a search.
    pub full_search: bool,
    /// Simulations of the search.
    pub simulations: Option<u32>,
    /// The policy that the search found: step codes, the heaviest first, steps without weight left out.
    pub policy_code: Vec<u32>,
    /// The same steps as text.
    pub policy: Vec<String>,
    /// Their weights, which add up to about 1.
    pub policy_weight: Vec<f32>,
    /// Probability of a win of the side to move, after the search.
    pub win: Option<f32>,
    /// Probability of a draw.
    pub draw: Option<f32>,
    /// Probability of a loss of the side to move.
    pub loss: Option<f32>,
    /// Expected result of the side to move: win − loss, in [−1, 1].
    pub value: Option<f32>,
    /// Divergence of the policy from the network's, in nats.
    pub surprise: Option<f32>,
    /// What the game came to for the side to move: 1, 0 or −1; `None` when it was cut off.
    pub outcome: Option<f32>,
    /// `first`, `second`, `draw`, or `none` for a game that was cut off.
    pub winner: String,
    /// Why the game ended.
    pub reason: String,
    /// Points that the first player captured in the whole game.
    pub points_first: i32,
    /// Points that the second player captured.
    pub points_second: i32,
}

/// The rows of a game.
///
/// # Errors
/// A record that the rules do not confirm.
pub fn rows_of<G: BoardGame>(game: &G, record: &GameRecord) -> Result<Vec<Row>, Fault> {
    let mut rows = Vec::with_capacity(record.steps.len());
    let mut legal = Vec::new();
    let mut turn = 0;
    let outcome = match record.winner.as_str() {
        "first" => Some(OfFirst(1.0)),
        "second" => Some(OfFirst(-1.0)),
        "draw" => Some(OfFirst(0.0)),
        _ => None,
    };
    replay(game, record, |play, step, found| {
        let position = &play.position;
        // A turn begins wherever none is under way.
        if !rows.is_empty() && !game.mid_turn(position) {
            turn += 1;
        }
        game.legal_steps(position, &mut legal);
        let text = |code| {
            let step = legal.iter().find(|&&step| game.step_code(position, step) == code);
            // `replay` has made sure that there is one.
            step.map_or_else(String::new, |&step| game.step_text(position, step))
        };
        let mover = game.mover(position);
        let search = found.search.as_ref();
        let policy = search.map_or(&[][..], |search| &search.policy);
        let wdl = search.map(|search| search.wdl().0);
        rows.push(Row {
            game: record.id,
            cycle: record.cycle,
            step: rows.len() as u32,
            turn,
            mover: mover.word(),
            position: game.write_position(position),
            legal_steps: legal.len() as u32,
            played_code: found.code.0,
            played: game.step_text(position, step),
            full_search: search.is_some_and(|search| search.full),
            simulations: search.map(|search| search.simulations),
            policy_code: policy.iter().map(|(code, _)| code.0).collect(),
            policy: policy.iter().map(|&(code, _)| text(code)).collect(),
            policy_weight: policy.iter().map(|&(_, weight)| share(weight)).collect(),
            win: wdl.map(|wdl| wdl.win),
            draw: wdl.map(|wdl| wdl.draw),
            loss: wdl.map(|wdl| wdl.loss),
            value: search.map(|search| search.value()),
            surprise: search.map(|search| nats(search.surprise)),
            outcome: outcome.map(|outcome: OfFirst<f32>| outcome.to_mover(mover).0),
            winner: record.winner.clone(),
            reason: record.reason.clone(),
            points_first: record.points[0],
            points_second: record.points[1],
        });
    })?;
    Ok(rows)
}
