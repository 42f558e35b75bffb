//! `rules setup`: the set-ups of one side of Commander Chess.

pub mod arguments;
mod check;
mod distance;
mod sample;
mod show;

use crate::arguments::Common;
use crate::commands::open;
use crate::failure::Failure;
use crate::written;
use arguments::{Setup, SetupCommand};
use commander::deployment::{ListedDeployment, PairSupply, Prior, Sampler, VoidTally, read_list};
use commander::{Commander, Deployment};
use game::options::{parse_pairs, rules_from};
use game::starts::StartSides;
use game::{Fault, Faults, Game};
use std::path::{Path, PathBuf};

/// Runs a command.
pub fn run(setup: &Setup) -> Result<String, Failure> {
    match &setup.command {
        None => Err(Failure::Input(
            "no command: use one of sample, check, show, distance, count (see --help)".to_owned(),
        )),
        Some(SetupCommand::Sample(sample)) => sample::run(sample),
        Some(SetupCommand::Check(check)) => check::run(check),
        Some(SetupCommand::Show(show)) => show::run(show),
        Some(SetupCommand::Distance(distance)) => distance::run(distance),
        Some(SetupCommand::Count(count)) => sample::run_count(count),
    }
}

/// The game under the rules asked for; no game but Commander Chess has set-ups to place.
fn open_commander(common: &Common) -> Result<Commander, Failure> {
    open(common)?;
    if common.game != Commander::NAME {
        let message = format!("{} has no set-ups to place: setup knows {}", common.game, Commander::NAME);
        return Err(Failure::Input(message));
    }
    let input = |message: String| Failure::Input(message);
    let options = parse_pairs(&common.options).map_err(|error| input(error.to_string()))?;
    let rules = rules_from::<Commander>(common.preset.as_deref(), &options)
        .map_err(|error| input(error.to_string()))?;
    Ok(Commander::new(rules))
}

/// The set-ups of a word of the command line, and what to call it: a file, or else a line.
fn read_setups(word: &str) -> Result<(String, Vec<ListedDeployment>), Failure> {
    let is_line = word.trim() == "standard" || word.contains([' ', ',', '\n', '\t']);
    let path = Path::new(word);
    let (name, text) = match is_line && !path.is_file() {
        true => ("set-up".to_owned(), word.to_owned()),
        false => (written::named(path), written::read(path)?),
    };
    let mut list = read_list(&text).map_err(|fault| Failure::Input(format!("{name}: {fault}")))?;
    if let ([only], false) = (&mut list[..], text.trim().contains('\n')) {
        // There is no other line to tell it from.
        only.line = None;
    }
    Ok((name, list))
}

/// The one set-up of a word of the command line.
fn read_one(game: &Commander, word: &str) -> Result<Deployment, Failure> {
    let (name, list) = read_setups(word)?;
    match &list[..] {
        [one] => one.deployment(game).map_err(|faults| Failure::Input(format!("{name}: {faults}"))),
        _ => Err(Failure::Input(format!("{name}: holds {} set-ups, expected one", list.len()))),
    }
}

/// Draws single set-ups: all equally likely, or by the usual prior or that of a file.
fn sampler(game: &Commander, prior: Option<&Option<PathBuf>>) -> Result<Sampler, Failure> {
    let input = |message: String| Failure::Input(message);
    match prior {
        None => Sampler::uniform(game).map_err(|error| input(error.to_string())),
        Some(None) => {
            Sampler::with_prior(game, &Prior::default()).map_err(|faults| input(faults.to_string()))
        }
        Some(Some(path)) => {
            let refuse = |faults: Faults| input(format!("{}: {faults}", path.display()));
            let prior = read_prior(&written::read(path)?).map_err(|fault| refuse(fault.into()))?;
            Sampler::with_prior(game, &prior).map_err(refuse)
        }
    }
}

fn read_prior(text: &str) -> Result<Prior, Fault> {
    toml::from_str(text).map_err(|error| {
        let message = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
        let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
        Fault::new(format!("line {line}"), message)
    })
}

/// Draws pairs for both sides.
fn pairs(game: &Commander, prior: Option<&Option<PathBuf>>) -> Result<PairSupply, Failure> {
    let uniform = sampler(game, None)?;
    Ok(PairSupply::drawn(game, sampler(game, prior)?, uniform, StartSides::Both))
}

/// How many of the drawn pairs were void, and why.
fn void_words(void: VoidTally, good: u64) -> String {
    let all = good + u64::from(void.total());
    let share = 100.0 * f64::from(void.total()) / all.max(1) as f64;
    format!(
        "{} of {all} pairs void ({share:.2} %): {} exposed, {} takeable, {} over",
        void.total(),
        void.exposed,
        void.takeable,
        void.over
    )
}
