//! What a network may learn besides policy and value, so that its trunk sees more of the game.
//!
//! None of it is used in play: the heads exist only while a network is trained.

use crate::searched_policy::SearchedPolicy;
use game::{BoardGame, NO_CELL, Owner};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Something that a network learns on the side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AuxiliaryHead {
    /// How many turns the game still had, the one under way included.
    TurnsLeft,
    /// The policy of the other side's next search (Wu 2020, "Accelerating Self-Play Learning in Go",
    /// section 4.1).
    Reply,
    /// Whose piece stands on each square at the end of the game (the same paper, section 4.2): which
    /// pieces survive, and where.
    Owners,
}

impl AuxiliaryHead {
    /// All heads.
    pub const ALL: [AuxiliaryHead; 3] =
        [AuxiliaryHead::TurnsLeft, AuxiliaryHead::Reply, AuxiliaryHead::Owners];

    /// The word for it in configs and files.
    pub const fn word(self) -> &'static str {
        match self {
            AuxiliaryHead::TurnsLeft => "turns-left",
            AuxiliaryHead::Reply => "reply",
            AuxiliaryHead::Owners => "owners",
        }
    }
}

/// What the auxiliary heads are to learn from the rows of a batch. A list is empty where nobody asked
/// for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AuxiliaryTargets {
    /// [`turns_left_target`] of each row, `[rows]`.
    pub turns_left: Vec<f32>,
    /// End of each row in the list of all steps of replies, `[rows]`, never falling. A row without a
    /// reply has no steps.
    pub reply_ends: Vec<u32>,
    /// Policy cells of the legal steps of the reply, on the squares where the row's side to move sees
    /// them, `[steps, cells_per_step]`, padded with [`NO_CELL`].
    pub reply_cells: Vec<u32>,
    /// Target probability of each step, `[steps]`.
    pub reply: Vec<f32>,
    /// Number of the [`Owner`] of each square at the end, as the row's side to move sees it,
    /// `[rows, squares]`.
    pub owners: Vec<u8>,
}

impl AuxiliaryTargets {
    /// Forgets all rows, keeping the memory.
    pub fn clear(&mut self) {
        self.turns_left.clear();
        self.reply_ends.clear();
        self.reply_cells.clear();
        self.reply.clear();
        self.owners.clear();
    }

    /// Where the steps of a row's reply stand in the list of all of them.
    pub fn reply_range(&self, row: usize) -> Range<usize> {
        let start = if row == 0 { 0 } else { self.reply_ends[row - 1] as usize };
        start..self.reply_ends[row] as usize
    }

    /// Adds the row of a game that still had so many turns.
    pub(crate) fn push_turns_left(&mut self, turns: u32) {
        self.turns_left.push(turns_left_target(turns));
    }

    /// Adds a row: the policy of the other side's search at `reply`, under a symmetry.
    pub(crate) fn push_reply<G: BoardGame>(
        &mut self,
        game: &G,
        reply: Option<SearchedPolicy<'_, G::Position>>,
        symmetry: usize,
        steps: &mut Vec<G::Step>,
    ) {
        if let Some(searched) = reply {
            let shape = game.policy_shape();
            let start = self.reply_cells.len();
            let transformed = game.transform(searched.position, symmetry);
            searched.write(game, &transformed, symmetry, steps, &mut self.reply_cells, &mut self.reply);
            for cell in self.reply_cells[start..].iter_mut().filter(|cell| **cell != NO_CELL) {
                let (square, plane) = (*cell as usize / shape.planes, *cell as usize % shape.planes);
                *cell = shape.cell(game.other_view(square), plane);
            }
        }
        self.reply_ends.push(self.reply.len() as u32);
    }

    /// Adds a row: who owns the squares of `end`, as the side to move at `position` sees them.
    pub(crate) fn push_owners<G: BoardGame>(
        &mut self,
        game: &G,
        position: &G::Position,
        end: &G::Position,
        symmetry: usize,
    ) {
        let mut owners = vec![Owner::Nobody; game.policy_shape().squares];
        game.owners(&game.transform(end, symmetry), game.mover(position), &mut owners);
        self.owners.extend(owners.iter().map(|owner| owner.index() as u8));
    }
}

/// What the head for the turns left learns: ln(1 + turns), so that far ends need not be told exactly.
pub fn turns_left_target(turns: u32) -> f32 {
    (turns as f32).ln_1p()
}
