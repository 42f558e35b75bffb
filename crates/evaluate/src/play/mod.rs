//! `evaluate play`: a person at a terminal, or a script on standard input, against an opponent.
//!
//! `command.rs` reads a line, `table.rs` does what it says, `saved_game.rs` keeps games in files.

pub mod command;
pub mod saved_game;
pub mod table;

use crate::agent::Agent;
use crate::arguments::PlayArguments;
use crate::failure::{End, Failure};
use crate::rules::open_game;
use arena::duel::{DuelError, DuelOpponent};
use arena::games::AnyGame;
use arena::opponents::OpponentSpec;
use saved_game::SavedGame;
use std::io::{IsTerminal, Write};
use table::{Prompt, Table};

/// Plays a game on standard input and output until the input ends or says `quit`.
///
/// # Errors
/// [`Failure::Input`] for a wrong command line, [`Failure::Work`] when a network or the terminal failed.
/// A line of input that makes no sense is answered and not an error.
pub fn run(arguments: &PlayArguments) -> Result<End, Failure> {
    let saved = arguments.load.as_deref().map(SavedGame::read).transpose().map_err(Failure::input)?;
    let (game, opponent) = open(arguments)?;
    let start = arguments.fen.as_deref();
    let duel = game.begin_duel(start, opponent, arguments.seed).map_err(|error| match error {
        DuelError::Start { .. } | DuelError::Shapes => Failure::input(error),
        error => Failure::work(error),
    })?;
    let mut table = Table::new(duel, game.facts(), arguments.side.into(), &arguments.opponent);
    if let (Some(saved), Some(path)) = (saved, &arguments.load) {
        table.load(saved).map_err(|fault| Failure::input(format!("{}: {fault}", path.display())))?;
    }
    let stdin = std::io::stdin();
    let prompt = if stdin.is_terminal() { Prompt::Shown } else { Prompt::Hidden };
    let mut out = std::io::stdout().lock();
    match table.play(&mut stdin.lock(), &mut out, prompt) {
        Ok(()) => {}
        // Whoever read standard output has seen enough.
        Err(table::TableError::Terminal(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => {}
        Err(error) => return Err(Failure::work(error)),
    }
    out.flush().map_err(Failure::work)?;
    Ok(End::Finished)
}

/// The game and the opponent of a command line.
fn open(arguments: &PlayArguments) -> Result<(Box<dyn AnyGame>, DuelOpponent), Failure> {
    let PlayArguments { opponent, game, sims, rules, machine, .. } = arguments;
    if let Ok(OpponentSpec::BuiltIn(opponent)) = OpponentSpec::parse(opponent) {
        let (game, _) = open_game(game, rules, &[]).map_err(Failure::input)?;
        return Ok((game, DuelOpponent::BuiltIn(opponent)));
    }
    let Agent { game, player, remarks } = Agent::open(opponent, game, *sims, rules, machine)?;
    for remark in &remarks {
        crate::say(remark);
    }
    let evaluator = (player.make_evaluator)().map_err(Failure::work)?;
    let opponent =
        DuelOpponent::Network { evaluator, search: player.search, simulations: player.simulations };
    Ok((game, opponent))
}
