//! A process that is talked to line by line.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// Lines that may wait to be read; a process that says more has to wait.
const WAITING_LINES: usize = 1_000;

/// The longest line in bytes; what is longer counts as several lines.
const LONGEST_LINE: u64 = 1 << 16;

/// How long a process may take to end by itself when it has been told to.
const FAREWELL: Duration = Duration::from_millis(300);

/// A running program. It is in a process group of its own, so that a Ctrl-C at the terminal does not
/// reach it and nothing that it has started outlives it: dropping ends the whole group.
pub(crate) struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    farewell: &'static str,
}

/// What came of waiting for a line.
pub(crate) enum Heard {
    /// A line, without its line break.
    Line(String),
    /// Nothing in time.
    Nothing,
    /// Nothing, and there never will be: the process has closed its output.
    Closed,
}

impl Process {
    /// Starts a program; what it says on standard error is dropped. `farewell` is the line that asks it
    /// to end.
    pub(crate) fn start(
        program: &OsStr,
        arguments: &[String],
        farewell: &'static str,
    ) -> io::Result<Process> {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) = pipes.ok_or_else(|| io::Error::other("it has no pipes"))?;
        let (sender, lines) = sync_channel(WAITING_LINES);
        std::thread::Builder::new()
            .name("engine output".to_owned())
            .spawn(move || listen(output, &sender))?;
        Ok(Process { child, input, lines, farewell })
    }

    /// Says a line.
    pub(crate) fn say(&mut self, line: &str) -> io::Result<()> {
        self.input.write_all(format!("{line}\n").as_bytes())
    }

    /// The next line, waiting until `deadline` at most.
    pub(crate) fn hear(&self, deadline: Instant) -> Heard {
        match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => Heard::Line(line),
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::Closed,
        }
    }

    /// How it ended, in words; waits a moment for a process that is ending.
    pub(crate) fn end(&mut self) -> String {
        match self.wait(FAREWELL) {
            Some(status) => match (status.code(), status.signal()) {
                (Some(code), _) => format!("exit code {code}"),
                (None, Some(signal)) => format!("signal {signal}"),
                (None, None) => "unknown".to_owned(),
            },
            None => "it has closed its output".to_owned(),
        }
    }

    fn wait(&mut self, time: Duration) -> Option<std::process::ExitStatus> {
        let deadline = Instant::now() + time;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(5)),
                Ok(None) | Err(_) => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Nobody is left to tell if any of this fails; the process is then gone already.
        let _ = self.say(self.farewell);
        let _ = self.wait(FAREWELL);
        if let Ok(group) = i32::try_from(self.child.id()) {
            // SAFETY: a signal to a group that this process made; its number is not given away before
            // the child has been waited for, below or just above.
            unsafe { libc::kill(-group, libc::SIGKILL) };
        }
        let _ = self.child.wait();
    }
}

/// Hands the lines of a process on until it closes its output or nobody wants them any more.
fn listen(output: ChildStdout, lines: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match (&mut output).take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                let line = String::from_utf8_lossy(&bytes).trim().to_owned();
                if lines.send(line).is_err() {
                    return;
                }
            }
        }
    }
}
