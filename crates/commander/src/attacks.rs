//! Attacks, exposure and danger of commanders (rules, sections 5 and 7).

use crate::air_defence::Strike;
use crate::bits::Bits;
use crate::board::Board;
use crate::commander::Commander;
use crate::piece::{Kind, Piece};
use crate::point::{Point, is_diagonal};
use crate::rules::{HqArtillery, HqShield, LastGuard, TorpedoJumps};
use crate::stack::Stack;
use game::Player;

/// What lets a capture ray through.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Passage {
    /// Nothing matters.
    Free,
    /// No piece may stand between.
    Clear,
    /// Only pieces of the attacker may stand between.
    OwnOnly,
    /// An air force: zones decide.
    Air,
}

/// What one look at a commander's surroundings tells about the steps of its side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch {
    /// Where the commander stands.
    pub commander: Option<Point>,
    /// Neither attacked nor exposed now; true without a commander.
    pub safe: bool,
    /// Points with pieces that block an attack or a line.
    pub blockers: Bits,
    /// Those that are the only ones to block one: they must not be emptied without a closer look.
    pub pins: Pins,
    /// An enemy air force in range is kept off by zones only: points with own defenders, whose
    /// stacks must not change without a closer look; empty without such a threat.
    pub defenders: Bits,
    /// There is such a threat, and this turn may make a hero of a defender, with another zone.
    pub zones_may_grow: bool,
    /// Points on which a step of another stack may end a danger that is there now: those between,
    /// the attacker's, the commander's own. All points when zones could help.
    pub rescue: Bits,
    /// Enemy pieces that count for its last guard; `u16::MAX` when it can have none.
    pub guards: u16,
}

impl Commander {
    /// Whether the commander of a side may be exposed: it stands alone, or nothing exempts it.
    #[inline]
    pub(crate) fn open(&self, board: &Board, side: Player) -> bool {
        board.commander(side).is_some_and(|point| {
            !self.rules.carried_commander_exempt || board.at(point).carrier().kind() == Kind::Commander
        })
    }

    /// Whether both commanders may be exposed.
    #[inline]
    pub(crate) fn both_open(&self, board: &Board) -> bool {
        self.open(board, Player::First) && self.open(board, Player::Second)
    }

    /// Whether the commanders are exposed to each other.
    pub fn exposed(&self, board: &Board) -> bool {
        self.line_between_commanders(board)
            .is_some_and(|line| line.iter().all(|&point| is_empty(board, point)))
    }

    /// The points between the commanders when they share a straight line and both are open.
    fn line_between_commanders(&self, board: &Board) -> Option<&'static [Point]> {
        let red = board.commander(Player::First)?;
        let blue = board.commander(Player::Second)?;
        let (direction, distance) = self.tables.relation(red, blue)?;
        (!is_diagonal(direction) && self.both_open(board))
            .then(|| self.tables.between(red, direction, distance))
    }

    /// Whether a stack is a commander in its headquarters under the shield.
    #[inline]
    pub(crate) fn shielded(&self, stack: Stack) -> bool {
        self.rules.hq_shield == HqShield::On
            && stack.carrier().kind() == Kind::Headquarters
            && stack.len() > 1
    }

    /// Whether this kind attacks a commander in its headquarters under the shield.
    #[inline]
    pub(crate) fn pierces_shield(&self, kind: Kind) -> bool {
        match kind {
            Kind::AirForce | Kind::Navy => true,
            Kind::Artillery => self.rules.hq_artillery == HqArtillery::Attacks,
            _ => false,
        }
    }

    /// Whether a defender of `side` that does not move this turn may become a hero: it has the enemy
    /// commander in range, whatever stands between, or may end as the last guard.
    fn defender_may_rise(&self, board: &Board, side: Player) -> bool {
        const MOST_LOST_IN_A_TURN: u16 = 3;
        if board.total(side) <= 2 + MOST_LOST_IN_A_TURN + board.count(side, Kind::Headquarters) {
            return true;
        }
        let Some(target) = board.commander(side.opponent()) else { return false };
        let naval = board.at(target).carrier().kind() == Kind::Navy;
        (self.tables.geometry.near[target.index()] & board.defenders(side)).into_iter().any(|place| {
            let Some((direction, distance)) = self.tables.relation(target, place) else { return false };
            board.at(place).pieces().any(|piece| {
                piece.kind().is_defender()
                    && !piece.is_hero()
                    && self.passage(piece, is_diagonal(direction), distance, naval).is_some()
            })
        })
    }

    /// How a piece captures at this distance, if the range reaches.
    #[inline]
    fn passage(&self, piece: Piece, diagonal: bool, distance: u8, naval: bool) -> Option<Passage> {
        let range = &self.tables.ranges[piece.index()];
        let reach = if naval { range.torpedo } else { range.captures };
        if distance > reach[diagonal as usize] {
            return None;
        }
        Some(match piece.kind() {
            Kind::Artillery => Passage::Free,
            Kind::AirForce => Passage::Air,
            Kind::Navy if naval && self.rules.torpedo_jumps == TorpedoJumps::Own => Passage::OwnOnly,
            Kind::Navy => Passage::Free,
            Kind::Missile if self.rules.missile_capture_jumps => Passage::Free,
            _ => Passage::Clear,
        })
    }

    /// Calls `visit` with every piece of `by` that could capture the stack on `target` by a single
    /// step: place, slot, piece. Stops and returns true as soon as `visit` does. Commanders attack
    /// at a distance as exposure allows.
    pub(crate) fn attackers(
        &self,
        board: &Board,
        target: Point,
        by: Player,
        mut visit: impl FnMut(Point, usize, Piece) -> bool,
    ) -> bool {
        let victim = board.at(target);
        let naval = victim.carrier().kind() == Kind::Navy;
        let shielded = self.shielded(victim);
        for place in self.tables.geometry.near[target.index()] & board.occupied(by) {
            let Some((direction, distance)) = self.tables.relation(target, place) else { continue };
            for (slot, piece) in board.at(place).pieces().enumerate() {
                let Some(passage) = self.passage(piece, is_diagonal(direction), distance, naval) else {
                    continue;
                };
                if shielded && !self.pierces_shield(piece.kind()) {
                    continue;
                }
                let between = self.tables.between(target, direction, distance);
                let through = match passage {
                    Passage::Free => true,
                    Passage::Clear => between.iter().all(|&point| is_empty(board, point)),
                    Passage::OwnOnly => {
                        between.iter().all(|&point| !board.occupied(by.opponent()).contains(point))
                    }
                    Passage::Air => {
                        self.strike(board, piece, target, direction, distance, by.opponent()) != Strike::None
                    }
                };
                if through && visit(place, slot, piece) {
                    return true;
                }
            }
        }
        if !shielded
            && board.commander(by.opponent()) == Some(target)
            && self.exposed(board)
            && let Some(place) = board.commander(by)
        {
            let near = self.tables.relation(target, place).is_some_and(|(_, distance)| distance == 1);
            let piece = Piece::new(Kind::Commander, false);
            if !near {
                let slot = board.at(place).mask_of(Stack::single(by, piece)).trailing_zeros() as usize;
                return visit(place, slot, piece);
            }
        }
        false
    }

    /// Whether a piece of `by` could capture the stack on `target` by a single step.
    #[inline]
    pub(crate) fn attacked(&self, board: &Board, target: Point, by: Player) -> bool {
        self.attackers(board, target, by, |_, _, _| true)
    }

    /// The pieces that give check to the commander of a side, with their points; an enemy commander
    /// at a distance counts when the commanders are exposed.
    pub fn checkers(&self, board: &Board, side: Player) -> Vec<(Point, Piece)> {
        let mut found = Vec::new();
        if let Some(point) = board.commander(side) {
            self.attackers(board, point, side.opponent(), |place, _, piece| {
                found.push((place, piece));
                false
            });
        }
        found
    }

    /// Whether the commander of a side is attacked or exposed. False without a commander.
    pub fn in_danger(&self, board: &Board, side: Player) -> bool {
        board
            .commander(side)
            .is_some_and(|point| self.attacked(board, point, side.opponent()) || self.exposed(board))
    }

    /// Whether the commander of `side` is surely neither attacked nor exposed on `to` as a member of
    /// `stack`, with `vacated` empty, promotions included; `false` where a closer look is needed.
    pub(crate) fn haven(&self, board: &Board, side: Player, vacated: Point, to: Point, stack: Stack) -> bool {
        let enemy = side.opponent();
        let open = |point: &Point| *point == vacated || is_empty(board, *point);
        let carrier = stack.carrier().kind();
        for place in self.tables.geometry.near[to.index()] & board.occupied(enemy) {
            let Some((direction, distance)) = self.tables.relation(to, place) else { continue };
            for piece in board.at(place).pieces() {
                let threat =
                    match self.passage(piece, is_diagonal(direction), distance, carrier == Kind::Navy) {
                        None => false,
                        Some(Passage::Clear) => self.tables.between(to, direction, distance).iter().all(open),
                        Some(_) => true,
                    };
                if threat {
                    return false;
                }
            }
        }
        let exempt = self.rules.carried_commander_exempt && carrier != Kind::Commander;
        let Some(other) = board.commander(enemy).filter(|_| !exempt && self.open(board, enemy)) else {
            return true;
        };
        let Some((direction, distance)) = self.tables.relation(to, other) else { return true };
        is_diagonal(direction) || !self.tables.between(to, direction, distance).iter().all(open)
    }

    /// Looks at the surroundings of a side's commander once, for all its steps.
    pub(crate) fn watch(&self, board: &Board, side: Player) -> Watch {
        let enemy = side.opponent();
        let mut watch = Watch {
            commander: board.commander(side),
            safe: true,
            blockers: Bits::EMPTY,
            pins: Pins::NONE,
            defenders: Bits::EMPTY,
            zones_may_grow: false,
            rescue: Bits::ALL,
            guards: u16::MAX,
        };
        let Some(commander) = watch.commander else { return watch };
        if board.commander(enemy).is_some() {
            watch.guards = match self.rules.last_guard {
                LastGuard::Off => u16::MAX,
                LastGuard::WithHq => board.total(enemy) - 1,
                LastGuard::WithoutHq => board.total(enemy) - 1 - board.count(enemy, Kind::Headquarters),
            };
        }
        let victim = board.at(commander);
        let naval = victim.carrier().kind() == Kind::Navy;
        let shielded = self.shielded(victim);
        let mut air_threat = false;
        for place in self.tables.geometry.near[commander.index()] & board.occupied(enemy) {
            let Some((direction, distance)) = self.tables.relation(commander, place) else { continue };
            for piece in board.at(place).pieces() {
                let Some(passage) = self.passage(piece, is_diagonal(direction), distance, naval) else {
                    continue;
                };
                if shielded && !self.pierces_shield(piece.kind()) {
                    continue;
                }
                let between = self.tables.between(commander, direction, distance);
                let blocked = match passage {
                    Passage::Free => false,
                    Passage::Clear => watch.note_line(between, |point| !is_empty(board, point)),
                    Passage::OwnOnly => {
                        watch.note_line(between, |point| board.occupied(side).contains(point))
                    }
                    Passage::Air => {
                        let strike = self.strike(board, piece, commander, direction, distance, side);
                        air_threat |= strike == Strike::None;
                        strike == Strike::None
                    }
                };
                if !blocked {
                    watch.safe = false;
                    if passage != Passage::Air {
                        watch.rescue = watch.rescue & between_and(between, place, commander);
                    }
                }
            }
        }
        if air_threat {
            watch.defenders = board.defenders(side);
            watch.zones_may_grow = self.defender_may_rise(board, side);
        }
        if let Some(line) = self.line_between_commanders(board) {
            let blocked = watch.note_line(line, |point| !is_empty(board, point));
            if !blocked {
                watch.safe = false;
                watch.rescue = watch.rescue & between_and(line, commander, commander);
            }
        }
        watch
    }
}

/// Most pins whose lines are kept; of further pins every move gets the closer look.
const MOST_PINS: usize = 4;

/// Pieces that alone block an attack, each with the points that block it too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pins {
    points: Bits,
    lines: [(Point, Bits); MOST_PINS],
    known: usize,
}

impl Pins {
    const NONE: Pins = Pins { points: Bits::EMPTY, lines: [(Point::NONE, Bits::EMPTY); MOST_PINS], known: 0 };

    /// Whether the piece on a point blocks an attack alone.
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        self.points.contains(point)
    }

    /// Where that piece goes on blocking.
    pub fn line(&self, point: Point) -> Bits {
        let known = self.lines[..self.known].iter().find(|(pin, _)| *pin == point);
        known.map_or(Bits::ALL, |&(_, line)| line)
    }

    fn add(&mut self, point: Point, line: Bits) {
        self.points.insert(point);
        if let Some((_, known)) = self.lines[..self.known].iter_mut().find(|(pin, _)| *pin == point) {
            *known = *known & line;
        } else if self.known < MOST_PINS {
            self.lines[self.known] = (point, line);
            self.known += 1;
        }
    }
}

impl Watch {
    /// Notes what blocks the points between an attacker and the commander; whether anything does.
    #[inline]
    fn note_line(&mut self, between: &[Point], blocks: impl Fn(Point) -> bool) -> bool {
        let mut number = 0;
        let mut last = Point::NONE;
        for &point in between {
            if blocks(point) {
                number += 1;
                last = point;
                self.blockers.insert(point);
            }
        }
        if number == 1 {
            let mut line = Bits::EMPTY;
            for &point in between {
                line.insert(point);
            }
            self.pins.add(last, line);
        }
        number > 0
    }
}

/// The points of a line with two more.
fn between_and(between: &[Point], one: Point, other: Point) -> Bits {
    let mut bits = Bits::EMPTY;
    for &point in between.iter().chain([&one, &other]) {
        bits.insert(point);
    }
    bits
}

/// Whether nothing stands on a point.
#[inline]
pub(crate) fn is_empty(board: &Board, point: Point) -> bool {
    board.at(point).is_empty()
}
