//! What search asks of a network: batches of planes in, logits of legal steps and values out.

use game::{Encoding, OfMover, PlaneShape, PlanesMut, PolicyShape, Wdl};

/// Something that judges batches of positions: a network, or a small deterministic stand-in.
///
/// Not generic over games: it sees planes and policy cells only. One evaluator belongs to one
/// worker thread.
pub trait Evaluator: Send {
    /// Shape of the planes it reads.
    fn plane_shape(&self) -> PlaneShape;

    /// Shape of the policy it answers with.
    fn policy_shape(&self) -> PolicyShape;

    /// Fills in the answers of all rows of the batch. On an error the answers are unspecified.
    fn evaluate(&mut self, batch: &mut Batch) -> Result<(), EvaluatorError>;
}

/// Why a batch could not be judged.
#[derive(Debug, thiserror::Error)]
pub enum EvaluatorError {
    /// The batch was made for other shapes.
    #[error("the batch has planes {batch:?}, the evaluator reads {evaluator:?}")]
    Shape {
        /// Shape of the batch.
        batch: PlaneShape,
        /// Shape of the evaluator.
        evaluator: PlaneShape,
    },
    /// The network answered with something that is not a finite number.
    #[error("row {row} of the batch was answered with a number that is not finite")]
    NotFinite {
        /// Index of the row.
        row: usize,
    },
    /// The same, found by a worker that knows what stood in the row.
    #[error("game {game}, step {step}: the network answered with a number that is not finite")]
    NotFiniteAt {
        /// Number of the game.
        game: u64,
        /// The step that was to be played, from 1; its search had asked.
        step: u64,
    },
    /// The library underneath failed.
    #[error("{0}")]
    Backend(String),
}

/// What an evaluator says of one position, beside the logits of its steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Judgement {
    /// Win, draw, loss for the side to move.
    pub wdl: OfMover<Wdl>,
    /// Expected points margin in margin units squashed by `tanh`, in [−1, 1]
    /// (see [`Encoding::margin_unit`]); 0 from evaluators without a margin head.
    pub margin: OfMover<f32>,
}

/// Positions waiting for an evaluator, and its answers.
///
/// Rows are kept in compressed form: all planes one after the other, and the policy cells of the
/// legal steps of all rows one after the other with the end of each row.
#[derive(Clone, Debug)]
pub struct Batch {
    plane_shape: PlaneShape,
    policy_shape: PolicyShape,
    /// Never shrinks: what stands behind the last row is old, and every row is written whole.
    planes: Vec<f32>,
    step_ends: Vec<u32>,
    cells: Vec<u32>,
    logits: Vec<f32>,
    judgements: Vec<Judgement>,
}

impl Batch {
    /// An empty batch with room for `capacity` rows.
    pub fn new(plane_shape: PlaneShape, policy_shape: PolicyShape, capacity: usize) -> Batch {
        Batch {
            plane_shape,
            policy_shape,
            planes: vec![0.0; capacity * plane_shape.len()],
            step_ends: Vec::with_capacity(capacity),
            cells: Vec::new(),
            logits: Vec::new(),
            judgements: Vec::with_capacity(capacity),
        }
    }

    /// An empty batch for a game.
    pub fn for_game<G: Encoding>(game: &G, capacity: usize) -> Batch {
        Batch::new(game.plane_shape(), game.policy_shape(), capacity)
    }

    /// Forgets all rows, keeping the memory.
    pub fn clear(&mut self) {
        self.step_ends.clear();
        self.cells.clear();
        self.logits.clear();
        self.judgements.clear();
    }

    /// Adds a position with its legal steps and returns the index of its row.
    pub fn push<G: Encoding>(&mut self, game: &G, position: &G::Position, steps: &[G::Step]) -> usize {
        let row = self.len();
        let shape = self.plane_shape;
        game.write_planes(position, &mut PlanesMut::new(shape, self.next_planes()));
        let width = self.policy_shape.cells_per_step;
        let start = self.cells.len();
        self.cells.resize(start + steps.len() * width, game::NO_CELL);
        for (&step, cells) in steps.iter().zip(self.cells[start..].chunks_exact_mut(width)) {
            game.policy_cells(position, step, cells);
        }
        self.logits.resize(self.logits.len() + steps.len(), 0.0);
        self.step_ends.push(self.logits.len() as u32);
        self.judgements.push(Judgement::default());
        row
    }

    /// Adds a position given as numbers, for callers that have no game at hand, and returns the index
    /// of its row.
    ///
    /// # Panics
    /// If `planes` does not fit the plane shape or `cells` is no whole number of steps.
    pub fn push_numbers(&mut self, planes: &[f32], cells: &[u32]) -> usize {
        let width = self.policy_shape.cells_per_step;
        assert_eq!(planes.len(), self.plane_shape.len(), "planes do not fit the plane shape");
        assert_eq!(cells.len() % width, 0, "cells do not fit the policy shape");
        let row = self.len();
        self.next_planes().copy_from_slice(planes);
        self.cells.extend_from_slice(cells);
        self.logits.resize(self.logits.len() + cells.len() / width, 0.0);
        self.step_ends.push(self.logits.len() as u32);
        self.judgements.push(Judgement::default());
        row
    }

    /// Adds all rows of another batch of the same shapes, without its answers.
    ///
    /// # Panics
    /// If the shapes differ.
    pub fn append(&mut self, other: &Batch) {
        assert_eq!(self.plane_shape, other.plane_shape, "batches of different planes");
        assert_eq!(self.policy_shape, other.policy_shape, "batches of different policies");
        let start = self.len() * self.plane_shape.len();
        let end = start + other.planes().len();
        if self.planes.len() < end {
            self.planes.resize(end, 0.0);
        }
        self.planes[start..end].copy_from_slice(other.planes());
        self.cells.extend_from_slice(&other.cells);
        let steps = self.logits.len() as u32;
        self.step_ends.extend(other.step_ends.iter().map(|&end| end + steps));
        self.logits.resize(self.logits.len() + other.logits.len(), 0.0);
        self.judgements.resize(self.len(), Judgement::default());
    }

    /// Takes the answers of the rows of `joined` from `start` on, where [`Batch::append`] put this batch.
    pub fn take_answers(&mut self, joined: &Batch, start: usize) {
        let rows = self.len();
        if rows == 0 {
            return;
        }
        let steps = joined.step_range(start).start..joined.step_range(start + rows - 1).end;
        self.logits.copy_from_slice(&joined.logits[steps]);
        self.judgements.copy_from_slice(&joined.judgements[start..start + rows]);
    }

    /// Where the planes of the next row go: behind the last row, which is not where the memory ends.
    fn next_planes(&mut self) -> &mut [f32] {
        let start = self.len() * self.plane_shape.len();
        let end = start + self.plane_shape.len();
        if self.planes.len() < end {
            self.planes.resize(end, 0.0);
        }
        &mut self.planes[start..end]
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.step_ends.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.step_ends.is_empty()
    }

    /// Shape of the planes.
    pub fn plane_shape(&self) -> PlaneShape {
        self.plane_shape
    }

    /// Shape of the policy.
    pub fn policy_shape(&self) -> PolicyShape {
        self.policy_shape
    }

    /// All planes, `[batch, rows, columns, channels]`.
    pub fn planes(&self) -> &[f32] {
        &self.planes[..self.len() * self.plane_shape.len()]
    }

    /// End of each row in the list of all steps, `[batch]`.
    pub fn step_ends(&self) -> &[u32] {
        &self.step_ends
    }

    /// Policy cells, `[steps of all rows, cells_per_step]`, padded with [`game::NO_CELL`].
    pub fn cells(&self) -> &[u32] {
        &self.cells
    }

    /// Where the steps of a row stand in the list of all steps.
    pub fn step_range(&self, row: usize) -> std::ops::Range<usize> {
        let start = if row == 0 { 0 } else { self.step_ends[row - 1] as usize };
        start..self.step_ends[row] as usize
    }

    /// For evaluators: where the answers go, logits of all steps (`[steps of all rows]`) and one
    /// judgement a row (`[batch]`).
    pub fn answers_mut(&mut self) -> (&mut [f32], &mut [Judgement]) {
        (&mut self.logits, &mut self.judgements)
    }

    /// The answers for a row: logits in the order of its steps, and the judgement.
    pub fn answer(&self, row: usize) -> (&[f32], Judgement) {
        (&self.logits[self.step_range(row)], self.judgements[row])
    }
}

/// An evaluator without a network: all logits 0, every position even. Searches with it are pure
/// tree search; tests and simulator benchmarks use it.
#[derive(Clone, Debug)]
pub struct UniformEvaluator {
    plane_shape: PlaneShape,
    policy_shape: PolicyShape,
}

impl UniformEvaluator {
    /// A uniform evaluator for a game.
    pub fn for_game<G: Encoding>(game: &G) -> UniformEvaluator {
        UniformEvaluator { plane_shape: game.plane_shape(), policy_shape: game.policy_shape() }
    }
}

impl Evaluator for UniformEvaluator {
    fn plane_shape(&self) -> PlaneShape {
        self.plane_shape
    }

    fn policy_shape(&self) -> PolicyShape {
        self.policy_shape
    }

    fn evaluate(&mut self, batch: &mut Batch) -> Result<(), EvaluatorError> {
        let (logits, judgements) = batch.answers_mut();
        logits.fill(0.0);
        judgements.fill(Judgement {
            wdl: OfMover(Wdl { win: 1.0 / 3.0, draw: 1.0 / 3.0, loss: 1.0 / 3.0 }),
            margin: OfMover(0.0),
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use connect4::ConnectFour;
    use game::Game;

    /// Rows of a batch that was used before hold nothing of what stood there.
    #[test]
    fn a_cleared_batch_fills_like_a_new_one() {
        let game = ConnectFour::new();
        let (mut position, mut steps) = (game.start(), Vec::new());
        let mut line = Vec::new();
        for index in 0..6 {
            game.legal_steps(&position, &mut steps);
            line.push((position, steps.clone()));
            let step = steps[index % steps.len()];
            game.play(&mut position, step);
        }
        let mut used = Batch::for_game(&game, 2);
        for (position, steps) in line.iter().rev() {
            used.push(&game, position, steps);
        }
        used.clear();
        assert!(used.is_empty() && used.planes().is_empty());
        let mut new = Batch::for_game(&game, 2);
        for (row, (position, steps)) in line[..3].iter().enumerate() {
            assert_eq!(used.push(&game, position, steps), row);
            new.push(&game, position, steps);
        }
        assert_eq!(used.planes().len(), 3 * game.plane_shape().len());
        assert_eq!(used.planes(), new.planes());
        assert_eq!(used.cells(), new.cells());
        assert_eq!(used.step_ends(), new.step_ends());
    }

    #[test]
    fn rows_of_numbers_stand_one_after_the_other_also_in_used_memory() {
        let planes = PlaneShape { channels: 1, rows: 1, columns: 2 };
        let policy = PolicyShape { squares: 2, planes: 1, cells_per_step: 1 };
        // Room for three rows, then used and cleared: memory beyond the rows must not show.
        let mut batch = Batch::new(planes, policy, 3);
        for offset in [0.0, 10.0] {
            batch.clear();
            assert_eq!(batch.push_numbers(&[offset + 1.0, offset + 2.0], &[0]), 0);
            assert_eq!(batch.push_numbers(&[offset + 3.0, offset + 4.0], &[1, 0]), 1);
            assert_eq!(batch.planes(), [offset + 1.0, offset + 2.0, offset + 3.0, offset + 4.0]);
            assert_eq!(batch.step_range(1), 1..3);
        }
    }
}
