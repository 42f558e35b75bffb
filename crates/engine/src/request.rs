//! What a graphical board says to an engine.

use crate::limit::{Clocks, Limits};
use crate::protocol::Protocol;
use std::time::Duration;

/// A line from a graphical board. Both protocols are understood, whichever was agreed on: they hardly
/// differ, and programs mix them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// `uci`, `ucci`: who are you?
    Handshake(Protocol),
    /// `isready`: are you done with what I said?
    IsReady,
    /// `setoption name N value V`, `setoption N V`.
    SetOption {
        /// Its name.
        name: String,
        /// Its value; empty where there is none.
        value: String,
    },
    /// `ucinewgame`, `setoption newgame`: what comes belongs to another game.
    NewGame,
    /// `position startpos|fen F [moves T…]`.
    Position {
        /// The position; `None` for the start of the game.
        start: Option<String>,
        /// The turns from there on.
        turns: Vec<String>,
    },
    /// `go …`: think.
    Go(Limits),
    /// `stop`, `ponderhit`: play what you have.
    Stop,
    /// `quit`.
    Quit,
    /// Something that makes no sense where it stands, in words.
    Faulty(String),
    /// Anything else, which an engine has to ignore.
    Unknown,
}

impl Request {
    /// Reads a line. In UCCI the times of the clock are seconds until an option says `milliseconds`.
    pub fn read(line: &str, milliseconds: bool) -> Request {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("uci") => Request::Handshake(Protocol::Uci),
            Some("ucci") => Request::Handshake(Protocol::Ucci),
            Some("isready") => Request::IsReady,
            Some("ucinewgame") => Request::NewGame,
            Some("setoption") => set_option(words.collect()),
            Some("position") => position(words.collect()),
            Some("go") => Request::Go(limits(words, milliseconds)),
            Some("stop" | "ponderhit") => Request::Stop,
            Some("quit") => Request::Quit,
            _ => Request::Unknown,
        }
    }
}

fn set_option(words: Vec<&str>) -> Request {
    let (name, value) = match words.as_slice() {
        ["name", rest @ ..] => {
            let end = rest.iter().position(|&word| word == "value").unwrap_or(rest.len());
            (rest[..end].join(" "), rest.get(end + 1..).unwrap_or_default().join(" "))
        }
        ["newgame", ..] => return Request::NewGame,
        [name, value @ ..] => ((*name).to_owned(), value.join(" ")),
        [] => (String::new(), String::new()),
    };
    match name.is_empty() {
        true => Request::Faulty("setoption: which option? write `setoption name N value V`".to_owned()),
        false => Request::SetOption { name, value },
    }
}

fn position(words: Vec<&str>) -> Request {
    let end = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let turns = words.get(end + 1..).unwrap_or_default().iter().map(|&turn| turn.to_owned()).collect();
    match &words[..end] {
        ["startpos"] => Request::Position { start: None, turns },
        ["fen", fields @ ..] if !fields.is_empty() => {
            Request::Position { start: Some(fields.join(" ")), turns }
        }
        _ => Request::Faulty("position: write `startpos` or `fen` and a position behind it".to_owned()),
    }
}

/// What is not understood is left out.
fn limits<'a>(words: impl Iterator<Item = &'a str>, milliseconds: bool) -> Limits {
    let mut limits = Limits::default();
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        let number = words.peek().and_then(|word| word.parse::<i64>().ok());
        // Clocks that have run out are negative in some programs.
        let count = number.map(|number| number.max(0) as u64);
        let time = count.map(Duration::from_millis);
        let clock_time = count.map(|count| {
            Duration::from_millis(if milliseconds { count } else { count.saturating_mul(1_000) })
        });
        let left = |clocks: &mut Option<Clocks>, time: Option<Duration>| {
            if let Some(time) = time {
                clocks.get_or_insert_default().left = time;
            }
        };
        let increment = |clocks: &mut Option<Clocks>, time: Option<Duration>| {
            if let Some(time) = time {
                clocks.get_or_insert_default().increment = time;
            }
        };
        match word {
            "infinite" | "ponder" => limits.infinite = true,
            "depth" => limits.depth = count.and_then(|count| count.try_into().ok()),
            "nodes" => limits.nodes = count,
            "movetime" => limits.turn_time = time,
            "wtime" => left(&mut limits.by_colour[0], time),
            "btime" => left(&mut limits.by_colour[1], time),
            "winc" => increment(&mut limits.by_colour[0], time),
            "binc" => increment(&mut limits.by_colour[1], time),
            "time" => left(&mut limits.own, clock_time),
            "increment" => increment(&mut limits.own, clock_time),
            "movestogo" => limits.turns_to_go = count.and_then(|count| count.try_into().ok()),
            _ => {}
        }
    }
    limits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_both_protocols_are_read() {
        let read = |line: &str| Request::read(line, false);
        let option = |name: &str, value: &str| Request::SetOption { name: name.into(), value: value.into() };
        let position = |start: Option<&str>, turns: &[&str]| Request::Position {
            start: start.map(str::to_owned),
            turns: turns.iter().map(ToString::to_string).collect(),
        };
        assert_eq!(read("ucci"), Request::Handshake(Protocol::Ucci));
        assert_eq!(read("  isready  "), Request::IsReady);
        assert_eq!(read("setoption name Clear Hash"), option("Clear Hash", ""));
        assert_eq!(read("setoption name Multi PV value 3"), option("Multi PV", "3"));
        assert_eq!(read("setoption MultiPV 3"), option("MultiPV", "3"));
        assert_eq!(read("setoption newgame"), Request::NewGame);
        assert_eq!(read("ucinewgame"), Request::NewGame);
        assert_eq!(read("position startpos"), position(None, &[]));
        assert_eq!(read("position startpos moves d e"), position(None, &["d", "e"]));
        assert_eq!(read("position fen 7/7 x  0 moves"), position(Some("7/7 x 0"), &[]));
        assert_eq!(read("position fen 7/7 x moves d"), position(Some("7/7 x"), &["d"]));
        for faulty in ["position", "position fen", "position fen moves d", "position somewhere", "setoption"]
        {
            assert!(matches!(read(faulty), Request::Faulty(_)), "{faulty}");
        }
        for unknown in ["", "   ", "xboard", "debug on", "Go", "register later"] {
            assert_eq!(read(unknown), Request::Unknown);
        }
        assert_eq!(read("stop"), Request::Stop);
        assert_eq!(read("quit now"), Request::Quit);
    }

    #[test]
    fn limits_are_read() {
        let read = |line: &str, milliseconds| match Request::read(line, milliseconds) {
            Request::Go(limits) => limits,
            other => panic!("{other:?}"),
        };
        assert_eq!(read("go", false), Limits::default());
        assert!(read("go infinite", false).infinite && read("go ponder time 3", false).infinite);
        assert_eq!(read("go nodes 1000 depth 9", false).nodes, Some(1_000));
        assert_eq!(read("go nodes many", false), Limits::default());
        assert_eq!(read("go movetime 250", false).turn_time, Some(Duration::from_millis(250)));
        let clocks = read("go wtime 1000 btime -5 winc 10 movestogo 4", false);
        assert_eq!(clocks.by_colour[0].unwrap().left, Duration::from_secs(1));
        assert_eq!(clocks.by_colour[1].unwrap().left, Duration::ZERO);
        assert_eq!(clocks.time(true), Some(Duration::from_millis(255)));
        for (milliseconds, left) in [(false, 300_000), (true, 300)] {
            let clocks = read("go time 300 increment 0 opptime 9", milliseconds).own.unwrap();
            assert_eq!(clocks.left, Duration::from_millis(left));
        }
    }
}
