//! Sessions with a thinker that knows no game.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use engine::{Best, Declared, DeclaredKind, Info, Limits, Protocol, Ranks, Thinker, serve};
use std::io::{BufReader, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

/// Plays `a0` always, and thinks until it is stopped where nothing limits it.
#[derive(Default)]
struct Simple {
    position: Option<String>,
    skill: u64,
}

impl Thinker for Simple {
    fn name(&self) -> String {
        "Simple 1".to_owned()
    }

    fn author(&self) -> String {
        "nobody".to_owned()
    }

    fn options(&self) -> Vec<Declared> {
        vec![
            Declared { name: "Skill", kind: DeclaredKind::Spin { default: 1, least: 0, most: 9 } },
            Declared { name: "Loud", kind: DeclaredKind::Check { default: false } },
        ]
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        self.skill = value.parse().map_err(|_| format!("option {name}: `{value}` is no number"))?;
        Ok(())
    }

    fn new_game(&mut self) {
        self.position = None;
    }

    fn set_position(&mut self, start: Option<&str>, turns: &[String]) -> Result<(), String> {
        self.position = None;
        if start == Some("bad") {
            return Err("position `bad`: no\nposition".to_owned());
        }
        self.position = Some(format!("{} {}", start.unwrap_or("start"), turns.join(" ")));
        Ok(())
    }

    fn think(
        &mut self,
        limits: &Limits,
        stop: &dyn Fn() -> bool,
        tell: &mut dyn FnMut(Info),
    ) -> Result<Best, String> {
        let position = self.position.clone().ok_or("there is no position")?;
        while limits.infinite && !stop() {
            std::thread::yield_now();
        }
        tell(Info { nodes: limits.nodes, line: vec!["a0".to_owned(), "b1".to_owned()], ..Info::default() });
        Ok(Best {
            turn: format!("a0[{position}|{}]", self.skill).replace(' ', "_"),
            reply: Some("b1".to_owned()),
        })
    }
}

#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// What a script is answered.
fn session(protocol: Protocol, ranks: Ranks, script: &str) -> Vec<String> {
    let output = Output::default();
    let input = std::io::Cursor::new(script.as_bytes().to_vec());
    serve(protocol, ranks, input, output.clone(), &mut Simple::default()).unwrap();
    let bytes = output.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn it_introduces_itself_in_both_protocols() {
    assert_eq!(
        session(Protocol::Uci, Ranks::FromZero, "uci\n"),
        [
            "id name Simple 1",
            "id author nobody",
            "option name Skill type spin default 1 min 0 max 9",
            "option name Loud type check default false",
            "uciok"
        ]
    );
    let ucci = session(Protocol::Uci, Ranks::FromZero, "ucci\n");
    assert_eq!(
        ucci[2..4],
        ["option usemillisec type check default false", "option Skill type spin default 1 min 0 max 9"]
    );
    assert_eq!(ucci.last().unwrap(), "ucciok");
}

#[test]
fn scripts_are_answered_to_their_end() {
    let script = "nonsense\n\nposition startpos moves c d\nsetoption name skill value 7\ngo nodes 5\n\
                  setoption name Skill value x\nsetoption name Colour value red\nposition fen bad\ngo\nposition\n\
                  position fen 7 x\ngo infinite\n";
    assert_eq!(
        session(Protocol::Uci, Ranks::FromZero, script),
        [
            "info nodes 5 pv a0 b1",
            "bestmove a0[start_c_d|7] ponder b1",
            "info string error: option Skill: `x` is no number",
            "info string error: option Colour is not known",
            "info string error: position `bad`: no position",
            "info string error: there is no position",
            "bestmove (none)",
            "info string error: position: write `startpos` or `fen` and a position behind it",
            "info pv a0 b1",
            "bestmove a0[7_x_|7] ponder b1",
        ]
    );
    let ucci = session(
        Protocol::Ucci,
        Ranks::FromOne,
        "position startpos moves c1\ngo nodes 5\nsetoption newgame\ngo\n",
    );
    assert_eq!(ucci[0], "info nodes 5 pv a1 b2");
    assert!(ucci[1].starts_with("bestmove a1[start_c1|0] ponder b2"), "{ucci:?}");
    assert_eq!(ucci.last().unwrap(), "nobestmove");
}

/// Standard input that a test writes to while the session runs.
struct Wire(Receiver<Vec<u8>>, Vec<u8>);

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().unwrap_or_default();
        }
        let length = self.1.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.1[..length]);
        self.1.drain(..length);
        Ok(length)
    }
}

fn running() -> (Sender<Vec<u8>>, Output, std::thread::JoinHandle<()>) {
    let (sender, receiver) = channel();
    let output = Output::default();
    let written = output.clone();
    let session = std::thread::spawn(move || {
        let input = BufReader::new(Wire(receiver, Vec::new()));
        serve(Protocol::Uci, Ranks::FromZero, input, written, &mut Simple::default()).unwrap();
    });
    (sender, output, session)
}

fn wait_for(output: &Output, count: usize, word: &str) -> String {
    loop {
        let text = String::from_utf8(output.0.lock().unwrap().clone()).unwrap();
        if text.matches(word).count() >= count {
            return text;
        }
        std::thread::yield_now();
    }
}

#[test]
fn it_hears_while_it_thinks() {
    let (board, output, session) = running();
    let say = |line: &str| board.send(format!("{line}\n").into_bytes()).unwrap();
    // A stop before any search means none of those that come later.
    say("stop");
    say("position startpos");
    say("go infinite");
    say("isready");
    let text = wait_for(&output, 1, "readyok");
    assert!(!text.contains("bestmove"), "{text}");
    say("stop");
    wait_for(&output, 1, "bestmove");
    // Said in one breath: the stop belongs to the search before it.
    board.send(b"go infinite\nstop\nisready\n".to_vec()).unwrap();
    wait_for(&output, 2, "bestmove");
    wait_for(&output, 2, "readyok");
    say("go infinite");
    say("quit");
    session.join().unwrap();
}

#[test]
fn a_closed_input_ends_an_endless_search() {
    let (board, output, session) = running();
    board.send(b"position startpos\ngo infinite\n".to_vec()).unwrap();
    drop(board);
    session.join().unwrap();
    wait_for(&output, 1, "bestmove");
}
