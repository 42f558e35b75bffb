//! Using an engine.

use crate::fault::EngineFault;
use crate::info::Info;
use crate::limit::Limit;
use crate::process::{Heard, Process};
use crate::protocol::Protocol;
use crate::settings::{EngineSettings, TimeCommand};
use std::time::{Duration, Instant};

/// How often it is asked whether to stop.
const GLANCE: Duration = Duration::from_millis(20);

/// The option of UCCI that makes milliseconds the unit of time; it is the second otherwise.
const USE_MILLISECONDS: &str = "usemillisec";

/// An engine that runs and waits for positions. Dropping it ends its process.
pub struct Engine {
    settings: EngineSettings,
    process: Process,
    name: Option<String>,
    /// Names of its options.
    options: Vec<String>,
}

/// What an engine plays.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The turn, as the game writes it.
    pub turn: String,
    /// What the engine said last of its search; its principal line as the game writes it.
    pub info: Info,
    /// Time from the question to the answer.
    pub took: Duration,
}

impl Engine {
    /// Starts an engine and gets it ready: handshake, options.
    ///
    /// # Errors
    /// A program that cannot be started or does not answer as its protocol says, an option that it does
    /// not have.
    pub fn start(settings: &EngineSettings) -> Result<Engine, EngineFault> {
        let command = settings.command.as_os_str();
        let process = Process::start(command, &settings.arguments, "quit")
            .map_err(|error| EngineFault::Start { command: settings.command.display().to_string(), error })?;
        let mut engine = Engine { settings: settings.clone(), process, name: None, options: Vec::new() };
        let protocol = settings.protocol;
        engine.say(protocol.word())?;
        engine.wait_for(protocol.ready_word())?;
        if protocol == Protocol::Ucci && engine.has_option(USE_MILLISECONDS) {
            engine.say(&protocol.set_option(USE_MILLISECONDS, "true"))?;
        }
        for (name, value) in &settings.options {
            if !engine.has_option(name) {
                return Err(EngineFault::Option { name: name.clone(), known: engine.options });
            }
            engine.say(&protocol.set_option(name, &value.to_string()))?;
        }
        engine.get_ready()?;
        Ok(engine)
    }

    /// What it calls itself, if it says so.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Tells it that what comes belongs to another game.
    ///
    /// # Errors
    /// An engine that does not get ready again.
    pub fn new_game(&mut self) -> Result<(), EngineFault> {
        match self.settings.protocol {
            Protocol::Uci => self.say("ucinewgame")?,
            Protocol::Ucci if self.has_option("newgame") => self.say("setoption newgame")?,
            Protocol::Ucci => {}
        }
        self.get_ready()
    }

    /// Its turn after the `turns` from the position `start`, both as the game writes them; `None` when
    /// `stopped` said so, and then it should be dropped.
    ///
    /// # Errors
    /// An engine that does not play in time, cannot, or has ended. It should be dropped then.
    pub fn think(
        &mut self,
        start: &str,
        turns: &[String],
        limit: Limit,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Option<Answer>, EngineFault> {
        let mut position = format!("position fen {start}");
        if !turns.is_empty() {
            position.push_str(" moves");
        }
        for turn in turns {
            position.push(' ');
            position.push_str(&self.settings.ranks.to_engine(turn));
        }
        self.say(&position)?;
        let go = self.go(limit);
        let begin = Instant::now();
        self.say(&go)?;
        let within = match limit {
            Limit::Nodes(_) => Duration::from_millis(self.settings.patience_ms),
            Limit::Time(time) => time + Duration::from_millis(self.settings.grace_ms),
        };
        let mut info = Info::default();
        loop {
            let now = Instant::now();
            if stopped() {
                self.say("stop")?;
                return Ok(None);
            }
            if now >= begin + within {
                return Err(EngineFault::TooLate { within });
            }
            let line = match self.process.hear((begin + within).min(now + GLANCE)) {
                Heard::Line(line) => line,
                Heard::Nothing => continue,
                Heard::Closed => return Err(EngineFault::Ended { how: self.process.end() }),
            };
            let mut words = line.split_whitespace();
            match words.next() {
                Some("info") => info.update(Info::read(words)),
                Some("nobestmove") => return Err(EngineFault::NoTurn { line }),
                Some("bestmove") => {
                    let took = begin.elapsed();
                    let turn = match words.next() {
                        None | Some("(none)" | "0000" | "NULL" | "null") => {
                            return Err(EngineFault::NoTurn { line });
                        }
                        Some(turn) => self.settings.ranks.from_engine(turn),
                    };
                    if turn == "resign" || words.any(|word| word == "resign") {
                        return Err(EngineFault::GivesUp { line });
                    }
                    for turn in &mut info.line {
                        *turn = self.settings.ranks.from_engine(turn);
                    }
                    return Ok(Some(Answer { turn, info, took }));
                }
                _ => {}
            }
        }
    }

    /// The line that asks for a turn.
    fn go(&self, limit: Limit) -> String {
        let milliseconds = |time: Duration| (time.as_millis() as u64).max(1);
        match (limit, self.settings.time_command()) {
            (Limit::Nodes(nodes), _) => format!("go nodes {nodes}"),
            (Limit::Time(time), TimeCommand::Movetime) => format!("go movetime {}", milliseconds(time)),
            (Limit::Time(time), TimeCommand::Clock) => {
                let seconds = self.settings.protocol == Protocol::Ucci && !self.has_option(USE_MILLISECONDS);
                let time = if seconds { time.as_secs().max(1) } else { milliseconds(time) };
                format!("go time {time} movestogo 1")
            }
        }
    }

    fn has_option(&self, name: &str) -> bool {
        self.options.iter().any(|option| option == name)
    }

    fn get_ready(&mut self) -> Result<(), EngineFault> {
        self.say("isready")?;
        self.wait_for("readyok")
    }

    fn say(&mut self, line: &str) -> Result<(), EngineFault> {
        match self.process.say(line) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {
                Err(EngineFault::Ended { how: self.process.end() })
            }
            Err(error) => Err(EngineFault::Pipe(error)),
        }
    }

    /// Waits for a word, taking down what the engine says of itself on the way.
    fn wait_for(&mut self, wanted: &'static str) -> Result<(), EngineFault> {
        let within = self.settings.startup();
        let deadline = Instant::now() + within;
        loop {
            let line = match self.process.hear(deadline) {
                Heard::Line(line) => line,
                Heard::Nothing => return Err(EngineFault::Handshake { wanted, within }),
                Heard::Closed => return Err(EngineFault::Ended { how: self.process.end() }),
            };
            // An endless stream of lines does not make the deadline longer.
            if Instant::now() > deadline {
                return Err(EngineFault::Handshake { wanted, within });
            }
            let mut words = line.split_whitespace();
            match words.next() {
                Some(word) if word == wanted => return Ok(()),
                Some("id") if words.next() == Some("name") => {
                    self.name = Some(words.collect::<Vec<_>>().join(" "));
                }
                Some("option") => self.options.extend(option_name(self.settings.protocol, words)),
                _ => {}
            }
        }
    }
}

/// The name of a declared option: UCI has it behind `name` and up to `type`, UCCI as the first word.
fn option_name<'a>(protocol: Protocol, mut words: impl Iterator<Item = &'a str>) -> Option<String> {
    match protocol {
        Protocol::Uci => {
            let name: Vec<&str> =
                words.skip_while(|&word| word == "name").take_while(|&word| word != "type").collect();
            (!name.is_empty()).then(|| name.join(" "))
        }
        Protocol::Ucci => words.next().map(str::to_owned),
    }
}
