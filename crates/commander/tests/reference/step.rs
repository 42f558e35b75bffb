//! The steps a stack could make next, before asking whether the turn can be completed (sections 3, 5 and 6).

use super::board::{Board, DIRECTIONS, Kind, Piece, Point, Role, Side, Stack, legal_stack, sort};
use super::options::Options;
use super::position::{Position, Turn};
use super::reach::{
    Approach, approach, attacked, clear_straight, flies, hits, line, move_range, open, pierces, sails,
    sails_line, shielded,
};

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    Move,
    Replace,
    Stay,
    Crash,
    Join,
    Breach,
    Drop,
}

/// One step of a turn: the pieces that take part, carrier first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    pub from: Point,
    pub group: Vec<Piece>,
    /// Whether the members are written, that is, whether only part of the stack acts.
    pub part: bool,
    pub action: Action,
    pub to: Point,
}

impl Step {
    /// Machine notation (section 10).
    pub fn text(&self) -> String {
        let sign = match self.action {
            Action::Move => '-',
            Action::Replace => 'x',
            Action::Stay => '_',
            Action::Crash => '@',
            Action::Join => '&',
            Action::Breach => '!',
            Action::Drop => '~',
        };
        let members: String = self.group.iter().map(|piece| piece.text()).collect();
        let members = if self.part { format!("({members})") } else { String::new() };
        format!("{members}{}{sign}{}", self.from.text(), self.to.text())
    }
}

/// All steps that geometry, stacks and terrain allow in a turn that has begun, each text once. Whether the turn can
/// still be completed is not asked.
pub fn candidates(position: &Position) -> Vec<Step> {
    let turn = position.turn.as_ref().expect("a turn that has begun");
    if turn.commander_taken {
        return Vec::new();
    }
    let Some(stack) = position.board.at(turn.origin) else { return Vec::new() };
    // An enemy can stand on the start point in no case; the mover's own pieces do.
    let waiting: Vec<Piece> =
        stack.pieces.iter().copied().filter(|piece| piece.role == Role::Waiting).collect();
    let mut steps = Vec::new();

    if turn.steps.is_empty() && turn.size > 1 {
        steps.extend(group_steps(position, turn, &waiting));
    }
    for piece in &waiting {
        steps.extend(group_steps(position, turn, &[*piece]));
        steps.extend(rides(position, turn, *piece));
        if piece.kind == Kind::AirForce {
            let mut fellows = waiting.clone();
            fellows.remove(fellows.iter().position(|fellow| fellow == piece).unwrap());
            steps.extend(drops(position, turn, *piece, &fellows));
        }
    }
    if let Some(navy) = stack.pieces.iter().find(|piece| piece.role == Role::Shot) {
        steps.extend(group_steps(position, turn, &[*navy]));
        if !waiting.is_empty() {
            let mut group = vec![*navy];
            group.extend(&waiting);
            steps.extend(group_steps(position, turn, &group));
        }
    }

    let mut seen = std::collections::BTreeSet::new();
    steps.retain(|step| seen.insert(step.text()));
    steps
}

/// Moves, joins and captures of a group by its carrier's rules.
fn group_steps(position: &Position, turn: &Turn, group: &[Piece]) -> Vec<Step> {
    let mut group = group.to_vec();
    sort(&mut group);
    let Position { board, side, options, .. } = position;
    let (side, from, carrier) = (*side, turn.origin, group[0]);
    let part = group.len() != turn.size;
    let second_action = carrier.role == Role::Shot;
    let may_move = !second_action || options.is("navy_double", "move_gun");
    // An engineer and a heavy piece as one unit.
    let unit = carrier.kind == Kind::Engineer && group.len() > 1 && options.is("engineer_carry", "river");
    let mut steps = Vec::new();
    let mut push = |action: Action, to: Point| {
        let crosses = from.upper_bank() != to.upper_bank();
        if !(unit && !crosses && matches!(action, Action::Move | Action::Replace | Action::Join)) {
            steps.push(Step { from, group: group.clone(), part, action, to });
        }
    };

    if may_move {
        for to in destinations(board, side, carrier, from, options) {
            match board.at(to) {
                None => {
                    if to.bears(carrier.kind) {
                        push(Action::Move, to);
                    }
                }
                Some(friend) => {
                    if union(friend, &group, to, options).is_some() {
                        push(Action::Join, to);
                    }
                }
            }
        }
    }

    for (to, target) in &board.stacks {
        let to = *to;
        if target.side == side || !hits(board, side, carrier, from, to, turn.distant, options) {
            continue;
        }
        if second_action && target.carrier().kind != Kind::Navy {
            continue;
        }
        if shielded(board, to, options) && !pierces(carrier.kind, options) {
            push(Action::Breach, to);
            continue;
        }
        match carrier.kind {
            Kind::AirForce => {
                if approach(board, side, carrier, from, to, options) == Approach::Crashes {
                    let own_commander = group.iter().any(|piece| piece.kind == Kind::Commander);
                    if !own_commander || target.has(Kind::Commander) {
                        push(Action::Crash, to);
                    }
                    continue;
                }
                let lands = to.bears(Kind::AirForce);
                if lands {
                    push(Action::Replace, to);
                }
                let bombs = target.carrier().kind != Kind::AirForce
                    && (!lands
                        || (!(part && options.is("split_bomb", "no_landing"))
                            && (options.is("air_return", "free")
                                || landing_unsafe(board, side, &group, from, to, options))));
                if bombs {
                    push(Action::Stay, to);
                }
            }
            Kind::Navy => {
                let replaces = to.navigable()
                    && (sails_line(from, to) || options.is("navy_capture_across_land", "replace"));
                push(if replaces { Action::Replace } else { Action::Stay }, to);
            }
            kind => push(if to.bears(kind) { Action::Replace } else { Action::Stay }, to),
        }
    }
    steps
}

/// Whether some enemy piece could capture the group on `to` after it has replaced the target there.
fn landing_unsafe(
    board: &Board,
    side: Side,
    group: &[Piece],
    from: Point,
    to: Point,
    options: &Options,
) -> bool {
    let mut after = board.clone();
    after.take(from, group);
    after.stacks.remove(&to);
    after.put(to, side, group.to_vec());
    attacked(&after, to, side.other(), options)
}

/// The stack that a group joining a friend would make, when that is allowed.
fn union(friend: &Stack, group: &[Piece], to: Point, options: &Options) -> Option<Stack> {
    if friend.pieces.iter().any(|piece| piece.role == Role::Dropped) {
        return None;
    }
    let mut pieces = friend.pieces.clone();
    pieces.extend(group);
    let union = Stack::new(friend.side, pieces);
    (legal_stack(&union.pieces, options) && to.bears(union.carrier().kind)).then_some(union)
}

/// Joins without a reach test: a group that left this turn takes the member along.
fn rides(position: &Position, turn: &Turn, piece: Piece) -> Vec<Step> {
    let mut steps = Vec::new();
    for (to, friend) in &position.board.stacks {
        if friend.side != position.side || *to == turn.origin {
            continue;
        }
        let Some(union) = union(friend, &[piece], *to, &position.options) else { continue };
        if union.carrier().role == Role::Left {
            let part = turn.size > 1;
            steps.push(Step { from: turn.origin, group: vec![piece], part, action: Action::Join, to: *to });
        }
    }
    steps
}

/// Drop and return of an air force with each possible choice among its fellows that have not acted.
fn drops(position: &Position, turn: &Turn, air: Piece, fellows: &[Piece]) -> Vec<Step> {
    let Position { board, side, options, .. } = position;
    let mut steps = Vec::new();
    if options.is("air_drop", "off") {
        return steps;
    }
    let present = board.at(turn.origin).unwrap().pieces.len();
    for choice in 1..1usize << fellows.len() {
        let mut cargo: Vec<Piece> = fellows
            .iter()
            .enumerate()
            .filter(|(index, _)| choice >> index & 1 == 1)
            .map(|(_, piece)| *piece)
            .collect();
        sort(&mut cargo);
        let mut group = vec![air];
        group.extend(&cargo);
        let carried = {
            let mut sorted = group.clone();
            sort(&mut sorted);
            sorted[0].kind == Kind::AirForce && legal_stack(&sorted, options)
        };
        if !carried || !legal_stack(&cargo, options) {
            continue;
        }
        for to in super::board::points() {
            let Some((direction, distance)) = line(turn.origin, to) else { continue };
            if distance <= move_range(air, direction, options)
                && board.empty(to)
                && to.bears(cargo[0].kind)
                && flies(board, *side, air, turn.origin, to, options)
            {
                let part = group.len() != present;
                steps.push(Step { from: turn.origin, group: group.clone(), part, action: Action::Drop, to });
            }
        }
    }
    steps
}

/// The points a piece can reach by its own move: empty ones, and friends it could join if the stacks allow.
fn destinations(board: &Board, side: Side, piece: Piece, from: Point, options: &Options) -> Vec<Point> {
    let mut found = Vec::new();
    for direction in DIRECTIONS {
        let mut point = from;
        let mut over_sea = false;
        for _ in 0..move_range(piece, direction, options) {
            let next = point.toward(direction);
            if !next.on_board() {
                break;
            }
            let there = board.at(next);
            let friend = there.is_some_and(|stack| stack.side == side);
            match piece.kind {
                Kind::AirForce => {
                    if !flies(board, side, piece, from, next, options) {
                        break;
                    }
                    if there.is_none() || friend {
                        found.push(next);
                    }
                }
                Kind::Navy => {
                    if !sails(point, next) {
                        break;
                    }
                    if there.is_none() || friend {
                        found.push(next);
                    }
                    let blocks = there.is_some_and(|stack| {
                        if options.is("navy_move_block", "enemy") {
                            stack.side != side
                        } else {
                            stack.carrier().kind == Kind::Navy
                        }
                    });
                    if blocks {
                        break;
                    }
                }
                kind => {
                    let ford = direction.0 == 0 && (next.file == 6 || next.file == 8);
                    if kind.heavy() && point.upper_bank() != next.upper_bank() && !ford {
                        break;
                    }
                    if there.is_some() {
                        let boards = next.sea() && options.is("board_at_sea", "true");
                        if friend && (boards || !next.sea() && !over_sea) {
                            found.push(next);
                        }
                        break;
                    }
                    if kind == Kind::Commander && faces(board, side, next, options) {
                        break;
                    }
                    over_sea |= next.sea();
                    if !over_sea {
                        found.push(next);
                    }
                }
            }
            point = next;
        }
    }
    found
}

/// Whether an empty point lies on an open line from the enemy commander. All pieces count where they stand, the
/// moving commander too: what lies behind it is not on an open line.
fn faces(board: &Board, side: Side, point: Point, options: &Options) -> bool {
    let Some(enemy) = board.commander(side.other()) else { return false };
    open(board, side.other(), options) && clear_straight(board, enemy, point)
}
