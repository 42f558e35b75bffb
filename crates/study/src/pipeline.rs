//! `study deployments`: a whole study in its directory.

use crate::arguments::DeploymentsArguments;
use crate::deploy::network::NetworkPolicy;
use crate::directory::{Directory, read_config};
use crate::players::{Conditions, Players, never_trained_on_set_ups};
use crate::{report, show};
use deployments::learned::Proposer;
use deployments::named::read;
use deployments::{Config, Record, RecordError, Study, StudyError, TableError};
use evaluate::arguments::RulesArguments;
use evaluate::failure::{End, Failure};
use evaluate::interrupt::Interrupt;
use evaluate::say;
use net::Threads;
use std::path::Path;
use std::sync::Arc;

/// Runs the command: plays, writes findings, page and tables, and prints a summary.
///
/// # Errors
/// Wrong input, and work that failed.
pub fn run(arguments: &DeploymentsArguments, interrupt: &Interrupt) -> Result<End, Failure> {
    let config: Config = read_config(&arguments.config)?;
    let rules = RulesArguments {
        preset: config.agent.preset.clone(),
        options: config.agent.options.clone(),
        allow_other_rules: false,
    };
    let names = std::iter::once(&config.agent.player).chain(&config.control.players).cloned().collect();
    let conditions = Conditions {
        players: names,
        rules: &rules,
        machine: &arguments.machine,
        opening_turns: config.agent.opening_turns,
        seed: config.seed,
    };
    let players = Players::open(conditions, interrupt)?;
    let file = match &config.generate.file {
        None => Vec::new(),
        Some(path) => {
            let fault = |why: String| Failure::input(format!("generate.file {path}: {why}"));
            let text = files::read_text(Path::new(path)).map_err(|error| fault(error.to_string()))?;
            read(&players.game, &text).map_err(|faults| fault(faults.to_string()))?
        }
    };
    let policy = match &config.generate.policy {
        None => None,
        Some(path) => {
            let threads = Arc::new(Threads::new(players.threads()).map_err(Failure::work)?);
            let opened = NetworkPolicy::open(Path::new(path), &players.rules(), players.device(), &threads);
            Some(opened.map_err(|failure| Failure::input(format!("generate.policy {failure}")))?.0)
        }
    };
    let directory = Directory::open(&arguments.run, &config, arguments.resume)?;
    let record = Record::open(&directory.path).map_err(|error| match error {
        RecordError::Io { .. } => Failure::work(error),
        error => Failure::input(error),
    })?;
    players.remarks.iter().for_each(|remark| say(remark));
    let warnings: Vec<String> = never_trained_on_set_ups(&config.agent.player).into_iter().collect();
    warnings.iter().for_each(|warning| say(&format!("warning: {warning}")));
    let study = Study {
        game: &players.game,
        rules: players.rules(),
        config,
        file,
        policy: policy.as_ref().map(|policy| Proposer::new(&players.game, policy)),
        table: &players,
        judge: players.judge(),
        warnings,
        say: &say,
    };
    match study.run(record) {
        Ok(findings) => {
            directory.write_findings(&findings)?;
            report::write(&directory.path, &directory.path, &players.game, &findings)?;
            show::print_findings(&findings)?;
            Ok(End::Finished)
        }
        Err(StudyError::Table(TableError::Stopped)) => {
            say(&format!("stopped; study deployments … --run {} --resume goes on", arguments.run.display()));
            Ok(End::Stopped)
        }
        Err(error) => Err(failure(error)),
    }
}

/// What a study's error means for a command.
pub(crate) fn failure(error: StudyError) -> Failure {
    match error {
        StudyError::Rules(_) | StudyError::TooFew(_) | StudyError::Record(RecordError::Foreign { .. }) => {
            Failure::input(error)
        }
        error => Failure::work(error),
    }
}
