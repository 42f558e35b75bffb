//! Which set-ups a study looks at.

use crate::change::mutate;
use crate::config::GenerateConfig;
use crate::named::{self, Named};
use commander::deployment::Sampler;
use commander::{Commander, Deployment};
use game::random::{Purpose, stream};
use game::{Fault, Faults};
use rand::Rng;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// Where a set-up comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// Made by hand, or read from a file.
    Named,
    /// Drawn uniformly.
    Uniform,
    /// Drawn by simple ideas.
    Prior,
    /// Drawn from a learned policy.
    Policy,
    /// A changed one.
    Mutation,
    /// Found as a reply to a mixture.
    Reply,
}

/// A set-up that is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What it is called.
    pub name: String,
    /// What it is about, if anybody said so.
    pub about: String,
    /// Where it comes from.
    pub origin: Origin,
    /// The set-up.
    pub deployment: Deployment,
}

/// The set-ups of a config, each once, hand-made ones first; `file` are those of its file, `proposals` what its
/// policy proposes.
///
/// # Errors
/// Rules that set-ups cannot be drawn under, and settings out of range.
pub fn candidates(
    game: &Commander,
    config: &GenerateConfig,
    file: Vec<Named>,
    proposals: Vec<Deployment>,
    seed: u64,
) -> Result<Vec<Candidate>, Faults> {
    let uniform = uniform(game)?;
    let prior = Sampler::with_prior(game, &config.settings)?;
    let hand_made = if config.named { named::named(game) } else { Vec::new() };
    let mut all = Candidates::default();
    for Named { name, about, deployment } in hand_made.into_iter().chain(file) {
        all.add(Candidate { name, about, origin: Origin::Named, deployment });
    }
    for (number, sampler, origin, purpose) in
        [(config.uniform, &uniform, Origin::Uniform, 0), (config.prior, &prior, Origin::Prior, 1)]
    {
        for draw in 0..number {
            let mut random = stream(seed, Purpose::Opening, &[purpose, draw.into()]);
            all.drawn(origin, draw, sampler.draw(&mut random));
        }
    }
    for (draw, deployment) in (0..).zip(proposals) {
        all.drawn(Origin::Policy, draw, deployment);
    }
    for draw in 0..config.mutations {
        let mut random = stream(seed, Purpose::Opening, &[2, draw.into()]);
        if all.list.is_empty() {
            break;
        }
        let mut changed = all.list[random.random_range(0..all.list.len())].deployment.clone();
        for _ in 0..random.random_range(1..=4) {
            if let Some((_, next)) = mutate(game, &changed, &mut random) {
                changed = next;
            }
        }
        all.drawn(Origin::Mutation, draw, changed);
    }
    Ok(all.list)
}

/// Draws every legal set-up with the same probability.
///
/// # Errors
/// Rules that set-ups cannot be drawn under.
pub fn uniform(game: &Commander) -> Result<Sampler, Faults> {
    Sampler::uniform(game).map_err(|error| Fault::new("rules", error.to_string()).into())
}

#[derive(Default)]
struct Candidates {
    list: Vec<Candidate>,
    lines: HashSet<String>,
}

impl Candidates {
    fn add(&mut self, candidate: Candidate) {
        if self.lines.insert(candidate.deployment.to_string()) {
            self.list.push(candidate);
        }
    }

    fn drawn(&mut self, origin: Origin, draw: u32, deployment: Deployment) {
        let word = match origin {
            Origin::Uniform => "uniform",
            Origin::Prior => "prior",
            Origin::Policy => "proposal",
            Origin::Mutation => "mutation",
            Origin::Reply => "reply",
            Origin::Named => "named",
        };
        self.add(Candidate {
            name: format!("{word}-{}", draw + 1),
            about: String::new(),
            origin,
            deployment,
        });
    }
}
