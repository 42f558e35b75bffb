//! Pairs of set-ups, and those that the rules declare void (rules, section 9).

use super::{Deployment, Sampler};
use crate::commander::Commander;
use crate::piece::Kind;
use crate::position::Position;
use game::starts::StartSides;
use game::{Play, Player, Turns};
use rand::Rng;
use rand::distr::Distribution;
use rand::distr::weighted::WeightedIndex;
use std::ops::AddAssign;

/// Void pairs in a row after which a source is given up for the uniform one.
pub const MOST_VOID: u32 = 16;
/// Void uniform pairs in a row after which the standard start stands in. Under `official` about one in four is
/// void.
pub const MOST_VOID_UNIFORM: u32 = 1000;

/// Why a pair of set-ups cannot be played: both sides redeploy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Void {
    /// The commanders are exposed to each other.
    Exposed,
    /// The first side to move could take the enemy commander in its first turn.
    Takeable,
    /// The game would be over before the first turn: the first side to move is mated or has no turn.
    Over,
}

impl Void {
    /// In a few words.
    pub const fn words(self) -> &'static str {
        match self {
            Void::Exposed => "the commanders are exposed to each other",
            Void::Takeable => "the first side to move could take the commander",
            Void::Over => "the first side to move has no legal turn",
        }
    }
}

/// Void pairs by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VoidTally {
    /// [`Void::Exposed`].
    pub exposed: u32,
    /// [`Void::Takeable`].
    pub takeable: u32,
    /// [`Void::Over`].
    pub over: u32,
}

impl VoidTally {
    /// All of them.
    pub const fn total(&self) -> u32 {
        self.exposed + self.takeable + self.over
    }

    fn add(&mut self, void: Void) {
        match void {
            Void::Exposed => self.exposed += 1,
            Void::Takeable => self.takeable += 1,
            Void::Over => self.over += 1,
        }
    }
}

impl AddAssign for VoidTally {
    fn add_assign(&mut self, other: VoidTally) {
        self.exposed += other.exposed;
        self.takeable += other.takeable;
        self.over += other.over;
    }
}

impl Commander {
    /// Why a position that two set-ups made is void; `None` where it can be played.
    pub fn void(&self, position: &Position) -> Option<Void> {
        if self.exposed(position.board()) {
            Some(Void::Exposed)
        } else if self.commander_takeable(position) {
            Some(Void::Takeable)
        } else {
            Play::new(self, *position).outcome(self).map(|_| Void::Over)
        }
    }

    /// Whether some turn of the side to move takes the enemy commander, with its first or a later step.
    fn commander_takeable(&self, position: &Position) -> bool {
        let board = position.board();
        let (mover, victim) = (position.mover(), position.mover().opponent());
        let Some(target) = board.commander(victim) else { return false };
        if self.attacked(board, target, mover) {
            return true;
        }
        // A later step takes it only where several steps start from one point in range.
        let own = board.commander(mover);
        let may_go_on = self.tables.geometry.near[target.index()]
            .into_iter()
            .chain(own)
            .map(|point| board.at(point))
            .filter(|stack| !stack.is_empty() && stack.side() == mover)
            .any(|stack| stack.len() > 1 || stack.carrier().kind() == Kind::Navy);
        if !may_go_on {
            return false;
        }
        let mut turns = Turns::new(self, position);
        while turns.advance(self) {
            if turns.position().board().commander(victim).is_none() {
                return true;
            }
        }
        false
    }
}

/// Where single set-ups come from.
#[derive(Clone, Debug)]
enum Supply {
    Drawn(Sampler),
    /// Each equally likely; never empty.
    Listed(Vec<Deployment>),
    /// Each as likely as its weight says.
    Weighted(Vec<Deployment>, WeightedIndex<f64>),
}

impl Supply {
    fn draw(&self, random: &mut (impl Rng + ?Sized)) -> Deployment {
        match self {
            Supply::Drawn(sampler) => sampler.draw(random),
            Supply::Listed(list) => list[random.random_range(0..list.len())].clone(),
            Supply::Weighted(list, weights) => list[weights.sample(random)].clone(),
        }
    }
}

/// Draws pairs of set-ups that can be played.
#[derive(Clone, Debug)]
pub struct PairSupply {
    game: Commander,
    supply: Supply,
    uniform: Sampler,
    sides: StartSides,
}

/// A pair that can be played.
#[derive(Clone, Debug)]
pub struct DrawnPair {
    /// The set-ups of Red and of Blue.
    pub sides: [Deployment; 2],
    /// The position before the first turn.
    pub position: Position,
    /// Void pairs before it.
    pub void: VoidTally,
    /// Whether the source was given up for the uniform one.
    pub fallback: bool,
}

impl PairSupply {
    /// Pairs of set-ups from a sampler; sides that are not drawn have the standard set-up. `uniform` stands in
    /// after sixteen void pairs in a row.
    pub fn drawn(game: &Commander, sampler: Sampler, uniform: Sampler, sides: StartSides) -> PairSupply {
        PairSupply { game: game.clone(), supply: Supply::Drawn(sampler), uniform, sides }
    }

    /// The same from a list, each set-up as likely as its weight says; `None` where it is empty or a weight is no
    /// number above 0.
    pub fn listed(
        game: &Commander,
        list: Vec<(f64, Deployment)>,
        uniform: Sampler,
        sides: StartSides,
    ) -> Option<PairSupply> {
        let (weights, list): (Vec<f64>, Vec<Deployment>) = list.into_iter().unzip();
        let index = WeightedIndex::new(&weights).ok()?;
        // Equal weights take one number from the stream, as they did before there were others.
        let equal = weights.iter().all(|weight| *weight == weights[0]);
        let supply = if equal { Supply::Listed(list) } else { Supply::Weighted(list, index) };
        Some(PairSupply { game: game.clone(), supply, uniform, sides })
    }

    /// Draws a pair that is not void.
    pub fn draw(&self, random: &mut (impl Rng + ?Sized)) -> DrawnPair {
        let mut void = VoidTally::default();
        for attempt in 0..MOST_VOID + MOST_VOID_UNIFORM {
            let fallback = attempt >= MOST_VOID;
            let uniform;
            let supply = if fallback {
                uniform = Supply::Drawn(self.uniform.clone());
                &uniform
            } else {
                &self.supply
            };
            let sides = self.draw_sides(supply, random);
            let position = self.game.deployed([&sides[0], &sides[1]]);
            match self.game.void(&position) {
                Some(reason) => void.add(reason),
                None => return DrawnPair { sides, position, void, fallback },
            }
        }
        let sides = [Deployment::standard(), Deployment::standard()];
        let position = self.game.deployed([&sides[0], &sides[1]]);
        DrawnPair { sides, position, void, fallback: true }
    }

    fn draw_sides(&self, supply: &Supply, random: &mut (impl Rng + ?Sized)) -> [Deployment; 2] {
        let drawn = match self.sides {
            StartSides::Both => [true, true],
            StartSides::First => [true, false],
            StartSides::Second => [false, true],
            StartSides::One => {
                let first = random.random::<bool>();
                [first, !first]
            }
        };
        Player::BOTH.map(|side| match drawn[side.index()] {
            true => supply.draw(random),
            false => Deployment::standard(),
        })
    }
}
