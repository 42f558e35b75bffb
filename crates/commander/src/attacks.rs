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
    /// Points that must not be emptied without a closer look: they block an attack or a line.
    pub blockers: Bits,
    /// An enemy air force in range is kept off by zones only.
    pub air_threat: bool,
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
    fn line_between_commanders(&self, board: &Board) -> Option<&[Point]> {
        let red = board.commander(Player::First)?;
        let blue = board.commander(Player::Second)?;
        let (direction, distance) = self.tables.relation(red, blue)?;
        (!is_diagonal(direction) && self.both_open(board))
            .then(|| &self.tables.ray(red, direction)[..distance as usize - 1])
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

    /// How a piece captures at this distance, if the range reaches.
    #[inline]
    fn passage(&self, piece: Piece, diagonal: bool, distance: u8, naval: bool) -> Option<Passage> {
        let range = &self.tables.ranges[piece.code() as usize];
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
                let between = &self.tables.ray(target, direction)[..distance as usize - 1];
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
        if !shielded && board.commander(by.opponent()) == Some(target) && self.exposed(board) {
            if let Some(place) = board.commander(by) {
                let near = self.tables.relation(target, place).is_some_and(|(_, distance)| distance == 1);
                let piece = Piece::new(Kind::Commander, false);
                if !near {
                    return visit(
                        place,
                        board.at(place).mask_of(Stack::single(by, piece)).trailing_zeros() as usize,
                        piece,
                    );
                }
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

    /// Looks at the surroundings of a side's commander once, for all its steps.
    pub(crate) fn watch(&self, board: &Board, side: Player) -> Watch {
        let enemy = side.opponent();
        let mut watch = Watch {
            commander: board.commander(side),
            safe: true,
            blockers: Bits::EMPTY,
            air_threat: false,
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
        for place in self.tables.geometry.near[commander.index()] & board.occupied(enemy) {
            let Some((direction, distance)) = self.tables.relation(commander, place) else { continue };
            for piece in board.at(place).pieces() {
                let Some(passage) = self.passage(piece, is_diagonal(direction), distance, naval) else {
                    continue;
                };
                if shielded && !self.pierces_shield(piece.kind()) {
                    continue;
                }
                let between = &self.tables.ray(commander, direction)[..distance as usize - 1];
                let mut blocked = false;
                match passage {
                    Passage::Free => {}
                    Passage::Clear => {
                        for &point in between {
                            if !is_empty(board, point) {
                                blocked = true;
                                watch.blockers.insert(point);
                            }
                        }
                    }
                    Passage::OwnOnly => {
                        for &point in between {
                            if board.occupied(side).contains(point) {
                                blocked = true;
                                watch.blockers.insert(point);
                            }
                        }
                    }
                    Passage::Air => {
                        if self.strike(board, piece, commander, direction, distance, side) == Strike::None {
                            watch.air_threat = true;
                            blocked = true;
                        }
                    }
                }
                watch.safe &= blocked;
            }
        }
        if let Some(line) = self.line_between_commanders(board) {
            let mut blocked = false;
            for &point in line {
                if !is_empty(board, point) {
                    blocked = true;
                    watch.blockers.insert(point);
                }
            }
            watch.safe &= blocked;
        }
        watch
    }
}

/// Whether nothing stands on a point.
#[inline]
pub(crate) fn is_empty(board: &Board, point: Point) -> bool {
    board.at(point).is_empty()
}
