//! The one thread on which networks are compiled and taken apart again.
//!
//! oneDNN remembers compiled parts by their addresses, in each thread and for the whole process, and never forgets an
//! address: a few hundred bytes for each part that once lay somewhere. In a process where other things are allocated
//! beside, each network lies elsewhere, and a run that publishes for months grows. A thread that does nothing else has
//! a heap of its own, in which each network comes to lie where the one before it lay.

use crate::error::NetError;
use crate::runtime;
use std::sync::OnceLock;
use std::sync::mpsc::{Sender, channel};

type Job = Box<dyn FnOnce() + Send>;

/// Does `work` on the thread and waits for it; nobody else's is done meanwhile. Work must not ask for more work, nor
/// drop the last handle of a network that was compiled.
///
/// # Errors
/// A thread that cannot be started, or that panicked.
pub(crate) fn run<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> Result<R, NetError> {
    let (sender, answer) = channel();
    let job = move || {
        // Who asked waits below.
        let _ = sender.send(work());
    };
    jobs()?.send(Box::new(job)).map_err(|_| gone())?;
    answer.recv().map_err(|_| gone())
}

fn gone() -> NetError {
    NetError::Module("the thread that compiles networks is gone".to_string())
}

/// Where the thread takes its work from. It ends with the process: it is idle whenever nobody waits for it.
fn jobs() -> Result<&'static Sender<Job>, NetError> {
    static JOBS: OnceLock<Sender<Job>> = OnceLock::new();
    if let Some(jobs) = JOBS.get() {
        return Ok(jobs);
    }
    let (sender, jobs) = channel::<Job>();
    let work = move || {
        runtime::prepare_thread();
        jobs.into_iter().for_each(|job| job());
    };
    std::thread::Builder::new()
        .name("workshop".to_owned())
        .spawn(work)
        .map_err(|error| NetError::Module(format!("no thread to compile networks on: {error}")))?;
    // Where two came at once the second thread ends with its sender.
    Ok(JOBS.get_or_init(|| sender))
}
