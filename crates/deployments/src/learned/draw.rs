//! Set-ups drawn from a policy, and how likely they are.

use super::planes::{CHANNELS, SQUARES, planes};
use super::policy::{Policy, PolicyError};
use super::returns::{entropy, log_softmax};
use commander::Deployment;
use commander::deployment::{Placing, PlacingOrder};
use commander::point::Point;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Set-ups that are placed side by side.
const AT_ONCE: usize = 512;

/// A piece that was placed.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// What the policy saw.
    pub planes: Vec<f32>,
    /// Where it could have gone.
    pub open: Vec<Point>,
    /// Where it went.
    pub chosen: Point,
    /// Logarithm of the probability of that.
    pub log_probability: f64,
    /// Entropy of the choice in nats.
    pub entropy: f64,
    /// The score that the policy expected of the whole set-up.
    pub expected: f64,
}

/// A set-up with how it came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// The set-up.
    pub deployment: Deployment,
    /// The pieces in the order of their placing.
    pub placements: Vec<Placement>,
}

impl Drawn {
    /// Logarithm of the probability of the set-up: each comes about in exactly one way.
    pub fn log_probability(&self) -> f64 {
        self.placements.iter().map(|placement| placement.log_probability).sum()
    }

    /// Sum of the entropies of its choices: its mean over set-ups is the entropy of the policy.
    pub fn entropy(&self) -> f64 {
        self.placements.iter().map(|placement| placement.entropy).sum()
    }
}

/// Draws a set-up from each stream. What one stream brings does not depend on the others, up to the rounding of
/// networks that compute in batches.
///
/// # Errors
/// A policy that fails or answers with what is no number.
pub fn draw(
    policy: &dyn Policy,
    order: &PlacingOrder,
    random: &mut [ChaCha8Rng],
) -> Result<Vec<Drawn>, PolicyError> {
    let mut drawn = Vec::with_capacity(random.len());
    for streams in random.chunks_mut(AT_ONCE) {
        drawn.extend(place_all(policy, order, streams.len(), |row, _, open, chances| {
            choose(open, chances, &mut streams[row])
        })?);
    }
    Ok(drawn)
}

/// Logarithms of the probabilities that set-ups are drawn from a policy; minus infinity for what is no free set-up
/// under the rules.
///
/// # Errors
/// A policy that fails or answers with what is no number.
pub fn log_probability(
    policy: &dyn Policy,
    order: &PlacingOrder,
    deployments: &[Deployment],
) -> Result<Vec<f64>, PolicyError> {
    // What cannot be placed is left out of the batch.
    let places: Vec<Option<Vec<Point>>> = deployments
        .iter()
        .map(|deployment| {
            let places = order.places(deployment)?;
            let whole = places.iter().try_fold(order.begin(), |placing, &point| order.place(&placing, point));
            whole.and_then(|placing| order.finished(&placing)).filter(|found| found == deployment)?;
            Some(places)
        })
        .collect();
    let legal: Vec<&Vec<Point>> = places.iter().flatten().collect();
    let mut found = Vec::with_capacity(legal.len());
    for chunk in legal.chunks(AT_ONCE) {
        let placed = place_all(policy, order, chunk.len(), |row, number, _, _| chunk[row][number])?;
        found.extend(placed.iter().map(Drawn::log_probability));
    }
    let mut found = found.into_iter();
    Ok(places
        .iter()
        .map(|places| places.as_ref().and_then(|_| found.next()).unwrap_or(f64::NEG_INFINITY))
        .collect())
}

/// Places all pieces of so many set-ups side by side. `choose` hears the set-up, the number of the piece, the open
/// points and the logarithms of their probabilities, and answers with one of the points.
fn place_all(
    policy: &dyn Policy,
    order: &PlacingOrder,
    number: usize,
    mut choose: impl FnMut(usize, usize, &[Point], &[f64]) -> Point,
) -> Result<Vec<Drawn>, PolicyError> {
    let fault = |what: &str| PolicyError(what.to_owned());
    let mut under_way: Vec<(Placing, Vec<Placement>)> = vec![(order.begin(), Vec::new()); number];
    for piece in 0..order.pieces().len() {
        let mut rows: Vec<(Vec<f32>, Vec<Point>)> = Vec::with_capacity(number);
        for (placing, _) in &under_way {
            let open = order.open(placing);
            rows.push((planes(order, placing, &open), open));
        }
        let seen: Vec<f32> = rows.iter().flat_map(|row| &row.0).copied().collect();
        let answers = policy.answer(&seen, number)?;
        if answers.logits.len() != number * SQUARES || answers.expected.len() != number {
            return Err(fault("does not answer every row"));
        }
        for (row, (planes, open)) in rows.into_iter().enumerate() {
            debug_assert_eq!(planes.len(), SQUARES * CHANNELS);
            let logits = &answers.logits[row * SQUARES..][..SQUARES];
            let logits: Vec<f64> = open.iter().map(|point| f64::from(logits[point.index()])).collect();
            let chances = log_softmax(&logits);
            if chances.iter().any(|chance| !chance.is_finite()) {
                return Err(fault("answers with what is no finite number"));
            }
            let chosen = choose(row, piece, &open, &chances);
            let place = open.iter().position(|&point| point == chosen);
            let place = place.ok_or_else(|| fault("a piece went where it must not"))?;
            let (placing, placements) = &mut under_way[row];
            *placing = order.place(placing, chosen).ok_or_else(|| fault("a piece went where it must not"))?;
            placements.push(Placement {
                planes,
                chosen,
                log_probability: chances[place],
                entropy: entropy(&chances),
                expected: f64::from(answers.expected[row]),
                open,
            });
        }
    }
    let finish = |(placing, placements): (Placing, Vec<Placement>)| {
        let deployment = order.finished(&placing).ok_or_else(|| fault("a set-up was not completed"))?;
        Ok(Drawn { deployment, placements })
    };
    under_way.into_iter().map(finish).collect()
}

/// A point by the logarithms of probabilities that add up to 1.
fn choose(open: &[Point], chances: &[f64], random: &mut ChaCha8Rng) -> Point {
    let mut rest: f64 = random.random();
    for (&point, chance) in open.iter().zip(chances) {
        rest -= chance.exp();
        if rest < 0.0 {
            return point;
        }
    }
    // Rounding may leave something over: the last point gets it. There always is one, see `PlacingOrder::open`.
    open.last().copied().unwrap_or(Point::NONE)
}
