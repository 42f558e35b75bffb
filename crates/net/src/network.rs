//! A network with its weights, and its forward pass for training.

use crate::architecture::{Activation, Builder, Convolution, Outputs, forward};
use crate::config::NetConfig;
use crate::error::NetError;
use crate::tensors::{self, Role, TensorSpec};
use game::{PlaneShape, PolicyShape};
use std::collections::HashMap;
use std::sync::Arc;
use tch::{Device, Kind, Tensor};

/// Added to a variance before its root is taken.
pub const NORM_EPSILON: f64 = 1e-5;
/// Share of a batch's statistics that goes into the running ones.
const NORM_MOMENTUM: f64 = 0.1;

/// A policy-value network: its sizes and its tensors.
pub struct Net {
    config: NetConfig,
    planes: PlaneShape,
    policy: PolicyShape,
    specs: Arc<Vec<TensorSpec>>,
    indices: Arc<HashMap<String, usize>>,
    tensors: Vec<Tensor>,
}

impl Net {
    /// A network with random weights, the same for the same seed, on the CPU.
    ///
    /// # Errors
    /// [`NetError::Config`] with all faults of the sizes.
    pub fn new(
        config: &NetConfig,
        planes: PlaneShape,
        policy: PolicyShape,
        seed: u64,
    ) -> Result<Net, NetError> {
        let mut net = Net::empty(config, planes, policy)?;
        for spec in net.specs.iter() {
            let numbers = tensors::first_numbers(spec, seed);
            net.tensors.push(Tensor::f_from_slice(&numbers)?.f_view(spec.shape.as_slice())?);
        }
        Ok(net)
    }

    /// A network with given tensors, in the order of [`Net::specs`] and with those shapes.
    pub(crate) fn with_tensors(
        config: &NetConfig,
        planes: PlaneShape,
        policy: PolicyShape,
        tensors: Vec<Tensor>,
    ) -> Result<Net, NetError> {
        let mut net = Net::empty(config, planes, policy)?;
        net.tensors = tensors;
        Ok(net)
    }

    fn empty(config: &NetConfig, planes: PlaneShape, policy: PolicyShape) -> Result<Net, NetError> {
        let mut faults = config.faults();
        faults.extend(shape_faults(planes, policy));
        if !faults.is_empty() {
            return Err(NetError::Config(faults));
        }
        let specs = tensors::specs(config, planes, policy);
        let indices = specs.iter().enumerate().map(|(index, spec)| (spec.name.clone(), index)).collect();
        Ok(Net {
            config: config.clone(),
            planes,
            policy,
            specs: Arc::new(specs),
            indices: Arc::new(indices),
            tensors: Vec::new(),
        })
    }

    /// The sizes.
    pub fn config(&self) -> &NetConfig {
        &self.config
    }

    /// Shape of the planes it reads.
    pub fn plane_shape(&self) -> PlaneShape {
        self.planes
    }

    /// Shape of the policy it answers with.
    pub fn policy_shape(&self) -> PolicyShape {
        self.policy
    }

    /// Names, roles and shapes of its tensors, in their order.
    pub fn specs(&self) -> &[TensorSpec] {
        &self.specs
    }

    /// Numbers that are learned.
    pub fn parameters(&self) -> usize {
        self.specs.iter().filter(|spec| spec.role.learned()).map(TensorSpec::len).sum()
    }

    /// Its tensors, in the order of [`Net::specs`].
    pub(crate) fn tensors(&self) -> &[Tensor] {
        &self.tensors
    }

    /// A tensor by name.
    pub(crate) fn tensor(&self, name: &str) -> Result<&Tensor, NetError> {
        let index = self.indices.get(name);
        index
            .and_then(|&index| self.tensors.get(index))
            .ok_or_else(|| NetError::Module(format!("no tensor is named '{name}'")))
    }

    /// The numbers of a tensor by name; `None` when there is none of that name.
    pub fn numbers(&self, name: &str) -> Option<Vec<f32>> {
        let tensor = self.tensor(name).ok()?;
        Vec::try_from(tensor.detach().to_device(Device::Cpu).flatten(0, -1)).ok()
    }

    /// A copy that shares nothing with this network, detached, on a device.
    pub fn copy_to(&self, device: Device) -> Result<Net, NetError> {
        let tensors = self
            .tensors
            .iter()
            .map(|tensor| copy_of(&tensor.detach().f_to_device(device)?))
            .collect::<Result<_, _>>()?;
        Ok(self.holding(tensors))
    }

    /// The same network with other tensors.
    pub(crate) fn holding(&self, tensors: Vec<Tensor>) -> Net {
        Net {
            config: self.config.clone(),
            planes: self.planes,
            policy: self.policy,
            specs: Arc::clone(&self.specs),
            indices: Arc::clone(&self.indices),
            tensors,
        }
    }

    /// The same network and the same tensors; for another thread.
    pub(crate) fn share(&self) -> Net {
        self.holding(self.tensors.iter().map(Tensor::shallow_clone).collect())
    }

    /// The same learned tensors with running statistics of its own.
    pub(crate) fn share_learned(&self) -> Result<Net, NetError> {
        let mut tensors = Vec::with_capacity(self.tensors.len());
        for (spec, tensor) in self.specs.iter().zip(&self.tensors) {
            tensors.push(if spec.role.learned() { tensor.shallow_clone() } else { copy_of(tensor)? });
        }
        Ok(self.holding(tensors))
    }

    /// Name of the first tensor that holds a number that is not finite.
    ///
    /// # Errors
    /// What LibTorch says.
    pub fn first_not_finite(&self) -> Result<Option<String>, NetError> {
        for (spec, tensor) in self.specs.iter().zip(&self.tensors) {
            let tensor = tensor.detach();
            // A sum is quick and finite for any sane weights; only where it is not every number is looked at.
            if !tensor.f_sum(Kind::Float)?.f_double_value(&[])?.is_finite()
                && tensor.f_isfinite()?.f_all()?.f_int64_value(&[])? == 0
            {
                return Ok(Some(spec.name.clone()));
            }
        }
        Ok(None)
    }

    /// Indices of the learned tensors.
    pub(crate) fn learned(&self) -> Vec<usize> {
        (0..self.specs.len()).filter(|&index| self.specs[index].role.learned()).collect()
    }

    /// The forward pass for training: normalised by the statistics of this batch, which also move the
    /// running ones. `planes` is `[batch, channels, rows, columns]`.
    pub(crate) fn train_forward(&self, planes: &Tensor) -> Result<Outputs<Tensor>, NetError> {
        let mut pass = Pass { net: self, statistics: Statistics::Batch };
        forward(&mut pass, &self.config, self.planes, self.policy, &self.config.auxiliary, planes)
    }

    /// The forward pass with the running statistics, which it leaves as they are, and without auxiliary heads.
    pub(crate) fn fixed_forward(&self, planes: &Tensor) -> Result<Outputs<Tensor>, NetError> {
        let mut pass = Pass { net: self, statistics: Statistics::Running };
        forward(&mut pass, &self.config, self.planes, self.policy, &[], planes)
    }

    /// Where its tensors are.
    pub fn device(&self) -> Device {
        self.tensors.first().map_or(Device::Cpu, Tensor::device)
    }

    /// Indices of running statistics.
    pub(crate) fn measured(&self) -> Vec<usize> {
        let measured =
            |&index: &usize| matches!(self.specs[index].role, Role::RunningMean | Role::RunningVariance);
        (0..self.specs.len()).filter(measured).collect()
    }
}

/// All faults of the shapes of a network's input and output. Nothing that is made of them is larger than the
/// bounds of their parts allow.
pub(crate) fn shape_faults(planes: PlaneShape, policy: PolicyShape) -> Vec<String> {
    let mut faults = Vec::new();
    for (what, found, most) in [
        ("planes.channels", planes.channels, 4096),
        ("planes.rows", planes.rows, 256),
        ("planes.columns", planes.columns, 256),
        ("policy.planes", policy.planes, 65_536),
        ("policy.cells_per_step", policy.cells_per_step, 256),
    ] {
        if !(1..=most).contains(&found) {
            faults.push(format!("{what} = {found} must be 1 to {most}"));
        }
    }
    if faults.is_empty() && policy.squares != planes.squares() {
        let (found, squares) = (policy.squares, planes.squares());
        faults.push(format!("the policy has {found} squares and the planes have {squares}"));
    }
    faults
}

impl std::fmt::Debug for Net {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Net")
            .field("config", &self.config)
            .field("planes", &self.planes)
            .field("policy", &self.policy)
            .field("parameters", &self.parameters())
            .finish_non_exhaustive()
    }
}

/// What normalisations go by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Statistics {
    /// Those of the batch, which also move the running ones.
    Batch,
    /// The running ones as they are.
    Running,
}

/// Runs the network so that gradients can be taken.
struct Pass<'a> {
    net: &'a Net,
    statistics: Statistics,
}

impl Builder for Pass<'_> {
    type Value = Tensor;
    type Error = NetError;

    fn normalised(
        &mut self,
        name: &str,
        input: &Tensor,
        shape: Convolution,
        then: Activation,
    ) -> Result<Tensor, NetError> {
        let part = |part: &str| self.net.tensor(&format!("{name}.{part}"));
        let output = convolve(input, part("weight")?, None, shape)?.f_batch_norm(
            Some(part("norm.gain")?),
            Some(part("norm.bias")?),
            Some(part("norm.mean")?),
            Some(part("norm.variance")?),
            self.statistics == Statistics::Batch,
            NORM_MOMENTUM,
            NORM_EPSILON,
            true,
        )?;
        Ok(match then {
            Activation::Linear => output,
            Activation::Relu => output.f_relu()?,
        })
    }

    fn convolution(&mut self, name: &str, input: &Tensor, shape: Convolution) -> Result<Tensor, NetError> {
        let weight = self.net.tensor(&format!("{name}.weight"))?;
        convolve(input, weight, Some(self.net.tensor(&format!("{name}.bias"))?), shape)
    }

    fn linear(&mut self, name: &str, input: &Tensor, _: usize, _: usize) -> Result<Tensor, NetError> {
        let weight = self.net.tensor(&format!("{name}.weight"))?;
        Ok(input.f_linear(weight, Some(self.net.tensor(&format!("{name}.bias"))?))?)
    }

    fn pool(&mut self, input: &Tensor) -> Result<Tensor, NetError> {
        pool(input)
    }

    fn add(&mut self, left: &Tensor, right: &Tensor) -> Result<Tensor, NetError> {
        Ok(left.f_add(right)?)
    }

    fn add_per_channel(&mut self, board: &Tensor, features: &Tensor) -> Result<Tensor, NetError> {
        Ok(board.f_add(&features.f_unsqueeze(-1)?.f_unsqueeze(-1)?)?)
    }

    fn relu(&mut self, input: &Tensor) -> Result<Tensor, NetError> {
        Ok(input.f_relu()?)
    }

    fn tanh(&mut self, input: &Tensor) -> Result<Tensor, NetError> {
        Ok(input.f_tanh()?)
    }
}

/// A tensor of its own with the same numbers in the same memory order.
pub(crate) fn copy_of(tensor: &Tensor) -> Result<Tensor, NetError> {
    let mut copy = tensor.f_empty_like()?;
    copy.f_copy_(tensor)?;
    Ok(copy)
}

/// One convolution that keeps the size of the board.
pub(crate) fn convolve(
    input: &Tensor,
    weight: &Tensor,
    bias: Option<&Tensor>,
    shape: Convolution,
) -> Result<Tensor, NetError> {
    let border = shape.kernel as i64 / 2;
    Ok(input.f_conv2d(weight, bias, [1, 1], [border, border], [1, 1], 1)?)
}

/// Mean and maximum of each channel, `[batch, channels, rows, columns]` to `[batch, 2 · channels]`.
pub(crate) fn pool(input: &Tensor) -> Result<Tensor, NetError> {
    let mean = input.f_adaptive_avg_pool2d([1, 1])?.f_flatten(1, -1)?;
    let (largest, _) = input.f_adaptive_max_pool2d([1, 1])?;
    Ok(Tensor::f_cat(&[mean, largest.f_flatten(1, -1)?], 1)?)
}

/// A host buffer `[batch, rows, columns, channels]` as a tensor `[batch, channels, rows, columns]` whose
/// memory stays in the order of the buffer, which LibTorch's convolutions recognise and like best.
pub(crate) fn planes_tensor(
    numbers: &[f32],
    rows: usize,
    shape: PlaneShape,
    device: Device,
) -> Result<Tensor, NetError> {
    let sizes = [rows, shape.rows, shape.columns, shape.channels].map(|size| size as i64);
    let tensor = Tensor::f_from_slice(numbers)?.f_view(sizes)?.f_permute([0, 3, 1, 2])?;
    debug_assert_eq!(tensor.kind(), Kind::Float);
    Ok(tensor.f_to_device(device)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pooling_answers_mean_then_maximum_on_a_board_that_is_not_square() {
        let numbers: Vec<f32> = (0..2 * 3 * 5 * 4).map(|index| ((index * 17) % 41) as f32).collect();
        let shape = PlaneShape { channels: 4, rows: 3, columns: 5 };
        let pooled = pool(&planes_tensor(&numbers, 2, shape, Device::Cpu).unwrap()).unwrap();
        assert_eq!(pooled.size(), [2, 8]);
        for row in 0..2 {
            for channel in 0..4 {
                let own = (0..15).map(|square| numbers[(row * 15 + square) * 4 + channel]);
                let mean: f32 = own.clone().sum::<f32>() / 15.0;
                let largest = own.fold(f32::MIN, f32::max);
                let found = |at: usize| pooled.double_value(&[row as i64, at as i64]) as f32;
                assert!((found(channel) - mean).abs() < 1e-5 && found(4 + channel) == largest);
            }
        }
    }

    #[test]
    fn outputs_have_the_promised_shapes_on_a_board_that_is_not_square() {
        let planes = PlaneShape { channels: 3, rows: 4, columns: 7 };
        let policy = PolicyShape { squares: 28, planes: 5, cells_per_step: 1 };
        let config = NetConfig { blocks: 2, channels: 8, pooling_every: 1, ..NetConfig::default() };
        let net = Net::new(&config, planes, policy, 1).unwrap();
        let input = planes_tensor(&vec![0.5; 2 * planes.len()], 2, planes, Device::Cpu).unwrap();
        let outputs = net.train_forward(&input).unwrap();
        assert_eq!(outputs.policy.size(), [2, 5, 4, 7]);
        assert_eq!(outputs.result.size(), [2, 3]);
        assert_eq!(outputs.margin.size(), [2, 1]);
    }

    #[test]
    fn all_faults_of_a_configuration_are_named_at_once() {
        let config = NetConfig { blocks: 0, channels: 3, ..NetConfig::default() };
        let planes = PlaneShape { channels: 3, rows: 4, columns: 7 };
        let policy = PolicyShape { squares: 27, planes: 5, cells_per_step: 1 };
        let message = Net::new(&config, planes, policy, 1).unwrap_err().to_string();
        for part in ["blocks = 0", "channels = 3", "27 squares"] {
            assert!(message.contains(part), "{message}");
        }
    }
}
