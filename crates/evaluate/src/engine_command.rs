//! `evaluate engine`: a checkpoint as an engine for a graphical board (`docs/engine-protocol.md`).

use crate::agent::{self, Agent};
use crate::arguments::EngineArguments;
use crate::failure::{End, Failure};
use arena::thinking::ThinkerPlan;
use std::io::BufReader;

/// Answers on standard output what a graphical board says on standard input, until it says `quit`.
///
/// # Errors
/// Wrong input, or a network that fails to work.
pub fn run(arguments: &EngineArguments) -> Result<End, Failure> {
    let (checkpoint, _) = agent::find(&arguments.agent).map_err(Failure::input)?;
    let game = checkpoint.state.identity.game;
    let Agent { game, player, remarks } =
        Agent::open(&arguments.agent, &game, arguments.sims, &arguments.rules, &arguments.machine)?;
    for remark in &remarks {
        crate::say(remark);
    }
    let plan = ThinkerPlan {
        name: format!("Garrison {} {}", env!("CARGO_PKG_VERSION"), arguments.agent),
        evaluator: (player.make_evaluator)().map_err(Failure::work)?,
        search: player.search,
        simulations: player.simulations,
        leaves: arguments.leaves(),
    };
    let mut thinker = game.thinker(plan).map_err(Failure::input)?;
    let input = BufReader::new(std::io::stdin());
    engine::serve(arguments.protocol, arguments.ranks, input, std::io::stdout(), thinker.as_mut())
        .map_err(Failure::work)?;
    Ok(End::Finished)
}
