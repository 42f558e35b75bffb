//! What a user sees while a run works: bars with rates and time left on a terminal, plain lines
//! elsewhere.

use crate::clock;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Seconds between two plain lines of one phase.
const PLAIN_INTERVAL: f64 = 30.0;

/// How progress is shown.
#[derive(Clone)]
enum Display {
    /// Bars that redraw themselves.
    Bars(MultiProgress),
    /// A line now and then.
    Lines,
    /// Nothing, for tests.
    Silent,
}

/// Progress of a run on standard error. Clones share the terminal.
#[derive(Clone)]
pub struct Progress {
    display: Display,
}

impl Progress {
    /// Bars when standard error is a terminal, plain lines otherwise.
    pub fn for_terminal() -> Progress {
        let display = if std::io::stderr().is_terminal() {
            Display::Bars(MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(5)))
        } else {
            Display::Lines
        };
        Progress { display }
    }

    /// Shows nothing.
    pub fn silent() -> Progress {
        Progress { display: Display::Silent }
    }

    /// Shows a line, above the bars if there are any.
    pub fn say(&self, line: &str) {
        match &self.display {
            // Both fail only when standard error is gone, and then there is nobody to tell.
            Display::Bars(bars) => drop(bars.println(line)),
            Display::Lines => drop(writeln!(std::io::stderr(), "{line}")),
            Display::Silent => {}
        }
    }

    /// Begins a phase of `total` units (`positions`, `steps`, `games`) named `name`.
    pub fn phase(&self, name: &str, unit: &str, total: u64) -> Phase {
        let bar = match &self.display {
            Display::Bars(bars) => {
                let bar = bars.add(ProgressBar::new(total));
                if let Ok(style) = ProgressStyle::with_template(
                    "{prefix} {bar:30} {pos}/{len} {msg} {per_sec} left {eta} ({elapsed})",
                ) {
                    bar.set_style(style);
                }
                bar.set_prefix(name.to_owned());
                bar.set_message(unit.to_owned());
                bar.enable_steady_tick(Duration::from_millis(500));
                Some(bar)
            }
            Display::Lines | Display::Silent => None,
        };
        let begin = Instant::now();
        Phase {
            progress: self.clone(),
            name: name.to_owned(),
            unit: unit.to_owned(),
            total,
            begin,
            bar,
            shown: Arc::new(Mutex::new(begin)),
        }
    }
}

/// One phase under way; clearing away its bar is part of being dropped.
pub struct Phase {
    progress: Progress,
    name: String,
    unit: String,
    total: u64,
    begin: Instant,
    bar: Option<ProgressBar>,
    shown: Arc<Mutex<Instant>>,
}

impl Phase {
    /// Says how many units are done.
    pub fn update(&self, done: u64) {
        if let Some(bar) = &self.bar {
            bar.set_position(done.min(self.total));
            return;
        }
        if !matches!(self.progress.display, Display::Lines) {
            return;
        }
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if shown.elapsed().as_secs_f64() < PLAIN_INTERVAL {
            return;
        }
        *shown = Instant::now();
        let seconds = self.begin.elapsed().as_secs_f64();
        let rate = done as f64 / seconds.max(1e-9);
        let left = self.total.saturating_sub(done) as f64 / rate.max(1e-9);
        let left = if done == 0 { "unknown".to_owned() } else { clock::in_words(left) };
        self.progress
            .say(&format!("  {} {done}/{} {}, {rate:.0}/s, left {left}", self.name, self.total, self.unit));
    }

    /// Seconds since the phase began.
    pub fn seconds(&self) -> f64 {
        self.begin.elapsed().as_secs_f64()
    }
}

impl Drop for Phase {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
