//! Input planes, `[channels, 10, 9]` from the mover's view: row 0 is the mover's first rank, column 0
//! his leftmost file. The same situation with colours exchanged gives the same planes.
//!
//! Everything is shown that legal moves and the result depend on, repetition apart: pieces, counters,
//! whether the last ply was a check or chase, and the streaks with the pieces in them as far as they
//! may still raise a limit. Channels of streaks exist only where the rules have streaks.

use crate::board::Board;
use crate::keys::mix;
use crate::piece::{Kind, SLOTS};
use crate::position::Position;
use crate::rules::{EffectiveAnswer, Judge, Rules};
use crate::square::{SQUARES, Square};
use crate::streaks::{Attackers, Class, Pieces, limit};
use crate::xiangqi::Xiangqi;
use game::{PlanesMut, Player};

/// Pieces by kind: 7 of the mover, then 7 of the enemy.
const PIECES: usize = 0;
/// Pieces that the other side can take by its movement: the mover's, then the enemy's.
const ATTACKED: usize = PIECES + 14;
/// The mover's side of the river.
const HOME: usize = ATTACKED + 2;
/// Ones, which show a convolution where the board ends.
const ONES: usize = HOME + 1;
/// Progress, effective and total counter, of their limits.
const COUNTERS: usize = ONES + 1;
/// The last ply was a check, or else a chase.
const ANSWER: usize = COUNTERS + 3;
/// Planes that all rules have.
const ALWAYS: usize = ANSWER + 2;

/// Streak of checks and its limit, of the longest streak: the mover's, then the enemy's.
const CHECKS: usize = 0;
/// Pieces in a streak of checks whose limit may still rise.
const CHECKERS: usize = CHECKS + 4;
/// On each chased piece: its streak and limit, of the longest streak.
const CHASES: usize = CHECKERS + 1;
/// On each chased piece whose limit may still rise: its chasers (see [`NAMES`]).
const CHASERS: usize = CHASES + 2;
/// Planes of streaks.
const STREAKS: usize = CHASERS + NAMES;

/// Ways to name an attacker on its target's point: the first and the second of each kind that can
/// chase, as the mover sees them.
const NAMES: usize = 10;

/// The longest limit of a streak.
const LONGEST: f32 = 18.0;

/// Where the groups of planes begin under the rules, and how many planes there are.
#[derive(Clone, Copy)]
struct Layout {
    streaks: Option<usize>,
    /// Pairs of the last chase, on their targets.
    pairs: Option<usize>,
    channels: usize,
}

impl Layout {
    fn of(rules: &Rules) -> Layout {
        let mut channels = ALWAYS;
        let mut group = |exists: bool, size: usize| {
            let start = channels;
            channels += if exists { size } else { 0 };
            exists.then_some(start)
        };
        let streaks = group(rules.judge == Judge::Streak, STREAKS);
        let pairs = group(rules.effective_answer == EffectiveAnswer::OnlyIfItResolves, NAMES);
        Layout { streaks, pairs, channels }
    }
}

/// Number of planes under the rules.
pub(crate) fn channels(rules: &Rules) -> usize {
    Layout::of(rules).channels
}

impl Xiangqi {
    pub(crate) fn write_all_planes(&self, position: &Position, planes: &mut PlanesMut<'_>) {
        let layout = Layout::of(&self.rules);
        let board = &position.board;
        let mover = board.mover();
        for (owner, side) in [mover, mover.opponent()].into_iter().enumerate() {
            for id in board.pieces(side) {
                let square = board.square(id).seen_by(mover).index();
                planes.set(PIECES + 7 * owner + id.kind() as usize, square, 1.0);
                for taken in board.takes(id).seen_by(mover) {
                    planes.set(ATTACKED + 1 - owner, taken.seen_by(mover).index(), 1.0);
                }
            }
        }
        for square in 0..SQUARES / 2 {
            planes.set(HOME, square, 1.0);
        }
        planes.fill(ONES, 1.0);
        for (index, (plies, limit)) in self.counters(position).into_iter().enumerate() {
            planes.fill(COUNTERS + index, f32::from(plies) / f32::from(limit));
        }
        match position.last {
            Class::Idle => {}
            Class::Check => planes.fill(ANSWER, 1.0),
            Class::Chase => planes.fill(ANSWER + 1, 1.0),
        }
        if let Some(start) = layout.streaks {
            write_streaks(planes, start, position);
        }
        if let Some(start) = layout.pairs {
            for (target, names) in named_pairs(board, mover.opponent(), &position.pairs) {
                write_names(planes, start, target.seen_by(mover).index(), names);
            }
        }
    }

    /// Hash of what [`Xiangqi::write_all_planes`] reads.
    pub(crate) fn key_of_planes(&self, position: &Position) -> u64 {
        let board = &position.board;
        let mover = board.mover();
        let numbers = self
            .counters(position)
            .into_iter()
            .fold(position.last as u64, |numbers, (plies, _)| numbers << 16 | u64::from(plies));
        let mut key = mix(board.key_seen() ^ mix(numbers));
        if self.rules.judge == Judge::Streak {
            let mut checks = 0;
            // Which pieces stand in a set has no order, so their numbers are added up.
            let mut sum = 0_u64;
            for side in [mover, mover.opponent()] {
                let streaks = position.streaks(side);
                checks = checks << 16 | u64::from(streaks.checks) << 8 | u64::from(limit(streaks.checkers));
                for square in open_checkers(position, side) {
                    sum = sum.wrapping_add(mix(square.seen_by(mover).index() as u64));
                }
                for chase in chases(position, side) {
                    let numbers = u64::from(chase.length) << 8 | u64::from(chase.limit);
                    let target = chase.target.seen_by(mover).index() as u64 | 1 << 7;
                    sum = sum.wrapping_add(mix(u64::from(chase.names) << 24 | numbers << 8 | target));
                }
            }
            key = mix(key ^ checks) ^ sum;
        }
        if self.rules.effective_answer == EffectiveAnswer::OnlyIfItResolves {
            let pairs = named_pairs(board, mover.opponent(), &position.pairs);
            let sum = pairs.fold(0_u64, |sum, (target, names)| {
                sum.wrapping_add(mix(u64::from(names) << 8 | target.seen_by(mover).index() as u64))
            });
            key = mix(key) ^ sum;
        }
        mix(key)
    }

    /// The counters as far as they matter, and their limits.
    fn counters(&self, position: &Position) -> [(u16, u16); 3] {
        [
            (position.progress, self.rules.progress_limit()),
            (position.effective, self.rules.effective_limit()),
            (position.total, self.rules.total_limit()),
        ]
        .map(|(plies, limit)| (plies.min(limit), limit))
    }
}

fn write_streaks(planes: &mut PlanesMut<'_>, start: usize, position: &Position) {
    let mover = position.mover();
    for (owner, side) in [mover, mover.opponent()].into_iter().enumerate() {
        let streaks = position.streaks(side);
        planes.fill(start + CHECKS + 2 * owner, f32::from(streaks.checks) / LONGEST);
        planes.fill(start + CHECKS + 2 * owner + 1, f32::from(limit(streaks.checkers)) / LONGEST);
        for square in open_checkers(position, side) {
            planes.set(start + CHECKERS, square.seen_by(mover).index(), 1.0);
        }
        for chase in chases(position, side) {
            let target = chase.target.seen_by(mover).index();
            planes.set(start + CHASES, target, f32::from(chase.length) / LONGEST);
            planes.set(start + CHASES + 1, target, f32::from(chase.limit) / LONGEST);
            write_names(planes, start + CHASERS, target, chase.names);
        }
    }
}

fn write_names(planes: &mut PlanesMut<'_>, start: usize, square: usize, names: u16) {
    for name in (0..NAMES).filter(|name| names >> name & 1 != 0) {
        planes.set(start + name, square, 1.0);
    }
}

/// Whether a further piece would raise the limit.
fn is_open(pieces: Pieces) -> bool {
    pieces.len() < 3
}

/// Points of the pieces in a side's streak of checks, while its limit may rise.
fn open_checkers(position: &Position, side: Player) -> impl Iterator<Item = Square> {
    let checkers = position.streaks(side).checkers;
    let open = if is_open(checkers) { checkers } else { Pieces::NONE };
    let board = position.board;
    open.slots().filter_map(move |slot| board.holder(side, slot)).map(move |id| board.square(id))
}

/// A streak of chases of one piece.
struct Chase {
    target: Square,
    length: u8,
    limit: u8,
    /// The chasers still on the board, while the limit may rise.
    names: u16,
}

/// The chases of a side.
fn chases(position: &Position, side: Player) -> impl Iterator<Item = Chase> {
    let streaks = position.streaks(side);
    (0..SLOTS).filter(move |&slot| streaks.chases[slot] > 0).filter_map(move |slot| {
        let target = position.board.holder(side.opponent(), slot)?;
        let chasers = streaks.chasers[slot];
        let open = if is_open(chasers) { chasers } else { Pieces::NONE };
        Some(Chase {
            target: position.board.square(target),
            length: streaks.chases[slot],
            limit: limit(chasers),
            names: names(&position.board, side, open),
        })
    })
}

/// Pairs of a chase by `side` whose target is on the board, with the names of the attackers there.
fn named_pairs(board: &Board, side: Player, pairs: &Attackers) -> impl Iterator<Item = (Square, u16)> {
    pairs.iter().enumerate().filter_map(move |(slot, &attackers)| {
        let target = board.holder(side.opponent(), slot)?;
        let names = names(board, side, attackers);
        (names != 0).then_some((board.square(target), names))
    })
}

/// Names of those pieces of a side that are on the board (see [`NAMES`]).
fn names(board: &Board, side: Player, pieces: Pieces) -> u16 {
    let mover = board.mover();
    pieces.slots().filter_map(|slot| board.holder(side, slot)).fold(0, |names, id| {
        let kind = match id.kind() {
            Kind::Advisor => 0,
            Kind::Elephant => 1,
            Kind::Horse => 2,
            Kind::Rook => 3,
            Kind::Cannon => 4,
            // They never make a pair.
            Kind::King | Kind::Pawn => return names,
        };
        let mut like = board.of_kind(side, id.kind()).seen_by(mover);
        let second = like.next() != Some(board.square(id));
        names | 1 << (2 * kind + usize::from(second))
    })
}
