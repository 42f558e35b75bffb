//! Disks that are full, directories that cannot be written, runs that are taken, and Ctrl-C pressed twice.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod support;

use selfplay::ShardReader;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use support::{Place, TINY, checkpoints, cycles, wait_until};

/// Exit code 1, and one line that says why.
fn failed(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    let errors = text.lines().filter(|line| line.starts_with("error: ")).count();
    assert_eq!(errors, 1, "{text}");
    assert!(text.lines().last().unwrap().starts_with("error: "), "{text}");
    text
}

/// Files that were being written, below a directory.
fn half_written(directory: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap().flatten() {
        let (path, name) = (entry.path(), entry.file_name().into_string().unwrap());
        if name.ends_with(".partial") || name.ends_with(".part") || name.ends_with(".open") {
            found.push(name);
        }
        if path.is_dir() {
            found.extend(half_written(&path));
        }
    }
    found
}

/// Runs with files limited to so many bytes: writing more fails as on a full disk.
fn run_with_room(place: &Place, arguments: &[&str], bytes: u64) -> Output {
    let mut command = place.command(arguments);
    // Without git the manifest is small, whatever the checkout has that is not committed.
    command.env("PATH", "");
    // SAFETY: between fork and exec only calls that are safe there: signal and setrlimit.
    unsafe {
        command.pre_exec(move || {
            // Without this the first write too long ends the process instead of failing.
            libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
            let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
            if libc::setrlimit(libc::RLIMIT_FSIZE, &raw const limit) == 0 {
                Ok(())
            } else {
                Err(std::io::Error::last_os_error())
            }
        });
    }
    command.output().unwrap()
}

#[test]
fn a_full_disk_stops_the_run_with_nothing_half_written() {
    let place = Place::new(TINY);
    place.done(&["--run", "sizes", "--cycles", "1"]);
    let weights = fs::metadata(place.path("sizes/checkpoints/000001/weights.safetensors")).unwrap().len();
    let optimizer = fs::metadata(place.path("sizes/checkpoints/000001/optimizer.safetensors")).unwrap().len();
    assert!(weights > 20_000 && optimizer > weights, "{weights} {optimizer}");

    // No room for the first checkpoint.
    let text = failed(&run_with_room(&place, &["--run", "first"], weights / 2));
    assert!(text.contains("the run cannot be saved") && text.contains("checkpoints/000000"), "{text}");
    let first = place.path("first");
    assert_eq!((half_written(&first), checkpoints(&first)), (vec![], vec![]));
    place.done(&["--run", "first"]);
    assert_eq!(cycles(&first), [0, 1, 2]);

    // Room for checkpoints, but not for all the games of a cycle.
    let many = ["--run", "games", "--set", "cycle.positions=1000000", "--set", "evaluation.every_cycles=0"];
    let text = failed(&run_with_room(&place, &many, optimizer + 1000));
    assert!(text.contains("games-000000"), "{text}");
    let games = place.path("games");
    assert_eq!((half_written(&games), checkpoints(&games)), (vec![], vec!["000000".to_owned()]));
    let mut reader = ShardReader::open(&games.join("games/games-000000.shard")).unwrap();
    let mut whole = 0;
    while let Some(block) = reader.next_block().unwrap() {
        whole += block.expect("a closed shard is whole").len();
    }
    assert!(whole > 50, "only {whole} games were kept");
    let text =
        place.done(&["--run", "games", "--resume", "--cycles", "1", "--set", "evaluation.every_cycles=0"]);
    assert!(!text.contains("dropped") && !text.contains("warning: games"), "{text}");
    assert_eq!(cycles(&games), [1]);
}

/// Takes root's right to write where it may not, in the process that is about to begin.
fn without_override(command: &mut Command) -> &mut Command {
    const CAP_DAC_OVERRIDE: libc::c_ulong = 1;
    // SAFETY: between fork and exec only a system call. It fails for users who have no such right anyway.
    unsafe {
        command.pre_exec(|| {
            libc::prctl(libc::PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0);
            Ok(())
        })
    }
}

fn set_writable(path: &Path, writable: bool) {
    let status = Command::new("chmod").args(["-R", if writable { "u+w" } else { "a-w" }]).arg(path).status();
    assert!(status.unwrap().success());
}

#[test]
fn a_read_only_directory_is_named() {
    let place = Place::new(TINY);
    fs::create_dir(place.path("closed")).unwrap();
    place.done(&["--run", "run", "--cycles", "1"]);
    let before = fs::read(place.path("run/log.jsonl")).unwrap();
    for name in ["closed", "run"] {
        set_writable(&place.path(name), false);
    }
    let new = without_override(&mut place.command(&["--run", "closed/run"])).output().unwrap();
    let resumed = without_override(&mut place.command(&["--run", "run", "--resume"])).output().unwrap();
    for name in ["closed", "run"] {
        set_writable(&place.path(name), true);
    }
    for (output, name) in [(new, "closed/run"), (resumed, "run/lock")] {
        let text = failed(&output);
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(text.contains(name) && text.contains("ermission denied"), "{text}");
    }
    assert!(!place.path("closed/run").exists());
    assert_eq!(fs::read(place.path("run/log.jsonl")).unwrap(), before, "nothing was changed");
    place.done(&["--run", "run", "--resume"]);
}

/// The second Ctrl-C does not wait for saving; what was saved before is as good as ever.
#[test]
fn a_second_ctrl_c_stops_at_once_and_leaves_nothing_half_written() {
    let place = Place::new(TINY);
    let run = place.path("run");
    let long = ["--run", "run", "--set", "cycle.positions=1000000", "--set", "evaluation.every_cycles=0"];
    let mut stopped_at_once = 0;
    for attempt in 0..4 {
        let more: &[&str] = if attempt > 0 { &["--resume"] } else { &[] };
        let lines = fs::read_to_string(run.join("log.jsonl")).map_or(0, |text| text.lines().count());
        let child = place.command(&[&long, more].concat()).stderr(Stdio::piped()).spawn().unwrap();
        let pid = child.id().to_string();
        wait_until("self-play", || {
            support::has_open_shard(&run)
                && fs::read_to_string(run.join("log.jsonl")).unwrap().lines().count() > lines
        });
        for _ in 0..2 {
            Command::new("kill").args(["-INT", &pid]).status().unwrap();
            std::thread::sleep(Duration::from_millis(3));
        }
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{text}");
        assert!(text.contains("once more to stop at once"), "{text}");
        stopped_at_once += usize::from(!text.contains("the run is saved"));
        assert_eq!(checkpoints(&run), ["000000"]);
    }
    assert!(stopped_at_once > 0, "every run had saved before the second Ctrl-C");
    let text =
        place.done(&["--run", "run", "--resume", "--cycles", "1", "--set", "evaluation.every_cycles=0"]);
    assert!(text.contains("going on after 0 cycles"), "{text}");
}

#[test]
fn a_start_that_was_cut_off_before_its_config_is_begun_anew() {
    let place = Place::new(TINY);
    // Once with a whole checkpoint, which is written before the config.
    place.done(&["--run", "whole", "--stop-after", "0", "--set", "evaluation.every_cycles=0"]);
    for file in ["config.toml", "manifest.json", "metrics.jsonl", "report.html"] {
        fs::remove_file(place.path("whole").join(file)).unwrap();
    }
    fs::remove_dir_all(place.path("whole/tb")).unwrap();
    place.done(&["--run", "whole", "--cycles", "1"]);
    assert_eq!(cycles(&place.path("whole")), [0, 1]);
    for directory in ["games", "checkpoints", "eval"] {
        fs::create_dir_all(place.path("run").join(directory)).unwrap();
    }
    fs::create_dir(place.path("run/checkpoints/000000.partial")).unwrap();
    fs::write(place.path("run/lock"), r#"{"pid":4000000,"started":1}"#).unwrap();
    fs::write(place.path("run/config.toml.partial"), "seed = ").unwrap();
    let text = place.done(&["--run", "run", "--cycles", "1"]);
    assert!(text.contains("process 4000000 ended without giving the run back"), "{text}");
    // But never over anything else.
    fs::create_dir_all(place.path("other/games")).unwrap();
    fs::write(place.path("other/games/mine"), "x").unwrap();
    assert!(place.refused(&["--run", "other"]).contains("exists already"));
}
