//! The rule options, their values, and the three presets.
//!
//! Every key and value is a word of the rules page, `docs/rules/xiangqi.md`. Defaults are the preset
//! `cxq`.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// Declares an option enum whose values are written as words.
macro_rules! choice {
    ($(#[$meta:meta])* $name:ident { $($(#[$value_meta:meta])* $value:ident),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $($(#[$value_meta])* $value),+
        }
    };
}

choice! {
    /// In what the draw counters are measured.
    DrawUnit {
        /// Full moves: limits of 60, 240 and 600 plies.
        Full,
        /// Plies: limits of 30, 120 and 300 plies.
        Ply,
    }
}
choice! {
    /// What a move does whose mover would lose by perpetual check or chase.
    PerpetualEffect {
        /// It loses.
        Loss,
        /// It is not legal.
        MoveForbidden,
    }
}
choice! {
    /// Whether something applies.
    Switch {
        /// It does.
        On,
        /// It does not.
        Off,
    }
}
choice! {
    /// Which pieces beside the moved one make pairs with what they can newly take.
    DiscoveredAttacks {
        /// Cannons.
        Cannon,
        /// All pieces.
        All,
        /// All pieces, and after moves of kings and pawns too.
        AllInclKingPawn,
    }
}
choice! {
    /// Which replies the effective counter leaves out.
    EffectiveAnswer {
        /// Every reply to a check or chase.
        AnyReply,
        /// A reply to a check, and one after which no pair of the chase is good any more.
        OnlyIfItResolves,
    }
}
choice! {
    /// How perpetual check and chase are found.
    Judge {
        /// By streaks of moves.
        Streak,
        /// By the third occurrence of a position.
        Cycle3,
    }
}

/// Whether the third occurrence of a position draws: `off` or `3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepetitionDraw {
    /// It does not.
    Off,
    /// It does.
    Third,
}

impl Serialize for RepetitionDraw {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            RepetitionDraw::Off => "off",
            RepetitionDraw::Third => "3",
        })
    }
}

impl<'de> Deserialize<'de> for RepetitionDraw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "`off` or 3")]
        enum Form {
            Number(i64),
            Word(String),
        }
        match Form::deserialize(deserializer)? {
            Form::Number(3) => Ok(RepetitionDraw::Third),
            Form::Number(other) => Err(D::Error::custom(format!("{other}: write `off` or 3"))),
            Form::Word(word) => match word.as_str() {
                "off" => Ok(RepetitionDraw::Off),
                "3" => Ok(RepetitionDraw::Third),
                other => Err(D::Error::custom(format!("`{other}`: write `off` or 3"))),
            },
        }
    }
}

/// All rule options of Xiangqi. The default is the preset `cxq`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// In what the draw counters are measured.
    pub draw_unit: DrawUnit,
    /// What happens to a move that breaks the limit of a streak.
    pub perpetual_effect: PerpetualEffect,
    /// Whether protected pieces cannot be chased.
    pub protected_exempt: Switch,
    /// Whether the moved piece chases only what it could not take from its old point.
    pub new_attack_only: Switch,
    /// Which other pieces chase what they can newly take.
    pub discovered_attacks: DiscoveredAttacks,
    /// Whether a standing attack on a piece that loses its protection chases.
    pub undermined_root: Switch,
    /// Whether advisors and elephants chase protected rooks, horses and cannons.
    pub guard_attacks_major: Switch,
    /// Whether a check chases as well.
    pub check_also_chase: Switch,
    /// Whether a capture ends all streaks of both sides.
    pub reset_on_capture: Switch,
    /// Whether the step across the river resets the progress counter.
    pub progress_counts_crossing_step: Switch,
    /// Which replies the effective counter leaves out.
    pub effective_answer: EffectiveAnswer,
    /// Whether the third occurrence of a position draws.
    pub repetition_draw: RepetitionDraw,
    /// Whether the game is drawn when no side has a rook, horse, cannon or pawn.
    pub insufficient_material: Switch,
    /// How perpetual check and chase are found.
    pub judge: Judge,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::cxq()
    }
}

impl Rules {
    /// Names of the presets, the default first.
    pub const PRESETS: [&'static str; 3] = ["cxq", "cxq_asian", "asian"];

    /// The preset `cxq`: all defaults.
    pub const fn cxq() -> Rules {
        Rules {
            draw_unit: DrawUnit::Full,
            perpetual_effect: PerpetualEffect::Loss,
            protected_exempt: Switch::On,
            new_attack_only: Switch::Off,
            discovered_attacks: DiscoveredAttacks::Cannon,
            undermined_root: Switch::Off,
            guard_attacks_major: Switch::Off,
            check_also_chase: Switch::Off,
            reset_on_capture: Switch::Off,
            progress_counts_crossing_step: Switch::Off,
            effective_answer: EffectiveAnswer::AnyReply,
            repetition_draw: RepetitionDraw::Off,
            insufficient_material: Switch::Off,
            judge: Judge::Streak,
        }
    }

    /// The preset `cxq_asian`: streaks, with what chases as in the Asian rules.
    pub const fn cxq_asian() -> Rules {
        Rules {
            new_attack_only: Switch::On,
            discovered_attacks: DiscoveredAttacks::All,
            undermined_root: Switch::On,
            guard_attacks_major: Switch::On,
            ..Rules::cxq()
        }
    }

    /// The preset `asian`: the same, judged at the third occurrence of a position, which else draws.
    pub const fn asian() -> Rules {
        Rules { judge: Judge::Cycle3, repetition_draw: RepetitionDraw::Third, ..Rules::cxq_asian() }
    }

    /// The preset of that name.
    pub fn preset(name: &str) -> Option<Rules> {
        match name {
            "cxq" => Some(Rules::cxq()),
            "cxq_asian" => Some(Rules::cxq_asian()),
            "asian" => Some(Rules::asian()),
            _ => None,
        }
    }

    /// Plies at which the progress counter draws: 30 moves.
    pub const fn progress_limit(&self) -> u16 {
        self.plies(30)
    }

    /// Plies at which the effective counter draws: 120 moves.
    pub const fn effective_limit(&self) -> u16 {
        self.plies(120)
    }

    /// Plies at which the total counter draws: 300 moves.
    pub const fn total_limit(&self) -> u16 {
        self.plies(300)
    }

    const fn plies(&self, moves: u16) -> u16 {
        match self.draw_unit {
            DrawUnit::Full => 2 * moves,
            DrawUnit::Ply => moves,
        }
    }
}

impl Switch {
    /// Whether it is on.
    #[inline]
    pub const fn is_on(self) -> bool {
        matches!(self, Switch::On)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_the_number_of_repetitions_are_read() {
        let rules: Rules = toml::from_str(
            "draw_unit = \"ply\"\nrepetition_draw = 3\ndiscovered_attacks = \"all_incl_king_pawn\"\n\
             effective_answer = \"only_if_it_resolves\"\njudge = \"cycle3\"\nperpetual_effect = \"move_forbidden\"",
        )
        .unwrap();
        assert_eq!(rules.draw_unit, DrawUnit::Ply);
        assert_eq!(rules.repetition_draw, RepetitionDraw::Third);
        assert_eq!(rules.discovered_attacks, DiscoveredAttacks::AllInclKingPawn);
        assert_eq!(rules.effective_answer, EffectiveAnswer::OnlyIfItResolves);
        assert_eq!(rules.judge, Judge::Cycle3);
        assert_eq!(rules.perpetual_effect, PerpetualEffect::MoveForbidden);
        assert!(toml::from_str::<Rules>("repetition_draw = 2").is_err());
        assert!(toml::from_str::<Rules>("repetition_draw = \"on\"").is_err());
    }
}
