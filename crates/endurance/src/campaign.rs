//! Many works, tormented over and over until each is done, and compared with undisturbed ones.

use crate::fault::{Calls, Effect, Fault, Kind, signal};
use crate::figures::{Figures, Loss};
use crate::place::{Ended, Place, Torment};
use crate::shim::{ClockJump, Fired, Shim};
use crate::subject::{Kept, Programs, Subject};
use anyhow::{Context, Result, bail};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::{Duration, Instant};

/// What a campaign does.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The programs.
    pub programs: Programs,
    /// Seed of all that is drawn.
    pub seed: u64,
    /// Kills after which no work is begun any more.
    pub kills: u64,
    /// Shares of the kinds of faults, in tenths: the rest are kills.
    pub failures: u32,
    /// The same for signals.
    pub stops: u32,
    /// Most faults that one work is to survive.
    pub faults_a_work: u32,
    /// After how long a start is given up.
    pub limit: Duration,
    /// Whether the directories of works that went wrong are kept.
    pub keep: bool,
}

/// What an undisturbed work was like.
struct Reference {
    result: String,
    calls: Calls,
    seconds: f64,
}

/// A work under way.
struct Work<'a> {
    subject: &'a dyn Subject,
    place: Place,
    kept: Kept,
    history: Vec<String>,
    /// Faults so far.
    faults: Vec<(Kind, String)>,
}

/// Torments the subjects in turn until enough kills have come; `after` looks at the figures after each work.
///
/// # Errors
/// Programs that do not even work undisturbed. Whatever goes wrong under torment is in the figures.
pub fn run(
    settings: &Settings,
    subjects: &[Box<dyn Subject>],
    after: &mut dyn FnMut(&Figures) -> Result<()>,
) -> Result<Figures> {
    let shim = Shim::build()?;
    let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
    let mut figures = Figures::new(settings.seed);
    let mut references = Vec::new();
    for subject in subjects {
        references.push(undisturbed(settings, &shim, subject.as_ref()).context(subject.name())?);
    }
    'works: loop {
        for (subject, reference) in subjects.iter().zip(&references) {
            if figures.tried(Kind::Kill) >= settings.kills {
                break 'works;
            }
            let mut place = Place::new()?;
            subject.prepare(&place)?;
            let mut work = Work {
                subject: subject.as_ref(),
                place,
                kept: Kept::new(),
                history: Vec::new(),
                faults: Vec::new(),
            };
            if let Err(what) = torment(settings, &shim, &mut work, reference, &mut random, &mut figures) {
                // What came last shows what went wrong, whichever fault it was.
                if let Some((kind, group)) = work.faults.last() {
                    figures.take_back(subject.name(), *kind, group);
                }
                place = work.place;
                let kept = settings.keep.then(|| place.keep().display().to_string());
                let subject = subject.name().to_owned();
                figures.losses.push(Loss { subject, history: work.history, what, kept });
            }
            after(&figures)?;
        }
    }
    Ok(figures)
}

/// Lets a work run in peace.
fn undisturbed(settings: &Settings, shim: &Shim, subject: &dyn Subject) -> Result<Reference> {
    let place = Place::new()?;
    subject.prepare(&place)?;
    let begin = Instant::now();
    let command = subject.command(&settings.programs, &place);
    let ended = place.run(shim, command, &Torment { limit: settings.limit, ..Torment::default() })?;
    if ended.code != Some(0) {
        bail!("it does not work undisturbed: {}", ended.in_words());
    }
    let checked = subject.check(&place, &Kept::new());
    let result = checked
        .and_then(|_| subject.result(&settings.programs, &place, &ended))
        .map_err(anyhow::Error::msg)?;
    if ended.trace.calls.is_empty() {
        bail!("no system call was seen: is the program linked statically?");
    }
    Ok(Reference { result, calls: ended.trace.calls, seconds: begin.elapsed().as_secs_f64() })
}

/// Starts a work over and over, something happening to it each time, until it is done; then compares it.
fn torment(
    settings: &Settings,
    shim: &Shim,
    work: &mut Work<'_>,
    reference: &Reference,
    random: &mut ChaCha8Rng,
    figures: &mut Figures,
) -> Result<(), String> {
    // The starts after the last fault are undisturbed, so that every work comes to an end.
    for start in 0..settings.faults_a_work + 2 {
        let torment = if start < settings.faults_a_work {
            draw(settings, reference, work.subject.group(), random)
        } else {
            Torment { limit: settings.limit, ..Torment::default() }
        };
        move_directory(work, random, figures).map_err(|error| error.to_string())?;
        figures.starts += 1;
        figures.clock_jumps += u64::from(torment.jump.is_some());
        let command = work.subject.command(&settings.programs, &work.place);
        work.history.push(in_words(&torment, &work.place));
        let ended = work.place.run(shim, command, &torment).map_err(|error| format!("{error:#}"))?;
        work.history.push(format!("  {}", ended.in_words().replace('\n', "\n      ")));
        if let Some((kind, group)) = came(&torment, &ended, work.subject.group()) {
            let judged = judge(kind, &torment, &ended, &work.place);
            figures.add(work.subject.name(), kind, group, true);
            work.faults.push((kind, group.to_owned()));
            if let (Kind::Stop, Some(seconds)) = (kind, ended.seconds_to_stop) {
                figures.add_stop(work.subject.name(), seconds);
            }
            judged?;
        } else if ended.code != Some(0) {
            return Err("nothing happened to it, and it did not end well".to_owned());
        }
        work.kept = work.subject.check(&work.place, &std::mem::take(&mut work.kept))?;
        if ended.code == Some(0) && is_clean(&torment, &ended) {
            let result = work.subject.result(&settings.programs, &work.place, &ended)?;
            figures.compared += 1;
            return if result == reference.result {
                Ok(())
            } else {
                Err(format!(
                    "it ended otherwise than undisturbed: {}",
                    difference(&reference.result, &result)
                ))
            };
        }
    }
    Err("it did not come to its end".to_owned())
}

/// Whether nothing was done to a start that could show in its end: a fault that it went on after may have cost a page.
fn is_clean(torment: &Torment, ended: &Ended) -> bool {
    ended.trace.fired.is_none() || matches!(torment.fault, Some(Fault { effect: Effect::Signal(_), .. }))
}

/// Draws what happens to a start.
fn draw(
    settings: &Settings,
    reference: &Reference,
    group: fn(&str) -> &'static str,
    random: &mut ChaCha8Rng,
) -> Torment {
    let kind = match random.random_range(0..10) {
        tenth if tenth < settings.failures => Kind::Fail,
        tenth if tenth < settings.failures + settings.stops => Kind::Stop,
        _ => Kind::Kill,
    };
    let mut torment = Torment { limit: settings.limit, ..Torment::default() };
    if kind == Kind::Stop && random.random_bool(0.5) {
        let after = Duration::from_secs_f64(random.random_range(0.0..reference.seconds));
        torment.signal = Some((signal(random), after));
    } else {
        torment.fault = Some(Fault::draw(kind, &reference.calls, group, random));
    }
    if random.random_bool(0.15) {
        let seconds = *[60, 3_600, 86_400, 40_000_000].choose(random).unwrap_or(&60);
        torment.jump = Some(ClockJump { seconds, readings: random.random_range(0..200) });
    }
    torment
}

/// Now and then renames or copies the directory of a work that is stopped.
fn move_directory(work: &mut Work<'_>, random: &mut ChaCha8Rng, figures: &mut Figures) -> Result<()> {
    let chance: f64 = random.random();
    if !work.place.work().exists() || chance > 0.2 {
        return Ok(());
    }
    if chance < 0.1 {
        figures.renamed += 1;
        work.place.rename()
    } else {
        figures.copied += 1;
        work.place.copy()
    }
}

/// What came of a torment, if it came before the program had ended: its kind and its place in words.
fn came(torment: &Torment, ended: &Ended, group: fn(&str) -> &'static str) -> Option<(Kind, &'static str)> {
    if let Some((fault, Fired { site, .. })) = torment.fault.as_ref().zip(ended.trace.fired.as_ref()) {
        let lasting = fault.site == "any";
        return Some(match fault.effect {
            Effect::Kill(_) => (Kind::Kill, group(site)),
            Effect::Signal(_) => (Kind::Stop, "at a system call"),
            Effect::Short(..) if lasting => (Kind::Fail, "the disk is full from then on"),
            Effect::Fail(..) if lasting => (Kind::Fail, "permission is gone from then on"),
            Effect::Fail(..) | Effect::Short(..) => (Kind::Fail, group(site)),
        });
    }
    (torment.signal.is_some() && ended.seconds_to_stop.is_some()).then_some((Kind::Stop, "at any time"))
}

/// Whether a program ended as it should after what came.
fn judge(kind: Kind, torment: &Torment, ended: &Ended, place: &Place) -> Result<(), String> {
    match kind {
        Kind::Kill if ended.signal == Some(libc::SIGKILL) => Ok(()),
        Kind::Kill => Err("it was to be killed and was not".to_owned()),
        // The signal may come when everything is done, or before it is listened to.
        Kind::Stop if matches!(ended.code, Some(130 | 0)) => Ok(()),
        Kind::Stop if ended.code.is_none() && ended.text.is_empty() && ended.trace.calls.is_empty() => Ok(()),
        Kind::Stop => Err("a signal was to stop it with exit code 130".to_owned()),
        // What matters little may fail.
        Kind::Fail if ended.code == Some(0) => Ok(()),
        Kind::Fail => {
            let errors = ended.text.lines().filter(|line| line.starts_with("error: ")).count();
            let named = ended.last_line().contains(&format!("{}/", place.name()))
                || ended.last_line().contains(&format!("{}:", place.name()));
            // A name that cannot be opened is wrong input where another one would do.
            let code = ended.code == Some(1) || (ended.code == Some(2) && names_a_path(torment));
            if code && errors == 1 && ended.last_line().starts_with("error: ") && named {
                Ok(())
            } else {
                Err("it was to end with exit code 1 and one line that names the file".to_owned())
            }
        }
    }
}

fn names_a_path(torment: &Torment) -> bool {
    let call = torment.fault.as_ref().map_or("", |fault| fault.call.as_str());
    matches!(call, "open" | "mkdir" | "name" | "remove" | "rename")
}

fn in_words(torment: &Torment, place: &Place) -> String {
    let mut text = match (&torment.fault, torment.signal) {
        (Some(fault), _) => fault.to_string(),
        (None, Some((signal, after))) => format!("signal {signal} after {:.3} s", after.as_secs_f64()),
        (None, None) => "nothing".to_owned(),
    };
    if let Some(ClockJump { seconds, readings }) = torment.jump {
        text += &format!(", the clock {seconds} s back after {readings} readings");
    }
    format!("{text}, in `{}`", place.name())
}

/// The first line in which two results differ.
fn difference(wanted: &str, found: &str) -> String {
    let lines = wanted.lines().zip(found.lines()).find(|(wanted, found)| wanted != found);
    let short = |line: &str| line.chars().take(200).collect::<String>();
    match lines {
        Some((wanted, found)) => format!("`{}`, not `{}`", short(found), short(wanted)),
        None => format!("{} lines, not {}", found.lines().count(), wanted.lines().count()),
    }
}
