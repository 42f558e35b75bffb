//! `study report`: the page and the tables of a study, or the page of a policy.

use crate::arguments::ReportArguments;
use crate::deploy::findings as learned;
use crate::directory::read_findings;
use crate::players::open_commander;
use commander::Commander;
use deployments::{Findings, page, tables};
use evaluate::failure::{End, Failure};
use evaluate::say;
use std::path::Path;

/// Runs the command.
///
/// # Errors
/// A directory without findings, and any error of the file system.
pub fn run(arguments: &ReportArguments) -> Result<End, Failure> {
    if arguments.directory.join(learned::FINDINGS).exists() {
        return learned_report(arguments);
    }
    let findings = read_findings(&arguments.directory)?;
    let game = open_commander(findings.rules.clone())?;
    let out = arguments.out.as_deref().unwrap_or(&arguments.directory);
    std::fs::create_dir_all(out).map_err(|error| Failure::input(format!("{}: {error}", out.display())))?;
    write(&arguments.directory, out, &game, &findings)?;
    say(&format!("{}: page, CSV and Parquet", out.display()));
    Ok(End::Finished)
}

/// The page of a policy.
fn learned_report(arguments: &ReportArguments) -> Result<End, Failure> {
    let findings = learned::read_findings(&arguments.directory)?;
    let game = open_commander(findings.rules.clone())?;
    let out = arguments.out.as_deref().unwrap_or(&arguments.directory);
    std::fs::create_dir_all(out).map_err(|error| Failure::path(out, &error))?;
    learned::write_page(&arguments.directory, out, &game, &findings)?;
    say(&format!("{}: page", out.display()));
    Ok(End::Finished)
}

/// Writes page and tables of the study in `directory` to `out`.
///
/// # Errors
/// Any error of the file system.
pub fn write(directory: &Path, out: &Path, game: &Commander, findings: &Findings) -> Result<(), Failure> {
    let fault = |error: std::io::Error| Failure::work(format!("{}: {error}", out.display()));
    let name =
        directory.file_name().map_or_else(String::new, |name| format!(" · {}", name.to_string_lossy()));
    let foot = concat!("Written by study ", env!("CARGO_PKG_VERSION"), " of Garrison.");
    let html = page::page(&format!("Opening deployments{name}"), game, findings, foot).to_html();
    files::write(&out.join(page::FILE), html.as_bytes()).map_err(fault)?;
    tables::write(out, findings).map_err(fault)
}
