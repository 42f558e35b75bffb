//! Counting legal moves to a depth, on the board alone.

use crate::board::Board;

impl Board {
    /// Number of sequences of `depth` legal moves; 1 at depth 0. The judge is not asked.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => u64::from(self.count_steps()),
            _ => {
                let mut nodes = 0;
                self.any_step(|step| {
                    let mut next = *self;
                    next.play(step);
                    nodes += next.perft(depth - 1);
                    false
                });
                nodes
            }
        }
    }
}
