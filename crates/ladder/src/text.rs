//! Numbers as words.

/// A share in percent with one decimal.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A whole number of Elo with its sign.
pub fn elo(elo: f64) -> String {
    if elo.round() == 0.0 {
        "0".to_owned()
    } else if elo.is_finite() {
        format!("{elo:+.0}").replace('-', "−")
    } else {
        "–".to_owned()
    }
}

/// A probability as people say it: never quite 0 or 100 %.
pub fn certainty(probability: f64) -> String {
    if probability > 0.999 {
        "> 99.9 %".to_owned()
    } else if probability < 0.001 {
        "< 0.1 %".to_owned()
    } else {
        percent(probability)
    }
}
