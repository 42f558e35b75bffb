//! The `study` binary.

use clap::Parser;
use evaluate::failure::{self, End, Failure};
use evaluate::interrupt::Interrupt;
use std::process::ExitCode;
use study::arguments::{Arguments, Command};

fn main() -> ExitCode {
    net::runtime::prepare();
    // On a wrong command line clap says why and exits with 2.
    let command = Arguments::parse().command;
    let interrupt = Interrupt::new();
    let result = match interrupt.listen() {
        Ok(()) => run(&command, &interrupt),
        Err(error) => Err(Failure::work(format!("Ctrl-C cannot be listened to: {error}"))),
    };
    failure::exit(result)
}

fn run(command: &Command, interrupt: &Interrupt) -> Result<End, Failure> {
    match command {
        Command::Deployments(arguments) => study::pipeline::run(arguments, interrupt),
        Command::Score(arguments) => study::quick::score(arguments, interrupt),
        Command::Duel(arguments) => study::quick::duel(arguments, interrupt),
        Command::Counter(arguments) => study::quick::counter(arguments, interrupt),
        Command::WhatIf(arguments) => study::quick::what_if(arguments, interrupt),
        Command::Show(arguments) => study::show::run(arguments),
        Command::Report(arguments) => study::report::run(arguments),
        Command::Deploy(arguments) => study::deploy::run(arguments, interrupt),
        Command::Propose(arguments) => study::deploy::propose::run(arguments),
        Command::Openings(arguments) => study::openings::run(arguments, interrupt),
    }
}
