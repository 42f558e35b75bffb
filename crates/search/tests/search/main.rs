//! Tests of the search on small games.

// Not only functions marked as tests may unwrap here.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod advance;
mod games;
mod golden;
mod gumbel;
mod leaves;
mod mctx;
mod plan;
mod play;
mod reference;
mod solved;
mod trees;
