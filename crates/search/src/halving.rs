//! The schedule of sequential halving.

/// How sequential halving spreads simulations over considered steps (Danihelka et al. 2022,
/// Algorithm 2): ⌈log₂ m⌉ phases, each giving every step still considered the same number of
/// visits, at least one; after each phase the better half stays, never fewer than two.
///
/// The iterator yields, for each simulation, how many visits of this schedule the step to be visited
/// must have had so far: the search takes the best-scoring step among those with exactly that many.
/// What is left after the last phase goes on in rounds over the last two.
#[derive(Clone, Copy, Debug, Default)]
pub struct Halving {
    simulations: u32,
    simulations_left: u32,
    phases: u32,
    considered: u32,
    next_considered: u32,
    rounds_left: u32,
    left_in_round: u32,
    next_level: u32,
}

impl Halving {
    /// The schedule for `considered` steps and a number of simulations.
    pub fn new(considered: u32, simulations: u32) -> Halving {
        Halving {
            simulations,
            simulations_left: simulations,
            phases: considered.max(1).next_power_of_two().trailing_zeros().max(1),
            considered: 0,
            next_considered: considered.max(1),
            rounds_left: 0,
            left_in_round: 0,
            next_level: 0,
        }
    }

    /// Whether the next simulation is the first of a phase, before which the steps are compared.
    pub fn begins_phase(&self) -> bool {
        self.left_in_round == 0 && self.rounds_left == 0
    }
}

impl Iterator for Halving {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        self.simulations_left = self.simulations_left.checked_sub(1)?;
        if self.left_in_round == 0 {
            if self.rounds_left == 0 {
                self.considered = self.next_considered;
                self.next_considered = if self.considered == 1 { 1 } else { (self.considered / 2).max(2) };
                self.rounds_left = (self.simulations / (self.phases * self.considered)).max(1);
            }
            self.rounds_left -= 1;
            self.left_in_round = self.considered;
            self.next_level += 1;
        }
        self.left_in_round -= 1;
        Some(self.next_level - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Run lengths of the schedule: how many simulations at each level.
    fn rounds(considered: u32, simulations: u32) -> Vec<u32> {
        let mut rounds = Vec::new();
        for level in Halving::new(considered, simulations) {
            if level as usize == rounds.len() {
                rounds.push(0);
            }
            assert_eq!(level as usize, rounds.len() - 1, "levels never go back");
            rounds[level as usize] += 1;
        }
        rounds
    }

    #[test]
    fn schedules_are_those_of_the_paper() {
        // (m, n, visits a round), worked out by hand from Algorithm 2.
        let cases: [(u32, u32, &[u32]); 11] = [
            (1, 3, &[1, 1, 1]),
            (2, 1, &[1]),
            (2, 5, &[2, 2, 1]),
            (3, 8, &[3, 2, 2, 1]),
            (4, 4, &[4]),
            (4, 8, &[4, 2, 2]),
            (4, 16, &[4, 4, 2, 2, 2, 2]),
            (8, 24, &[8, 4, 4, 2, 2, 2, 2]),
            (16, 2, &[2]),
            (16, 16, &[16]),
            (16, 32, &[16, 8, 4, 4]),
        ];
        for (considered, simulations, expected) in cases {
            assert_eq!(rounds(considered, simulations), expected, "m {considered}, n {simulations}");
        }
        // n = 200, m = 16: 3 rounds of 16, 6 of 8, 12 of 4 and the rest to the last two.
        let long = rounds(16, 200);
        assert_eq!(long[..3], [16; 3]);
        assert_eq!(long[3..9], [8; 6]);
        assert_eq!(long[9..21], [4; 12]);
        assert_eq!(long[21..], [2; 28]);
        assert_eq!(long.iter().sum::<u32>(), 200);
    }
}
