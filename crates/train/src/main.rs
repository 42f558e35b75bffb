//! The `train` binary.

use clap::Parser;
use std::io::Write;
use std::process::ExitCode;
use train::arguments::{Arguments, Command};
use train::failure::{DONE, FAILED, Failure};
use train::interrupt::Interrupt;
use train::progress::Progress;

fn main() -> ExitCode {
    let prepared = net::runtime::prepare();
    // On a wrong command line clap says why and exits with 2.
    let command = Arguments::parse().command;
    let progress = Progress::for_terminal();
    let interrupt = Interrupt::new();
    if let Err(error) = interrupt.listen() {
        progress.say(&format!("error: Ctrl-C cannot be listened to: {error}"));
        return ExitCode::from(FAILED);
    }
    let done = match command {
        Command::Run(arguments) => train::run(&arguments, &interrupt, &progress).map(|end| end.code()),
        Command::Plan(arguments) => train::forecast::plan(&arguments, &interrupt, &progress).and_then(print),
        Command::Bench(arguments) => train::bench::bench(&arguments, &interrupt, &progress).and_then(print),
        Command::Doctor(arguments) => train::doctor::doctor(&arguments, prepared)
            .and_then(|(text, sound)| print(text).map(|code| if sound { code } else { FAILED })),
        Command::Digest(arguments) => train::digest::digest(&arguments).and_then(print),
        Command::Report(arguments) => train::report_page::report(&arguments, &progress).map(|end| end.code()),
        Command::Compare(arguments) => train::compare::compare(&arguments).map(|end| end.code()),
        Command::List(arguments) => train::list::list(&arguments).map(|end| end.code()),
        Command::Export(arguments) => train::export::export(&arguments, &progress).map(|end| end.code()),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            progress.say(&format!("error: {failure}"));
            ExitCode::from(failure.code())
        }
    }
}

/// Writes a result to standard output.
fn print(text: String) -> Result<u8, Failure> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        // A reader that has seen enough is no failure.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::Work(anyhow::anyhow!("standard output: {error}")))
        }
        _ => Ok(DONE),
    }
}
