//! What tests and generators of several crates share. Crates have it among their `dev-dependencies` only.
//!
//! [`allocations`] counts what a thread asks the allocator for, [`generated`] is the outside of a program
//! that makes a committed file anew.

pub mod allocations;
pub mod generated;
