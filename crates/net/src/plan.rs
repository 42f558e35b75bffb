//! Which way of running networks suits this machine.

use crate::device::DeviceChoice;
use crate::error::NetError;
use crate::inference::InferenceModel;
use crate::network::Net;
use crate::quantised::has_int8_instructions;
use selfplay::evaluator::{Batch, Evaluator};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tch::{Device, Kind};

/// The user's choice of numbers for inference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// What is fastest here, see [`Plan::choose`].
    #[default]
    Auto,
    /// 32-bit numbers.
    Fp32,
    /// 16-bit brain floats. On a CPU without such instructions this is slower by a factor of ten and more.
    Bf16,
    /// 8-bit numbers ([`crate::quantised`]), on processors with instructions for them; never chosen by `auto`.
    Int8,
}

impl Precision {
    /// The kind of numbers; of `auto` those that every processor has, 32-bit ones.
    pub const fn kind(self) -> Kind {
        match self {
            Precision::Auto | Precision::Fp32 => Kind::Float,
            Precision::Bf16 => Kind::BFloat16,
            Precision::Int8 => Kind::QUInt8,
        }
    }

    /// Why networks cannot be run in these numbers here, and what can be done about it.
    pub fn fault(self, device: DeviceChoice) -> Option<&'static str> {
        match (self, device) {
            (Precision::Int8, DeviceChoice::Cuda) => Some(
                "8-bit numbers are for the processor alone: use auto, fp32 or bf16, or leave --device out",
            ),
            (Precision::Int8, DeviceChoice::Cpu) if !has_int8_instructions() => {
                Some("the processor has neither avx512_vnni nor avx_vnni: use auto, fp32 or bf16")
            }
            _ => None,
        }
    }
}

impl std::fmt::Display for Precision {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Precision::Auto => "auto",
            Precision::Fp32 => "fp32",
            Precision::Bf16 => "bf16",
            Precision::Int8 => "int8",
        })
    }
}

impl std::str::FromStr for Precision {
    type Err = String;

    fn from_str(text: &str) -> Result<Precision, String> {
        match text {
            "auto" => Ok(Precision::Auto),
            "fp32" => Ok(Precision::Fp32),
            "bf16" => Ok(Precision::Bf16),
            "int8" => Ok(Precision::Int8),
            _ => Err(format!("precision '{text}' is not known; it is auto, fp32, bf16 or int8")),
        }
    }
}

/// How a network is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Path {
    /// One LibTorch operation after the other; the only way on CUDA.
    Eager,
    /// As a frozen TorchScript module.
    Frozen,
    /// As a frozen module whose operations are fused and compiled by oneDNN.
    Fused,
}

/// How batches are cut into calls of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Rows {
    /// Into parts of a few sizes, the last one padded by little: fastest.
    Parts,
    /// Always into calls of this many rows, padded where a batch has fewer: every position is judged by the
    /// very same program.
    Fixed(usize),
}

/// How networks are run on this machine, and why.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The way.
    pub path: Path,
    /// The kind of numbers: [`Kind::Float`], [`Kind::BFloat16`] or, for 8-bit ones, [`Kind::QUInt8`].
    pub kind: Kind,
    /// Positions of the game that 8-bit numbers are calibrated on.
    pub positions: Option<Arc<Batch>>,
    /// The device.
    pub device: Device,
    /// How batches are cut.
    pub rows: Rows,
    /// Why, for the log.
    pub reason: String,
}

impl std::fmt::Display for Path {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Path::Eager => "eager",
            Path::Frozen => "frozen",
            Path::Fused => "fused",
        })
    }
}

impl std::fmt::Display for Plan {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (path, kind) = (self.path, self.precision());
        let device = if self.device == Device::Cpu { "cpu" } else { "cuda" };
        let rows = match self.rows {
            Rows::Parts => String::new(),
            Rows::Fixed(rows) => format!(" in calls of {rows} rows"),
        };
        write!(formatter, "{path} {kind} on {device}{rows} ({})", self.reason)
    }
}

/// Whether the processor multiplies 16-bit brain floats itself.
pub fn has_bf16_instructions() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::arch::is_x86_feature_detected!("avx512bf16")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

impl Plan {
    /// Its kind of numbers as a user would choose it.
    pub fn precision(&self) -> Precision {
        match self.kind {
            Kind::BFloat16 => Precision::Bf16,
            Kind::QUInt8 => Precision::Int8,
            _ => Precision::Fp32,
        }
    }

    /// The same with positions that 8-bit numbers are calibrated on, which nobody asks for with other numbers.
    pub fn calibrated(self, positions: impl FnOnce() -> Batch) -> Plan {
        let positions = (self.kind == Kind::QUInt8).then(|| Arc::new(positions()));
        Plan { positions, ..self }
    }

    /// A plan that is given, not chosen.
    pub fn fixed(path: Path, kind: Kind, device: Device) -> Plan {
        Plan { path, kind, device, positions: None, rows: Rows::Parts, reason: "as asked for".to_string() }
    }

    /// The plan of deterministic runs: fused on the CPU, with numbers and rows that are named. Nothing is
    /// measured, and nothing takes its place where it fails.
    ///
    /// # Errors
    /// [`NetError::Config`] for a precision that is not named, and for 8 bits, whose calibration depends on games.
    pub fn deterministic(precision: Precision, rows: usize) -> Result<Plan, NetError> {
        let kind = match precision {
            Precision::Fp32 => Kind::Float,
            Precision::Bf16 => Kind::BFloat16,
            Precision::Auto | Precision::Int8 => {
                return Err(NetError::Config(vec![format!("precision = {precision} must be fp32 or bf16")]));
            }
        };
        let reason = "deterministic mode".to_string();
        let rows = Rows::Fixed(rows.max(1));
        Ok(Plan { path: Path::Fused, kind, device: Device::Cpu, positions: None, rows, reason })
    }

    /// Chooses for networks of the size of `net`. Without bf16 instructions it is fused fp32; with them
    /// fused bf16 and fused fp32 are both run for a moment and the faster one is taken, since
    /// processors differ. A way that fails here is replaced by the next simpler one, and the reason
    /// says so. With a given precision the choice is the same every time; for 8 bits the plan lacks its
    /// positions ([`Plan::calibrated`]).
    ///
    /// # Errors
    /// Only if the simplest way fails too; [`NetError::Quantised`] where there are no 8-bit numbers.
    pub fn choose(net: &Net, precision: Precision, device: Device) -> Result<Plan, NetError> {
        if precision == Precision::Int8 {
            let choice = if device == Device::Cpu { DeviceChoice::Cpu } else { DeviceChoice::Cuda };
            return match precision.fault(choice) {
                Some(fault) => Err(NetError::Quantised(fault.to_string())),
                None => {
                    let reason = "precision int8 was asked for".to_string();
                    Ok(Plan { reason, ..Plan::fixed(Path::Fused, precision.kind(), device) })
                }
            };
        }
        if device != Device::Cpu {
            let kind = if precision == Precision::Bf16 { Kind::BFloat16 } else { Kind::Float };
            let reason = "CUDA device".to_string();
            return Ok(Plan { reason, ..Plan::fixed(Path::Eager, kind, device) });
        }
        let plan =
            |path, kind, reason: &str| Plan { reason: reason.to_string(), ..Plan::fixed(path, kind, device) };
        let mut failures = String::new();
        if precision != Precision::Fp32 && (precision == Precision::Bf16 || has_bf16_instructions()) {
            let half = plan(Path::Fused, Kind::BFloat16, "precision bf16 was asked for");
            match (precision, speed(net, &half)) {
                (Precision::Bf16, Ok(_)) if has_bf16_instructions() => return Ok(half),
                (Precision::Bf16, Ok(_)) => {
                    let reason = "precision bf16 was asked for, though this processor has no avx512_bf16";
                    return Ok(Plan { reason: reason.to_string(), ..half });
                }
                (Precision::Bf16, Err(error)) => return Err(error),
                (_, Ok(fast)) => {
                    let full = plan(Path::Fused, Kind::Float, "");
                    if let Ok(slow) = speed(net, &full) {
                        let reason = format!("measured {fast:.0} positions/s in bf16 and {slow:.0} in fp32");
                        return Ok(Plan { reason, ..if fast > slow { half } else { full } });
                    }
                    return Ok(Plan { reason: "the processor has avx512_bf16".to_string(), ..half });
                }
                (_, Err(error)) => failures = format!("; fused bf16 failed: {error}"),
            }
        }
        let reason = match precision {
            Precision::Fp32 => "precision fp32 was asked for",
            _ if has_bf16_instructions() => "32-bit numbers",
            _ => "the processor has no avx512_bf16",
        };
        for path in [Path::Fused, Path::Frozen, Path::Eager] {
            let plan = plan(path, Kind::Float, reason);
            match speed(net, &plan) {
                Ok(_) => return Ok(Plan { reason: format!("{reason}{failures}"), ..plan }),
                Err(error) if path == Path::Eager => return Err(error),
                Err(error) => failures.push_str(&format!("; {path:?} failed: {error}")),
            }
        }
        // The loop returns at its last path.
        Err(NetError::Module("no way of running the network works".to_string()))
    }
}

/// Rows of the batch that plans are compared with.
const TRIAL_ROWS: usize = 8;
const TRIAL_TIME: Duration = Duration::from_millis(100);

/// Positions per second for a moment: the best of several batches, since other processes only slow down.
fn speed(net: &Net, plan: &Plan) -> Result<f64, NetError> {
    let model = InferenceModel::with_sizes(net, plan, &[TRIAL_ROWS])?;
    let mut evaluator = model.evaluator();
    let mut batch = Batch::new(net.plane_shape(), net.policy_shape(), TRIAL_ROWS);
    let mut best = f64::INFINITY;
    let start = Instant::now();
    let planes = vec![0.5; net.plane_shape().len()];
    for _ in 0..TRIAL_ROWS {
        batch.push_numbers(&planes, &[]);
    }
    while start.elapsed() < TRIAL_TIME {
        let began = Instant::now();
        evaluator.evaluate(&mut batch).map_err(|error| NetError::Module(error.to_string()))?;
        best = best.min(began.elapsed().as_secs_f64());
    }
    Ok(TRIAL_ROWS as f64 / best)
}
