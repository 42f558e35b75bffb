//! Section `[inference]`: how networks are run in play and evaluation.

use super::TrainConfig;
use crate::failure::Failure;
use net::{Device, DeviceChoice, Precision};
use serde::{Deserialize, Serialize};

/// How networks are run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct InferenceConfig {
    /// Numbers of the network in self-play and in the ladder's matches: `auto` takes what is fastest on this
    /// machine. `int8`, which `auto` never takes, is calibrated at each publish on positions of the replay window,
    /// or of random games while that is small.
    pub precision: Precision,
}

impl TrainConfig {
    /// Opens the device that networks run on.
    ///
    /// # Errors
    /// [`Failure::Input`]: settings that do not go together with it or with this machine, all at once, or a device
    /// that cannot be had.
    pub fn open_device(&self, choice: DeviceChoice) -> Result<Device, Failure> {
        let mut faults = Vec::new();
        if self.deterministic && choice != DeviceChoice::Cpu {
            let fault = "--device cuda: deterministic mode is for the processor alone: leave --device out, or set \
                         deterministic = false";
            faults.push(fault.to_owned());
        }
        let precision = self.inference.precision;
        if let Some(fault) = precision.fault(choice) {
            faults.push(format!("inference.precision: found {precision}; {fault}"));
        }
        if faults.is_empty() {
            net::device::open(choice).map_err(Failure::input)
        } else {
            Err(Failure::input(faults.join("; ")))
        }
    }
}
