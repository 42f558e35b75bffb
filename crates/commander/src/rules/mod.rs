//! The rule options, their values, and the presets.
//!
//! Every key and every value is a word of the rules page (`docs/rules/commander-chess.md`,
//! sections 2 to 9 and 11). Defaults are the preset `official`. `choices.rs` has the options whose values are
//! words, `win_set.rs` the one that is a list, `presets.rs` the named sets.

mod choices;
mod presets;
mod win_set;

pub use choices::*;
pub use win_set::WinSet;

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

/// A whole number of an option with few values.
fn number_in<'de, D: Deserializer<'de>>(
    deserializer: D,
    key: &str,
    low: i64,
    high: i64,
) -> Result<i64, D::Error> {
    let value = i64::deserialize(deserializer)?;
    if (low..=high).contains(&value) {
        Ok(value)
    } else {
        Err(D::Error::custom(format!("{key}: {value} is out of range, expected {low} to {high}")))
    }
}

fn zone_bonus<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    number_in(deserializer, "hero_zone_bonus", 0, 1).map(|value| value as u8)
}

fn hq_range<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    number_in(deserializer, "hero_hq_range", 0, 2).map(|value| value as u8)
}

fn capture_turns<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u16, D::Error> {
    number_in(deserializer, "no_capture_turns", 1, 10_000).map(|value| value as u16)
}

fn game_turns<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u16, D::Error> {
    number_in(deserializer, "max_turns", 1, 10_000).map(|value| value as u16)
}

/// All rule options of Commander Chess. The default is the preset `official`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// What the standard start is (sections 2 and 9).
    pub set_up: SetUp,
    /// Side that moves first from the standard start (section 2).
    pub first_player: FirstPlayer,
    /// Whether a missile captures over other pieces (section 2).
    pub missile_capture_jumps: bool,
    /// What blocks a ship's movement (section 2).
    pub navy_move_block: NavyMoveBlock,
    /// What a torpedo passes (section 2).
    pub torpedo_jumps: TorpedoJumps,
    /// A navy's capture across land (section 3).
    pub navy_capture_across_land: NavyCaptureAcrossLand,
    /// Bomb and return (section 3).
    pub air_return: AirReturn,
    /// Crashes and zones (section 4).
    pub air_zones: AirZones,
    /// What being a hero adds to the radius of a zone: 0 or 1 (section 4).
    #[serde(deserialize_with = "zone_bonus")]
    pub hero_zone_bonus: u8,
    /// Whether cargo defends against air forces too (section 4).
    pub carried_defends: bool,
    /// Whether a commander carried by T, F, N or H is out of exposure (section 5).
    pub carried_commander_exempt: bool,
    /// Protection in the headquarters (section 5).
    pub hq_shield: HqShield,
    /// Artillery against the shield (section 5).
    pub hq_artillery: HqArtillery,
    /// Legal stacks (section 6).
    pub stack_caps: StackCaps,
    /// Whether land pieces reach a ship on files a and b (section 6).
    pub board_at_sea: bool,
    /// Bomb and return of a member (section 6).
    pub split_bomb: SplitBomb,
    /// An engineer with a heavy piece (section 6).
    pub engineer_carry: EngineerCarry,
    /// Drop and return (section 6).
    pub air_drop: AirDrop,
    /// The navy's double strike (section 6).
    pub navy_double: NavyDouble,
    /// When attackers become heroes (section 7).
    pub hero_timing: HeroTiming,
    /// Heroes' diagonals (section 7).
    pub hero_diagonals: HeroDiagonals,
    /// The last guard (section 7).
    pub last_guard: LastGuard,
    /// Range of a hero headquarters: 0 to 2 (section 7).
    #[serde(deserialize_with = "hq_range")]
    pub hero_hq_range: u8,
    /// Battles that win (section 8).
    pub win_set: WinSet,
    /// Both sides lose in one turn (section 8).
    pub simultaneous: Simultaneous,
    /// A commander without pieces (section 8).
    pub bare_commander_loses: BareCommanderLoses,
    /// No legal turn and no check (section 8).
    pub stalemate: Stalemate,
    /// Single turns without a capture that end the game (section 8).
    #[serde(deserialize_with = "capture_turns")]
    pub no_capture_turns: u16,
    /// How such a game counts (section 8).
    pub no_capture_result: NoCaptureResult,
    /// Single turns from the start position that end the game (section 8).
    #[serde(deserialize_with = "game_turns")]
    pub max_turns: u16,
    /// How such a game counts (section 8).
    pub adjudicate: Adjudicate,
    /// Battle bonus of score sheets (section 8).
    pub bonus: Bonus,
    /// A navy on dry land in a written position (section 1).
    pub navy_ashore: NavyAshore,
    /// Ranks of free set-ups (section 9).
    pub free_zone: FreeZone,
    /// Stacks of free set-ups (section 9).
    pub free_stacks: FreeStacks,
}
