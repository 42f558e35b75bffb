//! The best set-up of every sort.

use crate::descriptors::Descriptors;
use commander::Deployment;
use std::collections::BTreeMap;

/// Steps into which each descriptor is cut.
const STEPS: f64 = 3.0;

/// Keeps the best set-up of each cell of a grid over commander depth, forward mass, air-defence cover, navy
/// posture and left/right concentration (J.-B. Mouret and J. Clune, "Illuminating search spaces by mapping elites",
/// 2015): a list of the best ones alone would be many times the same idea.
#[derive(Clone, Debug, Default)]
pub struct Archive {
    cells: BTreeMap<[u8; 5], (f64, Deployment)>,
}

impl Archive {
    /// The cell that a set-up belongs to. Ranges are those in which most legal set-ups lie.
    pub fn cell(deployment: &Deployment) -> [u8; 5] {
        let found = Descriptors::of(deployment);
        let cut = |number: f64, low: f64, high: f64| {
            (STEPS * (number - low) / (high - low)).floor().clamp(0.0, STEPS - 1.0) as u8
        };
        [
            cut(found.commander_depth, 0.0, 1.0),
            cut(found.forward_mass, 0.3, 0.7),
            cut(found.air_defence_cover, 0.2, 0.8),
            cut(found.navy_posture, 0.0, 1.0),
            cut(found.side, 0.4, 0.8),
        ]
    }

    /// Shows it a set-up with a score; it is kept where it is the best of its cell.
    pub fn show(&mut self, score: f64, deployment: &Deployment) {
        let place =
            self.cells.entry(Archive::cell(deployment)).or_insert_with(|| (score, deployment.clone()));
        if score > place.0 {
            *place = (score, deployment.clone());
        }
    }

    /// The best of each cell, the best of all first.
    pub fn best(&self) -> Vec<(f64, &Deployment)> {
        let mut all: Vec<(f64, &Deployment)> =
            self.cells.values().map(|(score, one)| (*score, one)).collect();
        all.sort_by(|one, other| other.0.total_cmp(&one.0));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::named;
    use commander::{Commander, Rules};

    #[test]
    fn each_sort_keeps_its_best() {
        let all = named(&Commander::new(Rules::default()));
        let mut archive = Archive::default();
        for (number, one) in all.iter().enumerate() {
            archive.show(number as f64, &one.deployment);
            archive.show(-1.0, &one.deployment);
        }
        let best = archive.best();
        assert!(best.len() > 4 && best.len() <= all.len());
        assert_eq!(best[0].1, &all[all.len() - 1].deployment);
        assert!(best.iter().all(|(score, _)| *score >= 0.0));
    }
}
