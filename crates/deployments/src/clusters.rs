//! Which set-ups are alike, and a map of them.

use commander::Deployment;
use commander::deployment::{Metric, distance};
use ndarray::{Array1, Array2};

/// Steps between all set-ups: a symmetric matrix.
pub fn distances(set_ups: &[&Deployment]) -> Array2<f64> {
    let mut steps = Array2::zeros((set_ups.len(), set_ups.len()));
    for one in 0..set_ups.len() {
        for other in 0..one {
            // Free set-ups all have the same pieces.
            let found = distance(set_ups[one], set_ups[other], Metric::Straight);
            let found = found.map_or(f64::from(u16::MAX), |found| f64::from(found.steps));
            steps[(one, other)] = found;
            steps[(other, one)] = found;
        }
    }
    steps
}

/// Puts things into at most `number` groups around the most central ones: the group of each, groups numbered
/// by their first member. Partitioning around medoids (L. Kaufman and P. J. Rousseeuw, "Finding groups in data",
/// 1990, chapter 2): greedy choice, then exchanges while they help.
pub fn clusters(distances: &Array2<f64>, number: usize) -> Vec<usize> {
    let size = distances.nrows();
    let number = number.min(size);
    let cost = |medoids: &[usize]| -> f64 {
        let nearest =
            |one: usize| medoids.iter().map(|&medoid| distances[(one, medoid)]).fold(f64::INFINITY, f64::min);
        (0..size).map(nearest).sum()
    };
    let mut medoids: Vec<usize> = Vec::new();
    while medoids.len() < number {
        let with = |one: usize| [medoids.as_slice(), &[one]].concat();
        let free = (0..size).filter(|one| !medoids.contains(one));
        let best = free.min_by(|&one, &other| cost(&with(one)).total_cmp(&cost(&with(other))));
        medoids.extend(best);
    }
    loop {
        let here = cost(&medoids);
        let mut best: Option<(f64, Vec<usize>)> = None;
        for place in 0..medoids.len() {
            for one in (0..size).filter(|one| !medoids.contains(one)) {
                let mut other = medoids.clone();
                other[place] = one;
                let there = cost(&other);
                if there < here - 1e-9 && best.as_ref().is_none_or(|(least, _)| there < *least) {
                    best = Some((there, other));
                }
            }
        }
        match best {
            Some((_, better)) => medoids = better,
            None => break,
        }
    }
    let mut order: Vec<usize> = Vec::new();
    (0..size)
        .map(|one| {
            let near = |&&a: &&usize, &&b: &&usize| distances[(one, a)].total_cmp(&distances[(one, b)]);
            let medoid = medoids.iter().min_by(near).copied().unwrap_or(one);
            order.iter().position(|&known| known == medoid).unwrap_or_else(|| {
                order.push(medoid);
                order.len() - 1
            })
        })
        .collect()
}

/// Points on a plane whose distances are nearly those given: classical scaling (W. S. Torgerson,
/// "Multidimensional scaling: I. Theory and method", Psychometrika 17, 1952). Their mean is 0.
pub fn map(distances: &Array2<f64>) -> Vec<(f64, f64)> {
    let size = distances.nrows();
    if size == 0 {
        return Vec::new();
    }
    let squares = distances.mapv(|steps| steps * steps);
    let means: Vec<f64> = (0..size).map(|row| squares.row(row).sum() / size as f64).collect();
    let mean = means.iter().sum::<f64>() / size as f64;
    let mut products = Array2::from_shape_fn((size, size), |(row, column)| {
        -0.5 * (squares[(row, column)] - means[row] - means[column] + mean)
    });
    let mut axes = Vec::new();
    for _ in 0..2 {
        let (length, axis) = largest_axis(&products);
        let outer = Array2::from_shape_fn((size, size), |(row, column)| length * axis[row] * axis[column]);
        products -= &outer;
        axes.push(axis * length.max(0.0).sqrt());
    }
    (0..size).map(|one| (axes[0][one], axes[1][one])).collect()
}

/// The largest eigenvalue of a symmetric matrix and its vector, by repeated multiplication.
fn largest_axis(matrix: &Array2<f64>) -> (f64, Array1<f64>) {
    let size = matrix.nrows();
    // Shifted so that the largest eigenvalue is also the largest in size.
    let shift = matrix
        .rows()
        .into_iter()
        .map(|row| row.iter().map(|entry| entry.abs()).sum::<f64>())
        .fold(0.0, f64::max);
    // Not a right angle to any likely axis.
    let mut axis = Array1::from_shape_fn(size, |place| 1.0 + 0.37 * (place as f64 * 2.399).sin());
    for _ in 0..500 {
        let next = matrix.dot(&axis) + &axis * shift;
        let length = next.dot(&next).sqrt();
        if length <= 0.0 {
            break;
        }
        axis = next / length;
    }
    let length = axis.dot(&matrix.dot(&axis)) / axis.dot(&axis).max(f64::MIN_POSITIVE);
    (length, axis)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points on a line.
    fn line(places: &[f64]) -> Array2<f64> {
        Array2::from_shape_fn((places.len(), places.len()), |(one, other)| {
            (places[one] - places[other]).abs()
        })
    }

    #[test]
    fn neighbours_come_together() {
        let groups = clusters(&line(&[0.0, 10.0, 1.0, 11.0, 2.0, 30.0]), 3);
        assert_eq!(groups, [0, 1, 0, 1, 0, 2]);
        assert_eq!(clusters(&line(&[5.0]), 3), [0]);
    }

    #[test]
    fn maps_keep_distances() {
        let places: [(f64, f64); 4] = [(0.0, 0.0), (4.0, 0.0), (4.0, 3.0), (0.0, 3.0)];
        let far = |(a, b): (f64, f64), (c, d): (f64, f64)| ((a - c).powi(2) + (b - d).powi(2)).sqrt();
        let distances = Array2::from_shape_fn((4, 4), |(one, other)| far(places[one], places[other]));
        let found = map(&distances);
        for one in 0..4 {
            for other in 0..4 {
                assert!((far(found[one], found[other]) - distances[(one, other)]).abs() < 1e-6, "{found:?}");
            }
        }
    }
}
