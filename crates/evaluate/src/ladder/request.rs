//! What the command line of a ladder asks for, checked.

use crate::arguments::LadderArguments;
use crate::checkpoint::numbered;
use crate::conditions::Conditions;
use crate::failure::Failure;
use crate::players::Player;
use ::ladder::League;
use ::ladder::league::PAIRS;
use arena::matches::{Contestant, MakeEvaluator, NetworkPlayer, TurnTime};
use arena::opponents::{BuiltIn, OpponentSpec};
use pairs::PlayerHeader;
use search::SearchConfig;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Pairs a player that are played where nothing says how many.
const PAIRS_A_PLAYER: u64 = 30;

/// A ladder, ready to be played.
pub struct LadderRequest {
    /// The game, starts and chance.
    pub conditions: Conditions,
    /// Where the ladder is kept.
    pub directory: PathBuf,
    /// What was played before; the players that were named come first in it, in their order.
    pub league: League,
    /// Those players.
    pub players: Vec<Player>,
    /// What the user should know before it begins, a line each.
    pub remarks: Vec<String>,
    /// Pairs to be played now; the largest number where only time limits them.
    pub pairs: u64,
    /// Most pairs of two players: more would be copies.
    pub most_pairs: u64,
    networks: HashMap<usize, Network>,
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

impl LadderRequest {
    /// Checks a command line and reads what was played before.
    ///
    /// # Errors
    /// Wrong input, all that can be seen at once named together.
    pub fn new(arguments: &LadderArguments) -> Result<LadderRequest, Failure> {
        let mut faults = Vec::new();
        let texts = texts(arguments, &mut faults);
        let (conditions, players) = Conditions::new(&arguments.conditions, &texts, faults)?;
        let mut remarks: Vec<String> = conditions.remark.iter().cloned().collect();
        let (players, headers) = different(players, &conditions, &mut remarks);
        let directory = arguments.directory();
        // What is written there is to lie there.
        files::check_own(&directory).map_err(Failure::input)?;
        let mut league = earlier(&directory, &conditions, &headers)?;
        // Better now than in the middle of the night.
        for player in &players {
            player.try_out().map_err(Failure::input)?;
        }
        remarks.append(&mut league.remarks);
        remarks.push(format!(
            "{} players of {}, {} pairs played before, {} random opening turns, seed {}, {} threads; {}",
            league.players.len(),
            conditions.facts.name,
            league.pairs(),
            conditions.plan.opening_turns,
            conditions.plan.seed,
            conditions.plan.threads,
            directory.display(),
        ));
        std::fs::create_dir_all(directory.join(PAIRS)).map_err(|error| Failure::path(&directory, &error))?;
        Ok(LadderRequest {
            pairs: match (arguments.pairs, arguments.minutes) {
                (Some(pairs), _) => pairs,
                (None, Some(_)) => u64::MAX,
                (None, None) => PAIRS_A_PLAYER * players.len() as u64,
            },
            // Without random turns the starts are all the difference there is.
            most_pairs: match conditions.plan.opening_turns {
                0 => conditions.different_starts.unwrap_or(u64::MAX),
                _ => u64::MAX,
            },
            conditions,
            directory,
            league,
            players,
            remarks,
            networks: HashMap::new(),
        })
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
        let (contestant, _) = self.conditions.contestant(&self.players[player])?;
        let (network, time) = match contestant {
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

/// The league in a ladder's directory, the players that were named first; an empty one where there is
/// none yet.
fn earlier(directory: &Path, conditions: &Conditions, headers: &[PlayerHeader]) -> Result<League, Failure> {
    let league = match directory.join(PAIRS).is_dir() {
        true => League::read(directory)?,
        false => League::default(),
    };
    for one in &league.matches {
        // The same players under these conditions: only the conditions can differ.
        let differences = conditions.header(one.header.players.clone()).differences(&one.header);
        if !differences.is_empty() {
            return Err(Failure::input(format!(
                "{}: holds another ladder: {} ({}); ask for the same or name another --dir",
                directory.display(),
                differences.join("; "),
                one.path.display(),
            )));
        }
    }
    Ok(league.with_players_first(headers)?)
}

/// Players with their headers, each once: a checkpoint may lie in two runs, or be like the one before it.
fn different(
    players: Vec<Player>,
    conditions: &Conditions,
    remarks: &mut Vec<String>,
) -> (Vec<Player>, Vec<PlayerHeader>) {
    let (mut kept, mut headers): (Vec<Player>, Vec<PlayerHeader>) = (Vec::new(), Vec::new());
    for player in players {
        let header = conditions.player(&player);
        match headers.iter().find(|earlier| earlier.same_player(&header)) {
            Some(earlier) => {
                remarks
                    .push(format!("{} is left out: it is the same player as {}", header.name, earlier.name));
            }
            None => {
                kept.push(player);
                headers.push(header);
            }
        }
    }
    (kept, headers)
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
    let budget = budget.map_or_else(|| arguments.conditions.sims.to_string(), |budget| budget.to_string());
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
