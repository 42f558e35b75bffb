//! Random draws of the root: Gumbel and Dirichlet noise.

use rand::RngCore;
use std::f64::consts::TAU;

/// A number evenly drawn from the open interval (0, 1).
pub(crate) fn uniform(random: &mut impl RngCore) -> f64 {
    ((random.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
}

/// A draw from the standard Gumbel distribution.
pub(crate) fn gumbel(random: &mut impl RngCore) -> f32 {
    -(-uniform(random).ln()).ln() as f32
}

/// Fills `noise` with a draw from the symmetric Dirichlet distribution; it sums to 1.
pub(crate) fn dirichlet(random: &mut impl RngCore, alpha: f64, noise: &mut [f32]) {
    // Small α makes gamma draws underflow, so the largest logarithm is taken out first.
    let logs: Vec<f64> = noise.iter().map(|_| log_gamma_draw(random, alpha)).collect();
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = logs.iter().map(|log| (log - largest).exp()).sum();
    for (weight, log) in noise.iter_mut().zip(logs) {
        *weight = ((log - largest).exp() / total) as f32;
    }
}

/// Logarithm of a draw from the gamma distribution of shape `alpha` and scale 1: Marsaglia and
/// Tsang (2000), with their step for shapes below 1.
fn log_gamma_draw(random: &mut impl RngCore, alpha: f64) -> f64 {
    if alpha < 1.0 {
        return log_gamma_draw(random, alpha + 1.0) + uniform(random).ln() / alpha;
    }
    let d = alpha - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let normal = (-2.0 * uniform(random).ln()).sqrt() * (TAU * uniform(random)).cos();
        let v = (1.0 + c * normal).powi(3);
        if v > 0.0 && uniform(random).ln() < 0.5 * normal * normal + d - d * v + d * v.ln() {
            return (d * v).ln();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn gumbel_draws_have_their_mean_and_variance() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let draws: Vec<f64> = (0..100_000).map(|_| f64::from(gumbel(&mut random))).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let variance = draws.iter().map(|draw| (draw - mean).powi(2)).sum::<f64>() / draws.len() as f64;
        assert!((mean - 0.577_216).abs() < 0.02, "{mean}");
        assert!((variance - std::f64::consts::PI.powi(2) / 6.0).abs() < 0.05, "{variance}");
    }

    #[test]
    fn dirichlet_draws_have_their_mean_and_variance() {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        for (alpha, size) in [(0.05, 200), (0.3, 8), (2.5, 4)] {
            let rounds = 4_000;
            let mut noise = vec![0.0f32; size];
            let (mut first, mut square) = (0.0, 0.0);
            for _ in 0..rounds {
                dirichlet(&mut random, alpha, &mut noise);
                let sum: f32 = noise.iter().sum();
                assert!((sum - 1.0).abs() < 1e-4 && noise.iter().all(|&weight| weight >= 0.0));
                first += f64::from(noise[0]) / f64::from(rounds);
                square += f64::from(noise[0]).powi(2) / f64::from(rounds);
            }
            let mean = 1.0 / size as f64;
            let variance = mean * (1.0 - mean) / (alpha * size as f64 + 1.0);
            let tolerance = 5.0 * (variance / f64::from(rounds)).sqrt();
            assert!((first - mean).abs() < tolerance, "α {alpha}: {first}");
            assert!(((square - first * first) / variance - 1.0).abs() < 0.25, "α {alpha}");
        }
    }
}
