//! `study show`: findings as text, or what describes a set-up.

use crate::arguments::ShowArguments;
use crate::deploy::findings as learned;
use crate::directory::{FINDINGS, read_findings};
use crate::players::open_commander;
use crate::set_up;
use commander::deployment::{Metric, distance};
use deployments::{Descriptors, Findings, named};
use evaluate::failure::{End, Failure};
use std::io::Write;
use std::path::Path;

/// Runs the command.
///
/// # Errors
/// Neither a study nor a set-up.
pub fn run(arguments: &ShowArguments) -> Result<End, Failure> {
    let path = Path::new(&arguments.what);
    if path.join(learned::FINDINGS).exists() {
        let findings = learned::read_findings(path)?;
        match arguments.json {
            true => print(&serde_json::to_string(&findings).map_err(Failure::work)?)?,
            false => learned::print_findings(&findings)?,
        }
        return Ok(End::Finished);
    }
    if path.is_dir() {
        let findings = read_findings(path)?;
        match arguments.json {
            true => print(&serde_json::to_string(&findings).map_err(Failure::work)?)?,
            false => print_findings(&findings)?,
        }
        return Ok(End::Finished);
    }
    let game = open_commander(serde_json::Value::Null)?;
    let found = set_up::find(&game, &arguments.what).map_err(|failure| match path.extension() {
        None if arguments.what.contains('/') => Failure::input(format!(
            "{}: neither a study (no {FINDINGS}) nor a set-up: {failure}",
            arguments.what
        )),
        _ => failure,
    })?;
    let descriptors = Descriptors::of(&found.deployment);
    let mut near: Vec<(u32, String)> = named(&game)
        .iter()
        .filter_map(|one| {
            Some((distance(&found.deployment, &one.deployment, Metric::Straight)?.steps, one.name.clone()))
        })
        .collect();
    near.sort();
    if arguments.json {
        let value = serde_json::json!({
            "set_up": found.deployment.to_string(),
            "about": found.about,
            "descriptors": descriptors,
            "steps_to": near.iter().map(|(steps, name)| (name.clone(), *steps)).collect::<Vec<_>>(),
        });
        print(&value.to_string())?;
        return Ok(End::Finished);
    }
    let mut text = found.deployment.template();
    if !found.about.is_empty() {
        text.push_str(&format!("\n{}: {}\n", found.name, found.about));
    }
    text.push('\n');
    for (name, number) in Descriptors::NAMES.iter().zip(descriptors.numbers()) {
        text.push_str(&format!("{:<20} {number:.2}\n", name.replace('_', " ")));
    }
    text.push_str("\nsteps of pieces to hand-made set-ups:");
    for (steps, name) in near.iter().take(5) {
        text.push_str(&format!(" {name} {steps},"));
    }
    print(text.trim_end_matches(','))?;
    Ok(End::Finished)
}

/// Prints what matters most of findings.
///
/// # Errors
/// Standard output that is gone.
pub fn print_findings(findings: &Findings) -> Result<(), Failure> {
    let mut text = String::new();
    let mut line = |words: String| {
        text.push_str(&words);
        text.push('\n');
    };
    for warning in &findings.warnings {
        line(format!("warning: {warning}"));
    }
    let games = findings.games;
    line(format!(
        "{} set-ups looked at, {} in the matrix; {} games ({} distinct, {} void)",
        findings.candidates,
        findings.set_ups.len(),
        games.played,
        games.distinct,
        games.void
    ));
    if let Some((score, interval)) = findings.first_player {
        line(format!("the first player scores {}", words(score, interval)));
    }
    line(String::new());
    line(format!(
        "{:<20} {:>7}  {:<16}  {:<24}  mean",
        "set-up", "share", "95 % interval", "against the mixture"
    ));
    let mut order: Vec<_> = findings.set_ups.iter().collect();
    order.sort_by(|one, other| other.share.total_cmp(&one.share).then(other.score.total_cmp(&one.score)));
    for one in order {
        line(format!(
            "{:<20} {:>5.1} %  {:>5.1} to {:>5.1} %  {:<24}  {:.1} %",
            one.name,
            100.0 * one.share,
            100.0 * one.share_interval.low,
            100.0 * one.share_interval.high,
            words(one.score, one.interval),
            100.0 * one.mean_score,
        ));
    }
    line(String::new());
    line(format!(
        "within the matrix no reply gains more than {:.1} % ({:.0} % confidence)",
        100.0 * findings.answer.exploitability_bound,
        100.0 * findings.config.stop.confidence
    ));
    for (round, found) in findings.oracle.iter().enumerate() {
        line(format!(
            "oracle, round {}: the best of {} gains {:+.1} % ({:+.1} to {:+.1} %){}",
            round + 1,
            found.tried,
            100.0 * found.gain,
            100.0 * found.interval.low,
            100.0 * found.interval.high,
            if found.added { ", added" } else { "" }
        ));
    }
    for control in &findings.controls {
        if let Some(found) = control.agreement {
            line(format!(
                "ranking by {}: Kendall's tau {:.2} ({:.2} to {:.2})",
                control.player, found.tau, found.interval.low, found.interval.high
            ));
        }
    }
    line(format!("{}: {}", if findings.settled { "settled" } else { "not settled" }, findings.stopped));
    print(text.trim_end())
}

fn words(score: f64, interval: statistics::Interval) -> String {
    format!("{:.1} % ({:.1} to {:.1})", 100.0 * score, 100.0 * interval.low, 100.0 * interval.high)
}

/// Prints text on standard output.
///
/// # Errors
/// Standard output that is gone.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    writeln!(std::io::stdout(), "{text}").map_err(Failure::work)
}
