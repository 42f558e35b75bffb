//! Questions about rules and positions, for programs that know a game by name only.

use game::perft::{self, Branch, Count, DepthError};
use game::random::{Purpose, stream};
use game::starts::{StartConfig, StartKind, StartSampler};
use game::{BoardGame, Fault, Faults, Line, Outcome, PictureLayer, Play, Player, Turns};
use rand::Rng;
use serde::Serialize;
use std::time::Duration;

/// A game that answers questions about its rules; every game is one. Positions are the game's
/// written form; `None` stands for its standard start.
pub trait RulesSession {
    /// Counts what can be played to a depth (see [`game::perft`]).
    fn perft(&self, position: Option<&str>, depth: u32, count: Count) -> Result<u64, RulesError>;

    /// The same, split by first turn.
    fn divide(&self, position: Option<&str>, depth: u32, count: Count) -> Result<Vec<Branch>, RulesError>;

    /// The legal steps, in the order of the game.
    fn steps(&self, position: Option<&str>) -> Result<Vec<String>, RulesError>;

    /// The ordered complete turns. In the middle of a turn those that go on from there, their texts
    /// told whole, the steps that were played before included.
    fn turns(&self, position: Option<&str>) -> Result<Vec<TurnLine>, RulesError>;

    /// A position for people.
    fn show(&self, position: Option<&str>, view: &View<'_>) -> Result<Shown, RulesError>;

    /// What pictures of the game may show beside the pieces.
    fn layers(&self) -> &'static [PictureLayer];

    /// A game of uniformly random legal steps to its end, drawn from `seed`.
    fn play(&self, position: Option<&str>, seed: u64) -> Result<PlayedGame, RulesError>;

    /// The starts that the game offers by name.
    fn named_starts(&self) -> &'static [StartKind];

    /// A position drawn from one of them.
    fn draw_start(&self, kind: &str, seed: u64) -> Result<String, RulesError>;

    /// How fast this machine plays the game; each of the three figures is measured over about
    /// `each`.
    fn bench(&self, each: Duration) -> Bench;
}

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// The position is not one of the game.
    #[error("position `{text}`: {faults}")]
    Position {
        /// The text.
        text: String,
        /// All that is wrong with it.
        faults: Faults,
    },
    /// The turn cannot be played.
    #[error("turn `{}`: {}", .0.place, .0.message)]
    Turn(Fault),
    /// Pictures of the game have no such layer.
    #[error("{game} has no picture layer `{layer}`: {known}")]
    Layer {
        /// The game.
        game: &'static str,
        /// The name asked for.
        layer: String,
        /// What there is.
        known: String,
    },
    /// The game has no such start, or these rules have none.
    #[error("{0}")]
    Start(String),
    /// The count has no such depth.
    #[error(transparent)]
    Depth(#[from] DepthError),
}

/// A complete turn and where it leads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TurnLine {
    /// The turn.
    pub turn: String,
    /// The position after it.
    pub fen: String,
    /// `first`, `second`, `draw` or `none` (truncated) when it ends the game. Repetition is not
    /// applied: it belongs to games and not to positions.
    pub winner: Option<&'static str>,
    /// Why it ends the game.
    pub reason: Option<&'static str>,
}

/// What to show of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View<'a> {
    /// A complete turn to play first: the position after it is shown, the turn as arrows.
    pub turn: Option<&'a str>,
    /// Layers of the picture, of [`RulesSession::layers`].
    pub layers: &'a [String],
}

/// A position for people.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shown {
    /// The position as the game writes it.
    pub fen: String,
    /// The side to move.
    pub mover: Player,
    /// The phase of the game, where it has phases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<&'static str>,
    /// Points captured by the first and the second player.
    pub points: [i32; 2],
    /// Number of legal steps.
    pub steps: usize,
    /// Winner when the game has ended, repetition not applied.
    pub winner: Option<&'static str>,
    /// Why it has ended.
    pub reason: Option<&'static str>,
    /// The board in characters.
    pub board: String,
    /// The board as an SVG document.
    #[serde(skip)]
    pub svg: String,
}

/// A game from its start to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlayedGame {
    /// The start position.
    pub start: String,
    /// The turns.
    pub turns: Vec<String>,
    /// `first`, `second`, `draw`, or `none` for a truncated game.
    pub winner: &'static str,
    /// Why it ended.
    pub reason: &'static str,
    /// Points captured by the first and the second player.
    pub points: [i32; 2],
    /// The last position.
    pub fen: String,
}

/// Speeds on one core, on the positions that the game has for that (middle games of Commander Chess) or
/// else from its start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bench {
    /// Leaves a second of a perft of steps, counted in bulk where the game counts faster than it lists.
    pub perft_per_s: f64,
    /// Steps a second of games of uniformly random steps, list of legal steps and end of the game
    /// included.
    pub random_steps_per_s: f64,
    /// Positions a second whose planes and policy cells of all legal steps are written; the steps are
    /// listed before.
    pub encode_per_s: f64,
    /// Size of a position in memory.
    pub position_bytes: usize,
}

impl<G: BoardGame> RulesSession for G {
    fn perft(&self, position: Option<&str>, depth: u32, count: Count) -> Result<u64, RulesError> {
        Ok(perft::perft(self, &read(self, position)?, depth, count)?)
    }

    fn divide(&self, position: Option<&str>, depth: u32, count: Count) -> Result<Vec<Branch>, RulesError> {
        Ok(perft::divide(self, &read(self, position)?, depth, count)?)
    }

    fn steps(&self, position: Option<&str>) -> Result<Vec<String>, RulesError> {
        let position = read(self, position)?;
        let mut steps = Vec::new();
        self.legal_steps(&position, &mut steps);
        Ok(steps.into_iter().map(|step| self.step_text(&position, step)).collect())
    }

    fn turns(&self, position: Option<&str>) -> Result<Vec<TurnLine>, RulesError> {
        let position = read(self, position)?;
        let (before, done) = self.turn_so_far(&position);
        let mut lines = Vec::new();
        let mut turns = Turns::new(self, &position);
        while turns.advance(self) {
            let steps = [done.as_slice(), turns.steps()].concat();
            let (winner, reason) = words(self.outcome(turns.position(), &Line::new()));
            lines.push(TurnLine {
                turn: self.turn_text(&before, &steps),
                fen: self.write_position(turns.position()),
                winner,
                reason,
            });
        }
        Ok(lines)
    }

    fn layers(&self) -> &'static [PictureLayer] {
        G::picture_layers()
    }

    fn show(&self, position: Option<&str>, view: &View<'_>) -> Result<Shown, RulesError> {
        let mut position = read(self, position)?;
        let known: Vec<&str> = G::picture_layers().iter().map(|layer| layer.name).collect();
        if let Some(layer) = view.layers.iter().find(|layer| !known.contains(&layer.as_str())) {
            let known = match known.as_slice() {
                [] => "it has none".to_owned(),
                known => format!("known are {}", known.join(", ")),
            };
            return Err(RulesError::Layer { game: G::NAME, layer: layer.clone(), known });
        }
        let layers: Vec<&str> = view.layers.iter().map(String::as_str).collect();
        let (mut before, mut done) = self.turn_so_far(&position);
        if let Some(turn) = view.turn {
            (before, done) = (position, self.read_turn(&position, turn).map_err(RulesError::Turn)?);
            for &step in &done {
                self.play(&mut position, step);
            }
        }
        let mut steps = Vec::new();
        self.legal_steps(&position, &mut steps);
        let (winner, reason) = words(self.outcome(&position, &Line::new()));
        let begun = (!done.is_empty()).then_some((&before, done.as_slice()));
        Ok(Shown {
            fen: self.write_position(&position),
            mover: self.mover(&position),
            phase: self.phase(&position),
            points: self.points(&position),
            steps: steps.len(),
            winner,
            reason,
            board: self.board_text(&position),
            svg: self.board_svg_with(&position, begun, &layers),
        })
    }

    fn play(&self, position: Option<&str>, seed: u64) -> Result<PlayedGame, RulesError> {
        let mut play = Play::new(self, read(self, position)?);
        let start = self.write_position(&play.position);
        let mut random = stream(seed, Purpose::Playout, &[]);
        let mut legal = Vec::new();
        let mut turns = Vec::new();
        let (mut before, mut steps) = self.turn_so_far(&play.position);
        let outcome = loop {
            if let Some(outcome) = play.outcome(self) {
                break outcome;
            }
            self.legal_steps(&play.position, &mut legal);
            let Some(&step) = legal.get(random.random_range(0..legal.len().max(1))) else {
                // Excluded by the contract: a position without steps has an outcome.
                break Outcome::truncated("none");
            };
            steps.push(step);
            play.step(self, step);
            if !self.mid_turn(&play.position) {
                turns.push(self.turn_text(&before, &steps));
                before = play.position;
                steps.clear();
            }
        };
        if !steps.is_empty() {
            turns.push(self.turn_text(&before, &steps));
        }
        Ok(PlayedGame {
            start,
            turns,
            winner: outcome.winner_word(),
            reason: outcome.reason.0,
            points: self.points(&play.position),
            fen: self.write_position(&play.position),
        })
    }

    fn named_starts(&self) -> &'static [StartKind] {
        G::start_kinds()
    }

    fn draw_start(&self, kind: &str, seed: u64) -> Result<String, RulesError> {
        let sampler = StartSampler::new(self, &[StartConfig::named(kind)]).map_err(|faults| {
            // One source needs no number, and its name stands in the message.
            let message = |fault: &Fault| match fault.place.trim_start_matches("source 1, ") {
                "kind" => fault.message.clone(),
                place => format!("{place}: {}", fault.message),
            };
            RulesError::Start(faults.0.iter().map(message).collect::<Vec<_>>().join("; "))
        })?;
        let start = sampler.draw(&mut stream(seed, Purpose::Opening, &[]));
        Ok(self.write_position(&start.position))
    }

    fn bench(&self, each: Duration) -> Bench {
        crate::bench::run(self, each)
    }
}

/// The position that a text or its absence stands for.
pub(crate) fn read<G: BoardGame>(game: &G, text: Option<&str>) -> Result<G::Position, RulesError> {
    match text {
        None => Ok(game.start()),
        Some(text) => {
            game.read_position(text).map_err(|faults| RulesError::Position { text: text.to_owned(), faults })
        }
    }
}

fn words(outcome: Option<Outcome>) -> (Option<&'static str>, Option<&'static str>) {
    outcome.map_or((None, None), |outcome| (Some(outcome.winner_word()), Some(outcome.reason.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use connect4::ConnectFour;

    const BEFORE_FOUR: &str = "7/7/7/7/ooo4/xxx4 x";

    #[test]
    fn turns_say_what_they_end() {
        let turns = ConnectFour::new().turns(Some(BEFORE_FOUR)).unwrap();
        let words: Vec<_> = turns.iter().map(|turn| (turn.turn.as_str(), turn.winner, turn.reason)).collect();
        assert_eq!(words[2], ("c", None, None));
        assert_eq!(words[3], ("d", Some("first"), Some("four")));
        assert_eq!(turns[3].fen, "7/7/7/7/ooo4/xxxx3 o");
        assert_eq!(words.len(), 7);
    }

    #[test]
    fn random_games_repeat_and_end() {
        let game = ConnectFour::new();
        let played = RulesSession::play(&game, None, 7).unwrap();
        assert_eq!(played, RulesSession::play(&game, None, 7).unwrap());
        assert_ne!(played.turns, RulesSession::play(&game, None, 8).unwrap().turns);
        let shown = game.show(Some(&played.fen), &View::default()).unwrap();
        assert_eq!((shown.winner, shown.reason), (Some(played.winner), Some(played.reason)));
        assert_eq!(shown.steps, 0);
    }

    #[test]
    fn faults_come_with_the_text() {
        let error = ConnectFour::new().steps(Some("7/7 x")).unwrap_err();
        assert_eq!(error.to_string(), "position `7/7 x`: rows: 2 rows: there must be 6");
    }
}
