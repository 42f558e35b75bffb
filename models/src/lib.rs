//! The files of `crates/` in which threads meet, compiled with loom's locks in place of the standard library's.
//!
//! With the feature `broken` one of the faults of `broken.txt` is in them, and models must fail.

// There is nothing here but tests.
#![cfg(test)]

#[cfg(not(feature = "broken"))]
#[path = "../../crates/engine/src/control.rs"]
mod control;
#[cfg(not(feature = "broken"))]
#[path = "../../crates/selfplay/src/handover.rs"]
mod handover;
mod sync;

#[cfg(feature = "broken")]
mod control {
    include!(concat!(env!("OUT_DIR"), "/control.rs"));
}
#[cfg(feature = "broken")]
mod handover {
    include!(concat!(env!("OUT_DIR"), "/handover.rs"));
}

mod control_models;
mod handover_models;

/// Tries all orders; at most three changes of thread that none of the threads asks for, which bounds the time.
fn model(work: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(work);
}
