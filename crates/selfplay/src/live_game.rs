//! One game under way in a worker.

use crate::Counters;
use crate::config::{SelfPlayConfig, Simulations};
use crate::opening::Opening;
use crate::resignation::ResignationWatch;
use game::random::{Purpose, stream};
use game::record::{GameRecord, RESIGNATION, SearchRecord, StepRecord, replay_steps};
use game::starts::StartSampler;
use game::{BoardGame, Fault, Outcome, Play, StepCode};
use rand::Rng;
use search::{Effort, Exploration, Search, SearchConfig};
use serde::{Deserialize, Serialize};

/// A game in hand as it is saved: enough to go on with it as if nothing had happened, once its
/// search is begun anew (see [`Worker::restart_searches`](crate::Worker::restart_searches)).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnfinishedGame {
    /// Number of the game in its run.
    pub id: u64,
    /// Start position as the game writes it.
    pub start: String,
    /// Steps played so far; random openings are those without a search.
    pub steps: Vec<StepRecord>,
}

/// A game under way: its record so far and its search.
///
/// Every draw comes from a stream that is named by the run's seed, the game's number and the place
/// in the game, so that a game that is restored goes on as it would have.
pub(crate) struct LiveGame<G: BoardGame> {
    unfinished: UnfinishedGame,
    search: Search<G>,
    /// Turns finished since the start.
    turns: u32,
    /// Whether this turn's search trains the policy.
    full: bool,
    resignation: ResignationWatch,
}

impl<G: BoardGame> LiveGame<G> {
    /// A new game from one of `starts`, with its random opening played and its first search begun. The draw
    /// is counted.
    pub(crate) fn start(
        game: &G,
        config: &SelfPlayConfig,
        search: &SearchConfig,
        starts: &StartSampler<G::Position>,
        (seed, id): (u64, u64),
        counters: &mut Counters,
    ) -> LiveGame<G> {
        let mut live = LiveGame {
            unfinished: UnfinishedGame { id, start: String::new(), steps: Vec::new() },
            search: new_search(game, search),
            turns: 0,
            full: true,
            resignation: ResignationWatch::default(),
        };
        live.begin(game, config, starts, (seed, id), counters);
        live
    }

    /// Makes this a new game, keeping the memory of the finished one. The draw is counted.
    pub(crate) fn begin(
        &mut self,
        game: &G,
        config: &SelfPlayConfig,
        starts: &StartSampler<G::Position>,
        (seed, id): (u64, u64),
        counters: &mut Counters,
    ) {
        let opening = Opening::draw(game, config.random_openings, starts, (seed, id), counters);
        let Opening { start, play, steps, turns } = opening;
        self.unfinished = UnfinishedGame { id, start: game.write_position(&start), steps };
        self.turns = turns;
        self.resignation = ResignationWatch::default();
        self.begin_search(game, config, seed, &play);
    }

    /// The game as it was saved.
    ///
    /// # Errors
    /// The first step that the game does not confirm, or that it has ended.
    pub(crate) fn restore(
        game: &G,
        config: &SelfPlayConfig,
        search: &SearchConfig,
        seed: u64,
        unfinished: UnfinishedGame,
    ) -> Result<LiveGame<G>, Fault> {
        let mut turns = 0;
        let mut resignation = ResignationWatch::default();
        let play = replay_steps(
            game,
            unfinished.id,
            &unfinished.start,
            &unfinished.steps,
            |play, _, step, index| {
                let position = &play.position;
                if game.mid_turn(position) {
                    return;
                }
                turns += u32::from(index > 0);
                if let Some(search) = &step.search {
                    resignation.look(&config.resignation, game.mover(position), search);
                }
            },
        )?;
        if !unfinished.steps.is_empty() && !game.mid_turn(&play.position) {
            turns += 1;
        }
        if let Some(outcome) = play.outcome(game) {
            let message = format!("it is saved as unfinished, but has ended ({})", outcome.reason);
            return Err(Fault::new(format!("game {}", unfinished.id), message));
        }
        let mut live =
            LiveGame { unfinished, search: new_search(game, search), turns, full: true, resignation };
        live.begin_search(game, config, seed, &play);
        Ok(live)
    }

    /// Begins the search of the current step anew, with an empty tree.
    pub(crate) fn restart_search(&mut self, game: &G, config: &SelfPlayConfig, seed: u64) {
        let play = self.search.play().clone();
        self.begin_search(game, config, seed, &play);
    }

    fn begin_search(&mut self, game: &G, config: &SelfPlayConfig, seed: u64, play: &Play<G>) {
        let place = [self.unfinished.id, self.unfinished.steps.len() as u64];
        self.search.begin(game, play, stream(seed, Purpose::Search, &place));
        self.plan(game, config, seed);
    }

    fn plan(&mut self, game: &G, config: &SelfPlayConfig, seed: u64) {
        let (simulations, full) = match config.simulations {
            Simulations::Always(simulations) => (simulations, true),
            Simulations::Mixed { full, fast, full_share } => {
                let place = [self.unfinished.id, u64::from(self.turns)];
                let is_full = stream(seed, Purpose::Selection, &place).random::<f32>() < full_share;
                (if is_full { full } else { fast }, is_full)
            }
        };
        self.full = full;
        let exploration = if full { Exploration::SelfPlay } else { Exploration::None };
        self.search.plan(game, Effort { simulations, exploration });
    }

    /// Records the finished search, plays its choice and plans the next search; or gives the game up
    /// without a step. Returns the outcome when that ended the game, and the simulations of the search.
    pub(crate) fn play_choice(
        &mut self,
        game: &G,
        config: &SelfPlayConfig,
        seed: u64,
    ) -> (Option<Outcome>, u32) {
        let position = self.search.play().position;
        let report = self.search.report();
        let policy: Vec<_> =
            report.steps.iter().map(|step| (game.step_code(&position, step.step), step.policy)).collect();
        let simulations = report.simulations;
        let full = self.full && policy.len() > 1;
        let search = SearchRecord::new(&policy, report.after.wdl, simulations, full, report.surprise());
        let mover = game.mover(&position);
        if !game.mid_turn(&position)
            && self.resignation.look(&config.resignation, mover, &search)
            && !self.is_played_on(config, seed)
        {
            return (Some(Outcome::win(mover.opponent(), RESIGNATION)), simulations);
        }
        let step = self.search.choose(config.temperature.at(self.turns));
        let code = game.step_code(&position, step);
        self.unfinished.steps.push(StepRecord { code, search: Some(search) });
        self.search.advance(game, step);
        if !game.mid_turn(&self.search.play().position) {
            self.turns += 1;
        }
        let outcome = self.search.play().outcome(game);
        if outcome.is_none() {
            self.plan(game, config, seed);
        }
        (outcome, simulations)
    }

    /// Whether nobody gives up in this game.
    fn is_played_on(&self, config: &SelfPlayConfig, seed: u64) -> bool {
        let mut random = stream(seed, Purpose::Selection, &[self.unfinished.id]);
        random.random::<f32>() < config.resignation.played_on()
    }

    /// Counts what the end of the game says about giving up.
    pub(crate) fn count_resignation(&self, outcome: &Outcome, counters: &mut Counters) {
        if outcome.reason.0 == RESIGNATION {
            counters.resigned += 1;
        } else if let Some(was_wrong) = self.resignation.would_have_been_wrong(outcome) {
            counters.add_played_on(was_wrong);
        }
    }

    /// The record of the game, which ended with `outcome`; the game is to begin anew afterwards.
    pub(crate) fn finish(&mut self, game: &G, outcome: Outcome, cycle: u64) -> GameRecord {
        GameRecord {
            id: self.unfinished.id,
            cycle,
            start: std::mem::take(&mut self.unfinished.start),
            steps: std::mem::take(&mut self.unfinished.steps),
            winner: outcome.winner_word().to_owned(),
            reason: outcome.reason.0.to_owned(),
            points: game.points(&self.search.play().position),
        }
    }

    pub(crate) fn unfinished(&self) -> &UnfinishedGame {
        &self.unfinished
    }

    pub(crate) fn search(&mut self) -> &mut Search<G> {
        &mut self.search
    }

    /// Bytes of its tree and of its record so far.
    pub(crate) fn bytes(&self) -> usize {
        let weights: usize = self
            .unfinished
            .steps
            .iter()
            .filter_map(|step| step.search.as_ref())
            .map(|search| search.policy.capacity() * size_of::<(StepCode, u16)>())
            .sum();
        let steps = self.unfinished.steps.capacity() * size_of::<StepRecord>();
        size_of::<Self>() + self.search.bytes() + steps + weights
    }
}

fn new_search<G: BoardGame>(game: &G, config: &SearchConfig) -> Search<G> {
    Search::new(config.clone()).with_margin_unit(game.margin_unit())
}
