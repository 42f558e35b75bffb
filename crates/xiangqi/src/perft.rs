//! Counting legal moves to a depth, on the board alone.

use crate::board::Board;

impl Board {
    /// Number of sequences of `depth` legal moves; 1 at depth 0. The judge is not asked.
    pub fn perft(&self, depth: u32) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
        {
            // SAFETY: the processor has just been found to have these instructions.
            return unsafe { perft_with_bit_instructions(self, depth) };
        }
        perft(self, depth)
    }
}

fn perft(board: &Board, depth: u32) -> u64 {
    count(board, depth, perft)
}

/// The same, compiled for instructions that count and find bits: `rules bench` shows what they bring,
/// since the baseline of the architecture has none and moves at the last depth are counted by bits.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,bmi1,bmi2,lzcnt")]
fn perft_with_bit_instructions(board: &Board, depth: u32) -> u64 {
    count(board, depth, |next, depth| perft_with_bit_instructions(next, depth))
}

/// One level; `deeper` counts those below.
#[inline(always)]
fn count(board: &Board, depth: u32, deeper: impl Fn(&Board, u32) -> u64) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(board.count_steps()),
        _ => {
            let mut nodes = 0;
            board.any_step(|step| {
                let mut next = *board;
                next.play(step);
                nodes += deeper(&next, depth - 1);
                false
            });
            nodes
        }
    }
}
