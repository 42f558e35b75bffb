//! Draws and solves the quiet positions anew and compares them with the file that comes with the
//! crate, or replaces it:
//!
//!   cargo run --release -p connect4 --example quiet_positions -- [--rewrite]
//!
//! It takes about half an hour on one core, nearly all of it for positions with 8 to 11 stones.

use connect4::{Solver, quiet};
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

/// How many positions the file has.
const POSITIONS: usize = 1_000;

fn main() -> ExitCode {
    match run() {
        Ok(message) => {
            say(&message);
            ExitCode::SUCCESS
        }
        Err(message) => {
            say(&format!("error: {message}"));
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<String, String> {
    let rewrite = match std::env::args().nth(1).as_deref() {
        None => false,
        Some("--rewrite") => true,
        Some(other) => return Err(format!("`{other}`: the only option is --rewrite")),
    };
    let (mut solver, mut positions) = (Solver::new(), Vec::new());
    for stones in quiet::STONES {
        positions.extend(quiet::generate(quiet::SEED, stones, quiet::quota(POSITIONS, stones), &mut solver));
        say(&format!("{} positions with up to {stones} stones", positions.len()));
    }
    if rewrite {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/quiet.txt.zst");
        let beside = path.with_extension("tmp");
        let bytes = quiet::encode(&positions).map_err(|error| error.to_string())?;
        std::fs::write(&beside, bytes)
            .and_then(|()| std::fs::rename(&beside, &path))
            .map_err(|error| format!("{}: {error}", path.display()))?;
        return Ok(format!("{} positions written", positions.len()));
    }
    let kept = quiet::positions().map_err(|error| error.to_string())?;
    match positions.iter().zip(&kept).position(|(new, old)| new != old) {
        None if positions.len() == kept.len() => Ok(format!("all {} positions are the same", kept.len())),
        None => Err(format!("{} positions in the file, {} drawn", kept.len(), positions.len())),
        Some(index) => Err(format!("position {} of the file is another one", index + 1)),
    }
}

fn say(line: &str) {
    // Fails only when standard error is gone, and then there is nobody to tell.
    let _ = writeln!(std::io::stderr(), "{line}");
}
