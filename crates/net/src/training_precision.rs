//! Which numbers training passes compute in.

use crate::error::NetError;
use crate::module::Autocast;
use crate::plan::{Precision, has_bf16_instructions};
use crate::runtime::thread_seconds;
use std::sync::OnceLock;
use tch::{Device, Kind, Tensor};

/// The numbers that passes compute in on a device: those asked for, or the faster ones on this processor. On CUDA they
/// are 32-bit.
pub fn training_precision(asked: Precision, device: Device) -> Precision {
    match asked {
        _ if device != Device::Cpu => Precision::Fp32,
        Precision::Auto if has_bf16_instructions() && is_faster_in_bf16() => Precision::Bf16,
        Precision::Auto => Precision::Fp32,
        named => named,
    }
}

/// How much less time 16 bits must take, since they are less exact.
const WORTH_IT: f64 = 0.9;
/// Times that each is tried; the best one counts, since other programs only slow down.
const TRIALS: usize = 6;

/// Whether this processor trains faster in bf16; measured once in a process. To have the instructions is not enough:
/// where there are no matrix units beside them, convolutions of 32 bits can be twice as fast
/// (`docs/speed.md`, "Training").
fn is_faster_in_bf16() -> bool {
    static FASTER: OnceLock<bool> = OnceLock::new();
    *FASTER.get_or_init(|| measure().is_ok_and(|[full, half]| half < WORTH_IT * full))
}

/// The shortest time of a convolution's passes in fp32 and in bf16, seconds.
fn measure() -> Result<[f64; 2], NetError> {
    let layer = Layer::new()?;
    let mut best = [f64::INFINITY; 2];
    for _ in 0..TRIALS {
        for (half, best) in [false, true].into_iter().zip(&mut best) {
            *best = layer.time(half)?.min(*best);
        }
    }
    Ok(best)
}

/// A convolution of the size that networks are mostly made of, with planes as a training step has them.
struct Layer {
    planes: Tensor,
    weights: Tensor,
}

impl Layer {
    const ROWS: i64 = 64;
    const CHANNELS: i64 = 64;
    const BOARD: [i64; 2] = [12, 11];

    fn new() -> Result<Layer, NetError> {
        let [height, width] = Self::BOARD;
        let options = (Kind::Float, Device::Cpu);
        let leaf = |tensor: Tensor| tensor.f_set_requires_grad(true);
        let planes = Tensor::f_full([Self::ROWS, height, width, Self::CHANNELS], 0.5, options)?;
        let weights = Tensor::f_full([Self::CHANNELS, Self::CHANNELS, 3, 3], 0.01, options)?;
        Ok(Layer { planes: leaf(planes.f_permute([0, 3, 1, 2])?)?, weights: leaf(weights)? })
    }

    /// Seconds of this thread's processor time for the pass there and the two passes back: what other programs take
    /// is not counted, or a busy machine would decide by chance.
    fn time(&self, half: bool) -> Result<f64, NetError> {
        let begin = thread_seconds();
        let output = {
            let _autocast = half.then(Autocast::start);
            self.planes.f_conv2d(&self.weights, None::<&Tensor>, 1, 1, 1, 1)?
        };
        let sum = output.f_sum(Kind::Float)?;
        Tensor::f_run_backward(&[sum], &[&self.planes, &self.weights], false, false)?;
        Ok(thread_seconds() - begin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_taken_and_auto_is_the_faster_one() {
        for named in [Precision::Fp32, Precision::Bf16] {
            assert_eq!(training_precision(named, Device::Cpu), named);
        }
        assert_eq!(training_precision(Precision::Bf16, Device::Cuda(0)), Precision::Fp32);
        let auto = training_precision(Precision::Auto, Device::Cpu);
        let right = has_bf16_instructions() && is_faster_in_bf16();
        assert_eq!(auto == Precision::Bf16, right);
        assert_eq!(training_precision(Precision::Auto, Device::Cpu), auto, "the same all through a process");
    }

    #[test]
    fn both_are_measured() {
        for time in measure().unwrap() {
            assert!(time > 0.0 && time.is_finite());
        }
    }
}
