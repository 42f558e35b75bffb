//! Generation of legal steps (rules, sections 2 to 6).
//!
//! `mod.rs` goes through the stacks and their members, one file each generates the candidates of a
//! family of pieces, `legality.rs` decides which candidates are legal.

mod air;
mod commander;
mod drop;
mod land;
mod legality;
mod navy;
mod ride;

use crate::attacks::Watch;
use crate::bits::Bits;
use crate::board::Board;
use crate::commander::Commander;
use crate::piece::{Kind, Piece};
use crate::point::{DIRECTION_ORDER, FILES, Point, RANKS};
use crate::rules::{EngineerCarry, NavyDouble};
use crate::stack::Stack;
use crate::step::{Step, StepKind};
use crate::tables::{Range, may_stand};
use crate::turn::{Turn, Welcome};
use game::Player;

/// Gets legal steps one by one; a `true` stops the generation.
pub(crate) trait Sink: FnMut(Step) -> bool {}
impl<S: FnMut(Step) -> bool + ?Sized> Sink for S {}

/// The part of a stack that acts as one.
#[derive(Clone, Copy)]
struct Group {
    /// Where it stands.
    from: Point,
    /// The pieces.
    pieces: Stack,
    /// The carrier, by whose rules the group moves.
    leader: Piece,
    /// Its slots in the present stack.
    members: u8,
    /// It is only a part of the turn's original stack.
    split: bool,
    /// It is an engineer with a heavy piece that must cross the river.
    ferry: bool,
}

/// Generates the steps of one side on a board, in the middle of a turn or before one.
pub(crate) struct Generator<'a, S: Sink + ?Sized> {
    game: &'a Commander,
    board: &'a Board,
    /// The turn under way, or none.
    turn: &'a Turn,
    side: Player,
    watch: Watch,
    /// Whether both commanders were open as the turn began.
    commanders_open: bool,
    /// Zones of the enemy, found when first needed.
    zones: Option<Bits>,
    /// Points that are open to the enemy commander, found when first needed.
    lines: Option<Bits>,
    sink: &'a mut S,
}

impl<'a, S: Sink + ?Sized> Generator<'a, S> {
    /// A generator of the steps of `side`.
    pub fn new(game: &'a Commander, board: &'a Board, turn: &'a Turn, side: Player, sink: &'a mut S) -> Self {
        let commanders_open = if turn.under_way() { turn.commanders_open } else { game.both_open(board) };
        Generator {
            game,
            board,
            turn,
            side,
            watch: game.watch(board, side),
            commanders_open,
            zones: None,
            lines: None,
            sink,
        }
    }

    /// Generates all legal steps except the one that ends the turn. True when the sink stopped it.
    pub fn run(&mut self) -> bool {
        if self.turn.under_way() {
            return self.later_steps();
        }
        let own = self.board.occupied(self.side);
        for seen_rank in 0..RANKS {
            let rank = match self.side {
                Player::First => seen_rank,
                Player::Second => RANKS - 1 - seen_rank,
            };
            let mut row = own.rank(rank);
            while row != 0 {
                let file = row.trailing_zeros() as usize;
                row &= row - 1;
                debug_assert!(file < FILES);
                if self.first_steps(Point::at(file, rank)) {
                    return true;
                }
            }
        }
        false
    }

    /// Steps of a stack that has not acted.
    fn first_steps(&mut self, from: Point) -> bool {
        let stack = self.board.at(from);
        let whole = self.group(from, stack, stack.full_mask(), false);
        if self.group_steps(whole) {
            return true;
        }
        stack.len() > 1 && self.member_steps(from, stack, stack)
    }

    /// Steps that go on with the turn under way.
    fn later_steps(&mut self) -> bool {
        let turn = self.turn;
        let from = turn.origin;
        let stack = self.board.at(from);
        let ready = turn.ready;
        if turn.gun.loaded() {
            let navy = Stack::single(self.side, stack.carrier());
            let alone = self.group(from, navy, 1, turn.original.len() > 1);
            if self.second_action(alone) {
                return true;
            }
            if turn.gun == crate::turn::Gun::FiredAlone
                && !ready.is_empty()
                && let Some(together) = navy.joined(ready)
            {
                let split = together.len() < turn.original.len();
                let group = self.group(from, together, stack.mask_of(together), split);
                if self.second_action(group) {
                    return true;
                }
            }
        }
        !ready.is_empty() && self.member_steps(from, stack, ready)
    }

    /// Steps of single members, each kind of piece once, and drops.
    fn member_steps(&mut self, from: Point, stack: Stack, ready: Stack) -> bool {
        let mut previous = None;
        for piece in ready.pieces() {
            if previous == Some(piece) {
                continue;
            }
            previous = Some(piece);
            let single = Stack::single(self.side, piece);
            let group = self.group(from, single, stack.mask_of(single), true);
            if self.ride_steps(group) || self.group_steps(group) {
                return true;
            }
            if piece.kind() == Kind::AirForce && self.drop_steps(from, stack, ready, piece) {
                return true;
            }
        }
        false
    }

    fn group(&self, from: Point, pieces: Stack, members: u8, split: bool) -> Group {
        let leader = pieces.carrier();
        let ferry = leader.kind() == Kind::Engineer
            && pieces.len() > 1
            && self.game.rules.engineer_carry == EngineerCarry::River;
        Group { from, pieces, leader, members, split, ferry }
    }

    /// All steps of a group by its leader's rules.
    fn group_steps(&mut self, group: Group) -> bool {
        match group.leader.kind() {
            Kind::Navy => self.navy_moves(group) || self.navy_captures(group, false),
            Kind::AirForce => self.air_steps(group),
            Kind::Commander => self.commander_steps(group),
            _ => self.land_steps(group),
        }
    }

    /// What a navy may do after a shot.
    fn second_action(&mut self, group: Group) -> bool {
        let moves = self.game.rules.navy_double == NavyDouble::MoveGun;
        (moves && self.navy_moves(group)) || self.navy_captures(group, true)
    }

    #[inline]
    fn directions(&self) -> [usize; 8] {
        DIRECTION_ORDER[self.side.index()]
    }

    #[inline]
    fn range(&self, group: &Group) -> Range {
        self.game.tables.range(group.leader)
    }

    #[inline]
    fn own(&self, point: Point) -> bool {
        self.board.occupied(self.side).contains(point)
    }

    #[inline]
    fn enemy(&self, point: Point) -> bool {
        self.board.occupied(self.side.opponent()).contains(point)
    }

    /// Points in the enemy's zones.
    fn zones(&mut self) -> Bits {
        match self.zones {
            Some(zones) => zones,
            None => *self.zones.insert(self.game.zones(self.board, self.side.opponent())),
        }
    }

    /// Proposes a step: passes it on when it is legal.
    #[inline]
    fn propose(&mut self, group: &Group, target: Point, kind: StepKind) -> bool {
        if group.ferry
            && matches!(kind, StepKind::Move | StepKind::Capture)
            && group.from.upper_bank() == target.upper_bank()
        {
            return false;
        }
        let step = Step { origin: group.from, target, kind, members: group.members };
        self.legal(step, group.pieces) && (self.sink)(step)
    }

    /// Proposes joining the friends on `target`, which the group reaches by its own move.
    fn propose_join(&mut self, group: &Group, target: Point) -> bool {
        let friends = self.board.at(target);
        let Some(union) = friends.joined(group.pieces) else { return false };
        if !self.game.tables.legal_stack(union) || !may_stand(union.carrier().kind(), target) {
            return false;
        }
        if let Some(landing) = self.turn.landing(target) {
            let rides = landing.welcome == Welcome::Ride
                && group.pieces.len() == 1
                && union.carrier() == friends.carrier();
            // Riding along needs no reach and is generated by itself.
            if rides
                || landing.welcome == Welcome::Nobody
                || self.turn.reunites(target, self.game.rules.engineer_carry)
            {
                return false;
            }
        }
        self.propose(group, target, StepKind::Join)
    }
}
