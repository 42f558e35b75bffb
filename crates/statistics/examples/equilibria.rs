//! What the equilibria of crate `statistics` are worth on games whose solutions are known: many seeded runs
//! of each, adaptive and uniform. `scripts/check-equilibria` runs it; `docs/study.md` has the figures.
//!
//!     cargo run --release -p statistics --example equilibria -- [RUNS]

#[path = "../tests/synthetic/mod.rs"]
mod synthetic;

use statistics::equilibrium::Kind;
use std::io::Write;
use synthetic::{Run, Sampling, Synthetic, dominated, hidden_circle, rock_paper_scissors};

/// What the true exploitability may be at most.
const WANTED: f64 = 0.03;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runs: u64 = std::env::args().nth(1).map_or(Ok(100), |text| text.parse())?;
    let games =
        [rock_paper_scissors(), dominated(), hidden_circle(Kind::General), hidden_circle(Kind::Symmetric)];
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "| game | sampling | pairs | exploitability ≤ {WANTED} | largest of 90 % | bound holds | value covered | widest interval |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|---|")?;
    for game in &games {
        for (sampling, times) in [(Sampling::Adaptive, 1), (Sampling::Uniform, 1), (Sampling::Uniform, 2)] {
            writeln!(out, "{}", row(game, sampling, game.pairs * times, runs))?;
            out.flush()?;
        }
    }
    Ok(())
}

fn row(game: &Synthetic, sampling: Sampling, pairs: usize, runs: u64) -> String {
    let mut all: Vec<Run> = (0..runs).map(|seed| game.run(sampling, pairs, seed)).collect();
    all.sort_by(|one, other| one.exploitability.total_cmp(&other.exploitability));
    let count = |holds: &dyn Fn(&Run) -> bool| all.iter().filter(|run| holds(run)).count();
    let kind = match game.kind {
        Kind::Symmetric => "symmetric",
        Kind::General => "general",
    };
    format!(
        "| {}, {kind} | {} | {pairs} | {} of {runs} | {:.3} | {} | {} | {:.3} |",
        game.name,
        match sampling {
            Sampling::Adaptive => "adaptive",
            Sampling::Uniform => "uniform",
        },
        count(&|run| run.exploitability <= WANTED),
        all[(all.len() * 9).div_ceil(10) - 1].exploitability,
        count(&|run| run.bounded),
        count(&|run| run.covered),
        all.iter().map(|run| run.width).fold(0.0, f64::max),
    )
}
