//! Where the games of a pair start.

use super::plan::{MatchError, StartFault};
use game::random::{Purpose, stream};
use game::starts::{StartConfig, StartSampler};
use game::turns::Turns;
use game::{BoardGame, Play};
use pairs::StartsHeader;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;

/// Random openings that are drawn for a pair before a match gives up.
pub const OPENING_TRIES: u32 = 1_000;

/// The word before the name of a start distribution in a text of starts.
pub const DRAW: &str = "draw ";

/// Starts of a match: pair `p` starts from number `p` modulo their count.
#[derive(Debug)]
pub struct Starts<G: BoardGame>(Vec<Start<G>>);

/// One start.
#[derive(Debug)]
enum Start<G: BoardGame> {
    /// A position.
    Given(Box<Play<G>>),
    /// Drawn anew for each pair, the same for both of its games.
    Drawn(StartSampler<G::Position>),
}

impl<G: BoardGame> Starts<G> {
    /// The game's own start position alone.
    pub fn standard(game: &G) -> Starts<G> {
        Starts(vec![Start::Given(Box::new(Play::new(game, game.start())))])
    }

    /// Starts from a text with one a line: a position, or `draw` and the name of one of the game's start
    /// distributions, such as `draw free-uniform`. Empty lines and what follows `#` are ignored.
    ///
    /// # Errors
    /// All faulty lines at once: positions that cannot be read or in which the game has ended,
    /// distributions that the game does not have; and a text without starts.
    pub fn read(game: &G, text: &str) -> Result<Starts<G>, MatchError> {
        let mut faults = Vec::new();
        let mut starts = Vec::new();
        for (line_number, position) in StartsHeader::positions(text) {
            let mut fault = |message| faults.push(StartFault { line: line_number, message });
            if let Some(kind) = position.strip_prefix(DRAW) {
                match StartSampler::new(game, &[StartConfig::named(kind.trim())]) {
                    Ok(sampler) => starts.push(Start::Drawn(sampler)),
                    Err(found) => {
                        let whats: Vec<String> = found.0.into_iter().map(|fault| fault.message).collect();
                        fault(whats.join("; "));
                    }
                }
                continue;
            }
            let play = match game.read_position(position) {
                Ok(position) => Play::new(game, position),
                Err(found) => {
                    fault(found.to_string());
                    continue;
                }
            };
            if let Some(outcome) = play.outcome(game) {
                fault(format!("the game has ended here ({})", outcome.reason));
            } else {
                starts.push(Start::Given(Box::new(play)));
            }
        }
        if starts.is_empty() && faults.is_empty() {
            faults.push(StartFault { line: 1, message: "no position in the whole file".to_owned() });
        }
        if faults.is_empty() { Ok(Starts(starts)) } else { Err(MatchError::Starts(faults)) }
    }

    /// How many different positions these are; `None` where some are drawn.
    pub fn different(&self, game: &G) -> Option<u64> {
        let texts: Option<HashSet<String>> = self
            .0
            .iter()
            .map(|start| match start {
                Start::Given(play) => Some(game.write_position(&play.position)),
                Start::Drawn(_) => None,
            })
            .collect();
        texts.map(|texts| texts.len() as u64)
    }

    /// The start of a pair and the steps of its opening, from the pair's own stream: `turns` turns, each
    /// drawn uniformly from all complete legal turns. Openings that end the game are drawn again.
    pub(super) fn opening(
        &self,
        game: &G,
        seed: u64,
        pair: u64,
        turns: u32,
    ) -> Result<Opening<G>, MatchError> {
        let mut random = stream(seed, Purpose::Opening, &[pair]);
        let start = match &self.0[(pair % self.0.len() as u64) as usize] {
            Start::Given(play) => Play::clone(play),
            Start::Drawn(sampler) => Play::new(game, sampler.draw(&mut random).position),
        };
        let mut walk = Turns::new(game, &start.position);
        for _ in 0..OPENING_TRIES {
            let mut play = start.clone();
            let mut steps = Vec::new();
            let mut goes_on = true;
            for _ in 0..turns {
                let turn = draw_turn(game, &play, &mut walk, &mut random);
                for &step in &turn {
                    play.step(game, step);
                }
                steps.extend(turn);
                goes_on = play.outcome(game).is_none();
                if !goes_on {
                    break;
                }
            }
            if goes_on {
                return Ok(Opening { start, steps });
            }
        }
        Err(MatchError::Opening { pair, turns, tries: OPENING_TRIES })
    }
}

/// The start of both games of a pair.
#[derive(Clone, Debug)]
pub(super) struct Opening<G: BoardGame> {
    pub(super) start: Play<G>,
    pub(super) steps: Vec<G::Step>,
}

/// One of the complete legal turns, each with equal probability; keeps the `n`-th turn that the walk
/// meets with probability 1/n (reservoir sampling), so that no list is needed.
fn draw_turn<G: BoardGame>(
    game: &G,
    play: &Play<G>,
    walk: &mut Turns<G>,
    random: &mut ChaCha8Rng,
) -> Vec<G::Step> {
    walk.start(game, &play.position);
    let mut kept = Vec::new();
    let mut met = 0_u32;
    while walk.advance(game) {
        met += 1;
        if random.random_range(0..met) == 0 {
            kept.clear();
            kept.extend_from_slice(walk.steps());
        }
    }
    kept
}
