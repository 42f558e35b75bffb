//! Reading a game turn by turn, by the rules.

use super::{Place, RecordFault, Score, Tag, TurnNotation, Written, WrittenGame, WrittenTurn};
use crate::{Notation, Outcome, Play};

/// A game that has been read: its turns are legal, and `remarks` say what else does not fit.
#[derive(Debug)]
pub struct Checked<G: Notation> {
    /// The game.
    pub written: Written<G>,
    /// How its turns end it by the rules, if they do.
    pub outcome: Option<Outcome>,
    /// What does not fit: a result that the turns contradict, turns after the end. Such a game can
    /// be read and written on.
    pub remarks: Vec<RecordFault>,
}

/// A game while it is read: formats hand in its parts with their places.
#[derive(Debug)]
pub struct Replay<'g, G: Notation> {
    game: &'g G,
    number: usize,
    play: Play<G>,
    written: Written<G>,
    remarks: Vec<RecordFault>,
    ended: bool,
}

impl<'g, G: Notation> Replay<'g, G> {
    /// Game `number` of a text, which starts at the position that `start` writes, or else at the
    /// game's own start.
    ///
    /// # Errors
    /// A start that cannot be read or is in the middle of a turn.
    pub fn new(
        game: &'g G,
        number: usize,
        start: Option<(&str, Place)>,
    ) -> Result<Replay<'g, G>, RecordFault> {
        let position = match start {
            None => game.start(),
            Some((text, place)) => {
                let fault =
                    |message| RecordFault { place, game: number, turn: None, text: text.to_owned(), message };
                let position = game.read_position(text).map_err(|faults| fault(faults.to_string()))?;
                if game.mid_turn(&position) {
                    return Err(fault(
                        "in the middle of a turn: a written game starts between turns".to_owned(),
                    ));
                }
                // The standard start is the game's own value, whatever a text cannot show.
                let start = game.start();
                if game.write_position(&position) == game.write_position(&start) { start } else { position }
            }
        };
        let written = WrittenGame {
            tags: Vec::new(),
            start: position,
            comment: String::new(),
            turns: Vec::new(),
            score: Score::Open,
        };
        Ok(Replay {
            game,
            number,
            play: Play::new(game, position),
            written,
            remarks: Vec::new(),
            ended: false,
        })
    }

    /// A fault of this game outside its turns.
    pub fn fault(&self, place: Place, text: impl Into<String>, message: impl Into<String>) -> RecordFault {
        RecordFault { place, game: self.number, turn: None, text: text.into(), message: message.into() }
    }

    /// Enters a tag.
    pub fn tag(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.written.tags.push(Tag::new(name, value));
    }

    /// Plays the next turn, whose word may end in marks of judgement.
    ///
    /// # Errors
    /// A turn that is not legal.
    pub fn judged_turn<N: TurnNotation<G>>(
        &mut self,
        notation: &N,
        word: &str,
        place: Place,
    ) -> Result<(), RecordFault> {
        let (text, judgement) = notation.split_judgement(word);
        self.turn(notation, text, place)?;
        if !judgement.is_empty() {
            self.judge(judgement, place)?;
        }
        Ok(())
    }

    /// Plays the next turn.
    ///
    /// # Errors
    /// A turn that is not legal.
    pub fn turn<N: TurnNotation<G>>(
        &mut self,
        notation: &N,
        text: &str,
        place: Place,
    ) -> Result<(), RecordFault> {
        let fault = |message: String| RecordFault {
            place,
            game: self.number,
            turn: Some(self.written.turns.len() + 1),
            text: text.to_owned(),
            message,
        };
        let end = match self.ended {
            true => None,
            false => {
                self.play.outcome(self.game).map(|outcome| format!("the game had ended: {}", words(&outcome)))
            }
        };
        let steps = match notation.read_turn(self.game, &self.play.position, text) {
            Ok(steps) => steps,
            Err(found) => return Err(fault(end.unwrap_or(found.message))),
        };
        if let Some(end) = end {
            self.ended = true;
            self.remarks.push(fault(end));
        }
        for &step in &steps {
            self.play.step(self.game, step);
        }
        self.written.turns.push(WrittenTurn::new(steps));
        Ok(())
    }

    /// Adds a mark of judgement to the last turn.
    ///
    /// # Errors
    /// There is no turn yet.
    pub fn judge(&mut self, judgement: &str, place: Place) -> Result<(), RecordFault> {
        match self.written.turns.last_mut() {
            Some(turn) => {
                turn.judgements.push(judgement.to_owned());
                Ok(())
            }
            None => Err(self.fault(place, judgement, "a judgement before the first turn")),
        }
    }

    /// Adds a comment to the last turn, or to the beginning where there is none.
    pub fn comment(&mut self, text: &str) {
        let comment = match self.written.turns.last_mut() {
            Some(turn) => &mut turn.comment,
            None => &mut self.written.comment,
        };
        if !comment.is_empty() && !text.is_empty() {
            comment.push(' ');
        }
        comment.push_str(text);
    }

    /// Adds something that does not fit, but keeps the game readable.
    pub fn remark(&mut self, place: Place, text: impl Into<String>, message: impl Into<String>) {
        let remark = self.fault(place, text, message);
        self.remarks.push(remark);
    }

    /// The game so far.
    pub const fn play(&self) -> &Play<G> {
        &self.play
    }

    /// Number of turns so far.
    pub const fn turns(&self) -> usize {
        self.written.turns.len()
    }

    /// Ends the game with the result that the text states; where it states none, the rules may.
    pub fn finish(mut self, score: Score, place: Place) -> Checked<G> {
        let outcome = self.play.outcome(self.game);
        if let Some(outcome) = &outcome
            && !self.ended
            && score != Score::Open
            && score != Score::of(outcome)
        {
            let message = format!("the result contradicts the turns: {}", words(outcome));
            self.remark(place, score.text(), message);
        }
        self.written.score = match &outcome {
            Some(outcome) if score == Score::Open && !self.ended => Score::of(outcome),
            _ => score,
        };
        Checked { written: self.written, outcome, remarks: self.remarks }
    }
}

/// The end of a game in words.
fn words(outcome: &Outcome) -> String {
    match outcome.winner_word() {
        "draw" => format!("a draw by {}", outcome.reason),
        "none" => format!("no result by {}", outcome.reason),
        winner => format!("{winner} won by {}", outcome.reason),
    }
}
