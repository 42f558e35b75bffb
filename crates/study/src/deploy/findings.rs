//! What is said of a policy when it has learned.

use super::Halt;
use super::journal::Journal;
use super::network::NetworkLearner;
use crate::players::Players;
use crate::show::print;
use commander::Commander;
use deployments::explain::heat_maps;
use deployments::learned::{
    LearnedFindings, SCHEMA, Training, exploitability, page, proposals, write_proposals,
};
use deployments::named::read;
use deployments::{Record, RecordError};
use evaluate::failure::Failure;
use std::path::Path;

/// Name of the findings.
pub const FINDINGS: &str = "learned.json";
/// Name of the page.
const PAGE: &str = "report.html";
/// Name of the file of set-ups.
pub const SET_UPS: &str = "set_ups.txt";

/// Looks for a reply by games, and writes findings, page and set-ups.
///
/// # Errors
/// Being asked to stop, and work that failed.
pub(crate) fn write(
    training: &Training<'_>,
    learner: &NetworkLearner,
    journal: &Journal,
    players: &Players<'_>,
    directory: &Path,
    warnings: Vec<String>,
) -> Result<(), Halt> {
    let config = training.config();
    let record = Record::open(directory).map_err(|error| match error {
        RecordError::Io { .. } => Failure::work(error),
        error => Failure::input(error),
    })?;
    let found = exploitability(training, learner, record)?;
    let draws = u64::from(config.estimate.mixture);
    let list = proposals(&players.game, learner, draws, config.seed)?;
    let mut mixture = Vec::new();
    for one in &list {
        let deployment = read(&players.game, &one.set_up).map_err(Failure::work)?.remove(0).deployment;
        mixture.push((one.share, deployment));
    }
    let findings = LearnedFindings {
        schema: SCHEMA,
        config: config.clone(),
        rules: players.rules(),
        warnings,
        updates: training.updates(),
        curve: journal.points(),
        estimates: journal.estimates(),
        exploitability: found,
        heat: heat_maps(&mixture, &[]),
        proposals: list,
    };
    let text = findings.to_file().map_err(Failure::work)?;
    let place = directory.join(FINDINGS);
    files::write(&place, &text).map_err(|error| Failure::path(&place, &error))?;
    let place = directory.join(SET_UPS);
    let about = format!("{draws} draws of a deployment policy after {} updates.", findings.updates);
    files::write(&place, write_proposals(&findings.proposals, &about).as_bytes())
        .map_err(|error| Failure::path(&place, &error))?;
    write_page(directory, directory, &players.game, &findings)?;
    print_findings(&findings)?;
    Ok(())
}

/// Reads the findings of a run.
///
/// # Errors
/// No findings, those of another version, and files that are damaged or faulty.
pub fn read_findings(directory: &Path) -> Result<LearnedFindings, Failure> {
    let path = directory.join(FINDINGS);
    let fault = |why: String| Failure::input(format!("{}: {why}", path.display()));
    let text = files::read(&path).map_err(|error| fault(error.to_string()))?;
    LearnedFindings::from_file(&text).map_err(fault)
}

/// Writes the page of the run in `directory` to `out`.
///
/// # Errors
/// Any error of the file system.
pub fn write_page(
    directory: &Path,
    out: &Path,
    game: &Commander,
    findings: &LearnedFindings,
) -> Result<(), Failure> {
    let name =
        directory.file_name().map_or_else(String::new, |name| format!(" · {}", name.to_string_lossy()));
    let foot = concat!("Written by study ", env!("CARGO_PKG_VERSION"), " of Garrison.");
    let html = page::page(&format!("Deployment policy{name}"), game, findings, foot).to_html();
    let place = out.join(PAGE);
    files::write(&place, html.as_bytes()).map_err(|error| Failure::path(&place, &error))
}

/// Prints what matters most.
///
/// # Errors
/// Standard output that is gone.
pub fn print_findings(findings: &LearnedFindings) -> Result<(), Failure> {
    let mut lines: Vec<String> =
        findings.warnings.iter().map(|warning| format!("warning: {warning}")).collect();
    let percent = |score: f64| 100.0 * score;
    if let Some(last) = findings.curve.last() {
        lines.push(format!(
            "{} updates; entropy {:.1} nats, divergence from the sampler {:.1} nats; {:.1} % of pairs void",
            findings.updates,
            last.entropy,
            last.divergence,
            percent(last.void_share)
        ));
    }
    for one in [findings.estimates.first(), findings.estimates.last()].into_iter().flatten() {
        lines.push(format!(
            "by value, after {} updates: the best reply found gains {:+.1} % ({:+.1} to {:+.1} %)",
            one.update,
            percent(one.gain),
            percent(one.interval.low),
            percent(one.interval.high)
        ));
    }
    match &findings.exploitability {
        Some(found) => lines.push(format!(
            "by games: the best of {} replies gains {:+.1} % ({:+.1} to {:+.1} %), at most {:.1} % with {:.0} % \
             confidence: {}",
            found.tried,
            percent(found.gain),
            percent(found.interval.low),
            percent(found.interval.high),
            percent(found.bound),
            percent(found.confidence),
            found.set_up
        )),
        None => lines.push("by games: no reply could be tried".to_owned()),
    }
    for one in findings.proposals.iter().take(3) {
        lines.push(format!("ln p = {:>6.1}: {}", one.log_probability, one.set_up));
    }
    print(&lines.join("\n"))
}
