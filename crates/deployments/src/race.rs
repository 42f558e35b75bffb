//! Successive halving: everybody plays a little, the better half plays on, more carefully.

use crate::config::RaceConfig;
use crate::findings::{RaceRow, Rung};
use crate::generate::Candidate;
use crate::session::Session;
use crate::study::{StudyError, results};
use crate::table::Seat;
use commander::Deployment;
use game::random::{Purpose, stream};
use rand::Rng;
use statistics::{Intervals, Pentanomial};

/// Pairs that set-ups have played on the rungs so far: the set-up and its result.
pub(crate) type Played = Vec<(Deployment, Pentanomial)>;

/// Runs a race (K. Jamieson and A. Talwalkar, "Non-stochastic best arm identification and hyperparameter
/// optimization", AISTATS 2016, algorithm 1). On a rung all set-ups meet the same opponents, drawn from those on
/// it, so that they are compared on equal terms.
pub(crate) fn race(
    session: &mut Session<'_>,
    config: &RaceConfig,
    entrants: Vec<Candidate>,
    seed: u64,
) -> Result<(Vec<Candidate>, Vec<Rung>, Played), StudyError> {
    let mut runners = entrants;
    let mut rungs = Vec::new();
    let mut played = Played::new();
    for (number, &simulations) in config.simulations.iter().enumerate() {
        let keep = config.keep as usize;
        let pairs = (config.pairs as usize) << number.min(16);
        let always = runners.iter().filter(|one| config.always.contains(&one.name)).count();
        if runners.len() <= keep + always || session.left() < (pairs * runners.len()) as u64 {
            break;
        }
        let mut random = stream(seed, Purpose::Sampling, &[2, number as u64]);
        let opponents: Vec<usize> = (0..pairs).map(|_| random.random_range(0..runners.len())).collect();
        let mut sides = Vec::new();
        for (own, runner) in runners.iter().enumerate() {
            for &opponent in &opponents {
                // Nobody plays itself: the next one stands in.
                let opponent = if opponent == own { (own + 1) % runners.len() } else { opponent };
                sides.push([runner.deployment.clone(), runners[opponent].deployment.clone()]);
            }
        }
        (session.say)(&format!(
            "race, rung {}: {} set-ups, {pairs} pairs each, {simulations} simulations",
            number + 1,
            runners.len()
        ));
        let games = session.play(Seat { player: 0, simulations }, sides)?;
        let mut rows: Vec<(f64, Candidate, RaceRow)> = runners
            .into_iter()
            .zip(games.chunks(pairs))
            .map(|(runner, pairs)| {
                let (pentanomial, void) = results(pairs);
                played.push((runner.deployment.clone(), pentanomial));
                let score = pentanomial.score().unwrap_or(0.5);
                let row = RaceRow {
                    name: runner.name.clone(),
                    set_up: runner.deployment.to_string(),
                    score,
                    interval: Intervals::of(pentanomial).score,
                    pairs: pentanomial.pairs(),
                    void_games: void,
                    kept: false,
                };
                (score, runner, row)
            })
            .collect();
        rows.sort_by(|one, other| other.0.total_cmp(&one.0));
        let last = number + 1 == config.simulations.len();
        let goes_on = if last { keep } else { rows.len().div_ceil(2).max(keep) };
        let mut others = 0;
        for (_, runner, row) in &mut rows {
            let free = config.always.contains(&runner.name);
            row.kept = free || others < goes_on;
            others += usize::from(!free);
        }
        rungs.push(Rung { simulations, rows: rows.iter().map(|(_, _, row)| row.clone()).collect() });
        runners = rows.into_iter().filter(|(_, _, row)| row.kept).map(|(_, runner, _)| runner).collect();
    }
    let mut others = 0;
    runners.retain(|runner| {
        let free = config.always.contains(&runner.name);
        others += usize::from(!free);
        free || others <= config.keep as usize
    });
    Ok((runners, rungs, played))
}
