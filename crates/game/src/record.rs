//! A finished game with its search statistics, as shards keep it.

use crate::{BoardGame, Fault, Play, StepCode};
use serde::{Deserialize, Serialize};

/// A finished game: start, step codes, what the searches found, and the result. It holds no
/// positions: a reader replays it and refuses illegal steps ([`replay`]).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number of the game in its run, unique.
    pub id: u64,
    /// Training cycle in which it ended.
    pub cycle: u64,
    /// Start position as the game writes it.
    pub start: String,
    /// All steps in order.
    pub steps: Vec<StepRecord>,
    /// `first`, `second`, `draw`, or `none` for a truncated game.
    pub winner: String,
    /// The reason word.
    pub reason: String,
    /// Points captured by the first and the second player.
    pub points: [i32; 2],
}

/// One step of a recorded game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepRecord {
    /// The step played.
    pub code: StepCode,
    /// What the search found; `None` for steps that were not searched (random openings).
    pub search: Option<SearchRecord>,
}

/// What a search left behind for training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchRecord {
    /// Policy target: weights of legal steps, largest first, steps without weight left out.
    /// A weight `w` stands for `w / 65535`.
    pub policy: Vec<(StepCode, u16)>,
    /// Expected result for the side to move after the search, in 1/32767 from −1 to 1.
    pub value: i16,
    /// Simulations behind it.
    pub simulations: u32,
    /// Whether the step's policy trains the network (a full search) or not (a fast one).
    pub full: bool,
}

impl SearchRecord {
    /// Rounds a policy to record form. Weights need not be normalised.
    pub fn new(policy: &[(StepCode, f32)], value: f32, simulations: u32, full: bool) -> SearchRecord {
        let total: f32 = policy.iter().map(|&(_, weight)| weight).sum();
        let mut rounded: Vec<(StepCode, u16)> = policy
            .iter()
            .map(|&(code, weight)| (code, (weight / total * 65535.0).round() as u16))
            .filter(|&(_, weight)| weight > 0)
            .collect();
        rounded.sort_by_key(|&(code, weight)| (std::cmp::Reverse(weight), code));
        let value = (value.clamp(-1.0, 1.0) * 32767.0).round() as i16;
        SearchRecord { policy: rounded, value, simulations, full }
    }

    /// The expected result for the side to move, in [−1, 1].
    pub fn value(&self) -> f32 {
        f32::from(self.value) / 32767.0
    }
}

/// Replays a record, calling `visit` before every step with the game so far, the step and its
/// record; returns the game at its end. Refuses a start position, step or result that the game
/// does not confirm.
pub fn replay<G: BoardGame>(
    game: &G,
    record: &GameRecord,
    mut visit: impl FnMut(&Play<G>, G::Step, &StepRecord),
) -> Result<Play<G>, Fault> {
    let start = game
        .read_position(&record.start)
        .map_err(|faults| Fault::new(format!("game {} start", record.id), faults.to_string()))?;
    let mut play = Play::new(game, start);
    for (index, step_record) in record.steps.iter().enumerate() {
        let place = || format!("game {} step {}", record.id, index + 1);
        if play.outcome(game).is_some() {
            return Err(Fault::new(place(), "the game had ended before this step"));
        }
        let step = game
            .step_from_code(&play.position, step_record.code)
            .ok_or_else(|| Fault::new(place(), format!("{} is no legal step", step_record.code.0)))?;
        visit(&play, step, step_record);
        play.step(game, step);
    }
    let outcome = play.outcome(game);
    let found = outcome.map_or(("none", "unfinished"), |outcome| (outcome.winner_word(), outcome.reason.0));
    if found != (record.winner.as_str(), record.reason.as_str()) {
        return Err(Fault::new(
            format!("game {} result", record.id),
            format!("{} by {}, but the steps give {} by {}", record.winner, record.reason, found.0, found.1),
        ));
    }
    Ok(play)
}
