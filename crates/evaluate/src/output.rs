//! The result of a match on standard output.

use arena::games::GameFacts;
use arena::matches::{MatchPlan, MatchReport};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;

/// How the result is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A table for people.
    Table,
    /// One JSON value.
    Json,
}

/// What JSON says beside the report.
#[derive(Serialize)]
struct Json<'a> {
    #[serde(flatten)]
    report: &'a MatchReport,
    rules: &'a serde_json::Value,
    seed: u64,
    opening_steps: u32,
    seconds: f64,
    /// Mean rows of a batch of A's and of B's network.
    mean_batch: [Option<f64>; 2],
    /// Why games were forfeited, and how many for each reason.
    forfeits: &'a BTreeMap<String, u64>,
}

/// What a match leaves beside its report.
pub struct Leftovers {
    /// Seconds that it took.
    pub seconds: f64,
    /// Games that were played in them.
    pub games: u64,
    /// Mean rows of a batch of A's and of B's network; `None` where there was none.
    pub mean_batch: [Option<f64>; 2],
    /// Why games were forfeited, and how many for each reason.
    pub forfeits: BTreeMap<String, u64>,
}

/// Prints the report.
///
/// # Errors
/// When standard output cannot be written.
pub fn print(
    report: &MatchReport,
    facts: &GameFacts,
    plan: &MatchPlan,
    leftovers: &Leftovers,
    format: Format,
) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let Leftovers { seconds, games, mean_batch, forfeits } = leftovers;
    match format {
        Format::Json => {
            let json = Json {
                report,
                rules: &facts.rules,
                seed: plan.seed,
                opening_steps: plan.opening_turns,
                seconds: *seconds,
                mean_batch: *mean_batch,
                forfeits,
            };
            serde_json::to_writer(&mut out, &json)?;
            writeln!(out)
        }
        Format::Table => {
            write!(out, "{report}")?;
            for (why, games) in forfeits {
                writeln!(out, "forfeited games: {games} ({why})")?;
            }
            for (side, rows) in ["A", "B"].iter().zip(mean_batch) {
                if let Some(rows) = rows {
                    writeln!(
                        out,
                        "batches of {side}: {rows:.1} positions, {} games a thread",
                        plan.games_at_once
                    )?;
                }
            }
            let rate = *games as f64 / seconds.max(1e-9);
            writeln!(out, "{seconds:.1} s, {rate:.2} games/s")
        }
    }?;
    out.flush()
}
