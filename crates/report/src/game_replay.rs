//! Replays of recorded games, drawn by the games themselves.

use crate::number::plain;
use crate::replay::{Frame, Replay};
use game::record::{GameRecord, SearchRecord, StepRecord, replay_steps, share};
use game::{BoardGame, Fault, Play};

/// Steps that a note names of a search.
const NAMED_STEPS: usize = 3;

impl Replay {
    /// The replay of a recorded game: a frame a turn, with the steps of the last turn drawn on the
    /// board, and what the search of the side to move said there. A game that was cut off is shown as
    /// far as it was played.
    ///
    /// # Errors
    /// As [`game::record::replay_steps`]: a record that the rules do not confirm.
    pub fn of_record<G: BoardGame>(game: &G, record: &GameRecord) -> Result<Replay, Fault> {
        let mut story = Story { game, frames: Vec::new(), before: None, steps: Vec::new() };
        let end = replay_steps(game, record.id, &record.start, &record.steps, |play, step, found, _| {
            story.step(play, step, found);
        })?;
        story.end(&end, record);
        let result = match record.winner.as_str() {
            "draw" => format!("drawn by {}", record.reason),
            "none" => format!("cut off by {}", record.reason),
            winner => format!("won by the {winner} player by {}", record.reason),
        };
        let turns = story.frames.len().saturating_sub(1);
        Ok(Replay {
            title: format!("game {}", record.id),
            note: format!("cycle {}, {turns} turns, {result}", record.cycle),
            frames: story.frames,
        })
    }
}

/// The frames so far.
struct Story<'a, G: BoardGame> {
    game: &'a G,
    frames: Vec<Frame>,
    /// The position before the turn under way, once the game has begun.
    before: Option<G::Position>,
    /// The steps of that turn.
    steps: Vec<G::Step>,
}

impl<G: BoardGame> Story<'_, G> {
    /// Takes a step that is played in `play`.
    fn step(&mut self, play: &Play<G>, step: G::Step, record: &StepRecord) {
        let position = &play.position;
        match self.before {
            None => {
                // A game may begin within a turn.
                let (before, done) = self.game.turn_so_far(position);
                let picture = self.picture(position, &before, &done);
                self.push(picture, String::new(), position, Some(record));
                (self.before, self.steps) = (Some(before), done);
            }
            Some(before) if !self.game.mid_turn(position) => {
                self.finish_turn(&before, position, Some(record));
                self.before = Some(*position);
                self.steps.clear();
            }
            Some(_) => {}
        }
        self.steps.push(step);
    }

    /// Takes the end of the game.
    fn end(&mut self, end: &Play<G>, record: &GameRecord) {
        let position = &end.position;
        match self.before {
            None => {
                let picture = self.game.board_svg(position, None);
                self.push(picture, String::new(), position, None);
            }
            Some(before) => self.finish_turn(&before, position, None),
        }
        if let Some(frame) = self.frames.last_mut() {
            let outcome = match record.winner.as_str() {
                "first" => 1.0,
                "second" => -1.0,
                _ => 0.0,
            };
            frame.value = Some(outcome);
            frame.note = format!("end: {} ({})\n{}", record.winner, record.reason, frame.note);
        }
    }

    fn finish_turn(&mut self, before: &G::Position, after: &G::Position, record: Option<&StepRecord>) {
        let steps = std::mem::take(&mut self.steps);
        let picture = self.picture(after, before, &steps);
        let turn = self.game.turn_text(before, &steps);
        self.push(picture, turn, after, record);
    }

    fn picture(&self, position: &G::Position, before: &G::Position, steps: &[G::Step]) -> String {
        self.game.board_svg(position, (!steps.is_empty()).then_some((before, steps)))
    }

    fn push(&mut self, picture: String, turn: String, position: &G::Position, record: Option<&StepRecord>) {
        let mut lines = Vec::new();
        let mut value = None;
        if let Some(record) = record {
            let mover = self.game.mover(position);
            lines.push(format!("the {} player to move", mover.word()));
            match &record.search {
                Some(search) => {
                    let wdl = search.wdl();
                    value = Some(f64::from(wdl.to_first(mover).0.value()));
                    lines.push(format!(
                        "it expects a win {}, a draw {}, a loss {}",
                        percent(wdl.0.win),
                        percent(wdl.0.draw),
                        percent(wdl.0.loss)
                    ));
                    lines.push(self.policy(position, record, search));
                }
                None => lines.push("random opening step".to_owned()),
            }
        }
        let [first, second] = self.game.points(position);
        if (first, second) != (0, 0) {
            lines.push(format!("points {first} : {second}"));
        }
        self.frames.push(Frame { picture, turn, note: lines.join("\n"), value });
    }

    /// What a search found best, and what was played.
    fn policy(&self, position: &G::Position, record: &StepRecord, search: &SearchRecord) -> String {
        let name = |code| {
            let step = self.game.step_from_code(position, code);
            step.map_or_else(|| "?".to_owned(), |step| self.game.step_text(position, step))
        };
        let named: Vec<String> = search
            .policy
            .iter()
            .take(NAMED_STEPS)
            .map(|&(code, weight)| format!("{} {}", name(code), percent(share(weight))))
            .collect();
        let kind = if search.full { "full" } else { "fast" };
        format!(
            "{kind} search, {} simulations: {}; played {}",
            search.simulations,
            named.join(", "),
            name(record.code)
        )
    }
}

fn percent(share: f32) -> String {
    format!("{} %", plain(f64::from((share * 100.0).round())))
}
