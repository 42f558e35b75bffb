//! The `train` binary.

use clap::Parser;
use std::process::ExitCode;
use train::arguments::{Arguments, Command};
use train::interrupt::Interrupt;
use train::progress::Progress;

fn main() -> ExitCode {
    net::runtime::prepare();
    // On a wrong command line clap says why and exits with 2.
    let Command::Run(arguments) = Arguments::parse().command;
    let progress = Progress::for_terminal();
    let interrupt = Interrupt::new();
    if let Err(error) = interrupt.listen() {
        progress.say(&format!("error: Ctrl-C cannot be listened to: {error}"));
        return ExitCode::from(train::failure::FAILED);
    }
    match train::run(&arguments, &interrupt, &progress) {
        Ok(end) => ExitCode::from(end.code()),
        Err(failure) => {
            progress.say(&format!("error: {failure}"));
            ExitCode::from(failure.code())
        }
    }
}
