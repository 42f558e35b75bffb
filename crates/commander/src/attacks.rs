//! Attacks, exposure and danger of commanders (rules, sections 5 and 7).

use crate::air_defence::{AirDefence, Strike};
use crate::bits::Bits;
use crate::board::Board;
use crate::commander::Commander;
use crate::piece::{Kind, Piece};
use crate::point::{Point, is_diagonal};
use crate::rules::{HqArtillery, HqShield, TorpedoJumps};
use crate::stack::Stack;
use game::Player;

/// What lets a capture ray through.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passage {
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
    /// Enemy air forces in range are kept off by zones only: points of the own stacks whose zones they
    /// would meet, which must not change without a closer look. Further zones never let them through.
    pub defenders: Bits,
    /// There is such an air force, and this turn may make a hero of a defender, with another zone.
    pub zones_may_grow: bool,
    /// Points on which a step of another stack may end a danger that is there now: those between,
    /// the attacker's, the commander's own. All points when zones could help.
    pub rescue: Bits,
    /// The same for stacks without defenders, which change no zone unless heroes arise elsewhere.
    pub plain_rescue: Bits,
    /// Number of attacks and exposures now. Several steps of one turn may end several.
    pub dangers: u8,
    /// Enemy pieces that count for its last guard, counted up to [`MANY_GUARDS`]; as many when it can
    /// have none.
    pub guards: usize,
}

/// What is known of the enemy before a look at a commander's next point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outlook {
    /// Points in range of the enemy's pieces.
    pub threatened: Bits,
    /// The own air defence after the step, if it is known.
    pub defence: Option<AirDefence>,
}

/// What a look at a commander's next point tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Safety {
    /// It is neither attacked nor exposed there.
    Safe,
    /// It is attacked or exposed, whatever is promoted.
    Lost,
    /// A closer look is needed.
    Unclear,
}

/// So many pieces are more than one, even after a capture, which takes three at most.
pub(crate) const MANY_GUARDS: usize = 5;

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
            .is_some_and(|line| line.iter().all(|&point| board.is_empty(point)))
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
    pub(crate) fn defender_may_rise(&self, board: &Board, side: Player) -> bool {
        const MOST_LOST_IN_A_TURN: usize = 3;
        const FEW: usize = 2 + MOST_LOST_IN_A_TURN;
        let troops = board.pieces(side).filter(|piece| piece.kind() != Kind::Headquarters);
        if troops.take(FEW + 1).count() <= FEW {
            return true;
        }
        let Some(target) = board.commander(side.opponent()) else { return false };
        let naval = board.at(target).carrier().kind() == Kind::Navy;
        (self.tables.geometry.near[target.index()] & board.occupied(side)).into_iter().any(|place| {
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
    pub(crate) fn passage(&self, piece: Piece, diagonal: bool, distance: u8, naval: bool) -> Option<Passage> {
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

    /// Whether a piece of a ray's end comes through to `target`, `distance` points away in the direction
    /// opposite to `back`. `defence` is that of the target's side, found when first needed.
    #[inline]
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn passes(
        &self,
        board: &Board,
        passage: Passage,
        piece: Piece,
        target: Point,
        back: usize,
        distance: u8,
        defence: &mut Option<AirDefence>,
    ) -> bool {
        let between = self.tables.between(target, back, distance);
        let defending = board.at(target).side();
        match passage {
            Passage::Free => true,
            Passage::Clear => between.iter().all(|&point| board.is_empty(point)),
            Passage::OwnOnly => between.iter().all(|&point| !board.occupied(defending).contains(point)),
            Passage::Air => {
                let defence = defence.get_or_insert_with(|| self.air_defence(board, defending));
                self.strike(board, piece, target, back, distance, defence) != Strike::None
            }
        }
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
        let mut defence = None;
        for place in self.tables.geometry.near[target.index()] & board.occupied(by) {
            let Some((direction, distance)) = self.tables.relation(target, place) else { continue };
            for (slot, piece) in board.at(place).pieces().enumerate() {
                let Some(passage) = self.passage(piece, is_diagonal(direction), distance, naval) else {
                    continue;
                };
                if shielded && !self.pierces_shield(piece.kind()) {
                    continue;
                }
                if self.passes(board, passage, piece, target, direction, distance, &mut defence)
                    && visit(place, slot, piece)
                {
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

    /// How safe the commander of `side` is on `to` as a member of `stack`, with `vacated` empty, promotions
    /// included. What blocks a line on `to` itself or elsewhere by the same step is not looked at, which
    /// matters to [`Safety::Lost`] alone.
    pub(crate) fn haven(
        &self,
        board: &Board,
        side: Player,
        vacated: Point,
        to: Point,
        stack: Stack,
        outlook: &Outlook,
    ) -> Safety {
        let enemy = side.opponent();
        let open = |point: &Point| *point == vacated || board.is_empty(*point);
        let carrier = stack.carrier().kind();
        let mut safety = Safety::Safe;
        let near =
            if outlook.threatened.contains(to) { self.tables.geometry.near[to.index()] } else { Bits::EMPTY };
        for place in near & board.occupied(enemy) {
            let Some((direction, distance)) = self.tables.relation(to, place) else { continue };
            for piece in board.at(place).pieces() {
                match self.passage(piece, is_diagonal(direction), distance, carrier == Kind::Navy) {
                    Some(Passage::Free) => return Safety::Lost,
                    Some(Passage::Clear) if self.tables.between(to, direction, distance).iter().all(open) => {
                        return Safety::Lost;
                    }
                    None | Some(Passage::Clear) => {}
                    Some(Passage::Air) => {
                        let strike = outlook
                            .defence
                            .map(|defence| self.strike(board, piece, to, direction, distance, &defence));
                        match strike {
                            Some(Strike::None) => {}
                            Some(Strike::Free | Strike::Crash) => return Safety::Lost,
                            None => safety = Safety::Unclear,
                        }
                    }
                    Some(Passage::OwnOnly) => safety = Safety::Unclear,
                }
            }
        }
        let exempt = self.rules.carried_commander_exempt && carrier != Kind::Commander;
        let Some(other) = board.commander(enemy).filter(|_| !exempt && self.open(board, enemy)) else {
            return safety;
        };
        let Some((direction, distance)) = self.tables.relation(to, other) else { return safety };
        if !is_diagonal(direction) && self.tables.between(to, direction, distance).iter().all(open) {
            return Safety::Lost;
        }
        safety
    }

    /// Points in range of captures of a side's pieces, whatever stands between.
    pub(crate) fn threatened(&self, board: &Board, by: Player) -> Bits {
        board.stacks(by).fold(Bits::EMPTY, |points, (place, stack)| {
            stack.pieces().fold(points, |points, piece| points | self.tables.reach(piece, place))
        })
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
            plain_rescue: Bits::ALL,
            dangers: 0,
            guards: MANY_GUARDS,
        };
        let Some(commander) = watch.commander else { return watch };
        if let Some(guards) = self.guards(board, enemy, MANY_GUARDS) {
            watch.guards = guards;
        }
        let mut defence = None;
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
                let between = self.tables.between(commander, direction, distance);
                let blocked = match passage {
                    Passage::Free => false,
                    Passage::Clear => watch.note_line(between, |point| !board.is_empty(point)),
                    Passage::OwnOnly => {
                        watch.note_line(between, |point| board.occupied(side).contains(point))
                    }
                    Passage::Air => {
                        let defence = defence.get_or_insert_with(|| self.air_defence(board, side));
                        let strike = self.strike(board, piece, commander, direction, distance, defence);
                        if strike == Strike::None {
                            watch.defenders |= self.posts_on_way(board, defence, commander, between);
                        }
                        strike == Strike::None
                    }
                };
                if !blocked {
                    watch.safe = false;
                    watch.dangers += 1;
                    if passage != Passage::Air {
                        watch.must_go_to(between_and(between, place, commander));
                    } else if piece.is_hero() {
                        watch.must_go_to(between_and(&[], place, commander));
                    } else if !self.defender_may_rise(board, side) {
                        watch.plain_rescue = watch.plain_rescue & between_and(&[], place, commander);
                    }
                }
            }
        }
        if !watch.defenders.is_empty() {
            watch.zones_may_grow = self.defender_may_rise(board, side);
        }
        if let Some(line) = self.line_between_commanders(board) {
            let blocked = watch.note_line(line, |point| !board.is_empty(point));
            if !blocked {
                watch.safe = false;
                watch.dangers += 1;
                watch.must_go_to(between_and(line, commander, commander));
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
    /// Notes where a danger can be ended.
    fn must_go_to(&mut self, points: Bits) {
        self.rescue = self.rescue & points;
        self.plain_rescue = self.plain_rescue & points;
    }

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
