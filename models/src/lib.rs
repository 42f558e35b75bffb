//! The files of `crates/` in which threads meet, compiled with loom's locks in place of the standard library's.

#[path = "../../crates/engine/src/control.rs"]
mod control;
#[path = "../../crates/selfplay/src/handover.rs"]
mod handover;
mod sync;

#[cfg(test)]
mod control_models;
#[cfg(test)]
mod handover_models;

/// Tries all orders; at most three changes of thread that none of the threads asks for, which bounds the time.
#[cfg(test)]
fn model(work: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(work);
}
