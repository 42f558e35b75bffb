//! `train compare`: runs side by side.

use crate::arguments::CompareArguments;
use crate::clock;
use crate::config_check::differences;
use crate::failure::{End, Failure};
use crate::report_page::overlay;
use crate::run_data::RunData;
use crate::run_summary::RunSummary;
use crate::text_table;
use anyhow::Context;
use report::{Align, Page, Section, Table};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// What stands for a key that a config does not have.
const UNSET: &str = "unset";

/// A comparison. Field names are those of `train compare --json`.
#[derive(Debug, Serialize)]
struct Comparison {
    /// The runs, in the order of the command.
    runs: Vec<RunSummary>,
    /// Keys of the configs that are not the same in all runs, with each run's value.
    config: BTreeMap<String, Vec<String>>,
}

/// Runs the command.
///
/// # Errors
/// A directory that is no run is an input error.
pub fn compare(arguments: &CompareArguments) -> Result<End, Failure> {
    let mut runs = Vec::new();
    for path in &arguments.runs {
        let run = RunData::read(path).map_err(Failure::input)?;
        runs.push((run.name.clone(), run));
    }
    // Runs of one name are told apart by their paths.
    let names: Vec<String> = runs.iter().map(|(name, _)| name.clone()).collect();
    for (index, (label, run)) in runs.iter_mut().enumerate() {
        if names.iter().filter(|name| **name == names[index]).count() > 1 {
            *label = run.directory.root().display().to_string();
        }
    }
    let comparison = Comparison {
        runs: runs
            .iter()
            .map(|(label, run)| RunSummary { run: label.clone(), ..RunSummary::of(run) })
            .collect(),
        config: config_differences(&runs),
    };
    if let Some(path) = &arguments.html {
        let page = page(&comparison, &runs, arguments);
        files::write(path, page.to_html().as_bytes()).with_context(|| path.display().to_string())?;
    }
    let mut out = io::stdout().lock();
    let written = if arguments.json {
        serde_json::to_writer(&mut out, &comparison).map_err(io::Error::from).and_then(|()| writeln!(out))
    } else {
        write_text(&mut out, &comparison)
    };
    written.and_then(|()| out.flush()).context("standard output")?;
    Ok(End::Finished)
}

fn config_differences(runs: &[(String, RunData)]) -> BTreeMap<String, Vec<String>> {
    let flat: Vec<BTreeMap<String, String>> = runs
        .iter()
        .map(|(_, run)| {
            let values = differences(&toml::Table::new(), &run.config);
            values.into_iter().map(|(key, _, value)| (key, value)).collect()
        })
        .collect();
    let keys: BTreeSet<&String> = flat.iter().flat_map(BTreeMap::keys).collect();
    keys.into_iter()
        .map(|key| {
            let value =
                |config: &BTreeMap<String, String>| config.get(key).map_or(UNSET, String::as_str).to_owned();
            (key.clone(), flat.iter().map(value).collect::<Vec<String>>())
        })
        .filter(|(_, values)| values.iter().any(|value| *value != values[0]))
        .collect()
}

/// A row a number: its name and its value in each run.
fn rows(comparison: &Comparison) -> Vec<Vec<String>> {
    let runs = &comparison.runs;
    let mut rows = Vec::new();
    let mut row = |name: &str, value: &dyn Fn(&RunSummary) -> String| {
        rows.push(std::iter::once(name.to_owned()).chain(runs.iter().map(value)).collect());
    };
    row("game", &|run| run.game.clone().unwrap_or_else(|| "?".to_owned()));
    row("state", &|run| run.status.to_string());
    row("cycles", &|run| run.cycles.to_string());
    row("work", &RunSummary::work);
    row("training steps", &|run| run.training_steps.to_string());
    row("games", &|run| run.games.to_string());
    row("samples", &|run| run.samples.to_string());
    let mut opponents: Vec<(String, u32)> = Vec::new();
    for result in runs.iter().flat_map(|run| &run.ladder) {
        let opponent = (result.opponent.clone(), result.simulations);
        if !opponents.contains(&opponent) {
            opponents.push(opponent);
        }
    }
    for (opponent, simulations) in opponents {
        row(&format!("score against {opponent}@{simulations}"), &|run| {
            let result = run.ladder.iter().find(|r| r.opponent == opponent && r.simulations == simulations);
            result.map_or_else(String::new, |result| match (result.low, result.high) {
                (Some(low), Some(high)) => {
                    format!("{:.1} % [{:.0}, {:.0}]", 100.0 * result.score, 100.0 * low, 100.0 * high)
                }
                _ => format!("{:.1} %", 100.0 * result.score),
            })
        });
    }
    let loss = |run: &RunSummary, value: fn(&crate::metrics::Losses) -> f64| {
        run.losses.as_ref().map_or_else(String::new, |losses| format!("{:.3}", value(losses)))
    };
    row("policy loss", &|run| loss(run, |losses| losses.policy));
    row("entropy of its targets", &|run| loss(run, |losses| losses.target_entropy));
    row("value loss", &|run| loss(run, |losses| losses.value));
    row("median turns", &|run| format!("{:.0}", run.median_turns));
    row("draws", &|run| format!("{:.0} %", 100.0 * run.draw_share));
    row("evaluations/s", &|run| format!("{:.0}", run.evaluations_per_second));
    row("memory, MiB", &|run| format!("{:.0}", run.resident_mib));
    row("alarms", &|run| run.alarms.to_string());
    rows
}

fn heading(first: &str, comparison: &Comparison) -> Vec<String> {
    std::iter::once(first.to_owned()).chain(comparison.runs.iter().map(|run| run.run.clone())).collect()
}

fn config_rows(comparison: &Comparison) -> Vec<Vec<String>> {
    let row = |(key, values): (&String, &Vec<String>)| {
        std::iter::once(key.clone()).chain(values.iter().cloned()).collect()
    };
    comparison.config.iter().map(row).collect()
}

fn write_text(out: &mut impl Write, comparison: &Comparison) -> io::Result<()> {
    let mut table = vec![heading("", comparison)];
    table.extend(rows(comparison));
    text_table::write(out, &table)?;
    if comparison.config.is_empty() {
        writeln!(out, "\nThe configs are the same.")?;
    } else {
        writeln!(out)?;
        let mut table = vec![heading("config", comparison)];
        table.extend(config_rows(comparison));
        text_table::write(out, &table)?;
    }
    for fault in comparison.runs.iter().flat_map(|run| &run.faults) {
        writeln!(out, "could not be read: {fault}")?;
    }
    Ok(())
}

fn page(comparison: &Comparison, runs: &[(String, RunData)], arguments: &CompareArguments) -> Page {
    let table = |title: &str, first: &str, rows: Vec<Vec<String>>, align: Align| {
        let columns: Vec<(String, Align)> = heading(first, comparison)
            .into_iter()
            .enumerate()
            .map(|(index, name)| (name, if index == 0 { Align::Left } else { align }))
            .collect();
        Table { title: title.to_owned(), columns, rows }.to_html()
    };
    let numbers = table("As they stand", "", rows(comparison), Align::Right);
    let config = table("Where the configs differ", "key", config_rows(comparison), Align::Left);
    let mut overview = Section::new("Overview").whole(numbers);
    if !comparison.config.is_empty() {
        overview = overview.whole(config);
    }
    let names: Vec<&str> = comparison.runs.iter().map(|run| run.run.as_str()).collect();
    Page {
        title: names.join(" / "),
        subtitle: format!("{} runs compared", names.len()),
        foot: format!(
            "Garrison {}, written {}. This file is complete in itself.",
            env!("CARGO_PKG_VERSION"),
            clock::written(clock::unix_time())
        ),
        sections: std::iter::once(overview).chain(overlay(runs, arguments.over)).collect(),
    }
}
