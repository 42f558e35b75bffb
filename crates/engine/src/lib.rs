//! Programs that play over UCI and UCCI, the protocols of chess and of xiangqi engines: using them as
//! players, and being one.
//!
//! `settings.rs` says what there is to know of an engine and reads lists of them, `client.rs` talks to
//! one that runs as a process of its own (`process.rs`), and every way in which it can fail is a
//! [`EngineFault`]. The other way round, `request.rs` reads what a graphical board says and `server.rs`
//! answers it for anything that can [think](Thinker). Both ways share `protocol.rs` (the words that
//! differ), `info.rs` (what an engine tells of its search) and `ranks.rs` (where ranks are counted from).
//!
//! The crate knows no game: positions and turns are texts, a turn is one word.

mod client;
mod control;
mod fault;
mod info;
mod limit;
mod process;
mod protocol;
mod ranks;
mod request;
mod server;
mod settings;
mod sync;

pub use client::{Answer, Engine};
pub use fault::EngineFault;
pub use info::{Info, Score};
pub use limit::{Clocks, Limit, Limits};
pub use protocol::Protocol;
pub use ranks::Ranks;
pub use request::Request;
pub use server::{Best, Declared, DeclaredKind, Thinker, serve};
pub use settings::{EngineSettings, OptionValue, SettingsError, TimeCommand, read_list};
