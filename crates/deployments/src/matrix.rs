//! The games of the survivors with each other, and the mixture that they come to.

use crate::config::Config;
use crate::generate::Candidate;
use crate::session::Session;
use crate::study::StudyError;
use crate::table::Seat;
use game::random::{Purpose, stream};
use statistics::equilibrium::{Answer, Belief, Cell, Payoffs, next_pairs};
use std::collections::BTreeMap;

/// The matrix of a study under way.
pub(crate) struct Matrix {
    pub set_ups: Vec<Candidate>,
    pub payoffs: Payoffs,
    /// Games of each cell above the diagonal that were void.
    pub void: BTreeMap<(usize, usize), u64>,
    /// Times that the belief has been looked at: each has a stream of its own.
    looks: u64,
}

impl Matrix {
    /// A matrix in which nothing has been played.
    pub fn new(session: &Session<'_>, set_ups: Vec<Candidate>) -> Matrix {
        let mut matrix =
            Matrix { set_ups: Vec::new(), payoffs: Payoffs::symmetric(0), void: BTreeMap::new(), looks: 0 };
        for set_up in set_ups {
            matrix.add(session, set_up);
        }
        matrix
    }

    /// Adds a set-up. Cells whose games are all void are known: both sides redeploy, and a game begun afresh is
    /// worth ½ to either.
    pub fn add(&mut self, session: &Session<'_>, set_up: Candidate) {
        self.payoffs = self.payoffs.with_one_more();
        let column = self.set_ups.len();
        for (row, other) in self.set_ups.iter().enumerate() {
            if session.void(&[other.deployment.clone(), set_up.deployment.clone()]) {
                self.payoffs.know(row, column, 0.5);
            }
        }
        self.set_ups.push(set_up);
    }

    /// Plays until every cell has the least number of pairs, then where pairs tell most, until no reply within
    /// the matrix gains more than ε or the pairs of a round are used up; the answer.
    pub fn fill(&mut self, session: &mut Session<'_>, config: &Config) -> Result<Answer, StudyError> {
        let seat = Seat { player: 0, simulations: config.matrix.simulations };
        let least = u64::from(config.matrix.least_pairs);
        let mut wanted = Vec::new();
        for (row, column) in self.payoffs.independent().collect::<Vec<_>>() {
            if let Cell::Played(pairs) = self.payoffs.cell(row, column) {
                wanted.extend((pairs.pairs()..least).map(|_| (row, column)));
            }
        }
        let begun = session.asked;
        wanted.truncate(session.left() as usize);
        self.play(session, seat, &wanted)?;
        loop {
            let answer = self.answer(config)?;
            let used = session.asked - begun;
            let left = u64::from(config.matrix.pairs).saturating_sub(used).min(session.left());
            (session.say)(&format!(
                "matrix of {}: {} pairs, a reply within it gains at most {:.3} ({:.0} %)",
                self.set_ups.len(),
                self.payoffs.pairs(),
                answer.exploitability_bound,
                100.0 * config.stop.confidence,
            ));
            if left == 0 || answer.exploitability_bound <= config.stop.epsilon {
                return Ok(answer);
            }
            let mut random = stream(config.seed, Purpose::Sampling, &[3, self.looks]);
            let number = u64::from(config.matrix.batch).min(left) as usize;
            let chosen = next_pairs(&self.payoffs, number, &mut random);
            if chosen.is_empty() {
                return Ok(answer);
            }
            self.play(session, seat, &chosen)?;
        }
    }

    fn answer(&mut self, config: &Config) -> Result<Answer, StudyError> {
        self.looks += 1;
        let mut random = stream(config.seed, Purpose::Statistics, &[3, self.looks]);
        Answer::new(&Belief::of(&self.payoffs), config.stop.confidence, &mut random)
            .ok_or(StudyError::NoEquilibrium)
    }

    fn play(
        &mut self,
        session: &mut Session<'_>,
        seat: Seat,
        cells: &[(usize, usize)],
    ) -> Result<(), StudyError> {
        let sides = cells
            .iter()
            .map(|&(row, column)| [row, column].map(|one: usize| self.set_ups[one].deployment.clone()))
            .collect();
        let pairs = session.play(seat, sides)?;
        for (&(row, column), pair) in cells.iter().zip(&pairs) {
            self.payoffs.add(row, column, pair.half_points());
            *self.void.entry((row, column)).or_default() +=
                pair.games.iter().filter(|game| game.is_void()).count() as u64;
        }
        Ok(())
    }
}
