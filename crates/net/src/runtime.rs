//! Settings of the process and of its threads for running networks on a CPU.

use crate::module;

/// Says what [`prepare`] could set, for the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prepared {
    /// From which size on memory comes straight from the system instead of the heap, in bytes; `None`
    /// when the C library took neither value.
    pub mmap_threshold: Option<usize>,
}

/// Settings of the whole process; call it first in `main`, before other threads exist.
///
/// - The allocator keeps memory instead of giving it back to the system after every operation: LibTorch
///   allocates each intermediate tensor anew, and fresh pages cost more than the arithmetic. Measured
///   1.55 times faster eager inference at batch 64, 1.14 times faster training.
/// - One LibTorch thread per operation: this project runs one worker per core instead of teams, which
///   collapse as soon as another process needs a core.
/// - Denormal numbers count as 0.
pub fn prepare() -> Prepared {
    const LARGE: usize = 1 << 30;
    // What older C libraries take at most.
    const OLD_LIMIT: usize = 32 << 20;
    let set = |parameter: i32, value: usize| {
        let value = i32::try_from(value).unwrap_or(i32::MAX);
        // SAFETY: mallopt takes two integers and only changes how the allocator behaves.
        unsafe { libc::mallopt(parameter, value) == 1 }
    };
    let mmap_threshold =
        [LARGE, OLD_LIMIT].into_iter().find(|&threshold| set(libc::M_MMAP_THRESHOLD, threshold));
    set(libc::M_TRIM_THRESHOLD, i32::MAX as usize);
    set(libc::M_TOP_PAD, 16 << 20);
    module::prepare_process();
    prepare_thread();
    Prepared { mmap_threshold }
}

/// Settings of one thread; every thread that evaluates or trains calls it first. ([`prepare`] did it for
/// the main thread, and the evaluators and trainers of this crate do it for the threads they run on.)
pub fn prepare_thread() {
    module::prepare_thread();
}
