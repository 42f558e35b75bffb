//! Drawing legal set-ups at random.

use super::space::{Copies, Zone, below};
use super::{Deployment, Prior, Space, SpaceError};
use crate::bits::Bits;
use crate::commander::Commander;
use crate::piece::{Kind, Piece};
use crate::point::Point;
use crate::stack::Stack;
use crate::tables::{Geometry, may_stand};
use game::{Fault, Faults};
use rand::Rng;
use std::sync::Arc;

/// Draws legal set-ups of one side. Small to clone.
#[derive(Clone, Debug)]
pub struct Sampler {
    space: Arc<Space>,
    prior: Option<Arc<Prior>>,
}

impl Sampler {
    /// Every legal set-up with exactly the same probability.
    ///
    /// # Errors
    /// None under the rules there are.
    pub fn uniform(game: &Commander) -> Result<Sampler, SpaceError> {
        Ok(Sampler::of_space(Space::of_rules(game, |_| 1)?))
    }

    /// Every way of a space with exactly the probability of its weight.
    pub fn of_space(space: Space) -> Sampler {
        Sampler { space: Arc::new(space), prior: None }
    }

    /// Set-ups by simple ideas. Which pieces stand together is drawn from the uniform distribution, weighted by
    /// stacks; then the groups are placed one after another, the commander's last, each on a free point with a
    /// probability proportional to its weight there. Every set-up whose stacks count can be drawn.
    ///
    /// # Errors
    /// Numbers out of range.
    pub fn with_prior(game: &Commander, prior: &Prior) -> Result<Sampler, Faults> {
        prior.check()?;
        let space = Space::of_rules(game, |stack| match stack.carrier().kind() {
            Kind::Headquarters => prior.commander_in_headquarters,
            _ => prior.other_stacks,
        });
        let space = space.map_err(|error| Fault::new("stacks", error.to_string()))?;
        Ok(Sampler { space: Arc::new(space), prior: Some(Arc::new(prior.clone())) })
    }

    /// What is drawn from; with a prior its weights are those of stacks alone.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Natural logarithm of the probability that a set-up is drawn; minus infinity for one that never is.
    pub fn log_probability(&self, deployment: &Deployment) -> f64 {
        match &self.prior {
            None => self.space.log_share(deployment),
            Some(prior) => {
                let groups = self.space.log_share_of_groups(deployment);
                groups + log_share_by_weight(self.space.by_group(deployment), self.space.zone(), prior)
            }
        }
    }

    /// Draws a set-up.
    pub fn draw(&self, random: &mut (impl Rng + ?Sized)) -> Deployment {
        let groups = self.space.draw(random);
        Deployment::new(match &self.prior {
            None => place_uniformly(&groups, self.space.zone(), random),
            Some(prior) => place_by_weight(&groups, self.space.zone(), prior, random),
        })
    }
}

/// Each way to place the groups is equally likely.
fn place_uniformly(groups: &[Copies], zone: &Zone, random: &mut (impl Rng + ?Sized)) -> Vec<(Point, Stack)> {
    let Zone { mut sea, mut shared, mut land } = zone.clone();
    let mut placed = Vec::new();
    let mut take = |points: &mut Vec<Point>, stack| {
        let point = points.swap_remove(below(points.len() as u128, random) as usize);
        placed.push((point, stack));
    };
    let (naval, others): (Vec<Copies>, Vec<Copies>) =
        groups.iter().partition(|group| group.stack.carrier().kind() == Kind::Navy);
    for group in naval {
        (0..group.on_shared).for_each(|_| take(&mut shared, group.stack));
        (group.on_shared..group.number).for_each(|_| take(&mut sea, group.stack));
    }
    land.append(&mut shared);
    for group in others {
        (0..group.number).for_each(|_| take(&mut land, group.stack));
    }
    placed
}

/// The groups one after another, by weight.
fn place_by_weight(
    groups: &[Copies],
    zone: &Zone,
    prior: &Prior,
    random: &mut (impl Rng + ?Sized),
) -> Vec<(Point, Stack)> {
    let mut stacks: Vec<Stack> =
        groups.iter().flat_map(|group| std::iter::repeat_n(group.stack, usize::from(group.number))).collect();
    commander_last(&mut stacks, |stack| *stack);
    let mut free = [zone.sea.as_slice(), &zone.shared, &zone.land].concat();
    let mut taken = Bits::EMPTY;
    let mut placed = Vec::new();
    for stack in stacks {
        let weights = weights(stack, &free, taken, prior);
        let mut rest = random.random::<f64>() * weights.iter().sum::<f64>();
        // Rounding may leave something over: the last point that can be taken gets it.
        let mut chosen = weights.iter().rposition(|&weight| weight > 0.0).unwrap_or_default();
        for (index, weight) in weights.iter().enumerate() {
            if rest < *weight {
                chosen = index;
                break;
            }
            rest -= weight;
        }
        let point = free.remove(chosen);
        taken.insert(point);
        placed.push((point, stack));
    }
    placed
}

/// The commander is placed when the others stand, so that it finds company.
fn commander_last<T>(groups: &mut [T], stack: impl Fn(&T) -> Stack) {
    groups.sort_by_key(|group| stack(group).contains(Kind::Commander));
}

/// How likely a stack is on each free point beside the others, while these are taken.
fn weights(stack: Stack, free: &[Point], taken: Bits, prior: &Prior) -> Vec<f64> {
    free.iter()
        .map(|&point| {
            if !may_stand(stack.carrier().kind(), point) {
                return 0.0;
            }
            let around = Geometry::get().rays[point.index()].iter();
            let company = around
                .filter(|ray| ray.points().first().is_some_and(|&next| taken.contains(next)))
                .count() as u32;
            stack.pieces().map(Piece::kind).map(|kind| prior.weight(kind, point, company)).product()
        })
        .collect()
}

/// Logarithm of the probability that [`place_by_weight`] puts these groups on these points. Equal groups may have
/// come to their points in any order.
fn log_share_by_weight(mut groups: Vec<(Stack, Vec<Point>)>, zone: &Zone, prior: &Prior) -> f64 {
    commander_last(&mut groups, |group| group.0);
    let free = [zone.sea.as_slice(), &zone.shared, &zone.land].concat();
    let mut taken = Bits::EMPTY;
    let mut sum = 0.0;
    for (stack, points) in groups {
        sum += in_any_order(stack, &points, &free, taken, prior).ln();
        points.iter().for_each(|&point| taken.insert(point));
    }
    sum
}

/// Probability that equal groups come to all of these points next, whichever order they come in.
fn in_any_order(stack: Stack, points: &[Point], zone: &[Point], taken: Bits, prior: &Prior) -> f64 {
    if points.is_empty() {
        return 1.0;
    }
    let free: Vec<Point> = zone.iter().copied().filter(|&point| !taken.contains(point)).collect();
    let weights = weights(stack, &free, taken, prior);
    let all: f64 = weights.iter().sum();
    let mut probability = 0.0;
    for (number, &point) in points.iter().enumerate() {
        let Some(place) = free.iter().position(|&other| other == point) else { return 0.0 };
        let mut others = points.to_vec();
        others.remove(number);
        let mut next = taken;
        next.insert(point);
        probability += weights[place] / all * in_any_order(stack, &others, zone, next, prior);
    }
    probability
}
