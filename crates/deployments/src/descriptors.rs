//! A set-up in a few numbers.

use commander::Deployment;
use commander::deployment::Metric;
use commander::piece::Kind;
use commander::point::{FILES, Point, RANKS};
use serde::{Deserialize, Serialize};

/// Numbers that describe a set-up, each from 0 to 1 so that they can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Descriptors {
    /// How far back the commander stands: 1 on the own edge, 0 at the river bank.
    pub commander_depth: f64,
    /// Own pieces on the eight points around the commander and on its own, in eighths.
    pub commander_shelter: f64,
    /// Mean rank of all pieces by their points, 0 for the own edge and 1 for the river bank; the commander's
    /// points do not count.
    pub forward_mass: f64,
    /// Share of the points' worth of all pieces that stands within reach of an own anti-air piece (one step),
    /// missile (two steps) or navy (one step), along files and ranks.
    pub air_defence_cover: f64,
    /// Mean rank of the navies, 0 for the own edge and 1 for the river.
    pub navy_posture: f64,
    /// Where the weight lies by points: 0 on the files beside the sea, 1 on those far from it.
    pub side: f64,
    /// How far pieces stand from the middle of their weight, by points: 0 on one file, 1 half on either edge.
    pub width: f64,
}

impl Descriptors {
    /// Names in the order of [`Descriptors::numbers`].
    pub const NAMES: [&'static str; 7] = [
        "commander_depth",
        "commander_shelter",
        "forward_mass",
        "air_defence_cover",
        "navy_posture",
        "side",
        "width",
    ];

    /// The numbers of a set-up.
    pub fn of(deployment: &Deployment) -> Descriptors {
        let pieces: Vec<(Point, Kind)> =
            deployment.pieces().map(|(point, piece)| (point, piece.kind())).collect();
        let last = (RANKS / 2 - 1) as f64;
        let troops: Vec<(Point, f64)> = pieces
            .iter()
            .filter(|(_, kind)| *kind != Kind::Commander)
            .map(|&(point, kind)| (point, f64::from(kind.points())))
            .collect();
        let weight: f64 = troops.iter().map(|(_, points)| points).sum::<f64>().max(1.0);
        let mean = |value: &dyn Fn(Point) -> f64| {
            troops.iter().map(|&(point, points)| points * value(point)).sum::<f64>() / weight
        };
        let file = |point: Point| point.file() as f64 / (FILES - 1) as f64;
        let side = mean(&file);
        let commander = deployment.commander();
        let around = commander.map_or(0, |own| {
            pieces
                .iter()
                .filter(|&&(point, kind)| kind != Kind::Commander && Metric::Diagonal.steps(own, point) <= 1)
                .count()
        });
        let defended = |point: Point| {
            pieces.iter().any(|&(post, kind)| {
                reach(kind).is_some_and(|reach| Metric::Straight.steps(post, point) <= reach)
            })
        };
        let navies: Vec<f64> = pieces
            .iter()
            .filter(|(_, kind)| *kind == Kind::Navy)
            .map(|(point, _)| point.rank() as f64 / last)
            .collect();
        Descriptors {
            commander_depth: commander.map_or(0.0, |point| 1.0 - point.rank() as f64 / last),
            commander_shelter: (around as f64 / 8.0).min(1.0),
            forward_mass: mean(&|point| point.rank() as f64 / last),
            air_defence_cover: mean(&|point| f64::from(u8::from(defended(point)))),
            navy_posture: navies.iter().sum::<f64>() / navies.len().max(1) as f64,
            side,
            width: (2.0 * mean(&|point| (file(point) - side).abs())).min(1.0),
        }
    }

    /// The numbers in the order of [`Descriptors::NAMES`].
    pub fn numbers(&self) -> [f64; 7] {
        [
            self.commander_depth,
            self.commander_shelter,
            self.forward_mass,
            self.air_defence_cover,
            self.navy_posture,
            self.side,
            self.width,
        ]
    }
}

/// Radius of a piece's air defence (rules, section 4).
const fn reach(kind: Kind) -> Option<u32> {
    match kind {
        Kind::Missile => Some(2),
        Kind::AntiAir | Kind::Navy => Some(1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::named;
    use commander::{Commander, Rules};

    #[test]
    fn descriptors_say_what_the_names_say() {
        let all = named(&Commander::new(Rules::default()));
        let of = |name: &str| Descriptors::of(&all.iter().find(|one| one.name == name).unwrap().deployment);
        let standard = of("standard");
        assert_eq!((standard.commander_depth, of("exposed-commander").commander_depth), (1.0, 1.0 - 0.8));
        assert!(of("fortress").commander_shelter > 0.7 && standard.commander_shelter < 0.5);
        assert!(of("naval-rush").forward_mass > standard.forward_mass);
        assert!(of("fortress").forward_mass < standard.forward_mass);
        assert!(of("naval-rush").navy_posture > 0.8);
        assert!(of("left-hammer").side + 0.2 < of("right-hammer").side);
        assert!(of("spearhead").width < of("hollow-centre").width);
        for one in &all {
            assert!(
                Descriptors::of(&one.deployment).numbers().iter().all(|number| (0.0..=1.0).contains(number))
            );
        }
    }
}
