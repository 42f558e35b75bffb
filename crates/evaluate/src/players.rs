//! Who plays a match, from the words of the command line to contestants.

use crate::checkpoint::{Checkpoint, Loader};
use crate::engines::Engines;
use crate::failure::Failure;
use arena::matches::{Contestant, EnginePlayer, TurnTime};
use arena::opponents::{BuiltIn, OpponentSpec, TurnBudget};
use engine::{EngineSettings, Limit};
use pairs::{Budget, Clock, PlayerHeader, PlayerKind};
use search::SearchConfig;
use serde_json::Value;
use std::time::Duration;

/// A player as written, found, and not yet ready to play: no network has been read, no program started.
pub struct Player {
    name: String,
    kind: Kind,
}

enum Kind {
    BuiltIn(BuiltIn),
    Checkpoint(Box<Checkpoint>, TurnBudget),
    Engine(Box<Engine>),
}

struct Engine {
    name: String,
    settings: EngineSettings,
    /// BLAKE3 of its program.
    digest: String,
    budget: TurnBudget,
}

impl Player {
    /// Finds the player that a text names. `simulations` are those of checkpoints that do not say theirs.
    ///
    /// # Errors
    /// Why there is none, in a line.
    pub fn find(text: &str, simulations: u32, engines: &Engines) -> Result<Player, String> {
        let kind = match OpponentSpec::parse(text).map_err(|fault| fault.to_string())? {
            OpponentSpec::BuiltIn(opponent) => Kind::BuiltIn(opponent),
            OpponentSpec::Checkpoint { path, budget } => {
                let budget = budget.unwrap_or(TurnBudget::Count(simulations));
                Kind::Checkpoint(Box::new(Checkpoint::find(&path)?), budget)
            }
            OpponentSpec::Engine { name, budget: None } => {
                return Err(format!(
                    "opponent `{text}`: what may it spend on a turn? write engine:{name}@1000 (nodes) or \
                     engine:{name}@1s"
                ));
            }
            OpponentSpec::Engine { name, budget: Some(budget) } => {
                let (settings, digest) = engines.find(&name)?;
                Kind::Engine(Box::new(Engine { name, settings, digest, budget }))
            }
        };
        Ok(Player { name: text.to_owned(), kind })
    }

    /// Its checkpoint, if it is one.
    pub fn checkpoint(&self) -> Option<&Checkpoint> {
        match &self.kind {
            Kind::Checkpoint(checkpoint, _) => Some(checkpoint),
            Kind::BuiltIn(_) | Kind::Engine(_) => None,
        }
    }

    /// Whether it is a program of its own.
    pub fn is_engine(&self) -> bool {
        matches!(self.kind, Kind::Engine(_))
    }

    /// Whether time limits its turns.
    pub fn is_timed(&self) -> bool {
        match &self.kind {
            Kind::BuiltIn(_) => false,
            Kind::Checkpoint(_, budget) => matches!(budget, TurnBudget::Time(_)),
            Kind::Engine(engine) => matches!(engine.budget, TurnBudget::Time(_)),
        }
    }

    /// Starts it once where it is a program of its own, to see whether it gets ready.
    ///
    /// # Errors
    /// Why it does not, in a line.
    pub fn try_out(&self) -> Result<(), String> {
        let Kind::Engine(engine) = &self.kind else { return Ok(()) };
        engine::Engine::start(&engine.settings)
            .map(drop)
            .map_err(|fault| format!("engine `{}`: {fault}", short_name(&engine.name)))
    }

    /// What a file of pairs says of it; `clock` measures its time, if time limits it.
    pub fn header(&self, clock: Clock) -> PlayerHeader {
        let name = self.name.clone();
        match &self.kind {
            Kind::BuiltIn(opponent) => PlayerHeader {
                name,
                kind: PlayerKind::BuiltIn,
                identity: opponent.to_string(),
                budget: Budget::Own,
                settings: Value::Null,
            },
            Kind::Checkpoint(checkpoint, budget) => PlayerHeader {
                name,
                kind: PlayerKind::Checkpoint,
                identity: checkpoint.state.weights_blake3.clone(),
                budget: match *budget {
                    TurnBudget::Count(simulations) => Budget::Simulations(simulations),
                    TurnBudget::Time(time) => time_budget(time, clock),
                },
                settings: settings(&checkpoint.search),
            },
            Kind::Engine(engine) => {
                let mut settings = serde_json::to_value(&engine.settings).unwrap_or_default();
                // Its digest says which program it is, wherever it lies.
                if let Some(settings) = settings.as_object_mut() {
                    settings.remove("command");
                }
                let budget = match engine.budget {
                    TurnBudget::Count(nodes) => Budget::Nodes(nodes.into()),
                    TurnBudget::Time(time) => time_budget(time, Clock::Wall),
                };
                PlayerHeader {
                    name,
                    kind: PlayerKind::Engine,
                    identity: engine.digest.clone(),
                    budget,
                    settings,
                }
            }
        }
    }

    /// Makes it ready to play.
    ///
    /// # Errors
    /// A network that cannot be read or fails.
    pub fn contestant(&self, clock: Clock, loader: &mut Loader<'_>) -> Result<Contestant, Failure> {
        match &self.kind {
            Kind::BuiltIn(opponent) => Ok(Contestant::BuiltIn(*opponent)),
            Kind::Checkpoint(checkpoint, TurnBudget::Count(simulations)) => {
                Ok(Contestant::Network(loader.player(checkpoint, *simulations)?))
            }
            Kind::Checkpoint(checkpoint, TurnBudget::Time(time)) => {
                let player = loader.timed_player(checkpoint, &self.time_words(clock))?;
                Ok(Contestant::Timed(player, TurnTime { time: *time, clock }))
            }
            Kind::Engine(engine) => Ok(Contestant::Engine(EnginePlayer {
                name: short_name(&engine.name),
                settings: engine.settings.clone(),
                limit: match engine.budget {
                    TurnBudget::Count(nodes) => Limit::Nodes(nodes.into()),
                    TurnBudget::Time(time) => Limit::Time(time),
                },
            })),
        }
    }

    fn time_words(&self, clock: Clock) -> String {
        format!("{} a turn", self.header(clock).budget)
    }
}

fn time_budget(time: Duration, clock: Clock) -> Budget {
    Budget::Time { milliseconds: time.as_millis() as u64, clock }
}

/// What an engine is called in messages: its name in the list, or that of its program.
fn short_name(name: &str) -> String {
    let program = name.split('?').next().unwrap_or(name);
    program.rsplit('/').next().unwrap_or(program).to_owned()
}

/// Keys of a search's settings that are younger than the format of match records.
const LATER_KEYS: [&str; 1] = ["most_tree_megabytes"];

/// A search's settings as a match record has them. A later key is left out while it has its default, with which
/// programs of before played, so that their matches go on.
fn settings(search: &SearchConfig) -> Value {
    // A config has been read from a table, so that it can be written as one.
    let value = |search: &SearchConfig| serde_json::to_value(search).unwrap_or_default();
    let (mut settings, default) = (value(search), value(&SearchConfig::default()));
    if let Value::Object(settings) = &mut settings {
        settings.retain(|key, value| !LATER_KEYS.contains(&key.as_str()) || default.get(key) != Some(value));
    }
    settings
}
