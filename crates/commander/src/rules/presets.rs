//! The presets.

use super::{
    Adjudicate, AirDrop, AirReturn, AirZones, BareCommanderLoses, Bonus, EngineerCarry, FirstPlayer,
    FreeStacks, FreeZone, HeroDiagonals, HeroTiming, HqArtillery, HqShield, LastGuard, NavyAshore,
    NavyCaptureAcrossLand, NavyDouble, NavyMoveBlock, NoCaptureResult, Rules, SetUp, Simultaneous, SplitBomb,
    StackCaps, Stalemate, TorpedoJumps, WinSet,
};

impl Default for Rules {
    fn default() -> Rules {
        Rules::official()
    }
}

impl Rules {
    /// Names of the presets, the default first.
    pub const PRESETS: [&'static str; 4] = ["official", "core", "wiki", "skirmish"];

    /// The preset `official`: all defaults.
    pub const fn official() -> Rules {
        Rules {
            set_up: SetUp::Standard,
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

    /// The preset `skirmish`: nine pieces a side, who fight for navies and air forces.
    pub const fn skirmish() -> Rules {
        Rules { set_up: SetUp::Skirmish, win_set: WinSet { land: false, ..WinSet::ALL }, ..Rules::official() }
    }

    /// The preset of that name.
    pub fn preset(name: &str) -> Option<Rules> {
        match name {
            "official" => Some(Rules::official()),
            "core" => Some(Rules::core()),
            "wiki" => Some(Rules::wiki()),
            "skirmish" => Some(Rules::skirmish()),
            _ => None,
        }
    }
}
