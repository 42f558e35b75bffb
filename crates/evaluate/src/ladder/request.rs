//! What the command line of a ladder asks for, checked.

use crate::arguments::LadderArguments;
use crate::checkpoint::{Checkpoint, Loader, numbered};
use crate::engines::Engines;
use crate::failure::Failure;
use crate::players::Player;
use crate::request::{games_at_once, no_processor_clock, take};
use crate::rules::{expected, open_game};
use ::ladder::league::PAIRS;
use ::ladder::{League, LeagueError};
use arena::games::{AnyGame, GameFacts};
use arena::matches::{Contestant, MakeEvaluator, MatchPlan, NetworkPlayer, TurnTime};
use arena::opponents::{BuiltIn, OpponentSpec};
use net::{Device, Expected, Precision};
use pairs::{Clock, FORMAT, MatchHeader, PlayerHeader, StartsHeader, VERSION};
use search::SearchConfig;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// Pairs a player that are played where nothing says how many.
const PAIRS_A_PLAYER: u64 = 30;

/// A ladder, ready to be played.
pub struct LadderRequest<'a> {
    /// The game with its rules.
    pub game: Box<dyn AnyGame>,
    /// What was played before; the players that were named come first in it, in their order.
    pub league: League,
    /// Those players.
    pub players: Vec<Player>,
    /// What the user should know before it begins, a line each.
    pub remarks: Vec<String>,
    /// Text of the file of start positions.
    pub starts: Option<String>,
    /// Everything but the number of pairs.
    pub plan: MatchPlan,
    /// Most pairs of two players: more would be copies.
    pub most_pairs: u64,
    facts: GameFacts,
    expected: Expected,
    device: Device,
    precision: Precision,
    clock: Clock,
    networks: HashMap<usize, Network>,
    arguments: &'a LadderArguments,
}

/// A checkpoint's player, for any number of matches.
struct Network {
    make_evaluator: Arc<MakeEvaluator>,
    search: SearchConfig,
    simulations: u32,
    time: Option<TurnTime>,
}

impl Network {
    fn contestant(&self) -> Contestant {
        let make = Arc::clone(&self.make_evaluator);
        let player = NetworkPlayer {
            make_evaluator: Box::new(move || make()),
            search: self.search.clone(),
            simulations: self.simulations,
        };
        match self.time {
            Some(time) => Contestant::Timed(player, time),
            None => Contestant::Network(player),
        }
    }
}

impl LadderRequest<'_> {
    /// Checks a command line and reads what was played before.
    ///
    /// # Errors
    /// Wrong input, all that can be seen at once named together.
    pub fn new(arguments: &LadderArguments) -> Result<LadderRequest<'_>, Failure> {
        let mut faults = Vec::new();
        let engines = take(Engines::read(arguments.engines.as_deref()), &mut faults).unwrap_or_default();
        let texts = texts(arguments, &mut faults);
        let players: Vec<Player> = texts
            .iter()
            .filter_map(|text| take(Player::find(text, arguments.sims, &engines), &mut faults))
            .collect();
        let checkpoints: Vec<&Checkpoint> = players.iter().filter_map(Player::checkpoint).collect();
        let game = open_game(&arguments.game, &arguments.rules, &checkpoints);
        let starts = arguments.starts.as_ref().and_then(|path| {
            let text = std::fs::read_to_string(path);
            take(text.map_err(|error| format!("--starts {}: {error}", path.display())), &mut faults)
        });
        let clock = Clock::from(arguments.clock);
        if clock == Clock::Processor {
            faults.extend(no_processor_clock(arguments.machine.device, players.iter()));
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
        faults.extend(checkpoints.iter().filter_map(|checkpoint| checkpoint.misfit(&expected)));
        if !faults.is_empty() {
            return Err(Failure::input(faults.join("; ")));
        }

        // CUDA has to be opened before LibTorch is used for anything else.
        let device = net::device::open(arguments.machine.device).map_err(Failure::input)?;
        let headers: Vec<PlayerHeader> = players.iter().map(|player| player.header(clock)).collect();
        let positions = starts.as_deref().map_or(1, |text| StartsHeader::positions(text).count() as u64);
        let mut request = LadderRequest {
            game,
            league: League::default(),
            players,
            remarks: rules_remark.into_iter().collect(),
            starts,
            plan: MatchPlan {
                pairs: 0,
                opening_turns: arguments.opening_steps,
                seed: arguments.seed,
                threads: arguments.machine.threads(),
                games_at_once: games_at_once(arguments.machine.device),
            },
            // Without random turns the starts are all the difference there is.
            most_pairs: if arguments.opening_steps == 0 { positions } else { u64::MAX },
            facts,
            expected,
            device,
            precision: arguments.machine.precision,
            clock,
            networks: HashMap::new(),
            arguments,
        };
        request.league = request.earlier(&headers)?;
        let named = request.players.len();
        if request.league.players.len() < named
            || (0..named).any(|one| !request.league.players[one].same_player(&headers[one]))
        {
            return Err(Failure::input("two of the players are the same: name each one once"));
        }
        request.remarks.extend(std::mem::take(&mut request.league.remarks));
        request.remarks.push(format!(
            "{} players of {}, {} pairs played before, {} random opening turns, seed {}, {} threads; {}",
            request.league.players.len(),
            request.facts.name,
            request.league.pairs(),
            request.plan.opening_turns,
            request.plan.seed,
            request.plan.threads,
            arguments.directory().display(),
        ));
        Ok(request)
    }

    /// The league in the ladder's directory, the players that were named first; an empty one where there
    /// is none yet.
    fn earlier(&self, headers: &[PlayerHeader]) -> Result<League, Failure> {
        let directory = self.arguments.directory();
        let failure = |error: LeagueError| match &error {
            LeagueError::Pairs(fault) if !fault.is_input() => Failure::work(error),
            _ => Failure::input(error),
        };
        let league = match directory.join(PAIRS).is_dir() {
            true => League::read(&directory).map_err(failure)?,
            false => League::default(),
        };
        if let Some(first) = league.matches.first() {
            // The same header but for the conditions, which are what is compared.
            let players = first.header.players.each_ref();
            let differences = self.header(players).differences(&first.header);
            if !differences.is_empty() {
                let what = differences.join("; ");
                return Err(Failure::input(format!("{}: holds another ladder: {what}", directory.display())));
            }
        }
        league.with_players_first(headers).map_err(failure)
    }

    /// What a match of two players is.
    pub fn header(&self, players: [&PlayerHeader; 2]) -> MatchHeader {
        MatchHeader {
            format: FORMAT.to_owned(),
            version: VERSION,
            game: self.facts.name.to_owned(),
            rules_version: self.facts.rules_version,
            rules: self.facts.rules.clone(),
            players: players.map(Clone::clone),
            seed: self.arguments.seed,
            opening_turns: self.arguments.opening_steps,
            starts: self.starts.as_deref().map_or(StartsHeader::Standard, StartsHeader::of_text),
        }
    }

    /// Pairs that are played where nothing says how many.
    pub fn default_pairs(&self) -> u64 {
        PAIRS_A_PLAYER * self.players.len() as u64
    }

    /// Two players, ready to play. Networks are read when they are needed first, and kept.
    ///
    /// # Errors
    /// A network that cannot be read or fails.
    pub fn contestants(&mut self, players: [usize; 2]) -> Result<[Contestant; 2], Failure> {
        let [a, b] = players;
        Ok([self.contestant(a)?, self.contestant(b)?])
    }

    fn contestant(&mut self, player: usize) -> Result<Contestant, Failure> {
        if let Some(network) = self.networks.get(&player) {
            return Ok(network.contestant());
        }
        let mut loader = Loader::new(self.device, self.precision, &self.expected);
        let (network, time) = match self.players[player].contestant(self.clock, &mut loader)? {
            Contestant::Network(network) => (network, None),
            Contestant::Timed(network, time) => (network, Some(time)),
            other => return Ok(other),
        };
        let NetworkPlayer { make_evaluator, search, simulations } = network;
        let network = Network { make_evaluator: Arc::from(make_evaluator), search, simulations, time };
        let contestant = network.contestant();
        self.networks.insert(player, network);
        Ok(contestant)
    }
}

/// The players of a command line, each once and `random` first; runs become checkpoints.
fn texts(arguments: &LadderArguments, faults: &mut Vec<String>) -> Vec<String> {
    let mut texts = vec![BuiltIn::Random.to_string()];
    for text in &arguments.players {
        match expanded(text, arguments) {
            Ok(some) => {
                for text in some {
                    if !texts.contains(&text) {
                        texts.push(text);
                    }
                }
            }
            Err(fault) => faults.push(fault),
        }
    }
    if texts.len() < 2 && faults.is_empty() {
        faults.push(
            "no players beside random: name runs, checkpoints, built-in opponents or engines to rate"
                .to_owned(),
        );
    }
    texts
}

/// A run as its checkpoints, everything else as it is. Checkpoints say their budgets, which tell them apart
/// in the ladder.
fn expanded(text: &str, arguments: &LadderArguments) -> Result<Vec<String>, String> {
    let OpponentSpec::Checkpoint { path, budget } =
        OpponentSpec::parse(text).map_err(|fault| fault.to_string())?
    else {
        return Ok(vec![text.to_owned()]);
    };
    let budget = budget.map_or_else(|| arguments.sims.to_string(), |budget| budget.to_string());
    let named = |directory: &Path| format!("{}@{budget}", directory.display());
    if path.join("state.json").is_file() {
        return Ok(vec![named(&path)]);
    }
    let mut checkpoints: Vec<_> = numbered(&path)?.into_iter().map(|(_, checkpoint)| checkpoint).collect();
    if let Some(most) = arguments.checkpoints {
        checkpoints = spread(checkpoints, usize::from(most));
    }
    Ok(checkpoints.iter().map(|checkpoint| named(checkpoint)).collect())
}

/// Some of a list, evenly spread, the last one and, of more than one, the first one among them.
fn spread<T>(list: Vec<T>, wanted: usize) -> Vec<T> {
    let count = list.len();
    if count <= wanted {
        return list;
    }
    let kept: Vec<usize> = match wanted {
        1 => vec![count - 1],
        _ => (0..wanted).map(|index| (index * (count - 1) + (wanted - 1) / 2) / (wanted - 1)).collect(),
    };
    list.into_iter().enumerate().filter(|(index, _)| kept.contains(index)).map(|(_, one)| one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_of_a_list_are_spread_evenly() {
        let list = |count: usize| (0..count).collect::<Vec<_>>();
        assert_eq!(spread(list(3), 5), [0, 1, 2]);
        assert_eq!(spread(list(10), 1), [9]);
        assert_eq!(spread(list(10), 2), [0, 9]);
        assert_eq!(spread(list(11), 3), [0, 5, 10]);
        assert_eq!(spread(list(50), 8).len(), 8);
    }
}
