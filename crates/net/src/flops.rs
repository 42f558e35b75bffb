//! What a network costs: floating-point operations of one position, counted from the architecture.

use crate::architecture::{Activation, Builder, Convolution, forward};
use crate::config::NetConfig;
use game::{PlaneShape, PolicyShape};
use std::convert::Infallible;

/// Multiplications and additions of one forward pass of one position, a fused pair counted as two, in
/// convolutions and fully connected layers. What is left out (activations, sums, pooling) reads each number
/// once and is less than a hundredth of it. Squares beyond the border count, as for every library that pads.
/// Training takes three times as many: forward, and two products of that size backward.
pub fn flops_per_position(config: &NetConfig, planes: PlaneShape, policy: PolicyShape) -> u64 {
    let mut counter = Counter { squares: planes.squares() as u64, sum: 0 };
    let Ok(_) = forward(&mut counter, config, planes, policy, &());
    counter.sum
}

struct Counter {
    squares: u64,
    sum: u64,
}

impl Counter {
    fn add_convolution(&mut self, Convolution { inputs, outputs, kernel }: Convolution) {
        self.sum += 2 * self.squares * (inputs * outputs * kernel * kernel) as u64;
    }
}

impl Builder for Counter {
    type Value = ();
    type Error = Infallible;

    fn normalised(&mut self, _: &str, _: &(), shape: Convolution, _: Activation) -> Result<(), Infallible> {
        // The normalisation is folded into the weights.
        self.add_convolution(shape);
        Ok(())
    }

    fn convolution(&mut self, _: &str, _: &(), shape: Convolution) -> Result<(), Infallible> {
        self.add_convolution(shape);
        Ok(())
    }

    fn linear(&mut self, _: &str, _: &(), inputs: usize, outputs: usize) -> Result<(), Infallible> {
        self.sum += 2 * (inputs * outputs) as u64;
        Ok(())
    }

    fn pool(&mut self, _: &()) -> Result<(), Infallible> {
        Ok(())
    }

    fn add(&mut self, _: &(), _: &()) -> Result<(), Infallible> {
        Ok(())
    }

    fn add_per_channel(&mut self, _: &(), _: &()) -> Result<(), Infallible> {
        Ok(())
    }

    fn relu(&mut self, _: &()) -> Result<(), Infallible> {
        Ok(())
    }

    fn tanh(&mut self, _: &()) -> Result<(), Infallible> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_is_counted_layer_by_layer() {
        let planes = PlaneShape { channels: 3, rows: 4, columns: 5 };
        let policy = PolicyShape { squares: 20, planes: 7, cells_per_step: 1 };
        let config = NetConfig {
            blocks: 2,
            channels: 8,
            pooling_every: 2,
            pooling_channels: 6,
            policy_channels: 9,
            value_channels: 10,
            value_hidden: 11,
            ..NetConfig::default()
        };
        let convolutions = 3 * 8 * 9 + 4 * 8 * 8 * 9 + 8 * 6 + 8 * 9 + 9 * 7 + 8 * 10;
        let linear = 12 * 8 + 20 * 11 + 11 * 3 + 11;
        assert_eq!(flops_per_position(&config, planes, policy), 2 * (20 * convolutions + linear));
    }
}
