//! The `evaluate` binary.

use clap::Parser;
use evaluate::arguments::{Arguments, Command};
use evaluate::failure::{self, End, Failure};
use evaluate::interrupt::Interrupt;
use std::process::ExitCode;

fn main() -> ExitCode {
    net::runtime::prepare();
    // On a wrong command line clap says why and exits with 2.
    let command = Arguments::parse().command;
    let interrupt = Interrupt::new();
    let listening = match command {
        // Nothing is under way that could be finished first.
        Command::Play(_) | Command::Engine(_) => Interrupt::end_at_once(),
        _ => interrupt.listen(),
    };
    let result = match listening {
        Ok(()) => run(&command, &interrupt),
        Err(error) => Err(Failure::work(format!("Ctrl-C cannot be listened to: {error}"))),
    };
    failure::exit(result)
}

fn run(command: &Command, interrupt: &Interrupt) -> Result<End, Failure> {
    match command {
        Command::Match(arguments) => evaluate::play_match(arguments, interrupt),
        Command::Sprt(arguments) => evaluate::sprt::run(arguments, interrupt),
        Command::Ladder(arguments) => evaluate::ladder::run(arguments, interrupt),
        Command::Report(arguments) => evaluate::ladder::report(arguments),
        Command::Solved(arguments) => evaluate::solved::run(arguments, interrupt),
        Command::Canaries(arguments) => evaluate::canaries::run(arguments, interrupt),
        Command::Explain(arguments) => evaluate::explain::run(arguments, interrupt),
        Command::Play(arguments) => evaluate::play::run(arguments),
        Command::Engine(arguments) => evaluate::engine_command::run(arguments),
    }
}
