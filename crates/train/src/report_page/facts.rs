//! What a run is: the numbers that matter most, versions, machine, config.

use crate::clock;
use crate::config::TrainConfig;
use crate::config_check::differences;
use crate::manifest::Start;
use crate::run_data::{RunData, Totals};
use report::number::{plain, whole};
use report::table::{facts, tiles as tiles_of};
use report::{Align, Html, Section, Table};
use toml::Table as Toml;

/// The line below the title.
pub fn subtitle(run: &RunData) -> String {
    let mut parts = Vec::new();
    if let Ok(game) = run.game() {
        let preset = if game.preset.is_empty() { "default rules".to_owned() } else { game.preset };
        parts.push(format!("{} ({preset})", game.name));
    }
    match run.last_cycle() {
        Some(cycle) => {
            parts.push(format!("cycle {}", cycle.cycle));
            parts.push(format!("{} of work", clock::in_words(cycle.minutes * 60.0)));
        }
        None => parts.push("no cycle is complete".to_owned()),
    }
    parts.push(run.status.to_string());
    parts.join(" · ")
}

/// The numbers that matter most.
pub fn tiles(run: &RunData) -> Html {
    let Totals { games, samples, .. } = run.totals;
    let mut list = Vec::new();
    let mut add = |name: &str, number: String, remark: String| list.push((name.to_owned(), number, remark));
    if let Some(cycle) = run.last_cycle() {
        add("cycles", whole(cycle.cycle as i64), clock::in_words(cycle.minutes * 60.0));
        add("games", whole(games as i64), format!("{} samples", plain(samples as f64)));
        add("training steps", whole(cycle.step as i64), String::new());
        let speed = cycle.play.evaluations_per_second;
        // A teacher's cycles have none.
        if speed > 0.0 {
            add("evaluations/s", plain(speed), "last cycle".to_owned());
        }
        add("memory", format!("{} MiB", plain(cycle.resident_mib)), String::new());
        let draws = format!("{:.0} %", 100.0 * cycle.play.games.draw_share);
        add("draws", draws, "last cycle".to_owned());
    }
    if let Some(cycle) = run.last_evaluation() {
        for result in &cycle.ladder {
            let name = format!("against {}", result.opponent);
            let interval = match (result.low, result.high) {
                (Some(low), Some(high)) => format!("{:.0} to {:.0} %", 100.0 * low, 100.0 * high),
                _ => "copies: no interval".to_owned(),
            };
            add(
                &name,
                format!("{:.0} %", 100.0 * result.score),
                format!("{interval}, cycle {}", cycle.cycle),
            );
        }
    }
    if list.is_empty() { Html::default() } else { tiles_of(&list) }
}

/// Versions, machine and config.
pub fn section(run: &RunData) -> Section {
    let mut section = Section::new("The run");
    if let Some(start) = run.manifest.starts.last() {
        section = section.whole(facts(&start_facts(run, start)));
    }
    if run.manifest.starts.len() > 1 {
        section = section.whole(starts_table(&run.manifest.starts));
    }
    if !run.config.is_empty() {
        if let Some(table) = changed_keys(&run.config) {
            section = section.whole(table);
        }
        let text = toml::to_string_pretty(&run.config).unwrap_or_default();
        section = section.whole(Html::folded("config.toml", Html::preformatted(&text)));
    }
    section
}

fn start_facts(run: &RunData, start: &Start) -> Vec<(String, String)> {
    let source = start.source.as_ref().map_or_else(
        || "unknown".to_owned(),
        |source| {
            let short: String = source.commit.chars().take(12).collect();
            if source.dirty { format!("{short}, with changes") } else { short }
        },
    );
    let schemas: Vec<String> =
        start.schemas.iter().map(|(name, version)| format!("{name} {version}")).collect();
    let rows = [
        ("directory", run.directory.root().display().to_string()),
        ("begun", run.manifest.starts.first().map_or_else(String::new, |first| clock::written(first.time))),
        ("program", format!("garrison {}, commit {source}", start.version)),
        ("LibTorch", format!("{} on {}", start.libtorch, start.device)),
        ("inference", start.inference.clone()),
        ("processor", format!("{}, {} cores", start.processor.name, start.processor.cores)),
        ("instructions", start.processor.flags.join(", ")),
        ("seed", start.seed.to_string()),
        ("formats", schemas.join(", ")),
        ("command", start.command.join(" ")),
    ];
    rows.into_iter().map(|(name, fact)| (name.to_owned(), fact)).collect()
}

fn starts_table(starts: &[Start]) -> Html {
    let words = ["start", "after cycle", "version", "device", "inference"];
    let mut table = Table::new("Starts", &words.map(|name| (name, Align::Left)));
    for start in starts {
        table.row(vec![
            clock::written(start.time),
            start.from_cycle.to_string(),
            start.version.clone(),
            start.device.clone(),
            start.inference.clone(),
        ]);
    }
    table.to_html()
}

/// The keys that differ from the defaults; nothing where the config is not of this program.
fn changed_keys(config: &Toml) -> Option<Html> {
    let defaults = TrainConfig::default().to_table().ok()?;
    let columns = [("key", Align::Left), ("value", Align::Left), ("default", Align::Left)];
    let mut table = Table::new("What differs from the defaults", &columns);
    for (key, before, now) in differences(&defaults, config) {
        table.row(vec![key, now, before]);
    }
    (!table.rows.is_empty()).then(|| table.to_html())
}
