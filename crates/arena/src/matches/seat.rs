//! The two sides of a match as a worker thread has them.

use super::contestant::{Contestant, EnginePlayer, TurnTime};
use super::plan::MatchError;
use crate::opponents::Opponent;
use crate::thinking::{Judge, LEAVES};
use engine::{Answer, Engine, EngineFault, Limit};
use game::BoardGame;
use search::SearchConfig;
use selfplay::{Batch, Evaluator};
use std::time::Duration;

/// Side A or side B, as an index.
pub(super) type Side = usize;

/// How often in a row an engine may fail to start before the match is given up.
const STARTS: u32 = 3;

/// One side as a worker thread has it.
pub(super) enum Seat<G: BoardGame> {
    BuiltIn(Box<dyn Opponent<G>>),
    Network { evaluator: Box<dyn Evaluator>, batch: Box<Batch>, search: SearchConfig, simulations: u32 },
    Timed { judge: Box<Judge>, search: SearchConfig, time: TurnTime },
    Engine(Box<EngineSeat>),
}

impl<G: BoardGame> Seat<G> {
    /// Takes a seat; an engine is started, a network made.
    pub(super) fn new(
        game: &G,
        side: Side,
        contestant: &Contestant,
        games_at_once: usize,
    ) -> Result<Seat<G>, MatchError> {
        let other_shapes = MatchError::Shapes { side: ['A', 'B'][side] };
        match contestant {
            Contestant::BuiltIn(opponent) => Ok(Seat::BuiltIn(opponent.for_game(game))),
            Contestant::Network(player) => {
                let evaluator = (player.make_evaluator)()?;
                if evaluator.plane_shape() != game.plane_shape()
                    || evaluator.policy_shape() != game.policy_shape()
                {
                    return Err(other_shapes);
                }
                let batch = Box::new(Batch::for_game(game, games_at_once));
                let (search, simulations) = (player.search.clone(), player.simulations);
                Ok(Seat::Network { evaluator, batch, search, simulations })
            }
            Contestant::Timed(player, time) => {
                let evaluator = (player.make_evaluator)()?;
                let judge = Judge::new(game, evaluator, LEAVES).map_err(|_| other_shapes)?;
                Ok(Seat::Timed { judge: Box::new(judge), search: player.search.clone(), time: *time })
            }
            Contestant::Engine(player) => Ok(Seat::Engine(Box::new(EngineSeat::new(side, player)?))),
        }
    }
}

/// An engine that is started again after it has failed.
pub(super) struct EngineSeat {
    side: Side,
    player: EnginePlayer,
    engine: Option<Engine>,
    new_game: bool,
    failed_starts: u32,
}

impl EngineSeat {
    fn new(side: Side, player: &EnginePlayer) -> Result<EngineSeat, MatchError> {
        let engine = Engine::start(&player.settings).map_err(|fault| MatchError::Engine {
            side,
            name: player.name.clone(),
            fault,
        })?;
        Ok(EngineSeat {
            side,
            player: player.clone(),
            engine: Some(engine),
            new_game: true,
            failed_starts: 0,
        })
    }

    /// What it is called.
    pub(super) fn name(&self) -> &str {
        &self.player.name
    }

    /// Time for a turn, where time limits it.
    pub(super) fn turn_time(&self) -> Option<TurnTime> {
        match self.player.limit {
            Limit::Nodes(_) => None,
            Limit::Time(time) => Some(TurnTime { time, clock: pairs::Clock::Wall }),
        }
    }

    /// The next question belongs to another game.
    pub(super) fn begin_game(&mut self) {
        self.new_game = true;
    }

    /// Ends its process: it has done something that it should not. The next question starts it again.
    pub(super) fn dismiss(&mut self) {
        self.engine = None;
    }

    /// Its turn; `None` when `stopped` said so. On a fault its process is ended.
    ///
    /// # Errors
    /// An engine that cannot be started any more.
    pub(super) fn think(
        &mut self,
        start: &str,
        turns: &[String],
        owed: Duration,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Result<Option<Answer>, EngineFault>, MatchError> {
        let limit = match self.turn_time() {
            None => self.player.limit,
            Some(time) => Limit::Time(time.after(owed)),
        };
        let result = self.ready().and_then(|engine| engine.think(start, turns, limit, stopped));
        match result {
            Ok(answer) => Ok(Ok(answer)),
            Err(fault) => {
                let started = self.engine.take().is_some();
                self.failed_starts = if started { 0 } else { self.failed_starts + 1 };
                if self.failed_starts >= STARTS {
                    return Err(MatchError::EngineGone {
                        side: self.side,
                        name: self.player.name.clone(),
                        fault,
                    });
                }
                Ok(Err(fault))
            }
        }
    }

    /// The engine, started and told about a new game where need be.
    fn ready(&mut self) -> Result<&mut Engine, EngineFault> {
        if self.engine.is_none() {
            self.engine = Some(Engine::start(&self.player.settings)?);
            self.new_game = true;
        }
        let engine = self.engine.as_mut().ok_or_else(|| EngineFault::Ended { how: "unknown".to_owned() })?;
        if std::mem::take(&mut self.new_game) {
            engine.new_game()?;
        }
        Ok(engine)
    }
}
