//! Ctrl-C: the first one finishes the pairs under way, the second drops them, the third ends the process.

use arena::matches::Stop;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// How often the user asked to stop. Clones see the same requests.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    asked: Arc<AtomicU8>,
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
            let message: &[u8] = match asked.fetch_add(1, Ordering::SeqCst) {
                0 => b"\nstopping: finishing the pairs under way (once more to drop them)\n",
                1 => b"\nstopping now: pairs under way are dropped\n",
                // SAFETY: ends the process. Unlike a return from main it runs no destructors of
                // libraries, which crash while other threads are inside LibTorch; the only file is
                // replaced by renaming, so nothing is left half-written.
                _ => unsafe { libc::_exit(130) },
            };
            // Fails only when standard error is gone, and then there is nobody to tell.
            let _ = std::io::stderr().write_all(message);
        })
    }

    /// How urgently to stop.
    pub fn stop(&self) -> Stop {
        match self.asked.load(Ordering::Relaxed) {
            0 => Stop::GoOn,
            1 => Stop::FinishPairs,
            _ => Stop::Now,
        }
    }
}
