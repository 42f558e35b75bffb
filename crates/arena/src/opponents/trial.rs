//! Playing steps and taking them back, for opponents that look ahead.

use game::{Game, Outcome, Play, Player};
use rand::Rng;
use std::ops::ControlFlow;

/// A play of one's own on which steps are tried and taken back.
pub(super) struct Trial<G: Game> {
    play: Play<G>,
}

/// A point that a [`Trial`] can go back to.
pub(super) struct Bookmark<P> {
    position: P,
    turns: usize,
}

impl<G: Game> Trial<G> {
    pub(super) fn new(game: &G) -> Trial<G> {
        Trial { play: Play::new(game, game.start()) }
    }

    pub(super) fn begin(&mut self, play: &Play<G>) {
        self.play.copy_from(play);
    }

    pub(super) fn position(&self) -> &G::Position {
        &self.play.position
    }

    pub(super) fn step(&mut self, game: &G, step: G::Step) {
        self.play.step(game, step);
    }

    pub(super) fn outcome(&self, game: &G) -> Option<Outcome> {
        self.play.outcome(game)
    }

    pub(super) fn random_step<R: Rng>(
        &self,
        game: &G,
        random: &mut R,
        scratch: &mut Vec<G::Step>,
    ) -> ControlFlow<Option<Outcome>, G::Step> {
        self.play.random_step(game, random, scratch)
    }

    pub(super) fn bookmark(&self) -> Bookmark<G::Position> {
        Bookmark { position: self.play.position, turns: self.play.line.len() }
    }

    pub(super) fn back_to(&mut self, bookmark: &Bookmark<G::Position>) {
        self.play.position = bookmark.position;
        self.play.line.truncate(bookmark.turns);
    }
}

/// Points that `player` captured minus points that it lost.
#[inline]
pub(super) fn margin<G: Game>(game: &G, position: &G::Position, player: Player) -> i32 {
    let points = game.points(position);
    points[player.index()] - points[player.opponent().index()]
}
