//! Input planes, from the mover's view. The board has no front and back, so that it is never turned:
//! the mover's view only says whose columns are "own". Row 0 is the highest rank.
//!
//! Everything is shown that legal steps and the result depend on, repetition apart.

use crate::captures::Field;
use crate::emergo::Emergo;
use crate::key::key;
use crate::position::Position;
use crate::square::squares;
use game::{PlanesMut, Player};

/// Squares in use.
const USED: usize = 0;
/// Columns of the mover: there is one; it has one guard; guards; prisoners (in units of [`MEN`]). Then
/// the same of the enemy.
const COLUMNS: usize = USED + 1;
/// Planes about columns of one side.
const OF_COLUMN: usize = 4;
/// Columns that the other side could capture by one jump: the mover's, then the enemy's. In the middle
/// of a turn the enemy's that the capturing column can take now.
const HANGING: usize = COLUMNS + 2 * OF_COLUMN;
/// Jumps of the longest turn of each column of the mover, in units of [`MEN`].
const REACH: usize = HANGING + 2;
/// Men in hand, of all a side has: the mover's, then the enemy's.
const HANDS: usize = REACH + 1;
/// Whether a side has men in hand, and so enters instead of stepping.
const ENTERING: usize = HANDS + 2;
/// Whether a side's hand is a shadow piece, to be entered as one column.
const SHADOW: usize = ENTERING + 2;
/// The centre, where White's first man may not be entered: the mover's man, then the enemy's.
const BARRED: usize = SHADOW + 2;
/// The column in the middle of a capture, then the square over which it came.
const CAPTURE: usize = BARRED + 2;
/// Prisoners of the mover less those of the enemy, in units of the margin.
const MARGIN: usize = CAPTURE + 2;
/// Turns left, of `max_turns`.
const TURNS_LEFT: usize = MARGIN + 1;
/// Number of planes.
pub(crate) const CHANNELS: usize = TURNS_LEFT + 1;

/// Men of a column, or of a chain of captures, that count as one unit.
const MEN: f32 = 4.0;
/// Margin of prisoners that counts as one unit.
pub(crate) const MARGIN_UNIT: f32 = 6.0;

impl Emergo {
    pub(crate) fn write_all_planes(&self, position: &Position, planes: &mut PlanesMut<'_>) {
        let board = &self.board;
        for square in squares(board.all) {
            planes.set(USED, board.place(square), 1.0);
        }
        let mover = position.mover;
        for (owner, side) in [mover, mover.opponent()].into_iter().enumerate() {
            let first = COLUMNS + OF_COLUMN * owner;
            for square in squares(position.sides[side.index()]) {
                let (place, column) = (board.place(square), position.columns.at(square));
                planes.set(first, place, 1.0);
                if column.guards() == 1 {
                    planes.set(first + 1, place, 1.0);
                }
                planes.set(first + 2, place, f32::from(column.guards()) / MEN);
                planes.set(first + 3, place, f32::from(column.prisoners()) / MEN);
            }
            let (own, other) = (position.hand(side), position.hand(side.opponent()));
            planes.fill(HANDS + owner, f32::from(own) / f32::from(board.men));
            if own > 0 {
                planes.fill(ENTERING + owner, 1.0);
                if other == 0 {
                    planes.fill(SHADOW + owner, 1.0);
                }
            }
            if self.centre_barred(position, side) {
                planes.set(BARRED + owner, board.place(board.centre), 1.0);
            }
        }
        self.write_captures(position, planes);
        let [own, enemy] = [mover, mover.opponent()].map(|side| f32::from(position.prisoners(side)));
        planes.fill(MARGIN, (own - enemy) / MARGIN_UNIT);
        planes.fill(TURNS_LEFT, f32::from(self.turns_left(position)) / f32::from(self.rules.max_turns));
    }

    fn write_captures(&self, position: &Position, planes: &mut PlanesMut<'_>) {
        let board = &self.board;
        let own = position.capturer().map_or(position.own(), |(square, _)| square.bit());
        let field = self.field(position);
        let attacked = Field { targets: position.own() & board.interior, ..field };
        let hanging = [attacked.all_victims(position.enemy()), field.all_victims(own)];
        for (owner, set) in hanging.into_iter().enumerate() {
            for square in squares(set) {
                planes.set(HANGING + owner, board.place(square), 1.0);
            }
        }
        for (square, length) in self.reaches(position) {
            planes.set(REACH, board.place(square), length as f32 / MEN);
        }
        if let Some((square, last)) = position.capturer() {
            planes.set(CAPTURE, board.place(square), 1.0);
            planes.set(CAPTURE + 1, board.place(last.reverse().from(square, 1)), 1.0);
        }
    }

    /// Hash of what [`Emergo::write_all_planes`] reads.
    pub(crate) fn key_of_planes(&self, position: &Position) -> u64 {
        let mut more = u64::from(self.turns_left(position)) << 32;
        more |= u64::from(position.own_hand()) << 8 | u64::from(position.enemy_hand());
        // The only rule that knows colours.
        if self.centre_barred(position, Player::First) {
            more |= 1 << (16 + position.mover.index());
        }
        if let Some((square, last)) = position.capturer() {
            more |= (square.index() as u64 + 1) << 24 | (last as u64) << 20;
        }
        key(position, [position.own(), position.enemy()], more)
    }

    const fn turns_left(&self, position: &Position) -> u16 {
        self.rules.max_turns.saturating_sub(position.ply)
    }
}
