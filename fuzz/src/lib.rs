//! What the programs of `fuzz_targets` share.

/// Tries an input on the target with this name.
pub fn run(name: &str, data: &[u8]) {
    // Every program has the name of a target: the tests of `fuzzing` compare them.
    let target = fuzzing::target::find(name).expect("a target of this name");
    (target.run)(data);
}
