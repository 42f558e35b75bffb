//! The parts of a written turn.

use super::Letters;
use crate::piece::Kind;
use crate::point::{FILES, Point, RANKS};

/// A piece as it is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub kind: Kind,
    pub hero: bool,
}

/// What a part says that a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// `_`: a move or a join.
    Move,
    /// `@`: a capture; the capturer stays where it must.
    Capture,
    /// `@^`: a capture that stays.
    Stay,
    /// `@"` or `><`: a crash.
    Crash,
    /// `@!`: a breach.
    Breach,
    /// `~`: a drop.
    Drop,
    /// `>`: no step but a check.
    Check,
}

/// What stands between two `/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// The whole stack, where it is named before its member.
    pub whole: Vec<Named>,
    /// The pieces that act.
    pub group: Vec<Named>,
    /// Where they stand.
    pub origin: Point,
    /// What they do, and upon what and where: more than one action where a navy strikes twice.
    pub actions: Vec<Action>,
}

/// A sign with its target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Action {
    pub sign: Sign,
    /// The pieces on the target, where they are named.
    pub victim: Vec<Named>,
    pub target: Point,
}

/// The parts of a turn without its marks of judgement; `^`, `>` and `!!` at its end are left out.
pub(super) fn parts(letters: Letters, text: &str) -> Result<Vec<Part>, String> {
    let text = text.trim_end_matches(['^', '>']);
    let text = text.strip_suffix("!!").unwrap_or(text).trim_end_matches(['^', '>']);
    text.split('/').map(|part| read_part(letters, part)).collect()
}

fn read_part(letters: Letters, text: &str) -> Result<Part, String> {
    let fault = |rest: &str| {
        let place = if rest.is_empty() { "its end".to_owned() } else { format!("`{rest}`") };
        format!("no part of a turn at {place}: write it as in {}3,4_5,4", letters.of(Kind::Tank))
    };
    let mut rest = text;
    let mut whole = Vec::new();
    let mut group = pieces(letters, &mut rest).ok_or_else(|| fault(rest))?;
    if !rest.starts_with(|letter: char| letter.is_ascii_digit()) {
        whole = std::mem::replace(&mut group, pieces(letters, &mut rest).ok_or_else(|| fault(rest))?);
    }
    let origin = point(&mut rest).ok_or_else(|| fault(rest))?;
    let mut actions = Vec::new();
    loop {
        let sign = sign(&mut rest, actions.len()).ok_or_else(|| fault(rest))?;
        let victim = match rest.starts_with(|letter: char| letter.is_ascii_digit()) {
            true => Vec::new(),
            false => pieces(letters, &mut rest).ok_or_else(|| fault(rest))?,
        };
        let target = point(&mut rest).ok_or_else(|| fault(rest))?;
        actions.push(Action { sign, victim, target });
        if rest.is_empty() {
            return Ok(Part { whole, group, origin, actions });
        }
    }
}

/// A piece or a stack in parentheses.
fn pieces(letters: Letters, rest: &mut &str) -> Option<Vec<Named>> {
    let Some(mut inner) = rest.strip_prefix('(') else {
        return piece(letters, rest).map(|named| vec![named]);
    };
    let mut found = Vec::new();
    loop {
        if let Some(behind) = inner.strip_prefix(')').filter(|_| !found.is_empty()) {
            *rest = behind;
            return Some(found);
        }
        found.push(piece(letters, &mut inner)?);
    }
}

fn piece(letters: Letters, rest: &mut &str) -> Option<Named> {
    let plain = rest.strip_prefix('+');
    let (kind, behind) = letters.take(plain.unwrap_or(rest))?;
    *rest = behind;
    Some(Named { kind, hero: plain.is_some() })
}

/// `row,column` or `row.column`.
fn point(rest: &mut &str) -> Option<Point> {
    let rank = number(rest, RANKS)?;
    *rest = rest.strip_prefix([',', '.'])?;
    Some(Point::at(number(rest, FILES)?, rank))
}

fn number(rest: &mut &str, below: usize) -> Option<usize> {
    let digits = rest.bytes().take(2).take_while(u8::is_ascii_digit).count();
    let found = rest[..digits].parse().ok().filter(|&number| number < below)?;
    *rest = &rest[digits..];
    Some(found)
}

/// The sign of an action; behind the first one only `&`, which repeats a capture.
fn sign(rest: &mut &str, before: usize) -> Option<Sign> {
    const SIGNS: [(&str, Sign); 9] = [
        ("@><", Sign::Crash),
        ("@^", Sign::Stay),
        ("@\"", Sign::Crash),
        ("@!", Sign::Breach),
        ("@", Sign::Capture),
        ("><", Sign::Crash),
        (">", Sign::Check),
        ("_", Sign::Move),
        ("~", Sign::Drop),
    ];
    if before > 0 {
        *rest = rest.strip_prefix('&')?;
        return Some(Sign::Capture);
    }
    let (behind, sign) = SIGNS.iter().find_map(|&(text, sign)| Some((rest.strip_prefix(text)?, sign)))?;
    *rest = behind;
    Some(sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_apart() {
        let parts = parts(Letters::English, "(NT+Af)N8,2@N10,0&T10.4/+Af8,2>C11,5^").unwrap();
        assert_eq!(parts.len(), 2);
        assert_eq!(parts[0].whole.len(), 3);
        assert!(parts[0].whole[2].hero);
        assert_eq!(parts[0].origin.to_string(), "c9");
        let targets: Vec<String> = parts[0].actions.iter().map(|action| action.target.to_string()).collect();
        assert_eq!(targets, ["a11", "e11"]);
        assert_eq!(parts[1].actions[0].sign, Sign::Check);
    }

    #[test]
    fn what_is_no_part_is_told() {
        for (text, place) in [
            ("", "its end"),
            ("8,2_8,3", "`8,2_8,3`"),
            ("T8,2", "its end"),
            ("T12,2_8,3", "`12,2_8,3`"),
            ("T8,2_8,11", "`11`"),
            ("T8,2_8,3_8,4", "`_8,4`"),
            ("(T8,2_8,3", "`(T8,2_8,3`"),
            ("()8,2_8,3", "`()8,2_8,3`"),
            ("T8,2?8,3", "`?8,3`"),
            ("T8,2_8,3//", "its end"),
        ] {
            let message = parts(Letters::Own, text).unwrap_err();
            assert_eq!(message, format!("no part of a turn at {place}: write it as in T3,4_5,4"), "{text}");
        }
    }
}
