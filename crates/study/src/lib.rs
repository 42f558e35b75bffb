//! The program `study`: which secret set-ups of Commander Chess are good against which, and why; and openings.
//!
//! `arguments.rs` is the command line. `players.rs` makes a table and a judge of checkpoints and built-in
//! opponents; what is asked of them is crate `deployments`. `pipeline.rs` runs whole studies in a directory,
//! `deploy/` teaches a policy that places pieces, `quick.rs` answers single questions, `show.rs` and `report.rs` show findings, and `openings/` draws the tree of what
//! a checkpoint of any game plays.

pub mod arguments;
pub mod deploy;
pub mod directory;
pub mod openings;
pub mod pipeline;
pub mod players;
pub mod quick;
pub mod report;
pub mod set_up;
pub mod show;
