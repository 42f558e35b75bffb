//! `study propose`: set-ups drawn from a policy, as a file that studies and self-play take.

use super::network::{NetworkPolicy, rules_of};
use crate::arguments::ProposeArguments;
use crate::players::open_commander;
use crate::show::print;
use deployments::learned::{proposals, write_proposals};
use evaluate::failure::{End, Failure};
use net::Threads;
use std::sync::Arc;

/// Runs the command.
///
/// # Errors
/// Wrong input, and work that failed.
pub fn run(arguments: &ProposeArguments) -> Result<End, Failure> {
    let rules = rules_of(&arguments.policy)?;
    let game = open_commander(rules.clone())?;
    let device = net::device::open(arguments.machine.device).map_err(Failure::input)?;
    let threads = Arc::new(Threads::new(arguments.machine.threads()).map_err(Failure::work)?);
    let (policy, state) = NetworkPolicy::open(&arguments.policy, &rules, device, &threads)?;
    let found = proposals(&game, &policy, arguments.count.into(), arguments.seed).map_err(Failure::work)?;
    let updates = state.counters.get("updates").copied().unwrap_or_default();
    let place = arguments.policy.display();
    let about = format!(
        "{} draws of the deployment policy {place} after {updates} updates, seed {}.",
        arguments.count, arguments.seed
    );
    let text = write_proposals(&found, &about);
    match &arguments.out {
        Some(path) => files::write(path, text.as_bytes()).map_err(|error| Failure::path(path, &error))?,
        None => print(text.trim_end())?,
    }
    Ok(End::Finished)
}
