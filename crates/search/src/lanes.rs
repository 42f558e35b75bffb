//! Sums, maxima and exponentials over many numbers, written so that they compile to vector code.
//!
//! They run over every legal step of every new position, which made plain loops and the library's
//! `exp` a third of the time of a search without a network (`examples/throughput.rs`).

const LANES: usize = 8;

/// Folds `values` in eight lanes and the lanes in order: the same order of operations on any machine.
#[inline]
fn fold(values: &[f32], start: f32, join: impl Fn(f32, f32) -> f32) -> f32 {
    let mut lanes = [start; LANES];
    let mut chunks = values.chunks_exact(LANES);
    for chunk in &mut chunks {
        for (lane, &value) in lanes.iter_mut().zip(chunk) {
            *lane = join(*lane, value);
        }
    }
    for (lane, &value) in lanes.iter_mut().zip(chunks.remainder()) {
        *lane = join(*lane, value);
    }
    lanes.into_iter().fold(start, join)
}

/// The largest number, −∞ for none; numbers that are NaN are passed over.
#[inline]
pub(crate) fn largest(values: &[f32]) -> f32 {
    fold(values, f32::NEG_INFINITY, |held, value| if value > held { value } else { held })
}

/// Sum of the positive numbers.
#[inline]
pub(crate) fn sum_of_positive(values: &[f32]) -> f32 {
    fold(values, 0.0, |sum, value| sum + if value > 0.0 { value } else { 0.0 })
}

/// eˣ for x ≤ 0 to about seven digits, never less than e⁻⁸⁷; NaN counts as −∞.
#[inline]
pub(crate) fn exp(x: f32) -> f32 {
    // x = n · ln 2 + r with |r| ≤ ln 2 / 2; ln 2 in two parts, the first with few bits.
    const ROUND: f32 = 12_582_912.0; // 1.5 · 2²³: adding it rounds to a whole number.
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let x = if x > -87.0 { x } else { -87.0 };
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = (x - n * LN_2_HIGH) - n * LN_2_LOW;
    // Taylor to the sixth order: the next term is below 2⁻²³.
    let p = 1.0 / 720.0;
    let p = p * r + 1.0 / 120.0;
    let p = p * r + 1.0 / 24.0;
    let p = p * r + 1.0 / 6.0;
    let p = p * r + 0.5;
    let p = (p * r + 1.0) * r + 1.0;
    p * f32::from_bits(((n as i32 + 127) as u32) << 23)
}

/// Replaces logits by their softmax; no weight comes out smaller than `smallest`. Numbers that are
/// not finite never get more weight than finite ones; with none finite all weights are equal.
pub(crate) fn softmax(values: &mut [f32], smallest: f32) {
    let top = largest(values);
    for value in values.iter_mut() {
        *value = exp(*value - top);
    }
    let scale = 1.0 / sum_of_positive(values);
    for value in values.iter_mut() {
        let weight = *value * scale;
        *value = if weight > smallest { weight } else { smallest };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_are_right_to_seven_digits() {
        for index in 0..=870_000 {
            let x = -index as f32 / 10_000.0;
            let expected = f64::from(x).exp();
            assert!((f64::from(exp(x)) / expected - 1.0).abs() < 3e-7, "{x}");
        }
        assert_eq!(exp(0.0), 1.0);
        assert!(exp(-1000.0) < 2e-38 && exp(f32::NEG_INFINITY) < 2e-38 && exp(f32::NAN) < 2e-38);
    }

    #[test]
    fn folds_see_every_number() {
        for length in 0..40 {
            let values: Vec<f32> = (0..length).map(|index| (index * 7 % 40) as f32 - 9.0).collect();
            let expected = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            assert_eq!(largest(&values), expected);
            let expected: f32 = values.iter().filter(|&&value| value > 0.0).sum();
            assert_eq!(sum_of_positive(&values), expected);
        }
    }

    #[test]
    fn softmax_sums_to_one_and_keeps_tiny_weights() {
        for length in [1, 2, 7, 8, 9, 150] {
            let logits: Vec<f32> = (0..length).map(|index| (index * 13 % 17) as f32 - 8.0).collect();
            let mut weights = logits.clone();
            softmax(&mut weights, 1e-30);
            assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            for index in 0..length {
                let ratio = f64::from(weights[index]) / f64::from(weights[0]);
                let expected = f64::from(logits[index] - logits[0]).exp();
                assert!((ratio / expected - 1.0).abs() < 1e-5);
            }
        }
        let mut far = [0.0, -300.0];
        softmax(&mut far, 1e-30);
        assert_eq!(far, [1.0, 1e-30]);
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let mut values = [bad; 3];
            softmax(&mut values, 1e-30);
            assert_eq!(values, [1.0 / 3.0; 3]);
        }
    }
}
