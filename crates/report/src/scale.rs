//! From numbers to places on a chart.

use crate::number::Unit;

/// How far an axis reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Range {
    /// From the least number to the largest one, rounded outwards.
    #[default]
    Data,
    /// The same, and at least to this number.
    Include(f64),
    /// Exactly this far, whatever the numbers are.
    Fixed(f64, f64),
}

/// An axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// What it shows, with its unit of measurement: `game length (turns)`.
    pub label: String,
    /// How its numbers are written.
    pub unit: Unit,
    /// How far it reaches.
    pub range: Range,
}

impl Axis {
    /// An axis with plain numbers as far as the data reach.
    pub fn new(label: &str) -> Axis {
        Axis { label: label.to_owned(), ..Axis::default() }
    }

    /// An axis of plain numbers from 0 on.
    pub fn from_zero(label: &str) -> Axis {
        Axis { range: Range::Include(0.0), ..Axis::new(label) }
    }

    /// An axis from 0 to 100 %.
    pub fn share(label: &str) -> Axis {
        Axis { label: label.to_owned(), unit: Unit::Share, range: Range::Fixed(0.0, 1.0) }
    }
}

/// Numbers beyond this have no place on a chart: the distance of two of them would not be finite.
const MOST: f64 = 1e300;
/// More ticks than any axis has.
const MOST_TICKS: usize = 100;

/// Ends of an axis and where its ticks are.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scale {
    pub low: f64,
    pub high: f64,
    /// Distance of two ticks.
    pub step: f64,
    /// Numbers with a tick, rising.
    pub ticks: Vec<f64>,
}

/// Whether the ends of a scale are moved outwards to ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    /// They are: for values.
    Rounded,
    /// They are the least and the largest number: for what runs from left to right.
    Exact,
}

impl Scale {
    /// A scale for numbers; those that are not finite, or beyond 1e300, do not count. About `wanted` ticks.
    pub fn new(range: Range, numbers: impl Iterator<Item = f64>, ends: Ends, wanted: usize) -> Scale {
        let mut data: Option<(f64, f64)> = None;
        let include = if let Range::Include(number) = range { Some(number) } else { None };
        for number in numbers.chain(include).filter(|number| number.abs() <= MOST) {
            let (low, high) = data.unwrap_or((number, number));
            data = Some((low.min(number), high.max(number)));
        }
        let (mut low, mut high) = match range {
            Range::Fixed(low, high) => (low, high),
            _ => data.unwrap_or((0.0, 1.0)),
        };
        // One number alone stands in the middle.
        if high - low <= 1e-12 * low.abs().max(high.abs()) {
            let half = if low == 0.0 { 1.0 } else { low.abs() * 0.1 };
            (low, high) = match include {
                Some(number) if number == low => (low, low + 2.0 * half),
                _ => (low - half, low + half),
            };
        }
        let step = nice_step((high - low) / wanted.max(1) as f64);
        if ends == Ends::Rounded && !matches!(range, Range::Fixed(..)) {
            low = (low / step + 1e-9).floor() * step;
            high = (high / step - 1e-9).ceil() * step;
        }
        let first = (low / step - 1e-9).ceil() as i64;
        let last = (high / step + 1e-9).floor() as i64;
        let ticks = (first..=last).take(MOST_TICKS).map(|index| index as f64 * step).collect();
        Scale { low, high, step, ticks }
    }

    /// Where a number lies: 0 at the low end, 1 at the high end.
    pub fn place(&self, number: f64) -> f64 {
        (number - self.low) / (self.high - self.low)
    }
}

/// The smallest of 1, 2, 2.5 and 5 times a power of ten that is not below `step`.
fn nice_step(step: f64) -> f64 {
    if !(step > 0.0 && step.is_finite()) {
        return 1.0;
    }
    let power = 10f64.powf(step.log10().floor());
    let factor = [1.0, 2.0, 2.5, 5.0].into_iter().find(|factor| factor * power >= step * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(range: Range, numbers: &[f64]) -> Scale {
        Scale::new(range, numbers.iter().copied(), Ends::Rounded, 4)
    }

    #[test]
    fn ends_are_ticks() {
        let scale = scale(Range::Data, &[4.1, f64::NAN, 5.6]);
        assert_eq!((scale.low, scale.high, scale.step), (4.0, 6.0, 0.5));
        assert_eq!(scale.ticks, [4.0, 4.5, 5.0, 5.5, 6.0]);
        assert_eq!(scale.place(5.0), 0.5);
    }

    #[test]
    fn zero_and_fixed_ends_are_kept() {
        assert_eq!(scale(Range::Include(0.0), &[7.0, 9.0]).low, 0.0);
        let share = scale(Range::Fixed(0.0, 1.0), &[0.4]);
        assert_eq!((share.low, share.high), (0.0, 1.0));
        assert_eq!(share.ticks, [0.0, 0.25, 0.5, 0.75, 1.0]);
    }

    #[test]
    fn any_numbers_make_a_scale() {
        for numbers in [
            [].as_slice(),
            &[3.0],
            &[0.0],
            &[-2.0, -2.0],
            &[f64::INFINITY],
            &[1e-30, 2e-30],
            &[1e18],
            &[f64::MIN, f64::MAX, 3.0],
            &[-1e300, 1e300],
            &[1e300, 1.000_001e299],
            &[f64::MIN_POSITIVE, 5e-324],
        ] {
            for range in [Range::Data, Range::Include(0.0)] {
                let scale = scale(range, numbers);
                assert!(scale.high > scale.low, "{numbers:?} {scale:?}");
                assert!((2..20).contains(&scale.ticks.len()), "{numbers:?} {scale:?}");
            }
        }
    }

    #[test]
    fn exact_ends_stay() {
        let scale = Scale::new(Range::Data, [1.0, 19.0].into_iter(), Ends::Exact, 6);
        assert_eq!((scale.low, scale.high), (1.0, 19.0));
        assert_eq!(scale.ticks, [5.0, 10.0, 15.0]);
    }
}
