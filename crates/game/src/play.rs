//! A game under way: a position and the line that led to it.

use crate::{Game, Line, LineEntry, Outcome};
use rand::Rng;
use std::ops::ControlFlow;

/// A position together with the line of finished turns that led to it. The one place where turns
/// are entered on a line, so that play and search cannot disagree about repetition.
#[derive(Debug)]
pub struct Play<G: Game> {
    /// The position.
    pub position: G::Position,
    /// The line; its last entry is the last position between turns.
    pub line: Line<G::Mark>,
}

impl<G: Game> Clone for Play<G> {
    fn clone(&self) -> Self {
        Play { position: self.position, line: self.line.clone() }
    }
}

impl<G: Game> Play<G> {
    /// A game that starts at `position`. A position in the middle of a turn gets an empty line: the
    /// position before the turn is not known.
    pub fn new(game: &G, position: G::Position) -> Play<G> {
        let mut line = Line::new();
        if !game.mid_turn(&position) {
            line.push(entry(game, &position));
        }
        Play { position, line }
    }

    /// Plays a legal step and enters a finished turn on the line.
    #[inline]
    pub fn step(&mut self, game: &G, step: G::Step) {
        game.play(&mut self.position, step);
        if !game.mid_turn(&self.position) {
            self.line.push(entry(game, &self.position));
        }
    }

    /// The end of the game, if it has ended.
    #[inline]
    pub fn outcome(&self, game: &G) -> Option<Outcome> {
        game.outcome(&self.position, &self.line)
    }

    /// A uniformly random legal step, or the end of the game: [`Game::random_step`].
    #[inline]
    pub fn random_step<R: Rng>(
        &self,
        game: &G,
        random: &mut R,
        scratch: &mut Vec<G::Step>,
    ) -> ControlFlow<Option<Outcome>, G::Step> {
        game.random_step(&self.position, &self.line, random, scratch)
    }

    /// Makes this a copy of `other`, keeping the line's allocation.
    #[inline]
    pub fn copy_from(&mut self, other: &Play<G>) {
        self.position = other.position;
        self.line.copy_from(&other.line);
    }
}

#[inline]
fn entry<G: Game>(game: &G, position: &G::Position) -> LineEntry<G::Mark> {
    LineEntry {
        key: game.repetition_key(position),
        mark: game.mark(position),
        irreversible: game.irreversible(position),
    }
}
