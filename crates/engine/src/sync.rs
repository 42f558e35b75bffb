//! What threads synchronise with. `models/` compiles `control.rs` with loom's in their place.

pub(crate) use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
