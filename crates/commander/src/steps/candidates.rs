//! The candidates of a position: numbers that cover its legal steps, so that one of them can be drawn without
//! listing the others.
//!
//! A piece on a point has a fixed number of points on its ways, whatever stands there. Each is a candidate,
//! and an enemy in an air force's range is one more, since that may replace it or bomb and return; a stack
//! has the candidates of its carrier, those of every different member and those of drops. Every legal step
//! that begins a turn has exactly one number, and most numbers have none: numbers drawn uniformly until one
//! has a step draw uniformly among the legal steps, however few they are.

use super::{Generator, Sink};
use crate::bits::Bits;
use crate::board::Board;
use crate::commander::Commander;
use crate::piece::{Kind, Piece};
use crate::point::Point;
use crate::rules::AirDrop;
use crate::stack::Stack;
use game::Player;

/// Stacks of one side whose candidates are numbered; a set-up has 19 pieces.
const MOST_STACKS: usize = 40;

/// What a number stands for.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    from: Point,
    /// Who acts; all pieces of the stack, or one of them.
    pieces: Stack,
    aim: Aim,
    /// Which of the legal steps with that aim, from 0.
    pub order: usize,
}

/// Where a candidate leads.
#[derive(Clone, Copy)]
enum Aim {
    /// To a stop of the carrier's ways.
    Stop(usize),
    /// To an enemy in an air force's range.
    Enemy(Point),
    /// A drop by an air force of the stack on a stop of its ways.
    Drop(usize),
}

/// The numbers of the candidates of a side between turns.
pub(crate) struct Candidates<'a> {
    game: &'a Commander,
    board: &'a Board,
    side: Player,
    /// The points with stacks, and where the numbers of each stack end.
    points: [Point; MOST_STACKS],
    ends: [u16; MOST_STACKS],
    stacks: usize,
}

impl<'a> Candidates<'a> {
    /// Those of a side; `None` when it has more stacks than are numbered.
    pub fn of(game: &'a Commander, board: &'a Board, side: Player) -> Option<Candidates<'a>> {
        let own = board.occupied(side);
        if own.len() as usize > MOST_STACKS {
            return None;
        }
        let mut candidates = Candidates {
            game,
            board,
            side,
            points: [Point::NONE; MOST_STACKS],
            ends: [0; MOST_STACKS],
            stacks: 0,
        };
        let mut end = 0;
        for from in own {
            end += match game.tables.ways.most_steps(board.number_at(from), from) {
                Some(stops) => stops,
                None => candidates.width_of_stack(board.at(from), from),
            };
            candidates.points[candidates.stacks] = from;
            candidates.ends[candidates.stacks] = end as u16;
            candidates.stacks += 1;
        }
        Some(candidates)
    }

    /// How many numbers there are.
    pub fn len(&self) -> u16 {
        self.stacks.checked_sub(1).map_or(0, |last| self.ends[last])
    }

    /// What a number stands for; `None` from [`Candidates::len`] on.
    pub fn get(&self, number: u16) -> Option<Candidate> {
        let index = self.ends[..self.stacks].iter().position(|&end| number < end)?;
        let begin = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.of_stack(self.points[index], usize::from(number - begin))
    }

    /// The enemies in range of a piece that has two ways to capture them.
    #[inline]
    fn twofold(&self, piece: Piece, from: Point) -> Bits {
        match piece.kind() {
            Kind::AirForce => self.game.tables.reach(piece, from) & self.board.occupied(self.side.opponent()),
            _ => Bits::EMPTY,
        }
    }

    #[inline]
    fn stops(&self, piece: Piece, from: Point) -> usize {
        self.game.tables.ways.of(self.side, piece, from).len()
    }

    /// How many candidates a piece by its own rules has.
    #[inline]
    fn width(&self, piece: Piece, from: Point) -> usize {
        self.stops(piece, from) + self.twofold(piece, from).len() as usize
    }

    fn width_of_stack(&self, stack: Stack, from: Point) -> usize {
        if stack.len() == 1 {
            return self.width(stack.carrier(), from);
        }
        let members = members(stack).map(|piece| self.width(piece, from) + self.drops(stack, piece, from));
        self.width(stack.carrier(), from) + members.sum::<usize>()
    }

    /// How many drops a member of a stack may have.
    fn drops(&self, stack: Stack, piece: Piece, from: Point) -> usize {
        if piece.kind() != Kind::AirForce || self.game.rules.air_drop == AirDrop::Off {
            return 0;
        }
        self.stops(piece, from) * parts(stack)
    }

    /// What a number of the candidates of the stack on a point stands for.
    fn of_stack(&self, from: Point, mut number: usize) -> Option<Candidate> {
        let stack = self.board.at(from);
        let whole = self.width(stack.carrier(), from);
        if number < whole {
            return self.of_group(from, stack, number);
        }
        number -= whole;
        for piece in members(stack) {
            let single = Stack::single(self.side, piece);
            let (own, drops) = (self.width(piece, from), self.drops(stack, piece, from));
            if number < own {
                return self.of_group(from, single, number);
            }
            number -= own;
            if number < drops {
                let (stop, order) = (number / parts(stack), number % parts(stack));
                return Some(Candidate { from, pieces: single, aim: Aim::Drop(stop), order });
            }
            number -= drops;
        }
        None
    }

    /// What a number of the candidates of pieces that act together stands for.
    fn of_group(&self, from: Point, pieces: Stack, number: usize) -> Option<Candidate> {
        let stops = self.stops(pieces.carrier(), from);
        if number < stops {
            return Some(Candidate { from, pieces, aim: Aim::Stop(number), order: 0 });
        }
        let enemy = self.twofold(pieces.carrier(), from).into_iter().nth(number - stops)?;
        Some(Candidate { from, pieces, aim: Aim::Enemy(enemy), order: 1 })
    }
}

/// The different members of a stack.
fn members(stack: Stack) -> impl Iterator<Item = Piece> {
    let mut previous = None;
    stack.pieces().filter(move |&piece| previous.replace(piece) != Some(piece))
}

/// How many parts of a stack's other members an air force may drop.
fn parts(stack: Stack) -> usize {
    (1 << (stack.len() - 1)) - 1
}

impl<S: Sink + ?Sized> Generator<'_, S> {
    /// Proposes the steps that a candidate leads to, in their order. True when the sink stopped it.
    pub(super) fn steps_of_candidate(&mut self, candidate: &Candidate) -> bool {
        let &Candidate { from, pieces, aim, .. } = candidate;
        let stack = self.board.at(from);
        let leader = pieces.carrier();
        let ways = self.game.tables.ways.of(self.side, leader, from);
        let (stop, target) = match aim {
            Aim::Stop(stop) => (stop, ways[stop].point),
            Aim::Enemy(target) => (0, target),
            Aim::Drop(stop) => return self.drop_steps_to(from, stack, leader, ways[stop].point),
        };
        let members = if pieces == stack { stack.full_mask() } else { stack.mask_of(pieces) };
        let group = self.group(from, pieces, members, pieces != stack);
        match leader.kind() {
            Kind::Navy => self.navy_step_to(&group, target),
            Kind::AirForce => self.air_steps_to(&group, target),
            Kind::Commander => self.commander_step_to(&group, target),
            _ => {
                let first = ways[..=stop].iter().rposition(|stop| stop.first).unwrap_or(0);
                self.land_step_to(&group, &ways[first..stop], ways[stop])
            }
        }
    }
}
