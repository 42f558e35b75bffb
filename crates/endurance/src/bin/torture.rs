//! The `torture` binary: kills, fails and stops the programs over and over. Exit codes: 0 everything was survived,
//! 1 something was lost or it could not work, 2 bad command line.

use anyhow::{Context, Result};
use clap::Parser;
use endurance::campaign::{self, Settings};
use endurance::fault::Kind;
use endurance::figures::Figures;
use endurance::subject::{Programs, Subject};
use endurance::subjects;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Kills, fails and stops the programs at their system calls, over and over, and checks that nothing is lost.
#[derive(Parser)]
struct Arguments {
    /// Kills that are to come.
    #[arg(long, default_value_t = 500, value_name = "N")]
    kills: u64,
    /// Faults of the file system among the torments, in tenths.
    #[arg(long, default_value_t = 2, value_name = "TENTHS", value_parser = clap::value_parser!(u32).range(0..=10))]
    failures: u32,
    /// Signals among the torments, in tenths.
    #[arg(long, default_value_t = 1, value_name = "TENTHS", value_parser = clap::value_parser!(u32).range(0..=10))]
    stops: u32,
    /// What is tormented, separated by commas: training, training-workers, match, ladder, study [default: all]
    #[arg(long, value_delimiter = ',', value_name = "WORK,…")]
    works: Vec<String>,
    /// Most faults that one work has to survive before it may come to its end.
    #[arg(long, default_value_t = 8, value_name = "N")]
    faults: u32,
    /// Seed of everything that is drawn.
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,
    /// The directory with the programs [default: the one of this program]
    #[arg(long, value_name = "DIR")]
    programs: Option<PathBuf>,
    /// Writes the figures there as JSON, after each work anew.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Seconds after which a start of a program counts as hanging.
    #[arg(long, default_value_t = 300, value_name = "S")]
    limit: u64,
    /// Keeps the directories of works that went wrong.
    #[arg(long)]
    keep: bool,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(figures) => {
            // Nobody to tell where standard output is closed.
            let _ = writeln!(std::io::stdout(), "{figures}");
            ExitCode::from(u8::from(!figures.losses.is_empty()))
        }
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            ExitCode::from(1)
        }
    }
}

fn run(arguments: &Arguments) -> Result<Figures> {
    let own = std::env::current_exe().context("the directory of the programs")?;
    let directory =
        arguments.programs.clone().or_else(|| own.parent().map(PathBuf::from)).unwrap_or_default();
    let settings = Settings {
        programs: Programs::in_directory(&directory.canonicalize().context("the directory of the programs")?),
        seed: arguments.seed,
        kills: arguments.kills,
        failures: arguments.failures,
        stops: arguments.stops,
        faults_a_work: arguments.faults.max(1),
        limit: Duration::from_secs(arguments.limit),
        keep: arguments.keep,
    };
    let wanted = |work: &str| arguments.works.is_empty() || arguments.works.iter().any(|name| name == work);
    let chosen: Vec<Box<dyn Subject>> =
        subjects::all().into_iter().filter(|subject| wanted(subject.name())).collect();
    anyhow::ensure!(!chosen.is_empty(), "--works: there is no such work (see --help)");
    let begin = Instant::now();
    campaign::run(&settings, &chosen, &mut |figures| {
        if let Some(path) = &arguments.json {
            std::fs::write(path, serde_json::to_vec_pretty(&figures.json())?)
                .with_context(|| path.display().to_string())?;
        }
        let seconds = begin.elapsed().as_secs();
        let (kills, lost) = (figures.tried(Kind::Kill), figures.losses.len());
        // Progress only.
        let _ =
            writeln!(std::io::stderr(), "{kills} kills, {} starts, {lost} lost, {seconds} s", figures.starts);
        Ok(())
    })
}
