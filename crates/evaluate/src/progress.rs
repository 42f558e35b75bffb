//! What a user sees while a match is played.

use crate::interrupt::Interrupt;
use arena::matches::{Stop, Tally, Watch};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};

/// A bar with the score so far and the time left on standard error; nothing where that is no terminal.
pub struct MatchProgress<'a> {
    bar: ProgressBar,
    begin: Instant,
    interrupt: &'a Interrupt,
}

impl MatchProgress<'_> {
    /// A bar for so many pairs.
    pub fn new(pairs: u64, interrupt: &Interrupt) -> MatchProgress<'_> {
        // It hides itself where standard error is no terminal.
        let bar = ProgressBar::with_draw_target(Some(pairs), ProgressDrawTarget::stderr_with_hz(5));
        if let Ok(style) =
            ProgressStyle::with_template("{bar:30} {pos}/{len} pairs  {msg}  {elapsed} gone, {eta} left")
        {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(500));
        MatchProgress { bar, begin: Instant::now(), interrupt }
    }

    /// Clears the bar away; the seconds since it began.
    pub fn finish(&self) -> f64 {
        self.bar.finish_and_clear();
        self.begin.elapsed().as_secs_f64()
    }
}

impl Watch for MatchProgress<'_> {
    fn pair_finished(&self, tally: &Tally) {
        let percent =
            |score: Option<f64>| score.map_or(String::new(), |score| format!("{:.1}", 100.0 * score));
        let interval = tally.pentanomial.interval();
        self.bar.set_message(format!(
            "score {} % ({} to {})",
            percent(tally.pentanomial.score()),
            percent(interval.map(|interval| interval.low)),
            percent(interval.map(|interval| interval.high)),
        ));
        self.bar.set_position(tally.pentanomial.pairs());
    }

    fn stop(&self) -> Stop {
        self.interrupt.stop()
    }
}

impl Drop for MatchProgress<'_> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
