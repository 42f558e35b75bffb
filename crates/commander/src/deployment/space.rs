//! All legal set-ups of one side, counted exactly.
//!
//! A set-up is made of *groups*, single pieces or stacks; which groups it has and where they stand is
//! chosen in turn. What is open to a group depends only on how many points of each of three classes are
//! still free (for navies alone, for all, for all but navies), so that a table over (group, pieces left,
//! points taken) holds every count: a number of set-ups is a sum of products of binomial coefficients.
//! Drawing each choice with probability proportional to the set-ups behind it makes the draw exactly
//! uniform, without rejection.

use super::{Army, Deployment};
use crate::commander::Commander;
use crate::piece::{Kind, Piece};
use crate::point::{FILES, Point};
use crate::stack::Stack;
use crate::tables::may_stand;
use game::Player;
use rand::Rng;
use std::collections::HashMap;

/// Pieces that stand together, with the weight of set-ups in which they do.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// The pieces, for [`Player::First`].
    pub stack: Stack,
    /// A set-up counts as often as the product of the weights of its groups says; 1 counts set-ups.
    pub weight: u32,
}

impl Group {
    fn army(&self) -> Army {
        Army::of(self.stack.pieces().map(Piece::kind))
    }

    fn naval(&self) -> bool {
        self.stack.carrier().kind() == Kind::Navy
    }
}

/// Some of a set-up's groups that are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Copies {
    pub stack: Stack,
    /// How many.
    pub number: u8,
    /// How many of them stand on points that are for all; 0 unless a navy leads.
    pub on_shared: u8,
}

/// Why set-ups cannot be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpaceError {
    /// There is none.
    #[error("there is no legal set-up")]
    Empty,
    /// There are too many, or their weights are too large.
    #[error("there are more than 2^128 weighted set-ups")]
    TooMany,
}

/// The points of a set-up by who may stand there.
#[derive(Clone, Debug, Default)]
pub(super) struct Zone {
    /// Navies alone.
    pub sea: Vec<Point>,
    /// All.
    pub shared: Vec<Point>,
    /// All but navies.
    pub land: Vec<Point>,
}

impl Zone {
    fn of(points: impl IntoIterator<Item = Point>) -> Zone {
        let mut zone = Zone::default();
        for point in points {
            match (may_stand(Kind::Navy, point), may_stand(Kind::Infantry, point)) {
                (true, false) => zone.sea.push(point),
                (true, true) => zone.shared.push(point),
                _ => zone.land.push(point),
            }
        }
        zone
    }
}

/// What is still to be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct State {
    /// Groups before this one have been chosen.
    group: u8,
    /// Pieces that are left.
    left: Army,
    /// Points taken: for navies alone, for all by navies, by all others.
    taken: [u8; 3],
}

/// All legal set-ups of one side.
#[derive(Clone, Debug)]
pub struct Space {
    army: Army,
    zone: Zone,
    groups: Vec<Group>,
    /// Number of ways to go on, by state.
    counts: HashMap<State, u128>,
}

impl Space {
    /// The free set-ups of these rules (`free_zone`, `free_stacks`, `stack_caps`). `weight` says how often a set-up
    /// counts for each of its stacks.
    ///
    /// # Errors
    /// Too large weights.
    pub fn of_rules(game: &Commander, weight: impl Fn(Stack) -> u32) -> Result<Space, SpaceError> {
        let ranks = game.rules.free_zone.ranks();
        let points = (0..ranks).flat_map(|rank| (0..FILES).map(move |file| Point::at(file, rank)));
        let groups = every_stack(&Army::FULL)
            .into_iter()
            .filter(|&stack| game.may_deploy_together(stack))
            .map(|stack| Group { stack, weight: if stack.len() > 1 { weight(stack) } else { 1 } });
        Space::new(Army::FULL, points, groups)
    }

    /// The ways to put an army on points in these groups. Single pieces are groups too.
    ///
    /// # Errors
    /// No way at all, or too many.
    pub fn new(
        army: Army,
        points: impl IntoIterator<Item = Point>,
        groups: impl IntoIterator<Item = Group>,
    ) -> Result<Space, SpaceError> {
        let mut groups: Vec<Group> = groups.into_iter().collect();
        // Navies choose first: what they leave is all the same to the others.
        groups.sort_by_key(|group| !group.naval());
        let mut space = Space { army, zone: Zone::of(points), groups, counts: HashMap::new() };
        match space.fill(space.root())? {
            0 => Err(SpaceError::Empty),
            _ => Ok(space),
        }
    }

    /// Number of set-ups, each counted by its weight.
    pub fn count(&self) -> u128 {
        self.behind(self.root())
    }

    /// Binary logarithm of [`Space::count`].
    pub fn bits(&self) -> f64 {
        (self.count() as f64).log2()
    }

    /// The groups of a set-up in the order in which they are chosen, each kind once with its points. Groups that
    /// the space does not have are left out.
    pub(super) fn by_group(&self, deployment: &Deployment) -> Vec<(Stack, Vec<Point>)> {
        let points = |group: &Group| {
            let there = deployment.stacks().iter().filter(|(_, stack)| *stack == group.stack);
            there.map(|&(point, _)| point).collect()
        };
        let groups = self.groups.iter().map(|group| (group.stack, points(group)));
        groups.filter(|(_, points): &(Stack, Vec<Point>)| !points.is_empty()).collect()
    }

    /// Logarithm of a set-up's share of the space: its weight over that of all. Minus infinity for one that does
    /// not belong to it.
    pub(super) fn log_share(&self, deployment: &Deployment) -> f64 {
        let known: usize = self.by_group(deployment).iter().map(|(_, points)| points.len()).sum();
        let army = Army::of(deployment.pieces().map(|(_, piece)| piece.kind()));
        if known < deployment.stacks().len() || army != self.army {
            return f64::NEG_INFINITY;
        }
        let weight =
            |stack: Stack| self.groups.iter().find(|group| group.stack == stack).map(|group| group.weight);
        let weights = deployment.stacks().iter().filter_map(|&(_, stack)| weight(stack));
        weights.map(|weight| f64::from(weight).ln()).sum::<f64>() - (self.count() as f64).ln()
    }

    /// Logarithm of the share of all set-ups that have the same groups as this one, wherever they stand.
    pub(super) fn log_share_of_groups(&self, deployment: &Deployment) -> f64 {
        let groups = self.by_group(deployment);
        let number =
            |stack: Stack| groups.iter().find(|(other, _)| *other == stack).map_or(0, |(_, all)| all.len());
        // Navies may share the points between the classes in several ways; everything else goes one way.
        let mut ways = vec![(1.0, self.root())];
        for group in &self.groups {
            let wanted = number(group.stack);
            let mut further = Vec::new();
            for (before, state) in ways {
                if state.left == Army::NONE {
                    further.push((before, state));
                    continue;
                }
                let choices = self.choices(state).into_iter();
                let fitting = choices.filter(|(_, copies, _)| usize::from(copies.number) == wanted);
                further.extend(fitting.map(|(ways, _, next)| (before * ways as f64, next)));
            }
            ways = further;
        }
        let done = ways.iter().filter(|(_, state)| state.left == Army::NONE);
        (done.map(|(ways, _)| ways).sum::<f64>() / self.count() as f64).ln()
    }

    pub(super) fn zone(&self) -> &Zone {
        &self.zone
    }

    fn root(&self) -> State {
        State { group: 0, left: self.army, taken: [0; 3] }
    }

    /// What has been found for a state; nothing leads to one that was not looked at.
    fn behind(&self, state: State) -> u128 {
        self.counts.get(&state).copied().unwrap_or(0)
    }

    /// Counts the set-ups behind a state and keeps the number.
    fn fill(&mut self, state: State) -> Result<u128, SpaceError> {
        if let Some(&count) = self.counts.get(&state) {
            return Ok(count);
        }
        let mut count: u128 = 0;
        if state.left == Army::NONE {
            // The groups that are left have no pieces.
            count = 1;
        } else if self.can_be_placed(state) {
            for (ways, _, next) in self.choices(state) {
                let behind = self.fill(next)?;
                let product = ways.checked_mul(behind).ok_or(SpaceError::TooMany)?;
                count = count.checked_add(product).ok_or(SpaceError::TooMany)?;
            }
        }
        self.counts.insert(state, count);
        Ok(count)
    }

    /// Whether every kind that is left has a group to come; saves looking at most states.
    fn can_be_placed(&self, state: State) -> bool {
        Kind::ALL.into_iter().filter(|&kind| state.left.count(kind) > 0).all(|kind| {
            self.groups[usize::from(state.group)..].iter().any(|group| group.stack.contains(kind))
        })
    }

    /// The choices for the next group: its weighted ways, what is chosen, what is left to choose.
    fn choices(&self, state: State) -> Vec<(u128, Copies, State)> {
        let Some(group) = self.groups.get(usize::from(state.group)) else { return Vec::new() };
        let part = group.army();
        let [sea, shared, land] = state.taken.map(usize::from);
        let free = |points: &Vec<Point>, taken: usize| points.len().saturating_sub(taken);
        let mut choices = Vec::new();
        for number in 0..=u8::MAX {
            let Some(left) = state.left.without(&part, number) else { break };
            let weight = u128::from(group.weight).pow(u32::from(number));
            let mut add = |on_shared: u8, ways: u128, taken: [u8; 3]| {
                let copies = Copies { stack: group.stack, number, on_shared };
                choices.push((weight * ways, copies, State { group: state.group + 1, left, taken }));
            };
            let [sea_taken, shared_taken, land_taken] = state.taken;
            if group.naval() {
                for on_shared in 0..=number {
                    let at_sea = number - on_shared;
                    let ways = choose(free(&self.zone.sea, sea), at_sea)
                        * choose(free(&self.zone.shared, shared), on_shared);
                    add(on_shared, ways, [sea_taken + at_sea, shared_taken + on_shared, land_taken]);
                }
            } else {
                let points = self.zone.shared.len() + self.zone.land.len();
                let ways = choose(points.saturating_sub(shared + land), number);
                add(0, ways, [sea_taken, shared_taken, land_taken + number]);
            }
        }
        choices
    }

    /// Draws the groups of a set-up, each way to choose them as often as it is counted.
    pub(super) fn draw(&self, random: &mut (impl Rng + ?Sized)) -> Vec<Copies> {
        let mut drawn = Vec::new();
        let mut state = self.root();
        while state.left != Army::NONE {
            let mut rest = below(self.behind(state), random);
            let mut chosen = None;
            for (ways, copies, next) in self.choices(state) {
                let part = ways * self.behind(next);
                if rest < part {
                    chosen = Some((copies, next));
                    break;
                }
                rest -= part;
            }
            // The parts add up to the whole, so that one is always chosen.
            let Some((copies, next)) = chosen else { break };
            if copies.number > 0 {
                drawn.push(copies);
            }
            state = next;
        }
        drawn
    }
}

/// Every set of up to three pieces of an army, as a stack, legal or not.
fn every_stack(army: &Army) -> Vec<Stack> {
    let kinds: Vec<Kind> = Kind::ALL.into_iter().filter(|&kind| army.count(kind) > 0).collect();
    let mut stacks: Vec<Stack> = Vec::new();
    let plain = |kind| Piece::new(kind, false);
    for (index, &first) in kinds.iter().enumerate() {
        let one = Stack::single(Player::First, plain(first));
        stacks.push(one);
        for (next, &second) in kinds.iter().enumerate().skip(index) {
            let Some(two) = one.with(plain(second)) else { continue };
            stacks.push(two);
            stacks.extend(kinds[next..].iter().filter_map(|&third| two.with(plain(third))));
        }
    }
    stacks.retain(|stack| army.without(&Army::of(stack.pieces().map(Piece::kind)), 1).is_some());
    stacks
}

/// A number below `bound`, each exactly equally likely; 0 where there is none. The ranges of `rand` favour some
/// numbers by a share of 2⁻⁶⁴ or so, this does not.
pub(super) fn below(bound: u128, random: &mut (impl Rng + ?Sized)) -> u128 {
    let Some(bits) = bound.checked_sub(1).filter(|&largest| largest > 0).map(u128::leading_zeros) else {
        return 0;
    };
    loop {
        let drawn = random.random::<u128>() >> bits;
        if drawn < bound {
            return drawn;
        }
    }
}

/// Binomial coefficient.
fn choose(from: usize, number: u8) -> u128 {
    let mut ways: u128 = 1;
    for index in 0..usize::from(number) {
        ways = ways * from.saturating_sub(index) as u128 / (index + 1) as u128;
    }
    ways
}

#[cfg(test)]
mod tests;
