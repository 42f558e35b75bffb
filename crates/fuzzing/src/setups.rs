//! Set-ups of Commander Chess: a preset, then a FEN with anything in it.

use crate::input::split;
use commander::Commander;
use commander::piece::Kind;
use commander::point::Point;
use commander::setup::Setup;
use game::{Encoding, Game, Player};

/// Longer texts only repeat what shorter ones can show.
const LONGEST: usize = 1000;

/// Reads a set-up and asks for its position. Every refusal has a fault with a place; a position has what
/// the set-up wrote down, and its sets and keys are those of its stacks.
pub(crate) fn run(data: &[u8]) {
    let Some((game, text)) = split::<Commander>(data) else { return };
    let text = String::from_utf8_lossy(&text[..text.len().min(LONGEST)]);
    let (setup, reading) = Setup::read(&text);
    let named = |faults: &game::Faults| faults.0.iter().all(|fault| !fault.place.is_empty());
    assert!(named(&reading), "`{text}`: {reading}");
    let position = match game.position(&setup) {
        Ok(position) => position,
        Err(faults) => {
            assert!(!faults.0.is_empty() && named(&faults), "`{text}`: {faults}");
            return;
        }
    };
    let board = position.board();
    assert_eq!(*board, board.rebuilt(), "`{text}`");
    assert_eq!(position.flipped().flipped(), position, "`{text}`");
    assert_eq!(
        game.evaluation_key(&position),
        game.evaluation_key(&position.flipped()),
        "`{text}`: colours show"
    );
    if game.mid_turn(&position) {
        return;
    }
    for (index, pieces) in setup.points.iter().enumerate() {
        assert_eq!(board.at(Point::from_index(index)).len(), pieces.len(), "`{text}`");
    }
    for side in Player::BOTH {
        for kind in Kind::ALL {
            let written =
                setup.points.iter().flatten().filter(|piece| piece.side == side && piece.kind == kind);
            assert_eq!(usize::from(board.count(side, kind)), written.count(), "`{text}`");
        }
    }
}
