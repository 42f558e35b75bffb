//! Thousands of set-ups by the network's value, and what such values are worth.

use crate::archive::Archive;
use crate::config::ScreenConfig;
use crate::findings::{Calibration, CalibrationPoint, Screened};
use crate::generate::{Candidate, Origin};
use crate::session::Session;
use crate::study::{StudyError, results};
use crate::table::Seat;
use commander::Deployment;
use game::random::{Purpose, stream};
use rand::Rng;
use std::collections::HashSet;

/// The name of the first panel on record.
const PANEL: &str = "screen";

/// What screening leaves.
pub(crate) struct Selection {
    /// Those that go on, hand-made ones first.
    pub kept: Vec<Candidate>,
    /// All, the best first; empty where nothing was judged.
    pub screened: Vec<(Candidate, Screened)>,
    pub calibration: Option<Calibration>,
    pub archive: Archive,
}

/// Judges all candidates and keeps the hand-made ones, the best ones, and the best of their sorts. Without a
/// judge the first ones of each origin are kept.
pub(crate) fn screen(
    session: &mut Session<'_>,
    config: &ScreenConfig,
    candidates: Vec<Candidate>,
    seat: Seat,
    seed: u64,
) -> Result<Selection, StudyError> {
    let mut archive = Archive::default();
    let panel = panel(&candidates, config.panel as usize);
    let opponents: Vec<(f64, Deployment)> = panel.iter().map(|one| (1.0, one.deployment.clone())).collect();
    let deployments: Vec<Deployment> = candidates.iter().map(|one| one.deployment.clone()).collect();
    let Some(values) = session.values(PANEL, &deployments, &opponents)? else {
        return Ok(Selection {
            kept: first_ones(candidates, config.keep as usize),
            screened: Vec::new(),
            calibration: None,
            archive,
        });
    };
    let mut judged: Vec<(f64, Candidate)> = values.into_iter().zip(candidates).collect();
    judged.sort_by(|one, other| other.0.total_cmp(&one.0));
    for (value, candidate) in &judged {
        archive.show(*value, &candidate.deployment);
    }
    let kept = keep(&judged, &archive, config);
    let calibration = calibrate(session, config, &judged, &opponents, seat, seed)?;
    let screened = judged
        .into_iter()
        .map(|(value, candidate)| {
            let row = Screened::new(&candidate, value);
            (candidate, row)
        })
        .collect();
    Ok(Selection { kept, screened, calibration, archive })
}

/// Hand-made set-ups, and drawn ones at equal distances up to so many.
fn panel(candidates: &[Candidate], size: usize) -> Vec<&Candidate> {
    let (named, drawn): (Vec<&Candidate>, Vec<&Candidate>) =
        candidates.iter().partition(|one| one.origin == Origin::Named);
    let more = size.saturating_sub(named.len());
    let step = (drawn.len() / more.max(1)).max(1);
    named.into_iter().chain(drawn.into_iter().step_by(step).take(more)).take(size.max(1)).collect()
}

/// Hand-made ones, and so many others, the first ones of each origin in turn.
fn first_ones(candidates: Vec<Candidate>, number: usize) -> Vec<Candidate> {
    let (mut kept, others): (Vec<Candidate>, Vec<Candidate>) =
        candidates.into_iter().partition(|one| one.origin == Origin::Named);
    let mut by_origin: Vec<std::vec::IntoIter<Candidate>> =
        [Origin::Policy, Origin::Prior, Origin::Mutation, Origin::Uniform]
            .map(|origin| {
                others.iter().filter(|one| one.origin == origin).cloned().collect::<Vec<_>>().into_iter()
            })
            .into();
    let wanted = kept.len() + number;
    while kept.len() < wanted {
        let before = kept.len();
        for origin in &mut by_origin {
            if kept.len() < wanted {
                kept.extend(origin.next());
            }
        }
        if kept.len() == before {
            break;
        }
    }
    kept
}

fn keep(judged: &[(f64, Candidate)], archive: &Archive, config: &ScreenConfig) -> Vec<Candidate> {
    let mut kept: Vec<Candidate> =
        judged.iter().filter(|(_, one)| one.origin == Origin::Named).map(|(_, one)| one.clone()).collect();
    let mut lines: HashSet<String> = kept.iter().map(|one| one.deployment.to_string()).collect();
    let wanted = kept.len() + config.keep as usize;
    let diverse = (f64::from(config.keep) * config.diverse).round() as usize;
    let elite: HashSet<String> =
        archive.best().into_iter().map(|(_, one)| one.to_string()).take(diverse).collect();
    for only_elite in [true, false] {
        for (_, candidate) in judged {
            let line = candidate.deployment.to_string();
            if kept.len() < wanted && (!only_elite || elite.contains(&line)) && lines.insert(line) {
                kept.push(candidate.clone());
            }
        }
    }
    kept
}

/// Plays set-ups of all values against the panel.
fn calibrate(
    session: &mut Session<'_>,
    config: &ScreenConfig,
    judged: &[(f64, Candidate)],
    opponents: &[(f64, Deployment)],
    seat: Seat,
    seed: u64,
) -> Result<Option<Calibration>, StudyError> {
    let number = (config.calibration as usize).min(judged.len());
    let pairs = config.calibration_pairs as usize;
    if number < 3 || pairs == 0 || session.left() < (number * pairs) as u64 {
        return Ok(None);
    }
    let chosen: Vec<&(f64, Candidate)> =
        (0..number).map(|place| &judged[place * (judged.len() - 1) / (number - 1)]).collect();
    let mut sides = Vec::new();
    for (place, (_, candidate)) in chosen.iter().enumerate() {
        let mut random = stream(seed, Purpose::Sampling, &[1, place as u64]);
        let offset = random.random_range(0..opponents.len());
        for pair in 0..pairs {
            let opponent = opponents[(offset + pair) % opponents.len()].1.clone();
            sides.push([candidate.deployment.clone(), opponent]);
        }
    }
    let played = session.play(seat, sides)?;
    let points = chosen
        .iter()
        .zip(played.chunks(pairs))
        .map(|((value, candidate), pairs)| {
            let (pentanomial, _) = results(pairs);
            CalibrationPoint {
                name: candidate.name.clone(),
                predicted: *value,
                played: pentanomial.score().unwrap_or(0.5),
                pairs: pentanomial.pairs(),
            }
        })
        .collect();
    Ok(Some(Calibration::new(points, seat.simulations)))
}
