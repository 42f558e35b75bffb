//! Ctrl-C: the first one asks the run to save and stop, the second ends the process at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the user asked to stop. Clones see the same request.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    asked: Arc<AtomicBool>,
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
            if asked.swap(true, Ordering::SeqCst) {
                // SAFETY: ends the process. Unlike a return from main it runs no destructors of
                // libraries, which crash while other threads are inside LibTorch; files are only ever
                // replaced by renaming, so nothing is left half-written.
                unsafe { libc::_exit(crate::failure::STOPPED.into()) }
            }
            // Fails only when standard error is gone, and then there is nobody to tell.
            let _ = std::io::Write::write_all(
                &mut std::io::stderr(),
                b"\nstopping: saving the run (once more to stop at once, without saving)\n",
            );
        })
    }

    /// The flag itself, for code that looks at it often.
    pub fn flag(&self) -> &AtomicBool {
        &self.asked
    }

    /// Whether the run should save and stop.
    pub fn asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// Asks for it from within the program.
    pub fn ask(&self) {
        self.asked.store(true, Ordering::SeqCst);
    }
}
