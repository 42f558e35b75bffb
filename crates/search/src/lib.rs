//! Tree search over any game: pure gather and apply halves over an arena tree.
//!
//! A [`Search`] holds the tree of one live game. `gather` walks it to a position that needs judging,
//! `apply` takes the answer; who judges is the caller's business (`leaves.rs`: several at a time). Two methods: Gumbel with
//! sequential halving (default) and PUCT. Values are kept as the first player sees them and looked at
//! by whose step it is, so that turns of several steps need no special care.
//!
//! It knows no threads, no tensors and no particular game. Open `search.rs` first, then `arena.rs`
//! (the tree), `root.rs` (spreading simulations at the root), `gumbel.rs` and `puct.rs` (below it).

mod arena;
pub mod config;
mod gumbel;
pub mod halving;
mod lanes;
mod leaves;
mod lines;
mod noise;
mod proof;
mod puct;
pub mod report;
mod root;
pub mod search;
mod text;

pub use config::{
    Effort, Exploration, FirstPlay, ForcedStep, GumbelConfig, Method, PuctConfig, SearchConfig, SolvedNodes,
    TreeRepetition, TreeReuse, ValueRange,
};
pub use halving::Halving;
pub use report::{RootReport, RootValue, StepReport};
pub use search::{Gathered, Search};
