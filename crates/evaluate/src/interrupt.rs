//! Ctrl-C: the first one finishes the pairs of a match under way, if that takes no longer than [`PATIENCE`], and
//! stops other work, the second drops them, the third ends the process.

use arena::matches::Stop;
use std::io::Write;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// How long pairs under way may take to end after the first request; whoever shuts a machine down does not ask
/// twice before it kills.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// How often the user asked to stop. Clones see the same requests.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    asked: Arc<AtomicU8>,
    /// When that was first seen.
    since: Arc<OnceLock<Instant>>,
}

impl Interrupt {
    /// An interrupt that nobody has asked for.
    pub fn new() -> Interrupt {
        Interrupt::default()
    }

    /// Listens to Ctrl-C, and to the termination signal in the same way.
    ///
    /// # Errors
    /// When the process listens already.
    pub fn listen(&self) -> Result<(), ctrlc::Error> {
        let asked = Arc::clone(&self.asked);
        ctrlc::set_handler(move || {
            let message = match asked.fetch_add(1, Ordering::SeqCst) {
                0 => format!(
                    "\nstopping: finishing what is under way, for at most {} s (once more to drop it)\n",
                    PATIENCE.as_secs()
                ),
                1 => "\nstopping now: what is under way is dropped\n".to_owned(),
                _ => end(),
            };
            // Fails only when standard error is gone, and then there is nobody to tell.
            let _ = std::io::stderr().write_all(message.as_bytes());
        })
    }

    /// Lets Ctrl-C end the process at once, for commands that wait for input.
    ///
    /// # Errors
    /// When the process listens already.
    pub fn end_at_once() -> Result<(), ctrlc::Error> {
        ctrlc::set_handler(|| end())
    }

    /// How urgently to stop.
    pub fn stop(&self) -> Stop {
        self.stop_at(Instant::now())
    }

    /// How urgently to stop at a moment.
    fn stop_at(&self, now: Instant) -> Stop {
        match self.asked.load(Ordering::Relaxed) {
            0 => Stop::GoOn,
            1 if now.saturating_duration_since(*self.since.get_or_init(|| now)) < PATIENCE => {
                Stop::FinishPairs
            }
            _ => Stop::Now,
        }
    }
}

/// Ends the process with the exit code of Ctrl-C.
fn end() -> ! {
    // SAFETY: ends the process. Unlike a return from main it runs no destructors of libraries, which crash
    // while other threads are inside LibTorch; files are replaced by renaming, so nothing is left
    // half-written.
    unsafe { libc::_exit(130) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_under_way_have_their_time_after_the_first_request_and_no_more() {
        let (interrupt, now) = (Interrupt::new(), Instant::now());
        let later = |duration: Duration| interrupt.stop_at(now + duration);
        assert_eq!(later(PATIENCE * 9), Stop::GoOn, "nobody has asked");
        interrupt.asked.store(1, Ordering::SeqCst);
        // The time begins when the request is first seen, also by a clone.
        assert_eq!(interrupt.clone().stop_at(now), Stop::FinishPairs);
        assert_eq!(later(PATIENCE - Duration::from_nanos(1)), Stop::FinishPairs);
        assert_eq!(later(PATIENCE), Stop::Now);
        assert_eq!(interrupt.clone().stop_at(now + PATIENCE), Stop::Now);
        // Clocks of two threads may be read in another order than they are compared.
        assert_eq!(interrupt.stop_at(now), Stop::FinishPairs);
    }

    #[test]
    fn who_asks_twice_does_not_wait() {
        let (interrupt, now) = (Interrupt::new(), Instant::now());
        interrupt.asked.store(2, Ordering::SeqCst);
        assert_eq!(interrupt.stop_at(now), Stop::Now);
    }
}
