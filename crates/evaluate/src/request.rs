//! What a command line asks for, checked.

use crate::arguments::MatchArguments;
use crate::checkpoint::Loader;
use crate::engines::Engines;
use crate::failure::Failure;
use crate::output::Format;
use crate::players::Player;
use crate::rules::{expected, open_game};
use arena::games::{AnyGame, GameFacts};
use arena::matches::{Contestant, DRAW, MatchPlan, Names};
use net::DeviceChoice;
use pairs::{Clock, FORMAT, MatchHeader, MatchRecord, PairFile, StartsHeader, VERSION};
use std::path::Path;

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
    /// Where the pairs go, and what is there already.
    pub record: Option<(PairFile, MatchRecord)>,
}

impl MatchRequest {
    /// Checks a command line and gets everything ready, networks included.
    ///
    /// # Errors
    /// Wrong input, all that can be seen at once named together; or a network that fails to work.
    pub fn new(arguments: &MatchArguments) -> Result<MatchRequest, Failure> {
        let mut faults = Vec::new();
        let engines = take(Engines::read(arguments.engines.as_deref()), &mut faults).unwrap_or_default();
        let players = [&arguments.a, &arguments.b]
            .map(|text| take(Player::find(text, arguments.sims, &engines), &mut faults));
        let checkpoints = players.iter().flatten().filter_map(Player::checkpoint);
        let game = open_game(&arguments.game, &arguments.rules, &checkpoints.collect::<Vec<_>>());
        let starts = arguments.starts.as_ref().and_then(|path| take(read_starts(path), &mut faults));
        if let Some(path) = &arguments.save {
            let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            if directory.is_some_and(|directory| !directory.is_dir()) {
                faults.push(format!("--save {}: there is no such directory", path.display()));
            }
        }
        let clock = Clock::from(arguments.clock);
        if clock == Clock::Processor {
            faults.extend(no_processor_clock(arguments.machine.device, players.iter().flatten()));
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
        for checkpoint in players.iter().flatten().filter_map(Player::checkpoint) {
            faults.extend(checkpoint.misfit(&expected));
        }
        let [Some(a), Some(b)] = players else { return Err(Failure::input(faults.join("; "))) };
        if !faults.is_empty() {
            return Err(Failure::input(faults.join("; ")));
        }

        let header = MatchHeader {
            format: FORMAT.to_owned(),
            version: VERSION,
            game: facts.name.to_owned(),
            rules_version: facts.rules_version,
            rules: facts.rules.clone(),
            players: [a.header(clock), b.header(clock)],
            seed: arguments.seed,
            opening_turns: arguments.opening_steps,
            starts: starts.as_deref().map_or(StartsHeader::Standard, StartsHeader::of_text),
        };
        let mut remarks: Vec<String> = rules_remark.into_iter().collect();
        let record =
            arguments.save.as_deref().map(|path| open_record(path, &header, &mut remarks)).transpose()?;
        let networks = [&a, &b].into_iter().any(|player| player.checkpoint().is_some());
        // CUDA has to be opened before LibTorch is used for anything else.
        let device = net::device::open(arguments.machine.device).map_err(Failure::input)?;
        let mut loader = Loader::new(device, arguments.machine.precision, &expected);
        let contestants = [a.contestant(clock, &mut loader)?, b.contestant(clock, &mut loader)?];
        remarks.extend(loader.remarks);
        let plan = MatchPlan {
            pairs: arguments.pairs,
            opening_turns: arguments.opening_steps,
            seed: arguments.seed,
            threads: arguments.machine.threads(),
            games_at_once: games_at_once(arguments.machine.device),
        };
        remarks.push(format!(
            "{} pairs of {} with {} random opening turns, seed {}, {} threads{}{}",
            plan.pairs,
            facts.name,
            plan.opening_turns,
            plan.seed,
            plan.threads,
            if networks { "" } else { ", no networks" },
            if a.is_timed() || b.is_timed() { ", one game a thread" } else { "" },
        ));
        let names = Names { a: arguments.a.clone(), b: arguments.b.clone(), game: facts.name.to_owned() };
        let format = if arguments.json { Format::Json } else { Format::Table };
        Ok(MatchRequest { game, facts, names, contestants, remarks, starts, plan, format, record })
    }
}

/// The text of a file of starts; a plain word that names no file is one of the game's start
/// distributions.
///
/// # Errors
/// A file that cannot be read.
pub fn read_starts(path: &Path) -> Result<String, String> {
    let word = path.to_str().filter(|word| !word.contains(['/', '.']) && !path.exists());
    match word {
        Some(kind) => Ok(format!("{DRAW}{kind}\n")),
        None => {
            std::fs::read_to_string(path).map_err(|error| format!("--starts {}: {error}", path.display()))
        }
    }
}

/// Opens the file of pairs and tells what is in it.
fn open_record(
    path: &Path,
    header: &MatchHeader,
    remarks: &mut Vec<String>,
) -> Result<(PairFile, MatchRecord), Failure> {
    let (file, record) = PairFile::open(path, header).map_err(|error| match error.is_input() {
        true => Failure::input(format!("--save {error}")),
        false => Failure::work(format!("--save {error}")),
    })?;
    remarks.extend(record.torn.as_ref().map(ToString::to_string));
    if !record.pairs.is_empty() {
        remarks.push(format!("{}: {} pairs were played before", path.display(), record.pairs.len()));
    }
    Ok((file, record))
}

/// Games that a thread plays side by side.
pub(crate) const fn games_at_once(device: DeviceChoice) -> usize {
    match device {
        DeviceChoice::Cpu => GAMES_AT_ONCE_CPU,
        DeviceChoice::Cuda => GAMES_AT_ONCE_CUDA,
    }
}

/// Why the processor's clock cannot measure these players, if it cannot.
pub(crate) fn no_processor_clock<'a>(
    device: DeviceChoice,
    mut players: impl Iterator<Item = &'a Player>,
) -> Option<String> {
    if device == DeviceChoice::Cuda {
        return Some("--clock processor: the processor waits while a GPU works; use --clock wall".to_owned());
    }
    let engine = players.any(|player| player.is_engine() && player.is_timed());
    engine.then(|| "--clock processor: engines know the clock on the wall only; use --clock wall".to_owned())
}

/// The value, or nothing and a fault more.
pub(crate) fn take<T>(result: Result<T, String>, faults: &mut Vec<String>) -> Option<T> {
    result.map_err(|fault| faults.push(fault)).ok()
}
