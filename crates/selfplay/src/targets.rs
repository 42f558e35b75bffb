//! What a sample is to teach about value and margin.

use game::record;
use game::{OfFirst, Outcome, Player, Verdict, Wdl};
use serde::{Deserialize, Serialize};

/// How targets are made of finished games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TargetConfig {
    /// What the value head learns.
    pub value: ValueTarget,
}

impl TargetConfig {
    /// Everything that is wrong with the numbers, each with its key.
    pub fn faults(&self) -> Vec<String> {
        match self.value {
            ValueTarget::Mixture { search_share } if !(0.0..=1.0).contains(&search_share) => {
                vec![format!("`value.mixture.search_share` is {search_share}; it must be between 0 and 1")]
            }
            _ => Vec::new(),
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

    /// Win, draw and loss for `mover`; `win` and `loss` are what the sample's own search found for
    /// it, in 1/65535.
    pub(crate) fn wdl(&self, config: &TargetConfig, mover: Player, win: u16, loss: u16) -> [f32; 3] {
        let Wdl { win: won, draw: drawn, loss: lost } = self.result.to_mover(mover).0;
        let share = match config.value {
            ValueTarget::Result => return [won, drawn, lost],
            ValueTarget::Mixture { search_share } => search_share,
        };
        let [win, loss] = [win, loss].map(record::share);
        let draw = (1.0 - win - loss).max(0.0);
        let mix = |result: f32, search: f32| (1.0 - share) * result + share * search;
        [mix(won, win), mix(drawn, draw), mix(lost, loss)]
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

    fn wdl(outcome: Outcome, value: ValueTarget, mover: Player) -> [f32; 3] {
        // The sample's own search: three fifths of the games won, one fifth lost.
        Targets::new(Some(outcome), Some(LAST), [0, 0], 0.0).wdl(&TargetConfig { value }, mover, 39321, 13107)
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
            let found = wdl(Outcome::win(Player::First, "four"), mixture, mover);
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-5, "{found} instead of {expected}");
            }
        }
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
