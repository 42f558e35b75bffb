//! The mathematics of the policy gradient, without policies and networks.
//!
//! What is made large is *J(π) = E\[R\] − w · KL(π ‖ q)*: the score *R* of a set-up against its opponent, and how far
//! the policy *π* is from the sampler *q*. With *KL(π ‖ q) = −H(π) − E[ln q]*, and the entropy of a policy that
//! places piece after piece being the sum of the expected entropies of its choices, *H(π) = E[Σ Hₖ]*,
//!
//! *J = E[R + w · ln q + w · Σ Hₖ]*.
//!
//! Its gradient is (R. J. Williams, "Simple statistical gradient-following algorithms for connectionist
//! reinforcement learning", 1992, theorem 1, for the expectation, and the derivative of the entropies themselves)
//!
//! *∇J = E[Σₖ (R + w · ln q + w · Σ_{j>k} Hⱼ − bₖ) · ∇ ln π(aₖ) + w · ∇Hₖ]*:
//!
//! what a choice brings is the end and the entropy of the choices after it, and what came before it takes no part.
//! The baseline *bₖ* may be anything that does not depend on the choice: here what the policy itself expects of
//! the set-up under way, plus the mean of what the *other* set-ups of the batch brought beyond that at the same
//! piece.

/// Logarithms of the probabilities that logits stand for.
pub fn log_softmax(logits: &[f64]) -> Vec<f64> {
    let most = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logits.iter().map(|logit| (logit - most).exp()).sum();
    logits.iter().map(|logit| logit - most - sum.ln()).collect()
}

/// Entropy of a choice in nats, from the logarithms of its probabilities.
pub fn entropy(log_probabilities: &[f64]) -> f64 {
    -log_probabilities.iter().map(|chance| chance.exp() * chance).sum::<f64>()
}

/// A set-up that was placed, with how it did.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Score against its opponent, 0 to 1.
    pub score: f64,
    /// Logarithm of the probability that the sampler draws it.
    pub log_sampler: f64,
    /// Entropy of each choice, in the order of the pieces.
    pub entropies: Vec<f64>,
    /// Score that the policy expected before each choice.
    pub expected: Vec<f64>,
}

/// What each choice of a set-up brings: the end, and the entropy of the choices after it.
fn returns(outcome: &Outcome, weight: f64) -> Vec<f64> {
    let end = outcome.score + weight * outcome.log_sampler;
    let mut after = 0.0;
    let mut found: Vec<f64> = outcome
        .entropies
        .iter()
        .rev()
        .map(|entropy| {
            let brought = end + weight * after;
            after += entropy;
            brought
        })
        .collect();
    found.reverse();
    found
}

/// How much more each choice brought than the baseline, for each set-up; `weight` is that of the regulariser. All set-ups have
/// the same number of choices. A set-up alone has nothing to be compared with but what was expected of it.
pub fn advantages(outcomes: &[Outcome], weight: f64) -> Vec<Vec<f64>> {
    let mut surprises: Vec<Vec<f64>> = outcomes
        .iter()
        .map(|outcome| {
            let brought = returns(outcome, weight);
            brought.iter().zip(&outcome.expected).map(|(brought, expected)| brought - expected).collect()
        })
        .collect();
    let number = outcomes.len();
    let choices = surprises.first().map_or(0, Vec::len);
    if number > 1 {
        for choice in 0..choices {
            let sum: f64 = surprises.iter().map(|surprise| surprise[choice]).sum();
            for surprise in &mut surprises {
                let others = (sum - surprise[choice]) / (number - 1) as f64;
                surprise[choice] -= others;
            }
        }
    }
    surprises
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: &[f64], right: &[f64]) {
        assert_eq!(found.len(), right.len());
        assert!(
            found.iter().zip(right).all(|(found, right)| (found - right).abs() < 1e-12),
            "{found:?} {right:?}"
        );
    }

    #[test]
    fn softmax_and_entropy_match_numbers_by_hand() {
        // e^0 : e^(ln 3) = 1 : 3.
        let chances = log_softmax(&[0.0, 3f64.ln()]);
        near(&chances, &[0.25f64.ln(), 0.75f64.ln()]);
        // −(¼ ln ¼ + ¾ ln ¾)
        near(&[entropy(&chances)], &[0.562_335_144_618_808_3]);
        near(&[entropy(&log_softmax(&[7.0; 5]))], &[5f64.ln()]);
        near(&log_softmax(&[-1e9, 1e9]), &[-2e9, 0.0]);
    }

    #[test]
    fn advantages_match_numbers_by_hand() {
        let outcomes = [
            Outcome {
                score: 0.8,
                log_sampler: -2.0,
                entropies: vec![1.0, 0.5, 0.25],
                expected: vec![0.5, 0.6, 0.7],
            },
            Outcome {
                score: 0.3,
                log_sampler: -1.0,
                entropies: vec![1.0, 0.4, 0.1],
                expected: vec![0.5, 0.5, 0.2],
            },
            Outcome {
                score: 0.4,
                log_sampler: -3.0,
                entropies: vec![1.0, 0.2, 0.3],
                expected: vec![0.5, 0.4, 0.5],
            },
        ];
        // The ends are 0.8 − 0.2, 0.3 − 0.1 and 0.4 − 0.3; what comes after is worth a tenth of its entropy.
        near(&returns(&outcomes[0], 0.1), &[0.675, 0.625, 0.6]);
        near(&returns(&outcomes[1], 0.1), &[0.25, 0.21, 0.2]);
        near(&returns(&outcomes[2], 0.1), &[0.15, 0.13, 0.1]);
        // Less what was expected: 0.175 0.025 −0.1, −0.25 −0.29 0, −0.35 −0.27 −0.4; each less the mean of the two
        // others.
        let found = advantages(&outcomes, 0.1);
        near(&found[0], &[0.475, 0.305, 0.1]);
        near(&found[1], &[-0.1625, -0.1675, 0.25]);
        near(&found[2], &[-0.3125, -0.1375, -0.35]);
        near(&advantages(&outcomes[..1], 0.0)[0], &[0.3, 0.2, 0.1]);
    }

    #[test]
    fn a_regulariser_of_weight_0_sees_nothing_but_scores() {
        let outcome =
            |score| Outcome { score, log_sampler: -9.0, entropies: vec![3.0, 1.0], expected: vec![0.5; 2] };
        let found = advantages(&[outcome(1.0), outcome(0.0)], 0.0);
        near(&found[0], &[1.0, 1.0]);
        near(&found[1], &[-1.0, -1.0]);
    }
}
