//! Positions of the plain implementation as text.

use super::{Position, name};
use std::fmt::Write;

impl Position {
    /// The position of a FEN that has nothing wrong with it and no fifth field.
    pub fn read(text: &str) -> Position {
        let fields: Vec<&str> = text.split(' ').collect();
        let mut board = Vec::new();
        for rank in fields[0].split('/').rev() {
            let mut towers = Vec::new();
            let mut letters = rank.chars();
            while let Some(letter) = letters.next() {
                if let Some(empty) = letter.to_digit(10) {
                    towers.extend((0..empty).map(|_| Vec::new()));
                    continue;
                }
                let owner = letter.is_ascii_uppercase();
                let count = |letter: char| match letter {
                    '@' => 0,
                    _ => letter.to_ascii_uppercase() as usize - 'A' as usize + 1,
                };
                let prisoners = count(letters.next().unwrap());
                towers.push([vec![!owner; prisoners], vec![owner; count(letter)]].concat());
            }
            board.push(towers);
        }
        let hands: Vec<usize> = fields[3].split(',').map(|hand| hand.parse().unwrap()).collect();
        Position {
            board,
            side: fields[1] == "w",
            ply: fields[2].parse().unwrap(),
            hands: [hands[0], hands[1]],
            unfinished: None,
        }
    }

    /// The FEN.
    pub fn fen(&self) -> String {
        let mut text = self.key();
        let hands = text.rfind(' ').unwrap();
        text.insert_str(hands, &format!(" {}", self.ply));
        if let Some((square, direction)) = self.unfinished {
            let word = match direction {
                (1, 1) => "ne",
                (-1, 1) => "nw",
                (1, -1) => "se",
                _ => "sw",
            };
            let _ = write!(text, " {}{word}", name(square));
        }
        text
    }

    /// What the repetition rule compares: board, side and hands.
    pub fn key(&self) -> String {
        let ranks: Vec<String> = self.board.iter().rev().map(|rank| rank_text(rank)).collect();
        let side = if self.side { 'w' } else { 'b' };
        format!("{} {side} {},{}", ranks.join("/"), self.hands[0], self.hands[1])
    }
}

fn rank_text(rank: &[Vec<bool>]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for tower in rank {
        let Some(&owner) = tower.last() else {
            empty += 1;
            continue;
        };
        if empty > 0 {
            text += &empty.to_string();
            empty = 0;
        }
        let letters = if owner { b'@' } else { b'`' };
        let guards = tower.iter().filter(|&&man| man == owner).count();
        let prisoners = tower.len() - guards;
        text.push(char::from(letters + guards as u8));
        text.push(if prisoners == 0 { '@' } else { char::from(letters + prisoners as u8) });
    }
    if empty > 0 {
        text += &empty.to_string();
    }
    text
}
