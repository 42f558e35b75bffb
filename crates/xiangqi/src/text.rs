//! Positions and moves as text: FEN and UCCI (`h2e2`, ranks from 0).

use crate::notation;
use crate::picture;
use crate::piece::{Kind, Piece};
use crate::position::Position;
use crate::setup::Setup;
use crate::step::Step;
use crate::svg;
use crate::xiangqi::Xiangqi;
use game::written::RecordFormat;
use game::{Fault, Faults, Game, Judged, Line, Notation, Player, StepTrace};

impl Notation for Xiangqi {
    /// A FEN; see [`Setup::read_position`].
    fn read_position(&self, text: &str) -> Result<Position, Faults> {
        Setup::read_position(text)
    }

    fn write_position(&self, position: &Position) -> String {
        Setup::from(position).write()
    }

    fn step_text(&self, _position: &Position, step: Step) -> String {
        step.to_string()
    }

    fn read_step(&self, position: &Position, text: &str) -> Result<Step, Fault> {
        let step = Step::read(text)
            .ok_or_else(|| Fault::new(text, "no move: write two points from a0 to i9, as in h2e2"))?;
        match self.why_illegal(position, step) {
            None => Ok(step),
            Some(why) => Err(Fault::new(text, format!("not legal here: {why}"))),
        }
    }

    fn read_turn(&self, position: &Position, text: &str) -> Result<Vec<Step>, Fault> {
        self.read_step(position, text).map(|step| vec![step])
    }

    fn judge(&self, start: &Position, turns: &[&str]) -> Option<Result<Judged, Fault>> {
        Some(self.judge_moves(start, turns))
    }

    fn formats() -> &'static [&'static dyn RecordFormat<Xiangqi>] {
        &notation::FORMATS
    }

    fn board_text(&self, position: &Position) -> String {
        picture::board_text(position)
    }

    fn board_svg(&self, position: &Position, last_turn: Option<(&Position, &[Step])>) -> String {
        svg::board_svg(position, last_turn.and_then(|(_, steps)| steps.last().copied()))
    }

    fn step_trace(&self, _position: &Position, step: Step) -> Option<StepTrace> {
        Some(svg::step_trace(step))
    }
}

impl Xiangqi {
    /// Why a move is not legal; `None` when it is.
    pub fn why_illegal(&self, position: &Position, step: Step) -> Option<String> {
        if let Some(outcome) = self.outcome(position, &Line::new()) {
            return Some(format!("the game has ended by {}", outcome.reason));
        }
        let why = why_not_on_board(position, step);
        if why.is_none() && self.forbids(position) && self.is_forbidden(position, step) {
            return Some(format!("the judge forbids it, {}", self.would_be(position, step)));
        }
        why
    }
}

/// Why a move is not legal, the judge not asked; `None` when it is.
pub(crate) fn why_not_on_board(position: &Position, step: Step) -> Option<String> {
    let board = position.board();
    let mover = board.mover();
    let Some(id) = board.at(step.from) else {
        return Some(format!("nothing stands on {}", step.from));
    };
    let name = name(id.piece());
    if id.side() != mover {
        return Some(format!("{} is to move, and {} holds the {name}", side(mover), step.from));
    }
    if !board.targets(id).contains(step.to) {
        return Some(match board.at(step.to) {
            Some(other) if other.side() == mover => format!("{} holds a piece of its own side", step.to),
            _ => format!("the {name} on {} does not go to {}", step.from, step.to),
        });
    }
    if !board.is_legal(step) {
        let king = Piece { side: mover, kind: Kind::King };
        return Some(format!("the {} on {} could be captured", self::name(king), king_after(position, step)));
    }
    None
}

fn king_after(position: &Position, step: Step) -> crate::square::Square {
    let king = position.board().king(position.mover());
    if king == step.from { step.to } else { king }
}

/// `red rook`.
pub(crate) fn name(piece: Piece) -> String {
    format!("{} {}", side(piece.side).to_lowercase(), piece.kind.word())
}

/// `Red` or `Black`.
pub(crate) const fn side(player: Player) -> &'static str {
    match player {
        Player::First => "Red",
        Player::Second => "Black",
    }
}
