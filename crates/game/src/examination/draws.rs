//! Tests of steps drawn at random.

use super::{Check, Examiner};
use crate::random::{Purpose, stream};
use crate::{BoardGame, Outcome, Play};
use rand_chacha::ChaCha8Rng;
use std::ops::ControlFlow;

/// Draws for every legal step of a position that is tested thoroughly.
const DRAWS_A_STEP: usize = 4;

/// Standard deviations from the expected sum that are still taken for chance: a fair game is farther off once
/// in 500 million examinations.
const FAR: f64 = 6.0;

/// What was drawn so far, against what even chances promise.
pub(super) struct Draws {
    random: ChaCha8Rng,
    /// Pearson's sum over all positions, and its degrees of freedom.
    chi_square: f64,
    freedom: f64,
    /// The sum's variance.
    variance: f64,
}

impl Draws {
    pub(super) fn new(seed: u64) -> Draws {
        // A stream of its own, beside that of the steps played.
        let random = stream(seed, Purpose::Playout, &[1]);
        Draws { random, chi_square: 0.0, freedom: 0.0, variance: 0.0 }
    }

    /// How many standard deviations the sum is off.
    fn deviation(&self) -> f64 {
        if self.variance > 0.0 { (self.chi_square - self.freedom) / self.variance.sqrt() } else { 0.0 }
    }
}

/// Tests one draw: it ends where the game ends, and is a legal step elsewhere.
pub(super) fn position<G: BoardGame>(
    examiner: &mut Examiner<'_, G>,
    play: &Play<G>,
    legal: &[G::Step],
    outcome: Option<Outcome>,
) {
    let game = examiner.game;
    // Memory that held something else before must not matter.
    let mut scratch = legal.to_vec();
    let found = match play.random_step(game, &mut examiner.draws.random, &mut scratch) {
        ControlFlow::Break(end) if end != outcome => Some(format!("it ends by {end:?}, not {outcome:?}")),
        ControlFlow::Continue(step) if outcome.is_some() => {
            Some(format!("it goes on by {step:?}, but the game has ended by {outcome:?}"))
        }
        ControlFlow::Continue(step) if !legal.contains(&step) => Some(format!("{step:?} is not legal")),
        ControlFlow::Break(_) | ControlFlow::Continue(_) => None,
    };
    if let Some(found) = found {
        examiner.fail(Check::RandomStep, &play.position, found);
    }
}

/// Draws often, and adds up how uneven the steps are.
pub(super) fn thorough<G: BoardGame>(examiner: &mut Examiner<'_, G>, play: &Play<G>, legal: &[G::Step]) {
    if legal.len() < 2 || play.outcome(examiner.game).is_some() {
        return;
    }
    let mut scratch = Vec::new();
    let mut counts = vec![0_usize; legal.len()];
    let all = legal.len() * DRAWS_A_STEP;
    let draws = &mut examiner.draws;
    for _ in 0..all {
        // Other steps are told where single draws are tested.
        if let ControlFlow::Continue(step) = play.random_step(examiner.game, &mut draws.random, &mut scratch)
            && let Some(index) = legal.iter().position(|&other| other == step)
        {
            counts[index] += 1;
        }
    }
    let expected = DRAWS_A_STEP as f64;
    draws.chi_square += counts.iter().map(|&count| (count as f64 - expected).powi(2) / expected).sum::<f64>();
    draws.freedom += (legal.len() - 1) as f64;
    // Of a sum over equal chances, exactly.
    draws.variance += 2.0 * (legal.len() - 1) as f64 * (1.0 - 1.0 / all as f64);
}

/// Tells when the draws of all positions together were too uneven, or too even.
pub(super) fn finish<G: BoardGame>(examiner: &mut Examiner<'_, G>) {
    let deviation = examiner.draws.deviation();
    if deviation.abs() > FAR {
        let Draws { chi_square, freedom, .. } = examiner.draws;
        let found = format!(
            "not all legal steps are drawn equally often: chi-square {chi_square:.0} with {freedom} degrees of \
             freedom, {deviation:.1} standard deviations off"
        );
        examiner.report.fail(Check::RandomStep, G::NAME, found);
    }
}
