//! `evaluate solved`: the share of steps that keep the value of solved positions of Connect Four.
//!
//! The positions are quiet ([`connect4::quiet`]): nothing is to be seen by looking one stone ahead, and
//! steps differ in value. Beside every network stands an untrained one of the same shape with as many
//! simulations: what its search finds without having learned anything.

use crate::agent;
use crate::arguments::SolvedArguments;
use crate::checkpoint::{Checkpoint, Loader};
use crate::failure::{End, Failure};
use crate::interrupt::Interrupt;
use crate::rules::expected;
use arena::games::{self, AnyGame};
use arena::inspection::InspectionError;
use arena::matches::{NetworkPlayer, Stop};
use connect4::quiet::{self, QuietPosition};
use connect4::{ConnectFour, Step};
use game::{Game, Notation};
use net::RulesCheck;
use serde::Serialize;
use statistics::share_interval;
use std::fmt;
use std::io::Write;
use std::time::Instant;

/// What came out.
#[derive(Clone, Debug, Serialize)]
pub struct SolvedReport {
    /// Name of the game.
    pub game: &'static str,
    /// Number of positions.
    pub positions: usize,
    /// The share that uniformly random steps keep.
    pub random_share: f64,
    /// Networks, each followed by its untrained twin.
    pub rows: Vec<SolvedRow>,
    /// Wall-clock time.
    pub seconds: f64,
}

/// How a network did.
#[derive(Clone, Debug, Serialize)]
pub struct SolvedRow {
    /// The checkpoint as written, or `untrained`.
    pub agent: String,
    /// Whether the network has learned.
    pub trained: bool,
    /// Simulations a position; 0 for the raw policy.
    pub simulations: u32,
    /// All positions.
    #[serde(flatten)]
    pub all: Kept,
    /// By number of stones.
    pub buckets: Vec<Bucket>,
}

/// Positions of which a step kept the value.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Kept {
    /// Steps that kept the value.
    pub kept: u64,
    /// Positions.
    pub asked: u64,
    /// Their quotient; `None` without positions.
    pub share: Option<f64>,
    /// Lower end of its 95 % interval.
    pub low: Option<f64>,
    /// Upper end of its 95 % interval.
    pub high: Option<f64>,
}

/// A part of the positions.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Bucket {
    /// Fewest and most stones.
    pub stones: [u32; 2],
    /// How it did on them.
    #[serde(flatten)]
    pub kept: Kept,
}

impl Kept {
    fn of(results: impl Iterator<Item = bool>) -> Kept {
        let (mut kept, mut asked) = (0, 0);
        for result in results {
            kept += u64::from(result);
            asked += 1;
        }
        let interval = share_interval(kept, asked);
        Kept {
            kept,
            asked,
            share: interval.map(|_| kept as f64 / asked as f64),
            low: interval.map(|interval| interval.low),
            high: interval.map(|interval| interval.high),
        }
    }
}

/// Runs the command and prints its report.
///
/// # Errors
/// [`Failure::Input`] for wrong input, [`Failure::Work`] when a network or the output failed.
pub fn run(arguments: &SolvedArguments, interrupt: &Interrupt) -> Result<End, Failure> {
    let Some(report) = report(arguments, interrupt)? else { return Ok(End::Stopped) };
    print(&report, arguments.json).map_err(Failure::work)?;
    Ok(End::Finished)
}

/// Asks the networks; `None` when the interrupt stopped it.
///
/// # Errors
/// [`Failure::Input`] for wrong input, [`Failure::Work`] when a network failed.
pub fn report(arguments: &SolvedArguments, interrupt: &Interrupt) -> Result<Option<SolvedReport>, Failure> {
    match ask(arguments, interrupt) {
        Ok(report) => Ok(Some(report)),
        Err(SolvedError::Failure(failure)) => Err(failure),
        Err(SolvedError::Inspection(InspectionError::Stopped)) => Ok(None),
        Err(SolvedError::Inspection(error)) => Err(Failure::work(error)),
    }
}

enum SolvedError {
    Failure(Failure),
    Inspection(InspectionError),
}

impl From<Failure> for SolvedError {
    fn from(failure: Failure) -> SolvedError {
        SolvedError::Failure(failure)
    }
}

fn ask(arguments: &SolvedArguments, interrupt: &Interrupt) -> Result<SolvedReport, SolvedError> {
    let begin = Instant::now();
    let game = games::open(ConnectFour::NAME, None, &Vec::new()).map_err(Failure::work)?;
    let facts = game.facts();
    let expected = expected(&facts, RulesCheck::Same);
    let (mut faults, mut agents) = (Vec::new(), Vec::new());
    for text in &arguments.agents {
        match agent::find(text) {
            Ok((checkpoint, simulations)) => {
                faults.extend(checkpoint.misfit(&expected));
                agents.push((text, checkpoint, simulations));
            }
            Err(fault) => faults.push(fault),
        }
    }
    faults.extend(arguments.machine.fault());
    if !faults.is_empty() {
        return Err(Failure::input(faults.join("; ")).into());
    }
    let all = quiet::positions().map_err(Failure::work)?;
    let wanted = usize::from(arguments.positions).min(all.len());
    let positions: Vec<QuietPosition> = (0..wanted).map(|index| all[index * all.len() / wanted]).collect();
    let random_share =
        positions.iter().map(QuietPosition::keeping_share).sum::<f64>() / positions.len().max(1) as f64;

    let device = arguments.machine.open()?;
    let mut loader = Loader::new(device, arguments.machine.precision, &expected, game.as_ref());
    let judge = Judge { game: game.as_ref(), positions: &positions, arguments, interrupt };
    let mut rows: Vec<SolvedRow> = Vec::new();
    for (text, checkpoint, own) in &agents {
        let simulations = match own {
            Some(simulations) => vec![*simulations],
            None if arguments.sims == 0 => vec![0],
            None => vec![arguments.sims, 0],
        };
        for simulations in simulations {
            let name = match own {
                Some(_) => (*text).clone(),
                None => format!("{text}@{simulations}"),
            };
            rows.push(judge.row(name, true, &loader.player(checkpoint, simulations)?)?);
            rows.push(judge.untrained(checkpoint, simulations, &mut loader)?);
            for remark in loader.remarks.drain(..) {
                crate::say(&remark);
            }
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    Ok(SolvedReport { game: facts.name, positions: positions.len(), random_share, rows, seconds })
}

/// Asks networks about the positions.
struct Judge<'a> {
    game: &'a dyn AnyGame,
    positions: &'a [QuietPosition],
    arguments: &'a SolvedArguments,
    interrupt: &'a Interrupt,
}

impl Judge<'_> {
    fn untrained(
        &self,
        checkpoint: &Checkpoint,
        simulations: u32,
        loader: &mut Loader<'_>,
    ) -> Result<SolvedRow, SolvedError> {
        let player = loader.untrained(checkpoint, simulations, self.arguments.seed)?;
        self.row(format!("untrained@{simulations}"), false, &player)
    }

    fn row(&self, agent: String, trained: bool, player: &NetworkPlayer) -> Result<SolvedRow, SolvedError> {
        let game = ConnectFour::new();
        let texts: Vec<String> =
            self.positions.iter().map(|quiet| game.write_position(&quiet.position)).collect();
        let texts: Vec<Option<&str>> = texts.iter().map(|text| Some(text.as_str())).collect();
        let stop = || self.interrupt.stop() != Stop::GoOn;
        let inspections = agent::inspect(self.game, player, &texts, &self.arguments.machine, &stop)
            .map_err(SolvedError::Inspection)?;
        let results: Vec<(u32, bool)> = self
            .positions
            .iter()
            .zip(&inspections)
            .map(|(quiet, inspection)| {
                let code = inspection.steps[inspection.chosen].code;
                // The code of a step is the number of its file.
                let step = Step::into_file(code.0 as usize);
                (quiet.position.count(), step.is_some_and(|step| quiet.keeps(step)))
            })
            .collect();
        let buckets = quiet::BUCKETS.map(|bucket| Bucket {
            stones: [*bucket.start(), *bucket.end()],
            kept: Kept::of(
                results.iter().filter(|(stones, _)| bucket.contains(stones)).map(|&(_, kept)| kept),
            ),
        });
        Ok(SolvedRow {
            agent,
            trained,
            simulations: player.simulations,
            all: Kept::of(results.iter().map(|&(_, kept)| kept)),
            buckets: buckets.to_vec(),
        })
    }
}

impl fmt::Display for SolvedReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SolvedReport { positions, random_share, rows, seconds, .. } = self;
        writeln!(
            formatter,
            "{positions} quiet positions of Connect Four; a random step keeps the value of {:.1} %",
            100.0 * random_share
        )?;
        let width = rows.iter().map(|row| row.agent.chars().count()).max().unwrap_or(0).max(5);
        write!(formatter, "{:width$}  {:>7}  {:>16}", "agent", "keeps", "95 % interval")?;
        for bucket in quiet::BUCKETS {
            write!(formatter, "  {:>12}", format!("{}-{} stones", bucket.start(), bucket.end()))?;
        }
        writeln!(formatter)?;
        for row in rows {
            let Kept { share, low, high, .. } = row.all;
            let interval = format!("{} to {} %", number(low), number(high));
            write!(formatter, "{:width$}  {:>5} %  {interval:>16}", row.agent, number(share))?;
            for bucket in &row.buckets {
                write!(formatter, "  {:>10} %", number(bucket.kept.share))?;
            }
            writeln!(formatter)?;
        }
        writeln!(formatter, "{seconds:.1} s")
    }
}

fn number(share: Option<f64>) -> String {
    share.map_or("-".to_owned(), |share| format!("{:.1}", 100.0 * share))
}

fn print(report: &SolvedReport, json: bool) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    if json {
        serde_json::to_writer(&mut out, report)?;
        writeln!(out)?;
    } else {
        write!(out, "{report}")?;
    }
    out.flush()
}
