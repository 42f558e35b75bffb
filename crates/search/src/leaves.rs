//! Several leaves of one tree at once, for callers that have a single game and want full batches.
//!
//! While a leaf waits for its answer, the nodes above it count a *virtual visit*: choices see the visit, means do
//! not, and nobody takes the same leaf again. In a Gumbel search the walks of a round go to different steps of
//! the root anyway, and before each halving all answers are waited for.

use crate::arena::ROOT;
use crate::search::{Phase, Search};
use game::{Game, Player};
use std::mem;

/// A leaf that waits for its answer.
#[derive(Debug)]
pub(crate) struct WaitingLeaf<S> {
    /// Nodes from the root to the parent of the leaf.
    path: Vec<u32>,
    /// The step behind the last of them.
    pub order: u32,
    /// Legal steps of the leaf.
    steps: Vec<S>,
    mover: Player,
}

impl<G: Game> Search<G> {
    /// Like [`Search::gather`], for up to `most` leaves: hands each to `see` with its legal steps, and returns
    /// how many there were; 0 when the search is done. All of them are to be answered by [`Search::apply`] in the
    /// same order before the search is asked for anything else.
    ///
    /// With `most` = 1 the tree is the same as with [`Search::gather`]; with more it differs a little, since later
    /// walks of a batch do not know the answers of earlier ones.
    pub fn gather_batch(
        &mut self,
        game: &G,
        most: usize,
        mut see: impl FnMut(&G::Position, &[G::Step]),
    ) -> usize {
        debug_assert!(self.waiting.is_empty(), "answers come before the next batch");
        while self.phase == Phase::Simulations && self.waiting.len() < most.max(1) {
            let waiting = self.waiting.len();
            let proven = !self.arena.node(ROOT).proof.is_open();
            if proven || self.is_full() || self.root.done + waiting as u32 == self.root.budget {
                if waiting == 0 {
                    self.phase = Phase::Finished;
                }
                break;
            }
            if waiting > 0 && self.root.needs_answers(&self.config) {
                break;
            }
            let halving = self.root.halving;
            if !self.simulate(game) {
                // Nothing but waiting leaves there: the walk is made again after their answers.
                self.root.halving = halving;
                break;
            }
            if let Phase::Leaf { order } = self.phase {
                if most <= 1 {
                    break;
                }
                self.wait(order, &mut see);
            }
        }
        match self.phase {
            Phase::Root | Phase::Leaf { .. } => {
                let (position, steps) = self.leaf();
                see(position, steps);
                1
            }
            Phase::Idle | Phase::Simulations | Phase::Finished => self.waiting.len(),
        }
    }

    /// Lets the leaf that has just been found wait.
    fn wait(&mut self, order: u32, see: &mut impl FnMut(&G::Position, &[G::Step])) {
        let (position, steps) = self.leaf();
        see(position, steps);
        self.arena.reserve(&self.path, order);
        self.waiting.push_back(WaitingLeaf {
            path: mem::take(&mut self.path),
            order,
            steps: mem::take(&mut self.steps),
            mover: self.leaf_mover,
        });
        self.phase = Phase::Simulations;
    }

    /// Makes the leaf that has waited longest the one that is answered; the step that leads to it.
    pub(crate) fn next_waiting(&mut self) -> Option<u32> {
        let leaf = self.waiting.pop_front()?;
        self.arena.release(&leaf.path, leaf.order);
        (self.path, self.steps, self.leaf_mover) = (leaf.path, leaf.steps, leaf.mover);
        Some(leaf.order)
    }

    /// Forgets all leaves that wait.
    pub(crate) fn forget_waiting(&mut self) {
        while self.next_waiting().is_some() {}
    }
}
