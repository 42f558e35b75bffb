//! What an evaluator said of positions it has already seen.

use crate::Judgement;

/// Evaluation cache with a bounded memory, keyed by
/// [`evaluation_key`](game::Encoding::evaluation_key).
///
/// Entries are verified by all 64 bits of the key and by the number of steps. Logits are kept
/// exactly, so that a search finds the same numbers with and without a cache. Logits stand in a ring
/// that overwrites the oldest ones; an index of two-way sets says where.
#[derive(Clone, Debug)]
pub struct EvaluationCache {
    /// Two-way sets; a power of two of them, or none.
    sets: Vec<[Entry; 2]>,
    /// The ring.
    logits: Vec<f32>,
    /// Numbers written to the ring since the last [`EvaluationCache::clear`], gaps at its end
    /// included. An entry is alive while its place is at most one ring behind.
    written: u64,
    hits: u64,
    misses: u64,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    /// Value of `written` where its logits start.
    place: u64,
    /// Number of logits; `EMPTY` marks an entry that was never used.
    steps: u32,
    judgement: Judgement,
}

const EMPTY: u32 = u32::MAX;

impl Entry {
    fn unused() -> Entry {
        Entry { key: 0, place: 0, steps: EMPTY, judgement: Judgement::default() }
    }
}

/// Logits that an entry is expected to have, for sharing the memory between index and ring.
const EXPECTED_STEPS: usize = 40;

impl EvaluationCache {
    /// A cache of at most `bytes`; with too few for a single entry it keeps nothing.
    pub fn new(bytes: usize) -> EvaluationCache {
        let entry = 2 * size_of::<Entry>() + EXPECTED_STEPS * size_of::<f32>();
        let sets = match bytes / entry {
            0 => 0,
            count => 1 << count.ilog2(),
        };
        let index = sets * size_of::<[Entry; 2]>();
        let ring = if sets == 0 { 0 } else { (bytes - index) / size_of::<f32>() };
        EvaluationCache {
            sets: vec![[Entry::unused(); 2]; sets],
            logits: vec![0.0; ring],
            written: 0,
            hits: 0,
            misses: 0,
        }
    }

    /// The answer for a key, if it is known for a position with `steps` legal steps.
    pub fn get(&mut self, key: u64, steps: usize) -> Option<(&[f32], Judgement)> {
        let found = self.set_of(key).and_then(|set| {
            self.sets[set]
                .iter()
                .find(|entry| entry.key == key && entry.steps as usize == steps && self.alive(entry))
                .map(|entry| (entry.place, entry.judgement))
        });
        match found {
            Some((place, judgement)) => {
                self.hits += 1;
                let start = (place % self.logits.len() as u64) as usize;
                Some((&self.logits[start..start + steps], judgement))
            }
            None => {
                self.misses += 1;
                None
            }
        }
    }

    /// Keeps an answer, in place of an older one.
    pub fn insert(&mut self, key: u64, logits: &[f32], judgement: Judgement) {
        let ring = self.logits.len();
        let Some(set) = self.set_of(key) else { return };
        if logits.len() > ring || logits.len() >= EMPTY as usize {
            return;
        }
        let mut start = (self.written % ring as u64) as usize;
        if start + logits.len() > ring {
            self.written += (ring - start) as u64;
            start = 0;
        }
        let entry = Entry { key, place: self.written, steps: logits.len() as u32, judgement };
        self.logits[start..start + logits.len()].copy_from_slice(logits);
        self.written += logits.len() as u64;
        let [newer, older] = &mut self.sets[set];
        if newer.key != key {
            *older = *newer;
        }
        *newer = entry;
    }

    /// Forgets all answers: the evaluator has changed. The statistics stay.
    pub fn clear(&mut self) {
        self.sets.fill([Entry::unused(); 2]);
        self.written = 0;
    }

    /// How often [`EvaluationCache::get`] found an answer.
    pub fn hits(&self) -> u64 {
        self.hits
    }

    /// How often [`EvaluationCache::get`] found none.
    pub fn misses(&self) -> u64 {
        self.misses
    }

    /// Bytes that the cache holds.
    pub fn bytes(&self) -> usize {
        self.sets.len() * size_of::<[Entry; 2]>() + self.logits.len() * size_of::<f32>()
    }

    /// Of [`EvaluationCache::bytes`] those that nothing was written to since [`EvaluationCache::clear`]: the
    /// system gives memory only where something is written.
    pub fn unused_bytes(&self) -> usize {
        let unused = (self.logits.len() as u64).saturating_sub(self.written);
        unused as usize * size_of::<f32>()
    }

    fn set_of(&self, key: u64) -> Option<usize> {
        // The low bits are as good as any: keys are mixed in all 64.
        if self.sets.is_empty() { None } else { Some(key as usize & (self.sets.len() - 1)) }
    }

    fn alive(&self, entry: &Entry) -> bool {
        entry.steps != EMPTY && entry.place + self.logits.len() as u64 >= self.written
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{OfMover, Wdl};
    use std::collections::HashMap;

    fn judgement(key: u64) -> Judgement {
        Judgement { wdl: OfMover(Wdl::WIN), margin: OfMover(key as f32) }
    }

    fn logits(key: u64, steps: usize) -> Vec<f32> {
        (0..steps).map(|index| (key * 1000 + index as u64) as f32).collect()
    }

    #[test]
    fn answers_come_back_and_are_verified() {
        let mut cache = EvaluationCache::new(1 << 16);
        cache.insert(5, &logits(5, 3), judgement(5));
        assert_eq!(cache.get(5, 3), Some((&logits(5, 3)[..], judgement(5))));
        assert_eq!(cache.get(5, 4), None, "another number of steps is another position");
        assert_eq!(cache.get(5 | 1 << 60, 3), None, "same set, other key");
        assert_eq!((cache.hits(), cache.misses()), (1, 2));
        cache.clear();
        assert_eq!(cache.get(5, 3), None);
    }

    #[test]
    fn whatever_is_found_is_right_after_many_rounds_of_the_ring() {
        let mut cache = EvaluationCache::new(10_000);
        assert!(cache.bytes() <= 10_000);
        let mut random = game::random::stream(1, game::random::Purpose::Statistics, &[]);
        let mut truth = HashMap::new();
        let mut found = 0;
        for _ in 0..20_000 {
            let key = rand::Rng::random_range(&mut random, 0..200u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let steps = (key % 70) as usize;
            match cache.get(key, steps) {
                Some((logits, judgement)) => {
                    found += 1;
                    assert_eq!(truth.get(&key), Some(&(logits.to_vec(), judgement)));
                }
                None => {
                    let answer = (logits(key % 1000, steps), judgement(key % 1000));
                    cache.insert(key, &answer.0, answer.1);
                    truth.insert(key, answer);
                }
            }
        }
        assert!(found > 1000, "found only {found}");
        assert!(cache.written > 10 * cache.logits.len() as u64, "the ring was hardly used");
    }

    #[test]
    fn memory_is_taken_as_answers_come() {
        let mut cache = EvaluationCache::new(10_000);
        let whole = cache.unused_bytes();
        assert!(whole > 0 && whole < cache.bytes());
        cache.insert(1, &[0.0; 10], judgement(1));
        assert_eq!(cache.unused_bytes(), whole - 40);
        (0..1000).for_each(|key| cache.insert(key, &[0.0; 10], judgement(key)));
        assert_eq!(cache.unused_bytes(), 0);
    }

    #[test]
    fn no_memory_and_no_steps_are_fine() {
        let mut cache = EvaluationCache::new(0);
        cache.insert(1, &[1.0], judgement(1));
        assert_eq!(cache.get(1, 1), None);
        assert_eq!(cache.bytes(), 0);
        let mut cache = EvaluationCache::new(1 << 12);
        cache.insert(1, &[], judgement(1));
        assert_eq!(cache.get(1, 0), Some((&[][..], judgement(1))));
        cache.insert(2, &vec![0.0; 1 << 12], judgement(2));
        assert_eq!(cache.get(2, 1 << 12), None, "larger than the whole ring");
    }
}
