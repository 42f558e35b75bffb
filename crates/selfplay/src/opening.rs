//! How a game of self-play begins.

use crate::Counters;
use crate::config::RandomOpenings;
use game::random::{Purpose, stream};
use game::record::StepRecord;
use game::starts::StartSampler;
use game::{BoardGame, Play};
use rand::Rng;

/// How often an opening is drawn again because the game ended within it.
const OPENING_ATTEMPTS: usize = 32;

/// A start with the random turns that were played from it.
#[derive(Clone, Debug)]
pub struct Opening<G: BoardGame> {
    /// Where the game starts.
    pub start: G::Position,
    /// The game after its random turns.
    pub play: Play<G>,
    /// Their steps, as they are recorded.
    pub steps: Vec<StepRecord>,
    /// How many turns they are.
    pub turns: u32,
}

impl<G: BoardGame> Opening<G> {
    /// Draws a start, and whether and how many random turns follow it; the same for the same seed and number of
    /// the game. The draw is counted.
    pub fn draw(
        game: &G,
        random_openings: RandomOpenings,
        starts: &StartSampler<G::Position>,
        (seed, id): (u64, u64),
        counters: &mut Counters,
    ) -> Opening<G> {
        let mut random = stream(seed, Purpose::Opening, &[id]);
        let drawn = starts.draw(&mut random);
        counters.add_start(&drawn);
        let start = drawn.position;
        if random.random::<f32>() < random_openings.share {
            for _ in 0..OPENING_ATTEMPTS {
                let turns = random.random_range(1..=random_openings.most_turns.max(1));
                if let Some((play, steps)) = random_turns(game, &start, turns, &mut random) {
                    return Opening { start, play, steps, turns };
                }
            }
        }
        Opening { start, play: Play::new(game, start), steps: Vec::new(), turns: 0 }
    }
}

/// `wanted` uniformly random turns from `start`; `None` when the game ends within them.
fn random_turns<G: BoardGame>(
    game: &G,
    start: &G::Position,
    wanted: u32,
    random: &mut impl Rng,
) -> Option<(Play<G>, Vec<StepRecord>)> {
    let mut play = Play::new(game, *start);
    let mut records = Vec::new();
    let mut steps = Vec::new();
    let mut turns = 0;
    while turns < wanted {
        game.legal_steps(&play.position, &mut steps);
        if steps.is_empty() {
            return None;
        }
        let step = steps[random.random_range(0..steps.len())];
        records.push(StepRecord { code: game.step_code(&play.position, step), search: None });
        play.step(game, step);
        if play.outcome(game).is_some() {
            return None;
        }
        if !game.mid_turn(&play.position) {
            turns += 1;
        }
    }
    Some((play, records))
}
