//! What happens while a ladder is played: a bar, and the file of the pairs under way.

use crate::interrupt::Interrupt;
use ::ladder::{League, Rated};
use arena::matches::{Stop, Tally, Watch};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pairs::{Pair, PairFile, PairFileError};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A bar over all blocks of a ladder, with who plays and how it stands, on standard error; nothing where
/// that is no terminal.
pub struct LadderProgress<'a> {
    bar: ProgressBar,
    interrupt: &'a Interrupt,
    /// When no more pairs are begun.
    deadline: Option<Instant>,
    block: Mutex<Block>,
    /// Pairs cannot be kept any more.
    broken: AtomicBool,
}

/// The match under way.
#[derive(Default)]
struct Block {
    names: String,
    file: Option<PairFile>,
    error: Option<PairFileError>,
    /// Pairs of these two before the block.
    earlier: u64,
    /// Pairs of all blocks before.
    before: u64,
    /// Pairs of this block.
    pairs: u64,
    standing: String,
}

impl LadderProgress<'_> {
    /// A bar for so many pairs, the largest number standing for no limit; none are begun after the
    /// deadline.
    pub fn new(pairs: u64, deadline: Option<Instant>, interrupt: &Interrupt) -> LadderProgress<'_> {
        let length = (pairs < u64::MAX).then_some(pairs);
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr_with_hz(5));
        let template = match length {
            Some(_) => "{bar:20} {pos}/{len} pairs  {elapsed} gone, {eta} left  {msg}",
            None => "{pos} pairs  {elapsed} gone  {msg}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(500));
        LadderProgress { bar, interrupt, deadline, block: Mutex::default(), broken: AtomicBool::new(false) }
    }

    /// Shows how the league stands.
    pub fn standing(&self, league: &League, rated: Option<&Rated>) {
        let best = rated.and_then(|rated| Some((rated.best()?, rated.widest())));
        let mut block = self.block();
        block.standing = best.map_or_else(String::new, |((player, rating), widest)| {
            format!("best {} {:+.0}, widest ± {widest:.0}", league.players[player].name, rating.elo)
        });
        self.show(&block);
    }

    /// Begins a block: who plays, and the file that keeps their pairs, `earlier` of which are in it.
    pub fn begin(&self, names: [&str; 2], file: PairFile, earlier: u64) {
        let mut block = self.block();
        let before = block.before + block.pairs;
        let standing = std::mem::take(&mut block.standing);
        let names = names.join(" – ");
        *block = Block { names, file: Some(file), error: None, earlier, before, pairs: 0, standing };
        self.show(&block);
    }

    /// Ends a block.
    ///
    /// # Errors
    /// A pair that could not be kept; the block was stopped then.
    pub fn end(&self) -> Result<(), PairFileError> {
        let mut block = self.block();
        block.file = None;
        block.error.take().map_or(Ok(()), Err)
    }

    /// Says a line above the bar.
    pub fn tell(&self, line: &str) {
        self.bar.suspend(|| crate::say(line));
    }

    /// Clears the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn show(&self, block: &Block) {
        self.bar.set_position(block.before + block.pairs);
        self.bar.set_message(format!("{}  {}", block.standing, block.names));
    }

    /// A thread that panicked while it held the lock ends the match anyway.
    fn block(&self) -> MutexGuard<'_, Block> {
        self.block.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch for LadderProgress<'_> {
    fn pair_finished(&self, pair: &Pair, tally: &Tally) {
        let mut block = self.block();
        if let Some(Err(error)) = block.file.as_mut().map(|file| file.append(pair)) {
            block.file = None;
            block.error = Some(error);
            self.broken.store(true, Ordering::Relaxed);
        }
        block.pairs = tally.pentanomial.pairs().saturating_sub(block.earlier);
        for forfeit in pair.games.iter().filter_map(|game| game.forfeit.as_ref()) {
            self.tell(&format!("{}: a game is forfeited: {forfeit}", block.names));
        }
        self.show(&block);
    }

    fn stop(&self) -> Stop {
        if self.broken.load(Ordering::Relaxed) {
            return Stop::Now;
        }
        let over = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.interrupt.stop().max(if over { Stop::FinishPairs } else { Stop::GoOn })
    }
}

impl Drop for LadderProgress<'_> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
