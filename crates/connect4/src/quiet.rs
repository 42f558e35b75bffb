//! Quiet positions with the exact score of every step: what a trained agent is measured on.
//!
//! A position is *quiet* here when the game goes on, neither side could win with its next stone, and
//! steps differ: some keep the value of the position and some throw it away. So no single look ahead
//! finds the right step, and every position asks a question.
//!
//! [`positions`] reads the 1 000 that come with this crate, as many of each number of stones. They were
//! drawn by [`candidate`] out of uniformly random play and solved by [`Solver`];
//! `examples/quiet_positions.rs` draws them anew.

use crate::board::{COLUMNS, Position, Step, files};
use crate::solver::{Score, Solver, Value, completing, playable};
use crate::{ConnectFour, SQUARES};
use game::Notation;
use game::random::{Purpose, stream};
use rand::Rng;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::ops::RangeInclusive;

/// Numbers of stones that quiet positions have.
pub const STONES: RangeInclusive<u32> = 8..=30;

/// The seed of the file's random play.
pub const SEED: u64 = 1;

/// The file, a Zstandard frame around the text of [`write`].
const FILE: &[u8] = include_bytes!("../data/quiet.txt.zst");

/// What the text begins with.
const HEAD: &str = "# Connect Four: quiet positions. candidate;position;score of each file's step, a to g\n";

/// A position with the exact score of every step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuietPosition {
    /// Which [`candidate`] with its number of stones it is.
    pub candidate: u64,
    /// The position.
    pub position: Position,
    /// Score of each file's step for the side to move; `None` where the file is full.
    pub scores: [Option<Score>; COLUMNS],
}

/// Why a file of quiet positions cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum QuietError {
    /// It cannot be decompressed.
    #[error("quiet positions: {0}")]
    Compression(#[from] std::io::Error),
    /// A line is not one of a quiet position.
    #[error("quiet positions, line {line}: {message}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What was found and what would be right.
        message: String,
    },
}

impl QuietPosition {
    /// The position's value for the side to move: that of its best step.
    pub fn value(&self) -> Value {
        self.scores.iter().flatten().max().map_or(Value::Draw, |score| score.value())
    }

    /// Whether a step keeps the position's value: a win stays a win, a draw a draw.
    pub fn keeps(&self, step: Step) -> bool {
        self.scores[step.file()].is_some_and(|score| score.value() == self.value())
    }

    /// The share of steps that keep the value: what a random player reaches.
    pub fn keeping_share(&self) -> f64 {
        let legal = self.scores.iter().flatten().count().max(1);
        let keeping = self.scores.iter().flatten().filter(|score| score.value() == self.value()).count();
        keeping as f64 / legal as f64
    }

    /// The position with its scores if it is quiet. Tells cheaply what it can before it solves.
    pub fn examine(candidate: u64, position: Position, solver: &mut Solver) -> Option<QuietPosition> {
        if !calm(&position) {
            return None;
        }
        let values = solver.step_values(&position);
        let best = values.iter().flatten().max()?;
        if values.iter().flatten().all(|value| value == best) {
            return None;
        }
        Some(QuietPosition { candidate, position, scores: solver.step_scores(&position) })
    }
}

/// Whether the game goes on and neither side could win with its next stone.
pub fn calm(position: &Position) -> bool {
    let stones = position.stones();
    let wins = completing(position.own(), stones) | completing(position.enemy(), stones);
    !position.is_won() && !position.is_full() && wins & playable(stones) == 0
}

/// Candidate `number` of a seed for a number of stones: so many uniformly random legal steps from the
/// empty board; `None` when the game ended on the way.
pub fn candidate(seed: u64, stones: u32, number: u64) -> Option<Position> {
    let mut random = stream(seed, Purpose::Opening, &[stones.into(), number]);
    let mut position = Position::START;
    for _ in 0..stones {
        let legal: Vec<Step> = files(position.open_files()).collect();
        if legal.is_empty() {
            return None;
        }
        position.drop(legal[random.random_range(0..legal.len())]);
    }
    Some(position)
}

/// Draws candidates with this number of stones in order until `count` of them are quiet, no two of them
/// equal or mirror images.
pub fn generate(seed: u64, stones: u32, count: usize, solver: &mut Solver) -> Vec<QuietPosition> {
    let mut found: Vec<QuietPosition> = Vec::with_capacity(count);
    let mut seen = HashSet::new();
    for number in 0.. {
        if found.len() >= count {
            break;
        }
        let Some(position) = candidate(seed, stones, number) else { continue };
        if seen.contains(&position) {
            continue;
        }
        if let Some(quiet) = QuietPosition::examine(number, position, solver) {
            seen.extend([position, position.mirrored()]);
            found.push(quiet);
        }
    }
    found
}

/// How many of `count` positions have this number of stones: as many of each, those with more stones
/// first in line for what is left over.
pub fn quota(count: usize, stones: u32) -> usize {
    let numbers = (STONES.end() - STONES.start() + 1) as usize;
    let place = (stones - STONES.start()) as usize;
    count / numbers + usize::from(place >= numbers - count % numbers)
}

/// The positions that come with this crate.
///
/// # Errors
/// A file that is damaged; a test reads it.
pub fn positions() -> Result<Vec<QuietPosition>, QuietError> {
    decode(FILE)
}

/// The text of positions, compressed.
///
/// # Errors
/// What the compression says.
pub fn encode(positions: &[QuietPosition]) -> Result<Vec<u8>, QuietError> {
    Ok(zstd::encode_all(write(positions).as_bytes(), 19)?)
}

/// Reads what [`encode`] has written.
///
/// # Errors
/// Compression or lines that are none.
pub fn decode(bytes: &[u8]) -> Result<Vec<QuietPosition>, QuietError> {
    let text = zstd::decode_all(bytes)?;
    let text = std::str::from_utf8(&text)
        .map_err(|error| QuietError::Line { line: 1, message: format!("no text: {error}") })?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|(index, line)| read_line(line).map_err(|message| QuietError::Line { line: index + 1, message }))
        .collect()
}

/// The positions as text, a line each: number of the candidate, position, and the scores of the files'
/// steps with `.` for a full file.
fn write(positions: &[QuietPosition]) -> String {
    let game = ConnectFour::new();
    let mut text = HEAD.to_owned();
    for quiet in positions {
        let scores =
            quiet.scores.map(|score| score.map_or(".".to_owned(), |score| score.number().to_string()));
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{};{};{}",
            quiet.candidate,
            game.write_position(&quiet.position),
            scores.join(",")
        );
    }
    text
}

fn read_line(line: &str) -> Result<QuietPosition, String> {
    let fields: Vec<&str> = line.split(';').collect();
    let [candidate, position, scores] = fields[..] else {
        return Err(format!("{} fields: there must be candidate, position and scores", fields.len()));
    };
    let candidate = candidate.parse().map_err(|_| format!("candidate `{candidate}`: write a number"))?;
    let position = ConnectFour::new().read_position(position).map_err(|faults| faults.to_string())?;
    let texts: Vec<&str> = scores.split(',').collect();
    if texts.len() != COLUMNS {
        return Err(format!("{} scores: there must be {COLUMNS}", texts.len()));
    }
    let mut scores = [None; COLUMNS];
    for (score, text) in scores.iter_mut().zip(texts) {
        if text != "." {
            let number = text.parse().ok().and_then(Score::new);
            *score =
                Some(number.ok_or_else(|| format!("score `{text}`: write a number from -18 to 18 or `.`"))?);
        }
    }
    Ok(QuietPosition { candidate, position, scores })
}

/// The part of a game in which a position is, for statistics: 8 to 13, 14 to 19, 20 to 25 or 26 to 30
/// stones.
pub const BUCKETS: [RangeInclusive<u32>; 4] = [8..=13, 14..=19, 20..=25, 26..=30];

const _: () = assert!(*BUCKETS[3].end() == *STONES.end() && *STONES.end() < SQUARES as u32);
