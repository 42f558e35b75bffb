//! Games of secret choices whose solutions are known, and their noisy pairs.

#![allow(dead_code)] // The tests use less than the example.
#![allow(clippy::unwrap_used)] // Helpers of tests may unwrap as tests do.

use ndarray::{Array1, Array2};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use statistics::equilibrium::{Answer, Belief, Kind, Payoffs, next_pairs, solve};

/// Share of drawn games between equals.
const DRAWS: f64 = 0.3;
/// What the first player scores more than the second.
const FIRST_PLAYER: f64 = 0.06;
/// Pairs between two looks at the belief.
const BATCH: usize = 64;

/// A game with its true scores.
pub struct Synthetic {
    pub name: &'static str,
    pub kind: Kind,
    pub scores: Array2<f64>,
    /// Pairs that the adaptive sampling has.
    pub pairs: usize,
}

/// How pairs are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampling {
    Adaptive,
    Uniform,
}

/// What came out of one run, compared with the truth.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// What the best reply truly gains against the returned mixture.
    pub exploitability: f64,
    /// Whether the bound on it held.
    pub bounded: bool,
    /// Whether the interval of the value holds the value (of a symmetric game: of what the mixture scores at
    /// worst).
    pub covered: bool,
    /// Its width.
    pub width: f64,
}

/// Rock, paper, scissors with unequal margins.
pub fn rock_paper_scissors() -> Synthetic {
    let scores = ndarray::array![[0.5, 0.3, 0.75], [0.7, 0.5, 0.2], [0.25, 0.8, 0.5]];
    Synthetic { name: "rock, paper, scissors", kind: Kind::General, scores, pairs: 2_000 }
}

/// Two circles of three that matter, and many rows and columns that are worse than one of them everywhere.
pub fn dominated() -> Synthetic {
    let mut scores = Array2::zeros((14, 12));
    let core = [[0.55, 0.35, 0.8], [0.75, 0.55, 0.25], [0.3, 0.85, 0.55]];
    for row in 0..14 {
        for column in 0..12 {
            let worse_row = 0.04 + 0.02 * (row / 3) as f64;
            let worse_column = 0.04 + 0.02 * (column / 3) as f64;
            scores[(row, column)] = core[row % 3][column % 3] - if row < 3 { 0.0 } else { worse_row }
                + if column < 3 { 0.0 } else { worse_column };
        }
    }
    Synthetic { name: "dominated rows and columns", kind: Kind::General, scores, pairs: 4_000 }
}

/// 64 choices of three hidden sorts that beat each other in a circle, and of different strength.
pub fn hidden_circle(kind: Kind) -> Synthetic {
    let mut random = ChaCha8Rng::seed_from_u64(64);
    let choices: Vec<(usize, f64)> =
        (0..64).map(|choice| (choice % 3, 0.2 * random.random::<f64>())).collect();
    let scores = Array2::from_shape_fn((64, 64), |(row, column)| {
        let ((own, strength), (others, opposing)) = (choices[row], choices[column]);
        let circle = [0.0, 0.2, -0.2][(3 + own - others) % 3];
        0.5 + circle + strength - opposing
    });
    let pairs = if kind == Kind::Symmetric { 12_000 } else { 20_000 };
    Synthetic { name: "64 choices with a hidden circle", kind, scores, pairs }
}

impl Synthetic {
    /// The true value.
    pub fn value(&self) -> f64 {
        solve(&self.scores, self.kind, 1e-6).unwrap().value
    }

    fn nothing_played(&self) -> Payoffs {
        match self.kind {
            Kind::Symmetric => Payoffs::symmetric(self.scores.nrows()),
            Kind::General => Payoffs::general(self.scores.nrows(), self.scores.ncols()),
        }
    }

    /// A pair's halves of a point for the row.
    pub fn play(&self, (row, column): (usize, usize), random: &mut ChaCha8Rng) -> usize {
        [FIRST_PLAYER / 2.0, -FIRST_PLAYER / 2.0]
            .into_iter()
            .map(|edge| {
                let mean = (self.scores[(row, column)] + edge).clamp(0.0, 1.0);
                let draw = DRAWS * 4.0 * mean * (1.0 - mean);
                let drawn: f64 = random.random();
                if drawn < mean - draw / 2.0 { 2 } else { usize::from(drawn < mean + draw / 2.0) }
            })
            .sum()
    }

    /// Plays pairs and asks for the answer.
    pub fn run(&self, sampling: Sampling, pairs: usize, seed: u64) -> Run {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut payoffs = self.nothing_played();
        let cells: Vec<(usize, usize)> = payoffs.independent().collect();
        let mut played = 0;
        while played < pairs {
            let number = BATCH.min(pairs - played);
            let chosen = match sampling {
                Sampling::Adaptive => next_pairs(&payoffs, number, &mut random),
                Sampling::Uniform => {
                    (played..played + number).map(|pair| cells[pair % cells.len()]).collect()
                }
            };
            for place in chosen {
                let points = self.play(place, &mut random);
                payoffs.add(place.0, place.1, points);
            }
            played += number;
        }
        self.judge(&Answer::new(&Belief::of(&payoffs), 0.95, &mut random).unwrap())
    }

    fn judge(&self, answer: &Answer) -> Run {
        let value = self.value();
        let rows = Array1::from(answer.equilibrium.rows.clone());
        let worst = self.scores.t().dot(&rows).iter().copied().fold(f64::INFINITY, f64::min);
        let exploitability = value - worst;
        let bounded = exploitability <= answer.exploitability_bound;
        match self.kind {
            Kind::Symmetric => {
                Run { exploitability, bounded, covered: bounded, width: answer.exploitability_bound }
            }
            Kind::General => Run {
                exploitability,
                bounded,
                covered: answer.value.contains(value),
                width: answer.value.width(),
            },
        }
    }
}
