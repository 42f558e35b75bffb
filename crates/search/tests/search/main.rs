//! Tests of the search on small games.

mod advance;
mod games;
mod golden;
mod gumbel;
mod plan;
mod play;
mod reference;
mod solved;
mod trees;
