//! Trying a target with a corpus and its mutations.

use crate::mutation::{mutate, mutate_json};
use crate::target::{Grammar, Target};
use game::random::{Purpose, stream};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// An input that breaks a promise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Name of the target.
    pub target: &'static str,
    /// The input.
    pub input: Vec<u8>,
    /// What the target said.
    pub message: String,
}

/// Mutations of a corpus for one target, the same ones for the same seed.
#[derive(Debug)]
pub struct Campaign<'c> {
    target: Target,
    corpus: &'c [Vec<u8>],
    random: rand_chacha::ChaCha8Rng,
}

impl<'c> Campaign<'c> {
    /// A campaign that has not begun.
    pub fn new(target: Target, corpus: &'c [Vec<u8>], seed: u64) -> Campaign<'c> {
        let name = target.name.bytes().map(u64::from).collect::<Vec<_>>();
        Campaign { target, corpus, random: stream(seed, Purpose::Sampling, &name) }
    }

    /// Tries every input of the corpus as it is.
    ///
    /// # Errors
    /// The first input that breaks a promise.
    pub fn try_corpus(&self) -> Result<(), Finding> {
        self.corpus.iter().try_for_each(|input| attempt(self.target, input.clone()))
    }

    /// Tries one mutation.
    ///
    /// # Errors
    /// The mutation, if it breaks a promise.
    pub fn try_mutation(&mut self) -> Result<(), Finding> {
        let input = match self.target.grammar {
            Grammar::Bytes => mutate(self.corpus, &mut self.random),
            Grammar::Json => mutate_json(self.corpus, &mut self.random),
        };
        attempt(self.target, input)
    }
}

/// Tries an input.
fn attempt(target: Target, input: Vec<u8>) -> Result<(), Finding> {
    // Targets keep nothing between inputs but finished games.
    match catch_unwind(AssertUnwindSafe(|| (target.run)(&input))) {
        Ok(()) => Ok(()),
        Err(panic) => Err(Finding { target: target.name, input, message: words(&*panic) }),
    }
}

fn words(panic: &(dyn Any + Send)) -> String {
    if let Some(text) = panic.downcast_ref::<String>() {
        text.clone()
    } else if let Some(text) = panic.downcast_ref::<&str>() {
        (*text).to_owned()
    } else {
        "a panic without a message".to_owned()
    }
}
