//! What works behind [`Duel`].

use super::{Duel, DuelError, DuelOpponent, DuelRecord, DuelTurn, DuelView, Hint};
use crate::inspection::{Inspection, inspection};
use crate::opponents::Opponent;
use game::random::{Purpose, stream};
use game::{BoardGame, Fault, Play};
use search::{Effort, Exploration, Gathered, Search};
use selfplay::{Batch, Evaluator, EvaluatorError};

/// A game and its opponent.
pub(super) struct GameUnderWay<G: BoardGame> {
    game: G,
    start: G::Position,
    play: Play<G>,
    /// All steps from the start.
    steps: Vec<G::Step>,
    /// Where the turn under way began, and how many of `steps` came before it.
    turn_start: G::Position,
    turn_begin: usize,
    turns: Vec<DuelTurn>,
    /// For each finished turn the number of steps before it.
    turn_begins: Vec<usize>,
    opponent: Mind<G>,
    seed: u64,
}

/// The opponent, ready to think.
enum Mind<G: BoardGame> {
    BuiltIn(Box<dyn Opponent<G>>),
    Network { evaluator: Box<dyn Evaluator>, batch: Box<Batch>, search: Box<Search<G>>, simulations: u32 },
}

impl<G: BoardGame> GameUnderWay<G> {
    pub(super) fn new(
        game: G,
        start: Option<&str>,
        opponent: DuelOpponent,
        seed: u64,
    ) -> Result<GameUnderWay<G>, DuelError> {
        let start = match start {
            None => game.start(),
            Some(text) => game
                .read_position(text)
                .map_err(|faults| DuelError::Start { text: text.to_owned(), faults })?,
        };
        let opponent = match opponent {
            DuelOpponent::BuiltIn(opponent) => Mind::BuiltIn(opponent.for_game(&game)),
            DuelOpponent::Network { evaluator, search, simulations } => {
                if evaluator.plane_shape() != game.plane_shape()
                    || evaluator.policy_shape() != game.policy_shape()
                {
                    return Err(DuelError::Shapes);
                }
                let batch = Box::new(Batch::for_game(&game, 1));
                let search = Box::new(Search::new(search).with_margin_unit(game.margin_unit()));
                Mind::Network { evaluator, batch, search, simulations }
            }
        };
        let play = Play::new(&game, start);
        let mut duel = GameUnderWay {
            game,
            start,
            play,
            steps: Vec::new(),
            turn_start: start,
            turn_begin: 0,
            turns: Vec::new(),
            turn_begins: Vec::new(),
            opponent,
            seed,
        };
        duel.replay(Vec::new());
        Ok(duel)
    }

    /// Plays the game anew from its start with these steps, which are legal.
    fn replay(&mut self, steps: Vec<G::Step>) {
        self.play = Play::new(&self.game, self.start);
        self.turn_start = self.start;
        self.turn_begin = 0;
        self.steps.clear();
        self.turns.clear();
        self.turn_begins.clear();
        for step in steps {
            self.step(step);
        }
    }

    fn step(&mut self, step: G::Step) {
        let player = self.game.mover(&self.play.position);
        self.play.step(&self.game, step);
        self.steps.push(step);
        let ended = self.play.outcome(&self.game).is_some();
        if !self.game.mid_turn(&self.play.position) || ended {
            self.turns.push(DuelTurn { player, text: self.turn_text() });
            self.turn_begins.push(self.turn_begin);
            self.turn_begin = self.steps.len();
            self.turn_start = self.play.position;
        }
    }

    /// The steps since the turn began, those before the start of the game included.
    fn turn_text(&self) -> String {
        let (before, mut steps) = self.game.turn_so_far(&self.turn_start);
        steps.extend_from_slice(&self.steps[self.turn_begin..]);
        self.game.turn_text(&before, &steps)
    }

    /// The steps that the opponent plays for the side to move until its turn or the game ends, and what
    /// its network makes of the first one.
    fn think(&mut self) -> Result<(Vec<G::Step>, Option<Inspection>), DuelError> {
        let GameUnderWay { game, play, opponent, seed, steps: played, .. } = self;
        if play.outcome(game).is_some() {
            return Err(DuelError::Ended);
        }
        let mut play = play.clone();
        let number = played.len() as u64;
        let mut random = stream(*seed, Purpose::Playout, &[number]);
        let mut seen = None;
        if let Mind::Network { search, .. } = opponent {
            search.begin(game, &play, stream(*seed, Purpose::Search, &[number]));
        }
        let mut steps = Vec::new();
        loop {
            let step = match opponent {
                Mind::BuiltIn(opponent) => {
                    opponent.choose(game, &play, &mut random).ok_or(DuelError::Ended)?
                }
                Mind::Network { evaluator, batch, search, simulations } => {
                    look_ahead(game, search, *simulations, evaluator.as_mut(), batch)?;
                    if seen.is_none() {
                        seen = Some(inspection(game, search));
                    }
                    let step = search.choose(0.0);
                    search.advance(game, step);
                    step
                }
            };
            play.step(game, step);
            steps.push(step);
            if !game.mid_turn(&play.position) || play.outcome(game).is_some() {
                return Ok((steps, seen));
            }
        }
    }
}

/// Searches the root of `search` to the end.
fn look_ahead<G: BoardGame>(
    game: &G,
    search: &mut Search<G>,
    simulations: u32,
    evaluator: &mut dyn Evaluator,
    batch: &mut Batch,
) -> Result<(), EvaluatorError> {
    search.plan(game, Effort { simulations, exploration: Exploration::None });
    while search.gather(game) == Gathered::Leaf {
        batch.clear();
        let (position, steps) = search.leaf();
        let row = batch.push(game, position, steps);
        evaluator.evaluate(batch)?;
        let (logits, judgement) = batch.answer(row);
        search.apply(logits, judgement.wdl, judgement.margin);
    }
    Ok(())
}

impl<G: BoardGame> Duel for GameUnderWay<G> {
    fn view(&self) -> DuelView {
        let GameUnderWay { game, play, .. } = self;
        let mut here = self.turn_start;
        let begun = self.steps[self.turn_begin..].iter().map(|&step| {
            let text = game.step_text(&here, step);
            game.play(&mut here, step);
            text
        });
        DuelView {
            begun: begun.collect(),
            fen: game.write_position(&play.position),
            board: game.board_text(&play.position),
            mover: game.mover(&play.position),
            points: game.points(&play.position),
            outcome: play.outcome(game),
        }
    }

    fn picture(&self) -> String {
        let begin = match self.turn_begins.last() {
            Some(&begin) if self.turn_begin == self.steps.len() => begin,
            _ => self.turn_begin,
        };
        let mut before = self.start;
        for &step in &self.steps[..begin] {
            self.game.play(&mut before, step);
        }
        let steps = &self.steps[begin..];
        self.game.board_svg(&self.play.position, (!steps.is_empty()).then_some((&before, steps)))
    }

    fn turns(&self) -> &[DuelTurn] {
        &self.turns
    }

    fn legal_steps(&self) -> Vec<String> {
        let GameUnderWay { game, play, .. } = self;
        if play.outcome(game).is_some() {
            return Vec::new();
        }
        let mut steps = Vec::new();
        game.legal_steps(&play.position, &mut steps);
        steps.into_iter().map(|step| game.step_text(&play.position, step)).collect()
    }

    fn enter(&mut self, text: &str) -> Result<(), Fault> {
        if self.game.mid_turn(&self.play.position) || self.play.outcome(&self.game).is_some() {
            return self.enter_step(text);
        }
        match self.game.read_turn(&self.play.position, text) {
            Ok(steps) => {
                for step in steps {
                    self.step(step);
                }
                Ok(())
            }
            // What is wrong with the turn says more than what is wrong with it as a step.
            Err(fault) => self.enter_step(text).map_err(|_| fault),
        }
    }

    fn enter_step(&mut self, text: &str) -> Result<(), Fault> {
        if self.play.outcome(&self.game).is_some() {
            return Err(Fault::new(text, "the game has ended"));
        }
        let step = self.game.read_step(&self.play.position, text)?;
        self.step(step);
        Ok(())
    }

    fn reply(&mut self) -> Result<String, DuelError> {
        let (steps, _) = self.think()?;
        for step in steps {
            self.step(step);
        }
        Ok(self.turns.last().map(|turn| turn.text.clone()).unwrap_or_default())
    }

    fn hint(&mut self) -> Result<Hint, DuelError> {
        let (steps, inspection) = self.think()?;
        let before = self.play.position;
        let turn = if self.game.mid_turn(&before) {
            let mut here = before;
            let texts = steps.iter().map(|&step| {
                let text = self.game.step_text(&here, step);
                self.game.play(&mut here, step);
                text
            });
            texts.collect::<Vec<_>>().join(" ")
        } else {
            self.game.turn_text(&before, &steps)
        };
        Ok(Hint { turn, inspection })
    }

    fn take_back(&mut self) -> bool {
        let keep = if self.steps.len() > self.turn_begin {
            self.steps.len() - 1
        } else {
            match self.turn_begins.last() {
                Some(&begin) => begin,
                None => return false,
            }
        };
        let mut steps = std::mem::take(&mut self.steps);
        steps.truncate(keep);
        self.replay(steps);
        true
    }

    fn record(&self) -> DuelRecord {
        let mut here = self.start;
        let codes = self.steps.iter().map(|&step| {
            let code = self.game.step_code(&here, step);
            self.game.play(&mut here, step);
            code
        });
        DuelRecord {
            steps: codes.collect(),
            start: self.game.write_position(&self.start),
            turns: self.turns.iter().map(|turn| turn.text.clone()).collect(),
        }
    }

    fn restore(&mut self, record: &DuelRecord) -> Result<(), DuelError> {
        let start = self
            .game
            .read_position(&record.start)
            .map_err(|faults| DuelError::Start { text: record.start.clone(), faults })?;
        let mut play = Play::new(&self.game, start);
        let mut steps = Vec::with_capacity(record.steps.len());
        for (index, &code) in record.steps.iter().enumerate() {
            let legal = play.outcome(&self.game).is_none();
            let step = legal.then(|| self.game.step_from_code(&play.position, code)).flatten();
            let step = step.ok_or(DuelError::Record { step: index + 1 })?;
            play.step(&self.game, step);
            steps.push(step);
        }
        self.start = start;
        self.replay(steps);
        Ok(())
    }
}
