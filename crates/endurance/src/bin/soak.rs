//! The `soak` binary: lets a training run work for a long time and looks at what it takes. Exit codes: 0 nothing
//! grew, 1 something grew or the run failed, 2 bad command line.

use anyhow::{Context, Result, bail};
use clap::Parser;
use endurance::soak::{Sample, Verdict};
use endurance::subject::Programs;
use report::{Axis, LineChart, Page, Section, Series};
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// Trains for a long time and checks that memory, file handles and threads do not grow once it is warm.
#[derive(Parser)]
struct Arguments {
    /// The config that is trained.
    config: PathBuf,
    /// How long.
    #[arg(long, default_value_t = 40.0, value_name = "M")]
    minutes: f64,
    /// Seconds from one look to the next.
    #[arg(long, default_value_t = 5.0, value_name = "S")]
    every: f64,
    /// Growth of memory from which on the run fails, MiB an hour, where the interval of the slope lies above 0.
    #[arg(long, default_value_t = 2.0, value_name = "MIB")]
    most: f64,
    /// Further arguments of `train run`, such as --set KEY=VALUE.
    #[arg(last = true)]
    more: Vec<String>,
    /// Where the run is kept [default: nowhere]
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
    /// The directory with the programs [default: the one of this program]
    #[arg(long, value_name = "DIR")]
    programs: Option<PathBuf>,
    /// Writes samples and verdict there as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Writes a page with the curves there.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(verdict) => ExitCode::from(u8::from(!verdict.growth.is_empty())),
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            ExitCode::from(1)
        }
    }
}

fn run(arguments: &Arguments) -> Result<Verdict> {
    let own = std::env::current_exe().context("the directory of the programs")?;
    let directory =
        arguments.programs.clone().or_else(|| own.parent().map(PathBuf::from)).unwrap_or_default();
    let place = tempfile::tempdir().context("a temporary directory")?;
    let run = arguments.run.clone().unwrap_or_else(|| place.path().join("run"));
    let errors = place.path().join("stderr");
    let mut child = Command::new(Programs::in_directory(&directory).train)
        .arg("run")
        .arg(&arguments.config)
        .arg("--run")
        .arg(&run)
        .args(&arguments.more)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::create(&errors)?)
        .spawn()
        .context("train cannot be run")?;
    let (begin, time) = (Instant::now(), 60.0 * arguments.minutes);
    let mut samples = Vec::new();
    while begin.elapsed().as_secs_f64() < time {
        std::thread::sleep(Duration::from_secs_f64(arguments.every));
        if let Some(status) = child.try_wait()? {
            bail!("the run ended by itself ({status}): {}", std::fs::read_to_string(&errors)?.trim_end());
        }
        samples.push(Sample::of(child.id(), begin.elapsed().as_secs_f64())?);
    }
    // SAFETY: a plain call; the child has not been waited for, so the number is its own.
    unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) };
    let status = child.wait()?;
    if status.code() != Some(130) {
        bail!(
            "the run did not stop as it should ({status}): {}",
            std::fs::read_to_string(&errors)?.trim_end()
        );
    }
    let verdict = Verdict::of(&samples, arguments.most);
    let lines = in_words(&verdict, samples.len(), arguments.minutes);
    let _ = writeln!(std::io::stdout(), "{lines}");
    if let Some(path) = &arguments.json {
        let json = serde_json::json!({"schema": 1, "config": arguments.config, "verdict": verdict, "samples": samples});
        std::fs::write(path, serde_json::to_vec(&json)?).with_context(|| path.display().to_string())?;
    }
    if let Some(path) = &arguments.html {
        let page = page(&arguments.config.display().to_string(), &lines, &samples);
        std::fs::write(path, page.to_html()).with_context(|| path.display().to_string())?;
    }
    Ok(verdict)
}

fn in_words(verdict: &Verdict, count: usize, minutes: f64) -> String {
    let slope = verdict.slope.map_or("unknown".to_owned(), |slope| {
        format!("{:+.2} MiB an hour ({:+.2} to {:+.2})", slope.per_hour, slope.low, slope.high)
    });
    let [handles, threads] = [verdict.handles, verdict.threads];
    let grew = if verdict.growth.is_empty() { "nothing grew".to_owned() } else { verdict.growth.join("; ") };
    format!(
        "{count} samples in {minutes:.0} minutes: memory {:.0} MiB at most, after the first third {slope}; handles \
         never fewer than {} and {}, threads than {} and {} in the first and last fifth of the rest; {grew}",
        verdict.peak_mib, handles[0], handles[1], threads[0], threads[1]
    )
}

fn page(title: &str, lines: &str, samples: &[Sample]) -> Page {
    let curve = |number: fn(&Sample) -> f64| -> Vec<(f64, f64)> {
        samples.iter().map(|sample| (sample.seconds / 60.0, number(sample))).collect()
    };
    let minutes = || Axis::new("minutes");
    let memory = LineChart::new("Resident memory", minutes(), Axis::new("MiB"))
        .note(lines)
        .with(Series::new("resident", curve(|sample| sample.resident_mib)));
    let handles = LineChart::new("File handles and threads", minutes(), Axis::new("number"))
        .with(Series::new("handles", curve(|sample| sample.handles as f64)))
        .with(Series::new("threads", curve(|sample| sample.threads as f64)));
    Page {
        title: format!("Soak of {title}"),
        sections: vec![Section::new("").whole(memory.to_html()).whole(handles.to_html())],
        ..Page::default()
    }
}
