//! The options whose values are words, and their values.

use serde::{Deserialize, Serialize};

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
    /// What the standard start is.
    SetUp {
        /// All 19 pieces a side.
        Standard,
        /// Nine pieces a side, without commanders.
        Skirmish,
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
