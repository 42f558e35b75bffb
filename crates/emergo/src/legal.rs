//! What is legal: steps listed, counted, or merely found to exist.

use crate::captures::{Chains, Jumpers};
use crate::direction::Direction;
use crate::emergo::Emergo;
use crate::position::Position;
use crate::rules::Majority;
use crate::square::{Square, squares};
use crate::step::Step;

impl Emergo {
    /// Replaces `steps` by the legal steps, by square and then by direction.
    #[inline]
    pub(crate) fn list_steps(&self, position: &Position, steps: &mut Vec<Step>) {
        steps.clear();
        if self.out_of_turns(position) {
            return;
        }
        let jumpers = self.jumpers(position);
        if !jumpers.is_empty() {
            self.list_jumps(position, jumpers, steps);
        } else if position.own_hand() > 0 {
            let entries = self.entries(position);
            // Filling in places that are there is much faster than adding to the end.
            steps.resize(entries.count_ones() as usize, Step::Enter { square: self.board.centre });
            for (step, square) in steps.iter_mut().zip(squares(entries)) {
                *step = Step::Enter { square };
            }
        } else {
            let all = self.board.all;
            let sets = Direction::ALL.map(|direction| position.steppers(all, direction));
            for from in squares(sets[0] | sets[1] | sets[2] | sets[3]) {
                for direction in Direction::ALL {
                    if sets[direction as usize] & from.bit() != 0 {
                        steps.push(Step::Move { from, direction });
                    }
                }
            }
        }
    }

    fn list_jumps(&self, position: &Position, jumpers: Jumpers, steps: &mut Vec<Step>) {
        // A single jump is the longest whatever comes after it.
        let compare = self.rules.majority == Majority::On && jumpers.several();
        let mut walk = self.walk(position);
        let mut longest = 0;
        for (from, direction) in jumpers.jumps() {
            if compare {
                let length = walk.first_jump(from, direction).longest;
                if length < longest {
                    continue;
                }
                if length > longest {
                    longest = length;
                    steps.clear();
                }
            }
            steps.push(Step::Jump { from, direction });
        }
    }

    /// Number of legal steps.
    #[inline]
    pub(crate) fn number_of_steps(&self, position: &Position) -> usize {
        if self.out_of_turns(position) {
            return 0;
        }
        let jumpers = self.jumpers(position);
        if jumpers.is_empty() {
            return self.quiet_turns(position) as usize;
        }
        if self.rules.majority == Majority::Off || !jumpers.several() {
            return jumpers.count() as usize;
        }
        let mut walk = self.walk(position);
        let (mut longest, mut count) = (0, 0);
        for (from, direction) in jumpers.jumps() {
            let length = walk.first_jump(from, direction).longest;
            if length > longest {
                (longest, count) = (length, 0);
            }
            count += usize::from(length == longest);
        }
        count
    }

    /// Number of legal turns, each way of capturing counted; in the middle of a turn the ways to end it.
    #[inline]
    pub(crate) fn number_of_turns(&self, position: &Position) -> u64 {
        if self.out_of_turns(position) {
            return 0;
        }
        let jumpers = self.jumpers(position);
        if jumpers.is_empty() { self.quiet_turns(position) } else { self.chains(position, jumpers).ways }
    }

    /// The best chains of all jumpers together.
    fn chains(&self, position: &Position, jumpers: Jumpers) -> Chains {
        let mut walk = self.walk(position);
        let mut best: Option<Chains> = None;
        for (from, direction) in jumpers.jumps() {
            let chains = walk.first_jump(from, direction);
            best = Some(best.map_or(chains, |best| walk.better(best, chains)));
        }
        best.unwrap_or(Chains { longest: 0, ways: 0 })
    }

    /// Whether the mover has a turn, the longest game left aside.
    #[inline]
    pub(crate) fn has_turn(&self, position: &Position) -> bool {
        if !self.jumpers(position).is_empty() {
            return true;
        }
        if position.own_hand() > 0 {
            return self.entries(position) != 0;
        }
        let steps = |direction| position.steppers(self.board.all, direction);
        Direction::ALL.into_iter().any(|direction| steps(direction) != 0)
    }

    /// The mover's columns that can capture, each with the jumps of its longest capture; in the middle of
    /// a turn the capturing column with what is left.
    pub(crate) fn reaches(&self, position: &Position) -> impl Iterator<Item = (Square, u32)> + use<> {
        let jumpers = self.jumpers(position);
        let mut walk = self.walk(position);
        squares(jumpers.squares()).map(move |from| {
            let lengths = jumpers.directions(from).map(|direction| walk.first_jump(from, direction).longest);
            (from, lengths.fold(0, u32::max))
        })
    }

    /// Whether the game has reached its longest length; never in the middle of a turn.
    #[inline(always)]
    pub(crate) const fn out_of_turns(&self, position: &Position) -> bool {
        position.ply >= self.rules.max_turns && !position.capture.under_way()
    }

    /// Number of entries or steps, there being no capture.
    #[inline(always)]
    fn quiet_turns(&self, position: &Position) -> u64 {
        if position.own_hand() > 0 {
            return u64::from(self.entries(position).count_ones());
        }
        let steps = |direction| position.steppers(self.board.all, direction).count_ones();
        Direction::ALL.into_iter().map(steps).map(u64::from).sum()
    }
}
