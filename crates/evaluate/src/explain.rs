//! `evaluate explain`: what a checkpoint makes of a position.

use crate::agent::{self, Agent};
use crate::arguments::ExplainArguments;
use crate::failure::{End, Failure};
use crate::interrupt::Interrupt;
use arena::inspection::{Appraisal, InspectedStep, Inspection, InspectionError};
use arena::matches::Stop;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Write as _;

/// Turns of a principal line in the table; JSON has all of them.
const LINE_TURNS: usize = 8;
/// Characters of the longest bar.
const BAR: usize = 20;

#[derive(Serialize)]
struct Json<'a> {
    agent: &'a str,
    game: &'a str,
    rules: &'a serde_json::Value,
    #[serde(flatten)]
    inspection: &'a Inspection,
}

/// Runs the command and prints what was found.
///
/// # Errors
/// [`Failure::Input`] for wrong input, [`Failure::Work`] when the network or the output failed.
pub fn run(arguments: &ExplainArguments, interrupt: &Interrupt) -> Result<End, Failure> {
    let ExplainArguments { agent, game, fen, sims, rules, machine, .. } = arguments;
    let Agent { game, player, remarks } = Agent::open(agent, game, *sims, rules, machine)?;
    for remark in &remarks {
        crate::say(remark);
    }
    let stop = || interrupt.stop() != Stop::GoOn;
    let inspection = match agent::inspect(game.as_ref(), &player, &[fen.as_deref()], machine, &stop) {
        Ok(inspections) => inspections.into_iter().next(),
        Err(InspectionError::Stopped) => return Ok(End::Stopped),
        Err(error) if error.is_input() => return Err(Failure::input(error)),
        Err(error) => return Err(Failure::work(error)),
    };
    let Some(inspection) = inspection else { return Err(Failure::work("nothing was found")) };
    if let Some(path) = &arguments.svg {
        let picture = game.inspected_picture(&inspection).map_err(Failure::work)?;
        files::write(path, picture.as_bytes())
            .map_err(|error| Failure::work(format!("{}: cannot be written: {error}", path.display())))?;
    }
    let mut out = std::io::stdout().lock();
    let printed = if arguments.json {
        let facts = game.facts();
        let json = Json { agent, game: facts.name, rules: &facts.rules, inspection: &inspection };
        serde_json::to_writer(&mut out, &json).map_err(Failure::work)?;
        writeln!(out)
    } else {
        let board = game.inspected_board(&inspection).map_err(Failure::work)?;
        let margin = game.facts().margin_unit > 0.0;
        write!(out, "{board}{}", table(&inspection, margin, usize::from(arguments.top)))
    };
    printed.and_then(|()| out.flush()).map_err(Failure::work)?;
    Ok(End::Finished)
}

/// What was found, for people: the judgements, then the steps with the largest policy first.
pub fn table(inspection: &Inspection, margin: bool, top: usize) -> String {
    let mut text = String::new();
    let side = inspection.mover.word();
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(text, "{}\n{side} to move; all numbers are {side}'s", inspection.fen);
    let _ = writeln!(text, "{:>10}  {}", "network", appraisal(&inspection.network, margin));
    if inspection.simulations > 0 {
        let _ = writeln!(text, "{:>10}  {}", "search", appraisal(&inspection.search, margin));
    }
    let mut order: Vec<&InspectedStep> = inspection.steps.iter().collect();
    order.sort_by(|left, right| right.policy.total_cmp(&left.policy));
    let shown = &order[..top.min(order.len())];
    let width = shown.iter().map(|step| step.step.chars().count()).max().unwrap_or(0).max(4);
    let _ = writeln!(text, "  {:width$}   prior  visits  value  policy", "step");
    let chosen = inspection.steps.get(inspection.chosen);
    for step in shown {
        let mark = if chosen.is_some_and(|chosen| chosen.code == step.code) { '>' } else { ' ' };
        let value = step.value.map_or("    -".to_owned(), |value| format!("{value:+.2}"));
        let bar = "#".repeat((step.policy * BAR as f32).round() as usize);
        let more = if step.line.len() > LINE_TURNS { " …" } else { "" };
        let line = step.line[..step.line.len().min(LINE_TURNS)].join(" ");
        let _ = writeln!(
            text,
            "{mark} {:width$}  {:4.1} %  {:6}  {value}  {:4.1} %  {bar:BAR$}  {line}{more}",
            step.step,
            100.0 * step.prior,
            step.visits,
            100.0 * step.policy,
        );
    }
    if order.len() > shown.len() {
        let rest: f32 = order[shown.len()..].iter().map(|step| step.policy).sum();
        let _ = writeln!(
            text,
            "  {} more steps with {:.1} % of the policy",
            order.len() - shown.len(),
            100.0 * rest
        );
    }
    text
}

fn appraisal(appraised: &Appraisal, margin: bool) -> String {
    let Appraisal { win, draw, loss, utility, .. } = appraised;
    let mut text = format!(
        "win {:.1} %  draw {:.1} %  loss {:.1} %  value {:+.2}",
        100.0 * win,
        100.0 * draw,
        100.0 * loss,
        win - loss
    );
    if margin {
        let _ = write!(text, "  points margin {:+.2}  utility {utility:+.2}", appraised.margin);
    }
    text
}
