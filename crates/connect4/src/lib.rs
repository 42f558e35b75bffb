//! Connect Four: the small, solved game that proves the learning loop.
//!
//! Seven files `a`–`g`, six rows; the players drop stones in turn, four in a row, column or diagonal
//! win, a full board is a draw. The rules page is `docs/rules/connect-four.md`.
//!
//! [`Position`] is a bitboard (open `board.rs` first), [`ConnectFour`] the game, [`Setup`] anything a
//! person may write down. The crate knows nothing of search or networks.

mod board;
mod encoding;
mod notation;
mod picture;
mod rules;
mod setup;

pub use board::{COLUMNS, Position, ROWS, SQUARES, Step};
pub use rules::{ConnectFour, Rules};
pub use setup::Setup;
