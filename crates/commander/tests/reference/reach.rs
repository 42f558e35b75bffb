//! What one piece can do from where it stands: ranges, rays, air defence, attacks, exposure (sections 2 to 5 and 7).

use super::board::{Board, Kind, Piece, Point, Side};
use super::options::Options;

/// Range of a piece's move in a direction; also of its capture, save for `gun_range` and the commander.
pub fn move_range(piece: Piece, direction: (i32, i32), options: &Options) -> i32 {
    let (straight, diagonal) = match (piece.kind, piece.hero) {
        (Kind::Infantry | Kind::Engineer | Kind::AntiAir, false) => (1, 0),
        (Kind::Militia, false) => (1, 1),
        (Kind::Infantry | Kind::Engineer | Kind::AntiAir | Kind::Militia, true) => {
            if options.is("hero_diagonals", "full") { (2, 2) } else { (2, 1) }
        }
        (Kind::Tank, false) => (2, 0),
        (Kind::Tank, true) => (3, 3),
        (Kind::Missile, false) => (2, 1),
        (Kind::Missile, true) => (3, 2),
        (Kind::Artillery, false) => (3, 3),
        (Kind::Artillery, true) => (4, 4),
        (Kind::AirForce | Kind::Navy, false) => (4, 4),
        (Kind::AirForce | Kind::Navy, true) => (5, 5),
        (Kind::Commander, _) => (12, 0),
        (Kind::Headquarters, false) => (0, 0),
        (Kind::Headquarters, true) => {
            let range = options.number("hero_hq_range") as i32;
            (range, range)
        }
    };
    if direction.0 == 0 || direction.1 == 0 { straight } else { diagonal }
}

/// Range of a navy's gun.
pub fn gun_range(piece: Piece) -> i32 {
    if piece.hero { 4 } else { 3 }
}

/// Direction and distance of a straight or diagonal line between two different points.
pub fn line(from: Point, to: Point) -> Option<((i32, i32), i32)> {
    let (files, ranks) = (to.file - from.file, to.rank - from.rank);
    let distance = files.abs().max(ranks.abs());
    let on_line = files == 0 || ranks == 0 || files.abs() == ranks.abs();
    (distance > 0 && on_line).then(|| ((files.signum(), ranks.signum()), distance))
}

/// The points strictly between two points of one line.
pub fn between(from: Point, to: Point) -> Vec<Point> {
    let (direction, distance) = line(from, to).unwrap();
    let mut point = from;
    (1..distance)
        .map(|_| {
            point = point.toward(direction);
            point
        })
        .collect()
}

/// Whether a navy may go from one point to the neighbouring one: both navigable and not a blocked corner.
pub fn sails(from: Point, to: Point) -> bool {
    let corner = |c: &str, d: &str| {
        let (c, d) = (Point::parse(c).unwrap(), Point::parse(d).unwrap());
        (from, to) == (c, d) || (from, to) == (d, c)
    };
    from.navigable() && to.navigable() && !corner("c5", "d6") && !corner("c8", "d7")
}

/// Whether a ship could sail the whole line, whatever stands on it.
pub fn sails_line(from: Point, to: Point) -> bool {
    let mut points = vec![from];
    points.extend(between(from, to));
    points.push(to);
    points.windows(2).all(|pair| sails(pair[0], pair[1]))
}

/// One air defender: its point and the square of its radius.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zone {
    pub center: Point,
    pub square: i32,
}

impl Zone {
    pub fn covers(self, point: Point) -> bool {
        (point.file - self.center.file).pow(2) + (point.rank - self.center.rank).pow(2) <= self.square
    }
}

/// The air defence zones of a side.
pub fn zones(board: &Board, side: Side, options: &Options) -> Vec<Zone> {
    let mut zones = Vec::new();
    for (point, stack) in &board.stacks {
        if stack.side != side {
            continue;
        }
        for (index, piece) in stack.pieces.iter().enumerate() {
            if index > 0 && options.is("carried_defends", "false") {
                continue;
            }
            let base = match piece.kind {
                Kind::AntiAir | Kind::Navy => 1,
                Kind::Missile => 2,
                _ => continue,
            };
            let radius = base + if piece.hero { options.number("hero_zone_bonus") as i32 } else { 0 };
            zones.push(Zone { center: *point, square: radius * radius });
        }
    }
    zones
}

/// What air defence makes of a flight to attack a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approach {
    Impossible,
    Captures,
    Crashes,
}

/// The flight of an air force of `side` to an enemy stack on its line, range aside.
pub fn approach(
    board: &Board,
    side: Side,
    piece: Piece,
    from: Point,
    target: Point,
    options: &Options,
) -> Approach {
    if piece.hero {
        return Approach::Captures;
    }
    let zones = zones(board, side.other(), options);
    let way = between(from, target);
    let entered: Vec<Zone> =
        zones.iter().copied().filter(|zone| way.iter().any(|point| zone.covers(*point))).collect();
    let covering: Vec<Zone> = zones.iter().copied().filter(|zone| zone.covers(target)).collect();
    if entered.is_empty() && covering.is_empty() {
        return Approach::Captures;
    }
    if covering.is_empty() {
        return Approach::Impossible;
    }
    let allowed = if options.is("air_zones", "share") {
        entered.iter().all(|zone| zone.covers(target))
    } else {
        let touched = zones.iter().filter(|zone| entered.contains(zone) || covering.contains(zone)).count();
        touched == 1
    };
    if allowed { Approach::Crashes } else { Approach::Impossible }
}

/// Whether an air force may fly to a point to land, join or drop there, range aside.
pub fn flies(board: &Board, side: Side, piece: Piece, from: Point, to: Point, options: &Options) -> bool {
    let zones = zones(board, side.other(), options);
    let mut way = between(from, to);
    way.push(to);
    piece.hero || !way.iter().any(|point| zones.iter().any(|zone| zone.covers(*point)))
}

/// Whether the commander of a side is open to exposure: there is one and no carrier hides it.
pub fn open(board: &Board, side: Side, options: &Options) -> bool {
    let Some(point) = board.commander(side) else { return false };
    let carrier = board.at(point).unwrap().carrier().kind;
    let hides = matches!(carrier, Kind::Tank | Kind::AirForce | Kind::Navy | Kind::Headquarters);
    !(hides && options.is("carried_commander_exempt", "true"))
}

/// Whether both commanders are open to exposure.
pub fn both_open(board: &Board, options: &Options) -> bool {
    open(board, Side::Red, options) && open(board, Side::Blue, options)
}

/// Whether a straight line with nothing between joins two points.
pub fn clear_straight(board: &Board, from: Point, to: Point) -> bool {
    (from.file == to.file || from.rank == to.rank)
        && from != to
        && between(from, to).iter().all(|point| board.empty(*point))
}

/// Whether the two commanders are exposed to each other.
pub fn exposed(board: &Board, options: &Options) -> bool {
    let (Some(red), Some(blue)) = (board.commander(Side::Red), board.commander(Side::Blue)) else {
        return false;
    };
    both_open(board, options) && clear_straight(board, red, blue)
}

/// Whether the point holds a commander in its headquarters behind an active shield.
pub fn shielded(board: &Board, target: Point, options: &Options) -> bool {
    let stack = board.at(target).unwrap();
    options.is("hq_shield", "on") && stack.carrier().kind == Kind::Headquarters && stack.has(Kind::Commander)
}

/// Whether a piece may capture a shielded headquarters with its commander; others can only breach it. The rules name
/// artillery here too, the cases of the plain reference let it breach only: hence `hq_artillery`.
pub fn pierces(kind: Kind, options: &Options) -> bool {
    match kind {
        Kind::AirForce | Kind::Navy => true,
        Kind::Artillery => options.is("hq_artillery", "attacks"),
        _ => false,
    }
}

/// Whether a piece of `side` on `from` can hit the enemy stack on `target` in one step: capture, crash or breach.
/// `distant` says whether commanders may capture each other at a distance.
pub fn hits(
    board: &Board,
    side: Side,
    piece: Piece,
    from: Point,
    target: Point,
    distant: bool,
    options: &Options,
) -> bool {
    let stack = board.at(target).unwrap();
    assert_ne!(stack.side, side);
    let Some((direction, distance)) = line(from, target) else { return false };
    let at_navy = stack.carrier().kind == Kind::Navy;
    let in_range = match piece.kind {
        Kind::Commander => direction.0 == 0 || direction.1 == 0,
        Kind::Navy if !at_navy => distance <= gun_range(piece),
        _ => distance <= move_range(piece, direction, options),
    };
    if !in_range {
        return false;
    }
    let clear = || between(from, target).iter().all(|point| board.empty(*point));
    let enemy = |point: &Point| board.at(*point).is_some_and(|stack| stack.side != side);
    match piece.kind {
        Kind::Commander => {
            distance == 1 || (distant && stack.has(Kind::Commander) && exposed(board, options))
        }
        Kind::AirForce => approach(board, side, piece, from, target, options) != Approach::Impossible,
        Kind::Navy if at_navy => {
            options.is("torpedo_jumps", "all") || !between(from, target).iter().any(enemy)
        }
        Kind::Navy | Kind::Artillery => true,
        Kind::Missile => options.is("missile_capture_jumps", "true") || clear(),
        _ => clear(),
    }
}

/// Whether a piece attacks a point in the sense of section 7. A single step of the piece alone is looked at; the whole
/// stack it carries can capture nothing that the carrier alone cannot.
pub fn attacks(
    board: &Board,
    side: Side,
    piece: Piece,
    from: Point,
    target: Point,
    options: &Options,
) -> bool {
    hits(
        board,
        side,
        piece,
        from,
        target,
        piece.kind == Kind::Commander && both_open(board, options),
        options,
    ) && (pierces(piece.kind, options) || !shielded(board, target, options))
}

/// Whether any piece of `by` attacks the point, which holds a stack of the other side.
pub fn attacked(board: &Board, target: Point, by: Side, options: &Options) -> bool {
    board.stacks.iter().filter(|(_, stack)| stack.side == by).any(|(from, stack)| {
        stack.pieces.iter().any(|piece| attacks(board, by, *piece, *from, target, options))
    })
}

/// Whether a side is in check: its commander attacked or exposed.
pub fn in_check(board: &Board, side: Side, options: &Options) -> bool {
    board
        .commander(side)
        .is_some_and(|point| exposed(board, options) || attacked(board, point, side.other(), options))
}
