//! How far the searches are that a board has asked for: it is heard on one thread while another thinks.
//!
//! `scripts/check-models` tries all orders in which the two can meet: no `stop` is lost, whatever it comes
//! before, and a search that waits for one ends.

use crate::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Shared by who hears the board and who thinks. Each `go` has a number, from 1.
pub(crate) struct Control {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Number of the last `go` that was heard.
    asked: u64,
    /// Searches up to this one are to stop.
    stopped: u64,
    /// Searches up to this one are done.
    done: u64,
    /// No more lines will come.
    closed: bool,
}

impl Control {
    /// Nothing was asked for.
    pub fn new() -> Control {
        Control { state: Mutex::new(State::default()), changed: Condvar::new() }
    }

    /// A thread that panicked while it held the lock ends the process anyway.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    /// A search was asked for.
    pub fn asked(&self) {
        self.change(|state| state.asked += 1);
    }

    /// All searches that were asked for so far are to stop.
    pub fn stop(&self) {
        self.change(|state| state.stopped = state.asked);
    }

    /// All searches are to stop, also those that are asked for later.
    pub fn stop_for_good(&self) {
        self.change(|state| state.stopped = u64::MAX);
    }

    /// No more lines will come.
    pub fn close(&self) {
        self.change(|state| state.closed = true);
    }

    /// Whether a search that was asked for is not done.
    pub fn is_thinking(&self) -> bool {
        let state = self.lock();
        state.asked > state.done
    }

    /// Number of the search that is done next.
    pub fn next(&self) -> u64 {
        self.lock().done + 1
    }

    /// Whether a search is to stop; one that is `endless` also when nobody can tell it to any more.
    pub fn is_stopped(&self, search: u64, endless: bool) -> bool {
        let state = self.lock();
        state.stopped >= search || (endless && state.closed)
    }

    /// Waits until an endless search is to stop.
    pub fn wait_for_stop(&self, search: u64) {
        let mut state = self.lock();
        while state.stopped < search && !state.closed {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A search is done.
    pub fn done(&self, search: u64) {
        self.change(|state| state.done = search);
    }
}
