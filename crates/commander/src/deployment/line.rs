//! A set-up in one line: `N b2 c4, F e2 i2, …, (HC) f2, …`.
//!
//! Letters of pieces, upper or lower case, each followed by its points; a stack in parentheses. Blanks and
//! commas part words, a letter may stand before its point without a blank (`Nb2`), and nothing depends on
//! the order. Written, a line has each kind once, in the order of the kinds, points from a1 along the
//! ranks: two set-ups are equal exactly when their lines are.

use super::{Deployment, PlacedPiece, WrittenDeployment};
use crate::piece::Kind;
use crate::point::Point;
use crate::stack::Stack;
use game::Faults;
use std::collections::BTreeMap;
use std::fmt;

/// Stands for the standard set-up wherever a line is read.
const STANDARD: &str = "standard";

impl fmt::Display for Deployment {
    /// The line.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut groups: BTreeMap<Vec<Kind>, (Stack, Vec<Point>)> = BTreeMap::new();
        for &(point, stack) in self.stacks() {
            let kinds = stack.pieces().map(|piece| piece.kind()).collect();
            groups.entry(kinds).or_insert_with(|| (stack, Vec::new())).1.push(point);
        }
        for (index, (stack, points)) in groups.values().enumerate() {
            if index > 0 {
                formatter.write_str(", ")?;
            }
            write!(formatter, "{stack}")?;
            for point in points {
                write!(formatter, " {point}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Deployment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl WrittenDeployment {
    /// Reads a line. What cannot be read is named in the faults, its place being the word, and left out.
    pub fn read_line(text: &str) -> (WrittenDeployment, Faults) {
        let mut faults = Faults::new();
        if text.trim() == STANDARD {
            return (WrittenDeployment::from(&Deployment::standard()), faults);
        }
        let mut written = WrittenDeployment::default();
        let mut stack: Vec<(Kind, bool)> = Vec::new();
        // The word of the last stack while no point has followed it.
        let mut waiting: Option<&str> = None;
        let words = text.split(|letter: char| letter.is_whitespace() || letter == ',');
        for word in words.filter(|word| !word.is_empty()) {
            let mut point_text = word;
            if Point::read(word).is_none() {
                if let Some(before) = waiting {
                    faults.add(format!("`{before}`"), "no point follows, expected one such as c4");
                }
                let Some((read, rest)) = read_stack(word, &mut faults) else {
                    stack.clear();
                    waiting = None;
                    continue;
                };
                stack = read;
                waiting = Some(word);
                if rest.is_empty() {
                    continue;
                }
                point_text = rest;
            } else if stack.is_empty() {
                faults.add(format!("`{word}`"), "no piece stands before this point");
            }
            waiting = None;
            match Point::read(point_text) {
                Some(point) => {
                    written.pieces.extend(stack.iter().map(|&(kind, hero)| PlacedPiece { point, kind, hero }))
                }
                None => {
                    faults.add(format!("`{word}`"), format!("`{point_text}` is no point, expected a1 to k12"))
                }
            }
        }
        if let Some(before) = waiting {
            faults.add(format!("`{before}`"), "no point follows, expected one such as c4");
        }
        (written, faults)
    }
}

/// Reads a piece or a stack in parentheses at the start of a word: its pieces, each with or without `+`, and
/// the rest of the word.
pub(super) fn read_stack<'t>(word: &'t str, faults: &mut Faults) -> Option<(Vec<(Kind, bool)>, &'t str)> {
    let (members, rest) = match word.strip_prefix('(') {
        Some(inside) => match inside.split_once(')') {
            Some(parts) => parts,
            None => {
                faults.add(format!("`{word}`"), "opens a stack and does not close it with )");
                return None;
            }
        },
        None => {
            let signs = usize::from(word.starts_with('+'));
            let length = word.chars().nth(signs).map_or(0, char::len_utf8);
            word.split_at(signs + length)
        }
    };
    let mut pieces = Vec::new();
    let mut hero = false;
    for letter in members.chars() {
        match Kind::from_letter(letter) {
            Some(kind) => pieces.push((kind, std::mem::take(&mut hero))),
            None if letter == '+' && !hero => hero = true,
            None => {
                faults.add(
                    format!("`{word}`"),
                    format!("found `{letter}`, expected a piece: one of N F T H E A G S C I M"),
                );
                return None;
            }
        }
    }
    if pieces.is_empty() || hero {
        faults.add(format!("`{word}`"), "names no piece, expected one of N F T H E A G S C I M");
        return None;
    }
    Some((pieces, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STANDARD_LINE: &str =
        "N b2 c4, F e2 i2, T f4 h4, H f2 h2, E d5 j5, A d3 j3, G e4 i4, S g3, C g1, I c5 k5, M g5";

    #[test]
    fn the_order_of_a_line_does_not_matter_and_the_standard_has_a_word() {
        assert_eq!(Deployment::standard().to_string(), STANDARD_LINE);
        let (mut standard, faults) = WrittenDeployment::read_line(" standard ");
        assert_eq!(faults, Faults::new());
        standard.pieces.sort();
        for text in
            [STANDARD_LINE, "mg5 Ik5,c5 ,, Cg1 Sg3 Gi4 e4 Aj3 d3 Ej5 d5\tHh2 f2 Th4 f4 Fi2 e2 n c4 b2"]
        {
            let (mut written, faults) = WrittenDeployment::read_line(text);
            assert_eq!(faults, Faults::new(), "{text}");
            written.pieces.sort();
            assert_eq!(written, standard, "{text}");
        }
        let pieces = |text| {
            let mut pieces = WrittenDeployment::read_line(text).0.pieces;
            pieces.sort();
            pieces
        };
        assert_eq!(pieces("(NF+t) c4 (HC)f2 h2"), pieces("N c4, H h2, F c4 C f2 h2 +T c4 H f2"));
    }

    #[test]
    fn every_word_that_cannot_be_read_is_named() {
        let (written, faults) =
            WrittenDeployment::read_line("c4 N Q b2 (HC e2 () f1 Tz9 T e99 + é (N+)c4 Ib13x E d5 A");
        let told: Vec<String> = faults.0.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "`c4`: no piece stands before this point",
                "`N`: no point follows, expected one such as c4",
                "`Q`: found `Q`, expected a piece: one of N F T H E A G S C I M",
                "`b2`: no piece stands before this point",
                "`(HC`: opens a stack and does not close it with )",
                "`e2`: no piece stands before this point",
                "`()`: names no piece, expected one of N F T H E A G S C I M",
                "`f1`: no piece stands before this point",
                "`Tz9`: `z9` is no point, expected a1 to k12",
                "`T`: no point follows, expected one such as c4",
                "`e99`: `99` is no point, expected a1 to k12",
                "`+`: names no piece, expected one of N F T H E A G S C I M",
                "`é`: found `é`, expected a piece: one of N F T H E A G S C I M",
                "`(N+)c4`: names no piece, expected one of N F T H E A G S C I M",
                "`Ib13x`: `b13x` is no point, expected a1 to k12",
                "`A`: no point follows, expected one such as c4",
            ]
        );
        assert_eq!(written.pieces.len(), 1);
    }
}
