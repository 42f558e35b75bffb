//! Games that a built-in opponent plays, as a network is to learn from them.

use super::{TaughtPolicy, Teacher};
use crate::opponents::Opponent;
use game::random::{Purpose, stream};
use game::record::{GameRecord, SearchRecord, StepRecord};
use game::starts::StartSampler;
use game::{BoardGame, Player, StepCode};
use rand::Rng;
use rand::seq::IndexedRandom;
use selfplay::{Counters, Opening, SelfPlayConfig, WorkerError};

/// Plays one game after the other with the same opponent on both sides.
///
/// Games begin as those of self-play do. A turn is played at random with the teacher's probability, and then teaches
/// nothing; so games differ, and the teacher shows what it does about a mistake. Every other step teaches its policy
/// ([`TaughtPolicy`]) and its value: since a teacher judges no positions, that is the result of the game.
pub(super) struct TaughtGames<'a, G: BoardGame> {
    game: &'a G,
    config: &'a SelfPlayConfig,
    starts: StartSampler<G::Position>,
    seed: u64,
    opponent: Box<dyn Opponent<G>>,
    random_turns: f32,
    policy: TaughtPolicy,
    legal: Vec<G::Step>,
    equal: Vec<G::Step>,
}

impl<'a, G: BoardGame> TaughtGames<'a, G> {
    /// # Errors
    /// Wrong start positions.
    pub(super) fn new(
        game: &'a G,
        config: &'a SelfPlayConfig,
        seed: u64,
        teacher: Teacher,
    ) -> Result<TaughtGames<'a, G>, WorkerError> {
        Ok(TaughtGames {
            game,
            config,
            starts: config.starts.sampler(game).map_err(WorkerError::Starts)?,
            seed,
            opponent: teacher.player.for_game(game),
            random_turns: teacher.random_turns,
            policy: teacher.policy,
            legal: Vec::new(),
            equal: Vec::new(),
        })
    }

    /// Plays the game of this number, the same every time; `None` where `stop` says so within it.
    pub(super) fn play(
        &mut self,
        id: u64,
        cycle: u64,
        counters: &mut Counters,
        stop: impl Fn() -> bool,
    ) -> Option<GameRecord> {
        let game = self.game;
        let openings = self.config.random_openings;
        let opening = Opening::draw(game, openings, &self.starts, (self.seed, id), counters);
        let Opening { start, mut play, mut steps, .. } = opening;
        let mut random = stream(self.seed, Purpose::Playout, &[id]);
        let mut lessons = Vec::new();
        let mut at_random = false;
        let outcome = loop {
            if let Some(outcome) = play.outcome(game) {
                break outcome;
            }
            if stop() {
                return None;
            }
            if !game.mid_turn(&play.position) {
                at_random = random.random::<f32>() < self.random_turns;
            }
            game.legal_steps(&play.position, &mut self.legal);
            let step = if at_random {
                *self.legal.choose(&mut random)?
            } else {
                let mover = game.mover(&play.position);
                counters.steps += 1;
                let chosen = self.opponent.choose(game, &play, &mut random)?;
                let steps_taught: &[G::Step] = match self.policy {
                    TaughtPolicy::ChosenStep => &[chosen],
                    TaughtPolicy::EqualSteps => {
                        self.opponent.equal_steps(chosen, &mut self.equal);
                        &self.equal
                    }
                };
                let weight = |&step: &G::Step| (game.step_code(&play.position, step), 1.0);
                lessons.push(Lesson {
                    index: steps.len(),
                    mover,
                    choice: self.legal.len() > 1,
                    policy: steps_taught.iter().map(weight).collect(),
                });
                chosen
            };
            steps.push(StepRecord { code: game.step_code(&play.position, step), search: None });
            play.step(game, step);
        };
        counters.games += 1;
        for Lesson { index, mover, choice, policy } in lessons {
            let result = outcome.wdl().to_mover(mover);
            steps[index].search = Some(SearchRecord::new(&policy, result, 0, choice, 0.0));
        }
        Some(GameRecord {
            id,
            cycle,
            start: game.write_position(&start),
            steps,
            winner: outcome.winner_word().to_owned(),
            reason: outcome.reason.0.to_owned(),
            points: game.points(&play.position),
        })
    }
}

/// A step that the teacher chose.
struct Lesson {
    /// Its place in the game.
    index: usize,
    mover: Player,
    /// Whether there was more than one step to choose from.
    choice: bool,
    /// Steps with their weights.
    policy: Vec<(StepCode, f32)>,
}
