//! What is computed once: rays and distances of the board, ranges and legal stacks of the rules.

use crate::bits::Bits;
use crate::contents::STACKS;
use crate::piece::{Kind, PIECE_CODES, Piece};
use crate::point::{DIRECTIONS, FILES, OFFSETS, POINTS, Point, RANKS, is_diagonal};
use crate::rules::{HeroDiagonals, Rules, StackCaps};
use crate::stack::Stack;
use crate::terrain::{at_sea, blocked_corner, misses_ford, navigable};
use crate::ways::Ways;
use std::sync::OnceLock;

/// The points from a point in one direction, nearest first.
#[derive(Clone, Copy, Debug)]
pub struct Ray {
    length: u8,
    /// Points before the first one at sea.
    pub dry: u8,
    /// Points that a heavy piece reaches without crossing the river beside a ford.
    pub forded: u8,
    /// Points that a ship passes in a row: navigable, without blocked corners.
    pub water: u8,
    points: [Point; 11],
}

impl Ray {
    /// The points.
    #[inline]
    pub fn points(&self) -> &[Point] {
        &self.points[..self.length as usize]
    }

    /// The points up to a distance.
    #[inline]
    pub fn up_to(&self, distance: u8) -> &[Point] {
        &self.points[..self.length.min(distance) as usize]
    }
}

/// No ray leads from one point to the other.
pub const NO_RELATION: u8 = u8::MAX;

/// No piece attacks farther than this, exposure of commanders apart.
pub(crate) const NEAR: u8 = 5;

/// The board's geometry, the same under all rules.
#[derive(Debug)]
pub struct Geometry {
    /// Rays by point and direction.
    pub rays: [[Ray; DIRECTIONS]; POINTS],
    /// `direction · 16 + distance` from the first to the second point, or [`NO_RELATION`].
    pub relation: [[u8; POINTS]; POINTS],
    /// Points at Euclidean distance of at most 0, 1, 2, 3.
    pub discs: [[Bits; POINTS]; 4],
    /// Points at distance 1 to 5 on the eight rays.
    pub near: [Bits; POINTS],
}

impl Geometry {
    /// The one geometry.
    pub fn get() -> &'static Geometry {
        static GEOMETRY: OnceLock<Box<Geometry>> = OnceLock::new();
        GEOMETRY.get_or_init(|| Box::new(Geometry::build()))
    }

    fn build() -> Geometry {
        let empty = Ray { length: 0, dry: 0, forded: 0, water: 0, points: [Point::NONE; 11] };
        let mut geometry = Geometry {
            rays: [[empty; DIRECTIONS]; POINTS],
            relation: [[NO_RELATION; POINTS]; POINTS],
            discs: [[Bits::EMPTY; POINTS]; 4],
            near: [Bits::EMPTY; POINTS],
        };
        for index in 0..POINTS {
            let point = Point::from_index(index);
            for (direction, (file_step, rank_step)) in OFFSETS.into_iter().enumerate() {
                let (mut file, mut rank) = (point.file() as i32, point.rank() as i32);
                let mut previous = point;
                let (mut dry, mut forded, mut by_water) = (true, true, true);
                loop {
                    file += file_step;
                    rank += rank_step;
                    if !(0..FILES as i32).contains(&file) || !(0..RANKS as i32).contains(&rank) {
                        break;
                    }
                    let next = Point::at(file as usize, rank as usize);
                    let ray = &mut geometry.rays[index][direction];
                    ray.points[ray.length as usize] = next;
                    ray.length += 1;
                    let distance = ray.length;
                    geometry.relation[index][next.index()] = (direction as u8) << 4 | distance;
                    if distance <= NEAR {
                        geometry.near[index].insert(next);
                    }
                    dry &= !at_sea(next);
                    forded &= !misses_ford(previous, next);
                    by_water &= navigable(next) && !blocked_corner(previous, next);
                    let ray = &mut geometry.rays[index][direction];
                    ray.dry += dry as u8;
                    ray.forded += forded as u8;
                    ray.water += by_water as u8;
                    previous = next;
                }
            }
            for other in (0..POINTS).map(Point::from_index) {
                let files = point.file().abs_diff(other.file());
                let ranks = point.rank().abs_diff(other.rank());
                for radius in 0..4 {
                    if files * files + ranks * ranks <= radius * radius {
                        geometry.discs[radius][index].insert(other);
                    }
                }
            }
        }
        geometry
    }
}

/// How far a piece moves and captures, straight (index 0) and diagonally (index 1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// Moves and joins.
    pub moves: [u8; 2],
    /// Captures; of a navy the gun.
    pub captures: [u8; 2],
    /// Captures of stacks whose carrier is a navy; differs from `captures` for a navy only.
    pub torpedo: [u8; 2],
}

/// What depends on the rules.
#[derive(Clone, Debug)]
pub struct Tables {
    /// The board's geometry.
    pub geometry: &'static Geometry,
    /// Ranges by piece code. A commander's `moves` are the board's length.
    pub ranges: [Range; PIECE_CODES],
    /// Radius of the air-defence zone of a stack, by its number; [`NO_ZONE`] for none.
    pub(crate) zone_radius: [u8; 256],
    /// Points that a piece reaches by captures, whatever stands between, by piece code and point.
    reach: Box<[[Bits; POINTS]; PIECE_CODES]>,
    /// The ways of all pieces.
    pub(crate) ways: Ways,
    /// Bit set of legal stacks by [`Stack::kinds`].
    legal_stacks: [u64; 64],
}

/// Radius of stacks without an air-defence zone.
pub(crate) const NO_ZONE: u8 = u8::MAX;

impl Tables {
    /// The tables of these rules.
    pub fn new(rules: &Rules) -> Tables {
        let mut ranges = [Range::default(); PIECE_CODES];
        for kind in Kind::ALL {
            for hero in [false, true] {
                ranges[Piece::new(kind, hero).index()] = range(rules, kind, hero);
            }
        }
        let mut tables = Tables {
            geometry: Geometry::get(),
            ways: Ways::new(rules, Geometry::get(), &ranges),
            ranges,
            zone_radius: STACKS.map(|stack| zone_radius(rules, stack)),
            reach: Box::new([[Bits::EMPTY; POINTS]; PIECE_CODES]),
            legal_stacks: [0; 64],
        };
        for kind in Kind::ALL {
            for hero in [false, true] {
                let code = Piece::new(kind, hero).index();
                for (index, reach) in tables.reach[code].iter_mut().enumerate() {
                    let Range { captures, torpedo, .. } = tables.ranges[code];
                    for direction in 0..DIRECTIONS {
                        let diagonal = is_diagonal(direction) as usize;
                        let ray = &tables.geometry.rays[index][direction];
                        for &point in ray.up_to(captures[diagonal].max(torpedo[diagonal])) {
                            reach.insert(point);
                        }
                    }
                }
            }
        }
        for carrier in Kind::ALL {
            tables.allow(&[carrier]);
            for (index, first) in Kind::ALL.into_iter().enumerate() {
                if may_carry(rules.stack_caps, carrier, &[first]) {
                    tables.allow(&[carrier, first]);
                }
                for &second in &Kind::ALL[index..] {
                    if may_carry(rules.stack_caps, carrier, &[first, second]) {
                        tables.allow(&[carrier, first, second]);
                    }
                }
            }
        }
        tables
    }

    fn allow(&mut self, kinds: &[Kind]) {
        let key = kinds.iter().enumerate().map(|(slot, kind)| kind.index() << (4 * slot)).sum::<usize>();
        self.legal_stacks[key >> 6] |= 1 << (key & 63);
    }

    /// Whether a single piece or stack is legal under `stack_caps`. False for nothing.
    #[inline]
    pub const fn legal_stack(&self, stack: Stack) -> bool {
        let key = stack.kinds();
        self.legal_stacks[key >> 6] >> (key & 63) & 1 != 0
    }

    /// Points that a piece on a point reaches by captures, whatever stands between.
    #[inline]
    pub fn reach(&self, piece: Piece, from: Point) -> Bits {
        self.reach[piece.index()][from.index()]
    }

    /// The range of a piece.
    #[inline]
    pub const fn range(&self, piece: Piece) -> Range {
        self.ranges[piece.index()]
    }

    /// A ray.
    #[inline]
    pub fn ray(&self, from: Point, direction: usize) -> &'static Ray {
        &self.geometry.rays[from.index()][direction]
    }

    /// The points between a point and another one `distance` points away.
    #[inline]
    pub fn between(&self, from: Point, direction: usize, distance: u8) -> &'static [Point] {
        &self.ray(from, direction).points()[..distance as usize - 1]
    }

    /// Direction and distance from one point to another, if a ray joins them.
    #[inline]
    pub const fn relation(&self, from: Point, to: Point) -> Option<(usize, u8)> {
        let code = self.geometry.relation[from.index()][to.index()];
        if code == NO_RELATION { None } else { Some(((code >> 4) as usize, code & 15)) }
    }
}

/// Whether the carrier of a stack may stand on a point (rules, section 1).
#[inline]
pub const fn may_stand(carrier: Kind, point: Point) -> bool {
    match carrier {
        Kind::Navy => navigable(point),
        _ => !at_sea(point),
    }
}

/// Radius of the air-defence zone of a stack, which may be nothing (rules, section 4).
fn zone_radius(rules: &Rules, stack: Stack) -> u8 {
    let defending = if rules.carried_defends { stack.len() } else { stack.len().min(1) };
    let radius = |piece: Piece| {
        let bonus = if piece.is_hero() { rules.hero_zone_bonus } else { 0 };
        match piece.kind() {
            Kind::AntiAir | Kind::Navy => Some(1 + bonus),
            Kind::Missile => Some(2 + bonus),
            _ => None,
        }
    };
    stack.pieces().take(defending).filter_map(radius).max().unwrap_or(NO_ZONE)
}

/// Ranges of a kind (rules, sections 2 and 7).
fn range(rules: &Rules, kind: Kind, hero: bool) -> Range {
    let same = |straight: u8, diagonal: u8| Range {
        moves: [straight, diagonal],
        captures: [straight, diagonal],
        torpedo: [straight, diagonal],
    };
    match (kind, hero) {
        (Kind::Infantry | Kind::Engineer | Kind::AntiAir, false) => same(1, 0),
        (Kind::Militia, false) => same(1, 1),
        (Kind::Infantry | Kind::Engineer | Kind::AntiAir | Kind::Militia, true) => match rules.hero_diagonals
        {
            HeroDiagonals::Full => same(2, 2),
            HeroDiagonals::Wiki => same(2, 1),
        },
        (Kind::Tank, false) => same(2, 0),
        (Kind::Tank, true) => same(3, 3),
        (Kind::Missile, false) => same(2, 1),
        (Kind::Missile, true) => same(3, 2),
        (Kind::Artillery, false) => same(3, 3),
        (Kind::Artillery, true) => same(4, 4),
        (Kind::AirForce, false) => same(4, 4),
        (Kind::AirForce, true) => same(5, 5),
        (Kind::Navy, false) => Range { moves: [4, 4], captures: [3, 3], torpedo: [4, 4] },
        (Kind::Navy, true) => Range { moves: [5, 5], captures: [4, 4], torpedo: [5, 5] },
        (Kind::Commander, _) => Range { moves: [11, 0], captures: [1, 0], torpedo: [1, 0] },
        (Kind::Headquarters, false) => same(0, 0),
        (Kind::Headquarters, true) => same(rules.hero_hq_range, rules.hero_hq_range),
    }
}

/// Whether a carrier may carry this cargo (rules, section 6). Cargo in any order.
fn may_carry(caps: StackCaps, carrier: Kind, cargo: &[Kind]) -> bool {
    let count = |wanted: Kind| cargo.iter().filter(|&&kind| kind == wanted).count();
    let persons = cargo.iter().filter(|kind| kind.is_person()).count();
    let (air, tanks) = (count(Kind::AirForce), count(Kind::Tank));
    let only = |number: usize| number == cargo.len();
    match carrier {
        Kind::Engineer => cargo.len() == 1 && cargo[0].is_heavy(),
        Kind::Headquarters => cargo.len() == 1 && cargo[0] == Kind::Commander,
        Kind::Navy => match caps {
            StackCaps::Wiki => only(persons + tanks + air),
            StackCaps::Slots => {
                only(persons + tanks + air) && persons <= 1 && tanks <= 1 && air <= 1 && persons + tanks <= 1
            }
            StackCaps::Official => match cargo.len() {
                1 => only(persons + tanks + air),
                _ => only(tanks + air) || (persons == 1 && air == 1),
            },
        },
        Kind::AirForce => match caps {
            StackCaps::Slots => only(persons + tanks) && persons <= 1 && tanks <= 1,
            StackCaps::Wiki => only(persons + tanks) && tanks <= 1,
            StackCaps::Official => only(persons + tanks) && cargo.len() == 1,
        },
        Kind::Tank => match caps {
            StackCaps::Wiki => only(persons),
            StackCaps::Slots | StackCaps::Official => only(persons) && cargo.len() == 1,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rays_and_relations_agree() {
        let geometry = Geometry::get();
        for from in (0..POINTS).map(Point::from_index) {
            let mut related = 0;
            for direction in 0..DIRECTIONS {
                for (index, &to) in geometry.rays[from.index()][direction].points().iter().enumerate() {
                    related += 1;
                    let code = geometry.relation[from.index()][to.index()];
                    assert_eq!((code >> 4, code & 15), (direction as u8, index as u8 + 1));
                }
            }
            let all = geometry.relation[from.index()].iter().filter(|&&code| code != NO_RELATION).count();
            assert_eq!(related, all);
        }
    }

    #[test]
    fn zones_have_the_sizes_of_the_rules_page() {
        let middle = Point::at(5, 5).index();
        let sizes = Geometry::get().discs.map(|disc| disc[middle].into_iter().count());
        assert_eq!(sizes, [1, 5, 13, 29]);
    }

    #[test]
    fn water_ends_at_the_two_corners() {
        let c5 = Point::at(2, 4);
        assert_eq!(Geometry::get().rays[c5.index()][4].water, 0);
        assert_eq!(Geometry::get().rays[Point::at(2, 5).index()][4].water, 1);
    }
}
