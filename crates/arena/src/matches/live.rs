//! A game under way.

use super::openings::Opening;
use super::plan::MatchError;
use super::tally::MatchGame;
use crate::opponents::Opponent;
use game::random::{Purpose, stream};
use game::{BoardGame, Outcome, Play, Player, StepCode};
use rand_chacha::ChaCha8Rng;
use search::{Effort, Exploration, Gathered, Search, SearchConfig};
use selfplay::{Batch, Evaluator};

/// Side A or side B, as an index.
pub(super) type Side = usize;

/// One side as a worker thread has it.
pub(super) enum Seat<G: BoardGame> {
    BuiltIn(Box<dyn Opponent<G>>),
    Network { evaluator: Box<dyn Evaluator>, batch: Box<Batch>, search: SearchConfig, simulations: u32 },
}

/// One side of one game.
enum Mind<G: BoardGame> {
    BuiltIn(Box<ChaCha8Rng>),
    Network { search: Box<Search<G>>, progress: Progress },
}

/// Where the search for the next step stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    NotBegun,
    Searching,
}

/// What a game waits for.
pub(super) enum Waiting {
    /// An answer, see [`LiveGame::asked`].
    Judgement,
    /// Nothing: it has ended.
    Nothing(Outcome),
    /// Nothing: it was told to stop.
    Stopped,
}

/// A game of a pair while it is played.
pub(super) struct LiveGame<G: BoardGame> {
    pub(super) pair: u64,
    /// Which of the pair's games: in number 0 side A is the first player.
    pub(super) number: usize,
    /// The row of a side's batch that the game waits for.
    asked: Option<(Side, usize)>,
    play: Play<G>,
    minds: [Mind<G>; 2],
    start: String,
    opening_turns: usize,
    turn_start: G::Position,
    turn: Vec<G::Step>,
    turns: Vec<String>,
    steps: Vec<StepCode>,
}

impl<G: BoardGame> LiveGame<G> {
    /// A game after its opening.
    pub(super) fn new(
        game: &G,
        seats: &[Seat<G>; 2],
        opening: &Opening<G>,
        seed: u64,
        pair: u64,
        number: usize,
    ) -> LiveGame<G> {
        let mind = |side: Side| {
            let numbers = [pair, number as u64, side as u64];
            match &seats[side] {
                Seat::BuiltIn(_) => Mind::BuiltIn(Box::new(stream(seed, Purpose::Playout, &numbers))),
                Seat::Network { search, .. } => Mind::Network {
                    search: Box::new(Search::new(search.clone()).with_margin_unit(game.margin_unit())),
                    progress: Progress::NotBegun,
                },
            }
        };
        let mut live = LiveGame {
            pair,
            number,
            asked: None,
            play: opening.start.clone(),
            minds: [mind(0), mind(1)],
            start: game.write_position(&opening.start.position),
            opening_turns: 0,
            turn_start: opening.start.position,
            turn: Vec::new(),
            turns: Vec::new(),
            steps: Vec::new(),
        };
        for &step in &opening.steps {
            live.record(game, step);
        }
        live.opening_turns = live.turns.len();
        for (side, mind) in live.minds.iter_mut().enumerate() {
            if let Mind::Network { search, .. } = mind {
                let random = stream(seed, Purpose::Search, &[pair, number as u64, side as u64]);
                search.begin(game, &live.play, random);
            }
        }
        live
    }

    /// Side A's player.
    fn a_plays(&self) -> Player {
        Player::BOTH[self.number]
    }

    /// Plays on until a network is needed, the game has ended, or `stopped`.
    pub(super) fn advance(
        &mut self,
        game: &G,
        seats: &mut [Seat<G>; 2],
        stopped: &dyn Fn() -> bool,
    ) -> Result<Waiting, MatchError> {
        loop {
            if let Some(outcome) = self.play.outcome(game) {
                return Ok(Waiting::Nothing(outcome));
            }
            if stopped() {
                return Ok(Waiting::Stopped);
            }
            let side = usize::from(game.mover(&self.play.position) != self.a_plays());
            let step = match (&mut self.minds[side], &mut seats[side]) {
                (Mind::BuiltIn(random), Seat::BuiltIn(opponent)) => opponent.choose(game, &self.play, random),
                (Mind::Network { search, progress }, Seat::Network { batch, simulations, .. }) => {
                    if *progress == Progress::NotBegun {
                        let effort = Effort { simulations: *simulations, exploration: Exploration::None };
                        search.plan(game, effort);
                        *progress = Progress::Searching;
                    }
                    if let Gathered::Leaf = search.gather(game) {
                        let (position, steps) = search.leaf();
                        let row = batch.push(game, position, steps);
                        self.asked = Some((side, row));
                        return Ok(Waiting::Judgement);
                    }
                    *progress = Progress::NotBegun;
                    Some(search.choose(0.0))
                }
                // The minds were made for these seats.
                _ => None,
            };
            let Some(step) = step else {
                return Err(MatchError::NoStep { position: game.write_position(&self.play.position) });
            };
            self.record(game, step);
            for mind in &mut self.minds {
                if let Mind::Network { search, .. } = mind {
                    search.advance(game, step);
                }
            }
        }
    }

    /// Gives the search the answer that it waits for.
    pub(super) fn answer(&mut self, seats: &[Seat<G>; 2]) {
        let Some((side, row)) = self.asked.take() else { return };
        if let (Mind::Network { search, .. }, Seat::Network { batch, .. }) =
            (&mut self.minds[side], &seats[side])
        {
            let (logits, judgement) = batch.answer(row);
            search.apply(logits, judgement.wdl, judgement.margin);
        }
    }

    /// The finished game.
    pub(super) fn finish(mut self, game: &G, outcome: Outcome) -> MatchGame {
        if !self.turn.is_empty() {
            // The game ended inside a turn.
            self.turns.push(game.turn_text(&self.turn_start, &self.turn));
        }
        MatchGame {
            a_plays: self.a_plays(),
            points: game.points(&self.play.position),
            start: self.start,
            opening_turns: self.opening_turns,
            turns: self.turns,
            steps: self.steps,
            outcome,
        }
    }

    fn record(&mut self, game: &G, step: G::Step) {
        self.steps.push(game.step_code(&self.play.position, step));
        self.turn.push(step);
        self.play.step(game, step);
        if !game.mid_turn(&self.play.position) {
            self.turns.push(game.turn_text(&self.turn_start, &self.turn));
            self.turn.clear();
            self.turn_start = self.play.position;
        }
    }
}
