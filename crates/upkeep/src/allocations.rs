//! Counting allocations.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, counting what the calling thread asks for. A test makes it its own with
/// `#[global_allocator] static COUNTING: Counting = Counting;`.
pub struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator unchanged; the counter is a plain number of the
// calling thread and allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller keeps the promises of `alloc`, which are the same there.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from the system's allocator with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Allocations of this thread during some work; always 0 where [`Counting`] is not the allocator, so a test
/// should also see it count.
pub fn of<T>(work: impl FnOnce() -> T) -> u64 {
    let before = ALLOCATIONS.get();
    std::hint::black_box(work());
    ALLOCATIONS.get() - before
}

#[cfg(test)]
mod tests {
    use super::*;

    #[global_allocator]
    static COUNTING: Counting = Counting;

    #[test]
    fn what_is_asked_for_is_counted() {
        assert_eq!(of(|| 1 + 1), 0);
        assert_eq!(of(|| Box::new(1)), 1);
        assert_eq!(of(|| vec![Box::new(1), Box::new(2)]), 3);
    }
}
