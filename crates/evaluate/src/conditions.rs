//! Under which conditions players meet: the game and its rules, starts, chance, machine. What `match`,
//! `sprt` and `ladder` have in common becomes a request here.

use crate::arguments::ConditionArguments;
use crate::checkpoint::{Checkpoint, Loader};
use crate::engines::Engines;
use crate::failure::Failure;
use crate::players::Player;
use crate::rules::{expected, open_game};
use arena::games::{AnyGame, GameFacts};
use arena::matches::{Contestant, DRAW, MatchPlan};
use net::{Device, DeviceChoice, Expected, Precision};
use pairs::{Clock, FORMAT, MatchHeader, PlayerHeader, StartsHeader, VERSION};
use std::path::Path;

/// Games that a thread plays side by side on a CPU, where batches of 8 rows run at nearly full speed:
/// more would only put off the end.
const GAMES_AT_ONCE_CPU: usize = 24;

/// The same on a GPU, which wants large batches.
const GAMES_AT_ONCE_CUDA: usize = 256;

/// The conditions of games, checked, and a device that is open.
pub struct Conditions {
    /// The game with its rules.
    pub game: Box<dyn AnyGame>,
    /// What there is to know of it.
    pub facts: GameFacts,
    /// Text of the starts; `None` stands for the game's own.
    pub starts: Option<String>,
    /// How many different starts there are; `None` where they are drawn.
    pub different_starts: Option<u64>,
    /// Everything but the number of pairs.
    pub plan: MatchPlan,
    /// What the user should know of the rules.
    pub remark: Option<String>,
    clock: Clock,
    expected: Expected,
    device: Device,
    precision: Precision,
}

impl Conditions {
    /// Finds the players that texts name and checks under which conditions they meet. `faults` are those
    /// that the rest of the command line has; they are named together with the ones that are found here.
    ///
    /// # Errors
    /// Wrong input, all that can be seen at once named together.
    pub fn new(
        arguments: &ConditionArguments,
        texts: &[String],
        mut faults: Vec<String>,
    ) -> Result<(Conditions, Vec<Player>), Failure> {
        let engines = take(Engines::read(arguments.engines.as_deref()), &mut faults).unwrap_or_default();
        let players: Vec<Player> = texts
            .iter()
            .filter_map(|text| take(Player::find(text, arguments.sims, &engines), &mut faults))
            .collect();
        let checkpoints: Vec<&Checkpoint> = players.iter().filter_map(Player::checkpoint).collect();
        let starts = arguments.starts.as_ref().and_then(|path| take(read_starts(path), &mut faults));
        faults.extend(arguments.machine.fault());
        let clock = Clock::from(arguments.clock);
        if clock == Clock::Processor {
            faults.extend(no_processor_clock(arguments.machine.device, &players));
        }
        let (game, remark) = match open_game(&arguments.game, &arguments.rules, &checkpoints) {
            Ok(opened) => opened,
            Err(fault) => {
                faults.push(fault.to_string());
                return Err(Failure::input(faults.join("; ")));
            }
        };
        let facts = game.facts();
        let expected = expected(&facts, arguments.rules.check());
        faults.extend(checkpoints.iter().filter_map(|checkpoint| checkpoint.misfit(&expected)));
        let different_starts = match game.different_starts(starts.as_deref()) {
            Ok(count) => count,
            Err(fault) => {
                let path = arguments.starts.as_deref().unwrap_or(Path::new(""));
                let file = if path.is_file() { "" } else { ", and there is no such file" };
                faults.push(format!("--starts {}: {fault}{file}", path.display()));
                None
            }
        };
        if !faults.is_empty() {
            return Err(Failure::input(faults.join("; ")));
        }
        let conditions = Conditions {
            game,
            facts,
            starts,
            different_starts,
            plan: MatchPlan {
                pairs: 0,
                opening_turns: arguments.opening_steps,
                seed: arguments.seed,
                threads: arguments.machine.threads(),
                games_at_once: match arguments.machine.device {
                    DeviceChoice::Cpu => GAMES_AT_ONCE_CPU,
                    DeviceChoice::Cuda => GAMES_AT_ONCE_CUDA,
                },
            },
            remark,
            clock,
            expected,
            device: arguments.machine.open()?,
            precision: arguments.machine.precision,
        };
        Ok((conditions, players))
    }

    /// What files of pairs say of a player.
    pub fn player(&self, player: &Player) -> PlayerHeader {
        player.header(self.clock)
    }

    /// What a match of two players is.
    pub fn header(&self, players: [PlayerHeader; 2]) -> MatchHeader {
        MatchHeader {
            format: FORMAT.to_owned(),
            version: VERSION,
            game: self.facts.name.to_owned(),
            rules_version: self.facts.rules_version,
            rules: self.facts.rules.clone(),
            players,
            seed: self.plan.seed,
            opening_turns: self.plan.opening_turns,
            starts: self.starts.as_deref().map_or(StartsHeader::Standard, StartsHeader::of_text),
        }
    }

    /// A player, ready to play, and what the user should know of it, a line for each network.
    ///
    /// # Errors
    /// A network that cannot be read or fails.
    pub fn contestant(&self, player: &Player) -> Result<(Contestant, Vec<String>), Failure> {
        let mut loader = Loader::new(self.device, self.precision, &self.expected, self.game.as_ref());
        let contestant = player.contestant(self.clock, &mut loader)?;
        Ok((contestant, loader.remarks))
    }
}

/// The text of a file of starts; a plain word that names no file is one of the game's start
/// distributions.
fn read_starts(path: &Path) -> Result<String, String> {
    let word = path.to_str().filter(|word| !word.contains(['/', '.']) && !path.exists());
    match word {
        Some(kind) => Ok(format!("{DRAW}{kind}\n")),
        None => files::read_text(path).map_err(|error| format!("--starts {}: {error}", path.display())),
    }
}

/// Why the processor's clock cannot measure these players, if it cannot.
fn no_processor_clock(device: DeviceChoice, players: &[Player]) -> Option<String> {
    if device == DeviceChoice::Cuda {
        return Some("--clock processor: the processor waits while a GPU works; use --clock wall".to_owned());
    }
    let engine = players.iter().any(|player| player.is_engine() && player.is_timed());
    engine.then(|| "--clock processor: engines know the clock on the wall only; use --clock wall".to_owned())
}

/// The value, or nothing and a fault more.
fn take<T>(result: Result<T, String>, faults: &mut Vec<String>) -> Option<T> {
    result.map_err(|fault| faults.push(fault)).ok()
}
