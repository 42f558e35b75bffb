//! Matches for programs that know a game by name only.

use super::{Contestant, MatchError, MatchPlan, Starts, Watch};
use game::BoardGame;
use pairs::Pair;

/// A game that can play matches; every game is one.
pub trait MatchSession {
    /// Plays what is missing of a match (see [`run`](super::run)); `earlier` are the pairs that have been
    /// played before. `starts` is the text of a file of starts (see
    /// [`Starts::read`]); `None` stands for the game's own start.
    fn play_match(
        &self,
        contestants: &[Contestant; 2],
        starts: Option<&str>,
        plan: &MatchPlan,
        earlier: Vec<Pair>,
        watch: &dyn Watch,
    ) -> Result<Vec<Pair>, MatchError>;
}

impl<G: BoardGame> MatchSession for G {
    fn play_match(
        &self,
        contestants: &[Contestant; 2],
        starts: Option<&str>,
        plan: &MatchPlan,
        earlier: Vec<Pair>,
        watch: &dyn Watch,
    ) -> Result<Vec<Pair>, MatchError> {
        let starts = match starts {
            Some(text) => Starts::read(self, text)?,
            None => Starts::standard(self),
        };
        super::run(self, contestants, &starts, plan, earlier, watch)
    }
}
