//! How long an engine thinks.

use std::time::Duration;

/// What is asked of an engine for one turn in a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// So many nodes, as the engine counts them.
    Nodes(u64),
    /// So much time.
    Time(Duration),
}

/// What a `go` says. Without anything the engine thinks as long as its options say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Think until told to stop.
    pub infinite: bool,
    /// Turns to look ahead.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Time for this turn.
    pub turn_time: Option<Duration>,
    /// Time for the game, of the side to move.
    pub own: Option<Clocks>,
    /// Time for the game, by colour: of the first and the second player.
    pub by_colour: [Option<Clocks>; 2],
    /// Turns until the next time control.
    pub turns_to_go: Option<u32>,
}

/// A player's time for the rest of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clocks {
    /// What is left.
    pub left: Duration,
    /// What every turn adds.
    pub increment: Duration,
}

/// Turns that the rest of a game is taken to last where nothing is said.
const TURNS_AHEAD: u32 = 30;

/// What is kept back for everything that is not thinking: the protocol, the program around it.
const RESERVE: Duration = Duration::from_millis(50);

impl Limits {
    /// The time for this turn, where time limits it: as said for the turn, or a fair share of the clock.
    /// `first` says that the first player is to move.
    pub fn time(&self, first: bool) -> Option<Duration> {
        if let Some(time) = self.turn_time {
            return Some(time);
        }
        let Clocks { left, increment } = self.own.or(self.by_colour[usize::from(!first)])?;
        let turns = self.turns_to_go.unwrap_or(TURNS_AHEAD).clamp(1, TURNS_AHEAD);
        let most = left.saturating_sub(RESERVE).max(Duration::from_millis(1));
        // Half of an increment stays on the clock, so that it never runs dry.
        Some((left / turns + increment / 2).min(most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_shared_out_over_the_turns_to_come() {
        let seconds = Duration::from_secs;
        let mut limits = Limits::default();
        assert_eq!(limits.time(true), None);
        limits.by_colour = [
            Some(Clocks { left: seconds(60), increment: seconds(2) }),
            Some(Clocks { left: seconds(30), increment: seconds(0) }),
        ];
        assert_eq!(limits.time(true), Some(seconds(3)));
        assert_eq!(limits.time(false), Some(seconds(1)));
        limits.turns_to_go = Some(1);
        assert_eq!(limits.time(false), Some(seconds(30) - RESERVE));
        limits.own = Some(Clocks { left: Duration::from_millis(20), increment: seconds(5) });
        assert_eq!(limits.time(true), Some(Duration::from_millis(1)));
        limits.turn_time = Some(seconds(9));
        assert_eq!(limits.time(true), Some(seconds(9)));
    }
}
