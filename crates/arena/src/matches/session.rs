//! Matches for programs that know a game by name only.

use super::{Contestant, MatchError, MatchPlan, PairResult, Starts, Watch};
use game::BoardGame;

/// A game that can play matches; every game is one.
pub trait MatchSession {
    /// Plays a match (see [`run`](super::run)). `starts` is the text of a file of start positions (see
    /// [`Starts::read`]); `None` stands for the game's own start.
    fn play_match(
        &self,
        contestants: &[Contestant; 2],
        starts: Option<&str>,
        plan: &MatchPlan,
        watch: &dyn Watch,
    ) -> Result<Vec<PairResult>, MatchError>;
}

impl<G: BoardGame> MatchSession for G {
    fn play_match(
        &self,
        contestants: &[Contestant; 2],
        starts: Option<&str>,
        plan: &MatchPlan,
        watch: &dyn Watch,
    ) -> Result<Vec<PairResult>, MatchError> {
        let starts = match starts {
            Some(text) => Starts::read(self, text)?,
            None => Starts::standard(self),
        };
        super::run(self, contestants, &starts, plan, watch)
    }
}
