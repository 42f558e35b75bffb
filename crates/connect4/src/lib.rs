//! Connect Four: the small, solved game that proves the learning loop.
//!
//! Seven files `a`–`g`, six rows; the players drop stones in turn, four in a row, column or diagonal
//! win, a full board is a draw. The rules page is `docs/rules/connect-four.md`.
//!
//! [`Position`] is a bitboard (open `board.rs` first), [`ConnectFour`] the game, [`Setup`] anything a
//! person may write down; [`Solver`] knows the exact value of every position. The crate knows nothing
//! of networks, and nothing of the tree search over all games.

mod board;
mod encoding;
mod notation;
mod picture;
pub mod quiet;
mod rules;
mod setup;
pub mod solver;

pub use board::{COLUMNS, Position, ROWS, SQUARES, Step};
pub use rules::{ConnectFour, Rules};
pub use setup::Setup;
pub use solver::Solver;
