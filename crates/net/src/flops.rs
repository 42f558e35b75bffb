//! What a network costs: floating-point operations of one position, counted from the architecture.

use crate::architecture::is_auxiliary;
use crate::config::NetConfig;
use crate::tensors::{Role, specs};
use game::{PlaneShape, PolicyShape};

/// Multiplications and additions of one forward pass of one position, a fused pair counted as two, in
/// convolutions and fully connected layers. What is left out (activations, sums, pooling) reads each number
/// once and is less than a hundredth of it. Squares beyond the border count, as for every library that pads.
/// Training takes three times as many: forward, and two products of that size backward.
pub fn flops_per_position(config: &NetConfig, planes: PlaneShape, policy: PolicyShape) -> u64 {
    let weights = specs(config, planes, policy)
        .into_iter()
        .filter(|spec| spec.role == Role::Weight && !is_auxiliary(&spec.name));
    weights
        .map(|spec| {
            // The weights of a convolution serve every square, those of a fully connected layer once.
            let uses = if spec.shape.len() == 4 { planes.squares() } else { 1 };
            2 * (uses * spec.len()) as u64
        })
        .sum()
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
