//! The written half of the contract: positions, steps and turns as text, boards as pictures.

use crate::written::RecordFormat;
use crate::{Fault, Faults, Game, Judged};

/// Where a step shows on the picture that [`Notation::board_svg`] draws, for whoever wants to mark it
/// there.
#[derive(Clone, Debug, PartialEq)]
pub struct StepTrace {
    /// The way of the step in the picture's units, `[x, y]` from the top left: from its origin to its
    /// target, or one point where it has no origin on the board.
    pub points: Vec<[f32; 2]>,
    /// Side of a cell in the same units.
    pub cell: f32,
}

/// Something that a picture of the board may show beside the pieces, unless nobody asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureLayer {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it shows, in a few words.
    pub about: &'static str,
}

/// Text and pictures.
pub trait Notation: Game {
    /// Reads a position (FEN), naming all faults at once.
    fn read_position(&self, text: &str) -> Result<Self::Position, Faults>;

    /// Writes a position so that [`Notation::read_position`] gives it back.
    fn write_position(&self, position: &Self::Position) -> String;

    /// A step as it stands in a list of steps.
    fn step_text(&self, position: &Self::Position, step: Self::Step) -> String;

    /// A complete turn that starts at `position`.
    fn turn_text(&self, position: &Self::Position, steps: &[Self::Step]) -> String {
        let mut here = *position;
        let mut texts = Vec::with_capacity(steps.len());
        for &step in steps {
            texts.push(self.step_text(&here, step));
            self.play(&mut here, step);
        }
        texts.join("/")
    }

    /// The position before the turn under way and the steps played since; between turns the
    /// position itself and no steps. Games with turns of several steps override it, so that the text
    /// of a turn can be told whole from any point inside it.
    fn turn_so_far(&self, position: &Self::Position) -> (Self::Position, Vec<Self::Step>) {
        (*position, Vec::new())
    }

    /// The phase of the game, one of the words of the rules page, where a game has phases: `entry` while
    /// men or set-ups are still being placed, `movement` after it.
    fn phase(&self, _position: &Self::Position) -> Option<&'static str> {
        None
    }

    /// The legal step with this text.
    fn read_step(&self, position: &Self::Position, text: &str) -> Result<Self::Step, Fault> {
        let mut steps = Vec::new();
        self.legal_steps(position, &mut steps);
        steps
            .into_iter()
            .find(|&step| self.step_text(position, step) == text)
            .ok_or_else(|| Fault::new(text, "not a legal step here"))
    }

    /// The steps of the complete legal turn with this text.
    fn read_turn(&self, position: &Self::Position, text: &str) -> Result<Vec<Self::Step>, Fault>;

    /// What the game's judge of repeated attacks says of these turns; `None` where the game has no
    /// judge. A turn that is not legal is a fault with its number.
    fn judge(&self, _start: &Self::Position, _turns: &[&str]) -> Option<Result<Judged, Fault>> {
        None
    }

    /// The formats of written games that this game has beside those of every game (see
    /// [`written`](crate::written)).
    fn formats() -> &'static [&'static dyn RecordFormat<Self>] {
        &[]
    }

    /// Positions on which the game's speed is measured, such as they arise in play; none where the start
    /// and random games from it will do.
    fn bench_positions(&self) -> Vec<Self::Position> {
        Vec::new()
    }

    /// The board in characters, for a terminal; ends with a line break.
    fn board_text(&self, position: &Self::Position) -> String;

    /// The board as an SVG document; `last_turn` are the steps that led from `before` to it.
    fn board_svg(
        &self,
        position: &Self::Position,
        last_turn: Option<(&Self::Position, &[Self::Step])>,
    ) -> String;

    /// What pictures of this game may show beside the pieces.
    fn picture_layers() -> &'static [PictureLayer] {
        &[]
    }

    /// The same as [`Notation::board_svg`] with some of [`Notation::picture_layers`], by their names; others
    /// show nothing.
    fn board_svg_with(
        &self,
        position: &Self::Position,
        last_turn: Option<(&Self::Position, &[Self::Step])>,
        _layers: &[&str],
    ) -> String {
        self.board_svg(position, last_turn)
    }

    /// Where a step of `position` shows on its picture; `None` where it has no place on the board.
    fn step_trace(&self, _position: &Self::Position, _step: Self::Step) -> Option<StepTrace> {
        None
    }
}
