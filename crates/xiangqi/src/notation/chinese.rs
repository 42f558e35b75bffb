//! The Chinese notation: 炮二平五.

use super::file_move::{Direction, FileMove, Order, Standing, Which, course};
use super::{Spelling, plain, resolve};
use crate::{Kind, Position, Step};
use game::Player;

/// 炮二平五: piece, file, direction (進 forward, 退 backward, 平 sideways), and the new file or the
/// number of points; Red's numbers are Chinese, Black's are digits: 马8进7.
///
/// Of two like pieces on one file one is 前 (front), the other 后 (rear): 前车平三; of three pawns 中
/// is the middle one. Four or five pawns, and pawns behind each other on two files, are numbered 一
/// to 五 from the front, right file first: 二兵平四. Advisors and elephants need no such sign. Written
/// in simplified characters; traditional ones and full-width digits are read too, for either side. Where
/// a position has more like pieces than this tells apart, the points are written: `H2-E2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chinese;

const NUMERALS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

impl Spelling for Chinese {
    fn write(&self, position: &Position, step: Step) -> String {
        let board = position.board();
        // A legal move has a piece to move.
        let Some(id) = board.at(step.from) else { return String::new() };
        let (side, kind) = (id.side(), id.kind());
        let standing = Standing::of(board, id);
        let (direction, number) = course(side, kind, step);
        let mut text = String::new();
        if standing.of == 1 || matches!(kind, Kind::Advisor | Kind::Elephant) {
            text.extend([character(side, kind), numeral(side, standing.file)]);
        } else {
            text.push(match (standing.shared, standing.of, standing.number) {
                (false, 2 | 3, 1) => '前',
                (false, 3, 2) => '中',
                (false, 2 | 3, _) => '后',
                _ => numeral(Player::First, standing.overall),
            });
            text.push(character(side, kind));
        }
        text.push(match direction {
            Direction::Forward => '进',
            Direction::Backward => '退',
            Direction::Sideways => '平',
        });
        text.push(numeral(side, number));
        resolve::or_points(self, position, step, text)
    }

    fn read(&self, position: &Position, text: &str) -> Result<Step, String> {
        let letters: Vec<char> = text.chars().map(plain).collect();
        match file_move(&letters) {
            Some(sought) => resolve::only(position, &sought),
            None => resolve::points(position, text, "炮二平五 or 前车平3"),
        }
    }
}

const fn character(side: Player, kind: Kind) -> char {
    match (side, kind) {
        (Player::First, Kind::King) => '帅',
        (Player::Second, Kind::King) => '将',
        (Player::First, Kind::Advisor) => '仕',
        (Player::Second, Kind::Advisor) => '士',
        (Player::First, Kind::Elephant) => '相',
        (Player::Second, Kind::Elephant) => '象',
        (_, Kind::Horse) => '马',
        (_, Kind::Rook) => '车',
        (_, Kind::Cannon) => '炮',
        (Player::First, Kind::Pawn) => '兵',
        (Player::Second, Kind::Pawn) => '卒',
    }
}

const fn kind(letter: char) -> Option<Kind> {
    Some(match letter {
        '帅' | '帥' | '将' | '將' => Kind::King,
        '仕' | '士' => Kind::Advisor,
        '相' | '象' => Kind::Elephant,
        '马' | '馬' | '傌' => Kind::Horse,
        '车' | '車' | '俥' => Kind::Rook,
        '炮' | '砲' | '包' => Kind::Cannon,
        '兵' | '卒' => Kind::Pawn,
        _ => return None,
    })
}

/// 1 to 9 as a side writes it.
fn numeral(side: Player, number: u8) -> char {
    match side {
        // Files and distances go from 1 to 9; where pieces are more, the text is not used.
        Player::First => NUMERALS[usize::from(number.clamp(1, 9)) - 1],
        Player::Second => char::from(b'0' + number),
    }
}

fn number(letter: char) -> Option<u8> {
    let chinese = NUMERALS.iter().position(|&numeral| numeral == letter).map(|index| index as u8 + 1);
    chinese.or(letter.to_digit(10).filter(|&digit| digit > 0).map(|digit| digit as u8))
}

fn order(letter: char) -> Option<Order> {
    match letter {
        '前' => Some(Order::Front),
        '中' => Some(Order::Middle),
        '后' | '後' => Some(Order::Rear),
        _ => number(letter).map(Order::Nth),
    }
}

fn file_move(letters: &[char]) -> Option<FileMove> {
    let (&[ref which @ .., direction, last], 4..=5) = (letters, letters.len()) else { return None };
    let direction = match direction {
        '进' | '進' => Direction::Forward,
        '退' => Direction::Backward,
        '平' => Direction::Sideways,
        _ => return None,
    };
    let (kind, which) = match *which {
        // 炮二, 前车, 二兵
        [first, second] if kind(first).is_some() => (kind(first)?, Which::On(number(second)?)),
        [first, second] if kind(second).is_some() => (kind(second)?, Which::Among(order(first)?)),
        // 前三: a pawn whose file is named instead of its kind.
        [first, second] => (Kind::Pawn, Which::AmongOn(order(first)?, number(second)?)),
        // 前兵三
        [first, second, third] => (kind(second)?, Which::AmongOn(order(first)?, number(third)?)),
        _ => return None,
    };
    Some(FileMove { kind, which, direction, number: number(last)? })
}
