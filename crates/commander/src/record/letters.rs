//! The three sets of letters.

use crate::piece::{Kind, Piece};
use crate::stack::Stack;

/// The letters that stand for pieces, the same for both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    /// Those of the machine notation.
    Own,
    /// `C In T M E A Aa Ms Af N H`.
    English,
    /// `B T D C A F L K H S ★`; `*` is read for the star, and `P` for the artillery.
    Vietnamese,
}

impl Letters {
    /// The letter or letters of a kind.
    pub const fn of(self, kind: Kind) -> &'static str {
        match self {
            Letters::Own => match kind {
                Kind::Navy => "N",
                Kind::AirForce => "F",
                Kind::Tank => "T",
                Kind::Headquarters => "H",
                Kind::Engineer => "E",
                Kind::Artillery => "A",
                Kind::AntiAir => "G",
                Kind::Missile => "S",
                Kind::Commander => "C",
                Kind::Infantry => "I",
                Kind::Militia => "M",
            },
            Letters::English => match kind {
                Kind::Navy => "N",
                Kind::AirForce => "Af",
                Kind::Tank => "T",
                Kind::Headquarters => "H",
                Kind::Engineer => "E",
                Kind::Artillery => "A",
                Kind::AntiAir => "Aa",
                Kind::Missile => "Ms",
                Kind::Commander => "C",
                Kind::Infantry => "In",
                Kind::Militia => "M",
            },
            Letters::Vietnamese => match kind {
                Kind::Navy => "H",
                Kind::AirForce => "K",
                Kind::Tank => "T",
                Kind::Headquarters => "S",
                Kind::Engineer => "C",
                Kind::Artillery => "A",
                Kind::AntiAir => "F",
                Kind::Missile => "L",
                Kind::Commander => "★",
                Kind::Infantry => "B",
                Kind::Militia => "D",
            },
        }
    }

    /// Other letters that are read for a kind.
    const fn also(self, kind: Kind) -> Option<&'static str> {
        match (self, kind) {
            (Letters::Vietnamese, Kind::Commander) => Some("*"),
            (Letters::Vietnamese, Kind::Artillery) => Some("P"),
            _ => None,
        }
    }

    /// The kind whose letters a text begins with, the longest ones, and the rest of the text.
    pub(super) fn take(self, text: &str) -> Option<(Kind, &str)> {
        let spellings = Kind::ALL.into_iter().flat_map(|kind| {
            [Some(self.of(kind)), self.also(kind)].into_iter().flatten().map(move |letters| (kind, letters))
        });
        let fitting = spellings.filter_map(|(kind, letters)| Some((kind, text.strip_prefix(letters)?)));
        fitting.min_by_key(|(_, rest)| rest.len())
    }

    /// A piece, `+` before a hero.
    pub(super) fn piece(self, piece: Piece) -> String {
        format!("{}{}", if piece.is_hero() { "+" } else { "" }, self.of(piece.kind()))
    }

    /// A piece, or a stack in parentheses.
    pub(super) fn stack(self, stack: Stack) -> String {
        let letters: String = stack.pieces().map(|piece| self.piece(piece)).collect();
        if stack.len() > 1 { format!("({letters})") } else { letters }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_tells_all_kinds_apart() {
        for letters in [Letters::Own, Letters::English, Letters::Vietnamese] {
            for kind in Kind::ALL {
                for other in Kind::ALL {
                    let text = format!("{}{}8", letters.of(kind), letters.of(other));
                    let (first, rest) = letters.take(&text).unwrap();
                    let (second, rest) = letters.take(rest).unwrap();
                    assert_eq!((first, second, rest), (kind, other, "8"), "{text}");
                }
            }
        }
        assert_eq!(Letters::Own.of(Kind::Missile), Kind::Missile.letter().to_string());
        assert_eq!(Letters::Vietnamese.take("*11"), Some((Kind::Commander, "11")));
        assert_eq!(Letters::English.take("x"), None);
    }
}
