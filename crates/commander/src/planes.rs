//! Input planes, from the mover's view: row 0 is the mover's first rank, files keep their order.
//! The same situation with colours exchanged gives the same planes.
//!
//! Everything is shown that legal steps and the result depend on, repetition apart. What a turn
//! under way remembers is shown too; between turns those planes are 0.

use crate::commander::Commander;
use crate::piece::Kind;
use crate::point::{POINTS, Point};
use crate::position::Position;
use crate::stack::Stack;
use crate::terrain::{Terrain, terrain};
use crate::turn::{Forces, Gun, Turn, Welcome};
use crate::zobrist::mix;
use game::PlanesMut;

/// Carriers and single pieces: 11 kinds of the mover, then 11 of the enemy.
const CARRIERS: usize = 0;
/// Cargo by kind (see [`CARGO`]): 8 of the mover, then 8 of the enemy; two equal pieces count 2.
const CARGOES: usize = CARRIERS + 22;
/// Heroes by slot (carrier, first and second cargo): 3 of the mover, then 3 of the enemy.
const HEROES: usize = CARGOES + 16;
/// Six kinds of terrain.
const GROUND: usize = HEROES + 6;
/// The far bank.
const FAR_BANK: usize = GROUND + 6;
/// Air-defence zones of the mover and of the enemy.
const ZONES: usize = FAR_BANK + 1;
/// Stacks that the other side could capture by one step: the mover's, then the enemy's.
const HANGING: usize = ZONES + 2;
/// Turns since the last capture, of `no_capture_turns`.
const QUIET: usize = HANGING + 2;
/// Turns left, of `max_turns`.
const TURNS_LEFT: usize = QUIET + 1;
/// One over the number of navies, air forces and land troops: 3 of the mover, 3 of the enemy.
const SCARCITY: usize = TURNS_LEFT + 1;
/// Points captured by the mover less those by the enemy, in units of the margin.
const MARGIN: usize = SCARCITY + 6;
/// Both commanders may be exposed (as the turn began).
const OPEN: usize = MARGIN + 1;
/// A turn is under way: everywhere, then only on its origin.
const UNDER_WAY: usize = OPEN + 1;
/// Members on the origin that have not acted, by slot.
const READY: usize = UNDER_WAY + 2;
/// Points where members went: others ride along, join by reach, may not join.
const LANDINGS: usize = READY + 3;
/// The navy may act again: alone or with others, alone only.
const GUN: usize = LANDINGS + 3;
/// Something was captured this turn.
const CAPTURED: usize = GUN + 2;
/// The turn took the last navy, air force, land troops: 3 of the mover, 3 of the enemy.
const LOST: usize = CAPTURED + 1;
/// Number of planes.
pub(crate) const CHANNELS: usize = LOST + 6;

/// Margin of points that counts as one unit.
pub(crate) const MARGIN_UNIT: f32 = 150.0;

/// Kinds that can be cargo.
const CARGO: [Kind; 8] = [
    Kind::AirForce,
    Kind::Tank,
    Kind::Artillery,
    Kind::AntiAir,
    Kind::Missile,
    Kind::Commander,
    Kind::Infantry,
    Kind::Militia,
];

/// Where a kind stands in [`CARGO`], by kind.
const CARGO_INDEX: [usize; 12] = {
    let mut indices = [0; 12];
    let mut index = 0;
    while index < CARGO.len() {
        indices[CARGO[index].index()] = index;
        index += 1;
    }
    indices
};

/// The planes of terrain and far bank, which are always the same, by square.
static LAND: [[f32; ZONES - GROUND]; POINTS] = {
    let mut land = [[0.0; ZONES - GROUND]; POINTS];
    let mut square = 0;
    while square < POINTS {
        let point = Point::from_index(square);
        land[square][ground(terrain(point))] = 1.0;
        if point.upper_bank() {
            land[square][FAR_BANK - GROUND] = 1.0;
        }
        square += 1;
    }
    land
};

impl Commander {
    pub(crate) fn write_all_planes(&self, position: &Position, planes: &mut PlanesMut<'_>) {
        let mover = position.mover;
        let board = &position.board;
        let mut scarcity = [0.0; 6];
        for (owner, side) in [mover, mover.opponent()].into_iter().enumerate() {
            let mut counts = [0_u16; 12];
            for (point, stack) in board.stacks(side) {
                write_stack(planes, point.seen_by(mover).index(), owner, stack);
                for piece in stack.pieces() {
                    counts[piece.kind().index()] += 1;
                }
            }
            for (index, count) in force_counts(&counts).into_iter().enumerate() {
                if count > 0 {
                    scarcity[3 * owner + index] = 1.0 / f32::from(count);
                }
            }
            for point in self.hanging(board, side) {
                planes.set(HANGING + owner, point.seen_by(mover).index(), 1.0);
            }
            for point in self.air_defence(board, side).zones {
                planes.set(ZONES + owner, point.seen_by(mover).index(), 1.0);
            }
        }
        let everywhere = self.everywhere(position, scarcity);
        for (square, land) in LAND.iter().enumerate() {
            planes.set_run(GROUND, square, land);
            planes.set_run(QUIET, square, &everywhere);
        }
        if position.turn.under_way() {
            write_turn(planes, position);
        }
    }

    /// The numbers of the planes from [`QUIET`] to [`OPEN`], each the same everywhere.
    fn everywhere(&self, position: &Position, scarcity: [f32; 6]) -> [f32; UNDER_WAY - QUIET] {
        let numbers = self.numbers(position);
        let mut everywhere = [0.0; UNDER_WAY - QUIET];
        everywhere[0] = numbers.quiet as f32 / f32::from(self.rules.no_capture_turns);
        everywhere[TURNS_LEFT - QUIET] = numbers.turns_left as f32 / f32::from(self.rules.max_turns);
        everywhere[SCARCITY - QUIET..MARGIN - QUIET].copy_from_slice(&scarcity);
        everywhere[MARGIN - QUIET] = numbers.margin as f32 / MARGIN_UNIT;
        everywhere[OPEN - QUIET] = self.commanders_open(position) as u8 as f32;
        everywhere
    }

    /// Hash of what [`Commander::write_all_planes`] reads.
    pub(crate) fn key_of_planes(&self, position: &Position) -> u64 {
        let numbers = self.numbers(position);
        let mut key = position.board.key(position.mover);
        key = mix(key ^ u64::from(numbers.quiet) << 32 ^ u64::from(numbers.turns_left));
        key = mix(key ^ numbers.margin as u64);
        let turn = &position.turn;
        if !turn.under_way() {
            return key;
        }
        let mover = position.mover;
        let [alone, together] = gun_flags(turn);
        let mut flags = turn.origin.seen_by(mover).index() as u64;
        flags = flags << 3 | u64::from(ready_slots(position));
        for flag in [alone, together, turn.captured, turn.commanders_open].into_iter().chain(lost(position)) {
            flags = flags << 1 | u64::from(flag);
        }
        key = mix(key ^ flags << 1 ^ 1);
        // Order of landing is not shown, so their numbers are added up.
        let landings = turn
            .landings()
            .iter()
            .map(|landing| mix((landing.point.seen_by(mover).index() as u64) << 8 | landing.welcome as u64));
        mix(key ^ landings.fold(0, u64::wrapping_add))
    }

    fn commanders_open(&self, position: &Position) -> bool {
        if position.turn.under_way() {
            position.turn.commanders_open
        } else {
            self.both_open(&position.board)
        }
    }

    fn numbers(&self, position: &Position) -> Numbers {
        let points = position.points.map(i64::from);
        let mover = position.mover;
        Numbers {
            quiet: position.quiet_turns,
            turns_left: self.rules.max_turns.saturating_sub(position.played),
            margin: points[mover.index()] - points[mover.opponent().index()],
        }
    }
}

/// The numbers behind the planes that are the same everywhere.
struct Numbers {
    quiet: u16,
    turns_left: u16,
    margin: i64,
}

fn write_stack(planes: &mut PlanesMut<'_>, square: usize, owner: usize, stack: Stack) {
    planes.set(CARRIERS + 11 * owner + stack.carrier().kind().index() - 1, square, 1.0);
    for (slot, piece) in stack.pieces().enumerate() {
        if slot > 0 {
            let channel = CARGOES + 8 * owner + CARGO_INDEX[piece.kind().index()];
            let count = planes.get(channel, square);
            planes.set(channel, square, count + 1.0);
        }
        if piece.is_hero() {
            planes.set(HEROES + 3 * owner + slot, square, 1.0);
        }
    }
}

fn write_turn(planes: &mut PlanesMut<'_>, position: &Position) {
    let turn = &position.turn;
    let mover = position.mover;
    let origin = turn.origin.seen_by(mover).index();
    planes.fill(UNDER_WAY, 1.0);
    planes.set(UNDER_WAY + 1, origin, 1.0);
    for slot in 0..3 {
        if ready_slots(position) >> slot & 1 != 0 {
            planes.set(READY + slot, origin, 1.0);
        }
    }
    for landing in turn.landings() {
        let channel = match landing.welcome {
            Welcome::Ride => 0,
            Welcome::Reach => 1,
            Welcome::Nobody => 2,
        };
        planes.set(LANDINGS + channel, landing.point.seen_by(mover).index(), 1.0);
    }
    for (index, flag) in gun_flags(turn).into_iter().enumerate() {
        if flag {
            planes.fill(GUN + index, 1.0);
        }
    }
    if turn.captured {
        planes.fill(CAPTURED, 1.0);
    }
    for (index, flag) in lost(position).into_iter().enumerate() {
        if flag {
            planes.fill(LOST + index, 1.0);
        }
    }
}

const fn ground(terrain: Terrain) -> usize {
    match terrain {
        Terrain::Sea => 0,
        Terrain::Coast => 1,
        Terrain::NavigableRiver => 2,
        Terrain::Ford => 3,
        Terrain::Riverbank => 4,
        Terrain::Land => 5,
    }
}

/// Navies, air forces and land troops among the numbers of a side's pieces by kind.
fn force_counts(counts: &[u16; 12]) -> [u16; 3] {
    let count = |kind: Kind| counts[kind.index()];
    [
        count(Kind::Navy),
        count(Kind::AirForce),
        count(Kind::Tank) + count(Kind::Infantry) + count(Kind::Artillery),
    ]
}

/// Slots of the origin's stack that have not acted; of equal members the lowest.
fn ready_slots(position: &Position) -> u8 {
    position.board.at(position.turn.origin).mask_of(position.turn.ready)
}

fn gun_flags(turn: &Turn) -> [bool; 2] {
    [turn.gun == Gun::FiredAlone, turn.gun == Gun::FiredTogether]
}

/// The battles lost in the turn so far: marine, air, land of the mover, then of the enemy.
fn lost(position: &Position) -> [bool; 6] {
    let lost = position.turn.lost(&position.board);
    let mut flags = [false; 6];
    for (owner, side) in [position.mover, position.mover.opponent()].into_iter().enumerate() {
        for (index, force) in Forces::ALL.into_iter().enumerate() {
            flags[3 * owner + index] = lost[side.index()].contains(force);
        }
    }
    flags
}
