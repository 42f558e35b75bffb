//! AdamW with decoupled weight decay, whose state can be saved and read back exactly.

use crate::config::AdamWConfig;
use crate::error::NetError;
use crate::network::Net;
use crate::tensors::Role;
use tch::{Tensor, no_grad};

/// The optimiser (Loshchilov and Hutter, "Decoupled weight decay regularization", algorithm 2).
pub struct AdamW {
    config: AdamWConfig,
    steps: u64,
    /// Running means of gradients and of their squares, one pair for each learned tensor in order.
    pub(crate) moments: Vec<(Tensor, Tensor)>,
}

impl AdamW {
    /// A fresh optimiser for the learned tensors of a network.
    pub fn new(net: &Net, config: &AdamWConfig) -> Result<AdamW, NetError> {
        let mut moments = Vec::new();
        for index in net.learned() {
            let tensor = net.tensors()[index].detach();
            moments.push((tensor.f_zeros_like()?, tensor.f_zeros_like()?));
        }
        Ok(AdamW { config: config.clone(), steps: 0, moments })
    }

    /// An optimiser read back.
    pub(crate) fn resume(config: &AdamWConfig, steps: u64, moments: Vec<(Tensor, Tensor)>) -> AdamW {
        AdamW { config: config.clone(), steps, moments }
    }

    /// Steps so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// One step down the gradients (one for each learned tensor, in order).
    pub(crate) fn step(
        &mut self,
        net: &Net,
        gradients: &[Tensor],
        learning_rate: f64,
    ) -> Result<(), NetError> {
        let AdamWConfig { beta1, beta2, epsilon, weight_decay } = self.config;
        self.steps += 1;
        // Beyond this the powers are 0 in double precision long since.
        let power = i32::try_from(self.steps).unwrap_or(i32::MAX);
        let mean_scale = 1.0 - beta1.powi(power);
        let square_scale = 1.0 - beta2.powi(power);
        no_grad(|| {
            for ((index, gradient), (mean, square)) in
                net.learned().into_iter().zip(gradients).zip(&mut self.moments)
            {
                let mut weight = net.tensors()[index].shallow_clone();
                if net.specs()[index].role == Role::Weight && weight_decay > 0.0 {
                    let _ = weight.f_mul_scalar_(1.0 - learning_rate * weight_decay)?;
                }
                let _ = mean.f_lerp_(gradient, 1.0 - beta1)?;
                let _ = square.f_lerp_(&gradient.f_mul(gradient)?, 1.0 - beta2)?;
                let mut root = square.f_sqrt()?;
                let mut root = root.f_mul_scalar_(1.0 / square_scale.sqrt())?;
                let root = root.f_add_scalar_(epsilon)?;
                let mut change = mean.f_div(&root)?;
                let change = change.f_mul_scalar_(learning_rate / mean_scale)?;
                let _ = weight.f_sub_(&change)?;
            }
            Ok(())
        })
    }
}

/// The Euclidean norm over all gradients together, in the order given.
pub(crate) fn global_norm(gradients: &[Tensor]) -> Result<f64, NetError> {
    let mut sum = 0.0;
    for gradient in gradients {
        let norm = gradient.f_norm()?.f_double_value(&[])?;
        sum += norm * norm;
    }
    Ok(sum.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::NetConfig;
    use game::{PlaneShape, PolicyShape};

    #[test]
    fn two_steps_match_hand_computed_numbers() {
        let planes = PlaneShape { channels: 1, rows: 2, columns: 2 };
        let policy = PolicyShape { squares: 4, planes: 1, cells_per_step: 1 };
        let config = NetConfig { blocks: 1, channels: 4, ..NetConfig::default() };
        let net = Net::new(&config, planes, policy, 5).unwrap();
        let settings = AdamWConfig { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weight_decay: 0.1 };
        let mut adam = AdamW::new(&net, &settings).unwrap();
        let before: Vec<Vec<f32>> = net.specs().iter().map(|spec| net.numbers(&spec.name).unwrap()).collect();
        for gradient in [0.5, -1.0] {
            let gradients: Vec<Tensor> =
                net.learned().iter().map(|&index| net.tensors()[index].full_like(gradient)).collect();
            adam.step(&net, &gradients, 0.01).unwrap();
        }
        // Step 1: mean 0.05 / 0.1 = 0.5, square 0.00025 / 0.001 = 0.25, change 0.01 · 0.5 / 0.5.
        // Step 2: mean (0.045 − 0.1) / 0.19 = −0.28947368, square (0.00024975 + 0.001) / 0.001999 =
        // 0.62518759, change 0.01 · −0.28947368 / 0.79068805 = −0.0036610353.
        for (spec, before) in net.specs().iter().zip(&before) {
            for (found, before) in net.numbers(&spec.name).unwrap().iter().zip(before) {
                let right = match spec.role {
                    Role::Weight => (before * 0.999 - 0.01) * 0.999 + 0.003_661_035_3,
                    Role::Gain | Role::Bias => before - 0.01 + 0.003_661_035_3,
                    Role::RunningMean | Role::RunningVariance => *before,
                };
                assert!((found - right).abs() < 1e-6, "{}: {found} {right}", spec.name);
            }
        }
        assert_eq!(adam.steps(), 2);
    }

    #[test]
    fn the_norm_is_over_all_gradients() {
        let gradients = [Tensor::from_slice(&[3.0f32]), Tensor::from_slice(&[0.0f32, 4.0])];
        assert!((global_norm(&gradients).unwrap() - 5.0).abs() < 1e-6);
    }
}
