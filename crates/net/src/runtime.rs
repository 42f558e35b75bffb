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
///   1.55 times faster eager inference at batch 64, 1.14 times faster training. Heaps of threads are in pieces
///   of 64 MiB that go back whenever one is empty, all the time in a thread that trains; not so where the next piece
///   begins with as much in reserve.
/// - One LibTorch thread per operation: this project runs one worker per core instead of teams, which
///   collapse as soon as another process needs a core.
/// - Denormal numbers count as 0.
/// - oneDNN forgets what it compiled for a network when the network goes. Else it keeps the newest 1024 parts,
///   weights included: 0.5 MiB for each network of 1 × 8 that is published, 4 MiB for one of 2 × 64.
pub fn prepare() -> Prepared {
    const LARGE: usize = 1 << 30;
    // What older C libraries take at most.
    const OLD_LIMIT: usize = 32 << 20;
    // Of a thread's heap in glibc.
    const HEAP_PIECE: usize = 64 << 20;
    let set = |parameter: i32, value: usize| {
        let value = i32::try_from(value).unwrap_or(i32::MAX);
        // SAFETY: mallopt takes two integers and only changes how the allocator behaves.
        unsafe { libc::mallopt(parameter, value) == 1 }
    };
    let mmap_threshold =
        [LARGE, OLD_LIMIT].into_iter().find(|&threshold| set(libc::M_MMAP_THRESHOLD, threshold));
    set(libc::M_TRIM_THRESHOLD, i32::MAX as usize);
    set(libc::M_TOP_PAD, HEAP_PIECE);
    module::prepare_process();
    prepare_thread();
    Prepared { mmap_threshold }
}

/// Gives what the heap keeps and nobody uses back to the system. A process that works for months calls it now and
/// then, since memory that is kept is cut up more and more; it is asked for again within the next work, at the price
/// of a moment.
pub fn give_back_free_memory() {
    // SAFETY: it takes the reserve to leave and only gives back pages without anything on them.
    unsafe { libc::malloc_trim(0) };
}

/// Memory that small C++ objects of LibTorch have taken, in bytes; it is used again and again and never given back
/// (`cpp/pool.cpp`).
pub fn pool_bytes() -> usize {
    module::pool_bytes()
}

/// Settings of one thread; every thread that evaluates or trains calls it first. ([`prepare`] did it for
/// the main thread, and the evaluators and trainers of this crate do it for the threads they run on.)
pub fn prepare_thread() {
    module::prepare_thread();
}

/// Processor time of this thread in seconds: what other processes take away does not count.
pub fn thread_seconds() -> f64 {
    clock_seconds(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// Processor time of all threads of this process in seconds.
pub fn process_seconds() -> f64 {
    clock_seconds(libc::CLOCK_PROCESS_CPUTIME_ID)
}

fn clock_seconds(clock: libc::clockid_t) -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is valid for the call; a clock that does not exist leaves zeros.
    unsafe { libc::clock_gettime(clock, &raw mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// The version of tch that this crate is built on; the top `Cargo.toml` pins it.
pub const TCH: &str = "0.24.0";

/// What LibTorch says of itself in this process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LibTorch {
    /// Version of the headers that this program was compiled with.
    pub headers: String,
    /// Version of the library that was loaded.
    pub version: String,
    /// The file it was loaded from.
    pub path: String,
    /// Instruction set that its own kernels use, for example `AVX512`.
    pub capability: String,
    /// Threads that one operation uses.
    pub threads: usize,
}

impl LibTorch {
    /// The one that was loaded.
    pub fn here() -> LibTorch {
        let text = module::describe();
        let mut lines = text.lines();
        let mut next = || lines.next().unwrap_or_default().to_owned();
        let (headers, path, capability, threads) = (next(), next(), next(), next());
        // The library's own version stands among its build settings.
        let version =
            text.split("TORCH_VERSION=").nth(1).and_then(|rest| rest.split([',', ' ', '\n']).next());
        LibTorch {
            headers,
            version: version.unwrap_or_default().to_owned(),
            path,
            capability,
            threads: threads.parse().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_those_that_are_pinned() {
        let manifest = include_str!("../../../Cargo.toml");
        assert!(manifest.contains(&format!("tch = \"={TCH}\"")));
        prepare();
        let library = LibTorch::here();
        assert_eq!((library.headers.as_str(), library.version.as_str()), ("2.11.0", "2.11.0"), "{library:?}");
        assert!(library.path.contains("libtorch") && !library.capability.is_empty(), "{library:?}");
        assert_eq!(library.threads, 1);
    }
}
