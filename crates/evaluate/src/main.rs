//! The `evaluate` binary.

use clap::Parser;
use evaluate::arguments::{Arguments, Command};
use evaluate::interrupt::Interrupt;
use std::process::ExitCode;

fn main() -> ExitCode {
    net::runtime::prepare();
    // On a wrong command line clap says why and exits with 2.
    let Command::Match(arguments) = Arguments::parse().command;
    let interrupt = Interrupt::new();
    let result = match interrupt.listen() {
        Ok(()) => evaluate::play_match(&arguments, &interrupt),
        Err(error) => Err(evaluate::failure::Failure::work(format!("Ctrl-C cannot be listened to: {error}"))),
    };
    match result {
        Ok(end) => ExitCode::from(end.code()),
        Err(failure) => {
            evaluate::say(&format!("error: {failure}"));
            ExitCode::from(failure.code())
        }
    }
}
