//! How many samples the replay window holds.

use serde::{Deserialize, Serialize};

/// Size of the replay window, in samples (searched steps).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum WindowSize {
    /// Always the newest this many samples.
    Fixed(u64),
    /// Grows with the number of samples N that were ever made (Wu 2020, "Accelerating Self-Play
    /// Learning in Go", appendix C): minimum · (1 + slope · ((N / minimum)^exponent − 1) / exponent),
    /// so that early, bad games leave soon.
    Growing {
        /// Size until that many samples exist.
        minimum: u64,
        /// Size that it never exceeds, for the memory's sake.
        maximum: u64,
        /// Exponent in (0, 1]; 0.75 in the paper.
        exponent: f64,
        /// How fast it grows at first: 0.4 in the paper, so that the window takes in 0.4 samples
        /// net for each new one.
        slope: f64,
    },
}

impl Default for WindowSize {
    fn default() -> WindowSize {
        WindowSize::Growing { minimum: 50_000, maximum: 1_000_000, exponent: 0.75, slope: 0.4 }
    }
}

impl WindowSize {
    /// The size when `entered` samples were ever made.
    pub fn samples(&self, entered: u64) -> u64 {
        match *self {
            WindowSize::Fixed(samples) => samples,
            WindowSize::Growing { minimum, maximum, exponent, slope } => {
                if entered <= minimum {
                    return minimum;
                }
                let base = minimum as f64;
                let growth = ((entered as f64 / base).powf(exponent) - 1.0) / exponent;
                ((base * (1.0 + slope * growth)) as u64).clamp(minimum, maximum)
            }
        }
    }

    /// The most samples that it will ever hold.
    pub fn most(&self) -> u64 {
        match *self {
            WindowSize::Fixed(samples) => samples,
            WindowSize::Growing { maximum, .. } => maximum,
        }
    }

    /// Everything that is wrong with the numbers.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        match *self {
            WindowSize::Fixed(0) => faults.push("`fixed` is 0; a window needs samples".to_owned()),
            WindowSize::Fixed(_) => {}
            WindowSize::Growing { minimum, maximum, exponent, slope } => {
                if minimum == 0 || minimum > maximum {
                    faults.push(format!(
                        "`growing.minimum` is {minimum}; it must be between 1 and `growing.maximum` ({maximum})"
                    ));
                }
                if !(exponent > 0.0 && exponent <= 1.0) {
                    faults
                        .push(format!("`growing.exponent` is {exponent}; it must be above 0 and at most 1"));
                }
                if !(slope > 0.0 && slope <= 1.0) {
                    faults.push(format!("`growing.slope` is {slope}; it must be above 0 and at most 1"));
                }
            }
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_grows_as_in_the_paper() {
        let size = WindowSize::Growing { minimum: 250_000, maximum: u64::MAX, exponent: 0.75, slope: 0.4 };
        assert_eq!(size.samples(0), 250_000);
        assert_eq!(size.samples(250_000), 250_000);
        // The paper's run: about 22 million samples in the window after 241 million.
        let last = size.samples(241_000_000);
        assert!((22_000_000..24_000_000).contains(&last), "{last}");
        let near = size.samples(251_000) - 250_000;
        assert!((390..=401).contains(&near), "{near}");
    }

    #[test]
    fn it_stays_between_its_bounds() {
        let size = WindowSize::Growing { minimum: 100, maximum: 300, exponent: 0.75, slope: 0.4 };
        assert_eq!(size.samples(50), 100);
        assert_eq!(size.samples(1_000_000), 300);
        assert_eq!(size.most(), 300);
        assert_eq!(WindowSize::Fixed(7).samples(1_000_000), 7);
    }

    #[test]
    fn faults_name_their_keys() {
        let size = WindowSize::Growing { minimum: 5, maximum: 1, exponent: 0.0, slope: f64::NAN };
        let faults = size.faults().join("; ");
        for key in ["minimum", "exponent", "slope"] {
            assert!(faults.contains(key), "{faults}");
        }
        assert_eq!(WindowSize::Fixed(0).faults().len(), 1);
        assert_eq!(WindowSize::default().faults(), Vec::<String>::new());
    }
}
