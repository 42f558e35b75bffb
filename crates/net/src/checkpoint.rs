//! Checkpoints: a directory `{weights.safetensors, optimizer.safetensors, state.json}`, complete or absent.
//!
//! `weights.safetensors` holds the network that plays (the average where there is one), by the names of
//! [`Net::specs`]; it and `state.json` are all that playing needs. `optimizer.safetensors` holds what only
//! training needs: the optimiser's moments (`mean/NAME`, `square/NAME`) and, where the network that plays is
//! an average, the weights being trained (`trained/NAME`). All tensors are little-endian 32-bit numbers and
//! any safetensors library reads them. `state.json` is a [`CheckpointState`] with a checksum of its own
//! (crate `files`, `sealed`). Nothing of a checkpoint is believed before it is checked: neither a size
//! nor that a number is one.

use crate::average::Average;
use crate::config::{Averaging, NetConfig, TrainerConfig};
use crate::error::NetError;
use crate::files;
use crate::network::{Net, shape_faults};
use crate::optimizer::AdamW;
use crate::tensors::{self, Role, TensorSpec};
use crate::trainer::Trainer;
use ::files::sealed::{self, VersionError};
use game::{PlaneShape, PolicyShape};
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use tch::{Device, Tensor};

/// Version of `state.json` and of the tensors' names. Version 1, whose `state.json` has no checksum of its own,
/// is read too.
pub const SCHEMA: u32 = 2;
/// The version since which `state.json` has one.
const SEALED: u64 = 2;
const WEIGHTS: &str = "weights.safetensors";
const OPTIMIZER: &str = "optimizer.safetensors";
const STATE: &str = "state.json";
const MEAN: &str = "mean/";
const SQUARE: &str = "square/";
const TRAINED: &str = "trained/";

/// Which game a network plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// Name of the game.
    pub game: String,
    /// Its rules with all options.
    pub rules: serde_json::Value,
}

/// Contents of `state.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckpointState {
    /// [`SCHEMA`], or that of the program that wrote it.
    pub schema: u32,
    /// Game and rules.
    pub identity: Identity,
    /// Shape of the planes.
    pub planes: PlaneShape,
    /// Shape of the policy.
    pub policy: PolicyShape,
    /// Sizes of the network.
    pub net: NetConfig,
    /// Optimisation steps so far.
    pub optimizer_steps: u64,
    /// Updates of the average so far; `None` where the weights being trained play.
    pub average_updates: Option<u64>,
    /// The trainer's counters (cycles, games, samples and so on).
    pub counters: BTreeMap<String, u64>,
    /// Anything else the trainer wants back when it resumes.
    pub extra: serde_json::Value,
    /// BLAKE3 checksum of `weights.safetensors`, hexadecimal.
    pub weights_blake3: String,
    /// BLAKE3 checksum of `optimizer.safetensors`, hexadecimal.
    pub optimizer_blake3: String,
}

/// How strictly rules must agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RulesCheck {
    /// The same game with the same options.
    #[default]
    Same,
    /// The same game and the same shapes; other options are allowed.
    AnyOptions,
}

/// What a checkpoint must be for.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// Game and rules.
    pub identity: Identity,
    /// Shape of the planes.
    pub planes: PlaneShape,
    /// Shape of the policy.
    pub policy: PolicyShape,
    /// How strictly the rules must agree.
    pub rules_check: RulesCheck,
}

/// Why a checkpoint cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file or directory.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A file is damaged or not of this format; all faults at once.
    #[error("checkpoint {}: {}", directory.display(), faults.join("; "))]
    Damaged {
        /// The checkpoint.
        directory: PathBuf,
        /// What is wrong, each with its file.
        faults: Vec<String>,
    },
    /// The checkpoint is sound but for something else; all differences at once.
    #[error("checkpoint {} does not fit: {}", directory.display(), faults.join("; "))]
    Mismatch {
        /// The checkpoint.
        directory: PathBuf,
        /// The differences: what it has and what is wanted.
        faults: Vec<String>,
    },
    /// The network itself failed.
    #[error(transparent)]
    Net(#[from] NetError),
}

impl From<tch::TchError> for CheckpointError {
    fn from(error: tch::TchError) -> CheckpointError {
        CheckpointError::Net(error.into())
    }
}

/// Writes a checkpoint of a trainer into a new directory.
///
/// # Errors
/// [`CheckpointError::File`] when it cannot be written or exists already; nothing half-written stays.
pub fn save(
    directory: &Path,
    trainer: &Trainer,
    identity: &Identity,
    counters: &BTreeMap<String, u64>,
    extra: &serde_json::Value,
) -> Result<CheckpointState, CheckpointError> {
    let play = trainer.play_net();
    let weights = named(play.specs().iter().map(|spec| spec.name.clone()), play.tensors())?;
    let mut training = Vec::new();
    let learned = trainer.net.learned();
    let names = learned.iter().map(|&index| trainer.net.specs()[index].name.as_str());
    for (name, (mean, square)) in names.zip(&trainer.optimizer.moments) {
        training.push((format!("{MEAN}{name}"), HostTensor::of(mean)?));
        training.push((format!("{SQUARE}{name}"), HostTensor::of(square)?));
    }
    if trainer.average.is_some() {
        let names = trainer.net.specs().iter().map(|spec| format!("{TRAINED}{}", spec.name));
        training.extend(named(names, trainer.net.tensors())?);
    }
    let weights = serialize(directory, &weights)?;
    let training = serialize(directory, &training)?;
    let state = CheckpointState {
        schema: SCHEMA,
        identity: identity.clone(),
        planes: play.plane_shape(),
        policy: play.policy_shape(),
        net: play.config().clone(),
        optimizer_steps: trainer.optimizer.steps(),
        average_updates: trainer.average.as_ref().map(Average::updates),
        counters: counters.clone(),
        extra: extra.clone(),
        weights_blake3: blake3::hash(&weights).to_string(),
        optimizer_blake3: blake3::hash(&training).to_string(),
    };
    let json = sealed::write(&state)
        .map_err(|error| damaged(directory, vec![format!("{STATE} cannot be written: {error}")]))?;
    files::write_directory(directory, &[(WEIGHTS, &weights), (OPTIMIZER, &training), (STATE, &json)])
        .map_err(|error| CheckpointError::File { path: directory.to_path_buf(), error })?;
    Ok(state)
}

/// Reads `state.json` alone, strictly.
pub fn read_state(directory: &Path) -> Result<CheckpointState, CheckpointError> {
    let bytes = read(&directory.join(STATE))?;
    let text = sealed::open_version(&bytes, SEALED, SCHEMA.into()).map_err(|error| match error {
        VersionError::Other { .. } => CheckpointError::Mismatch {
            directory: directory.to_path_buf(),
            faults: vec![format!("{STATE} {error}")],
        },
        error => damaged(directory, vec![format!("{STATE}: {error}")]),
    })?;
    serde_json::from_slice(&text).map_err(|error| damaged(directory, vec![format!("{STATE}: {error}")]))
}

/// Reads the network that plays. With `expected`, a checkpoint of another game, other rules or other
/// shapes is refused.
pub fn load_net(
    directory: &Path,
    expected: Option<&Expected>,
) -> Result<(Net, CheckpointState), CheckpointError> {
    let state = read_state(directory)?;
    if let Some(expected) = expected {
        check(directory, &state, expected)?;
    }
    let specs = specs(directory, &state)?;
    let wanted = specs.iter().map(|spec| (spec.name.clone(), spec)).collect();
    let tensors = read_tensors(directory, WEIGHTS, &state.weights_blake3, wanted)?;
    let net = Net::with_tensors(&state.net, state.planes, state.policy, tensors)?;
    Ok((net, state))
}

/// Reads everything, so that training goes on exactly where it stopped. `config` may change everything
/// but whether the weights that play are an average.
pub fn load_trainer(
    directory: &Path,
    config: &TrainerConfig,
    device: Device,
    expected: Option<&Expected>,
) -> Result<(Trainer, CheckpointState), CheckpointError> {
    let faults = config.faults();
    if !faults.is_empty() {
        return Err(NetError::Config(faults).into());
    }
    let (play, state) = load_net(directory, expected)?;
    let decay = match (config.averaging, state.average_updates) {
        (Averaging::None, None) => None,
        (Averaging::Exponential { decay }, Some(updates)) => Some((decay, updates)),
        (Averaging::None, Some(_)) => return Err(averaging_mismatch(directory, "with", "without")),
        (Averaging::Exponential { .. }, None) => {
            return Err(averaging_mismatch(directory, "without", "with"));
        }
    };
    let learned: Vec<&TensorSpec> = play.specs().iter().filter(|spec| spec.role.learned()).collect();
    let mut wanted: Vec<(String, &TensorSpec)> = Vec::new();
    for spec in &learned {
        wanted.push((format!("{MEAN}{}", spec.name), spec));
        wanted.push((format!("{SQUARE}{}", spec.name), spec));
    }
    if decay.is_some() {
        wanted.extend(play.specs().iter().map(|spec| (format!("{TRAINED}{}", spec.name), spec)));
    }
    let mut tensors = Vec::new();
    for tensor in read_tensors(directory, OPTIMIZER, &state.optimizer_blake3, wanted)? {
        tensors.push(tensor.f_to_device(device)?);
    }
    let trained = tensors.split_off(2 * learned.len());
    let mut moments = Vec::new();
    let mut tensors = tensors.into_iter();
    while let (Some(mean), Some(square)) = (tensors.next(), tensors.next()) {
        moments.push((mean, square));
    }
    let play = play.copy_to(device)?;
    let (net, average) = match decay {
        Some((decay, updates)) => (play.holding(trained), Some(Average::resume(play, decay, updates))),
        None => (play, None),
    };
    let optimizer = AdamW::resume(&config.optimizer, state.optimizer_steps, moments);
    Ok((Trainer::assemble(config, net, optimizer, average, device)?, state))
}

/// Refuses a checkpoint that is for something else.
pub fn check(directory: &Path, state: &CheckpointState, expected: &Expected) -> Result<(), CheckpointError> {
    let mut faults = Vec::new();
    let (found, wanted) = (&state.identity, &expected.identity);
    if found.game != wanted.game {
        faults.push(format!("it plays the game '{}', wanted is '{}'", found.game, wanted.game));
    } else if expected.rules_check == RulesCheck::Same {
        differences("rules", &found.rules, &wanted.rules, &mut faults);
    }
    if state.planes != expected.planes {
        faults.push(format!(
            "it reads {}, wanted are {}",
            planes_text(state.planes),
            planes_text(expected.planes)
        ));
    }
    if state.policy != expected.policy {
        let (found, wanted) = (policy_text(state.policy), policy_text(expected.policy));
        faults.push(format!("it answers {found}, wanted are {wanted}"));
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(CheckpointError::Mismatch { directory: directory.to_path_buf(), faults })
    }
}

fn planes_text(shape: PlaneShape) -> String {
    format!("{} planes of {} rows and {} columns", shape.channels, shape.rows, shape.columns)
}

fn policy_text(shape: PolicyShape) -> String {
    let PolicyShape { squares, planes, cells_per_step } = shape;
    format!("{planes} policy planes on {squares} squares with {cells_per_step} cells a step")
}

/// Names every option that differs.
fn differences(path: &str, found: &serde_json::Value, wanted: &serde_json::Value, faults: &mut Vec<String>) {
    use serde_json::Value;
    match (found, wanted) {
        (Value::Object(found), Value::Object(wanted)) => {
            let mut keys: Vec<&String> = found.keys().chain(wanted.keys()).collect();
            keys.sort();
            keys.dedup();
            for key in keys {
                let path = format!("{path}.{key}");
                match (found.get(key), wanted.get(key)) {
                    (Some(found), Some(wanted)) => differences(&path, found, wanted, faults),
                    (Some(found), None) => faults.push(format!("{path} is {found}, wanted is none")),
                    (None, Some(wanted)) => faults.push(format!("{path} is missing, wanted is {wanted}")),
                    (None, None) => {}
                }
            }
        }
        _ if found == wanted => {}
        _ => faults.push(format!("{path} is {found}, wanted is {wanted}")),
    }
}

fn averaging_mismatch(directory: &Path, has: &str, wants: &str) -> CheckpointError {
    let fault = format!(
        "it was trained {has} an average of the weights, the configuration is {wants} one (averaging)"
    );
    CheckpointError::Mismatch { directory: directory.to_path_buf(), faults: vec![fault] }
}

fn damaged(directory: &Path, faults: Vec<String>) -> CheckpointError {
    CheckpointError::Damaged { directory: directory.to_path_buf(), faults }
}

/// The tensors that `state.json` promises.
fn specs(directory: &Path, state: &CheckpointState) -> Result<Vec<TensorSpec>, CheckpointError> {
    let mut faults: Vec<String> =
        state.net.faults().iter().map(|fault| format!("{STATE}: net.{fault}")).collect();
    faults.extend(shape_faults(state.planes, state.policy).iter().map(|fault| format!("{STATE}: {fault}")));
    if faults.is_empty() {
        Ok(tensors::specs(&state.net, state.planes, state.policy))
    } else {
        Err(damaged(directory, faults))
    }
}

fn read(path: &Path) -> Result<Vec<u8>, CheckpointError> {
    ::files::read(path).map_err(|error| CheckpointError::File { path: path.to_path_buf(), error })
}

/// Reads a file of tensors: its checksum, exactly the wanted names, shapes and kinds, and numbers that can be
/// computed with.
fn read_tensors(
    directory: &Path,
    file: &str,
    checksum: &str,
    wanted: Vec<(String, &TensorSpec)>,
) -> Result<Vec<Tensor>, CheckpointError> {
    let bytes = read(&directory.join(file))?;
    let found = blake3::hash(&bytes).to_string();
    if found != checksum {
        let fault = format!("{file} is damaged: its checksum is {found}, {STATE} says {checksum}");
        return Err(damaged(directory, vec![fault]));
    }
    let views = SafeTensors::deserialize(&bytes)
        .map_err(|error| damaged(directory, vec![format!("{file} is not a safetensors file: {error}")]))?;
    let mut left: HashMap<String, TensorView<'_>> = views.tensors().into_iter().collect();
    let mut faults = Vec::new();
    let mut tensors = Vec::new();
    for (name, spec) in wanted {
        let Some(view) = left.remove(&name) else {
            faults.push(format!("{file} lacks the tensor '{name}'"));
            continue;
        };
        let shape: Vec<i64> = view.shape().iter().map(|&size| size as i64).collect();
        if view.dtype() != Dtype::F32 {
            faults.push(format!("{file}: '{name}' is of kind {:?}, should be F32", view.dtype()));
        } else if shape != spec.shape {
            faults.push(format!("{file}: '{name}' has shape {shape:?}, should have {:?}", spec.shape));
        } else if let Some(fault) = number_fault(view.data(), may_be_negative(&name, spec)) {
            faults.push(format!("{file}: '{name}' {fault}"));
        } else {
            tensors.push(Tensor::f_from_data_size(view.data(), &shape, tch::Kind::Float)?);
        }
    }
    let mut strangers: Vec<String> = left.into_keys().collect();
    strangers.sort();
    faults.extend(strangers.into_iter().map(|name| format!("{file} has an unknown tensor '{name}'")));
    if faults.is_empty() { Ok(tensors) } else { Err(damaged(directory, faults)) }
}

/// Whether a tensor may hold numbers below 0: means of squares may not, their roots are taken.
fn may_be_negative(name: &str, spec: &TensorSpec) -> bool {
    let is_variance = spec.role == Role::RunningVariance;
    !(is_variance || name.starts_with(SQUARE))
}

/// What is wrong with the little-endian 32-bit numbers of a tensor, if anything is.
fn number_fault(bytes: &[u8], may_be_negative: bool) -> Option<&'static str> {
    let (numbers, _) = bytes.as_chunks::<4>();
    let numbers = || numbers.iter().map(|&number| f32::from_le_bytes(number));
    if numbers().any(|number| !number.is_finite()) {
        return Some("holds a number that is not finite");
    }
    (!may_be_negative && numbers().any(|number| number < 0.0)).then_some("holds a square below 0")
}

/// A tensor's numbers on the host.
struct HostTensor {
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

impl HostTensor {
    fn of(tensor: &Tensor) -> Result<HostTensor, NetError> {
        let tensor = tensor.detach().f_to_device(Device::Cpu)?.f_contiguous()?;
        let shape = tensor.size().into_iter().map(|size| size as usize).collect();
        let numbers = Vec::<f32>::try_from(tensor.f_reshape([-1])?)?;
        Ok(HostTensor { shape, bytes: numbers.into_iter().flat_map(f32::to_le_bytes).collect() })
    }
}

fn named(
    names: impl Iterator<Item = String>,
    tensors: &[Tensor],
) -> Result<Vec<(String, HostTensor)>, NetError> {
    names.zip(tensors).map(|(name, tensor)| Ok((name, HostTensor::of(tensor)?))).collect()
}

fn serialize(directory: &Path, tensors: &[(String, HostTensor)]) -> Result<Vec<u8>, CheckpointError> {
    let fault = |error| damaged(directory, vec![format!("the tensors cannot be written: {error}")]);
    let mut views = Vec::new();
    for (name, tensor) in tensors {
        let view = TensorView::new(Dtype::F32, tensor.shape.clone(), &tensor.bytes).map_err(fault)?;
        views.push((name.as_str(), view));
    }
    let metadata = HashMap::from([("format".to_string(), "pt".to_string())]);
    safetensors::serialize(views, Some(metadata)).map_err(fault)
}
