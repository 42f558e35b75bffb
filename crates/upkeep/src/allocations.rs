//! Counting allocations, and finding the largest one.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, counting what the calling thread asks for and how much at once. A test makes it its own with
/// `#[global_allocator] static COUNTING: Counting = Counting;`.
pub struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
    static LARGEST: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator unchanged; the counters are plain numbers of the
// calling thread and allocate nothing. What grows comes to `alloc` too: that is what the trait does by itself.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        LARGEST.set(LARGEST.get().max(layout.size()));
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

/// Bytes of the largest allocation of this thread during some work; 0 as [`of`] says.
pub fn largest<T>(work: impl FnOnce() -> T) -> usize {
    LARGEST.set(0);
    std::hint::black_box(work());
    LARGEST.get()
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
        assert_eq!(largest(|| vec![Box::new([0_u8; 10]), Box::new([0_u8; 10])]), 16);
        assert_eq!(largest(|| vec![0_u8; 1000]), 1000);
        let grown = largest(|| {
            (0..100_u64).fold(Vec::new(), |mut list, next| {
                list.push(next);
                list
            })
        });
        assert!((800..4096).contains(&grown), "{grown}");
    }
}
