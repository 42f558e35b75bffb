//! The table at which a person and an opponent sit.

use super::command::{Command, HELP};
use super::saved_game::SavedGame;
use arena::duel::{Duel, DuelError, DuelView, Hint};
use arena::games::GameFacts;
use game::{Outcome, Player, Verdict};
use std::io::{BufRead, Write};
use std::path::Path;

/// Steps that are listed where a text is no turn.
const LISTED: usize = 20;

/// Whether a prompt stands before each line of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prompt {
    /// For a person.
    Shown,
    /// For input that is no terminal.
    Hidden,
}

/// Why a game cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// Input or output failed.
    #[error("terminal: {0}")]
    Terminal(#[from] std::io::Error),
    /// The opponent failed.
    #[error(transparent)]
    Opponent(#[from] DuelError),
}

/// A game between a person and an opponent, driven by lines of text.
pub struct Table {
    duel: Box<dyn Duel>,
    facts: GameFacts,
    side: Player,
    opponent: String,
}

/// What the table does after a line.
#[derive(PartialEq, Eq)]
enum Next {
    /// Shows the board, after the opponent's turn where it is to move.
    Show,
    /// Waits for the next line.
    Wait,
    /// Ends.
    End,
}

impl Table {
    /// A table for a person who plays `side` against the opponent of this name.
    pub fn new(duel: Box<dyn Duel>, facts: GameFacts, side: Player, opponent: &str) -> Table {
        Table { duel, facts, side, opponent: opponent.to_owned() }
    }

    /// Plays until the input ends or says so.
    ///
    /// # Errors
    /// A terminal or an opponent that fails.
    pub fn play(
        &mut self,
        input: &mut dyn BufRead,
        out: &mut dyn Write,
        prompt: Prompt,
    ) -> Result<(), TableError> {
        writeln!(out, "You play {} against {}; `help` says what to write.", self.side.word(), self.opponent)?;
        let mut next = Next::Show;
        let mut line = String::new();
        loop {
            match next {
                Next::Show => self.go_on(out)?,
                Next::Wait => {}
                Next::End => return Ok(()),
            }
            if prompt == Prompt::Shown {
                write!(out, "> ")?;
            }
            out.flush()?;
            line.clear();
            if input.read_line(&mut line)? == 0 {
                if prompt == Prompt::Shown {
                    writeln!(out)?;
                }
                return Ok(());
            }
            next = self.obey(&Command::read(&line), out)?;
        }
    }

    /// Replaces the game by a saved one; the person plays the side that is saved with it.
    ///
    /// # Errors
    /// A game of something else, in words.
    pub fn load(&mut self, saved: SavedGame) -> Result<(), String> {
        if saved.game != self.facts.name {
            return Err(format!("a game of {}, here is {} played", saved.game, self.facts.name));
        }
        if saved.rules != self.facts.rules {
            return Err(format!("its rules are {}, here are {}", saved.rules, self.facts.rules));
        }
        self.duel.restore(&saved.record).map_err(|error| error.to_string())?;
        self.side = saved.side;
        Ok(())
    }

    /// Lets the opponent play where it is to move, and shows the board.
    fn go_on(&mut self, out: &mut dyn Write) -> Result<(), TableError> {
        let mut view = self.duel.view();
        if view.outcome.is_none() && view.mover != self.side {
            let turn = self.duel.reply()?;
            writeln!(out, "{} plays {turn}", self.opponent)?;
            view = self.duel.view();
        }
        self.show(&view, out)?;
        Ok(())
    }

    fn show(&self, view: &DuelView, out: &mut dyn Write) -> std::io::Result<()> {
        writeln!(out, "{}{}", view.board, view.fen)?;
        if view.points != [0, 0] {
            writeln!(out, "points captured: first {}, second {}", view.points[0], view.points[1])?;
        }
        match &view.outcome {
            Some(outcome) => writeln!(out, "{}", result(outcome, self.side)),
            None if view.begun.is_empty() => writeln!(out, "Your turn ({}).", self.side.word()),
            None => writeln!(out, "Your turn so far: {}. Go on.", view.begun.join(" ")),
        }
    }

    fn obey(&mut self, command: &Command, out: &mut dyn Write) -> Result<Next, TableError> {
        match command {
            Command::Nothing => {}
            Command::Turn(text) => match self.duel.enter(text) {
                Ok(()) => return Ok(Next::Show),
                Err(fault) => self.refuse(text, &fault.message, out)?,
            },
            Command::Step(text) => match self.duel.enter_step(text) {
                Ok(()) => return Ok(Next::Show),
                Err(fault) => self.refuse(text, &fault.message, out)?,
            },
            Command::Steps(begin) => {
                let steps = self.duel.legal_steps();
                let matching: Vec<&String> = steps.iter().filter(|step| step.starts_with(begin)).collect();
                writeln!(out, "{} of {} legal steps", matching.len(), steps.len())?;
                for step in matching {
                    writeln!(out, "  {step}")?;
                }
            }
            Command::Board => self.show(&self.duel.view(), out)?,
            Command::Turns => {
                for (number, turn) in self.duel.turns().iter().enumerate() {
                    writeln!(out, "{:3} {:6} {}", number + 1, turn.player.word(), turn.text)?;
                }
            }
            Command::Hint => self.hint(out)?,
            Command::Back => {
                if self.take_back() {
                    return Ok(Next::Show);
                }
                writeln!(out, "There is no turn of yours to take back.")?;
            }
            Command::Save(path) => match self.saved().write(path) {
                Ok(()) => writeln!(out, "The game is in {}.", path.display())?,
                Err(fault) => writeln!(out, "{fault}")?,
            },
            Command::Load(path) => match SavedGame::read(path)
                .and_then(|saved| self.load(saved).map_err(|fault| format!("{}: {fault}", path.display())))
            {
                Ok(()) => return Ok(Next::Show),
                Err(fault) => writeln!(out, "{fault}")?,
            },
            Command::Picture(path) => match self.draw(path) {
                Ok(()) => writeln!(out, "The board is in {}.", path.display())?,
                Err(error) => writeln!(out, "{}: cannot be written: {error}", path.display())?,
            },
            Command::Help => write!(out, "{HELP}")?,
            Command::Incomplete { word, missing } => {
                writeln!(out, "`{word}` needs {missing}; `help` says what to write.")?;
            }
            Command::Quit => return Ok(Next::End),
        }
        Ok(Next::Wait)
    }

    /// Says why a text is no turn, and what would be: the steps that begin like it, or some of all.
    fn refuse(&self, text: &str, message: &str, out: &mut dyn Write) -> std::io::Result<()> {
        writeln!(out, "`{text}`: {message}")?;
        let steps = self.duel.legal_steps();
        if steps.is_empty() {
            return writeln!(out, "The game has ended: `back` takes a turn back, `quit` ends.");
        }
        let alike = |length: usize| -> Vec<&str> {
            let begin: String = text.chars().take(length).collect();
            steps.iter().map(String::as_str).filter(|step| step.starts_with(&begin)).collect()
        };
        // The longest beginning that legal steps share with the text.
        let mut listed = Vec::new();
        for length in (0..=text.chars().count()).rev() {
            listed = alike(length);
            if !listed.is_empty() {
                break;
            }
        }
        let more = listed.len().saturating_sub(LISTED);
        listed.truncate(LISTED);
        let more = if more > 0 { format!(" and {more} more, see `steps`") } else { String::new() };
        writeln!(out, "Legal here: {}{more}", listed.join(" "))
    }

    fn hint(&mut self, out: &mut dyn Write) -> Result<(), TableError> {
        let Hint { turn, inspection } = match self.duel.hint() {
            Err(DuelError::Ended) => return Ok(writeln!(out, "The game has ended.")?),
            hint => hint?,
        };
        writeln!(out, "{} would play {turn}", self.opponent)?;
        if let Some(inspection) = inspection {
            let judged = inspection.search;
            writeln!(
                out,
                "win {:.0} %, draw {:.0} %, loss {:.0} % for you",
                100.0 * judged.win,
                100.0 * judged.draw,
                100.0 * judged.loss
            )?;
            let mut steps: Vec<_> = inspection.steps.iter().collect();
            steps.sort_by(|left, right| right.policy.total_cmp(&left.policy));
            for step in steps.iter().take(3) {
                writeln!(out, "  {:4.1} %  {}", 100.0 * step.policy, step.line.join(" "))?;
            }
        }
        Ok(())
    }

    /// Takes back the last step of the person's turn under way, or else everything from the person's
    /// last turn on.
    fn take_back(&mut self) -> bool {
        let view = self.duel.view();
        if !view.begun.is_empty() {
            return self.duel.take_back();
        }
        let turns = self.duel.turns();
        let Some(own) = turns.iter().rposition(|turn| turn.player == self.side) else { return false };
        for _ in own..turns.len() {
            self.duel.take_back();
        }
        true
    }

    fn saved(&self) -> SavedGame {
        let GameFacts { name, rules, .. } = &self.facts;
        SavedGame::new(name, rules.clone(), self.side, &self.opponent, self.duel.record())
    }

    fn draw(&self, path: &Path) -> std::io::Result<()> {
        files::write(path, self.duel.picture().as_bytes())
    }
}

fn result(outcome: &Outcome, side: Player) -> String {
    let what = match outcome.verdict {
        Verdict::Win(winner) if winner == side => "You win",
        Verdict::Win(_) => "You lose",
        Verdict::Draw => "A draw",
        Verdict::Truncated => "The game was cut off",
    };
    format!("{what}: {}.", outcome.reason)
}
