//! Simple ideas of where pieces belong, as numbers.

use crate::piece::Kind;
use crate::point::{FILES, Point, RANKS};
use game::Faults;
use serde::{Deserialize, Serialize};

/// Where a kind of piece likes to stand. Only proportions matter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PiecePrior {
    /// Weight of each rank, the own edge first.
    pub ranks: [f64; RANKS / 2],
    /// Weight of each file, `a` first.
    pub files: [f64; FILES],
    /// Factor for each own piece on the eight points around.
    pub company: f64,
}

impl Default for PiecePrior {
    fn default() -> PiecePrior {
        PiecePrior { ranks: [1.0; RANKS / 2], files: [1.0; FILES], company: 1.0 }
    }
}

/// Weights that set-ups are drawn by: see [`Sampler::with_prior`](super::Sampler::with_prior). The default sends
/// navies, infantry and militia forward, keeps artillery, missile and air forces behind, and shelters the
/// commander.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Prior {
    /// `N`
    pub navy: PiecePrior,
    /// `F`
    pub air_force: PiecePrior,
    /// `T`
    pub tank: PiecePrior,
    /// `H`
    pub headquarters: PiecePrior,
    /// `E`
    pub engineer: PiecePrior,
    /// `A`
    pub artillery: PiecePrior,
    /// `G`
    pub anti_air: PiecePrior,
    /// `S`
    pub missile: PiecePrior,
    /// `C`
    pub commander: PiecePrior,
    /// `I`
    pub infantry: PiecePrior,
    /// `M`
    pub militia: PiecePrior,
    /// How often a set-up with the commander in a headquarters counts, compared with one without; 0 to 16.
    pub commander_in_headquarters: u32,
    /// The same for each other stack, where `free_stacks` allows any; 0 to 16.
    pub other_stacks: u32,
}

/// Largest weight of a stack.
const MOST_WEIGHT: u32 = 16;

impl Default for Prior {
    fn default() -> Prior {
        let ranks = |ranks| PiecePrior { ranks, ..PiecePrior::default() };
        Prior {
            navy: ranks([1.0, 1.0, 2.0, 3.0, 4.0, 4.0]),
            air_force: ranks([2.0, 4.0, 3.0, 2.0, 1.0, 0.5]),
            tank: ranks([0.5, 1.0, 2.0, 3.0, 4.0, 3.0]),
            headquarters: ranks([4.0, 4.0, 2.0, 1.0, 0.5, 0.25]),
            engineer: ranks([0.5, 1.0, 2.0, 3.0, 3.0, 3.0]),
            artillery: ranks([1.0, 3.0, 4.0, 3.0, 1.0, 0.5]),
            anti_air: ranks([1.0, 2.0, 3.0, 4.0, 3.0, 2.0]),
            missile: ranks([1.0, 3.0, 4.0, 3.0, 1.0, 0.5]),
            commander: PiecePrior {
                ranks: [6.0, 4.0, 2.0, 1.0, 0.25, 0.05],
                files: [1.0, 1.0, 0.3, 0.6, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
                company: 1.5,
            },
            infantry: ranks([0.25, 0.5, 1.0, 3.0, 4.0, 4.0]),
            militia: ranks([0.25, 0.5, 1.0, 3.0, 4.0, 4.0]),
            commander_in_headquarters: 6,
            other_stacks: 1,
        }
    }
}

impl Prior {
    /// The numbers of a kind.
    pub const fn of(&self, kind: Kind) -> &PiecePrior {
        match kind {
            Kind::Navy => &self.navy,
            Kind::AirForce => &self.air_force,
            Kind::Tank => &self.tank,
            Kind::Headquarters => &self.headquarters,
            Kind::Engineer => &self.engineer,
            Kind::Artillery => &self.artillery,
            Kind::AntiAir => &self.anti_air,
            Kind::Missile => &self.missile,
            Kind::Commander => &self.commander,
            Kind::Infantry => &self.infantry,
            Kind::Militia => &self.militia,
        }
    }

    /// Weight of a kind on a point with this many own pieces around it.
    pub(super) fn weight(&self, kind: Kind, point: Point, company: u32) -> f64 {
        let prior = self.of(kind);
        // Points of a set-up lie in the own half.
        let rank = prior.ranks.get(point.rank()).copied().unwrap_or_default();
        rank * prior.files[point.file()] * prior.company.powi(company as i32)
    }

    /// Everything that is out of range. Weights are above 0, so that every set-up can be drawn whose stacks
    /// count.
    ///
    /// # Errors
    /// The place of a fault is the key.
    pub fn check(&self) -> Result<(), Faults> {
        let mut faults = Faults::new();
        for kind in Kind::ALL {
            let key = kind.name().replace([' ', '-'], "_");
            let PiecePrior { ranks, files, company } = self.of(kind);
            let numbers = ranks.iter().map(|number| ("ranks", number));
            let numbers = numbers.chain(files.iter().map(|number| ("files", number)));
            for (name, number) in numbers.chain([("company", company)]) {
                if !(0.001..=1000.0).contains(number) {
                    faults.add(format!("{key}.{name}"), format!("found {number}, expected 0.001 to 1000"));
                }
            }
        }
        for (key, weight) in [
            ("commander_in_headquarters", self.commander_in_headquarters),
            ("other_stacks", self.other_stacks),
        ] {
            if weight > MOST_WEIGHT {
                faults.add(key, format!("found {weight}, expected 0 to {MOST_WEIGHT}"));
            }
        }
        faults.into_result(())
    }
}
