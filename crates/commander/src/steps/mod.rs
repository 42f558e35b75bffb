//! Generation of legal steps (rules, sections 2 to 6).
//!
//! `mod.rs` goes through the stacks and their members, one file each generates the candidates of a
//! family of pieces, `legality.rs` decides which candidates are legal. `sample.rs` draws one legal step
//! without listing all.

mod air;
mod candidates;
mod commander;
mod drop;
mod land;
mod legality;
mod navy;
mod ride;
mod sample;

use crate::air_defence::AirDefence;
use crate::attacks::{Outlook, Safety, Watch};
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
    /// What it leaves behind.
    remainder: Stack,
    /// It is only a part of the turn's original stack.
    split: bool,
    /// It is an engineer with a heavy piece that must cross the river.
    ferry: bool,
    /// What it leaves behind may stay there.
    may_remain: bool,
    /// Leaving its point is surely legal, as long as the target is not the own commander's and
    /// nothing is captured.
    leaves_safely: bool,
    /// Where its move, if that ends the turn, must go to end a present danger or not to open one.
    rescue: Bits,
    /// Where any step of it must go to end a present danger that nothing after it in the turn can end.
    answers: Bits,
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
    /// The enemy's air defence, found when first needed.
    defence: Option<AirDefence>,
    /// Points that are open to the enemy commander, found when first needed.
    lines: Option<Bits>,
    /// Points in range of the enemy's pieces, found when first needed.
    threatened: Option<Bits>,
    /// The own air defence, unless it may change by promotions, found when first needed.
    own_defence: Option<Option<AirDefence>>,
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
            defence: None,
            lines: None,
            threatened: None,
            own_defence: None,
            sink,
        }
    }

    /// Generates all legal steps except the one that ends the turn. True when the sink stopped it.
    pub fn run(&mut self) -> bool {
        if self.turn.under_way() {
            return self.later_steps();
        }
        (0..RANKS).any(|rank| self.steps_of_rank(rank))
    }

    /// Whether the sink stops a generation of some legal steps, the end of the turn left aside, or of all:
    /// in an order in which the first ones are found fast.
    pub fn any(&mut self) -> bool {
        if self.turn.under_way() {
            return self.later_steps();
        }
        // The foremost pieces can move more often than those behind them, and commanders stay behind.
        (0..RANKS).rev().any(|rank| self.steps_of_rank(rank))
    }

    /// Steps of the stacks on a rank, as the side counts them.
    fn steps_of_rank(&mut self, seen_rank: usize) -> bool {
        let rank = match self.side {
            Player::First => seen_rank,
            Player::Second => RANKS - 1 - seen_rank,
        };
        let mut row = self.board.occupied(self.side).rank(rank);
        while row != 0 {
            let file = row.trailing_zeros() as usize;
            row &= row - 1;
            debug_assert!(file < FILES);
            if self.first_steps(Point::at(file, rank)) {
                return true;
            }
        }
        false
    }

    /// Steps of a stack that has not acted.
    fn first_steps(&mut self, from: Point) -> bool {
        let stack = self.board.at(from);
        let whole = self.group(from, stack, stack.full_mask(), false);
        if self.group_steps(&whole) {
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
            if self.second_action(&alone) {
                return true;
            }
            if turn.gun == crate::turn::Gun::FiredAlone
                && !ready.is_empty()
                && let Some(together) = navy.joined(ready)
            {
                let split = together.len() < turn.original.len();
                let group = self.group(from, together, stack.mask_of(together), split);
                if self.second_action(&group) {
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
            if self.ride_steps(&group) || self.group_steps(&group) {
                return true;
            }
            if piece.kind() == Kind::AirForce && self.drop_steps(from, stack, ready, piece) {
                return true;
            }
        }
        false
    }

    #[inline]
    fn group(&self, from: Point, pieces: Stack, members: u8, split: bool) -> Group {
        let leader = pieces.carrier();
        let ferry = leader.kind() == Kind::Engineer
            && pieces.len() > 1
            && self.game.rules.engineer_carry == EngineerCarry::River;
        let stack = self.board.at(from);
        let remainder = if pieces == stack { Stack::EMPTY } else { stack.without(pieces) };
        // A whole stack's step ends its turn, shots of a navy apart, which do not leave the point.
        let ends_turn = remainder.is_empty() && !self.turn.under_way();
        let own_commander = self.watch.commander == Some(from);
        let may_remain = self.game.may_remain(remainder, from);
        let leaves_safely = if may_remain {
            self.watch.allows_leaving(from, remainder)
        } else {
            self.may_follow(stack, pieces, remainder) && self.watch.allows_leaving(from, Stack::EMPTY)
        };
        let several = self.watch.dangers > 1 && !ends_turn;
        let answers = if self.watch.safe || own_commander || several {
            Bits::ALL
        } else {
            self.answers(from, stack, pieces)
        };
        let pinned = ends_turn && !own_commander && self.watch.safe && !leaves_safely;
        let rescue =
            if pinned && self.watch.pins.contains(from) { self.watch.pins.line(from) } else { answers };
        Group {
            from,
            pieces,
            leader,
            members,
            remainder,
            split,
            ferry,
            may_remain,
            leaves_safely,
            rescue,
            answers,
        }
    }

    /// Whether all that `pieces` leave behind may ride along after a move of theirs.
    #[inline]
    fn may_follow(&self, stack: Stack, pieces: Stack, remainder: Stack) -> bool {
        let ready = if self.turn.under_way() { self.turn.ready.without(pieces) } else { remainder };
        // An engineer and its cargo may not always meet again.
        pieces.len() == 1
            && pieces.carrier() == stack.carrier()
            && pieces.carrier().kind() != Kind::Engineer
            && ready == remainder
            && self.game.tables.legal_stack(stack)
    }

    /// Where a step of `pieces` of the stack on `from` must go to end the present danger; all points when
    /// others of the stack may end it later in the turn.
    fn answers(&self, from: Point, stack: Stack, pieces: Stack) -> Bits {
        let defends = stack.pieces().any(|piece| piece.kind().is_defender());
        let answers = if defends { self.watch.rescue } else { self.watch.plain_rescue };
        let others = if self.turn.under_way() { self.turn.ready } else { stack }.without(pieces);
        let navy = (self.turn.gun.loaded() && !pieces.contains(Kind::Navy)).then(|| stack.carrier());
        let enemy = self.board.commander(self.side.opponent());
        let helps = |piece: Piece| {
            let reach = self.game.tables.reach(piece, from);
            // To take the enemy commander wins, whatever happens to the own one.
            reach.meets(answers) || enemy.is_some_and(|point| reach.contains(point))
        };
        if others.pieces().chain(navy).any(helps) { Bits::ALL } else { answers }
    }

    /// All steps of a group by its leader's rules.
    fn group_steps(&mut self, group: &Group) -> bool {
        match group.leader.kind() {
            Kind::Navy => self.navy_moves(group) || self.navy_captures(group, false),
            Kind::AirForce => self.air_steps(group),
            Kind::Commander => self.commander_steps(group),
            _ => self.land_steps(group),
        }
    }

    /// What a navy may do after a shot.
    fn second_action(&mut self, group: &Group) -> bool {
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

    /// The enemy's air defence.
    #[inline]
    fn defence(&mut self) -> &AirDefence {
        let (game, board, enemy) = (self.game, self.board, self.side.opponent());
        self.defence.get_or_insert_with(|| game.air_defence(board, enemy))
    }

    /// Points that an air force may not enter.
    fn zones(&mut self, flyer: Piece) -> Bits {
        if flyer.is_hero() { Bits::EMPTY } else { self.defence().zones }
    }

    /// Proposes a move to an empty point.
    #[inline]
    fn propose_move(&mut self, group: &Group, target: Point) -> bool {
        if group.ferry && group.from.upper_bank() == target.upper_bank() {
            return false;
        }
        let step = Step { origin: group.from, target, kind: StepKind::Move, members: group.members };
        let safety = match group.leaves_safely {
            true => Safety::Safe,
            false => self.commander_after(group, target, group.pieces),
        };
        // A lone commander's move ends its turn and blocks no line to it.
        let lost = safety == Safety::Lost && self.is_lone_commander(group);
        if safety == Safety::Safe {
            debug_assert!(self.completes_after(step), "the quick answer must be the exact one: {step:?}");
        } else if lost || !group.rescue.contains(target) {
            debug_assert!(!self.completes_after(step), "the quick answer must be the exact one: {step:?}");
            return false;
        } else if !self.completes_after(step) {
            return false;
        }
        (self.sink)(step)
    }

    /// Proposes a capture: passes it on when it is legal.
    fn propose(&mut self, group: &Group, target: Point, kind: StepKind) -> bool {
        if group.ferry && kind == StepKind::Capture && group.from.upper_bank() == target.upper_bank() {
            return false;
        }
        let step = Step { origin: group.from, target, kind, members: group.members };
        // After a shot a navy may go on, and end the danger then.
        let shot = kind == StepKind::StayCapture && group.leader.kind() == Kind::Navy;
        if !group.answers.contains(target) && !shot && !self.takes_commander(step) {
            debug_assert!(!self.completes_after(step), "the quick answer must be the exact one: {step:?}");
            return false;
        }
        self.legal(step, group.pieces) && (self.sink)(step)
    }

    /// Whether the group is a commander that stands alone, before its turn.
    #[inline]
    fn is_lone_commander(&self, group: &Group) -> bool {
        group.leader.kind() == Kind::Commander && group.remainder.is_empty() && !self.turn.under_way()
    }

    /// How safe the own commander is after a step of or onto its stack, which captures nothing and makes
    /// `union` stand on `target`; unclear for other steps.
    fn commander_after(&mut self, group: &Group, target: Point, union: Stack) -> Safety {
        let Some(commander) = self.watch.commander else { return Safety::Unclear };
        if !group.may_remain || self.watch.guards <= 1 || (group.from != commander && target != commander) {
            return Safety::Unclear;
        }
        let (place, stack) = if group.from == commander && !group.pieces.contains(Kind::Commander) {
            (commander, group.remainder)
        } else {
            (target, union)
        };
        let (game, board, enemy) = (self.game, self.board, self.side.opponent());
        let threatened = *self.threatened.get_or_insert_with(|| game.threatened(board, enemy));
        let mut defence = None;
        // A commander is no defender, so that its own moves change no zone.
        if self.is_lone_commander(group) {
            let side = self.side;
            let own_defence = self.own_defence.get_or_insert_with(|| {
                (!game.defender_may_rise(board, side)).then(|| game.air_defence(board, side))
            });
            defence = *own_defence;
        }
        let outlook = Outlook { threatened, defence };
        game.haven(board, self.side, group.from, place, stack, &outlook)
    }

    /// Proposes joining the friends on `target`, which the group reaches by its own move.
    fn propose_join(&mut self, group: &Group, target: Point, friends: Stack) -> bool {
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
        if !group.leaves_safely && self.commander_after(group, target, union) == Safety::Safe {
            let step = Step { origin: group.from, target, kind: StepKind::Join, members: group.members };
            debug_assert!(self.completes_after(step), "the quick answer must be the exact one: {step:?}");
            return (self.sink)(step);
        }
        self.propose(group, target, StepKind::Join)
    }
}
