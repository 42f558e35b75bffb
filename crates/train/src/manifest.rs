//! What produced a run: `manifest.json`.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::process::Command;

/// Version of the run directory's layout and of this file.
pub const RUN_SCHEMA: u32 = 1;

/// Version of LibTorch that this program is built for; building refuses any other.
pub const LIBTORCH: &str = "2.11.0";

/// Contents of `manifest.json`: one entry for each start of the run, so that a resumed run tells about
/// every program and machine that worked on it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`RUN_SCHEMA`].
    pub schema: u32,
    /// All starts, the first one first.
    pub starts: Vec<Start>,
}

/// One start of the program on a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// Seconds since 1970.
    pub time: f64,
    /// Version of the program.
    pub version: String,
    /// State of the source it was built from, where that is still there.
    pub source: Option<Source>,
    /// Version of LibTorch.
    pub libtorch: String,
    /// Where networks run: `cpu` or `cuda`.
    pub device: String,
    /// The processor.
    pub processor: Processor,
    /// How networks are evaluated in self-play: arithmetic and kind of module, as chosen and measured.
    pub inference: String,
    /// Seed of the run.
    pub seed: u64,
    /// Training cycles that were done before this start.
    pub from_cycle: u64,
    /// Versions of all formats and rules in use.
    pub schemas: BTreeMap<String, u32>,
    /// The arguments of the command.
    pub command: Vec<String>,
}

/// A git checkout.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// The commit.
    pub commit: String,
    /// Whether files differ from it.
    pub dirty: bool,
    /// How they differ, as `git diff` says it; empty where nothing differs.
    pub difference: String,
}

/// What matters of a processor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Processor {
    /// Its name.
    pub name: String,
    /// Cores that this process may use.
    pub cores: usize,
    /// Instruction sets that matter here.
    pub flags: Vec<String>,
}

impl Processor {
    /// The processor of this machine.
    pub fn here() -> Processor {
        let information = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let field = |name: &str| {
            information
                .lines()
                .find(|line| line.starts_with(name))
                .and_then(|line| line.split_once(':'))
                .map(|(_, value)| value.trim().to_owned())
        };
        const FLAGS: [&str; 8] =
            ["avx2", "fma", "avx512f", "avx512_vnni", "avx512_bf16", "avx_vnni", "amx_bf16", "amx_int8"];
        let all = field("flags").unwrap_or_default();
        let flags = all.split(' ').filter(|flag| FLAGS.contains(flag)).map(str::to_owned).collect();
        Processor { name: field("model name").unwrap_or_else(|| "unknown".to_owned()), cores: cores(), flags }
    }
}

/// Cores that this process may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl Source {
    /// The checkout this program was built from; `None` where it or git is not there.
    pub fn here() -> Option<Source> {
        let commit = git(&["rev-parse", "HEAD"])?;
        let status = git(&["status", "--porcelain", "--untracked-files=no"])?;
        let dirty = !status.trim().is_empty();
        let difference = if dirty { git(&["diff", "HEAD"]).unwrap_or_default() } else { String::new() };
        Some(Source { commit: commit.trim().to_owned(), dirty, difference })
    }
}

/// Output of a git command in the source directory.
fn git(arguments: &[&str]) -> Option<String> {
    let output =
        Command::new("git").arg("-C").arg(env!("CARGO_MANIFEST_DIR")).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
