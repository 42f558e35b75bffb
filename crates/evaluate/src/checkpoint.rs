//! Checkpoints as players.

use crate::failure::Failure;
use arena::learning::LearningGame;
use arena::matches::NetworkPlayer;
use net::checkpoint::{self, CheckpointError};
use net::{CheckpointState, Device, Expected, InferenceModel, Net, Plan, Precision};
use search::SearchConfig;
use selfplay::Evaluator;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use toml::{Table, Value};

/// A checkpoint whose state has been read, and not yet its network.
pub struct Checkpoint {
    /// Its directory.
    pub directory: PathBuf,
    /// What it says of itself.
    pub state: CheckpointState,
    /// How its run searched; the defaults where the run's config is gone.
    pub search: SearchConfig,
}

impl Checkpoint {
    /// The checkpoint at a path, or the newest one of the run at it.
    ///
    /// # Errors
    /// What is missing or cannot be read, in a line.
    pub fn find(path: &Path) -> Result<Checkpoint, String> {
        let directory = if path.join("state.json").is_file() { path.to_owned() } else { newest(path)? };
        let state = checkpoint::read_state(&directory).map_err(|error| error.to_string())?;
        let search = run_search(&directory)?;
        Ok(Checkpoint { directory, state, search })
    }

    /// Why it cannot play this game under these rules, if it cannot.
    pub fn misfit(&self, expected: &Expected) -> Option<String> {
        let fault = checkpoint::check(&self.directory, &self.state, expected).err()?;
        let (own, wanted) = (&self.state.identity.game, &expected.identity.game);
        if own != wanted {
            // Other shapes follow from that.
            let directory = self.directory.display();
            return Some(format!(
                "checkpoint {directory} does not fit: it plays the game '{own}', wanted is '{wanted}'"
            ));
        }
        let shapes = (self.state.planes, self.state.policy) == (expected.planes, expected.policy);
        // Nothing helps against other shapes.
        let mend = if shapes { "; --allow-other-rules lets it play all the same" } else { "" };
        Some(format!("{fault}{mend}"))
    }

    /// Its rules as options over any preset.
    pub fn rule_options(&self) -> Vec<(String, Value)> {
        let table = Table::try_from(&self.state.identity.rules).unwrap_or_default();
        table.into_iter().collect()
    }
}

/// The newest checkpoint of a run: the one with the largest number.
fn newest(run: &Path) -> Result<PathBuf, String> {
    let newest = numbered(run)?.pop();
    newest.map(|(_, path)| path).ok_or_else(|| format!("{}: the run has no checkpoint yet", run.display()))
}

/// All checkpoints of a run by their numbers, the oldest first; at least one.
///
/// # Errors
/// A directory that is no run, or a run without checkpoints, in a line.
pub fn numbered(run: &Path) -> Result<Vec<(u64, PathBuf)>, String> {
    let fault = |why: &str| Err(format!("{}: {why}", run.display()));
    let Ok(entries) = std::fs::read_dir(run.join("checkpoints")) else {
        return fault("neither a checkpoint (no state.json) nor a run directory (no checkpoints in it)");
    };
    let number = |path: &Path| path.file_name()?.to_str()?.parse::<u64>().ok();
    let mut numbered: Vec<(u64, PathBuf)> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter_map(|path| number(&path).map(|number| (number, path)))
        .collect();
    numbered.sort();
    if numbered.is_empty() { fault("the run has no checkpoint yet") } else { Ok(numbered) }
}

/// The search of the run that a checkpoint lies in (`RUN/checkpoints/N`).
fn run_search(directory: &Path) -> Result<SearchConfig, String> {
    let Some(path) = directory.ancestors().nth(2).map(|run| run.join("config.toml")) else {
        return Ok(SearchConfig::default());
    };
    let fault = |why: String| format!("{}: {why}", path.display());
    let text = match files::read_text(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(SearchConfig::default()),
        Err(error) => return Err(fault(error.to_string())),
    };
    let table: Table = text.parse().map_err(|error: toml::de::Error| fault(error.message().to_owned()))?;
    let Some(search) = table.get("search") else { return Ok(SearchConfig::default()) };
    let search: SearchConfig = search
        .clone()
        .try_into()
        .map_err(|error: toml::de::Error| fault(format!("search: {}", error.message())))?;
    search.check().map_err(|faults| fault(format!("search: {faults}")))?;
    Ok(search)
}

/// Makes players of checkpoints.
pub struct Loader<'a> {
    device: Device,
    precision: Precision,
    expected: &'a Expected,
    game: &'a dyn LearningGame,
    /// What was chosen, a line for each network.
    pub remarks: Vec<String>,
}

impl<'a> Loader<'a> {
    /// A loader for networks of a game on a device.
    pub fn new(
        device: Device,
        precision: Precision,
        expected: &'a Expected,
        game: &'a dyn LearningGame,
    ) -> Loader<'a> {
        Loader { device, precision, expected, game, remarks: Vec::new() }
    }

    /// Reads a checkpoint's network and makes it ready to play.
    ///
    /// # Errors
    /// A checkpoint that is damaged or for something else; LibTorch's own errors.
    pub fn player(&mut self, checkpoint: &Checkpoint, simulations: u32) -> Result<NetworkPlayer, Failure> {
        self.load(checkpoint, simulations, &format!("{simulations} simulations"), 0)
    }

    /// The same for a player whose turns have time; `budget` says in words what limits them.
    ///
    /// # Errors
    /// As [`Loader::player`].
    pub fn timed_player(&mut self, checkpoint: &Checkpoint, budget: &str) -> Result<NetworkPlayer, Failure> {
        // It asks for one position at a time, and its first turn does not pay for what is compiled.
        self.load(checkpoint, 0, budget, 1)
    }

    fn load(
        &mut self,
        checkpoint: &Checkpoint,
        simulations: u32,
        budget: &str,
        prepared_rows: usize,
    ) -> Result<NetworkPlayer, Failure> {
        let directory = &checkpoint.directory;
        let (net, _) = checkpoint::load_net(directory, Some(self.expected)).map_err(|error| match error {
            CheckpointError::Net(error) => Failure::work(error),
            error => Failure::input(error),
        })?;
        self.ready(
            &net,
            &format!("{}: {budget}", directory.display()),
            checkpoint,
            simulations,
            prepared_rows,
        )
    }

    /// An untrained network of the same shape, which searches in the same way.
    ///
    /// # Errors
    /// LibTorch's own errors.
    pub fn untrained(
        &mut self,
        checkpoint: &Checkpoint,
        simulations: u32,
        seed: u64,
    ) -> Result<NetworkPlayer, Failure> {
        let state = &checkpoint.state;
        let net = Net::new(&state.net, state.planes, state.policy, seed).map_err(Failure::work)?;
        self.ready(&net, &format!("untrained: {simulations} simulations"), checkpoint, simulations, 0)
    }

    fn ready(
        &mut self,
        net: &Net,
        words: &str,
        checkpoint: &Checkpoint,
        simulations: u32,
        prepared_rows: usize,
    ) -> Result<NetworkPlayer, Failure> {
        let plan = Plan::choose(net, self.precision, self.device)
            .map_err(Failure::work)?
            .calibrated(|| self.game.calibration_batch());
        let model = InferenceModel::new(net, &plan).map_err(Failure::work)?;
        model.prepare(prepared_rows).map_err(Failure::work)?;
        self.remarks.push(format!("{words}, {plan}"));
        // One lock around a model that threads ask for their evaluators once.
        let model = Mutex::new(model);
        let make_evaluator = Box::new(move || {
            let model = model.lock().unwrap_or_else(PoisonError::into_inner);
            Ok(Box::new(model.evaluator()) as Box<dyn Evaluator>)
        });
        Ok(NetworkPlayer { make_evaluator, search: checkpoint.search.clone(), simulations })
    }
}
