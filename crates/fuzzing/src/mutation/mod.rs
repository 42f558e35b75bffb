//! Inputs made from other inputs: bytes changed, or values of JSON where there is some (`json.rs`).

mod json;

use rand::Rng;
use rand::seq::IndexedRandom;

/// Longest input that is made, where the one that it is made of is not longer itself.
const LONGEST: usize = 4096;

/// Pieces of text that are often where it matters, and seldom what belongs there.
const WORDS: [&str; 24] = [
    "",
    " ",
    "/",
    "-",
    "+",
    "(",
    ")",
    "\n",
    "\t",
    "0",
    "1",
    "12",
    "-1",
    "256",
    "65536",
    "4294967296",
    "99999999999999999999",
    "+C",
    "()",
    "turn:",
    "points:",
    "é",
    "\u{202e}",
    "{\"",
];

/// A new input: some corpus input, changed in one to four ways. `corpus` must not be empty.
pub fn mutate(corpus: &[Vec<u8>], random: &mut impl Rng) -> Vec<u8> {
    let mut input = corpus.choose(random).cloned().unwrap_or_default();
    let longest = input.len().max(LONGEST);
    for _ in 0..random.random_range(1..=4) {
        change(&mut input, corpus, random);
    }
    input.truncate(longest);
    input
}

/// A new input of a target that reads JSON: every second one is still JSON, with one to three values changed.
pub fn mutate_json(corpus: &[Vec<u8>], random: &mut impl Rng) -> Vec<u8> {
    if random.random() {
        return mutate(corpus, random);
    }
    let mut input = corpus.choose(random).cloned().unwrap_or_default();
    for _ in 0..random.random_range(1..=3) {
        input = json::change(&input, random).unwrap_or(input);
    }
    input
}

fn change(input: &mut Vec<u8>, corpus: &[Vec<u8>], random: &mut impl Rng) {
    let place = random.random_range(0..=input.len());
    let end = input.len().min(place + random.random_range(1..=16));
    let other = corpus.choose(random).map_or(&[][..], Vec::as_slice);
    match random.random_range(0..8) {
        0 if place < input.len() => input[place] = random.random(),
        1 if place < input.len() => input[place] ^= 1 << random.random_range(0..8),
        // A byte that stands somewhere else.
        2 if place < input.len() => input[place] = input[random.random_range(0..input.len())],
        3 => drop(input.drain(place..end)),
        4 => {
            let copy = input[place..end].to_vec();
            let to = random.random_range(0..=input.len());
            input.splice(to..to, copy);
        }
        5 => {
            let word = WORDS.choose(random).map_or("", |word| word);
            input.splice(place..end.min(place + 1), word.bytes());
        }
        // The beginning of this one and the end of another.
        6 => {
            input.truncate(place);
            input.extend_from_slice(&other[random.random_range(0..=other.len())..]);
        }
        _ => {
            let from = random.random_range(0..=other.len());
            let to = other.len().min(from + random.random_range(1..=16));
            input.splice(place..end, other[from..to].iter().copied());
        }
    }
}
