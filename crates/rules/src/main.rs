//! The `rules` binary.
fn main() {}
