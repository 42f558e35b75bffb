//! The characters of the pieces as strokes, so that pictures need no font for them.
//!
//! Each stroke is a line through points of a box of 100 by 100, drawn with round ends.

use crate::piece::{Kind, Piece};
use game::Player;

/// A line through points (right, down).
pub(crate) type Stroke = &'static [(u8, u8)];

/// The part of a character that stands for a person, on its left.
const PERSON: [Stroke; 2] = [&[(24, 6), (5, 40)], &[(16, 25), (16, 96)]];

/// The character of a piece, in the forms that tell the sides apart: strokes of its left part that both
/// sides may share, and the others.
pub(crate) const fn strokes(piece: Piece) -> (&'static [Stroke], &'static [Stroke]) {
    match (piece.side, piece.kind) {
        (Player::First, Kind::King) => (&[], MARSHAL),
        (Player::Second, Kind::King) => (&[], GENERAL),
        (Player::First, Kind::Advisor) => (&PERSON, OFFICIAL_RIGHT),
        (Player::Second, Kind::Advisor) => (&[], SCHOLAR),
        (Player::First, Kind::Elephant) => (&[], MINISTER),
        (Player::Second, Kind::Elephant) => (&[], ELEPHANT),
        (Player::First, Kind::Horse) => (&PERSON, HORSE_RIGHT),
        (Player::Second, Kind::Horse) => (&[], HORSE),
        (Player::First, Kind::Rook) => (&PERSON, CHARIOT_RIGHT),
        (Player::Second, Kind::Rook) => (&[], CHARIOT),
        (Player::First, Kind::Cannon) => (FIRE, WRAP),
        (Player::Second, Kind::Cannon) => (STONE, WRAP),
        (Player::First, Kind::Pawn) => (&[], SOLDIER),
        (Player::Second, Kind::Pawn) => (&[], FOOT_SOLDIER),
    }
}

/// 帥
const MARSHAL: &[Stroke] = &[
    &[(26, 3), (19, 15)],
    &[(14, 15), (14, 90)],
    &[(14, 15), (39, 15), (39, 43), (14, 43)],
    &[(14, 56), (41, 56), (41, 86), (14, 86)],
    &[(53, 80), (53, 26), (91, 26), (91, 72), (82, 67)],
    &[(72, 5), (72, 97)],
];
/// 將
const GENERAL: &[Stroke] = &[
    &[(34, 5), (34, 96)],
    &[(11, 12), (11, 44)],
    &[(6, 44), (34, 44)],
    &[(6, 62), (34, 62)],
    &[(18, 62), (8, 93)],
    &[(62, 3), (44, 27)],
    &[(58, 13), (90, 13), (76, 33), (48, 47)],
    &[(57, 24), (63, 32)],
    &[(68, 18), (74, 25)],
    &[(42, 60), (96, 60)],
    &[(79, 48), (79, 92), (67, 87)],
    &[(53, 70), (61, 81)],
];
/// 仕 without its left part.
const OFFICIAL_RIGHT: &[Stroke] = &[&[(30, 40), (96, 40)], &[(63, 8), (63, 86)], &[(36, 86), (90, 86)]];
/// 士
const SCHOLAR: &[Stroke] = &[&[(8, 38), (92, 38)], &[(50, 6), (50, 88)], &[(20, 88), (80, 88)]];
/// 相
const MINISTER: &[Stroke] = &[
    &[(4, 31), (46, 31)],
    &[(26, 5), (26, 96)],
    &[(26, 34), (5, 68)],
    &[(27, 42), (43, 57)],
    &[(56, 94), (56, 13), (91, 13), (91, 94)],
    &[(56, 38), (91, 38)],
    &[(56, 63), (91, 63)],
    &[(56, 88), (91, 88)],
];
/// 象
const ELEPHANT: &[Stroke] = &[
    &[(42, 2), (20, 24)],
    &[(36, 11), (66, 11), (54, 23)],
    &[(22, 24), (78, 24), (78, 44), (22, 44), (22, 24)],
    &[(50, 24), (46, 46), (12, 61)],
    &[(40, 50), (57, 67), (56, 90), (45, 95)],
    &[(50, 60), (14, 77)],
    &[(56, 72), (12, 94)],
    &[(82, 50), (62, 62)],
    &[(56, 62), (92, 92)],
];
/// 馬
const HORSE: &[Stroke] = &[
    &[(24, 60), (24, 8), (78, 8)],
    &[(24, 25), (74, 25)],
    &[(24, 42), (74, 42)],
    &[(50, 8), (50, 60)],
    &[(24, 60), (86, 60), (82, 92), (70, 88)],
    &[(14, 72), (7, 92)],
    &[(31, 71), (34, 87)],
    &[(47, 70), (51, 84)],
    &[(62, 69), (67, 81)],
];
/// 傌 without its left part.
const HORSE_RIGHT: &[Stroke] = &[
    &[(40, 60), (40, 8), (86, 8)],
    &[(40, 25), (84, 25)],
    &[(40, 42), (84, 42)],
    &[(63, 8), (63, 60)],
    &[(40, 60), (93, 60), (90, 93), (81, 89)],
    &[(35, 72), (29, 91)],
    &[(47, 71), (50, 87)],
    &[(60, 70), (63, 84)],
    &[(73, 69), (77, 80)],
];
/// 車
const CHARIOT: &[Stroke] = &[
    &[(16, 18), (84, 18)],
    &[(26, 34), (74, 34), (74, 66), (26, 66), (26, 34)],
    &[(26, 50), (74, 50)],
    &[(8, 82), (92, 82)],
    &[(50, 4), (50, 97)],
];
/// 俥 without its left part.
const CHARIOT_RIGHT: &[Stroke] = &[
    &[(34, 18), (92, 18)],
    &[(41, 34), (86, 34), (86, 66), (41, 66), (41, 34)],
    &[(41, 50), (86, 50)],
    &[(30, 82), (97, 82)],
    &[(63, 4), (63, 97)],
];
/// The left part of 炮.
const FIRE: &[Stroke] =
    &[&[(9, 30), (14, 48)], &[(41, 26), (34, 44)], &[(25, 8), (25, 46), (5, 94)], &[(26, 54), (42, 90)]];
/// The left part of 砲.
const STONE: &[Stroke] =
    &[&[(4, 15), (45, 15)], &[(26, 15), (5, 60)], &[(15, 46), (40, 46), (40, 85), (15, 85), (15, 46)]];
/// The right part of 炮 and 砲.
const WRAP: &[Stroke] = &[
    &[(63, 4), (48, 38)],
    &[(58, 20), (91, 20), (89, 66), (80, 62)],
    &[(56, 38), (77, 38), (77, 58), (56, 58)],
    &[(56, 38), (56, 89), (96, 89), (96, 76)],
];
/// 兵
const SOLDIER: &[Stroke] = &[
    &[(70, 5), (26, 17)],
    &[(26, 14), (26, 62)],
    &[(26, 36), (80, 36)],
    &[(61, 36), (61, 62)],
    &[(6, 62), (94, 62)],
    &[(37, 71), (12, 95)],
    &[(62, 71), (88, 94)],
];
/// 卒
const FOOT_SOLDIER: &[Stroke] = &[
    &[(50, 3), (50, 16)],
    &[(12, 18), (88, 18)],
    &[(33, 22), (14, 53)],
    &[(30, 34), (44, 50)],
    &[(69, 22), (52, 53)],
    &[(66, 34), (86, 52)],
    &[(6, 66), (94, 66)],
    &[(50, 54), (50, 98)],
];
