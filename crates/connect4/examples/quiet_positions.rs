//! Draws and solves the quiet positions anew and compares them with the file that comes with the
//! crate, or replaces it:
//!
//!   cargo run --release -p connect4 --example quiet_positions -- [--rewrite]
//!
//! It takes about half an hour on one core, nearly all of it for positions with 8 to 11 stones.

use connect4::{Solver, quiet};
use std::path::Path;
use std::process::ExitCode;
use upkeep::generated::{self, Task, say};

/// How many positions the file has.
const POSITIONS: usize = 1_000;

fn main() -> ExitCode {
    generated::main(run)
}

fn run(task: Task) -> Result<String, String> {
    let (mut solver, mut positions) = (Solver::new(), Vec::new());
    for stones in quiet::STONES {
        positions.extend(quiet::generate(quiet::SEED, stones, quiet::quota(POSITIONS, stones), &mut solver));
        say(&format!("{} positions with up to {stones} stones", positions.len()));
    }
    if task == Task::Rewrite {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/quiet.txt.zst");
        let bytes = quiet::encode(&positions).map_err(|error| error.to_string())?;
        return generated::replace(&path, &bytes, positions.len());
    }
    let kept = quiet::positions().map_err(|error| error.to_string())?;
    generated::compare(&kept, &positions)
}
