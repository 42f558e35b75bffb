//! The judge of repeated attacks, for programs that know a game by name only.

use crate::rules_session::{RulesError, read};
use game::{BoardGame, Fault, Judged};

/// A game that may have a judge; every game is one.
pub trait JudgeSession {
    /// What the judge says of the turns `moves` (written as the game writes them, with blank space
    /// between) from a position, `None` standing for the start.
    ///
    /// # Errors
    /// Games without a judge, positions that are none, turns that are not legal.
    fn judge(&self, position: Option<&str>, moves: &str) -> Result<Judged, JudgeError>;
}

/// Why the judge has nothing to say.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JudgeError {
    /// The game has no judge.
    #[error("{0} has no judge of repeated attacks")]
    NoJudge(&'static str),
    /// The position is none.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// A turn is not legal.
    #[error("{0}")]
    Turn(Fault),
}

impl<G: BoardGame> JudgeSession for G {
    fn judge(&self, position: Option<&str>, moves: &str) -> Result<Judged, JudgeError> {
        let start = read(self, position)?;
        let turns: Vec<&str> = moves.split_whitespace().collect();
        match game::Notation::judge(self, &start, &turns) {
            None => Err(JudgeError::NoJudge(G::NAME)),
            Some(judged) => judged.map_err(JudgeError::Turn),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_without_a_judge_are_refused_by_name() {
        let error = JudgeSession::judge(&connect4::ConnectFour::new(), None, "a b").unwrap_err();
        assert_eq!(error.to_string(), "connect4 has no judge of repeated attacks");
    }
}
