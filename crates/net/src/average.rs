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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::NetConfig;
    use game::{PlaneShape, PolicyShape};

    #[test]
    fn the_average_follows_its_formula() {
        let planes = PlaneShape { channels: 2, rows: 2, columns: 3 };
        let policy = PolicyShape { squares: 6, planes: 1, cells_per_step: 1 };
        let config = NetConfig { blocks: 1, channels: 4, ..NetConfig::default() };
        let nets = [1, 2, 3].map(|seed| Net::new(&config, planes, policy, seed).unwrap());
        let mut average = Average::new(&nets[0], 0.15).unwrap();
        average.update(&nets[1]).unwrap();
        average.update(&nets[2]).unwrap();
        // The first update keeps 1/10 (the start is forgotten soon), the second 0.15 (2/11 is more).
        for name in ["stem.weight", "value.result.bias", "stem.norm.variance"] {
            let numbers = |net: &Net| net.numbers(name).unwrap();
            let [a, b, c] = [0, 1, 2].map(|index| numbers(&nets[index]));
            for (index, found) in numbers(average.net()).into_iter().enumerate() {
                let first = f64::from(a[index]) * 0.1 + f64::from(b[index]) * 0.9;
                let right = first * 0.15 + f64::from(c[index]) * 0.85;
                assert!((f64::from(found) - right).abs() < 1e-6, "{name} {index}: {found} {right}");
            }
        }
        assert_eq!(average.updates(), 2);
        assert_eq!(effective_decay(0.99, 10_000), 0.99);
    }
}
