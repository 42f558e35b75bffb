//! `fuzz [--seconds N | --mutations N] [--seed S] [TARGET…]`: tries targets with mutations of their corpora,
//! N seconds in all, or N mutations of each, which are the same in every run. `scripts/fuzz` builds and
//! starts it.

// The program talks to whoever runs it.
#![allow(clippy::print_stdout)]

use fuzzing::{Campaign, Finding, TARGETS, Target, corpus, target};
use std::process::ExitCode;
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    let work = match arguments(std::env::args().skip(1)) {
        Ok(work) => work,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::from(2);
        }
    };
    let limit = match work.mutations {
        Some(mutations) => Limit::Mutations(mutations),
        None => Limit::Time(work.time / work.targets.len() as u32),
    };
    for target in work.targets {
        match fuzz(target, work.seed, limit) {
            Ok(tried) => println!("{}: {tried} mutations, no finding", target.name),
            Err(message) => {
                eprintln!("error: {message}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

struct Work {
    time: Duration,
    mutations: Option<u64>,
    seed: u64,
    targets: Vec<Target>,
}

/// When a target has been tried enough.
#[derive(Clone, Copy)]
enum Limit {
    Time(Duration),
    Mutations(u64),
}

fn arguments(mut words: impl Iterator<Item = String>) -> Result<Work, String> {
    let mut work = Work { time: Duration::from_secs(30), mutations: None, seed: 1, targets: Vec::new() };
    while let Some(word) = words.next() {
        let mut number = || {
            let value = words.next().ok_or_else(|| format!("{word} needs a number"))?;
            value.parse::<u64>().map_err(|_| format!("{word}: `{value}` is no number"))
        };
        match word.as_str() {
            "--seconds" => work.time = Duration::from_secs(number()?),
            "--mutations" => work.mutations = Some(number()?),
            "--seed" => work.seed = number()?,
            name => work.targets.push(target::find(name).ok_or_else(|| {
                let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
                format!("unknown target `{name}`: known are {}", names.join(", "))
            })?),
        }
    }
    if work.targets.is_empty() {
        work.targets = TARGETS.to_vec();
    }
    Ok(work)
}

/// Tries a target up to a limit; how many mutations that were.
fn fuzz(target: Target, seed: u64, limit: Limit) -> Result<u64, String> {
    let corpus = corpus::read(target.name).map_err(|error| format!("corpus of {}: {error}", target.name))?;
    if corpus.is_empty() {
        return Err(format!("corpus of {}: no inputs", target.name));
    }
    let mut campaign = Campaign::new(target, &corpus, seed);
    campaign.try_corpus().map_err(|finding| told(&finding))?;
    let begin = Instant::now();
    let mut tried = 0;
    while match limit {
        Limit::Time(time) => begin.elapsed() < time,
        Limit::Mutations(mutations) => tried < mutations,
    } {
        campaign.try_mutation().map_err(|finding| told(&finding))?;
        tried += 1;
    }
    Ok(tried)
}

/// Keeps the input of a finding, and says where.
fn told(finding: &Finding) -> String {
    let folder = corpus::folder().join("artifacts").join(finding.target);
    let path = folder.join(format!("{:016x}", number(&finding.input)));
    let kept = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, &finding.input));
    let place = match kept {
        Ok(()) => format!("its input is {}", path.display()),
        Err(error) => format!("its input {:?} cannot be kept: {error}", finding.input),
    };
    format!("{}: {}\n{place}", finding.target, finding.message)
}

/// A number for the name of an input's file (FNV-1a).
fn number(input: &[u8]) -> u64 {
    let mix = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    input.iter().fold(0xcbf2_9ce4_8422_2325, mix)
}
