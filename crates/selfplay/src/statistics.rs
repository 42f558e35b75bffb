//! What the finished games of a cycle say about play.

use game::record::{GameRecord, nats, replay};
use game::{BoardGame, Fault};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};

/// Gathers finished games; [`GameStatistics::summary`] says what they come to.
#[derive(Clone, Debug, Default)]
pub struct GameStatistics {
    games: u64,
    first_wins: u64,
    second_wins: u64,
    draws: u64,
    truncated: u64,
    reasons: BTreeMap<String, u64>,
    turns: Vec<u32>,
    steps: Vec<u32>,
    captures: u64,
    margins: f64,
    absolute_margins: f64,
    searched: u64,
    full: u64,
    simulations: u64,
    absolute_values: f64,
    entropies: f64,
    surprises: f64,
    played: HashSet<u64>,
    openings: HashSet<u64>,
}

/// Steps that make an opening for [`GameSummary::distinct_openings`].
const OPENING_STEPS: usize = 8;

/// What the games of a cycle come to. Shares are of all games; with no games every number is 0.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GameSummary {
    /// Finished games.
    pub games: u64,
    /// Share won by the first player.
    pub first_win_share: f64,
    /// Share won by the second player.
    pub second_win_share: f64,
    /// Share drawn.
    pub draw_share: f64,
    /// Share cut off without a result.
    pub truncated_share: f64,
    /// Games by reason word.
    pub reasons: BTreeMap<String, u64>,
    /// Mean length in turns.
    pub mean_turns: f64,
    /// Median length in turns.
    pub median_turns: f64,
    /// Mean length in steps.
    pub mean_steps: f64,
    /// Median length in steps.
    pub median_steps: f64,
    /// Capturing steps a game.
    pub captures_per_game: f64,
    /// Mean points margin at the end, as the first player sees it.
    pub mean_margin: f64,
    /// Mean size of the points margin at the end.
    pub mean_absolute_margin: f64,
    /// Searched steps: training samples.
    pub samples: u64,
    /// Share of them with a full search.
    pub full_share: f64,
    /// Mean simulations of a searched step.
    pub mean_simulations: f64,
    /// Mean entropy, in nats, of the policy targets of full searches.
    pub policy_entropy: f64,
    /// Mean divergence, in nats, of the policies of full searches from the network's: what the searches
    /// still have to teach.
    #[serde(default)]
    pub policy_surprise: f64,
    /// Mean size of the searches' expected result, in [0, 1]: near 0 the network knows nothing, near
    /// 1 games are decided.
    pub mean_absolute_value: f64,
    /// Different games: by start and steps.
    pub distinct_games: u64,
    /// Different openings: by start and the first eight steps.
    pub distinct_openings: u64,
}

impl GameStatistics {
    /// No games yet.
    pub fn new() -> GameStatistics {
        GameStatistics::default()
    }

    /// Adds a finished game.
    ///
    /// # Errors
    /// A game that its rules do not confirm; nothing is added then.
    pub fn add<G: BoardGame>(&mut self, game: &G, record: &GameRecord) -> Result<(), Fault> {
        let mut captures = 0;
        let mut turns = 0;
        replay(game, record, |play, step, _| {
            captures += u64::from(game.is_capture(&play.position, step));
            // A turn is counted where it begins.
            turns += u32::from(!game.mid_turn(&play.position));
        })?;
        self.captures += captures;
        self.turns.push(turns);
        self.add_record(record);
        Ok(())
    }

    fn add_record(&mut self, record: &GameRecord) {
        self.games += 1;
        match record.winner.as_str() {
            "first" => self.first_wins += 1,
            "second" => self.second_wins += 1,
            "draw" => self.draws += 1,
            _ => self.truncated += 1,
        }
        *self.reasons.entry(record.reason.clone()).or_default() += 1;
        self.steps.push(record.steps.len() as u32);
        let margin = f64::from(record.points[0]) - f64::from(record.points[1]);
        self.margins += margin;
        self.absolute_margins += margin.abs();
        for search in record.steps.iter().filter_map(|step| step.search.as_ref()) {
            self.searched += 1;
            self.simulations += u64::from(search.simulations);
            self.absolute_values += f64::from(search.value().abs());
            if search.full {
                self.full += 1;
                self.entropies += entropy(search.policy.iter().map(|&(_, weight)| f64::from(weight)));
                self.surprises += f64::from(nats(search.surprise));
            }
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update(record.start.as_bytes());
        for (index, step) in record.steps.iter().enumerate() {
            if index == OPENING_STEPS {
                self.openings.insert(short(&hasher));
            }
            hasher.update(&step.code.0.to_le_bytes());
        }
        if record.steps.len() <= OPENING_STEPS {
            self.openings.insert(short(&hasher));
        }
        self.played.insert(short(&hasher));
    }

    /// Games gathered so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// What they come to.
    pub fn summary(&self) -> GameSummary {
        let per_game = |sum: f64| ratio(sum, self.games);
        let share = |count: u64| per_game(count as f64);
        GameSummary {
            games: self.games,
            first_win_share: share(self.first_wins),
            second_win_share: share(self.second_wins),
            draw_share: share(self.draws),
            truncated_share: share(self.truncated),
            reasons: self.reasons.clone(),
            mean_turns: per_game(self.turns.iter().map(|&turns| f64::from(turns)).sum()),
            median_turns: median(&self.turns),
            mean_steps: per_game(self.steps.iter().map(|&steps| f64::from(steps)).sum()),
            median_steps: median(&self.steps),
            captures_per_game: share(self.captures),
            mean_margin: per_game(self.margins),
            mean_absolute_margin: per_game(self.absolute_margins),
            samples: self.searched,
            full_share: ratio(self.full as f64, self.searched),
            mean_simulations: ratio(self.simulations as f64, self.searched),
            policy_entropy: ratio(self.entropies, self.full),
            policy_surprise: ratio(self.surprises, self.full),
            mean_absolute_value: ratio(self.absolute_values, self.searched),
            distinct_games: self.played.len() as u64,
            distinct_openings: self.openings.len() as u64,
        }
    }
}

fn short(hasher: &blake3::Hasher) -> u64 {
    let mut eight = [0; 8];
    eight.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    u64::from_le_bytes(eight)
}

fn ratio(sum: f64, count: u64) -> f64 {
    if count == 0 { 0.0 } else { sum / count as f64 }
}

fn median(numbers: &[u32]) -> f64 {
    if numbers.is_empty() {
        return 0.0;
    }
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 {
        f64::from(sorted[middle])
    } else {
        (f64::from(sorted[middle - 1]) + f64::from(sorted[middle])) / 2.0
    }
}

/// Entropy in nats of weights that need not be normalised.
fn entropy(weights: impl Iterator<Item = f64> + Clone) -> f64 {
    let total: f64 = weights.clone().sum();
    weights.filter(|&weight| weight > 0.0).map(|weight| -(weight / total) * (weight / total).ln()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::record::{SearchRecord, StepRecord};
    use game::{OfMover, StepCode, Wdl};

    fn record(id: u64, winner: &str, codes: &[u32], points: [i32; 2]) -> GameRecord {
        let search = SearchRecord::new(
            &[(StepCode(0), 1.0), (StepCode(1), 1.0)],
            OfMover(Wdl { win: 0.2, draw: 0.2, loss: 0.6 }),
            8,
            id.is_multiple_of(2),
            0.25,
        );
        GameRecord {
            id,
            cycle: 0,
            start: "start".to_owned(),
            steps: codes
                .iter()
                .map(|&code| StepRecord { code: StepCode(code), search: Some(search.clone()) })
                .collect(),
            winner: winner.to_owned(),
            reason: format!("{winner} reason"),
            points,
        }
    }

    #[test]
    fn games_add_up() {
        let mut statistics = GameStatistics::new();
        assert_eq!(statistics.summary(), GameSummary::default());
        for record in [
            record(0, "first", &[1, 2, 3], [10, 4]),
            record(1, "second", &[1, 2, 3, 4, 5], [0, 8]),
            record(2, "draw", &[1, 2, 3], [0, 0]),
            record(3, "none", &[1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 1]),
            record(4, "first", &[1, 2, 3, 4, 5, 6, 7, 8, 10, 11], [1, 1]),
        ] {
            statistics.add_record(&record);
        }
        let summary = statistics.summary();
        assert_eq!(summary.games, 5);
        assert_eq!((summary.first_win_share, summary.second_win_share), (0.4, 0.2));
        assert_eq!((summary.draw_share, summary.truncated_share), (0.2, 0.2));
        assert_eq!(summary.reasons["first reason"], 2);
        assert_eq!((summary.mean_steps, summary.median_steps), (6.0, 5.0));
        assert!(
            (summary.mean_margin - -0.4).abs() < 1e-9 && (summary.mean_absolute_margin - 2.8).abs() < 1e-9
        );
        assert_eq!((summary.samples, summary.mean_simulations), (30, 8.0));
        assert!((summary.full_share - 16.0 / 30.0).abs() < 1e-9);
        assert!((summary.policy_entropy - 2f64.ln()).abs() < 1e-4);
        assert!((summary.policy_surprise - 0.25).abs() < 1e-6);
        assert!((summary.mean_absolute_value - 0.4).abs() < 1e-4);
        assert_eq!((summary.distinct_games, summary.distinct_openings), (4, 3));
    }

    #[test]
    fn medians_of_even_numbers_lie_between() {
        assert_eq!(median(&[5, 1, 3, 100]), 4.0);
        assert_eq!(median(&[]), 0.0);
    }
}
