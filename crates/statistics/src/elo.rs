//! From scores to Elo and back.

/// Elo per unit of the t-value of a game, the unit of normalised Elo: `800 / ln 10`. With it normalised
/// Elo and Elo agree for small differences in a game without draws (M. Van den Bergh, "Normalized Elo",
/// 2020, section 4.2).
pub const NORMALISED_ELO_UNIT: f64 = 800.0 / std::f64::consts::LN_10;

/// Elo per unit of log-odds: `400 / ln 10`.
pub const ELO_PER_LOG_ODDS: f64 = 400.0 / std::f64::consts::LN_10;

/// Elo difference that stands for a score: `−400 log₁₀(1/score − 1)`; infinite at 0 and 1.
pub fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The score that an Elo difference stands for: `1 / (1 + 10^(−elo/400))`.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_of_some_scores() {
        assert_eq!(elo(0.5), 0.0);
        assert!((elo(10.0 / 11.0) - 400.0).abs() < 1e-9);
        assert_eq!(elo(0.0), f64::NEG_INFINITY);
        assert_eq!(elo(1.0), f64::INFINITY);
        assert!((elo(expected_score(-123.0)) + 123.0).abs() < 1e-9);
    }
}
