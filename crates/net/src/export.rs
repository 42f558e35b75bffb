//! A network as a TorchScript module for other programs: Python's torch, C++ with LibTorch.
//!
//! `forward(planes)` takes `[batch, channels, rows, columns]` in 32-bit numbers and answers
//!
//! 1. the policy `[batch, outputs, rows, columns]`; the logit of a step is the sum of its cells, cell
//!    `square · planes + plane` being plane `plane` at row `square / columns`, column `square mod columns`; what lies
//!    behind the planes are the vectors of [`crate::policy_head`], where the network has such a head;
//! 2. logits of win, draw and loss for the side to move, `[batch, 3]`;
//! 3. the points margin for the side to move, `[batch, 1]`, in [−1, 1].
//!
//! Normalisations are folded into the convolutions. Weights are buffers of the module, so that it can be
//! moved to another device; an extra file [`ABOUT`] inside says whose network it is.

use crate::error::NetError;
use crate::folded::Folded;
use crate::module::save_script;
use crate::network::Net;
use crate::script::Script;
use std::path::Path;
use tch::{CModule, Device, IValue, Kind, Tensor, no_grad};

/// Version of inputs and outputs.
pub const SCHEMA: u32 = 1;
/// Name of the extra file with facts, as JSON.
pub const ABOUT: &str = "garrison.json";

/// Rows of the batch that the module is tried with.
const TRIAL_ROWS: i64 = 3;
/// How far its answers may lie from the network's.
const TOLERANCE: f64 = 1e-4;

/// Writes a network as a module, loads it again and compares its answers; `about` goes into the extra file.
///
/// # Errors
/// A network with weights that are not finite, a file that cannot be written, answers that differ.
pub fn write(net: &Net, path: &Path, about: &str) -> Result<(), NetError> {
    let folded = Folded::new(net, Kind::Float, Device::Cpu)?;
    save_script(&Script::of(&folded)?, path, about)?;
    let module = CModule::load(path)?;
    let shape = folded.plane_shape();
    let size = [TRIAL_ROWS, shape.channels as i64, shape.rows as i64, shape.columns as i64];
    // Numbers in [0, 1] that differ from square to square; which ones they are does not matter.
    let count: i64 = size.iter().product();
    let planes = Tensor::f_arange(count, (Kind::Float, Device::Cpu))?.f_sin()?.f_abs()?.f_view(size)?;
    let (wanted, found) = no_grad(|| -> Result<_, NetError> {
        Ok((folded.forward(&planes)?, module.forward_is(&[IValue::Tensor(planes.shallow_clone())])?))
    })?;
    let IValue::Tuple(found) = found else {
        return Err(NetError::Module("the exported module does not answer with a tuple".to_string()));
    };
    let wanted = [wanted.policy, wanted.result, wanted.margin];
    if found.len() != wanted.len() {
        return Err(NetError::Module(format!("the exported module has {} answers", found.len())));
    }
    for (wanted, found) in wanted.iter().zip(found) {
        let IValue::Tensor(found) = found else {
            return Err(NetError::Module("an answer of the exported module is no tensor".to_string()));
        };
        let difference = wanted.f_sub(&found)?.f_abs()?.f_max()?.f_double_value(&[])?;
        // Also refuses a difference that is not a number.
        if difference.is_nan() || difference > TOLERANCE {
            let message = format!("the exported module's answers differ from the network's by {difference}");
            return Err(NetError::Module(message));
        }
    }
    Ok(())
}
