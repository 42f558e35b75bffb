//! The library that is loaded into a program, and what it tells.

use crate::fault::{Calls, Fault, Site};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Endings of what is put aside until something new is in its place, or removed.
const ASIDE: [&str; 2] = [".replaced", ".removed"];

const SOURCE: &str = include_str!("shim.c");

/// The compiled library.
pub struct Shim {
    directory: TempDir,
}

/// A real-time clock that jumps back while a program works.
#[derive(Clone, Copy, Debug)]
pub struct ClockJump {
    /// How far.
    pub seconds: u64,
    /// After so many readings.
    pub readings: u32,
}

/// What a program called until it ended.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// All calls.
    pub calls: Calls,
    /// Where the fault came, if it came.
    pub fired: Option<Fired>,
    /// Renames whose directory was not synced before the next one in it, or at all: after a power cut the name may
    /// be the old one. What is only put aside does not count. One that ended early may have left its last one so.
    pub unsynced: Vec<Site>,
}

/// A fault that came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fired {
    /// When, by the monotonic clock.
    pub nanoseconds: u64,
    /// The call.
    pub call: String,
    /// Its site.
    pub site: String,
}

impl Shim {
    /// Compiles the library with the C compiler, `$CC` or `cc`.
    ///
    /// # Errors
    /// No compiler, or one that fails.
    pub fn build() -> Result<Shim> {
        let directory = tempfile::tempdir().context("a place for the shim")?;
        let source = directory.path().join("shim.c");
        std::fs::write(&source, SOURCE)?;
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        let output = Command::new(&compiler)
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .arg(directory.path().join("shim.so"))
            .arg(&source)
            .arg("-ldl")
            .output()
            .with_context(|| format!("the C compiler `{compiler}` cannot be run (set CC)"))?;
        if !output.status.success() {
            bail!("`{compiler}` cannot compile the shim: {}", String::from_utf8_lossy(&output.stderr));
        }
        Ok(Shim { directory })
    }

    fn library(&self) -> PathBuf {
        self.directory.path().join("shim.so")
    }

    /// Lets a command run with the library: calls below `root` go into the file `trace`.
    pub fn load(&self, command: &mut Command, root: &Path, trace: &Path) {
        command.env("LD_PRELOAD", self.library());
        command.env("GARRISON_SHIM_ROOT", root).env("GARRISON_SHIM_TRACE", trace);
    }
}

/// Adds a fault to a command that runs with the library.
pub fn add_fault(command: &mut Command, fault: &Fault) {
    command
        .env("GARRISON_SHIM_CALL", &fault.call)
        .env("GARRISON_SHIM_SITE", &fault.site)
        .env("GARRISON_SHIM_NUMBER", fault.number.to_string())
        .env("GARRISON_SHIM_EFFECT", fault.effect_word());
}

/// Adds a jump of the clock to a command that runs with the library.
pub fn add_jump(command: &mut Command, jump: ClockJump) {
    command.env("GARRISON_SHIM_CLOCK", format!("{} {}", jump.seconds, jump.readings));
}

impl Trace {
    /// Reads a file that the library wrote; empty where there is none.
    pub fn read(path: &Path) -> Trace {
        let mut trace = Trace::default();
        let mut renamed: BTreeMap<String, Site> = BTreeMap::new();
        let text = std::fs::read(path).unwrap_or_default();
        for line in String::from_utf8_lossy(&text).lines() {
            let Some((first, rest)) = line.split_once(' ') else { continue };
            if let Some(time) = first.strip_prefix('!') {
                let (call, site) = rest.split_once(' ').unwrap_or((rest, ""));
                let nanoseconds = time.parse().unwrap_or_default();
                trace.fired = Some(Fired { nanoseconds, call: call.to_owned(), site: site.to_owned() });
            } else {
                *trace.calls.entry((first.to_owned(), rest.to_owned())).or_default() += 1;
            }
            if first == "rename" && !ASIDE.iter().any(|ending| rest.ends_with(ending)) {
                let directory = rest.rsplit_once('/').map_or("", |(directory, _)| directory);
                trace.unsynced.extend(renamed.insert(directory.to_owned(), rest.to_owned()));
            } else if first == "sync" {
                renamed.remove(rest);
            }
        }
        trace.unsynced.extend(renamed.into_values());
        trace
    }
}

/// The monotonic clock in nanoseconds, the one of [`Fired::nanoseconds`].
pub fn now_nanoseconds() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is valid for the call.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::{Effect, Lasting, Moment};
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Output, Stdio};

    /// Lets a shell write `12345678` into `run/file7`, with a fault.
    fn shell(shim: &Shim, place: &Path, effect: Effect, call: &str, script: &str) -> (Output, Trace) {
        let (run, trace) = (place.join("run"), place.join("trace"));
        std::fs::create_dir_all(&run).unwrap();
        let _ = std::fs::remove_file(&trace);
        let mut command = Command::new("sh");
        command.args(["-c", script]).current_dir(&run).stderr(Stdio::piped());
        shim.load(&mut command, &run.canonicalize().unwrap(), &trace);
        let fault = Fault { call: call.to_owned(), site: "file#".to_owned(), number: 1, effect };
        add_fault(&mut command, &fault);
        (command.output().unwrap(), Trace::read(&trace))
    }

    #[test]
    fn effects_come_at_the_call_that_was_chosen() {
        let shim = Shim::build().unwrap();
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("run/file7");
        let write = "exec 5>file7; printf 12345678 >&5";
        let wrote = |effect: Effect, call: &str| {
            let _ = std::fs::remove_file(&file);
            let (output, trace) = shell(&shim, place.path(), effect, call, write);
            assert!(trace.fired.is_some(), "{effect:?} did not come: {trace:?}");
            (output, std::fs::read_to_string(&file).ok())
        };
        for (moment, contents) in [(Moment::Before, ""), (Moment::Half, "1234"), (Moment::After, "12345678")]
        {
            let (output, found) = wrote(Effect::Kill(moment), "write");
            assert_eq!((output.status.signal(), found.as_deref()), (Some(libc::SIGKILL), Some(contents)));
        }
        // Some shells say nothing of it; nothing is written by any.
        let (_, found) = wrote(Effect::Fail(libc::ENOSPC, Lasting::Once), "write");
        assert_eq!(found.as_deref(), Some(""));
        let (output, found) = wrote(Effect::Kill(Moment::Before), "open");
        assert_eq!((output.status.signal(), found), (Some(libc::SIGKILL), None));
        let (output, _) = wrote(Effect::Signal(libc::SIGTERM), "open");
        assert_eq!(output.status.signal(), Some(libc::SIGTERM));
    }

    #[test]
    fn clocks_jump_back() {
        let shim = Shim::build().unwrap();
        let place = tempfile::tempdir().unwrap();
        let date = |jump: Option<ClockJump>| -> u64 {
            let mut command = Command::new("date");
            command.arg("+%s");
            shim.load(&mut command, place.path(), &place.path().join("trace"));
            if let Some(jump) = jump {
                add_jump(&mut command, jump);
            }
            let output = command.output().unwrap();
            String::from_utf8_lossy(&output.stdout).trim().parse().unwrap()
        };
        let before = date(None);
        assert!(date(Some(ClockJump { seconds: 100_000, readings: 0 })) < before - 90_000);
    }

    #[test]
    fn a_rename_counts_as_unsynced_until_its_own_directory_is_synced() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("trace");
        let unsynced = |text: &str| {
            std::fs::write(&path, text).unwrap();
            Trace::read(&path).unsynced
        };
        assert!(unsynced("rename a\nopen \nsync \nrename b/c\nsync b\nrename b/d\nsync b\n").is_empty());
        assert_eq!(unsynced("rename a\nsync a\nsync b\n"), ["a"]);
        // A sync for another rename does not make up for it.
        assert_eq!(unsynced("rename a/b\nrename a/c\nsync a\n"), ["a/b"]);
        assert_eq!(unsynced("rename a/b.replaced\nrename a/b\n"), ["a/b"]);
    }
}
