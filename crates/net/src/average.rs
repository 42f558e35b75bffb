//! Exponential moving average of weights, for play.

use crate::error::NetError;
use crate::network::Net;
use tch::{Tensor, no_grad};

/// Share of the average that is kept in update `updates` (from 0): `decay`, but at most
/// `(1 + updates) / (10 + updates)`, so that the random first weights are soon forgotten.
pub fn effective_decay(decay: f64, updates: u64) -> f64 {
    decay.min((1.0 + updates as f64) / (10.0 + updates as f64))
}

/// A moving average of all tensors of a network, running statistics included.
pub struct Average {
    decay: f64,
    updates: u64,
    net: Net,
}

impl Average {
    /// An average that starts at the weights of `net`.
    pub fn new(net: &Net, decay: f64) -> Result<Average, NetError> {
        let device = net.tensors().first().map_or(tch::Device::Cpu, Tensor::device);
        Ok(Average { decay, updates: 0, net: net.copy_to(device)? })
    }

    /// An average read back.
    pub(crate) fn resume(net: Net, decay: f64, updates: u64) -> Average {
        Average { decay, updates, net }
    }

    /// Moves the average towards the weights of `net`: `average · d + weights · (1 − d)` with `d` the
    /// [`effective_decay`].
    pub fn update(&mut self, net: &Net) -> Result<(), NetError> {
        let share = 1.0 - effective_decay(self.decay, self.updates);
        no_grad(|| {
            for (average, tensor) in self.net.tensors().iter().zip(net.tensors()) {
                let _ = average.shallow_clone().f_lerp_(&tensor.detach(), share)?;
            }
            Ok::<(), NetError>(())
        })?;
        self.updates += 1;
        Ok(())
    }

    /// Updates so far.
    pub fn updates(&self) -> u64 {
        self.updates
    }

    /// The averaged network.
    pub fn net(&self) -> &Net {
        &self.net
    }
}
