//! The search: negamax over the stones of the side to move and of both.

use super::table::{Bound, Table};
use super::{STONES_EACH, completing, playable};
use crate::board::{BOTTOM, COLUMNS, FILE, SQUARES, mirror};

/// Positions with fewer stones share their table entry with their mirror image: there it saves half
/// of the work, and mirroring costs more than it saves where most positions are.
const MIRRORED_BELOW: u32 = 14;

/// Below this number of stones the table is asked about all steps before the first one is searched,
/// which saves an eighth of the positions; above it the asking takes longer.
const LOOK_AHEAD_BELOW: u32 = 30;

#[derive(Debug)]
pub(super) struct Search {
    table: Table,
    pub nodes: u64,
}

/// A landing point to try, and how many threats there are after it.
#[derive(Clone, Copy)]
struct Candidate {
    point: u64,
    threats: u32,
}

impl Search {
    pub fn new(slots: usize) -> Search {
        Search { table: Table::new(slots), nodes: 0 }
    }

    /// The score for the side to move if it is between `alpha` and `beta`, else a bound on that side.
    /// The game has not ended, and the side to move cannot win at once.
    pub fn run(&mut self, own: u64, stones: u64, mut alpha: i32, mut beta: i32) -> i32 {
        self.nodes += 1;
        let count = stones.count_ones();
        let enemy = own ^ stones;
        let enemy_wins = completing(enemy, stones);
        let mut open = playable(stones);
        let must_block = open & enemy_wins;
        if must_block != 0 {
            if must_block & (must_block - 1) != 0 {
                return -enemy_wins_next(count);
            }
            open = must_block;
        }
        // A stone below a point where the enemy wins hands him the point.
        open &= !(enemy_wins >> 1);
        if open == 0 {
            // Either no file is open, or every stone loses at once.
            return if count == SQUARES as u32 { 0 } else { -enemy_wins_next(count) };
        }
        if count + 2 >= SQUARES as u32 {
            return 0;
        }
        // Neither side can win with its next stone, so no win is nearer than with the one after it.
        let least = -(STONES_EACH - 1 - (count as i32 + 1) / 2);
        let most = STONES_EACH - 1 - count as i32 / 2;
        if least >= beta {
            return least;
        }
        if most <= alpha {
            return most;
        }
        alpha = alpha.max(least);
        beta = beta.min(most);
        let key = table_key(own, stones, count);
        match self.table.find(key) {
            Some(Bound::Lower(score)) if score >= beta => return score,
            Some(Bound::Upper(score)) if score <= alpha => return score,
            Some(Bound::Lower(score)) => alpha = alpha.max(score),
            Some(Bound::Upper(score)) => beta = beta.min(score),
            None => {}
        }
        let (candidates, number) = in_order(open, own, stones);
        if count < LOOK_AHEAD_BELOW {
            for candidate in &candidates[..number] {
                let after = stones | candidate.point;
                if let Some(Bound::Upper(score)) = self.table.find(table_key(enemy, after, count + 1))
                    && -score >= beta
                {
                    self.table.store(key, Bound::Lower(-score));
                    return -score;
                }
            }
        }
        for candidate in &candidates[..number] {
            let value = -self.run(enemy, stones | candidate.point, -beta, -alpha);
            if value >= beta {
                self.table.store(key, Bound::Lower(value));
                return value;
            }
            alpha = alpha.max(value);
        }
        self.table.store(key, Bound::Upper(alpha));
        alpha
    }
}

/// What the enemy's win with the next stone but one is worth to him, `count` stones being there.
const fn enemy_wins_next(count: u32) -> i32 {
    STONES_EACH - (count as i32 + 1) / 2
}

/// The landing points, those with most threats first, among equals those nearer to the middle.
fn in_order(open: u64, own: u64, stones: u64) -> ([Candidate; COLUMNS], usize) {
    const FROM_THE_MIDDLE: [u32; COLUMNS] = [3, 2, 4, 1, 5, 0, 6];
    let mut candidates = [Candidate { point: 0, threats: 0 }; COLUMNS];
    let mut number = 0;
    for file in FROM_THE_MIDDLE {
        let point = open & (((1 << FILE) - 1) << (file * FILE));
        if point == 0 {
            continue;
        }
        let threats = completing(own | point, stones | point).count_ones();
        let mut place = number;
        while place > 0 && candidates[place - 1].threats < threats {
            candidates[place] = candidates[place - 1];
            place -= 1;
        }
        candidates[place] = Candidate { point, threats };
        number += 1;
    }
    (candidates, number)
}

/// The position's own number, or its mirror image's where that is smaller and shared.
#[inline]
fn table_key(own: u64, stones: u64, count: u32) -> u64 {
    let number = own + stones + BOTTOM;
    if count >= MIRRORED_BELOW { number } else { number.min(mirror(own) + mirror(stones) + BOTTOM) }
}
