//! What a sample is to teach about value and margin.

use game::{OfFirst, OfMover, Outcome, Player, Verdict, Wdl};
use serde::{Deserialize, Serialize};

/// How targets are made of finished games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TargetConfig {
    /// What the value head learns.
    pub value: ValueTarget,
    /// What it learns where the search has proven a result (`search.solved_nodes`).
    pub proven: ProvenValue,
    /// Share of the draws of fully searched samples that goes by **surprise**, the divergence of the
    /// search's policy from the prior, instead of evenly; in [0, 1]. Within its game such a sample is drawn
    /// `1 − share + share · surprise / mean surprise of the game` times as often, at most
    /// [`MOST_DRAWS`] times (Wu, "Other Methods Implemented in KataGo", policy surprise weighting, where the
    /// share is 0.5).
    pub surprise_share: f32,
}

/// Most that surprise multiplies the draws of a sample by.
pub const MOST_DRAWS: f32 = 4.0;

impl TargetConfig {
    /// Everything that is wrong with the numbers, each with its key.
    pub fn faults(&self) -> Vec<String> {
        let value = match self.value {
            ValueTarget::Result => None,
            ValueTarget::Mixture { search_share } => Some(("value.mixture.search_share", search_share)),
            ValueTarget::AlongGame { decay } => Some(("value.along-game.decay", decay)),
        };
        let shares = value.into_iter().chain([("surprise_share", self.surprise_share)]);
        shares
            .filter(|(_, number)| !(0.0..=1.0).contains(number))
            .map(|(key, number)| format!("`{key}` is {number}; it must be between 0 and 1"))
            .collect()
    }

    /// How many times as often a fully searched sample of this surprise is drawn, in a game where it is
    /// `mean` on average.
    pub(crate) fn draws(&self, surprise: u16, mean: f32) -> f32 {
        let relative = if mean > 0.0 { f32::from(surprise) / mean } else { 1.0 };
        (1.0 - self.surprise_share + self.surprise_share * relative).min(MOST_DRAWS)
    }

    /// What the search that is `later` searched steps after the sample counts, of what the searches
    /// before it have left over.
    fn share(&self, later: usize) -> f32 {
        match self.value {
            ValueTarget::Mixture { search_share } if later == 0 => search_share,
            ValueTarget::Result | ValueTarget::Mixture { .. } => 0.0,
            ValueTarget::AlongGame { decay } => 1.0 - decay,
        }
    }
}

/// What the value head learns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum ValueTarget {
    /// The result of the game.
    #[default]
    Result,
    /// (1 − share) · result + share · what the search of the sample found.
    Mixture {
        /// Share of the search, in [0, 1].
        search_share: f32,
    },
    /// What the searches from the sample on found, the one k searched steps later with weight
    /// (1 − decay) · decay^k, and the result with what is left: TD(λ) with λ = decay (Sutton 1988,
    /// "Learning to Predict by the Methods of Temporal Differences", section 3).
    AlongGame {
        /// What each searched step leaves for what comes after it, in [0, 1]; 1 is the result alone.
        decay: f32,
    },
}

/// What a proven result means for the value of the samples up to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProvenValue {
    /// Nothing: it counts like any other search.
    #[default]
    Ignore,
    /// What was played after the first proof from a sample on does not count, since a step that
    /// threw the game away later says nothing about the sample: the proof is the result.
    Trust,
}

/// What a search of the game found, in the words of the record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Searched {
    pub mover: Player,
    /// Win and loss for `mover`, in 1/65535; the rest is draws.
    pub win: u16,
    pub loss: u16,
}

impl Searched {
    /// Whether nothing is left open. Only a proof says so: no network is certain to 1/65535 in a mean
    /// over many positions.
    fn is_proven(&self) -> bool {
        matches!((self.win, self.loss), (u16::MAX, 0) | (0, u16::MAX) | (0, 0))
    }

    fn of_first(&self) -> Wdl {
        let [win, loss] = [self.win, self.loss].map(game::record::share);
        OfMover(Wdl { win, draw: (1.0 - win - loss).max(0.0), loss }).to_first(self.mover).0
    }
}

/// What a finished game says about all its samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Targets {
    /// The result; of a truncated game, which has none, what its last search expected.
    result: OfFirst<Wdl>,
    /// tanh(points margin / unit) at the end.
    margin: OfFirst<f32>,
}

impl Targets {
    /// Targets of a game that ended with `outcome`, whose last search found `last`, with these points
    /// of the first and the second player.
    pub(crate) fn new(
        outcome: Option<Outcome>,
        last: Option<OfFirst<Wdl>>,
        points: [i32; 2],
        margin_unit: f32,
    ) -> Targets {
        let result = match outcome {
            Some(outcome) if outcome.verdict != Verdict::Truncated => outcome.wdl(),
            _ => last.unwrap_or(OfFirst(Wdl::DRAW)),
        };
        let margin = if margin_unit > 0.0 {
            (f64::from(points[0]) - f64::from(points[1])) as f32 / margin_unit
        } else {
            0.0
        };
        Targets { result, margin: OfFirst(margin.tanh()) }
    }

    /// Win, draw and loss for the mover of the sample, which is the first of `searches`: those of the
    /// game from the sample on.
    pub(crate) fn wdl(
        &self,
        config: &TargetConfig,
        mover: Player,
        searches: impl Iterator<Item = Searched>,
    ) -> [f32; 3] {
        let mut target = Wdl { win: 0.0, draw: 0.0, loss: 0.0 };
        let mut add = |share: f32, part: Wdl| {
            target.win += share * part.win;
            target.draw += share * part.draw;
            target.loss += share * part.loss;
        };
        let mut left = 1.0;
        for (later, searched) in searches.enumerate() {
            let proven = config.proven == ProvenValue::Trust && searched.is_proven();
            let share = if proven { 1.0 } else { config.share(later) };
            add(left * share, searched.of_first());
            left *= 1.0 - share;
            // Nothing that comes later counts.
            if left == 0.0 {
                break;
            }
        }
        add(left, self.result.0);
        let Wdl { win, draw, loss } = OfFirst(target).to_mover(mover).0;
        [win, draw, loss]
    }

    /// The margin for `mover`, in [−1, 1].
    pub(crate) fn margin(&self, mover: Player) -> f32 {
        self.margin.to_mover(mover).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAST: OfFirst<Wdl> = OfFirst(Wdl { win: 0.25, draw: 0.25, loss: 0.5 });

    /// The sample's own search: three fifths of the games won by its mover, one fifth lost.
    fn own(mover: Player) -> Searched {
        Searched { mover, win: 39321, loss: 13107 }
    }

    fn wdl(outcome: Outcome, value: ValueTarget, mover: Player) -> [f32; 3] {
        let config = TargetConfig { value, ..TargetConfig::default() };
        Targets::new(Some(outcome), Some(LAST), [0, 0], 0.0).wdl(&config, mover, [own(mover)].into_iter())
    }

    fn assert_near(found: [f32; 3], expected: [f32; 3]) {
        for (part, wanted) in found.iter().zip(expected) {
            assert!((part - wanted).abs() < 1e-4, "{found:?} instead of {expected:?}");
        }
    }

    #[test]
    fn results_are_seen_by_the_side_to_move() {
        let won = Outcome::win(Player::Second, "mate");
        assert_eq!(wdl(won, ValueTarget::Result, Player::First), [0.0, 0.0, 1.0]);
        assert_eq!(wdl(won, ValueTarget::Result, Player::Second), [1.0, 0.0, 0.0]);
        for player in Player::BOTH {
            assert_eq!(wdl(Outcome::draw("agreed"), ValueTarget::Result, player), [0.0, 1.0, 0.0]);
        }
    }

    #[test]
    fn a_truncated_game_teaches_what_its_last_search_expected() {
        let truncated = Outcome::truncated("length");
        assert_eq!(wdl(truncated, ValueTarget::Result, Player::First), [0.25, 0.25, 0.5]);
        assert_eq!(wdl(truncated, ValueTarget::Result, Player::Second), [0.5, 0.25, 0.25]);
    }

    #[test]
    fn a_mixture_takes_the_search_as_the_mover_saw_it() {
        let mixture = ValueTarget::Mixture { search_share: 0.5 };
        for (mover, expected) in [(Player::First, [0.8, 0.1, 0.1]), (Player::Second, [0.3, 0.1, 0.6])] {
            assert_near(wdl(Outcome::win(Player::First, "four"), mixture, mover), expected);
        }
    }

    /// Searches of a game: First's (0.6, 0.2, 0.2), Second's (0.6, 0.2, 0.2), and a proof that First,
    /// to move, draws; then First loses.
    fn targets(config: &TargetConfig, from: usize) -> [f32; 3] {
        let proof = Searched { mover: Player::First, win: 0, loss: 0 };
        let searches = [own(Player::First), own(Player::Second), proof];
        let lost = Targets::new(Some(Outcome::win(Player::Second, "four")), None, [0, 0], 0.0);
        lost.wdl(config, searches[from].mover, searches[from..].iter().copied())
    }

    #[test]
    fn along_the_game_later_searches_count_less_and_less() {
        let config = TargetConfig { value: ValueTarget::AlongGame { decay: 0.5 }, ..TargetConfig::default() };
        // Half the own search, a quarter the next one (turned round), an eighth the draw, an eighth the loss.
        assert_near(targets(&config, 0), [0.3 + 0.05, 0.1 + 0.05 + 0.125, 0.1 + 0.15 + 0.125]);
        assert_near(targets(&config, 1), [0.3 + 0.25, 0.1 + 0.25, 0.1]);
        let result = TargetConfig { value: ValueTarget::AlongGame { decay: 1.0 }, ..TargetConfig::default() };
        assert_near(targets(&result, 0), [0.0, 0.0, 1.0]);
    }

    #[test]
    fn a_trusted_proof_ends_what_counts() {
        let trust = |value| TargetConfig { value, proven: ProvenValue::Trust, ..TargetConfig::default() };
        for from in 0..3 {
            assert_near(targets(&trust(ValueTarget::Result), from), [0.0, 1.0, 0.0]);
        }
        assert_near(targets(&trust(ValueTarget::Mixture { search_share: 0.5 }), 0), [0.3, 0.6, 0.1]);
        assert_near(
            targets(&trust(ValueTarget::AlongGame { decay: 0.5 }), 0),
            [0.3 + 0.05, 0.1 + 0.05 + 0.25, 0.1 + 0.15],
        );
        let ignore = TargetConfig::default();
        assert_near(targets(&ignore, 2), [0.0, 0.0, 1.0]);
    }

    #[test]
    fn shares_outside_of_0_to_1_are_named() {
        for (value, key) in [
            (ValueTarget::Mixture { search_share: 1.5 }, "search_share"),
            (ValueTarget::AlongGame { decay: f32::NAN }, "decay"),
        ] {
            let faults = TargetConfig { value, ..TargetConfig::default() }.faults();
            assert!(faults.len() == 1 && faults[0].contains(key), "{faults:?}");
        }
        let config = TargetConfig {
            value: ValueTarget::AlongGame { decay: -0.1 },
            surprise_share: 2.0,
            ..TargetConfig::default()
        };
        assert_eq!(config.faults().len(), 2);
    }

    #[test]
    fn surprising_samples_are_drawn_more_often() {
        let half = TargetConfig { surprise_share: 0.5, ..TargetConfig::default() };
        for (surprise, mean, draws) in [
            (100, 100.0, 1.0),
            (0, 100.0, 0.5),
            (300, 100.0, 2.0),
            (60_000, 100.0, MOST_DRAWS),
            (0, 0.0, 1.0),
        ] {
            assert!((half.draws(surprise, mean) - draws).abs() < 1e-6, "{surprise} of {mean}");
        }
        assert_eq!(TargetConfig::default().draws(300, 100.0), 1.0);
    }

    #[test]
    fn the_margin_is_squashed_and_flipped() {
        let targets = Targets::new(Some(Outcome::draw("agreed")), None, [30, 10], 40.0);
        assert!((targets.margin(Player::First) - 0.5f32.tanh()).abs() < 1e-6);
        assert!((targets.margin(Player::Second) + 0.5f32.tanh()).abs() < 1e-6);
        let none = Targets::new(Some(Outcome::draw("agreed")), None, [30, 10], 0.0);
        assert_eq!(none.margin(Player::First), 0.0);
    }
}
