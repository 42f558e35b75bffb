//! A sequential test of pairs that finish in any order.

use super::hypotheses::Hypotheses;
use super::test::{Overshoot, SequentialTest, Verdict};
use std::collections::BTreeMap;

/// A sequential test that counts pairs in the order of their numbers, from 0, whatever order they finish in.
#[derive(Clone, Debug)]
pub struct OrderedTest {
    test: SequentialTest,
    /// The number of the pair that comes next.
    next: u64,
    /// Pairs that finished before an earlier one, by their halves of a point.
    waiting: BTreeMap<u64, usize>,
}

impl OrderedTest {
    /// A test before its first pair.
    pub fn new(hypotheses: Hypotheses, overshoot: Overshoot) -> OrderedTest {
        OrderedTest { test: SequentialTest::new(hypotheses, overshoot), next: 0, waiting: BTreeMap::new() }
    }

    /// Enters a finished pair by its number and its halves of a point, 0 to 4.
    pub fn add(&mut self, number: u64, half_points: usize) -> Verdict {
        self.waiting.insert(number, half_points);
        while let Some(half_points) = self.waiting.remove(&self.next) {
            self.test.add(half_points);
            self.next += 1;
        }
        self.test.verdict()
    }

    /// What has been counted so far.
    pub const fn test(&self) -> &SequentialTest {
        &self.test
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequential::Scale;

    #[test]
    fn pairs_count_in_the_order_of_their_numbers() {
        let hypotheses = Hypotheses { scale: Scale::Elo, elo0: 0.0, elo1: 50.0, alpha: 0.1, beta: 0.1 };
        let results = [4, 3, 0, 2, 4, 1, 3, 4];
        let mut straight = SequentialTest::new(hypotheses, Overshoot::Ignored);
        let mut ordered = OrderedTest::new(hypotheses, Overshoot::Ignored);
        for number in [3, 1, 0, 2, 7, 6, 5] {
            ordered.add(number, results[number as usize]);
        }
        for half_points in &results[..4] {
            straight.add(*half_points);
        }
        assert_eq!(ordered.test().pairs(), straight.pairs(), "what comes after a gap waits");
        ordered.add(4, results[4]);
        for half_points in &results[4..] {
            straight.add(*half_points);
        }
        assert_eq!(ordered.test().pairs(), straight.pairs());
        assert_eq!(ordered.test().log_likelihood_ratio(), straight.log_likelihood_ratio());
    }
}
