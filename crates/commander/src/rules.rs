//! The rule options, their values, and the three presets.
//!
//! Every key and every value is a word of the rules page (`docs/rules/commander-chess.md`,
//! sections 2 to 9 and 11). Defaults are the preset `official`.

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
    /// Which side moves first from the standard start.
    FirstPlayer {
        /// Red.
        Red,
        /// Blue.
        Blue,
    }
}
choice! {
    /// What stops a ship on its way.
    NavyMoveBlock {
        /// Enemy pieces block, own pieces do not.
        Enemy,
        /// Any navy blocks, other pieces do not.
        Navies,
    }
}
choice! {
    /// What a torpedo passes.
    TorpedoJumps {
        /// Own pieces only.
        Own,
        /// All pieces.
        All,
    }
}
choice! {
    /// What a navy does after capturing on a navigable point that it cannot reach by water.
    NavyCaptureAcrossLand {
        /// It stays.
        Stay,
        /// It replaces.
        Replace,
    }
}
choice! {
    /// When an air force may bomb and return although it could land.
    AirReturn {
        /// Always.
        Free,
        /// Only where an enemy piece could take the landing point by one step.
        OnlyIfUnsafe,
    }
}
choice! {
    /// Which air-defence zones allow a crash.
    AirZones {
        /// Every zone entered before the target must cover the target.
        Share,
        /// The zones of two defenders on the way or at the target forbid it.
        TwoBlock,
    }
}
choice! {
    /// Whether a headquarters protects the commander in it.
    HqShield {
        /// Only air force and navy (and perhaps artillery) attack it; others may breach.
        On,
        /// No protection.
        Off,
    }
}
choice! {
    /// What artillery does to a commander in its headquarters under the shield. The written rules
    /// count artillery among the attackers, the reference cases do not.
    HqArtillery {
        /// It does not attack, it may breach, like land pieces.
        Breaches,
        /// It attacks, like air force and navy.
        Attacks,
    }
}
choice! {
    /// Which stacks are legal.
    StackCaps {
        /// Slots: a place for an air force, one for a tank, one for a person.
        Slots,
        /// The encyclopaedia's capacities.
        Wiki,
        /// The booklet's capacities.
        Official,
    }
}
choice! {
    /// Whether a member of a splitting stack may bomb and return.
    SplitBomb {
        /// As for a whole stack.
        Allowed,
        /// Only where landing is impossible.
        NoLanding,
    }
}
choice! {
    /// Where an engineer may carry a heavy piece.
    EngineerCarry {
        /// Only across the river.
        River,
        /// Anywhere.
        Anywhere,
    }
}
choice! {
    /// Whether an air force may drop passengers and return.
    AirDrop {
        /// On empty points.
        OnEmpty,
        /// Never.
        Off,
    }
}
choice! {
    /// The second action of a navy that has fired its gun.
    NavyDouble {
        /// A torpedo.
        TorpedoGun,
        /// Any ship move, join or torpedo capture.
        MoveGun,
        /// None.
        Off,
    }
}
choice! {
    /// When attackers of the enemy commander become heroes.
    HeroTiming {
        /// At the end of the turn.
        Turn,
        /// After every step as well.
        Step,
    }
}
choice! {
    /// Range of heroes on diagonals.
    HeroDiagonals {
        /// The same as straight (missile: 2).
        Full,
        /// Infantry, engineer, militia and anti-air: 1.
        Wiki,
    }
}
choice! {
    /// When the last piece beside the commander becomes a hero.
    LastGuard {
        /// Headquarters count as pieces.
        WithHq,
        /// Headquarters do not count.
        WithoutHq,
        /// Never.
        Off,
    }
}
choice! {
    /// The result when one turn makes both sides lose.
    Simultaneous {
        /// A draw.
        Draw,
        /// The side that made the turn wins.
        MoverWins,
    }
}
choice! {
    /// When a commander left without pieces loses.
    BareCommanderLoses {
        /// Without any other piece.
        Alone,
        /// Without any piece but headquarters.
        Troops,
        /// Never.
        Off,
    }
}
choice! {
    /// What a side without a legal turn and not in check gets.
    Stalemate {
        /// A draw.
        Draw,
        /// A loss.
        Loss,
    }
}
choice! {
    /// The result after `no_capture_turns`.
    NoCaptureResult {
        /// The larger sum of captured points wins.
        Points,
        /// A draw.
        Draw,
    }
}
choice! {
    /// The result after `max_turns`.
    Adjudicate {
        /// The larger sum of captured points wins.
        Points,
        /// A draw.
        Draw,
        /// No result.
        Truncate,
    }
}
choice! {
    /// The battle bonus of score sheets; it never decides a game.
    Bonus {
        /// 100 for navy, air force or land forces, 200 for the commander.
        Classic,
        /// 50.
        Revised,
    }
}
choice! {
    /// Whether a written position may have a navy on dry land.
    NavyAshore {
        /// It may: the rules answer such positions, and reference cases contain one. It is still
        /// named beside other faults.
        Accept,
        /// It is a fault like any other.
        Refuse,
    }
}
choice! {
    /// Ranks that free set-ups may use.
    FreeZone {
        /// The own half.
        Half,
        /// The own five outer ranks.
        FiveRanks,
    }
}
choice! {
    /// Stacks that free set-ups may use.
    FreeStacks {
        /// Only the commander in a headquarters.
        Hq,
        /// None.
        None,
        /// Any legal stack.
        Any,
    }
}

/// A set of the battles that win the game: `win_set`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WinSet {
    /// Losing the last navy loses.
    pub marine: bool,
    /// Losing the last air force loses.
    pub air: bool,
    /// Losing the last tank, infantry and artillery loses.
    pub land: bool,
}

impl WinSet {
    /// All three.
    pub const ALL: WinSet = WinSet { marine: true, air: true, land: true };
    /// None: only the commander counts.
    pub const COMMANDER: WinSet = WinSet { marine: false, air: false, land: false };
}

impl Serialize for WinSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let words = [(self.marine, "marine"), (self.air, "air"), (self.land, "land")];
        serializer.collect_seq(words.iter().filter(|(in_set, _)| *in_set).map(|(_, word)| word))
    }
}

impl<'de> Deserialize<'de> for WinSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "a list out of marine, air, land, or the word commander")]
        enum Form {
            Word(String),
            List(Vec<String>),
        }
        let words: Vec<String> = match Form::deserialize(deserializer)? {
            Form::List(words) => words,
            Form::Word(text) => {
                text.split(',').map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect()
            }
        };
        let mut set = WinSet::COMMANDER;
        for word in &words {
            let place = match word.as_str() {
                "marine" => &mut set.marine,
                "air" => &mut set.air,
                "land" => &mut set.land,
                "commander" if words.len() == 1 => return Ok(set),
                "commander" => {
                    return Err(D::Error::custom("win_set: `commander` stands alone, without other words"));
                }
                other => {
                    return Err(D::Error::custom(format!(
                        "win_set: unknown word `{other}`, expected marine, air, land or commander alone"
                    )));
                }
            };
            if *place {
                return Err(D::Error::custom(format!("win_set: `{word}` stands twice")));
            }
            *place = true;
        }
        Ok(set)
    }
}

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

impl Default for Rules {
    fn default() -> Rules {
        Rules::official()
    }
}

impl Rules {
    /// Names of the presets, the default first.
    pub const PRESETS: [&'static str; 3] = ["official", "core", "wiki"];

    /// The preset `official`: all defaults.
    pub const fn official() -> Rules {
        Rules {
            first_player: FirstPlayer::Red,
            missile_capture_jumps: false,
            navy_move_block: NavyMoveBlock::Enemy,
            torpedo_jumps: TorpedoJumps::Own,
            navy_capture_across_land: NavyCaptureAcrossLand::Stay,
            air_return: AirReturn::Free,
            air_zones: AirZones::Share,
            hero_zone_bonus: 1,
            carried_defends: false,
            carried_commander_exempt: true,
            hq_shield: HqShield::On,
            hq_artillery: HqArtillery::Breaches,
            stack_caps: StackCaps::Official,
            board_at_sea: true,
            split_bomb: SplitBomb::Allowed,
            engineer_carry: EngineerCarry::River,
            air_drop: AirDrop::OnEmpty,
            navy_double: NavyDouble::TorpedoGun,
            hero_timing: HeroTiming::Turn,
            hero_diagonals: HeroDiagonals::Full,
            last_guard: LastGuard::WithHq,
            hero_hq_range: 2,
            win_set: WinSet::ALL,
            simultaneous: Simultaneous::Draw,
            bare_commander_loses: BareCommanderLoses::Alone,
            stalemate: Stalemate::Draw,
            no_capture_turns: 100,
            no_capture_result: NoCaptureResult::Points,
            max_turns: 400,
            adjudicate: Adjudicate::Points,
            bonus: Bonus::Classic,
            navy_ashore: NavyAshore::Accept,
            free_zone: FreeZone::Half,
            free_stacks: FreeStacks::Hq,
        }
    }

    /// The preset `core`: the rules of the engine that the case files were compared with.
    pub const fn core() -> Rules {
        Rules {
            missile_capture_jumps: true,
            navy_move_block: NavyMoveBlock::Navies,
            torpedo_jumps: TorpedoJumps::All,
            navy_capture_across_land: NavyCaptureAcrossLand::Replace,
            air_zones: AirZones::TwoBlock,
            carried_commander_exempt: false,
            hq_shield: HqShield::Off,
            stack_caps: StackCaps::Slots,
            board_at_sea: false,
            split_bomb: SplitBomb::NoLanding,
            engineer_carry: EngineerCarry::Anywhere,
            air_drop: AirDrop::Off,
            navy_double: NavyDouble::Off,
            hero_timing: HeroTiming::Step,
            hero_hq_range: 1,
            win_set: WinSet::COMMANDER,
            bare_commander_loses: BareCommanderLoses::Off,
            no_capture_result: NoCaptureResult::Draw,
            ..Rules::official()
        }
    }

    /// The preset `wiki`: the encyclopaedia's readings.
    pub const fn wiki() -> Rules {
        Rules {
            stack_caps: StackCaps::Wiki,
            navy_double: NavyDouble::MoveGun,
            hero_diagonals: HeroDiagonals::Wiki,
            hero_zone_bonus: 0,
            ..Rules::official()
        }
    }

    /// The preset of that name.
    pub fn preset(name: &str) -> Option<Rules> {
        match name {
            "official" => Some(Rules::official()),
            "core" => Some(Rules::core()),
            "wiki" => Some(Rules::wiki()),
            _ => None,
        }
    }
}
