//! What came out of a study, as it is written to `findings.json`.

use crate::agreement::Agreement;
use crate::config::Config;
use crate::descriptors::Descriptors;
use crate::explain::{HeatMap, Regressions};
use crate::generate::{Candidate, Origin};
use commander::point::{FILES, RANKS};
use files::sealed;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use statistics::Interval;
use statistics::equilibrium::Answer;

/// Version of the findings; it changes when a field is renamed, removed or means something else. Version 1, which
/// has no checksum, is read too.
pub const SCHEMA: u32 = 2;

/// The version since which findings are sealed.
pub(crate) const SEALED: u64 = 2;

/// Everything that a study found. Scores are of a game, from 0 to 1, and of a pair of games with the sides
/// exchanged; intervals are of 95 %.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    /// [`SCHEMA`], or the version of the file that they were read from.
    pub schema: u32,
    /// What the study was told to do.
    pub config: Config,
    /// All rule options.
    pub rules: Value,
    /// What readers should know first, a line each.
    pub warnings: Vec<String>,
    /// Why the study ended.
    pub stopped: String,
    /// Whether it ended because no reply that was tried gains more than ε.
    pub settled: bool,
    /// Games by what became of them.
    pub games: Games,
    /// Set-ups that were looked at.
    pub candidates: u64,
    /// Those that were judged by value, the best first; the first thousand.
    pub screened: Vec<Screened>,
    /// What values are worth.
    pub calibration: Option<Calibration>,
    /// The rungs of the race.
    pub race: Vec<Rung>,
    /// The rows and columns of the matrix, in the order in which they came to it.
    pub set_ups: Vec<SetUp>,
    /// The cells above the diagonal, from the row's view.
    pub cells: Vec<CellFinding>,
    /// The equilibrium with its intervals.
    pub answer: Answer,
    /// Standard deviation of cells around what "this one is simply better" lets expect.
    pub interaction: f64,
    /// Score of the player who moves first, over all pairs without void games; `None` without any.
    pub first_player: Option<(f64, Interval)>,
    /// The rounds of the oracle.
    pub oracle: Vec<OracleRound>,
    /// Where the pieces of the mixture stand, and what it goes with.
    pub heat: Vec<HeatMap>,
    /// Scores as sums of effects of the descriptors.
    pub regressions: Regressions,
    /// The ranking by other players.
    pub controls: Vec<Control>,
}

impl Findings {
    /// The contents of their file, with a checksum.
    ///
    /// # Errors
    /// Numbers that JSON cannot hold.
    pub fn to_file(&self) -> serde_json::Result<Vec<u8>> {
        sealed::write(self)
    }

    /// Reads the contents of a file.
    ///
    /// # Errors
    /// Those of another version, damaged ones, and [`Findings::faults`].
    pub fn from_file(text: &[u8]) -> Result<Findings, String> {
        let found: Findings = read(text, SCHEMA)?;
        let faults = found.faults();
        if faults.is_empty() { Ok(found) } else { Err(faults.join("; ")) }
    }

    /// What does not fit together in findings that were read; pages and tables believe that everything does.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = heat_faults(&self.heat);
        let features = self.regressions.features.len();
        for found in [&self.regressions.games, &self.regressions.values].into_iter().flatten() {
            if found.effects.len() != features {
                let effects = found.effects.len();
                faults.push(format!("regressions: {effects} effects of {features} features"));
            }
        }
        let judged = self.set_ups.iter().filter(|one| one.value.is_some()).count();
        for control in &self.controls {
            // Values rank the set-ups that have one: replies of the oracle have none.
            let set_ups = if control.pairs == 0 { judged } else { self.set_ups.len() };
            let found = control.scores.len();
            if found != set_ups {
                faults.push(format!("controls: {} has {found} scores for {set_ups} set-ups", control.player));
            }
        }
        if let Err(found) = self.config.check() {
            faults.extend(found.0.iter().map(|fault| format!("config: {fault}")));
        }
        faults
    }
}

/// Findings of a file, of a study or of a policy.
pub(crate) fn read<T: DeserializeOwned>(text: &[u8], newest: u32) -> Result<T, String> {
    let text = sealed::open_version(text, SEALED, newest.into()).map_err(|error| error.to_string())?;
    serde_json::from_slice(&text).map_err(|error| error.to_string())
}

/// Maps that are not as large as the own half, or the board.
pub(crate) fn heat_faults(heat: &[HeatMap]) -> Vec<String> {
    let mut faults = Vec::new();
    for map in heat {
        let rows = map.share.iter().map(Vec::len).chain(map.effect.iter().map(Vec::len));
        let right = map.share.len() == map.effect.len()
            && (1..=RANKS).contains(&map.share.len())
            && rows.into_iter().all(|files| files == FILES);
        if !right {
            faults.push(format!("heat: the map of {} is not {FILES} files wide", map.name));
        }
    }
    faults
}

/// Games of a study.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Games {
    /// Played.
    pub played: u64,
    /// Those that differ from all others in start or steps.
    pub distinct: u64,
    /// Not played because the rules declare their start void; they count ½.
    pub void: u64,
    /// Pairs that were asked for.
    pub pairs: u64,
}

/// A set-up judged by value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Screened {
    /// What it is called.
    pub name: String,
    /// Its line.
    pub set_up: String,
    /// Where it comes from.
    pub origin: Origin,
    /// Mean expected score against the panel.
    pub value: f64,
}

impl Screened {
    /// A row of a candidate.
    pub fn new(candidate: &Candidate, value: f64) -> Screened {
        Screened {
            name: candidate.name.clone(),
            set_up: candidate.deployment.to_string(),
            origin: candidate.origin,
            value,
        }
    }
}

/// What values predict of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Simulations of the games.
    pub simulations: u32,
    /// The set-ups that were played.
    pub points: Vec<CalibrationPoint>,
    /// `played = intercept + slope · predicted`, by least squares.
    pub intercept: f64,
    /// See the intercept.
    pub slope: f64,
    /// Correlation of predicted and played scores; 0 where either does not vary.
    pub correlation: f64,
    /// Its 95 % interval (R. A. Fisher's transformation, 1921).
    pub interval: Interval,
}

/// A set-up judged and played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CalibrationPoint {
    /// What it is called.
    pub name: String,
    /// What its value says.
    pub predicted: f64,
    /// Its score.
    pub played: f64,
    /// Pairs.
    pub pairs: u64,
}

impl Calibration {
    /// Fits a line to at least three points.
    pub fn new(points: Vec<CalibrationPoint>, simulations: u32) -> Calibration {
        let number = points.len() as f64;
        let mean = |value: &dyn Fn(&CalibrationPoint) -> f64| points.iter().map(value).sum::<f64>() / number;
        let (predicted, played) = (mean(&|point| point.predicted), mean(&|point| point.played));
        let both = mean(&|point| (point.predicted - predicted) * (point.played - played));
        let own = mean(&|point| (point.predicted - predicted).powi(2));
        let other = mean(&|point| (point.played - played).powi(2));
        let slope = if own > 0.0 { both / own } else { 0.0 };
        let correlation = if own > 0.0 && other > 0.0 { both / (own * other).sqrt() } else { 0.0 };
        let middle = correlation.clamp(-0.999_999, 0.999_999).atanh();
        let interval = Interval::normal(middle, 1.0 / (number - 3.0).max(0.25).sqrt()).map(f64::tanh);
        Calibration {
            simulations,
            points,
            intercept: played - slope * predicted,
            slope,
            correlation,
            interval,
        }
    }
}

/// A rung of the race.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rung {
    /// Simulations a turn.
    pub simulations: u32,
    /// Those on it, the best first.
    pub rows: Vec<RaceRow>,
}

/// A set-up on a rung.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RaceRow {
    /// What it is called.
    pub name: String,
    /// Its line.
    pub set_up: String,
    /// Its score against the rung's opponents.
    pub score: f64,
    /// Of the score.
    pub interval: Interval,
    /// Pairs.
    pub pairs: u64,
    /// Games that were void.
    pub void_games: u64,
    /// Whether it goes on.
    pub kept: bool,
}

/// A set-up of the matrix.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SetUp {
    /// What it is called.
    pub name: String,
    /// What it is about, if anybody said so.
    pub about: String,
    /// Its line.
    pub set_up: String,
    /// Where it comes from.
    pub origin: Origin,
    /// Its share of the mixture.
    pub share: f64,
    /// Of the share.
    pub share_interval: Interval,
    /// Its score against the mixture.
    pub score: f64,
    /// Of the score.
    pub interval: Interval,
    /// Its mean score against all other set-ups of the matrix.
    pub mean_score: f64,
    /// The network's value against the panel, where there is a network.
    pub value: Option<f64>,
    /// What describes it.
    pub descriptors: Descriptors,
    /// Which set-ups are like it: the number of a group.
    pub group: usize,
    /// Its place on the map of similarity, in steps of pieces.
    pub place: (f64, f64),
}

/// A cell of the matrix.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellFinding {
    /// The row's set-up.
    pub row: String,
    /// The column's.
    pub column: String,
    /// Pairs in which the row made 0, ½, 1, 1½ and 2 points.
    pub pentanomial: [u64; 5],
    /// Games among them that were void.
    pub void_games: u64,
    /// The row's score, no pairs counted but its own; ½ and certain where all games are void.
    pub score: Option<f64>,
    /// Of the score; `None` where fewer than nine of ten games are distinct or nothing was played.
    pub interval: Option<Interval>,
    /// What is expected of the cell when all are looked at together.
    pub expected: f64,
}

/// A round of the oracle. Gains are scores over ½ against the mixture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OracleRound {
    /// Replies that played.
    pub tried: u64,
    /// The best one's line.
    pub set_up: String,
    /// Its gain in pairs that had no part in choosing it.
    pub gain: f64,
    /// Of the gain.
    pub interval: Interval,
    /// What its gain does not exceed with the confidence of the config.
    pub bound: f64,
    /// Those pairs.
    pub pairs: u64,
    /// Whether it went to the matrix: its gain is above 0 with 95 %.
    pub added: bool,
}

/// The ranking by another player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Control {
    /// Who.
    pub player: String,
    /// Pairs of each set-up; 0 for values.
    pub pairs: u64,
    /// Mean score of each set-up of the matrix against all others, in their order.
    pub scores: Vec<f64>,
    /// Kendall's tau with the study's own mean scores; `None` for fewer than three set-ups.
    pub agreement: Option<Agreement>,
}
