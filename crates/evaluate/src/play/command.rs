//! What a line of input says.

use std::path::PathBuf;

/// A line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Nothing but blanks.
    Nothing,
    /// Play a turn, or a step that goes on with one.
    Turn(String),
    /// Play one step and leave the turn open.
    Step(String),
    /// List the legal steps, those that begin with the text where there is one.
    Steps(String),
    /// Show the board.
    Board,
    /// List the turns so far.
    Turns,
    /// Say what the opponent would play.
    Hint,
    /// Take back.
    Back,
    /// Keep the game in a file.
    Save(PathBuf),
    /// Go on with the game in a file.
    Load(PathBuf),
    /// Draw the board into a file.
    Picture(PathBuf),
    /// Say what can be written.
    Help,
    /// End.
    Quit,
    /// A command without what belongs to it.
    Incomplete {
        /// The command.
        word: &'static str,
        /// What is missing.
        missing: &'static str,
    },
}

/// What can be written, for people.
pub const HELP: &str = "\
a turn, as the board's notation writes it, or the first step of one
step TEXT   play one step and leave the turn open
steps [T]   list the legal steps, those that begin with T
hint        what the opponent would play for you
back        take back your last turn, or the last step of a turn under way
board       show the board again
turns       list the turns so far
save FILE   keep the game in a file
load FILE   go on with the game in a file
svg FILE    draw the board into a file
quit        end; so does the end of the input
";

impl Command {
    /// Reads a line. What is no command is a turn.
    pub fn read(line: &str) -> Command {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let file = |word, made: fn(PathBuf) -> Command| match rest {
            "" => Command::Incomplete { word, missing: "a file" },
            path => made(PathBuf::from(path)),
        };
        match (word, rest) {
            ("", _) => Command::Nothing,
            ("step", "") => Command::Incomplete { word: "step", missing: "a step" },
            ("step", text) => Command::Step(text.to_owned()),
            ("steps", text) => Command::Steps(text.to_owned()),
            ("save", _) => file("save", Command::Save),
            ("load", _) => file("load", Command::Load),
            ("svg", _) => file("svg", Command::Picture),
            ("board", "") => Command::Board,
            ("turns", "") => Command::Turns,
            ("hint", "") => Command::Hint,
            ("back", "") => Command::Back,
            ("help" | "?", "") => Command::Help,
            ("quit" | "exit", "") => Command::Quit,
            _ => Command::Turn(line.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_commands_or_turns() {
        assert_eq!(Command::read("  \n"), Command::Nothing);
        assert_eq!(Command::read("(T)e4-e5/(I)e4-f4\r\n"), Command::Turn("(T)e4-e5/(I)e4-f4".to_owned()));
        assert_eq!(Command::read(" step  (T)e4-e5 "), Command::Step("(T)e4-e5".to_owned()));
        assert_eq!(Command::read("steps"), Command::Steps(String::new()));
        assert_eq!(Command::read("save my game.txt"), Command::Save("my game.txt".into()));
        assert_eq!(Command::read("save"), Command::Incomplete { word: "save", missing: "a file" });
        assert_eq!(Command::read("hint please"), Command::Turn("hint please".to_owned()));
        for word in ["step", "steps", "hint", "back", "board", "turns", "save", "load", "svg", "quit"] {
            assert!(HELP.lines().any(|line| line.starts_with(word)), "{word} is not in the help");
        }
    }
}
