//! Checkpoints and built-in opponents as the table and the judge of a study.

use arena::games::{self, AnyGame};
use arena::inspection::InspectionError;
use arena::matches::{
    Contestant, MatchError, MatchPlan, MatchSession, NetworkPlayer, OwnStarts, Stop, Tally, Watch,
};
use commander::{Commander, Deployment, Rules};
use deployments::table::{Judge, PairRequest, Seat, Table, TableError};
use evaluate::agent::inspect;
use evaluate::arguments::{MachineArguments, RulesArguments};
use evaluate::checkpoint::Loader;
use evaluate::engines::Engines;
use evaluate::failure::Failure;
use evaluate::interrupt::Interrupt;
use evaluate::players::Player;
use evaluate::rules::{expected, open_game};
use game::{Game, Notation, Player as Colour};
use net::{Device, DeviceChoice, Expected};
use pairs::{Clock, Pair};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Games that a thread plays side by side, on a CPU and on a GPU.
const AT_ONCE: [usize; 2] = [24, 256];

/// A player on either side of a game.
type Sides = Rc<[Contestant; 2]>;

/// The players of a study, ready to play.
pub struct Players<'a> {
    /// The game under the study's rules.
    pub game: Commander,
    /// What the user should know, a line each.
    pub remarks: Vec<String>,
    names: Vec<String>,
    engines: Engines,
    expected: Expected,
    device: Device,
    machine: MachineArguments,
    opening_turns: u32,
    seed: u64,
    interrupt: &'a Interrupt,
    /// Both sides of a player, by its number and its simulations.
    contestants: RefCell<HashMap<(usize, u32), Sides>>,
    network: Option<NetworkPlayer>,
}

/// What games depend on.
pub struct Conditions<'a> {
    /// The agent first, then those of the control.
    pub players: Vec<String>,
    /// The rules.
    pub rules: &'a RulesArguments,
    /// What networks run on.
    pub machine: &'a MachineArguments,
    /// Random turns at the start of each game.
    pub opening_turns: u32,
    /// Seed of all chance in games.
    pub seed: u64,
}

impl<'a> Players<'a> {
    /// Finds the players and opens the agent's network, if it has one.
    ///
    /// # Errors
    /// Wrong input, all that can be seen at once named together; or a network that fails to work.
    pub fn open(conditions: Conditions<'_>, interrupt: &'a Interrupt) -> Result<Players<'a>, Failure> {
        let Conditions { players: names, rules, machine, opening_turns, seed } = conditions;
        let engines = Engines::read(None).map_err(Failure::input)?;
        let (mut players, mut faults) = (Vec::new(), Vec::new());
        for name in &names {
            match Player::find(name, 0, &engines) {
                Ok(player) if player.is_timed() => {
                    faults.push(format!("`{name}`: a study limits turns by simulations, not by time"));
                }
                Ok(player) => players.push(player),
                Err(fault) => faults.push(fault),
            }
        }
        faults.extend(machine.fault());
        let checkpoints: Vec<_> = players.iter().filter_map(Player::checkpoint).collect();
        let opened = open_game(Commander::NAME, rules, &checkpoints);
        let (opened, remark) = match opened {
            Ok(opened) if faults.is_empty() => opened,
            Ok(_) => return Err(Failure::input(faults.join("; "))),
            Err(fault) => {
                faults.push(fault.to_string());
                return Err(Failure::input(faults.join("; ")));
            }
        };
        let facts = opened.facts();
        let expected = expected(&facts, rules.check());
        faults.extend(checkpoints.iter().filter_map(|checkpoint| checkpoint.misfit(&expected)));
        if !faults.is_empty() {
            return Err(Failure::input(faults.join("; ")));
        }
        let game = commander(&*opened)?;
        let device = machine.open()?;
        let mut remarks: Vec<String> = remark.into_iter().collect();
        let network = match players.first().and_then(Player::checkpoint) {
            Some(checkpoint) => {
                let mut loader = Loader::new(device, machine.precision, &expected, &game);
                let network = loader.player(checkpoint, 0)?;
                remarks.extend(loader.remarks);
                Some(network)
            }
            None => None,
        };
        Ok(Players {
            game,
            remarks,
            names,
            engines,
            expected,
            device,
            machine: machine.clone(),
            opening_turns,
            seed,
            interrupt,
            contestants: RefCell::new(HashMap::new()),
            network,
        })
    }

    /// All rule options.
    pub fn rules(&self) -> serde_json::Value {
        self.game.facts().rules
    }

    /// What networks run on.
    pub fn device(&self) -> Device {
        self.device
    }

    /// Threads that share the work.
    pub fn threads(&self) -> usize {
        self.machine.threads()
    }

    /// The judge, if the agent has a network.
    pub fn judge(&self) -> Option<&dyn Judge> {
        self.network.as_ref().map(|_| self as &dyn Judge)
    }

    /// Both sides of a seat; the same player twice, since each side has batches of its own.
    fn contestants(&self, seat: Seat) -> Result<Sides, Failure> {
        let key = (seat.player, seat.simulations);
        if let Some(known) = self.contestants.borrow().get(&key) {
            return Ok(Rc::clone(known));
        }
        let name = self.names.get(seat.player).map_or("", String::as_str);
        let player = Player::find(name, seat.simulations, &self.engines).map_err(Failure::input)?;
        let mut loader = Loader::new(self.device, self.machine.precision, &self.expected, &self.game);
        let mut side = || player.contestant(Clock::Wall, &mut loader);
        let both = Rc::new([side()?, side()?]);
        self.contestants.borrow_mut().insert(key, Rc::clone(&both));
        Ok(both)
    }

    fn start(&self, sides: [&Deployment; 2]) -> Option<String> {
        let position = self.game.deployed(sides);
        self.game.void(&position).is_none().then(|| self.game.write_position(&position))
    }
}

/// The game itself, from what is known of it by name.
fn commander(opened: &dyn AnyGame) -> Result<Commander, Failure> {
    let rules: Rules = serde_json::from_value(opened.facts().rules).map_err(Failure::work)?;
    Ok(Commander::new(rules))
}

/// The default game under a preset and options, for commands that play nothing.
///
/// # Errors
/// Unknown presets and options.
pub fn open_commander(rules: serde_json::Value) -> Result<Commander, Failure> {
    match rules {
        serde_json::Value::Null => {
            let opened = games::open(Commander::NAME, None, &[]).map_err(Failure::input)?;
            commander(&*opened)
        }
        rules => Ok(Commander::new(serde_json::from_value(rules).map_err(Failure::input)?)),
    }
}

/// Hands pairs on as they finish.
struct Keeper<'a> {
    requests: HashMap<u64, &'a PairRequest>,
    kept: &'a (dyn Fn(&PairRequest, &Pair) -> bool + Sync),
    broken: AtomicBool,
    interrupt: &'a Interrupt,
}

impl Watch for Keeper<'_> {
    fn pair_finished(&self, pair: &Pair, _: &Tally) {
        let kept = self.requests.get(&pair.pair).is_some_and(|request| (self.kept)(request, pair));
        if !kept {
            self.broken.store(true, Ordering::Relaxed);
        }
    }

    fn stop(&self) -> Stop {
        if self.broken.load(Ordering::Relaxed) { Stop::Now } else { self.interrupt.stop() }
    }
}

impl Table for Players<'_> {
    fn play(
        &self,
        seat: Seat,
        pairs: &[PairRequest],
        kept: &(dyn Fn(&PairRequest, &Pair) -> bool + Sync),
    ) -> Result<(), TableError> {
        let failed = |error: String| TableError::Failed(error);
        let contestants = self.contestants(seat).map_err(|failure| failed(failure.to_string()))?;
        let starts: BTreeMap<u64, OwnStarts> = pairs
            .iter()
            .map(|request| {
                let [one, other] = &request.sides;
                (request.number, [self.start([one, other]), self.start([other, one])])
            })
            .collect();
        let plan = MatchPlan {
            pairs: 0,
            opening_turns: self.opening_turns,
            seed: self.seed,
            threads: self.machine.threads(),
            games_at_once: AT_ONCE[usize::from(self.machine.device == DeviceChoice::Cuda)],
        };
        let keeper = Keeper {
            requests: pairs.iter().map(|request| (request.number, request)).collect(),
            kept,
            broken: AtomicBool::new(false),
            interrupt: self.interrupt,
        };
        let played = self
            .game
            .play_own_starts(&contestants, &starts, &plan, &keeper)
            .map_err(|error: MatchError| failed(error.to_string()))?;
        if played.len() < pairs.len() { Err(TableError::Stopped) } else { Ok(()) }
    }
}

impl Judge for Players<'_> {
    fn judge(&self, positions: &[[&Deployment; 2]]) -> Result<Vec<f64>, TableError> {
        let Some(network) = &self.network else {
            return Err(TableError::Failed("the agent has no network".to_owned()));
        };
        let texts: Vec<String> =
            positions.iter().map(|sides| self.game.write_position(&self.game.deployed(*sides))).collect();
        let asked: Vec<Option<&str>> = texts.iter().map(|text| Some(text.as_str())).collect();
        let stop = || self.interrupt.stop() != Stop::GoOn;
        let found =
            inspect(&self.game, network, &asked, &self.machine, &stop).map_err(|error| match error {
                InspectionError::Stopped => TableError::Stopped,
                error => TableError::Failed(error.to_string()),
            })?;
        Ok(found
            .iter()
            .map(|one| {
                let score = f64::from(one.network.win) + 0.5 * f64::from(one.network.draw);
                if one.mover == Colour::First { score } else { 1.0 - score }
            })
            .collect())
    }
}

/// What is wrong with a checkpoint as a judge of set-ups: it never saw any. `None` for players without a network
/// and where its run started games from set-ups.
pub fn never_trained_on_set_ups(agent: &str) -> Option<String> {
    let player = Player::find(agent, 0, &Engines::default()).ok()?;
    let directory = player.checkpoint()?.directory.clone();
    let text = files::read_text(&directory.ancestors().nth(2)?.join("config.toml")).ok();
    let starts = text.and_then(|text| {
        let config: toml::Table = text.parse().ok()?;
        Some(config.get("selfplay")?.get("starts")?.to_string())
    });
    let saw = starts.is_some_and(|starts| ["free-", "set-ups"].iter().any(|kind| starts.contains(kind)));
    (!saw).then(|| {
        format!(
            "{agent} never trained on free set-ups, as far as its run says: its values and its play from them \
             are guesses. Train with selfplay.starts, as configs/commander-free.toml does."
        )
    })
}
