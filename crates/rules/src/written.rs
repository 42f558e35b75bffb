//! The commands about written games: formats, convert and check.

use crate::arguments::{Check, Common, Convert};
use crate::commands::{answer, lines, open, result};
use crate::failure::Failure;
use arena::written_session::CheckedGame;
use serde::Serialize;
use std::fmt::Write as _;
use std::io;
use std::io::Read;
use std::path::Path;

/// `rules formats`.
pub fn run_formats(common: &Common) -> Result<String, Failure> {
    let formats = open(common)?.formats();
    answer(common, &formats, || {
        let width = formats.iter().map(|format| format.name.len()).max().unwrap_or_default();
        lines(formats.iter().map(|format| format!("{:width$}  {}", format.name, format.about)))
    })
}

#[derive(Serialize)]
struct ConvertAnswer<'a> {
    game: &'a str,
    from: &'a str,
    to: &'a str,
    games: usize,
    turns: usize,
    text: &'a str,
}

/// `rules convert`.
pub fn run_convert(convert: &Convert) -> Result<String, Failure> {
    let common = &convert.common;
    let game = open(common)?;
    let text = read(&convert.file)?;
    let converted = game
        .convert(&convert.from, &convert.to, &text)
        .map_err(|error| Failure::Input(format!("{}: {error}", named(&convert.file))))?;
    let value = ConvertAnswer {
        game: &common.game,
        from: &convert.from,
        to: &convert.to,
        games: converted.games,
        turns: converted.turns,
        text: &converted.text,
    };
    answer(common, &value, || converted.text.clone())
}

#[derive(Serialize)]
struct CheckAnswer<'a> {
    game: &'a str,
    format: &'a str,
    legal: bool,
    games: &'a [CheckedGame],
}

/// `rules check`: a fault of any game is a failure, after all games have been told.
pub fn run_check(check: &Check) -> Result<String, Failure> {
    let common = &check.common;
    let game = open(common)?;
    let text = read(&check.file)?;
    let file = named(&check.file);
    let games =
        game.check(&check.format, &text).map_err(|error| Failure::Input(format!("{file}: {error}")))?;
    let first_fault = games.iter().find_map(|game| game.faults.first());
    let value = CheckAnswer {
        game: &common.game,
        format: &check.format,
        legal: first_fault.is_none(),
        games: &games,
    };
    let answer = answer(common, &value, || lines(games.iter().map(told)))?;
    match first_fault {
        None => Ok(answer),
        Some(fault) => {
            let others = games.iter().map(|game| game.faults.len()).sum::<usize>() - 1;
            let mut message = format!("{file}: {}", fault.told);
            if others > 0 {
                // Writing to a string cannot fail.
                let _ = write!(message, " (and {others} more)");
            }
            Err(Failure::Verdict { answer, message })
        }
    }
}

/// A game of a check in a line, with its faults behind.
fn told(game: &CheckedGame) -> String {
    let mut text = format!("game {}: ", game.game);
    match game.turns {
        None => text.push_str("cannot be read"),
        Some(turns) => {
            let stated = game.result.unwrap_or_default();
            let by_rules = match result(game.winner, game.reason) {
                Some(words) => format!("by the rules {words}"),
                None => "not ended by the rules".to_owned(),
            };
            let plural = if turns == 1 { "" } else { "s" };
            let _ = write!(text, "{turns} legal turn{plural}, result {stated}, {by_rules}");
        }
    }
    for fault in &game.faults {
        let _ = write!(text, "\n  {}", fault.told);
    }
    text
}

/// What to call a file in messages.
pub(crate) fn named(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// The text of a file or of standard input.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    let fault = |message: String| Failure::Input(format!("{}: {message}", named(path)));
    let bytes = match path == Path::new("-") {
        true => {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
        }
        false => files::read(path),
    };
    let bytes = bytes.map_err(|error| fault(format!("cannot be read: {error}")))?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..valid].iter().filter(|&&byte| byte == b'\n').count() + 1;
        fault(format!("line {line}: not UTF-8: convert the file first, as with iconv -f GB18030 -t UTF-8"))
    })
}
