//! The `evaluate` binary.
fn main() {}
