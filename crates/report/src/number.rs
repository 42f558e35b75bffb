//! Numbers for people.

/// What a number counts, which decides how it is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// A number as it is.
    #[default]
    Plain,
    /// A share of 1, written in percent.
    Share,
}

impl Unit {
    /// The word for the page's script.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Unit::Plain => "plain",
            Unit::Share => "share",
        }
    }

    /// A number with about three figures.
    pub fn write(self, number: f64) -> String {
        match self {
            Unit::Plain => plain(number),
            Unit::Share => format!("{} %", plain(100.0 * number)),
        }
    }

    /// The number at a tick, with as many decimals as ticks `step` apart need.
    pub(crate) fn write_tick(self, number: f64, step: f64) -> String {
        match self {
            Unit::Plain => tick(number, step),
            Unit::Share => format!("{} %", tick(100.0 * number, 100.0 * step)),
        }
    }
}

/// A number with about three figures: `0.0012`, `3.14`, `1 234`, `12.3k`, `4.56M`, `2.0e-5`; `–` for none.
pub fn plain(number: f64) -> String {
    let size = number.abs();
    if !number.is_finite() {
        "–".to_owned()
    } else if size == 0.0 {
        "0".to_owned()
    } else if size < 1e-3 {
        format!("{number:.1e}")
    } else if size < 1.0 {
        trimmed(format!("{number:.4}"))
    } else if size < 10.0 {
        trimmed(format!("{number:.2}"))
    } else if size < 100.0 {
        trimmed(format!("{number:.1}"))
    } else if size < 9999.5 {
        whole(number.round() as i64)
    } else if size < 999_500.0 {
        format!("{}k", trimmed(format!("{:.1}", number / 1e3)))
    } else if size < 999_500_000.0 {
        format!("{}M", trimmed(format!("{:.2}", number / 1e6)))
    } else {
        format!("{}G", trimmed(format!("{:.2}", number / 1e9)))
    }
}

/// A whole number in groups of three figures: `12 345`.
pub fn whole(number: i64) -> String {
    let figures = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (index, figure) in figures.chars().enumerate() {
        if index > 0 && (figures.len() - index).is_multiple_of(3) {
            // A narrow space that does not break.
            text.push('\u{202f}');
        }
        text.push(figure);
    }
    if number < 0 { format!("−{text}") } else { text }
}

fn tick(number: f64, step: f64) -> String {
    let (divisor, ending) = match number.abs().max(step) {
        size if size >= 1e9 => (1e9, "G"),
        size if size >= 1e6 => (1e6, "M"),
        size if size >= 1e4 => (1e3, "k"),
        _ => (1.0, ""),
    };
    let (number, step) = (number / divisor, step / divisor);
    if number == 0.0 {
        return "0".to_owned();
    }
    if step < 1e-4 {
        return format!("{number:.1e}");
    }
    let decimals = (0..=5).find(|&decimals| {
        let scaled = step * 10f64.powi(decimals);
        (scaled - scaled.round()).abs() < 1e-6 * scaled.max(1.0)
    });
    format!("{number:.*}{ending}", decimals.unwrap_or(5) as usize).replace('-', "−")
}

fn trimmed(text: String) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        for (number, text) in [
            (0.0, "0"),
            (0.000_02, "2.0e-5"),
            (0.0012, "0.0012"),
            (7.43159, "7.43"),
            (2.0, "2"),
            (63.47, "63.5"),
            (1234.4, "1\u{202f}234"),
            (12_345.0, "12.3k"),
            (999_999.0, "1M"),
            (4_560_000.0, "4.56M"),
            (f64::NAN, "–"),
        ] {
            assert_eq!(plain(number), text);
        }
        assert_eq!(whole(-1_234_567), "−1\u{202f}234\u{202f}567");
        assert_eq!(Unit::Share.write(0.425), "42.5 %");
    }

    #[test]
    fn ticks_have_the_decimals_of_their_step() {
        assert_eq!(Unit::Plain.write_tick(0.5, 0.25), "0.50");
        assert_eq!(Unit::Plain.write_tick(1.0, 0.2), "1.0");
        assert_eq!(Unit::Plain.write_tick(-2.0, 1.0), "−2");
        assert_eq!(Unit::Plain.write_tick(15_000.0, 5_000.0), "15k");
        assert_eq!(Unit::Share.write_tick(0.25, 0.25), "25 %");
        assert_eq!(Unit::Plain.write_tick(0.000_02, 0.000_01), "2.0e-5");
    }
}
