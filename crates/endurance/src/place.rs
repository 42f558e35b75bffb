//! Where a program works while it is tormented, and how it ended.

use crate::fault::Fault;
use crate::shim::{ClockJump, Shim, Trace, add_fault, add_jump, now_nanoseconds};
use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A directory of its own with the program's directory in it.
pub struct Place {
    directory: TempDir,
    /// Name of the program's directory.
    name: String,
    moves: u32,
}

/// What is done to a start of the program.
#[derive(Clone, Debug, Default)]
pub struct Torment {
    /// A fault at a call.
    pub fault: Option<Fault>,
    /// A signal after some time.
    pub signal: Option<(i32, Duration)>,
    /// A clock that jumps back.
    pub jump: Option<ClockJump>,
    /// After how long it is given up.
    pub limit: Duration,
}

/// How a start ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// Exit code, if it ended by itself.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// Standard error.
    pub text: String,
    /// Standard output.
    pub output: String,
    /// What it called.
    pub trace: Trace,
    /// From the signal to its end.
    pub seconds_to_stop: Option<f64>,
}

impl Place {
    /// An empty one.
    ///
    /// # Errors
    /// No temporary directory.
    pub fn new() -> Result<Place> {
        let directory = tempfile::tempdir().context("a temporary directory")?;
        Ok(Place { directory, name: "work".to_owned(), moves: 0 })
    }

    /// Where programs are started.
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Name of the program's directory, as it is written on the command line.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The program's directory.
    pub fn work(&self) -> PathBuf {
        self.path().join(&self.name)
    }

    /// Gives the program's directory another name.
    ///
    /// # Errors
    /// What the file system says.
    pub fn rename(&mut self) -> Result<()> {
        let before = self.work();
        self.next_name();
        Ok(fs::rename(before, self.work())?)
    }

    /// Goes on with a copy of the program's directory.
    ///
    /// # Errors
    /// What the file system says.
    pub fn copy(&mut self) -> Result<()> {
        let before = self.work();
        self.next_name();
        copy_tree(&before, &self.work())?;
        Ok(fs::remove_dir_all(before)?)
    }

    fn next_name(&mut self) {
        self.moves += 1;
        self.name = format!("moved{}", self.moves);
    }

    /// Keeps it on the disk for good, for looking at.
    pub fn keep(self) -> PathBuf {
        self.directory.keep()
    }

    /// Runs a command that works here to its end.
    ///
    /// # Errors
    /// A program that cannot be started or does not end.
    pub fn run(&self, shim: &Shim, mut command: Command, torment: &Torment) -> Result<Ended> {
        let [trace, errors, output] = ["trace", "stderr", "stdout"].map(|name| self.path().join(name));
        let _ = fs::remove_file(&trace);
        let root = self.path().canonicalize()?.join(&self.name);
        shim.load(&mut command, &root, &trace);
        torment.fault.iter().for_each(|fault| add_fault(&mut command, fault));
        torment.jump.iter().for_each(|&jump| add_jump(&mut command, jump));
        command.current_dir(self.path()).stdin(Stdio::null());
        command.stdout(File::create(&output)?).stderr(File::create(&errors)?);
        let program = command.get_program().to_owned();
        let mut child = command.spawn().with_context(|| format!("{} cannot be run", program.display()))?;
        let begin = Instant::now();
        let mut sent = None;
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if let Some((signal, after)) = torment.signal
                && sent.is_none()
                && begin.elapsed() >= after
            {
                send(&child, signal);
                sent = Some(now_nanoseconds());
            }
            if begin.elapsed() > torment.limit {
                child.kill()?;
                child.wait()?;
                let text = read_text(&errors);
                bail!("it did not end within {} s: {text}", torment.limit.as_secs());
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        let end = now_nanoseconds();
        let trace = Trace::read(&trace);
        let fired = trace.fired.as_ref().map(|fired| fired.nanoseconds);
        let seconds_to_stop = sent.or(fired).map(|begin| end.saturating_sub(begin) as f64 * 1e-9);
        Ok(Ended {
            code: status.code(),
            signal: status.signal(),
            text: read_text(&errors),
            output: read_text(&output),
            trace,
            seconds_to_stop,
        })
    }
}

impl Ended {
    /// The last line of standard error.
    pub fn last_line(&self) -> &str {
        self.text.lines().last().unwrap_or_default()
    }

    /// How it ended, in words.
    pub fn in_words(&self) -> String {
        match (self.code, self.signal) {
            (Some(code), _) => format!("exit code {code}: {}", self.text.trim_end()),
            (None, signal) => format!("ended by signal {signal:?}: {}", self.text.trim_end()),
        }
    }
}

fn send(child: &Child, signal: i32) {
    // SAFETY: a plain call; the child has not been waited for, so the number is its own.
    unsafe { libc::kill(child.id() as libc::pid_t, signal) };
}

fn read_text(path: &Path) -> String {
    String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned()
}

fn copy_tree(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_tree(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// All files below a directory, as paths relative to it, sorted.
pub fn files_below(directory: &Path) -> Vec<PathBuf> {
    fn walk(directory: &Path, below: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let name = below.join(entry.file_name());
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => walk(&entry.path(), &name, found),
                _ => found.push(name),
            }
        }
    }
    let mut found = Vec::new();
    walk(directory, Path::new(""), &mut found);
    found.sort();
    found
}
