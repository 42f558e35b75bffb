//! The measurement for people.

use super::{Bench, PlayRate, inference::BATCHES};
use crate::text_table;

/// All of it as text.
pub fn lines(bench: &Bench) -> String {
    let mut text = format!(
        "{}, network of {} x {} ({} parameters, {:.1} million operations a position), {}, {} cores\n",
        bench.game,
        bench.blocks,
        bench.channels,
        bench.parameters,
        bench.flops_per_position as f64 / 1e6,
        bench.processor.name,
        bench.processor.cores,
    );
    for peak in &bench.peaks {
        let registers = peak
            .peak
            .registers
            .map_or(String::new(), |registers| format!(", multiplying in registers {:.0}", registers / 1e9));
        text.push_str(&format!(
            "peak of a core in {}: matrix product {:.0} billion operations/s{registers}\n",
            peak.precision,
            peak.peak.product / 1e9,
        ));
    }
    text.push_str("\nthe network alone, one thread, positions/s of processor time (share of peak)\n");
    table(&mut text, &inference_rows(bench));
    let PlayRate { workers, batch_size, games_per_worker, .. } = bench.play;
    let play = &bench.play;
    text.push_str(&format!(
        "\nself-play: {}; {workers} workers with {games_per_worker} games and batches of {batch_size}\n",
        bench.plan
    ));
    text.push_str(&format!(
        "  evaluations/s  {:.0}, the network alone {:.0}: {} by the clock, {} by processor time\n",
        play.evaluations_per_second,
        play.alone_per_second,
        percent(play.share),
        percent(play.processor_share),
    ));
    text.push_str(&format!(
        "  of the best    {} of the best way alone; {} under the same load ({:.0} billion operations/s)\n",
        percent(play.share_of_best_path),
        of_peak(play.share_of_peak),
        play.sustained_peak / 1e9,
    ));
    text.push_str(&format!(
        "  answers/s      {:.0}, {} of them without an evaluation; batches {} full, {} of the time outside the network\n",
        play.answers_per_second,
        percent(play.hit_share),
        percent(play.fill),
        percent(play.outside_share),
    ));
    text.push_str(&format!(
        "  steps/s        {:.1}, games/s {:.2}\n",
        play.steps_per_second, play.games_per_second
    ));
    text.push_str("\ntraining\n");
    for rate in &bench.training {
        text.push_str(&format!(
            "  {} {} of {}, {}: {:.0} positions/s, {:.0} a second of processor time, {}\n",
            rate.threads,
            if rate.threads == 1 { "thread, batch" } else { "threads, batch" },
            rate.batch,
            rate.precision,
            rate.positions_per_second,
            rate.positions_per_processor_second,
            of_peak(rate.share_of_peak),
        ));
    }
    text
}

/// A line for each way, the evaluator and the network bare, a column for each batch.
fn inference_rows(bench: &Bench) -> Vec<Vec<String>> {
    let mut rows = vec![
        ["way", "batch"].into_iter().map(str::to_owned).chain(BATCHES.map(|rows| rows.to_string())).collect(),
    ];
    for ways in bench.inference.chunks(BATCHES.len()) {
        let way = format!("{} {}", ways[0].path, ways[0].precision);
        let evaluator = ways.iter().map(|rate| {
            let share = rate.share_of_peak.map_or(String::new(), |share| format!(" ({})", percent(share)));
            format!("{:.0}{share}", rate.positions_per_second)
        });
        let bare = ways.iter().map(|rate| format!("{:.0}", rate.bare_positions_per_second));
        rows.push([way, "evaluator".to_owned()].into_iter().chain(evaluator).collect());
        rows.push([String::new(), "bare".to_owned()].into_iter().chain(bare).collect());
    }
    rows
}

fn table(text: &mut String, rows: &[Vec<String>]) {
    let mut out = Vec::new();
    // Writing into memory does not fail.
    let _ = text_table::write(&mut out, rows);
    for line in String::from_utf8_lossy(&out).lines() {
        text.push_str(&format!("  {line}\n"));
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn of_peak(share: Option<f64>) -> String {
    share.map_or_else(|| "no peak".to_owned(), |share| format!("{} of the peak", percent(share)))
}
