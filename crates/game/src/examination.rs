//! The examination that every game must pass.
//!
//! [`examine`] plays random games and tests on the way what the contract promises. It returns what
//! failed and statistics of the games; it does not panic. `examination/checks.rs` names the promises,
//! `games.rs` plays, `rules.rs`, `draws.rs`, `texts.rs`, `encoding.rs` and `symmetry.rs` test, `markup.rs` tells
//! whether a picture is well-formed.

mod checks;
mod draws;
mod encoding;
mod games;
mod markup;
mod rules;
mod starts;
mod statistics;
mod symmetry;
mod texts;

pub use checks::{Check, Failure};
pub use statistics::Statistics;

use crate::random::{Purpose, stream};
use crate::{BoardGame, Outcome, Play};
use draws::Draws;
use encoding::Encodings;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use symmetry::Symmetries;

/// Failures of one check that are told in full; the others are only counted.
const TOLD: u64 = 3;

/// How thoroughly to examine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examination {
    /// Random games to play.
    pub games: u32,
    /// Seed of their steps.
    pub seed: u64,
    /// Every how many positions to test each legal step and complete turn, not only the one played.
    pub thorough_every: u32,
    /// Start positions, used in turn; the game's own start where there are none.
    pub starts: Vec<String>,
}

impl Default for Examination {
    fn default() -> Examination {
        Examination { games: 20, seed: 1, thorough_every: 8, starts: Vec::new() }
    }
}

/// What an examination found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The first failures of each check.
    pub failures: Vec<Failure>,
    /// Number of failures by check; empty when the game passes.
    pub failed: BTreeMap<Check, u64>,
    /// What the games were like.
    pub statistics: Statistics,
}

impl Report {
    /// Whether every check passed.
    pub fn passed(&self) -> bool {
        self.failed.is_empty()
    }

    /// All failures in lines of text, for the message of a test.
    pub fn complaint(&self) -> String {
        let mut text = String::new();
        for (check, count) in &self.failed {
            text.push_str(&format!("{check}: {count} failures\n"));
            for failure in self.failures.iter().filter(|failure| failure.check == *check) {
                text.push_str(&format!("    {}: {}\n", failure.place, failure.found));
            }
        }
        text
    }

    fn fail(&mut self, check: Check, place: impl Into<String>, found: impl Into<String>) {
        let count = self.failed.entry(check).or_default();
        *count += 1;
        if *count <= TOLD {
            self.failures.push(Failure { check, place: place.into(), found: found.into() });
        }
    }
}

/// Examines a game under its rules.
pub fn examine<G: BoardGame>(game: &G, options: &Examination) -> Report {
    let mut examiner = Examiner::new(game, options.seed, options.thorough_every, None);
    rules::rules(&mut examiner);
    starts::starts(&mut examiner, options.seed);
    for number in 0..options.games {
        let start = match options.starts.get(number as usize % options.starts.len().max(1)) {
            None => game.start(),
            Some(text) => match game.read_position(text) {
                Ok(position) => position,
                Err(faults) => {
                    examiner.report.fail(
                        Check::PositionText,
                        text,
                        format!("start position refused: {faults}"),
                    );
                    continue;
                }
            },
        };
        games::game(&mut examiner, start);
    }
    draws::finish(&mut examiner);
    examiner.encodings.finish(&mut examiner.report);
    examiner.report
}

/// Examines the positions of one game from `start` whose steps are given: each number chooses among the
/// legal steps, modulo how many there are. It stops where the numbers or the game end.
pub fn examine_choices<G: BoardGame>(
    game: &G,
    start: G::Position,
    choices: &[u16],
    thorough_every: u32,
) -> Report {
    let mut examiner = Examiner::new(game, 0, thorough_every, Some(choices));
    games::game(&mut examiner, start);
    examiner.report
}

/// The examination under way.
struct Examiner<'g, G: BoardGame> {
    game: &'g G,
    report: Report,
    random: ChaCha8Rng,
    draws: Draws,
    encodings: Encodings,
    symmetries: Symmetries,
    thorough_every: u64,
    /// The steps still to be played, where they are given.
    choices: Option<&'g [u16]>,
}

impl<'g, G: BoardGame> Examiner<'g, G> {
    fn new(game: &'g G, seed: u64, thorough_every: u32, choices: Option<&'g [u16]>) -> Examiner<'g, G> {
        Examiner {
            game,
            report: Report::default(),
            random: stream(seed, Purpose::Playout, &[]),
            draws: Draws::new(seed),
            encodings: Encodings::new(game),
            symmetries: Symmetries::new(game),
            thorough_every: u64::from(thorough_every.max(1)),
            choices,
        }
    }

    /// The number of the next step among `legal` ones: a random one, or the next of those given.
    fn choose(&mut self, legal: usize) -> Option<usize> {
        match &mut self.choices {
            None => Some(self.random.random_range(0..legal)),
            Some(choices) => {
                let (&first, rest) = choices.split_first()?;
                *choices = rest;
                Some(usize::from(first) % legal)
            }
        }
    }

    fn fail(&mut self, check: Check, position: &G::Position, found: impl Into<String>) {
        let place = self.game.write_position(position);
        self.report.fail(check, place, found);
    }

    /// Tests everything about a position of a game; `legal` are its steps, `outcome` its end in this
    /// game.
    fn position(&mut self, play: &Play<G>, legal: &[G::Step], outcome: Option<Outcome>) {
        let thorough =
            self.report.statistics.positions.is_multiple_of(self.thorough_every) || legal.is_empty();
        self.report.statistics.add_position(legal.len());
        rules::position(self, play, legal, outcome);
        draws::position(self, play, legal, outcome);
        texts::position(self, &play.position, legal);
        encoding::position(self, &play.position, legal);
        if thorough {
            rules::thorough(self, &play.position, legal);
            draws::thorough(self, play, legal);
            texts::thorough(self, &play.position, legal);
            encoding::thorough(self, &play.position, legal);
            symmetry::thorough(self, &play.position, legal);
        }
    }
}
