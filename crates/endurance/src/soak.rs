//! A long run whose memory, file handles and threads must not grow once it is warm.

use anyhow::{Context, Result};
use serde::Serialize;
use std::fs;
use std::path::Path;

/// What a process takes at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Sample {
    /// Seconds since it began.
    pub seconds: f64,
    /// Resident memory, MiB.
    pub resident_mib: f64,
    /// Open file handles.
    pub handles: u64,
    /// Threads.
    pub threads: u64,
}

impl Sample {
    /// Looks at a process.
    ///
    /// # Errors
    /// A process that is gone.
    pub fn of(process: u32, seconds: f64) -> Result<Sample> {
        let place = format!("/proc/{process}");
        let status = fs::read_to_string(Path::new(&place).join("status")).context("the process is gone")?;
        let number = |key: &str| -> f64 {
            let line = status.lines().find_map(|line| line.strip_prefix(key));
            line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or_default()
        };
        Ok(Sample {
            seconds,
            resident_mib: number("VmRSS:") / 1024.0,
            handles: fs::read_dir(Path::new(&place).join("fd"))?.count() as u64,
            threads: number("Threads:") as u64,
        })
    }
}

/// A slope with its 95 % interval, MiB an hour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Slope {
    /// The median of the slopes of all pairs of points (Theil 1950, Sen 1968).
    pub per_hour: f64,
    /// Lower end of Sen's interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Medians of so many blocks of time stand for the samples: neighbours in time are alike, and Sen's interval is for
/// points that are not.
const BLOCKS: usize = 30;

impl Slope {
    /// The slope of resident memory; `None` with fewer than ten points.
    pub fn of(samples: &[Sample]) -> Option<Slope> {
        let points = medians(samples);
        let count = points.len();
        if count < 10 {
            return None;
        }
        let mut slopes: Vec<f64> = Vec::with_capacity(count * (count - 1) / 2);
        for (index, one) in points.iter().enumerate() {
            slopes.extend(points[..index].iter().map(|other| (one.1 - other.1) / (one.0 - other.0) * 3600.0));
        }
        slopes.sort_by(f64::total_cmp);
        let pairs = slopes.len() as f64;
        // Standard deviation of Kendall's statistic without ties.
        let many = count as f64;
        let deviation = (many * (many - 1.0) * (2.0 * many + 5.0) / 18.0).sqrt();
        let half = 1.96 * deviation;
        let at = |rank: f64| slopes[(rank.max(0.0) as usize).min(slopes.len() - 1)];
        Some(Slope {
            per_hour: 0.5 * (at((pairs - 1.0) / 2.0) + at(pairs / 2.0)),
            low: at(((pairs - half) / 2.0).floor()),
            high: at(((pairs + half) / 2.0).ceil()),
        })
    }
}

/// Time and median memory of blocks of equal length.
fn medians(samples: &[Sample]) -> Vec<(f64, f64)> {
    let size = samples.len().div_ceil(BLOCKS).max(1);
    samples
        .chunks(size)
        .map(|block| {
            let mut sizes: Vec<f64> = block.iter().map(|sample| sample.resident_mib).collect();
            sizes.sort_by(f64::total_cmp);
            (block[block.len() / 2].seconds, sizes[sizes.len() / 2])
        })
        .collect()
}

/// What a soak came to.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    /// Slope of resident memory over the last two thirds.
    pub slope: Option<Slope>,
    /// Most memory at all, MiB.
    pub peak_mib: f64,
    /// Fewest handles in the first and in the last fifth of the last two thirds.
    pub handles: [u64; 2],
    /// The same for threads.
    pub threads: [u64; 2],
    /// What grew, in words; empty where nothing did.
    pub growth: Vec<String>,
}

impl Verdict {
    /// Judges the samples after the first third, which is for warming up. Memory grows where the interval of its
    /// slope lies above 0 and reaches `most_per_hour` MiB an hour; handles and threads where the fewest at any look
    /// are more in the last fifth than in the first: what leaks is open at every look, while a file that is being
    /// written is open at some, and how many such looks there are is chance.
    pub fn of(samples: &[Sample], most_per_hour: f64) -> Verdict {
        let warm = &samples[samples.len() / 3..];
        let slope = Slope::of(warm);
        let fifth = warm.len() / 5;
        let ends = [&warm[..fifth], &warm[warm.len() - fifth..]];
        let fewest =
            |number: fn(&Sample) -> u64| ends.map(|end| end.iter().map(number).min().unwrap_or_default());
        let handles = fewest(|sample| sample.handles);
        let threads = fewest(|sample| sample.threads);
        let mut growth = Vec::new();
        match slope {
            None => growth.push("too few samples to say anything".to_owned()),
            Some(slope) if slope.low > 0.0 && slope.high >= most_per_hour => growth.push(format!(
                "memory grows by {:.2} MiB an hour ({:.2} to {:.2})",
                slope.per_hour, slope.low, slope.high
            )),
            Some(_) => {}
        }
        for (what, [before, after]) in [("file handles", handles), ("threads", threads)] {
            if after > before {
                growth
                    .push(format!("{what}: never fewer than {after} in the end, {before} in the beginning"));
            }
        }
        let peak_mib = samples.iter().map(|sample| sample.resident_mib).fold(0.0, f64::max);
        Verdict { slope, peak_mib, handles, threads, growth }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Forty minutes of samples every five seconds that go up and down by 3 MiB with the phases of a cycle, after a
    /// warm-up, with a leak.
    fn samples(leak_per_hour: f64, seed: u64) -> Vec<Sample> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        (0..480)
            .map(|index| {
                let seconds = f64::from(index) * 5.0;
                let warm_up = 50.0 * (-seconds / 120.0).exp();
                let phase = 3.0 * f64::from(u8::from(seconds % 40.0 > 30.0));
                let noise: f64 = random.random_range(-0.5..0.5);
                let resident_mib = 300.0 - warm_up + phase + noise + leak_per_hour * seconds / 3600.0;
                Sample { seconds, resident_mib, handles: 12 + u64::from(index % 7 == 0), threads: 5 }
            })
            .collect()
    }

    #[test]
    fn leaks_are_found_and_noise_is_none() {
        for seed in 0..20 {
            let quiet = Verdict::of(&samples(0.0, seed), 1.0);
            assert!(quiet.growth.is_empty(), "{quiet:?}");
            let leaking = Verdict::of(&samples(3.0, seed), 1.0);
            assert_eq!(leaking.growth.len(), 1, "{leaking:?}");
            let slope = leaking.slope.unwrap();
            assert!(slope.low > 1.5 && slope.high < 5.0, "{slope:?}");
        }
    }

    #[test]
    fn handles_and_threads_that_grow_are_named() {
        let mut growing = samples(0.0, 1);
        // One that is never closed again, after most of the time.
        for sample in &mut growing[400..] {
            sample.handles += 1;
        }
        let verdict = Verdict::of(&growing, 1.0);
        assert_eq!(verdict.growth, ["file handles: never fewer than 13 in the end, 12 in the beginning"]);
        assert_eq!(Verdict::of(&growing[..5], 1.0).growth.len(), 1);
        for sample in &mut growing[400..] {
            sample.threads += 2;
        }
        assert_eq!(Verdict::of(&growing, 1.0).growth.len(), 2);
    }

    #[test]
    fn one_handle_after_the_other_is_growth() {
        let mut growing = samples(0.0, 1);
        for (index, sample) in growing.iter_mut().enumerate() {
            sample.handles = 12 + index as u64 / 100;
        }
        let verdict = Verdict::of(&growing, 1.0);
        assert_eq!(verdict.growth, ["file handles: never fewer than 16 in the end, 13 in the beginning"]);
    }

    #[test]
    fn files_that_a_look_happens_to_meet_are_no_growth() {
        let mut busy = samples(0.0, 1);
        busy[450].handles = 40;
        busy[470].threads = 9;
        assert_eq!(Verdict::of(&busy, 1.0).growth, [""; 0]);
    }

    #[test]
    fn this_process_can_be_looked_at() {
        let sample = Sample::of(std::process::id(), 0.0).unwrap();
        assert!(sample.resident_mib > 1.0 && sample.handles > 2 && sample.threads > 0, "{sample:?}");
    }
}
