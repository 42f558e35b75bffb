//! `train doctor`: what this program runs on, what is wrong with it, and what to mend.

use crate::arguments::DoctorArguments;
use crate::failure::Failure;
use crate::lock::RunLock;
use crate::machine::{GIB, Memory, free_bytes, load};
use crate::manifest::{LIBTORCH, Processor, Source};
use anyhow::{Context, Result};
use game::{PlaneShape, PolicyShape};
use net::runtime::{LibTorch, Prepared, TCH};
use net::{Device, InferenceModel, Net, NetConfig, Plan, Precision};
use selfplay::{Batch, Evaluator};
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// As it should be.
    Fine,
    /// Works, but slower or less safely than it could.
    Notice,
    /// Does not work.
    Fault,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What.
    pub name: &'static str,
    /// How it is.
    pub status: Status,
    /// What was found.
    pub found: String,
    /// What to do; empty where there is nothing to do.
    pub mend: String,
}

impl Finding {
    fn fine(name: &'static str, found: impl Into<String>) -> Finding {
        Finding { name, status: Status::Fine, found: found.into(), mend: String::new() }
    }

    fn notice(name: &'static str, found: impl Into<String>, mend: &str) -> Finding {
        Finding { name, status: Status::Notice, found: found.into(), mend: mend.to_owned() }
    }

    fn fault(name: &'static str, found: impl Into<String>, mend: &str) -> Finding {
        Finding { name, status: Status::Fault, found: found.into(), mend: mend.to_owned() }
    }
}

/// All findings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Examination {
    /// One a line of the report.
    pub findings: Vec<Finding>,
}

impl Examination {
    /// Whether everything works.
    pub fn is_sound(&self) -> bool {
        self.findings.iter().all(|finding| finding.status != Status::Fault)
    }

    /// A table for people.
    pub fn lines(&self) -> String {
        let mut text = String::new();
        for Finding { name, status, found, mend } in &self.findings {
            let status = match status {
                Status::Fine => "fine  ",
                Status::Notice => "notice",
                Status::Fault => "FAULT ",
            };
            text.push_str(&format!("{status}  {name:<12} {found}\n"));
            if !mend.is_empty() {
                text.push_str(&format!("{:>22}-> {mend}\n", ""));
            }
        }
        text
    }
}

/// Runs the command; the report for standard output, and whether everything works. `prepared` says what the
/// process could set when it began.
///
/// # Errors
/// Only what cannot be written down.
pub fn doctor(arguments: &DoctorArguments, prepared: Prepared) -> Result<(String, bool), Failure> {
    // First: a CUDA library must be loaded before LibTorch is used for anything else.
    let device = device(arguments.device);
    let mut findings =
        vec![program(), tch(), libtorch(), device, allocator(prepared), environment(), threads()];
    findings.push(processor());
    findings.push(speed());
    findings.push(memory());
    findings.extend(disk(&arguments.directory));
    let examination = Examination { findings };
    let text = if arguments.json {
        serde_json::to_string_pretty(&examination).context("doctor")? + "\n"
    } else {
        examination.lines()
    };
    Ok((text, examination.is_sound()))
}

fn program() -> Finding {
    let source = match Source::here() {
        Some(source) if source.dirty => format!(", commit {} with changes", source.commit),
        Some(source) => format!(", commit {}", source.commit),
        None => String::new(),
    };
    Finding::fine("program", format!("train {}{source}", env!("CARGO_PKG_VERSION")))
}

fn tch() -> Finding {
    Finding::fine("tch", TCH)
}

fn libtorch() -> Finding {
    let LibTorch { headers, version, path, .. } = LibTorch::here();
    let found = format!("{version} from {path}");
    if version == LIBTORCH && headers == LIBTORCH {
        return Finding::fine("LibTorch", found);
    }
    Finding::fault(
        "LibTorch",
        format!("{found}, compiled with the headers of {headers}; this program is made for {LIBTORCH}"),
        "run scripts/setup and build again; take other LibTorchs out of LD_LIBRARY_PATH",
    )
}

fn allocator(prepared: Prepared) -> Finding {
    match prepared.mmap_threshold {
        Some(bytes) => {
            Finding::fine("allocator", format!("keeps memory, blocks of up to {} MiB", bytes >> 20))
        }
        None => Finding::notice(
            "allocator",
            "could not be told to keep memory",
            "use the C library's own allocator (no LD_PRELOAD of another one): eager inference is 1.5 times faster",
        ),
    }
}

/// Variables that lead programs to another LibTorch.
fn environment() -> Finding {
    let suspect = |name: &str| {
        let value = std::env::var(name).unwrap_or_default();
        (value.contains("torch") || (name == "LD_PRELOAD" && !value.is_empty()))
            .then(|| format!("{name}={value}"))
    };
    let found: Vec<String> = ["LD_LIBRARY_PATH", "LD_PRELOAD"].into_iter().filter_map(suspect).collect();
    if found.is_empty() {
        return Finding::fine("environment", "nothing leads to other libraries");
    }
    Finding::notice(
        "environment",
        found.join(", "),
        "not needed here: programs know where their LibTorch is; unset it if anything fails to load",
    )
}

fn threads() -> Finding {
    let cores = crate::manifest::cores();
    let own = LibTorch::here().threads;
    let found = format!("{cores} cores may be used, one worker each; {own} LibTorch thread an operation");
    if own != 1 {
        return Finding::fault("threads", found, "a bug: LibTorch's threads could not be limited to one");
    }
    match load() {
        Some(load) if load > cores as f64 * 1.25 => Finding::notice(
            "threads",
            format!("{found}; the last minute's load was {load:.1}"),
            "other processes are at work: stop them, or measure later",
        ),
        _ => Finding::fine("threads", found),
    }
}

fn device(choice: net::DeviceChoice) -> Finding {
    match net::device::open(choice) {
        Ok(Device::Cpu) => Finding::fine("device", "cpu (add --device cuda to look for a CUDA device)"),
        Ok(_) => Finding::fine("device", "cuda: the library loads and finds a device"),
        Err(error) => Finding::fault(
            "device",
            error.to_string(),
            "train on the processor (--device cpu), or get a LibTorch with CUDA: scripts/setup --cuda",
        ),
    }
}

fn processor() -> Finding {
    let Processor { name, flags, .. } = Processor::here();
    let flags = if flags.is_empty() { "none that matter".to_owned() } else { flags.join(" ") };
    let capability = LibTorch::here().capability;
    let found = format!("{name}; instructions {flags}; LibTorch's kernels use {capability}");
    if capability.contains("DEFAULT") || capability.contains("NO AVX") {
        return Finding::notice("processor", found, "without AVX2 networks run several times slower");
    }
    Finding::fine("processor", found)
}

/// Rows of a batch, and time, for measuring.
const ROWS: usize = 64;
const TIME: Duration = Duration::from_millis(500);

/// How a network of the default size is run, and how fast.
fn speed() -> Finding {
    match measure() {
        Ok((plan, speed)) => {
            let NetConfig { blocks, channels, .. } = NetConfig::default();
            Finding::fine(
                "inference",
                format!("{blocks}x{channels} on 12x11 squares: {speed:.0} positions/s a core, {plan}"),
            )
        }
        Err(error) => Finding::fault("inference", format!("{error:#}"), "run scripts/setup and build again"),
    }
}

fn measure() -> Result<(Plan, f64)> {
    let planes = PlaneShape { channels: 60, rows: 12, columns: 11 };
    let policy = PolicyShape { squares: planes.squares(), planes: 8, cells_per_step: 1 };
    let net = Net::new(&NetConfig::default(), planes, policy, 1)?;
    let plan = Plan::choose(&net, Precision::Auto, Device::Cpu)?;
    let mut evaluator = InferenceModel::new(&net, &plan)?.evaluator();
    let mut batch = Batch::new(planes, policy, ROWS);
    let numbers = vec![0.5; planes.len()];
    for _ in 0..ROWS {
        batch.push_numbers(&numbers, &[0, 1, 2, 3]);
    }
    let begin = Instant::now();
    let mut rows = 0;
    while begin.elapsed() < TIME {
        evaluator.evaluate(&mut batch)?;
        rows += ROWS;
    }
    Ok((plan, rows as f64 / begin.elapsed().as_secs_f64()))
}

fn memory() -> Finding {
    let Some(Memory { total, available }) = Memory::here() else {
        return Finding::notice("memory", "the system does not say", "look with `free -m`");
    };
    let found = format!("{:.1} GiB available of {:.1} GiB", available / GIB, total / GIB);
    if available < 2.0 * GIB {
        return Finding::notice(
            "memory",
            found,
            "stop other programs, or lower window.size, selfplay.games_per_worker and selfplay.cache_megabytes",
        );
    }
    Finding::fine("memory", found)
}

/// Room on the disk, and whether a run can live there.
fn disk(directory: &Path) -> Vec<Finding> {
    let shown = directory.display();
    let room = match free_bytes(directory) {
        Ok(free) if free < 0.2 * GIB => Finding::fault(
            "disk",
            format!("{:.2} GiB free at {shown}", free / GIB),
            "make room, or choose another place for --run; retention.games = \"window\" keeps runs small",
        ),
        Ok(free) if free < 5.0 * GIB => Finding::notice(
            "disk",
            format!("{:.1} GiB free at {shown}", free / GIB),
            "long runs need more: see `train plan`, and retention.games = \"window\"",
        ),
        Ok(free) => Finding::fine("disk", format!("{:.0} GiB free at {shown}", free / GIB)),
        Err(error) => Finding::fault("disk", format!("{shown}: {error}"), "name a directory that exists"),
    };
    if room.status == Status::Fault {
        return vec![room];
    }
    let files = match try_files(directory) {
        Ok(milliseconds) => Finding::fine(
            "files",
            format!("written, locked, renamed and flushed at {shown} ({milliseconds:.0} ms to the disk)"),
        ),
        Err(error) => Finding::fault(
            "files",
            format!("{error:#}"),
            "a run must be able to write, lock and rename here: choose a local directory that is yours",
        ),
    };
    vec![room, files]
}

/// Does with a small directory what a run does; milliseconds that a flush took.
fn try_files(directory: &Path) -> Result<f64> {
    let place = directory.join(format!(".garrison-doctor-{}", std::process::id()));
    fs::create_dir(&place).with_context(|| place.display().to_string())?;
    let tried = try_in(&place);
    let removed = fs::remove_dir_all(&place).with_context(|| place.display().to_string());
    let milliseconds = tried?;
    removed.map(|()| milliseconds)
}

fn try_in(place: &Path) -> Result<f64> {
    let (first, second): (PathBuf, PathBuf) = (place.join("first"), place.join("second"));
    let (lock, _) = RunLock::take(place)?;
    if RunLock::take(place).is_ok() {
        anyhow::bail!("{}: files cannot be locked there", place.display());
    }
    drop(lock);
    let begin = Instant::now();
    files::write(&first, &[7; 4096]).with_context(|| first.display().to_string())?;
    let milliseconds = begin.elapsed().as_secs_f64() * 1000.0;
    fs::rename(&first, &second).with_context(|| first.display().to_string())?;
    Ok(milliseconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_that_cannot_take_a_run_are_faults_with_a_mend() {
        let place = tempfile::tempdir().unwrap();
        let findings = disk(place.path());
        assert!(findings.iter().all(|finding| finding.status != Status::Fault), "{findings:?}");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0, "nothing stays behind");
        let findings = disk(Path::new("/nowhere/at/all"));
        assert_eq!(findings[0].status, Status::Fault);
        assert!(!findings[0].mend.is_empty());
        // Nobody can make files there.
        let findings = disk(Path::new("/proc"));
        assert!(findings.iter().any(|finding| finding.status == Status::Fault), "{findings:?}");
    }

    #[test]
    fn a_report_shows_what_to_mend_below_what_was_found() {
        let findings = vec![Finding::fine("a", "good"), Finding::fault("b", "bad", "mend it")];
        let examination = Examination { findings };
        assert!(!examination.is_sound());
        assert_eq!(
            examination.lines(),
            "fine    a            good\nFAULT   b            bad\n                      -> mend it\n"
        );
    }
}
