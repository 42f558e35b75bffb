//! Being an engine.

use crate::control::Control;
use crate::info::Info;
use crate::limit::Limits;
use crate::protocol::Protocol;
use crate::ranks::Ranks;
use crate::request::Request;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

/// Something that can think about positions of its game.
pub trait Thinker {
    /// What it is called.
    fn name(&self) -> String;

    /// Who made it.
    fn author(&self) -> String;

    /// The options that can be set.
    fn options(&self) -> Vec<Declared>;

    /// Sets one of its options.
    ///
    /// # Errors
    /// Names and values that it does not have, in words.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String>;

    /// What comes belongs to another game.
    fn new_game(&mut self);

    /// Goes to the position after `turns` from `start`, `None` standing for the start of the game.
    ///
    /// # Errors
    /// Positions and turns that are none, in words. There is no position then.
    fn set_position(&mut self, start: Option<&str>, turns: &[String]) -> Result<(), String>;

    /// Thinks about the position until the limits are reached or `stop` says so, telling now and then
    /// what it has found.
    ///
    /// # Errors
    /// Why there is no turn: no position, a game that has ended, a failure.
    fn think(
        &mut self,
        limits: &Limits,
        stop: &dyn Fn() -> bool,
        tell: &mut dyn FnMut(Info),
    ) -> Result<Best, String>;
}

/// What a thinker would play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Best {
    /// The turn, one word.
    pub turn: String,
    /// The answer that it expects.
    pub reply: Option<String>,
}

/// An option as it is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Its name, one word.
    pub name: &'static str,
    /// Its values.
    pub kind: DeclaredKind,
}

/// Values of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclaredKind {
    /// A whole number.
    Spin {
        /// As it is at first.
        default: u64,
        /// The smallest.
        least: u64,
        /// The largest.
        most: u64,
    },
    /// `true` or `false`.
    Check {
        /// As it is at first.
        default: bool,
    },
}

/// The unit of UCCI's clocks: milliseconds instead of seconds.
const USE_MILLISECONDS: Declared =
    Declared { name: "usemillisec", kind: DeclaredKind::Check { default: false } };

impl Declared {
    fn write(&self, protocol: Protocol) -> String {
        let name = match protocol {
            Protocol::Uci => format!("name {}", self.name),
            Protocol::Ucci => self.name.to_owned(),
        };
        let kind = match self.kind {
            DeclaredKind::Spin { default, least, most } => {
                format!("spin default {default} min {least} max {most}")
            }
            DeclaredKind::Check { default } => format!("check default {default}"),
        };
        format!("option {name} type {kind}")
    }
}

/// Answers a graphical board until it says `quit` or its words end. Words that are not known are ignored;
/// what is wrong is told in an `info string`. At the end of the input what was asked for is finished, so
/// that a script can be piped in; a search without a limit is stopped.
///
/// `protocol` is spoken until a handshake names another one. `ranks` says how turns are written.
///
/// # Errors
/// An output that cannot be written.
pub fn serve(
    protocol: Protocol,
    ranks: Ranks,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    thinker: &mut dyn Thinker,
) -> io::Result<()> {
    let output = Arc::new(Mutex::new(output));
    let control = Arc::new(Control::new());
    let (sender, lines) = channel();
    let listener = Listener { control: Arc::clone(&control), output: Arc::clone(&output), lines: sender };
    // Not waited for at the end: it may be waiting for a line that never comes.
    std::thread::Builder::new().name("board".to_owned()).spawn(move || listener.listen(input))?;
    let mut session = Session { protocol, ranks, milliseconds: false, output, control, thinker };
    match session.run(&lines) {
        // Whoever listened has gone.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Hears the board while the session thinks.
struct Listener<W> {
    control: Arc<Control>,
    output: Arc<Mutex<W>>,
    lines: Sender<String>,
}

impl<W: Write> Listener<W> {
    fn listen(&self, mut input: impl BufRead) {
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            match input.read_until(b'\n', &mut bytes) {
                Ok(0) | Err(_) => break,
                Ok(_) => {}
            }
            let line = String::from_utf8_lossy(&bytes).into_owned();
            match line.split_whitespace().next() {
                // Heard at once; all searches that were asked for before it are meant.
                Some("stop" | "ponderhit") => self.control.stop(),
                Some("isready") if self.control.is_thinking() => {
                    // If nobody hears it the session will find out too.
                    let _ = say(&self.output, "readyok");
                }
                Some("quit") => {
                    self.control.stop_for_good();
                    break;
                }
                Some("go") => {
                    self.control.asked();
                    if self.lines.send(line).is_err() {
                        return;
                    }
                }
                _ => {
                    if self.lines.send(line).is_err() {
                        return;
                    }
                }
            }
        }
        self.control.close();
    }
}

struct Session<'a, W> {
    protocol: Protocol,
    ranks: Ranks,
    milliseconds: bool,
    output: Arc<Mutex<W>>,
    control: Arc<Control>,
    thinker: &'a mut dyn Thinker,
}

impl<W: Write> Session<'_, W> {
    /// Obeys line by line, also what was said before a `quit` and not yet done; its searches are told to
    /// stop by then.
    fn run(&mut self, lines: &Receiver<String>) -> io::Result<()> {
        for line in lines {
            self.obey(Request::read(&line, self.milliseconds || self.protocol == Protocol::Uci))?;
        }
        Ok(())
    }

    fn obey(&mut self, request: Request) -> io::Result<()> {
        match request {
            Request::Handshake(protocol) => {
                self.protocol = protocol;
                self.introduce()
            }
            Request::IsReady => self.say("readyok"),
            Request::SetOption { name, value } => self.set_option(&name, &value),
            Request::NewGame => {
                self.thinker.new_game();
                Ok(())
            }
            Request::Position { start, turns } => {
                let turns: Vec<String> = turns.iter().map(|turn| self.ranks.from_engine(turn)).collect();
                match self.thinker.set_position(start.as_deref(), &turns) {
                    Ok(()) => Ok(()),
                    Err(fault) => self.complain(&fault),
                }
            }
            Request::Go(limits) => self.go(&limits),
            Request::Faulty(fault) => self.complain(&fault),
            Request::Stop | Request::Quit | Request::Unknown => Ok(()),
        }
    }

    fn introduce(&self) -> io::Result<()> {
        self.say(&format!("id name {}", self.thinker.name()))?;
        self.say(&format!("id author {}", self.thinker.author()))?;
        if self.protocol == Protocol::Ucci {
            self.say(&USE_MILLISECONDS.write(self.protocol))?;
        }
        for option in self.thinker.options() {
            self.say(&option.write(self.protocol))?;
        }
        self.say(self.protocol.ready_word())
    }

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        if name == USE_MILLISECONDS.name {
            self.milliseconds = value == "true";
            return Ok(());
        }
        // Case does not matter in UCI.
        let options = self.thinker.options();
        let Some(option) = options.iter().find(|option| option.name.eq_ignore_ascii_case(name)) else {
            return self.complain(&format!("option {name} is not known"));
        };
        match self.thinker.set_option(option.name, value) {
            Ok(()) => Ok(()),
            Err(fault) => self.complain(&fault),
        }
    }

    fn go(&mut self, limits: &Limits) -> io::Result<()> {
        let control = Arc::clone(&self.control);
        let search = control.next();
        let stop = || control.is_stopped(search, limits.infinite);
        let (output, protocol, ranks) = (&self.output, self.protocol, self.ranks);
        let mut told = Ok(());
        let mut tell = |mut info: Info| {
            for turn in &mut info.line {
                *turn = ranks.to_engine(turn);
            }
            if told.is_ok() {
                told = say(output, &info.write(protocol));
            }
        };
        let found = self.thinker.think(limits, &stop, &mut tell);
        told?;
        if limits.infinite {
            // The answer to an endless search must not come before it is asked for.
            self.control.wait_for_stop(search);
        }
        let answer = match found {
            Ok(Best { turn, reply }) => {
                let reply =
                    reply.map_or(String::new(), |reply| format!(" ponder {}", ranks.to_engine(&reply)));
                format!("bestmove {}{reply}", ranks.to_engine(&turn))
            }
            Err(fault) => {
                self.complain(&fault)?;
                protocol.no_turn().to_owned()
            }
        };
        self.control.done(search);
        self.say(&answer)
    }

    /// Tells what is wrong, in one line.
    fn complain(&self, fault: &str) -> io::Result<()> {
        self.say(&format!("info string error: {}", fault.replace('\n', " ")))
    }

    fn say(&self, line: &str) -> io::Result<()> {
        say(&self.output, line)
    }
}

fn say<W: Write>(output: &Mutex<W>, line: &str) -> io::Result<()> {
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    writeln!(output, "{line}")?;
    output.flush()
}
