//! Set-ups by a policy that learns: it places its own pieces one by one in a fixed order and sees its own half
//! alone, since what the other side places is secret.
//!
//! [`draw`] plays a [`Policy`] and [`log_probability`] says how likely a whole set-up is; `planes.rs` is what a
//! policy sees. [`Training`] improves a [`Learner`] by policy gradient: `opponents.rs` holds past policies,
//! `episode.rs` draws pairs of set-ups that can be played, `returns.rs` is the mathematics, `exploit.rs` asks what a
//! reply gains against the policy, `findings.rs` and `page.rs` say what came out. As everywhere in this crate a
//! table plays, a judge gives values, and networks are somebody else's business.

mod config;
mod draw;
mod episode;
mod exploit;
mod findings;
mod opponents;
pub mod page;
mod planes;
mod policy;
mod proposals;
pub mod returns;
mod training;

pub use config::{
    BatchConfig, EstimateConfig, GamesConfig, LearnConfig, NetworkConfig, OpponentsConfig, OptimizerConfig,
    RegulariserConfig, Towards,
};
pub use draw::{Drawn, Placement, draw, log_probability};
pub use episode::{Episode, Opponent};
pub use exploit::{Estimate, Exploitability, estimate, exploitability};
pub use findings::{LearnedFindings, Point, Proposal, SCHEMA};
pub use opponents::{Pool, PoolState};
pub use planes::{CHANNELS, SQUARES, planes};
pub use policy::{Answers, Batch, Learned, Learner, Policy, PolicyError};
pub use proposals::{Proposer, proposals, write_proposals};
pub use training::{Training, Update};
