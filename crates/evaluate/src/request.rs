//! What a command line asks for, checked.

use crate::arguments::MatchArguments;
use crate::checkpoint::{self, Checkpoint};
use crate::failure::Failure;
use crate::output::Format;
use crate::rules::{expected, open_game};
use arena::games::{AnyGame, GameFacts};
use arena::matches::{Contestant, MatchPlan, Names};
use arena::opponents::OpponentSpec;
use std::path::PathBuf;

/// Games that a thread plays side by side on a CPU, where batches of 8 rows run at nearly full speed:
/// more would only put off the end.
const GAMES_AT_ONCE_CPU: usize = 24;

/// The same on a GPU, which wants large batches.
const GAMES_AT_ONCE_CUDA: usize = 256;

/// A match, ready to be played.
pub struct MatchRequest {
    /// The game with its rules.
    pub game: Box<dyn AnyGame>,
    /// What there is to know of it.
    pub facts: GameFacts,
    /// What the sides are called.
    pub names: Names,
    /// The sides.
    pub contestants: [Contestant; 2],
    /// What the user should know before it begins, a line each.
    pub remarks: Vec<String>,
    /// Text of the file of start positions.
    pub starts: Option<String>,
    /// Size and seed.
    pub plan: MatchPlan,
    /// How the result is printed.
    pub format: Format,
    /// Where the games go.
    pub save: Option<PathBuf>,
}

impl MatchRequest {
    /// Checks a command line and gets everything ready, networks included.
    ///
    /// # Errors
    /// Wrong input, all that can be seen at once named together; or a network that fails to work.
    pub fn new(arguments: &MatchArguments) -> Result<MatchRequest, Failure> {
        let mut faults = Vec::new();
        let texts = [&arguments.a, &arguments.b];
        let sides = texts.map(|text| match OpponentSpec::parse(text) {
            Ok(OpponentSpec::BuiltIn(opponent)) => Some(Side::BuiltIn(opponent)),
            Ok(OpponentSpec::Checkpoint { path, simulations }) => match Checkpoint::find(&path) {
                Ok(found) => Some(Side::Checkpoint(Box::new(found), simulations.unwrap_or(arguments.sims))),
                Err(fault) => {
                    faults.push(fault);
                    None
                }
            },
            Err(fault) => {
                faults.push(fault.to_string());
                None
            }
        });
        let checkpoints = sides.iter().flatten().filter_map(Side::checkpoint);
        let game = open_game(&arguments.game, &arguments.rules, &checkpoints.collect::<Vec<_>>());
        let starts = arguments.starts.as_ref().and_then(|path| match std::fs::read_to_string(path) {
            Ok(text) => Some(text),
            Err(error) => {
                faults.push(format!("--starts {}: {error}", path.display()));
                None
            }
        });
        if let Some(path) = &arguments.save {
            let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            if path.exists() {
                faults.push(format!("--save {}: exists already; choose another file", path.display()));
            } else if directory.is_some_and(|directory| !directory.is_dir()) {
                faults.push(format!("--save {}: there is no such directory", path.display()));
            }
        }
        let (game, rules_remark) = match game {
            Ok(opened) => opened,
            Err(fault) => {
                faults.push(fault.to_string());
                return Err(Failure::input(faults.join("; ")));
            }
        };
        let facts = game.facts();
        let expected = expected(&facts, arguments.rules.check());
        for checkpoint in sides.iter().flatten().filter_map(Side::checkpoint) {
            faults.extend(checkpoint.misfit(&expected));
        }
        let [Some(a), Some(b)] = sides else { return Err(Failure::input(faults.join("; "))) };
        if !faults.is_empty() {
            return Err(Failure::input(faults.join("; ")));
        }

        let mut remarks: Vec<String> = rules_remark.into_iter().collect();
        let networks = [&a, &b].into_iter().any(|side| side.checkpoint().is_some());
        // CUDA has to be opened before LibTorch is used for anything else.
        let device = net::device::open(arguments.machine.device).map_err(Failure::input)?;
        let mut loader = checkpoint::Loader::new(device, arguments.machine.precision, &expected);
        let contestants = [a.contestant(&mut loader)?, b.contestant(&mut loader)?];
        remarks.extend(loader.remarks);
        let games_at_once = match arguments.machine.device {
            net::DeviceChoice::Cpu => GAMES_AT_ONCE_CPU,
            net::DeviceChoice::Cuda => GAMES_AT_ONCE_CUDA,
        };
        let plan = MatchPlan {
            pairs: arguments.pairs,
            opening_turns: arguments.opening_steps,
            seed: arguments.seed,
            threads: arguments.machine.threads(),
            games_at_once,
        };
        remarks.push(format!(
            "{} pairs of {} with {} random opening turns, seed {}, {} threads{}",
            plan.pairs,
            facts.name,
            plan.opening_turns,
            plan.seed,
            plan.threads,
            if networks { "" } else { ", no networks" },
        ));
        let names = Names { a: arguments.a.clone(), b: arguments.b.clone(), game: facts.name.to_owned() };
        let format = if arguments.json { Format::Json } else { Format::Table };
        let save = arguments.save.clone();
        Ok(MatchRequest { game, facts, names, contestants, remarks, starts, plan, format, save })
    }
}

/// One side as written, before any network is read.
enum Side {
    BuiltIn(arena::opponents::BuiltIn),
    Checkpoint(Box<Checkpoint>, u32),
}

impl Side {
    fn checkpoint(&self) -> Option<&Checkpoint> {
        match self {
            Side::BuiltIn(_) => None,
            Side::Checkpoint(checkpoint, _) => Some(checkpoint),
        }
    }

    fn contestant(self, loader: &mut checkpoint::Loader<'_>) -> Result<Contestant, Failure> {
        match self {
            Side::BuiltIn(opponent) => Ok(Contestant::BuiltIn(opponent)),
            Side::Checkpoint(checkpoint, simulations) => {
                Ok(Contestant::Network(loader.player(&checkpoint, simulations)?))
            }
        }
    }
}
