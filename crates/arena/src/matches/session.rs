//! Matches for programs that know a game by name only.

use super::{Contestant, MatchError, MatchPlan, OwnStarts, Starts, Watch};
use game::BoardGame;
use pairs::Pair;
use std::collections::BTreeMap;

/// A game that can play matches; every game is one.
pub trait MatchSession {
    /// Checks the text of a file of starts; how many different positions they are, or `None` where some
    /// are drawn. Without a text there is one, the game's own start.
    ///
    /// # Errors
    /// See [`Starts::read`].
    fn different_starts(&self, starts: Option<&str>) -> Result<Option<u64>, MatchError>;

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

    /// Plays pairs, by their numbers, whose games have starts of their own (see [`Starts::own`]); the pairs
    /// of `plan` do not count. A game that cannot begin is [`PlayedGame::void`](pairs::PlayedGame::void).
    fn play_own_starts(
        &self,
        contestants: &[Contestant; 2],
        starts: &BTreeMap<u64, OwnStarts>,
        plan: &MatchPlan,
        watch: &dyn Watch,
    ) -> Result<Vec<Pair>, MatchError>;
}

impl<G: BoardGame> MatchSession for G {
    fn different_starts(&self, starts: Option<&str>) -> Result<Option<u64>, MatchError> {
        Ok(read(self, starts)?.different(self))
    }

    fn play_match(
        &self,
        contestants: &[Contestant; 2],
        starts: Option<&str>,
        plan: &MatchPlan,
        earlier: Vec<Pair>,
        watch: &dyn Watch,
    ) -> Result<Vec<Pair>, MatchError> {
        super::run(self, contestants, &read(self, starts)?, plan, earlier, watch)
    }

    fn play_own_starts(
        &self,
        contestants: &[Contestant; 2],
        starts: &BTreeMap<u64, OwnStarts>,
        plan: &MatchPlan,
        watch: &dyn Watch,
    ) -> Result<Vec<Pair>, MatchError> {
        super::run(self, contestants, &Starts::own(self, starts)?, plan, Vec::new(), watch)
    }
}

fn read<G: BoardGame>(game: &G, starts: Option<&str>) -> Result<Starts<G>, MatchError> {
    match starts {
        Some(text) => Starts::read(game, text),
        None => Ok(Starts::standard(game)),
    }
}
