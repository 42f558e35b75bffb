//! The policy of a recorded search as rows of a batch.

use game::{BoardGame, NO_CELL, StepCode};

/// A searched position and the policy that the search found.
#[derive(Clone, Copy)]
pub(crate) struct SearchedPolicy<'a, P> {
    pub position: &'a P,
    /// Weights of legal steps; steps without weight are left out.
    pub policy: &'a [(StepCode, u16)],
}

impl<P> SearchedPolicy<'_, P> {
    /// Adds the policy cells and the target probability of each legal step to the ends of `cells` and `targets`,
    /// under a symmetry; `transformed` is the position under it. `steps` is working memory.
    pub(crate) fn write<G: BoardGame<Position = P>>(
        &self,
        game: &G,
        transformed: &P,
        symmetry: usize,
        steps: &mut Vec<G::Step>,
        cells: &mut Vec<u32>,
        targets: &mut Vec<f32>,
    ) {
        game.legal_steps(self.position, steps);
        let width = game.policy_shape().cells_per_step;
        let start = cells.len();
        cells.resize(start + steps.len() * width, NO_CELL);
        let total: f32 = self.policy.iter().map(|&(_, weight)| f32::from(weight)).sum();
        for (&step, cells) in steps.iter().zip(cells[start..].chunks_exact_mut(width)) {
            let code = game.step_code(self.position, step);
            let weight = self.policy.iter().find(|entry| entry.0 == code).map_or(0, |entry| entry.1);
            targets.push(f32::from(weight) / total);
            game.policy_cells(transformed, game.transform_step(self.position, step, symmetry), cells);
        }
    }
}
