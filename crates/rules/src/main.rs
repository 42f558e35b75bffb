//! The `rules` binary: perft, steps, turns, show, play and bench of any game, solve of Connect Four, and
//! written games checked and converted, and set-ups of Commander Chess. It needs no LibTorch.
//!
//! `arguments.rs` is the command line, `commands.rs` and `solve.rs` what the commands do, `written.rs`
//! those about written games, `setup/` those about set-ups, `failure.rs` how they fail.
//! Exit codes: 0 done, 1 the work failed, 2 the command line or input was wrong, 130 Ctrl-C.

mod arguments;
mod commands;
mod failure;
mod setup;
mod solve;
mod written;

use arguments::Arguments;
use failure::Failure;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    // Nothing is kept half-done (files are renamed when whole), so that Ctrl-C may end it anywhere.
    // Without a handler the default of the system stays: also an end.
    let _ = ctrlc::set_handler(|| std::process::exit(130));
    match run() {
        Ok(()) | Err(Failure::ClosedPipe) => ExitCode::SUCCESS,
        Err(failure) => {
            // Where standard error is closed there is nobody to tell.
            let _ = writeln!(std::io::stderr(), "error: {failure}");
            ExitCode::from(failure.exit_code())
        }
    }
}

fn run() -> Result<(), Failure> {
    let (text, verdict) = match Arguments::read(std::env::args_os()) {
        Ok(arguments) => match commands::run(&arguments) {
            Err(Failure::Verdict { answer, message }) => (answer, Err(Failure::Input(message))),
            result => (result?, Ok(())),
        },
        Err(arguments::Answer::Help(text)) => (text, Ok(())),
        Err(arguments::Answer::Fault(message)) => return Err(Failure::Input(message)),
    };
    let mut output = std::io::stdout().lock();
    output.write_all(text.as_bytes()).and_then(|()| output.flush()).map_err(Failure::from_output)?;
    verdict
}
