//! Where the games of a pair start.

use super::plan::{MatchError, StartFault};
use game::random::{Purpose, stream};
use game::starts::{StartConfig, StartSampler};
use game::turns::Turns;
use game::{BoardGame, Play};
use pairs::StartsHeader;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, HashSet};

/// Random openings that are drawn for a pair before a match gives up.
pub const OPENING_TRIES: u32 = 1_000;

/// The word before the name of a start distribution in a text of starts.
pub const DRAW: &str = "draw ";

/// Starts of a match.
#[derive(Debug)]
pub struct Starts<G: BoardGame>(Kind<G>);

#[derive(Debug)]
enum Kind<G: BoardGame> {
    /// Both games of pair `p` start from number `p` modulo their count.
    Shared(Vec<Start<G>>),
    /// Each game of a pair has a start of its own, or cannot be played.
    Own(BTreeMap<u64, [Option<Play<G>>; 2]>),
}

/// The starts of the games of a pair: the one in which side A is the first player and the other one, each a
/// position as the game writes it, or `None` where the rules do not let the game begin.
pub type OwnStarts = [Option<String>; 2];

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
        Starts(Kind::Shared(vec![Start::Given(Box::new(Play::new(game, game.start())))]))
    }

    /// Pairs by their numbers whose games have starts of their own. Pairs without any are left out.
    ///
    /// # Errors
    /// Positions that cannot be read or in which the game has ended, "line" being the number of the pair.
    pub fn own(game: &G, pairs: &BTreeMap<u64, OwnStarts>) -> Result<Starts<G>, MatchError> {
        let mut faults = Vec::new();
        let mut own = BTreeMap::new();
        for (&pair, texts) in pairs {
            let starts = texts.each_ref().map(|text| match read_start(game, text.as_ref()?) {
                Ok(play) => Some(play),
                Err(message) => {
                    faults.push(StartFault { line: pair as usize, message });
                    None
                }
            });
            if starts.iter().any(Option::is_some) {
                own.insert(pair, starts);
            }
        }
        if faults.is_empty() { Ok(Starts(Kind::Own(own))) } else { Err(MatchError::Starts(faults)) }
    }

    /// Numbers of the pairs of a match of so many; starts of their own name theirs.
    pub(super) fn numbers(&self, pairs: u64) -> Vec<u64> {
        match &self.0 {
            Kind::Shared(_) => (0..pairs).collect(),
            Kind::Own(own) => own.keys().copied().collect(),
        }
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
            match read_start(game, position) {
                Ok(play) => starts.push(Start::Given(Box::new(play))),
                Err(message) => fault(message),
            }
        }
        if starts.is_empty() && faults.is_empty() {
            faults.push(StartFault { line: 1, message: "no position in the whole file".to_owned() });
        }
        if faults.is_empty() { Ok(Starts(Kind::Shared(starts))) } else { Err(MatchError::Starts(faults)) }
    }

    /// How many different positions these are; `None` where some are drawn or games have
    /// starts of their own.
    pub fn different(&self, game: &G) -> Option<u64> {
        let Kind::Shared(starts) = &self.0 else { return None };
        let texts: Option<HashSet<String>> = starts
            .iter()
            .map(|start| match start {
                Start::Given(play) => Some(game.write_position(&play.position)),
                Start::Drawn(_) => None,
            })
            .collect();
        texts.map(|texts| texts.len() as u64)
    }

    /// The starts of the games of a pair and the steps of their openings, from the pair's own stream: `turns`
    /// turns, each drawn uniformly from all complete legal turns. Openings that end the game are drawn again.
    /// Games that share their start share the opening; others have one each. `None` where a game cannot be
    /// played.
    pub(super) fn openings(
        &self,
        game: &G,
        seed: u64,
        pair: u64,
        turns: u32,
    ) -> Result<[Option<Opening<G>>; 2], MatchError> {
        match &self.0 {
            Kind::Shared(starts) => {
                let mut random = stream(seed, Purpose::Opening, &[pair]);
                let start = match &starts[(pair % starts.len() as u64) as usize] {
                    Start::Given(play) => Play::clone(play),
                    Start::Drawn(sampler) => Play::new(game, sampler.draw(&mut random).position),
                };
                let opening = draw_opening(game, start, &mut random, pair, turns)?;
                Ok([Some(opening.clone()), Some(opening)])
            }
            Kind::Own(own) => {
                let mut openings = [None, None];
                for (number, start) in own.get(&pair).into_iter().flatten().enumerate() {
                    if let Some(start) = start {
                        let mut random = stream(seed, Purpose::Opening, &[pair, number as u64]);
                        openings[number] = Some(draw_opening(game, start.clone(), &mut random, pair, turns)?);
                    }
                }
                Ok(openings)
            }
        }
    }
}

/// A position in which the game has not ended, or what is wrong.
fn read_start<G: BoardGame>(game: &G, text: &str) -> Result<Play<G>, String> {
    let position = game.read_position(text).map_err(|faults| faults.to_string())?;
    let play = Play::new(game, position);
    match play.outcome(game) {
        Some(outcome) => Err(format!("the game has ended here ({})", outcome.reason)),
        None => Ok(play),
    }
}

/// An opening that does not end the game.
fn draw_opening<G: BoardGame>(
    game: &G,
    start: Play<G>,
    random: &mut ChaCha8Rng,
    pair: u64,
    turns: u32,
) -> Result<Opening<G>, MatchError> {
    let mut walk = Turns::new(game, &start.position);
    for _ in 0..OPENING_TRIES {
        let mut play = start.clone();
        let mut steps = Vec::new();
        let mut goes_on = true;
        for _ in 0..turns {
            let turn = draw_turn(game, &play, &mut walk, random);
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

/// The start of a game of a pair.
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
