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
