//! HTML pages that open without a network: one file with its style, its script and its pictures.
//!
//! A [`Page`] is made of sections, a section of blocks of [`Html`], and those come from the nouns of this
//! crate: [`LineChart`], [`Columns`], [`Bars`], [`Intervals`], [`Table`], [`CrossTable`], [`notice::Notice`] and
//! [`Replay`], a recorded game to step through. Everything that is shown as text is escaped where it becomes [`Html`]; there is
//! no other way to make one. Pages are light or dark as the reader's system is, or as the reader chooses,
//! and fit phones and wide screens.
//!
//! The crate knows games by their contract ([`Replay::of_record`]) and nothing of runs, searches or
//! networks; what a page says is its caller's business. Open `page.rs` first.

pub mod bars;
pub mod columns;
pub mod cross_table;
pub mod game_replay;
pub mod grid;
mod html;
pub mod intervals;
mod labels;
pub mod lines;
pub mod notice;
pub mod number;
pub mod page;
pub mod picture;
mod plot;
pub mod replay;
pub mod scale;
pub mod scatter;
pub mod table;

pub use bars::Bars;
pub use columns::{Columns, Layer, Stack};
pub use cross_table::{CrossCell, CrossTable};
pub use grid::Grid;
pub use html::Html;
pub use intervals::{IntervalLine, Intervals};
pub use lines::{LineChart, Mark, Series, Stroke};
pub use notice::{Level, Notice};
pub use number::Unit;
pub use page::{Page, Section};
pub use picture::Picture;
pub use replay::{Frame, Replay};
pub use scale::{Axis, Range};
pub use scatter::{Dot, Scatter};
pub use table::{Align, Table};
