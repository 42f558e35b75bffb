//! The pipeline: generate, screen, race, matrix, equilibrium, oracle, and again.

use crate::agreement::agreement;
use crate::clusters::{clusters, distances, map};
use crate::config::Config;
use crate::descriptors::Descriptors;
use crate::explain::{Scored, heat_maps, regressions};
use crate::findings::{CellFinding, Control, Findings, Games, SCHEMA, SetUp};
use crate::generate::candidates;
use crate::learned::{PolicyError, Proposer};
use crate::matrix::Matrix;
use crate::named::Named;
use crate::oracle::{Hunt, joined, mixture, reply};
use crate::race::race;
use crate::record::{Record, RecordError};
use crate::screen::{Selection, screen};
use crate::session::Session;
use crate::table::{Judge, Seat, Table, TableError};
use commander::{Commander, Deployment};
use game::Faults;
use game::random::{Purpose, stream};
use pairs::Pair;
use serde_json::Value;
use statistics::equilibrium::{Answer, Belief, Cell};
use statistics::{Interval, Intervals, Pentanomial, intervals_allowed};
use std::collections::HashMap;

/// Screened set-ups that findings keep.
const MOST_SCREENED: usize = 1_000;
/// Groups on the map of similarity.
const GROUPS: usize = 5;

/// Why a study has no findings.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// Playing or judging did not go on.
    #[error(transparent)]
    Table(#[from] TableError),
    /// What has been played cannot be read or kept.
    #[error(transparent)]
    Record(RecordError),
    /// Rules under which set-ups cannot be drawn.
    #[error("{0}")]
    Rules(Faults),
    /// Fewer than two set-ups.
    #[error(
        "{0} set-ups are too few for a study, expected two or more: raise generate, screen.keep or race.keep"
    )]
    TooFew(usize),
    /// The table left a pair out.
    #[error("pair {number} was not played")]
    Missing {
        /// Its number.
        number: u64,
    },
    /// The judge left a position out, or its answers were lost.
    #[error("the judge did not answer for every position")]
    Judgements,
    /// The learned policy did not answer.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// Numbers that are not finite.
    #[error("the matrix has no equilibrium: its numbers are not finite")]
    NoEquilibrium,
}

/// A study, ready to run.
pub struct Study<'a> {
    /// The game and its rules.
    pub game: &'a Commander,
    /// All rule options, as they are written to the findings.
    pub rules: Value,
    /// What to do.
    pub config: Config,
    /// Set-ups of the config's file.
    pub file: Vec<Named>,
    /// The config's learned policy, if it names one.
    pub policy: Option<Proposer<'a>>,
    /// Who plays.
    pub table: &'a dyn Table,
    /// Who gives values; none where the player has no network.
    pub judge: Option<&'a dyn Judge>,
    /// What readers of the findings should know first.
    pub warnings: Vec<String>,
    /// Hears how the study goes.
    pub say: &'a dyn Fn(&str),
}

impl Study<'_> {
    /// Runs the study; what is in the record is not played again. With the same config and record the findings
    /// are the same, however often it was stopped.
    ///
    /// # Errors
    /// See [`StudyError`]; what was played is in the record.
    pub fn run(self, record: Record) -> Result<Findings, StudyError> {
        let config = &self.config;
        let mut session = Session::new(self.game, self.table, self.judge, record, self.say);
        session.most = config.stop.pairs;
        let propose = |number: u32, round: u32| match &self.policy {
            Some(policy) => policy.draw(number.into(), config.seed, round.into()),
            None => Ok(Vec::new()),
        };
        let proposals = propose(config.generate.proposals, 0)?;
        let all = candidates(self.game, &config.generate, self.file, proposals, config.seed)
            .map_err(StudyError::Rules)?;
        let number = all.len() as u64;
        (self.say)(&format!("{number} set-ups"));
        let quick = Seat { player: 0, simulations: config.race.simulations.first().copied().unwrap_or(0) };
        let Selection { kept, screened, calibration, mut archive } =
            screen(&mut session, &config.screen, all, quick, config.seed)?;
        let (survivors, rungs, mut played) = race(&mut session, &config.race, kept, config.seed)?;
        if survivors.len() < 2 {
            return Err(StudyError::TooFew(survivors.len()));
        }
        if session.judge.is_none() {
            // Without values games say which are the best of their sorts.
            for (deployment, pairs) in joined(&played) {
                archive.show(pairs.score().unwrap_or(0.5), &deployment);
            }
        }
        let mut matrix = Matrix::new(&session, survivors);
        let mut answer = matrix.fill(&mut session, config)?;
        let mut oracle = Vec::new();
        let mut settled = false;
        let stopped = loop {
            let round = oracle.len() as u32 + 1;
            if round > config.stop.rounds {
                break match config.stop.rounds {
                    1 => "one round of the oracle has been played".to_owned(),
                    rounds => format!("{rounds} rounds of the oracle have been played"),
                };
            }
            let hunt = Hunt {
                config,
                known: matrix.set_ups.iter().map(|one| one.deployment.to_string()).collect(),
                mixture: mixture(&matrix, &answer),
                archive: &archive,
                proposals: propose(config.oracle.proposals, round)?,
                number: round,
            };
            let Some(found) = reply(&mut session, hunt, &mut played)? else {
                break "there are no replies left to try, or too few pairs to try them".to_owned();
            };
            (self.say)(&format!(
                "oracle, round {round}: the best of {} gains {:+.3} ({:+.3} to {:+.3})",
                found.round.tried, found.round.gain, found.round.interval.low, found.round.interval.high
            ));
            let (bound, tried) = (found.round.bound, found.round.tried);
            oracle.push(found.round);
            match found.candidate {
                Some(candidate) => {
                    matrix.add(&session, candidate);
                    answer = matrix.fill(&mut session, config)?;
                }
                None if bound <= config.stop.epsilon => {
                    settled = true;
                    break format!(
                        "the best of {tried} replies gains at most {bound:.3} with {:.0} % confidence",
                        100.0 * config.stop.confidence
                    );
                }
                None => {}
            }
        };
        let values: HashMap<String, f64> =
            screened.iter().map(|(_, row)| (row.set_up.clone(), row.value)).collect();
        let belief = Belief::of(&matrix.payoffs);
        let mean_scores = mean_scores(&belief);
        let mut controls = controls(&mut session, config, &matrix, &mean_scores)?;
        controls.extend(value_control(&matrix, &mean_scores, &values, config.seed));
        let [games_played, distinct, void] = session.record.games();
        let games = Games { played: games_played, distinct, void, pairs: session.asked };
        let mut warnings = self.warnings;
        if let Err(copies) = intervals_allowed(games_played, distinct) {
            warnings.push(format!("intervals are too narrow: {copies}"));
        }
        let by_games: Vec<Scored> = joined(&played)
            .into_iter()
            .filter(|(_, pairs)| pairs.pairs() > 0)
            .map(|(deployment, pairs)| Scored {
                deployment,
                score: pairs.score().unwrap_or(0.5),
                weight: pairs.pairs() as f64,
            })
            .collect();
        let by_values: Vec<Scored> = screened
            .iter()
            .map(|(one, row)| Scored { deployment: one.deployment.clone(), score: row.value, weight: 1.0 })
            .collect();
        let shares: Vec<(f64, Deployment)> = answer
            .equilibrium
            .rows
            .iter()
            .zip(&matrix.set_ups)
            .map(|(share, one)| (*share, one.deployment.clone()))
            .collect();
        let first = session.first_player;
        Ok(Findings {
            schema: SCHEMA,
            rules: self.rules,
            warnings,
            stopped,
            settled,
            games,
            candidates: number,
            screened: screened.into_iter().take(MOST_SCREENED).map(|(_, row)| row).collect(),
            calibration,
            race: rungs,
            set_ups: set_ups(&matrix, &answer, &mean_scores, &values),
            cells: cells(&matrix, &belief, &session.record),
            interaction: belief.interaction(),
            first_player: first.score().map(|score| (score, Intervals::of(first).score)),
            oracle,
            heat: heat_maps(&shares, &by_games),
            regressions: regressions(&by_games, &by_values),
            controls,
            answer,
            config: self.config,
        })
    }
}

/// What pairs brought the first set-up, and how many of their games were void.
pub(crate) fn results(pairs: &[Pair]) -> (Pentanomial, u64) {
    let mut pentanomial = Pentanomial::default();
    let mut void = 0;
    for pair in pairs {
        pentanomial.add(pair.half_points());
        void += pair.games.iter().filter(|game| game.is_void()).count() as u64;
    }
    (pentanomial, void)
}

/// Mean expected score of each set-up against all others.
fn mean_scores(belief: &Belief) -> Vec<f64> {
    let others = belief.means.ncols().max(2) as f64 - 1.0;
    belief.means.rows().into_iter().map(|row| (row.sum() - 0.5) / others).collect()
}

/// The ranking by other players: every set-up meets the others in turn.
fn controls(
    session: &mut Session<'_>,
    config: &Config,
    matrix: &Matrix,
    mean_scores: &[f64],
) -> Result<Vec<Control>, StudyError> {
    let number = matrix.set_ups.len();
    let pairs = config.control.pairs as usize;
    let mut found = Vec::new();
    for (index, player) in config.control.players.iter().enumerate() {
        (session.say)(&format!("control: {number} set-ups by {player}, {pairs} pairs each"));
        let seat = Seat { player: index + 1, simulations: config.control.simulations };
        let mut sides = Vec::new();
        for own in 0..number {
            for pair in 0..pairs {
                let other = (own + 1 + pair % (number - 1)) % number;
                sides.push([own, other].map(|one| matrix.set_ups[one].deployment.clone()));
            }
        }
        let played = session.play(seat, sides)?;
        let scores: Vec<f64> =
            played.chunks(pairs).map(|pairs| results(pairs).0.score().unwrap_or(0.5)).collect();
        let mut random = stream(config.seed, Purpose::Statistics, &[5, index as u64]);
        let agreement = agreement(mean_scores, &scores, &mut random);
        found.push(Control { player: player.clone(), pairs: pairs as u64, scores, agreement });
    }
    Ok(found)
}

/// The ranking by values, where every set-up of the matrix but replies has one.
fn value_control(
    matrix: &Matrix,
    mean_scores: &[f64],
    values: &HashMap<String, f64>,
    seed: u64,
) -> Option<Control> {
    let both: Vec<(f64, f64)> = matrix
        .set_ups
        .iter()
        .zip(mean_scores)
        .filter_map(|(one, &score)| Some((score, *values.get(&one.deployment.to_string())?)))
        .collect();
    if both.is_empty() {
        return None;
    }
    let (own, scores): (Vec<f64>, Vec<f64>) = both.into_iter().unzip();
    let agreement = agreement(&own, &scores, &mut stream(seed, Purpose::Statistics, &[6]));
    Some(Control { player: "values of the network".to_owned(), pairs: 0, scores, agreement })
}

fn set_ups(
    matrix: &Matrix,
    answer: &Answer,
    mean_scores: &[f64],
    values: &HashMap<String, f64>,
) -> Vec<SetUp> {
    let deployments: Vec<&Deployment> = matrix.set_ups.iter().map(|one| &one.deployment).collect();
    let steps = distances(&deployments);
    let groups = clusters(&steps, GROUPS);
    let places = map(&steps);
    matrix
        .set_ups
        .iter()
        .enumerate()
        .map(|(number, one)| {
            let set_up = one.deployment.to_string();
            let (score, interval) = answer.row_scores[number];
            SetUp {
                name: one.name.clone(),
                about: one.about.clone(),
                origin: one.origin,
                share: answer.equilibrium.rows[number],
                share_interval: answer.row_shares[number],
                score,
                interval,
                mean_score: mean_scores[number],
                value: values.get(&set_up).copied(),
                descriptors: Descriptors::of(&one.deployment),
                group: groups[number],
                place: places[number],
                set_up,
            }
        })
        .collect()
}

fn cells(matrix: &Matrix, belief: &Belief, record: &Record) -> Vec<CellFinding> {
    let copies = record.games_by_set_ups();
    matrix
        .payoffs
        .independent()
        .map(|(row, column)| {
            let lines = [row, column].map(|one| matrix.set_ups[one].deployment.to_string());
            let (pentanomial, score, interval) = match matrix.payoffs.cell(row, column) {
                Cell::Known(score) => ([0; 5], Some(score), Some(Interval { low: score, high: score })),
                Cell::Played(pairs) => {
                    let (games, distinct) = copies.get(&lines).copied().unwrap_or_default();
                    let interval =
                        intervals_allowed(games, distinct).ok().map(|()| Intervals::of(pairs).score);
                    (pairs.counts(), pairs.score(), interval)
                }
            };
            CellFinding {
                row: matrix.set_ups[row].name.clone(),
                column: matrix.set_ups[column].name.clone(),
                pentanomial,
                void_games: matrix.void.get(&(row, column)).copied().unwrap_or(0),
                score,
                interval,
                expected: belief.means[(row, column)],
            }
        })
        .collect()
}
