//! What threads synchronise with. `models/` compiles `handover.rs` with loom's in their place.

pub(crate) use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
