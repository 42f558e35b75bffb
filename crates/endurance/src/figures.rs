//! What a campaign came to.

use crate::fault::Kind;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// Faults of one kind at one place of one subject.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    /// Faults that came.
    pub tried: u64,
    /// Those after which everything was as it should be.
    pub survived: u64,
}

/// A line of the table.
#[derive(Clone, Debug, Serialize)]
struct Row {
    subject: String,
    kind: Kind,
    place: String,
    #[serde(flatten)]
    count: Count,
}

/// Something that went wrong.
#[derive(Clone, Debug, Serialize)]
pub struct Loss {
    /// The subject.
    pub subject: String,
    /// The starts of the program and what was done to each.
    pub history: Vec<String>,
    /// What went wrong.
    pub what: String,
    /// Where it can be looked at, if it was kept.
    pub kept: Option<String>,
}

/// The figures of a campaign.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// Seed of the campaign.
    pub seed: u64,
    counts: BTreeMap<(String, Kind, String), Count>,
    /// Starts of programs.
    pub starts: u64,
    /// Works that came to their end and were compared with an undisturbed one.
    pub compared: u64,
    /// Starts in which the clock jumped back.
    pub clock_jumps: u64,
    /// Directories that were renamed between two starts.
    pub renamed: u64,
    /// Directories that were copied between two starts.
    pub copied: u64,
    /// Longest time from a signal to the end of the program, by subject.
    pub slowest_stop: BTreeMap<String, f64>,
    /// What went wrong.
    pub losses: Vec<Loss>,
}

impl Figures {
    /// Those of a campaign that begins.
    pub fn new(seed: u64) -> Figures {
        Figures { seed, ..Figures::default() }
    }

    /// Enters a fault that came.
    pub fn add(&mut self, subject: &str, kind: Kind, place: &str, survived: bool) {
        let count = self.counts.entry((subject.to_owned(), kind, place.to_owned())).or_default();
        count.tried += 1;
        count.survived += u64::from(survived);
    }

    /// Takes back that a fault was survived: it showed later that it was not.
    pub fn take_back(&mut self, subject: &str, kind: Kind, place: &str) {
        if let Some(count) = self.counts.get_mut(&(subject.to_owned(), kind, place.to_owned())) {
            count.survived = count.survived.saturating_sub(1);
        }
    }

    /// Enters how long a program took to stop.
    pub fn add_stop(&mut self, subject: &str, seconds: f64) {
        let slowest = self.slowest_stop.entry(subject.to_owned()).or_default();
        *slowest = slowest.max(seconds);
    }

    /// Faults of a kind that came.
    pub fn tried(&self, kind: Kind) -> u64 {
        self.sum(kind).tried
    }

    fn sum(&self, kind: Kind) -> Count {
        let mut sum = Count::default();
        for count in self.counts.iter().filter(|((_, own, _), _)| *own == kind).map(|(_, count)| count) {
            sum.tried += count.tried;
            sum.survived += count.survived;
        }
        sum
    }

    /// As JSON.
    pub fn json(&self) -> serde_json::Value {
        let rows: Vec<Row> = self
            .counts
            .iter()
            .map(|((subject, kind, place), &count)| Row {
                subject: subject.clone(),
                kind: *kind,
                place: place.clone(),
                count,
            })
            .collect();
        serde_json::json!({
            "schema": 1,
            "seed": self.seed,
            "starts": self.starts,
            "compared": self.compared,
            "kills": self.sum(Kind::Kill),
            "failures": self.sum(Kind::Fail),
            "stops": self.sum(Kind::Stop),
            "clock_jumps": self.clock_jumps,
            "renamed": self.renamed,
            "copied": self.copied,
            "slowest_stop_seconds": self.slowest_stop,
            "places": rows,
            "losses": self.losses,
        })
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "{:<17} {:<5} {:<34} {:>5} {:>8}", "", "", "", "tried", "survived")?;
        for ((subject, kind, place), count) in &self.counts {
            let kind = kind.to_string();
            writeln!(
                formatter,
                "{subject:<17} {kind:<5} {place:<34} {:>5} {:>8}",
                count.tried, count.survived
            )?;
        }
        for kind in [Kind::Kill, Kind::Fail, Kind::Stop] {
            let (kind, count) = (kind.to_string(), self.sum(kind));
            writeln!(
                formatter,
                "{:<17} {kind:<5} {:<34} {:>5} {:>8}",
                "all", "", count.tried, count.survived
            )?;
        }
        writeln!(
            formatter,
            "{} starts; {} works compared with undisturbed ones; the clock jumped back {} times; {} directories \
             renamed, {} copied",
            self.starts, self.compared, self.clock_jumps, self.renamed, self.copied
        )?;
        let slowest: Vec<String> =
            self.slowest_stop.iter().map(|(subject, seconds)| format!("{subject} {seconds:.1} s")).collect();
        writeln!(formatter, "slowest stop after a signal: {}", slowest.join(", "))?;
        write!(formatter, "lost: {}", self.losses.len())?;
        for loss in &self.losses {
            write!(formatter, "\n{}: {}", loss.subject, loss.what)?;
            loss.history.iter().try_for_each(|line| write!(formatter, "\n    {line}"))?;
            loss.kept.iter().try_for_each(|path| write!(formatter, "\n    kept in {path}"))?;
        }
        Ok(())
    }
}
