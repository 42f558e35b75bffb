//! Weights for inference: each batch normalisation folded into the convolution before it, and the
//! eager forward pass on them.

use crate::architecture::{Activation, Builder, Convolution, Outputs, forward, is_auxiliary};
use crate::config::NetConfig;
use crate::error::NetError;
use crate::network::{NORM_EPSILON, Net, convolve, copy_of, pool};
use game::{PlaneShape, PolicyShape};
use std::collections::HashMap;
use tch::{Device, Kind, Tensor};

/// A network without normalisations, detached from the one it was made of.
pub struct Folded {
    config: NetConfig,
    planes: PlaneShape,
    policy: PolicyShape,
    tensors: HashMap<String, Tensor>,
}

impl Folded {
    /// Folds the normalisations of a network: `w·s` and `b − mean·s` with `s = g/√(variance + ε)`.
    ///
    /// # Errors
    /// [`NetError::NonFiniteWeight`] for a network that must not play, whatever its answers look like.
    pub fn new(net: &Net, kind: Kind, device: Device) -> Result<Folded, NetError> {
        let mut tensors = HashMap::new();
        for spec in net.specs() {
            let Some(layer) = spec.name.strip_suffix(".weight") else { continue };
            if is_auxiliary(layer) {
                continue;
            }
            let part = |part: &str| net.tensor(&format!("{layer}.{part}")).map(Tensor::detach);
            let mut weight = part("weight")?;
            let bias = match part("norm.gain") {
                Ok(gain) => {
                    let deviation = part("norm.variance")?.f_add_scalar(NORM_EPSILON)?.f_sqrt()?;
                    let scale = gain.f_div(&deviation)?;
                    weight = weight.f_mul(&scale.f_view([-1, 1, 1, 1])?)?;
                    part("norm.bias")?.f_sub(&part("norm.mean")?.f_mul(&scale)?)?
                }
                Err(_) => part("bias")?,
            };
            if weight.dim() == 4 {
                weight = weight.f_permute([0, 2, 3, 1])?.f_contiguous()?.f_permute([0, 3, 1, 2])?;
            }
            for (part, tensor) in [("weight", weight), ("bias", bias)] {
                // Copied, since a tensor that needed no change would be shared with the network.
                let tensor = copy_of(&tensor.f_to_device(device)?.f_to_kind(kind)?)?;
                if !tensor.f_isfinite()?.f_all()?.f_int64_value(&[]).is_ok_and(|all| all == 1) {
                    return Err(NetError::NonFiniteWeight { tensor: format!("{layer}.{part}") });
                }
                tensors.insert(format!("{layer}.{part}"), tensor);
            }
        }
        let config = net.config().clone();
        Ok(Folded { config, planes: net.plane_shape(), policy: net.policy_shape(), tensors })
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

    /// A tensor by name.
    pub(crate) fn tensor(&self, name: &str) -> Result<&Tensor, NetError> {
        self.tensors.get(name).ok_or_else(|| NetError::Module(format!("no folded tensor is named '{name}'")))
    }

    /// The same tensors, for another thread.
    pub(crate) fn share(&self) -> Folded {
        let tensors =
            self.tensors.iter().map(|(name, tensor)| (name.clone(), tensor.shallow_clone())).collect();
        Folded { config: self.config.clone(), planes: self.planes, policy: self.policy, tensors }
    }

    /// The forward pass, one LibTorch operation after the other. `planes` is
    /// `[batch, channels, rows, columns]` and of the kind of the weights.
    pub(crate) fn forward(&self, planes: &Tensor) -> Result<Outputs<Tensor>, NetError> {
        forward(&mut EagerPass { folded: self }, &self.config, self.planes, self.policy, &[], planes)
    }
}

struct EagerPass<'a> {
    folded: &'a Folded,
}

impl Builder for EagerPass<'_> {
    type Value = Tensor;
    type Error = NetError;

    fn normalised(
        &mut self,
        name: &str,
        input: &Tensor,
        shape: Convolution,
        then: Activation,
    ) -> Result<Tensor, NetError> {
        let mut output = self.convolution(name, input, shape)?;
        Ok(match then {
            Activation::Linear => output,
            Activation::Relu => output.f_relu_()?,
        })
    }

    fn convolution(&mut self, name: &str, input: &Tensor, shape: Convolution) -> Result<Tensor, NetError> {
        let weight = self.folded.tensor(&format!("{name}.weight"))?;
        convolve(input, weight, Some(self.folded.tensor(&format!("{name}.bias"))?), shape)
    }

    fn linear(&mut self, name: &str, input: &Tensor, _: usize, _: usize) -> Result<Tensor, NetError> {
        let weight = self.folded.tensor(&format!("{name}.weight"))?;
        Ok(input.f_linear(weight, Some(self.folded.tensor(&format!("{name}.bias"))?))?)
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
