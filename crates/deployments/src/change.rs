//! Small changes of a set-up: one piece elsewhere, or two pieces exchanged.

use commander::deployment::{PlacedPiece, WrittenDeployment};
use commander::piece::Kind;
use commander::point::{FILES, Point, RANKS};
use commander::{Commander, Deployment};
use rand::Rng;
use serde::Serialize;
use std::fmt;

/// A change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A piece goes to another point, which may be one where others stand.
    Move {
        /// What kind.
        kind: Kind,
        /// From where.
        from: Point,
        /// To where.
        to: Point,
    },
    /// Two pieces of different kinds change places.
    Swap {
        /// One of them and its point.
        one: (Kind, Point),
        /// The other one.
        other: (Kind, Point),
    },
}

impl fmt::Display for Change {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Move { kind, from, to } => write!(formatter, "{} {from} {to}", kind.letter()),
            Change::Swap { one: (a, at), other: (b, there) } => {
                write!(formatter, "{} {at} <> {} {there}", a.letter(), b.letter())
            }
        }
    }
}

impl Serialize for Change {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Change {
    /// The changed set-up; `None` where the pieces are not there or the rules forbid it.
    pub fn apply(&self, game: &Commander, deployment: &Deployment) -> Option<Deployment> {
        let mut written = WrittenDeployment::from(deployment);
        let mut relocate = |kind: Kind, from: Point, to: Point| {
            let wanted = PlacedPiece { point: from, kind, hero: false };
            let piece = written.pieces.iter_mut().find(|piece| **piece == wanted)?;
            piece.point = to;
            Some(())
        };
        match *self {
            Change::Move { kind, from, to } if from != to => relocate(kind, from, to)?,
            Change::Move { .. } => return None,
            Change::Swap { one: (a, at), other: (b, there) } if a != b && at != there => {
                relocate(a, at, there)?;
                relocate(b, there, at)?;
            }
            Change::Swap { .. } => return None,
        }
        game.deployment(&written).ok()
    }
}

/// All legal changes of a set-up with what they lead to, moves before swaps.
pub fn neighbours(game: &Commander, deployment: &Deployment) -> Vec<(Change, Deployment)> {
    let pieces: Vec<(Point, Kind)> =
        deployment.pieces().map(|(point, piece)| (point, piece.kind())).collect();
    let mut changes = Vec::new();
    for &(from, kind) in &pieces {
        changes.extend(points().map(|to| Change::Move { kind, from, to }));
    }
    for (index, &(at, a)) in pieces.iter().enumerate() {
        changes.extend(
            pieces[index + 1..].iter().map(|&(there, b)| Change::Swap { one: (a, at), other: (b, there) }),
        );
    }
    changes.into_iter().filter_map(|change| Some((change, change.apply(game, deployment)?))).collect()
}

/// A change drawn at random, moves and swaps equally often; `None` where 200 draws were all illegal.
pub fn mutate(
    game: &Commander,
    deployment: &Deployment,
    random: &mut (impl Rng + ?Sized),
) -> Option<(Change, Deployment)> {
    let pieces: Vec<(Point, Kind)> =
        deployment.pieces().map(|(point, piece)| (point, piece.kind())).collect();
    let all: Vec<Point> = points().collect();
    for _ in 0..200 {
        let (from, kind) = pieces[random.random_range(0..pieces.len())];
        let change = if random.random::<bool>() {
            Change::Move { kind, from, to: all[random.random_range(0..all.len())] }
        } else {
            let (there, other) = pieces[random.random_range(0..pieces.len())];
            Change::Swap { one: (kind, from), other: (other, there) }
        };
        if let Some(changed) = change.apply(game, deployment) {
            return Some((change, changed));
        }
    }
    None
}

/// The points of the own half.
fn points() -> impl Iterator<Item = Point> {
    (0..RANKS / 2).flat_map(|rank| (0..FILES).map(move |file| Point::at(file, rank)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use commander::Rules;
    use commander::deployment::{Metric, distance};
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    #[test]
    fn neighbours_are_legal_different_and_near() {
        let game = Commander::new(Rules::default());
        let standard = Deployment::standard();
        let all = neighbours(&game, &standard);
        let moves = all.iter().filter(|(change, _)| matches!(change, Change::Move { .. })).count();
        // 17 pieces of the land have 54 points without the 17 others, one of which may be under a headquarters:
        // for the commander two headquarters; navies have the sea, the coast and two points of the river.
        assert!(moves > 500 && all.len() > moves + 100, "{moves} {}", all.len());
        for (change, changed) in &all {
            let far = distance(&standard, changed, Metric::Straight).unwrap();
            assert!((1..=4).contains(&far.moves.len()), "{change}");
            assert!(game.deployment(&WrittenDeployment::from(changed)).is_ok());
        }
        assert!(all.iter().any(|(_, changed)| changed.to_string().contains("(HC)")));
    }

    #[test]
    fn drawn_changes_are_neighbours() {
        let game = Commander::new(Rules::default());
        let standard = Deployment::standard();
        let all = neighbours(&game, &standard);
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..50 {
            let (_, changed) = mutate(&game, &standard, &mut random).unwrap();
            assert!(all.iter().any(|(_, other)| *other == changed), "{changed}");
        }
    }

    #[test]
    fn impossible_changes_are_refused() {
        let game = Commander::new(Rules::default());
        let standard = Deployment::standard();
        let point = |text| Point::read(text).unwrap();
        for change in [
            Change::Move { kind: Kind::Tank, from: point("a1"), to: point("d1") },
            Change::Move { kind: Kind::Tank, from: point("f4"), to: point("a1") },
            Change::Move { kind: Kind::Tank, from: point("f4"), to: point("f9") },
            Change::Swap { one: (Kind::Navy, point("b2")), other: (Kind::Tank, point("f4")) },
        ] {
            assert_eq!(change.apply(&game, &standard), None, "{change}");
        }
    }
}
