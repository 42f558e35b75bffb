//! What a policy proposes: set-ups with their shares, for studies and for self-play.

use super::draw::draw;
use super::findings::Proposal;
use super::policy::{Policy, PolicyError};
use commander::deployment::PlacingOrder;
use commander::{Commander, Deployment};
use game::random::{Purpose, stream};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A policy that is asked for set-ups.
pub struct Proposer<'a> {
    order: PlacingOrder,
    policy: &'a dyn Policy,
}

impl<'a> Proposer<'a> {
    /// A policy under the rules of a game.
    pub fn new(game: &Commander, policy: &'a dyn Policy) -> Proposer<'a> {
        Proposer { order: PlacingOrder::new(game), policy }
    }

    /// So many set-ups, in which the same one may come several times: draws of a seed and of a round.
    ///
    /// # Errors
    /// A policy that fails.
    pub fn draw(&self, number: u64, seed: u64, round: u64) -> Result<Vec<Deployment>, PolicyError> {
        let mut streams: Vec<ChaCha8Rng> =
            (0..number).map(|draw| stream(seed, Purpose::Opening, &[21, round, draw])).collect();
        let drawn = draw(self.policy, &self.order, &mut streams)?;
        Ok(drawn.into_iter().map(|one| one.deployment).collect())
    }
}

/// So many draws of a policy, each set-up once with its share of the draws, the likeliest first. The shares make a
/// mixture that stands for the policy: of a policy with many set-ups each draw is another one.
///
/// # Errors
/// A policy that fails.
pub fn proposals(
    game: &Commander,
    policy: &dyn Policy,
    number: u64,
    seed: u64,
) -> Result<Vec<Proposal>, PolicyError> {
    let proposer = Proposer::new(game, policy);
    let mut streams: Vec<ChaCha8Rng> =
        (0..number).map(|draw| stream(seed, Purpose::Opening, &[21, 0, draw])).collect();
    let mut found: BTreeMap<String, Proposal> = BTreeMap::new();
    for one in draw(policy, &proposer.order, &mut streams)? {
        let set_up = one.deployment.to_string();
        let proposal = found.entry(set_up.clone()).or_insert_with(|| Proposal {
            set_up,
            share: 0.0,
            log_probability: one.log_probability(),
        });
        proposal.share += 1.0 / number as f64;
    }
    let mut list: Vec<Proposal> = found.into_values().collect();
    list.sort_by(|one, other| {
        let rank = |one: &Proposal| (one.share, one.log_probability);
        rank(other).partial_cmp(&rank(one)).unwrap_or(std::cmp::Ordering::Equal)
    });
    Ok(list)
}

/// Proposals as a file of set-ups: share, set-up, and behind it a name and the logarithm of its probability.
pub fn write_proposals(proposals: &[Proposal], about: &str) -> String {
    let mut text = format!("# {about}\n# Share of the draws: set-up # name: logarithm of its probability.\n");
    for (number, one) in proposals.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:.6}: {} # policy-{}: ln p = {:.2}",
            one.share,
            one.set_up,
            number + 1,
            one.log_probability
        );
    }
    text
}
