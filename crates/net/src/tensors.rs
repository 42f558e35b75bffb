//! The named tensors of a network: which there are, and their first values.

use crate::architecture::{Activation, Builder, Convolution, LAST_LAYERS, forward};
use crate::config::NetConfig;
use game::{PlaneShape, PolicyShape};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha12Rng;
use std::convert::Infallible;
use std::f64::consts::PI;

/// What a tensor is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Weight of a convolution or a fully connected layer: learned, decays.
    Weight,
    /// Gain of a normalisation: learned, starts at 1.
    Gain,
    /// Bias: learned, starts at 0.
    Bias,
    /// Running mean of a normalisation: measured, not learned.
    RunningMean,
    /// Running variance of a normalisation: measured, not learned.
    RunningVariance,
}

impl Role {
    /// Whether gradients change it.
    pub const fn learned(self) -> bool {
        matches!(self, Role::Weight | Role::Gain | Role::Bias)
    }
}

/// Name, role and shape of a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorSpec {
    /// Unique name, for example `blocks.0.first.weight`.
    pub name: String,
    /// What it is for.
    pub role: Role,
    /// Its sizes.
    pub shape: Vec<i64>,
}

impl TensorSpec {
    /// Numbers in the tensor.
    pub fn len(&self) -> usize {
        self.shape.iter().product::<i64>() as usize
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// All tensors of a network in a fixed order.
pub fn specs(config: &NetConfig, planes: PlaneShape, policy: PolicyShape) -> Vec<TensorSpec> {
    let mut lister = Lister { specs: Vec::new() };
    let Ok(_) = forward(&mut lister, config, planes, policy, &config.auxiliary, &());
    lister.specs
}

/// First numbers of a tensor. Weights are normal with variance 2 / inputs (He et al., "Delving deep into
/// rectifiers", equation 10); those of the last layers are a tenth of that, so that an untrained network
/// finds all steps about equally likely and every position about even.
pub fn first_numbers(spec: &TensorSpec, seed: u64) -> Vec<f32> {
    match spec.role {
        Role::Gain | Role::RunningVariance => vec![1.0; spec.len()],
        Role::Bias | Role::RunningMean => vec![0.0; spec.len()],
        Role::Weight => {
            let inputs: i64 = spec.shape[1..].iter().product();
            let last = LAST_LAYERS.iter().any(|layer| spec.name == format!("{layer}.weight"));
            let deviation = (2.0 / inputs as f64).sqrt() * if last { 0.1 } else { 1.0 };
            // A stream per name: adding a layer leaves the others as they were.
            let mut key = blake3::Hasher::new();
            key.update(&seed.to_le_bytes());
            key.update(spec.name.as_bytes());
            let mut random = ChaCha12Rng::from_seed(*key.finalize().as_bytes());
            (0..spec.len()).map(|_| (deviation * normal(&mut random)) as f32).collect()
        }
    }
}

/// A standard normal number (Box and Muller's transform).
fn normal(random: &mut impl Rng) -> f64 {
    let radius: f64 = 1.0 - random.random::<f64>();
    let angle: f64 = random.random();
    (-2.0 * radius.ln()).sqrt() * (2.0 * PI * angle).cos()
}

/// Lists what the network asks for.
struct Lister {
    specs: Vec<TensorSpec>,
}

impl Lister {
    fn push(&mut self, layer: &str, part: &str, role: Role, shape: &[usize]) {
        let shape = shape.iter().map(|&size| size as i64).collect();
        self.specs.push(TensorSpec { name: format!("{layer}.{part}"), role, shape });
    }
}

impl Builder for Lister {
    type Value = ();
    type Error = Infallible;

    fn normalised(
        &mut self,
        name: &str,
        _: &(),
        shape: Convolution,
        _: Activation,
    ) -> Result<(), Infallible> {
        let Convolution { inputs, outputs, kernel } = shape;
        self.push(name, "weight", Role::Weight, &[outputs, inputs, kernel, kernel]);
        self.push(name, "norm.gain", Role::Gain, &[outputs]);
        self.push(name, "norm.bias", Role::Bias, &[outputs]);
        self.push(name, "norm.mean", Role::RunningMean, &[outputs]);
        self.push(name, "norm.variance", Role::RunningVariance, &[outputs]);
        Ok(())
    }

    fn convolution(&mut self, name: &str, _: &(), shape: Convolution) -> Result<(), Infallible> {
        let Convolution { inputs, outputs, kernel } = shape;
        self.push(name, "weight", Role::Weight, &[outputs, inputs, kernel, kernel]);
        self.push(name, "bias", Role::Bias, &[outputs]);
        Ok(())
    }

    fn linear(&mut self, name: &str, _: &(), inputs: usize, outputs: usize) -> Result<(), Infallible> {
        self.push(name, "weight", Role::Weight, &[outputs, inputs]);
        self.push(name, "bias", Role::Bias, &[outputs]);
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
