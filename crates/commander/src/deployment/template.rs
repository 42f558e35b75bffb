//! A set-up as a board in characters that people edit.

use super::line::read_stack;
use super::{Deployment, PlacedPiece, WrittenDeployment};
use crate::picture::ground;
use crate::point::{FILES, Point, RANKS};
use crate::terrain::terrain;
use game::Faults;
use std::fmt::Write;

/// Width of a point's column.
const WIDTH: usize = 5;

const EXPLANATION: &str = "\
# A set-up of one side, seen from that side: rank 1 is the own edge, the river is above rank 6.
# ~ sea and navigable river, : coast, = ford, - river bank, . land; pieces by their letters,
# a stack in parentheses with its carrier first: (HC). Lines from # on are left out.
";

impl Deployment {
    /// The own half as a board in characters, with an explanation above; [`WrittenDeployment::read_template`]
    /// reads it back.
    pub fn template(&self) -> String {
        let mut text = EXPLANATION.to_owned();
        for rank in (0..RANKS / 2).rev() {
            let _ = write!(text, "{:>2} ", rank + 1);
            for file in 0..FILES {
                let point = Point::at(file, rank);
                let cell = match self.at(point) {
                    stack if stack.is_empty() => ground(terrain(point)).to_owned(),
                    stack => stack.to_string(),
                };
                let _ = write!(text, " {cell:^WIDTH$}");
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
        text.push_str("   ");
        for file in 0..FILES {
            let _ = write!(text, " {:^WIDTH$}", file_letter(file));
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        text
    }
}

impl WrittenDeployment {
    /// Reads a board in characters: lines of a rank's number and 11 cells, a ground sign or pieces each. Ranks
    /// that are left out are empty. What cannot be read is named in the faults and left out.
    pub fn read_template(text: &str) -> (WrittenDeployment, Faults) {
        let mut written = WrittenDeployment::default();
        let mut faults = Faults::new();
        let mut seen = [false; RANKS];
        for (index, line) in text.lines().enumerate() {
            let place = format!("line {}", index + 1);
            let words: Vec<&str> = line.split('#').next().unwrap_or_default().split_whitespace().collect();
            let Some((first, cells)) = words.split_first() else { continue };
            if is_file_line(&words) {
                continue;
            }
            let rank = match first.parse::<usize>() {
                Ok(rank @ 1..=RANKS) => rank - 1,
                _ => {
                    faults.add(
                        place,
                        format!("begins with `{first}`, expected the number of a rank, 1 to {RANKS}"),
                    );
                    continue;
                }
            };
            if std::mem::replace(&mut seen[rank], true) {
                faults.add(&place, format!("rank {} stands twice", rank + 1));
            }
            if cells.len() != FILES {
                faults.add(place, format!("rank {} has {} cells, expected {FILES}", rank + 1, cells.len()));
                continue;
            }
            for (file, cell) in cells.iter().enumerate() {
                written.read_cell(Point::at(file, rank), cell, &mut faults);
            }
        }
        (written, faults)
    }

    fn read_cell(&mut self, point: Point, cell: &str, faults: &mut Faults) {
        if matches!(cell, "~" | ":" | "=" | "-" | ".") {
            return;
        }
        let mut found = Faults::new();
        match read_stack(cell, &mut found) {
            Some((pieces, "")) => {
                self.pieces.extend(pieces.into_iter().map(|(kind, hero)| PlacedPiece { point, kind, hero }));
            }
            Some((_, rest)) => faults.add(
                point.to_string(),
                format!("`{cell}`: found `{rest}` after the piece, expected a stack in parentheses"),
            ),
            None => {
                let told = found.0.into_iter().map(|fault| fault.to_string());
                faults.add(point.to_string(), told.collect::<Vec<_>>().join("; "));
            }
        }
    }
}

/// Whether a text is a board in characters rather than lines of set-ups.
pub(super) fn is_template(text: &str) -> bool {
    text.lines()
        .filter_map(|line| line.split('#').next().unwrap_or_default().split_whitespace().next())
        .any(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_file_line(words: &[&str]) -> bool {
    words.len() == FILES && words.iter().enumerate().all(|(file, word)| *word == file_letter(file))
}

fn file_letter(file: usize) -> String {
    char::from(b'a' + file as u8).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_read_back() {
        let standard = Deployment::standard();
        let text = standard.template();
        assert!(is_template(&text) && !is_template(&standard.to_string()));
        let (mut written, faults) = WrittenDeployment::read_template(&text);
        assert_eq!(faults, Faults::new());
        written.pieces.sort();
        let mut wanted = WrittenDeployment::from(&standard);
        wanted.pieces.sort();
        assert_eq!(written, wanted);
    }

    #[test]
    fn every_line_and_cell_that_cannot_be_read_is_named() {
        let text = "6 . . .\n# fine\n5 . . . . . NF (Q) (HC . . +\n5 . . . . . . . . . . .\n13 .\nx\n a b c d e f g h i j k\n";
        let (written, faults) = WrittenDeployment::read_template(text);
        let told: Vec<String> = faults.0.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "line 1: rank 6 has 3 cells, expected 11",
                "f5: `NF`: found `F` after the piece, expected a stack in parentheses",
                "g5: `(Q)`: found `Q`, expected a piece: one of N F T H E A G S C I M",
                "h5: `(HC`: opens a stack and does not close it with )",
                "k5: `+`: names no piece, expected one of N F T H E A G S C I M",
                "line 4: rank 5 stands twice",
                "line 5: begins with `13`, expected the number of a rank, 1 to 12",
                "line 6: begins with `x`, expected the number of a rank, 1 to 12",
            ]
        );
        assert_eq!(written, WrittenDeployment::default());
    }
}
