//! Networks as deployment policies, and their checkpoints.

use deployments::learned::{
    Answers, Batch, CHANNELS, LearnConfig, Learned, Learner, Policy, PolicyError, SQUARES,
};
use evaluate::failure::Failure;
use game::{PlaneShape, PolicyShape};
use net::checkpoint::{self, CheckpointError};
use net::policy_gradient::GradientBatch;
use net::{
    AdamWConfig, Averaging, CheckpointState, Device, Expected, Identity, Net, NetConfig, NetError,
    PolicyHead, RulesCheck, Threads, Trainer, TrainerConfig,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Name of the directory of checkpoints in a run.
pub const CHECKPOINTS: &str = "checkpoints";
/// What such networks play.
const GAME: &str = "commander-deployment";
/// The own half, rank by rank from the own edge.
const PLANES: PlaneShape = PlaneShape { channels: CHANNELS, rows: SQUARES / 11, columns: 11 };
const POLICY: PolicyShape = PolicyShape { squares: SQUARES, planes: 1, cells_per_step: 1 };
/// Pieces of a batch: what comes out depends on this number and not on threads.
const PIECES: usize = 4;
/// What being wrong about the score counts beside the policy.
const EXPECTATION_WEIGHT: f64 = 0.5;

/// A network that places pieces.
pub struct NetworkPolicy {
    net: Net,
    threads: Arc<Threads>,
}

/// A network that learns to.
pub struct NetworkLearner {
    /// The network with its optimiser.
    pub trainer: Trainer,
}

fn fault(error: NetError) -> PolicyError {
    PolicyError(error.to_string())
}

fn answer(net: &Net, planes: &[f32], rows: usize, threads: &Threads) -> Result<Answers, PolicyError> {
    let (logits, expected) = net.cells_and_scores(planes, rows, threads).map_err(fault)?;
    Ok(Answers { logits, expected })
}

impl Policy for NetworkPolicy {
    fn answer(&self, planes: &[f32], rows: usize) -> Result<Answers, PolicyError> {
        answer(&self.net, planes, rows, &self.threads)
    }
}

impl Policy for NetworkLearner {
    fn answer(&self, planes: &[f32], rows: usize) -> Result<Answers, PolicyError> {
        answer(self.trainer.net(), planes, rows, self.trainer.threads())
    }
}

impl Learner for NetworkLearner {
    fn learn(&mut self, batch: &Batch, learning_rate: f64) -> Result<Learned, PolicyError> {
        let rows = GradientBatch {
            planes: &batch.planes,
            open: &batch.open,
            chosen: &batch.chosen,
            advantages: &batch.advantages,
            scores: &batch.scores,
            entropy_weight: batch.entropy_weight,
            expectation_weight: EXPECTATION_WEIGHT,
        };
        let found = self.trainer.policy_gradient_step(&rows, learning_rate).map_err(fault)?;
        Ok(Learned {
            policy_loss: found.policy_loss,
            expectation_loss: found.expectation_loss,
            entropy: found.entropy,
            gradient_norm: found.gradient_norm,
        })
    }

    fn snapshot(&self) -> Result<Box<dyn Policy>, PolicyError> {
        let net = self.trainer.net();
        let net = net.copy_to(net.device()).map_err(fault)?;
        Ok(Box::new(NetworkPolicy { net, threads: Arc::clone(self.trainer.threads()) }))
    }
}

impl NetworkLearner {
    /// A network that has learned nothing: every open point is about equally likely.
    ///
    /// # Errors
    /// A network that cannot be made.
    pub fn new(config: &LearnConfig, device: Device, threads: usize) -> Result<NetworkLearner, Failure> {
        let channels = config.network.channels as usize;
        let sizes = NetConfig {
            blocks: config.network.blocks as usize,
            channels,
            pooling_every: 1,
            pooling_channels: (channels / 2).max(1),
            policy_channels: channels.min(512),
            // A choice is one cell.
            policy_head: PolicyHead::Cells,
            value_channels: channels.min(512),
            value_hidden: 64,
            auxiliary: Vec::new(),
        };
        let net = Net::new(&sizes, PLANES, POLICY, config.seed).map_err(Failure::work)?;
        let trainer = Trainer::new(&net, &settings(config, threads), device).map_err(Failure::work)?;
        Ok(NetworkLearner { trainer })
    }

    /// One from a checkpoint, with what was kept beside it.
    ///
    /// # Errors
    /// Checkpoints that are damaged or for something else.
    pub fn open(
        directory: &Path,
        config: &LearnConfig,
        rules: &serde_json::Value,
        device: Device,
        threads: usize,
    ) -> Result<(NetworkLearner, CheckpointState), Failure> {
        let (trainer, state) =
            checkpoint::load_trainer(directory, &settings(config, threads), device, Some(&expected(rules)))
                .map_err(refused)?;
        Ok((NetworkLearner { trainer }, state))
    }
}

impl NetworkPolicy {
    /// The newest policy of a run, or that of a checkpoint, under the rules of a game.
    ///
    /// # Errors
    /// Directories without a policy, and checkpoints that are damaged, for something else, or of another update than
    /// their directory says.
    pub fn open(
        directory: &Path,
        rules: &serde_json::Value,
        device: Device,
        threads: &Arc<Threads>,
    ) -> Result<(NetworkPolicy, CheckpointState), Failure> {
        let place = newest(directory)?;
        let (net, state) = checkpoint::load_net(&place, Some(&expected(rules))).map_err(refused)?;
        let number = place.file_name().and_then(|name| name.to_str()?.parse::<u64>().ok());
        let found = state.counters.get("updates").copied();
        if let (Some(number), Some(found)) = (number, found)
            && number != found
        {
            return Err(Failure::input(format!(
                "{}: holds the policy after {found} updates, not {number}: another checkpoint was put in its place",
                place.display()
            )));
        }
        let net = net.copy_to(device).map_err(Failure::work)?;
        Ok((NetworkPolicy { net, threads: Arc::clone(threads) }, state))
    }
}

/// Game and rules of a policy.
pub fn identity(rules: &serde_json::Value) -> Identity {
    Identity { game: GAME.to_owned(), rules: rules.clone() }
}

/// The rules that a checkpoint of a policy was made for.
///
/// # Errors
/// Directories without a policy.
pub fn rules_of(directory: &Path) -> Result<serde_json::Value, Failure> {
    let place = newest(directory)?;
    let state = checkpoint::read_state(&place).map_err(refused)?;
    match state.identity.game == GAME {
        true => Ok(state.identity.rules),
        false => {
            let game = state.identity.game;
            Err(Failure::input(format!(
                "{}: plays {game}, expected the run of a deployment policy",
                place.display()
            )))
        }
    }
}

/// The newest checkpoint of a run, or the directory itself where it is a checkpoint.
fn newest(directory: &Path) -> Result<PathBuf, Failure> {
    let newest = checkpoints(directory)?.into_iter().next_back();
    Ok(newest.map_or_else(|| directory.to_owned(), |updates| path(directory, updates)))
}

/// The checkpoint of a run after so many updates.
pub fn path(run: &Path, updates: u64) -> PathBuf {
    run.join(CHECKPOINTS).join(format!("{updates:06}"))
}

/// The checkpoints of a run, by their updates; empty where there is no such directory.
///
/// # Errors
/// Any error of the file system but that.
pub fn checkpoints(run: &Path) -> Result<Vec<u64>, Failure> {
    let directory = run.join(CHECKPOINTS);
    let entries = match std::fs::read_dir(&directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Failure::path(&directory, &error)),
    };
    let mut found: Vec<u64> =
        entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect();
    found.sort_unstable();
    Ok(found)
}

/// A checkpoint's error as a command's.
pub fn refused(error: CheckpointError) -> Failure {
    match error {
        CheckpointError::Net(error) => Failure::work(error),
        error => Failure::input(error),
    }
}

fn settings(config: &LearnConfig, threads: usize) -> TrainerConfig {
    TrainerConfig {
        optimizer: AdamWConfig { weight_decay: config.optimizer.weight_decay, ..AdamWConfig::default() },
        clip_norm: config.optimizer.clip_norm,
        averaging: Averaging::None,
        pieces: PIECES,
        threads: threads.clamp(1, PIECES),
        ..TrainerConfig::default()
    }
}

fn expected(rules: &serde_json::Value) -> Expected {
    Expected { identity: identity(rules), planes: PLANES, policy: POLICY, rules_check: RulesCheck::Same }
}
