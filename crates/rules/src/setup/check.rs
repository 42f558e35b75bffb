//! `rules setup check`.

use super::arguments::Check;
use super::{open_commander, read_setups};
use crate::commands::{answer, lines};
use crate::failure::Failure;
use serde::Serialize;
use std::fmt::Write as _;

#[derive(Serialize)]
struct CheckAnswer {
    legal: bool,
    setups: Vec<CheckedSetup>,
}

#[derive(Serialize)]
struct CheckedSetup {
    line: Option<usize>,
    /// Its line in the usual order, where it is legal.
    setup: Option<String>,
    faults: Vec<FaultAnswer>,
}

#[derive(Serialize)]
struct FaultAnswer {
    place: String,
    message: String,
}

/// Checks all set-ups of a text; a fault of any is a failure, after all have been told.
pub fn run(check: &Check) -> Result<String, Failure> {
    let game = open_commander(&check.common)?;
    let (name, list) = read_setups(&check.setup)?;
    let setups: Vec<CheckedSetup> = list
        .iter()
        .map(|listed| match listed.deployment(&game) {
            Ok(deployment) => {
                CheckedSetup { line: listed.line, setup: Some(deployment.to_string()), faults: Vec::new() }
            }
            Err(faults) => {
                let faults = faults.0.into_iter();
                let faults = faults.map(|fault| FaultAnswer { place: fault.place, message: fault.message });
                CheckedSetup { line: listed.line, setup: None, faults: faults.collect() }
            }
        })
        .collect();
    let count: usize = setups.iter().map(|setup| setup.faults.len()).sum();
    let value = CheckAnswer { legal: count == 0, setups };
    let answer = answer(&check.common, &value, || lines(value.setups.iter().map(told)))?;
    let faulty = value.setups.iter().filter(|setup| !setup.faults.is_empty()).count();
    match count {
        0 => Ok(answer),
        _ => {
            let message = match value.setups.len() {
                1 => format!("{name}: {count} fault{}", if count == 1 { "" } else { "s" }),
                all => format!("{name}: {faulty} of {all} set-ups are faulty"),
            };
            Err(Failure::Verdict { answer, message })
        }
    }
}

/// A set-up of a check in a line, with its faults behind.
fn told(checked: &CheckedSetup) -> String {
    let place = checked.line.map(|line| format!("line {line}: ")).unwrap_or_default();
    let mut text = match &checked.setup {
        Some(setup) => format!("{place}legal: {setup}"),
        None => format!("{place}not legal"),
    };
    for fault in &checked.faults {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n  {}: {}", fault.place, fault.message);
    }
    text
}
