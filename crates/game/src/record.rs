//! A finished game with its search statistics, as shards keep it.

use crate::{BoardGame, Fault, OfMover, Outcome, Play, StepCode, Wdl};
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
    /// Probability that the side to move wins, after the search, in 1/65535.
    pub win: u16,
    /// Probability that the side to move loses, after the search, in 1/65535; the rest is draws.
    pub loss: u16,
    /// Simulations behind it.
    pub simulations: u32,
    /// Whether the step's policy trains the network (a full search) or not (a fast one).
    pub full: bool,
    /// How far the policy is from the prior that the network gave: the Kullback–Leibler divergence
    /// Σ policy · ln(policy / prior), in 1/1000 nat.
    pub surprise: u16,
}

/// The reason of a game that the side to move in its last position gave up.
pub const RESIGNATION: &str = "resignation";

/// What 1 is in a weight or probability of a record.
const WHOLE: f32 = 65535.0;
/// What 1 nat is in a record.
const NAT: f32 = 1000.0;

/// What a weight or probability of a record stands for, in [0, 1].
pub fn share(part: u16) -> f32 {
    f32::from(part) / WHOLE
}

/// What a divergence of a record stands for, in nats.
pub fn nats(thousandths: u16) -> f32 {
    f32::from(thousandths) / NAT
}

impl SearchRecord {
    /// Rounds a policy and a judgement to record form. Weights need not be normalised; a policy
    /// without a positive finite sum is recorded as empty, which [`replay`] refuses. `surprise` is in
    /// nats.
    pub fn new(
        policy: &[(StepCode, f32)],
        wdl: OfMover<Wdl>,
        simulations: u32,
        full: bool,
        surprise: f32,
    ) -> SearchRecord {
        let total: f32 = policy.iter().map(|&(_, weight)| weight).sum();
        let mut rounded: Vec<(StepCode, u16)> = policy
            .iter()
            .map(|&(code, weight)| (code, (weight / total * WHOLE).round() as u16))
            .filter(|&(_, weight)| weight > 0)
            .collect();
        rounded.sort_by_key(|&(code, weight)| (std::cmp::Reverse(weight), code));
        let win = (wdl.0.win.clamp(0.0, 1.0) * WHOLE).round() as u16;
        let loss = ((wdl.0.loss.clamp(0.0, 1.0) * WHOLE).round() as u16).min(u16::MAX - win);
        let surprise = (surprise * NAT).round() as u16;
        SearchRecord { policy: rounded, win, loss, simulations, full, surprise }
    }

    /// Win, draw and loss for the side to move after the search.
    pub fn wdl(&self) -> OfMover<Wdl> {
        let (win, loss) = (share(self.win), share(self.loss));
        OfMover(Wdl { win, draw: (1.0 - win - loss).max(0.0), loss })
    }

    /// The expected result for the side to move, in [−1, 1].
    pub fn value(&self) -> f32 {
        (f32::from(self.win) - f32::from(self.loss)) / WHOLE
    }
}

/// Replays the steps of a game that begins at `start`, calling `visit` before every step with the
/// game so far, the step, its record and its index (from 0); returns the game after the last step.
/// It does not ask whether that game has ended.
///
/// # Errors
/// A start that cannot be read, a step after the end, a step or a weighted step of a policy that is
/// not legal, a policy without weight, or probabilities above 1: the fault's place is the game's
/// number and the step.
pub fn replay_steps<G: BoardGame>(
    game: &G,
    id: u64,
    start: &str,
    records: &[StepRecord],
    mut visit: impl FnMut(&Play<G>, G::Step, &StepRecord, usize),
) -> Result<Play<G>, Fault> {
    let start = game
        .read_position(start)
        .map_err(|faults| Fault::new(format!("game {id} start"), faults.to_string()))?;
    let mut play = Play::new(game, start);
    let mut steps = Vec::new();
    let mut codes = Vec::new();
    for (index, record) in records.iter().enumerate() {
        let fault = |message: String| Fault::new(format!("game {id} step {}", index + 1), message);
        if play.outcome(game).is_some() {
            return Err(fault("the game had ended before this step".to_owned()));
        }
        game.legal_steps(&play.position, &mut steps);
        codes.clear();
        codes.extend(steps.iter().map(|&step| game.step_code(&play.position, step)));
        let place = codes
            .iter()
            .position(|&code| code == record.code)
            .ok_or_else(|| fault(format!("{} is no legal step", record.code.0)))?;
        if let Some(search) = &record.search {
            if let Some((code, _)) = search.policy.iter().find(|(code, _)| !codes.contains(code)) {
                return Err(fault(format!("its policy weights {}, which is no legal step", code.0)));
            }
            let twice = |&(index, entry): &(usize, &(StepCode, u16))| {
                search.policy[..index].iter().any(|earlier| earlier.0 == entry.0)
            };
            if let Some((_, (code, _))) = search.policy.iter().enumerate().find(twice) {
                return Err(fault(format!("its policy weights {} twice", code.0)));
            }
            if search.policy.iter().all(|&(_, weight)| weight == 0) {
                return Err(fault("its policy has no weight at all".to_owned()));
            }
            if u32::from(search.win) + u32::from(search.loss) > u32::from(u16::MAX) {
                return Err(fault("its probabilities of win and loss add up to more than 1".to_owned()));
            }
        }
        visit(&play, steps[place], record, index);
        play.step(game, steps[place]);
    }
    Ok(play)
}

/// Replays a finished game ([`outcome`] says what that is), calling `visit` before every step with the game so far, the step and
/// its record; returns the game at its end.
///
/// # Errors
/// As [`replay_steps`]; also a result or points that the steps do not give.
pub fn replay<G: BoardGame>(
    game: &G,
    record: &GameRecord,
    mut visit: impl FnMut(&Play<G>, G::Step, &StepRecord),
) -> Result<Play<G>, Fault> {
    let play = replay_steps(game, record.id, &record.start, &record.steps, |play, step, record, _| {
        visit(play, step, record);
    })?;
    let outcome = outcome(game, record, &play);
    let found = outcome.as_ref().map_or(("none", "unfinished"), words);
    if found != (record.winner.as_str(), record.reason.as_str()) {
        return Err(Fault::new(
            format!("game {} result", record.id),
            format!("{} by {}, but the steps give {} by {}", record.winner, record.reason, found.0, found.1),
        ));
    }
    let points = game.points(&play.position);
    if points != record.points {
        return Err(Fault::new(
            format!("game {} points", record.id),
            format!("{:?}, but the steps give {points:?}", record.points),
        ));
    }
    Ok(play)
}

/// How a recorded game ended, of which `end` is the last position: as the rules say, or for the opponent of the
/// side to move if that side gave up there (reason [`RESIGNATION`]). `None` for a game without an end.
pub fn outcome<G: BoardGame>(game: &G, record: &GameRecord, end: &Play<G>) -> Option<Outcome> {
    let gave_up = || record.reason == RESIGNATION && !game.mid_turn(&end.position);
    end.outcome(game)
        .or_else(|| gave_up().then(|| Outcome::win(game.mover(&end.position).opponent(), RESIGNATION)))
}

fn words(outcome: &Outcome) -> (&'static str, &'static str) {
    (outcome.winner_word(), outcome.reason.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_is_normalised_sorted_and_loses_what_rounds_to_nothing() {
        let policy = [(StepCode(7), 1.0), (StepCode(3), 3.0), (StepCode(9), 1e-7), (StepCode(1), 0.0)];
        let wdl = OfMover(Wdl { win: 0.5, draw: 0.3, loss: 0.2 });
        let record = SearchRecord::new(&policy, wdl, 16, true, 0.25);
        assert_eq!(record.policy, [(StepCode(3), 49151), (StepCode(7), 16384)]);
        assert!((record.value() - 0.3).abs() < 1e-4);
        assert_eq!(record.surprise, 250);
        let read = record.wdl().0;
        assert!((read.win - 0.5).abs() < 1e-4 && (read.draw - 0.3).abs() < 1e-4);
        assert!((read.loss - 0.2).abs() < 1e-4);
    }

    #[test]
    fn probabilities_that_overshoot_by_rounding_still_fit() {
        let wdl = OfMover(Wdl { win: 0.7, draw: 0.0, loss: 0.300_001 });
        let record = SearchRecord::new(&[(StepCode(0), 1.0)], wdl, 1, true, 0.0);
        assert!(u32::from(record.win) + u32::from(record.loss) <= 65535);
        assert!(record.wdl().0.draw >= 0.0);
    }

    #[test]
    fn a_policy_of_nothing_is_recorded_as_empty() {
        for weight in [0.0, f32::NAN] {
            let record = SearchRecord::new(&[(StepCode(0), weight)], OfMover(Wdl::DRAW), 1, true, 0.0);
            assert!(record.policy.is_empty());
        }
    }
}
