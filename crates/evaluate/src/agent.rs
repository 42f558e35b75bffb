//! One checkpoint and the game that it is asked about.

use crate::arguments::{MachineArguments, RulesArguments};
use crate::checkpoint::{Checkpoint, Loader};
use crate::failure::Failure;
use crate::rules::{expected, open_game};
use arena::games::AnyGame;
use arena::inspection::{Inspection, InspectionError, InspectionPlan};
use arena::matches::NetworkPlayer;
use arena::opponents::{OpponentSpec, TurnBudget};
use net::DeviceChoice;
use selfplay::Evaluator;

/// Positions that a thread searches side by side on a CPU.
const AT_ONCE_CPU: usize = 32;
/// The same on a GPU, which wants large batches.
const AT_ONCE_CUDA: usize = 512;

/// A checkpoint as written: its directory, and simulations if the text says them.
///
/// # Errors
/// A text that names no checkpoint, in words.
pub fn find(text: &str) -> Result<(Checkpoint, Option<u32>), String> {
    match OpponentSpec::parse(text).map_err(|fault| fault.to_string())? {
        OpponentSpec::Checkpoint { path, budget } => {
            let simulations = match budget {
                None => None,
                Some(TurnBudget::Count(simulations)) => Some(simulations),
                Some(TurnBudget::Time(_)) => {
                    return Err(format!("`{text}`: time is for matches; write simulations behind the @"));
                }
            };
            Ok((Checkpoint::find(&path)?, simulations))
        }
        OpponentSpec::Engine { .. } => {
            Err(format!("`{text}` is no network: engines play matches; name a run directory or a checkpoint"))
        }
        OpponentSpec::BuiltIn(opponent) => {
            Err(format!("`{opponent}` is no network: name a run directory or a checkpoint"))
        }
    }
}

/// A network ready to be asked about positions of a game.
pub struct Agent {
    /// The game.
    pub game: Box<dyn AnyGame>,
    /// The network and its search.
    pub player: NetworkPlayer,
    /// What the user should know, a line each.
    pub remarks: Vec<String>,
}

impl Agent {
    /// Opens a checkpoint for a game.
    ///
    /// # Errors
    /// Wrong input, all that can be seen at once named together; or a network that fails to work.
    pub fn open(
        text: &str,
        game: &str,
        simulations: u32,
        rules: &RulesArguments,
        machine: &MachineArguments,
    ) -> Result<Agent, Failure> {
        let found = find(text);
        let checkpoints: Vec<&Checkpoint> = found.iter().map(|(checkpoint, _)| checkpoint).collect();
        let (game, (checkpoint, own), remark) = match (open_game(game, rules, &checkpoints), found) {
            (Ok((game, remark)), Ok(found)) => (game, found, remark),
            (game, found) => {
                let faults = game
                    .err()
                    .map(|fault| fault.to_string())
                    .into_iter()
                    .chain(found.err())
                    .chain(machine.fault());
                return Err(Failure::input(faults.collect::<Vec<_>>().join("; ")));
            }
        };
        let expected = expected(&game.facts(), rules.check());
        if let Some(misfit) = checkpoint.misfit(&expected) {
            let faults: Vec<String> = [misfit].into_iter().chain(machine.fault()).collect();
            return Err(Failure::input(faults.join("; ")));
        }
        let device = machine.open()?;
        let mut loader = Loader::new(device, machine.precision, &expected, game.as_ref());
        let player = loader.player(&checkpoint, own.unwrap_or(simulations))?;
        let remarks = remark.into_iter().chain(loader.remarks).collect();
        Ok(Agent { game, player, remarks })
    }
}

/// Asks a network about positions; `None` stands for the start of the game.
///
/// # Errors
/// See [`InspectionError`]; [`InspectionError::Stopped`] when `stop` said so.
pub fn inspect(
    game: &dyn AnyGame,
    player: &NetworkPlayer,
    positions: &[Option<&str>],
    machine: &MachineArguments,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<Inspection>, InspectionError> {
    let threads = machine.threads().clamp(1, positions.len().max(1));
    let evaluators: Vec<Box<dyn Evaluator>> =
        (0..threads).map(|_| (player.make_evaluator)()).collect::<Result<_, _>>()?;
    let at_once = match machine.device {
        DeviceChoice::Cpu => AT_ONCE_CPU,
        DeviceChoice::Cuda => AT_ONCE_CUDA,
    };
    let plan = InspectionPlan { search: player.search.clone(), simulations: player.simulations, at_once };
    game.inspect(positions, evaluators, &plan, stop)
}
