//! The game object: rules and their board.

use crate::board::Board;
use crate::rules::Rules;

/// Emergo under fixed rules.
#[derive(Clone, Debug)]
pub struct Emergo {
    pub(crate) rules: Rules,
    pub(crate) board: Board,
}

impl Emergo {
    /// The game under these rules.
    ///
    /// # Errors
    /// `max_turns` is 0: no game could begin.
    pub fn new(rules: Rules) -> Result<Emergo, String> {
        if rules.max_turns == 0 {
            return Err("max_turns is 0, expected at least 1".to_owned());
        }
        Ok(Emergo { rules, board: rules.board.board() })
    }
}
