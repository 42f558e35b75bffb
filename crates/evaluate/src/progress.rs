//! What happens while a match is played: a bar, and the file of pairs.

use crate::interrupt::Interrupt;
use arena::matches::{Stop, Tally, Watch};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pairs::{Pair, PairFile, PairFileError};
use statistics::Intervals;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A bar with the score so far and the time left on standard error, nothing where that is no terminal;
/// and the place where pairs are kept as they finish.
pub struct MatchProgress<'a> {
    bar: ProgressBar,
    begin: Instant,
    interrupt: &'a Interrupt,
    file: Mutex<Kept>,
    /// Pairs cannot be kept any more.
    broken: AtomicBool,
    batches: [BatchCount; 2],
}

/// The file of pairs, and the error that ended its use.
struct Kept {
    file: Option<PairFile>,
    error: Option<PairFileError>,
}

/// Batches that one side's network has judged.
#[derive(Default)]
struct BatchCount {
    batches: AtomicU64,
    rows: AtomicU64,
}

impl MatchProgress<'_> {
    /// A bar for so many pairs, `earlier` of which have been played before; `file` keeps the others.
    pub fn new(pairs: u64, earlier: u64, file: Option<PairFile>, interrupt: &Interrupt) -> MatchProgress<'_> {
        // It hides itself where standard error is no terminal.
        let bar = ProgressBar::with_draw_target(Some(pairs), ProgressDrawTarget::stderr_with_hz(5));
        if let Ok(style) =
            ProgressStyle::with_template("{bar:30} {pos}/{len} pairs  {msg}  {elapsed} gone, {eta} left")
        {
            bar.set_style(style);
        }
        bar.set_position(earlier);
        bar.reset_eta();
        bar.enable_steady_tick(Duration::from_millis(500));
        let file = Mutex::new(Kept { file, error: None });
        let (begin, broken) = (Instant::now(), AtomicBool::new(false));
        MatchProgress { bar, begin, interrupt, file, broken, batches: Default::default() }
    }

    /// Clears the bar away; the seconds since it began.
    ///
    /// # Errors
    /// A pair that could not be kept; the match was stopped then.
    pub fn finish(&self) -> Result<f64, PairFileError> {
        self.bar.finish_and_clear();
        match self.kept().error.take() {
            Some(error) => Err(error),
            None => Ok(self.begin.elapsed().as_secs_f64()),
        }
    }

    /// Says something else beside the bar.
    pub fn say(&self, message: String) {
        self.bar.set_message(message);
    }

    /// Mean rows of a batch of each side's network; `None` for a side that has judged none.
    pub fn mean_batches(&self) -> [Option<f64>; 2] {
        self.batches.each_ref().map(|count| {
            let batches = count.batches.load(Ordering::Relaxed);
            (batches > 0).then(|| count.rows.load(Ordering::Relaxed) as f64 / batches as f64)
        })
    }

    /// A thread that panicked while it held the lock ends the match anyway.
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch for MatchProgress<'_> {
    fn pair_finished(&self, pair: &Pair, tally: &Tally) {
        {
            let mut kept = self.kept();
            if let Some(Err(error)) = kept.file.as_mut().map(|file| file.append(pair)) {
                kept.file = None;
                kept.error = Some(error);
                self.broken.store(true, Ordering::Relaxed);
            }
        }
        for (number, game) in (1..).zip(&pair.games) {
            if let Some(forfeit) = &game.forfeit {
                let line = format!("pair {} game {number} is forfeited: {forfeit}", pair.pair);
                self.bar.suspend(|| crate::say(&line));
            }
        }
        let interval = Intervals::of(tally.pentanomial).score;
        let percent = |share: f64| 100.0 * share;
        self.bar.set_message(format!(
            "score {:.1} % ({:.1} to {:.1})",
            percent(tally.pentanomial.score().unwrap_or(0.5)),
            percent(interval.low),
            percent(interval.high),
        ));
        self.bar.set_position(tally.pentanomial.pairs());
    }

    fn batch_judged(&self, side: usize, rows: usize) {
        self.batches[side].batches.fetch_add(1, Ordering::Relaxed);
        self.batches[side].rows.fetch_add(rows as u64, Ordering::Relaxed);
    }

    fn stop(&self) -> Stop {
        if self.broken.load(Ordering::Relaxed) { Stop::Now } else { self.interrupt.stop() }
    }
}

impl Drop for MatchProgress<'_> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
