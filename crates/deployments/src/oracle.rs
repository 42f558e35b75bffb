//! Is there a set-up that does better against the mixture than the mixture does?

use crate::archive::Archive;
use crate::change::mutate;
use crate::config::Config;
use crate::findings::OracleRound;
use crate::generate::{Candidate, Origin};
use crate::matrix::Matrix;
use crate::race::Played;
use crate::session::Session;
use crate::study::{StudyError, results};
use crate::table::Seat;
use commander::Deployment;
use commander::deployment::Sampler;
use game::random::{Purpose, stream};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use statistics::equilibrium::Answer;
use statistics::{Interval, Intervals, Pentanomial};
use std::collections::HashSet;

/// Set-ups with a smaller share are left out of what replies are made from.
const LEAST_SHARE: f64 = 0.01;
/// Replies that are changed once more in the second half of the search.
const PARENTS: usize = 12;

/// How replies are looked for.
pub(crate) struct Hunt<'a> {
    pub config: &'a Config,
    /// Lines of set-ups that are no replies: they are there already.
    pub known: HashSet<String>,
    /// What is replied to: shares and set-ups.
    pub mixture: Vec<(f64, Deployment)>,
    pub archive: &'a Archive,
    /// Set-ups that a learned policy proposes.
    pub proposals: Vec<Deployment>,
    /// Number of the round.
    pub number: u32,
}

/// What a round found.
pub(crate) struct Reply {
    pub round: OracleRound,
    pub candidate: Option<Candidate>,
}

/// The mixture of an answer without the set-ups whose share is tiny.
pub(crate) fn mixture(matrix: &Matrix, answer: &Answer) -> Vec<(f64, Deployment)> {
    let shares = answer.equilibrium.rows.iter().zip(&matrix.set_ups);
    shares
        .filter(|(share, _)| **share >= LEAST_SHARE)
        .map(|(share, one)| (*share, one.deployment.clone()))
        .collect()
}

/// Tries replies to the mixture and confirms the best one with fresh pairs, so that having chosen it does not
/// flatter it. `None` where there are not enough pairs left.
pub(crate) fn reply(
    session: &mut Session<'_>,
    hunt: Hunt<'_>,
    played: &mut Played,
) -> Result<Option<Reply>, StudyError> {
    let (config, number) = (hunt.config, hunt.number);
    let mut random = stream(config.seed, Purpose::Sampling, &[4, number.into()]);
    let mut runners = search(session, &hunt, &mut random)?;
    let mixture = &hunt.mixture;
    let tried = runners.len();
    let seat = Seat { player: 0, simulations: config.matrix.simulations };
    let mut pairs = config.oracle.pairs as usize;
    let needed = runners.len() * pairs + config.oracle.confirm as usize;
    if runners.is_empty() || session.left() < needed as u64 {
        return Ok(None);
    }
    (session.say)(&format!("oracle, round {number}: {tried} replies to a mixture of {}", mixture.len()));
    while runners.len() > 1
        && session.left() >= (runners.len() * pairs + config.oracle.confirm as usize) as u64
    {
        let opponents = draw_opponents(mixture, pairs, &mut random);
        let sides = runners
            .iter()
            .flat_map(|runner| opponents.iter().map(|opponent| [runner.clone(), opponent.clone()]))
            .collect();
        let games = session.play(seat, sides)?;
        let mut rows: Vec<(f64, Deployment)> = runners
            .into_iter()
            .zip(games.chunks(pairs))
            .map(|(runner, pairs)| {
                let (pentanomial, _) = results(pairs);
                played.push((runner.clone(), pentanomial));
                (pentanomial.score().unwrap_or(0.5), runner)
            })
            .collect();
        rows.sort_by(|one, other| other.0.total_cmp(&one.0));
        rows.truncate(rows.len().div_ceil(2));
        runners = rows.into_iter().map(|(_, runner)| runner).collect();
        if runners.len() <= 1 {
            break;
        }
        pairs *= 2;
    }
    let Some(best) = runners.into_iter().next() else { return Ok(None) };
    let opponents = draw_opponents(mixture, config.oracle.confirm as usize, &mut random);
    let sides = opponents.into_iter().map(|opponent| [best.clone(), opponent]).collect();
    let (pentanomial, _) = results(&session.play(seat, sides)?);
    played.push((best.clone(), pentanomial));
    let score = pentanomial.score().unwrap_or(0.5);
    let Interval { low, high } = Intervals::of(pentanomial).score;
    let bound = statistics::estimate::upper_bound(pentanomial, config.stop.confidence) - 0.5;
    let added = low > 0.5;
    let candidate = Candidate {
        name: format!("reply-{number}"),
        about: String::new(),
        origin: Origin::Reply,
        deployment: best,
    };
    let round = OracleRound {
        tried: tried as u64,
        set_up: candidate.deployment.to_string(),
        gain: score - 0.5,
        interval: Interval { low: low - 0.5, high: high - 0.5 },
        bound,
        pairs: pentanomial.pairs(),
        added,
    };
    Ok(Some(Reply { round, candidate: added.then_some(candidate) }))
}

/// Replies worth games: what a policy proposes, changes of the mixture's set-ups, the best of each sort, fresh
/// draws; where there is a judge, the best of them by value, after one more round of changes of the best.
pub(crate) fn search(
    session: &mut Session<'_>,
    hunt: &Hunt<'_>,
    random: &mut ChaCha8Rng,
) -> Result<Vec<Deployment>, StudyError> {
    let Hunt { config, mixture, archive, number, .. } = hunt;
    let mut known = hunt.known.clone();
    let mut list = Vec::new();
    let mut add = |list: &mut Vec<Deployment>, deployment: Deployment| {
        if known.insert(deployment.to_string()) {
            list.push(deployment);
        }
    };
    let most = config.oracle.candidates.max(config.oracle.games) as usize;
    let first = if session.judge.is_some() { most.div_ceil(2) } else { most };
    let prior = Sampler::with_prior(session.game, &config.generate.settings).map_err(StudyError::Rules)?;
    let mut elite = archive.best().into_iter();
    let mut proposals = hunt.proposals.iter();
    for attempt in 0..4 * first {
        if list.len() >= first {
            break;
        }
        match attempt % 4 {
            0 => add(&mut list, prior.draw(random)),
            1 if elite.len() > 0 => {
                if let Some((_, one)) = elite.next() {
                    add(&mut list, one.clone());
                }
            }
            2 if proposals.len() > 0 => {
                if let Some(one) = proposals.next() {
                    add(&mut list, one.clone());
                }
            }
            _ => {
                let parent = draw_opponents(mixture, 1, random).into_iter().next();
                if let Some(changed) = parent.and_then(|parent| changed(session, &parent, random)) {
                    add(&mut list, changed);
                }
            }
        }
    }
    let games = config.oracle.games as usize;
    let panel = format!("mixture-{number}");
    let Some(values) = session.values(&panel, &list, mixture)? else {
        list.truncate(games);
        return Ok(list);
    };
    let mut judged: Vec<(f64, Deployment)> = values.into_iter().zip(list).collect();
    judged.sort_by(|one, other| other.0.total_cmp(&one.0));
    let parents: Vec<Deployment> = judged.iter().take(PARENTS).map(|(_, one)| one.clone()).collect();
    let mut second = Vec::new();
    for attempt in 0..2 * (most - first) {
        if second.len() + first >= most || parents.is_empty() {
            break;
        }
        if let Some(changed) = changed(session, &parents[attempt % parents.len()], random) {
            add(&mut second, changed);
        }
    }
    if let Some(values) = session.values(&panel, &second, mixture)? {
        judged.extend(values.into_iter().zip(second));
    }
    judged.sort_by(|one, other| other.0.total_cmp(&one.0));
    Ok(judged.into_iter().take(games).map(|(_, one)| one).collect())
}

/// One to three changes.
fn changed(session: &Session<'_>, parent: &Deployment, random: &mut ChaCha8Rng) -> Option<Deployment> {
    let mut set_up = parent.clone();
    for _ in 0..random.random_range(1..=3) {
        set_up = mutate(session.game, &set_up, random)?.1;
    }
    Some(set_up)
}

/// Opponents from a mixture, as evenly as their shares allow, from a random place on.
pub(crate) fn draw_opponents(
    mixture: &[(f64, Deployment)],
    number: usize,
    random: &mut ChaCha8Rng,
) -> Vec<Deployment> {
    let total: f64 = mixture.iter().map(|(share, _)| share).sum();
    let offset: f64 = random.random();
    let mut opponents = Vec::with_capacity(number);
    let (mut index, mut above) = (0, mixture.first().map_or(0.0, |(share, _)| *share));
    for place in 0..number {
        let wanted = total * (place as f64 + offset) / number as f64;
        while above < wanted && index + 1 < mixture.len() {
            index += 1;
            above += mixture[index].0;
        }
        opponents.extend(mixture.get(index).map(|(_, one)| one.clone()));
    }
    opponents
}

/// Scores of set-ups that met several panels are not comparable as they are; this joins what one set-up has.
pub(crate) fn joined(played: &Played) -> Vec<(Deployment, Pentanomial)> {
    let mut all: Vec<(Deployment, Pentanomial)> = Vec::new();
    for (deployment, pairs) in played {
        match all.iter_mut().find(|(known, _)| known == deployment) {
            Some((_, sum)) => *sum = sum.and(*pairs),
            None => all.push((deployment.clone(), *pairs)),
        }
    }
    all
}
