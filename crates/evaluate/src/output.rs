//! The result of a match on standard output.

use arena::games::GameFacts;
use arena::matches::{MatchPlan, MatchReport};
use serde::Serialize;
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
}

/// Prints the report.
///
/// # Errors
/// When standard output cannot be written.
pub fn print(
    report: &MatchReport,
    facts: &GameFacts,
    plan: &MatchPlan,
    seconds: f64,
    format: Format,
) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    match format {
        Format::Json => {
            let json = Json {
                report,
                rules: &facts.rules,
                seed: plan.seed,
                opening_steps: plan.opening_turns,
                seconds,
            };
            serde_json::to_writer(&mut out, &json)?;
            writeln!(out)
        }
        Format::Table => {
            write!(out, "{report}")?;
            let rate = report.games as f64 / seconds.max(1e-9);
            writeln!(out, "{seconds:.1} s, {rate:.2} games/s")
        }
    }?;
    out.flush()
}
