//! Wall-clock time and memory, for logs and metrics only: nothing that is learned depends on them.

use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds since 1970.
pub fn unix_seconds() -> u64 {
    unix_time() as u64
}

/// Seconds since 1970 with fractions.
pub fn unix_time() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

/// Resident memory of this process in MiB; 0 where the system does not say.
pub fn resident_mib() -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().next()).and_then(|word| word.parse::<f64>().ok());
    kib.unwrap_or(0.0) / 1024.0
}

/// A duration in a reader's words: `42s`, `3m05s`, `2h07m`.
pub fn in_words(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match whole {
        0..60 => format!("{whole}s"),
        60..3600 => format!("{}m{:02}s", whole / 60, whole % 60),
        _ => format!("{}h{:02}m", whole / 3600, whole % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_well() {
        assert_eq!(in_words(41.7), "42s");
        assert_eq!(in_words(185.0), "3m05s");
        assert_eq!(in_words(7620.0), "2h07m");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_is_seen() {
        assert!(resident_mib() > 0.5);
    }
}
