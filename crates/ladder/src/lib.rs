//! Ladders: any number of players, the pairs of games that they have played, and what follows from them.
//!
//! A ladder is a directory. Every two players who have met have a file of pairs in it (crate `pairs`), so
//! that a ladder can be stopped at any time, gone on with, enlarged by players, and merged with others by
//! copying files. [`League`] reads it, [`Standings`] are the ratings and what they leave out,
//! [`Schedule`] says who should play next, with [`Times`] and [`Costs`] for what that takes; [`Breakdown`]
//! sorts the games by how they went, [`page`] draws everything on one page and [`tables`] writes it for other
//! programs.
//!
//! The crate plays nothing and knows no game and no network; the formulas are those of crate
//! `statistics`.

pub mod breakdown;
pub mod costs;
pub mod league;
pub mod page;
pub mod schedule;
pub mod standings;
pub mod tables;
mod text;
pub mod times;

pub use breakdown::{Breakdown, Group};
pub use costs::Costs;
pub use league::{League, LeagueError, Match, Origin, pairs_path};
pub use schedule::{Economy, Next, Schedule};
pub use standings::{CoupleStanding, Rated, Standing, Standings};
pub use times::{Times, TimesError};
