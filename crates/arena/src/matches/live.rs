//! A game under way.

use super::openings::Opening;
use super::plan::MatchError;
use super::seat::{EngineSeat, Seat, Side};
use crate::thinking::ThinkingLimit;
use game::random::{Purpose, stream};
use game::{BoardGame, OfMover, Outcome, Play, Player, StepCode, Wdl};
use pairs::{PlayedGame, Thought, Winner};
use rand_chacha::ChaCha8Rng;
use search::{Effort, Exploration, Gathered, Search};
use std::collections::VecDeque;
use std::time::Duration;

/// One side of one game.
enum Mind<G: BoardGame> {
    BuiltIn(Box<ChaCha8Rng>),
    Network {
        search: Box<Search<G>>,
        progress: Progress,
    },
    /// `owed` is time that was taken too long.
    Timed {
        search: Box<Search<G>>,
        owed: Duration,
    },
    Engine {
        owed: Duration,
    },
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

/// What a side does.
enum Choice<S> {
    Step(S),
    /// A network has to judge a position first.
    Asks(usize),
    Stopped,
    /// Why it has lost away from the board.
    Forfeits(String),
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
    /// The rest of a turn that was chosen whole.
    chosen: VecDeque<G::Step>,
    /// What was thought of the turn under way.
    thought: Option<Thought>,
    turns: Vec<String>,
    thoughts: Vec<Option<Thought>>,
    steps: Vec<StepCode>,
    forfeit: Option<String>,
}

impl<G: BoardGame> LiveGame<G> {
    /// A game after its opening.
    ///
    /// The chance of a side comes from a stream that is named by pair and colour: whoever plays a colour
    /// of a pair meets the same chance, in both games of the pair and in the same pair of another match.
    pub(super) fn new(
        game: &G,
        seats: &mut [Seat<G>; 2],
        opening: &Opening<G>,
        seed: u64,
        pair: u64,
        number: usize,
    ) -> LiveGame<G> {
        let a_plays = Player::BOTH[number];
        let colours = [a_plays, a_plays.opponent()];
        let mut mind = |side: Side| match &mut seats[side] {
            Seat::BuiltIn(_) => {
                Mind::BuiltIn(Box::new(stream(seed, Purpose::Playout, &[pair, colours[side].index() as u64])))
            }
            Seat::Network { search, .. } => Mind::Network {
                search: Box::new(Search::new(search.clone()).with_margin_unit(game.margin_unit())),
                progress: Progress::NotBegun,
            },
            Seat::Timed { search, .. } => Mind::Timed {
                search: Box::new(Search::new(search.clone()).with_margin_unit(game.margin_unit())),
                owed: Duration::ZERO,
            },
            Seat::Engine(engine) => {
                engine.begin_game();
                Mind::Engine { owed: Duration::ZERO }
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
            chosen: VecDeque::new(),
            thought: None,
            turns: Vec::new(),
            thoughts: Vec::new(),
            steps: Vec::new(),
            forfeit: None,
        };
        for &step in &opening.steps {
            live.record(game, step);
        }
        live.opening_turns = live.turns.len();
        for (mind, colour) in live.minds.iter_mut().zip(colours) {
            if let Mind::Network { search, .. } | Mind::Timed { search, .. } = mind {
                let random = stream(seed, Purpose::Search, &[pair, colour.index() as u64]);
                search.begin(game, &live.play, random);
            }
        }
        live
    }

    /// Side A's player.
    fn a_plays(&self) -> Player {
        Player::BOTH[self.number]
    }

    /// The side whose network has to answer first.
    pub(super) fn waits_for(&self) -> Option<Side> {
        self.asked.map(|(side, _)| side)
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
            let mover = game.mover(&self.play.position);
            let side = usize::from(mover != self.a_plays());
            let choice = match self.chosen.pop_front() {
                Some(step) => Choice::Step(step),
                None => self.choose(game, seats, side, stopped)?,
            };
            match choice {
                Choice::Step(step) => {
                    self.record(game, step);
                    for mind in &mut self.minds {
                        if let Mind::Network { search, .. } | Mind::Timed { search, .. } = mind {
                            search.advance(game, step);
                        }
                    }
                }
                Choice::Asks(row) => {
                    self.asked = Some((side, row));
                    return Ok(Waiting::Judgement);
                }
                Choice::Stopped => return Ok(Waiting::Stopped),
                Choice::Forfeits(why) => {
                    self.forfeit = Some(why);
                    return Ok(Waiting::Nothing(Outcome::win(mover.opponent(), PlayedGame::FORFEIT)));
                }
            }
        }
    }

    /// What the side to move does.
    fn choose(
        &mut self,
        game: &G,
        seats: &mut [Seat<G>; 2],
        side: Side,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Choice<G::Step>, MatchError> {
        match (&mut self.minds[side], &mut seats[side]) {
            (Mind::BuiltIn(random), Seat::BuiltIn(opponent)) => {
                if let Some(step) = opponent.choose(game, &self.play, random) {
                    return Ok(Choice::Step(step));
                }
            }
            (Mind::Network { search, progress }, Seat::Network { batch, simulations, .. }) => {
                if *progress == Progress::NotBegun {
                    search.plan(game, Effort { simulations: *simulations, exploration: Exploration::None });
                    *progress = Progress::Searching;
                }
                if let Gathered::Leaf = search.gather(game) {
                    let (position, steps) = search.leaf();
                    return Ok(Choice::Asks(batch.push(game, position, steps)));
                }
                *progress = Progress::NotBegun;
                if self.turn.is_empty() {
                    let report = search.report();
                    self.thought = Some(thought(report.after.wdl, report.simulations, None));
                }
                return Ok(Choice::Step(search.choose(0.0)));
            }
            (Mind::Timed { search, owed }, Seat::Timed { judge, time, .. }) => {
                let first = self.turn.is_empty();
                let limit = match first {
                    true => ThinkingLimit::Time { time: time.after(*owed), clock: time.clock },
                    false => ThinkingLimit::LaterStep,
                };
                let spent = judge.search(game, search, limit, stopped, &mut |_, _| {})?;
                if stopped() {
                    return Ok(Choice::Stopped);
                }
                let usual = if first { time.time } else { Duration::ZERO };
                *owed = (*owed + spent.time).saturating_sub(usual);
                if first {
                    let wdl = search.report().after.wdl;
                    self.thought = Some(thought(wdl, spent.simulations, Some(spent.time)));
                }
                return Ok(Choice::Step(search.choose(0.0)));
            }
            (Mind::Engine { owed }, Seat::Engine(engine)) => {
                let Some(answer) = (match engine.think(&self.start, &self.turns, *owed, stopped)? {
                    Ok(answer) => answer,
                    Err(fault) => return Ok(Choice::Forfeits(format!("{}: {fault}", engine.name()))),
                }) else {
                    return Ok(Choice::Stopped);
                };
                if let Some(time) = engine.turn_time() {
                    *owed = (*owed + answer.took).saturating_sub(time.time);
                }
                self.thought = Some(engine_thought(&answer));
                return Ok(match whole_turn(game, &self.play.position, &answer.turn, engine) {
                    Ok((first, rest)) => {
                        self.chosen = rest;
                        Choice::Step(first)
                    }
                    Err(why) => Choice::Forfeits(why),
                });
            }
            // The minds were made for these seats.
            _ => {}
        }
        Err(MatchError::NoStep { position: game.write_position(&self.play.position) })
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
    pub(super) fn finish(mut self, game: &G, outcome: Outcome) -> PlayedGame {
        if !self.turn.is_empty() {
            // The game ended inside a turn.
            self.turns.push(game.turn_text(&self.turn_start, &self.turn));
            self.thoughts.push(self.thought);
        }
        PlayedGame {
            a_plays: self.a_plays(),
            points: game.points(&self.play.position),
            start: self.start,
            opening_turns: self.opening_turns,
            turns: self.turns,
            steps: self.steps,
            winner: Winner::from(&outcome),
            reason: outcome.reason.to_string(),
            forfeit: self.forfeit,
            thoughts: self.thoughts,
        }
    }

    fn record(&mut self, game: &G, step: G::Step) {
        self.steps.push(game.step_code(&self.play.position, step));
        self.turn.push(step);
        self.play.step(game, step);
        if !game.mid_turn(&self.play.position) {
            self.turns.push(game.turn_text(&self.turn_start, &self.turn));
            self.thoughts.push(self.thought.take());
            self.turn.clear();
            self.turn_start = self.play.position;
        }
    }
}

/// The steps of an engine's turn, the first and the rest, or why they are none. An engine that plays what
/// is not legal may have lost count of the game; its process is ended.
fn whole_turn<G: BoardGame>(
    game: &G,
    position: &G::Position,
    text: &str,
    engine: &mut EngineSeat,
) -> Result<(G::Step, VecDeque<G::Step>), String> {
    let why = match game.read_turn(position, text) {
        Ok(steps) => {
            let mut steps = VecDeque::from(steps);
            match steps.pop_front() {
                Some(first) => return Ok((first, steps)),
                None => "nothing is played".to_owned(),
            }
        }
        Err(fault) => fault.message,
    };
    engine.dismiss();
    let shown: String = text.chars().take(40).collect();
    Err(format!("{}: illegal turn `{}`: {why}", engine.name(), shown.escape_default()))
}

/// What a search thought; probabilities are rounded to what is worth keeping.
fn thought(wdl: OfMover<Wdl>, simulations: u32, time: Option<Duration>) -> Thought {
    let share = |share: f32| Some((share * 10_000.0).round() / 10_000.0);
    let Wdl { win, draw, loss } = wdl.0;
    Thought {
        win: share(win),
        draw: share(draw),
        loss: share(loss),
        nodes: Some(simulations.into()),
        milliseconds: time.map(|time| time.as_millis() as u64),
        ..Thought::default()
    }
}

fn engine_thought(answer: &engine::Answer) -> Thought {
    let share = |part: usize| answer.info.wdl.map(|wdl| wdl[part] as f32 / 1_000.0);
    let (centipawns, mate) = match answer.info.score {
        Some(engine::Score::Centipawns(centipawns)) => (Some(centipawns), None),
        Some(engine::Score::Mate(turns)) => (None, Some(turns)),
        None => (None, None),
    };
    Thought {
        win: share(0),
        draw: share(1),
        loss: share(2),
        centipawns,
        mate,
        depth: answer.info.depth,
        nodes: answer.info.nodes,
        milliseconds: Some(answer.took.as_millis() as u64),
    }
}
