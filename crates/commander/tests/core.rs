//! The preset `core` against another engine. Where its first steps differ from ours, a known fault
//! of that engine must explain the difference; the faults are predicates over a position and a
//! step, numbered as on the rules page, section 11. Fault 9 does not show in first steps.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod common;

use commander::board::Board;
use commander::piece::{Kind, Piece};
use commander::point::Point;
use commander::stack::Stack;
use commander::tables::Geometry;
use commander::{Commander, Position};
use common::{preset, rows, step_texts, strings};
use game::{Game, Line, Notation, Player};
use std::collections::BTreeMap;

/// A step of either engine, read from the machine notation without asking whether it is legal.
struct Written {
    origin: Point,
    target: Point,
    sign: char,
    group: Stack,
    partial: bool,
}

fn written(position: &Position, text: &str) -> Written {
    let side = position.mover();
    let (members, rest) = match text.strip_prefix('(') {
        Some(inside) => {
            let (members, rest) = inside.split_once(')').unwrap();
            (Some(members), rest)
        }
        None => (None, text),
    };
    let (origin, length) = Point::read_prefix(rest).unwrap();
    let sign = rest[length..].chars().next().unwrap();
    let target = Point::read(&rest[length + 1..]).unwrap();
    let group = match members {
        None => position.board().at(origin),
        Some(members) => {
            let mut group = Stack::EMPTY;
            let mut hero = false;
            for letter in members.chars() {
                if letter == '+' {
                    hero = true;
                    continue;
                }
                let piece = Piece::new(Kind::from_letter(letter).unwrap(), hero);
                hero = false;
                group =
                    if group.is_empty() { Stack::single(side, piece) } else { group.with(piece).unwrap() };
            }
            group
        }
    };
    Written { origin, target, sign, group, partial: members.is_some() }
}

/// The board as the step alone leaves it, without promotions.
fn board_after(position: &Position, step: &Written) -> Board {
    let mut board = *position.board();
    let there = board.at(step.target);
    let stays = matches!(step.sign, '_' | '!');
    if !stays {
        board.set::<true>(step.origin, board.at(step.origin).without(step.group));
    }
    let left = match step.sign {
        '-' | 'x' => step.group,
        '&' => there.joined(step.group).unwrap(),
        '_' | '@' => Stack::EMPTY,
        other => panic!("unexpected sign {other}"),
    };
    board.set::<true>(step.target, left);
    board
}

/// Fault 1: the other engine lets a missile check along diagonals at its straight range. Whether
/// only that makes it see danger for the commander of `side`.
fn missile_on_diagonal(board: &Board, side: Player) -> bool {
    let Some(commander) = board.commander(side) else { return false };
    board.occupied(side.opponent()).into_iter().any(|point| {
        let relation = Geometry::get().relation[commander.index()][point.index()];
        let (direction, distance) = (relation >> 4, relation & 15);
        (4..8).contains(&direction)
            && board
                .at(point)
                .pieces()
                .any(|piece| piece.kind() == Kind::Missile && distance == if piece.is_hero() { 3 } else { 2 })
    })
}

/// What the other engine sees as danger, its first fault included.
fn danger(game: &Commander, board: &Board, side: Player) -> bool {
    game.in_danger(board, side) || missile_on_diagonal(board, side)
}

/// The defenders of `side` whose zone covers a point, heroes without their bonus when `old` has
/// them as plain pieces.
fn zones_at(board: &Board, side: Player, point: Point) -> usize {
    let covers = |place: &Point| {
        let carrier = board.at(*place).carrier();
        let bonus = carrier.is_hero() as usize;
        let radius = match carrier.kind() {
            Kind::AntiAir | Kind::Navy => 1 + bonus,
            Kind::Missile => 2 + bonus,
            _ => return false,
        };
        Geometry::get().discs[radius][place.index()].contains(point)
    };
    board.occupied(side).into_iter().filter(covers).count()
}

/// The fault that makes the other engine list a step which we refuse.
fn why_listed(game: &Commander, position: &Position, text: &str) -> Option<u32> {
    let step = written(position, text);
    let board = position.board();
    let side = position.mover();
    let leader = step.group.carrier();
    let air = leader.kind() == Kind::AirForce;
    let target = board.at(step.target);
    if step.sign == '_' && air && target.carrier().kind() == Kind::AirForce {
        return Some(2);
    }
    if step.sign == '&' && air && !leader.is_hero() {
        let touched = defenders_touched(board, side.opponent(), step.origin, step.target);
        if touched == 1 && zones_at(board, side.opponent(), step.target) == 1 {
            return Some(3);
        }
    }
    let holds_commander = board.at(step.origin).contains(Kind::Commander);
    let after = board_after(position, &step);
    let unsafe_alone = game.in_danger(&with_last_guard(&after, side.opponent()), side);
    if step.partial && holds_commander && (unsafe_alone || adrift(&after, step.origin)) {
        return Some(5);
    }
    // Zones that this turn's promotions would widen still keep an air force from the commander.
    let widens = after
        .defenders(side)
        .into_iter()
        .any(|place| attacks_commander(game, &after, place, side) && !after.at(place).carrier().is_hero());
    (!step.partial && widens && !game.in_danger(&after, side)).then_some(6)
}

/// The board with the last guard of a side promoted, if it has one.
fn with_last_guard(board: &Board, side: Player) -> Board {
    let mut board = *board;
    if board.commander(side).is_some() && board.total(side) == 2 {
        for point in board.occupied(side) {
            let stack = board.at(point);
            let guard = stack.pieces().position(|piece| piece.kind() != Kind::Commander);
            board.set::<true>(point, stack.promoted(guard.map_or(0, |slot| 1 << slot)));
        }
    }
    board
}

/// Whether a commander that was left at sea must still act, without which the turn cannot end.
fn adrift(board: &Board, origin: Point) -> bool {
    let rest = board.at(origin);
    origin.file() < 2 && !rest.is_empty() && rest.carrier().kind() != Kind::Navy
}

/// Whether a piece on `place` gives check to the enemy of `side`.
fn attacks_commander(game: &Commander, board: &Board, place: Point, side: Player) -> bool {
    game.checkers(board, side.opponent()).iter().any(|&(point, _)| point == place)
}

/// Enemy defenders whose zone covers a point of the way or the target.
fn defenders_touched(board: &Board, enemy: Player, from: Point, to: Point) -> usize {
    let relation = Geometry::get().relation[from.index()][to.index()];
    let ray = Geometry::get().rays[from.index()][(relation >> 4) as usize].points();
    let way = &ray[..(relation & 15) as usize];
    let mut only = Board::EMPTY;
    let mut touched = 0;
    for place in board.occupied(enemy) {
        only.set::<true>(place, board.at(place));
        touched += way.iter().any(|&point| zones_at(&only, enemy, point) > 0) as usize;
        only.set::<true>(place, Stack::EMPTY);
    }
    touched
}

/// The fault that makes the other engine leave out a step which we list.
fn why_missing(game: &Commander, position: &Position, text: &str) -> Option<u32> {
    let step = written(position, text);
    let board = position.board();
    let side = position.mover();
    let target = board.at(step.target);
    let relation = Geometry::get().relation[step.origin.index()][step.target.index()];
    if step.group.carrier().kind() == Kind::Commander && target.contains(Kind::Commander) && relation & 15 > 1
    {
        return Some(7);
    }
    let after = board_after(position, &step);
    let holds_commander = board.at(step.origin).contains(Kind::Commander);
    if step.partial && !holds_commander && danger(game, &after, side) {
        return Some(4);
    }
    if missile_on_diagonal(&after, side) {
        return Some(1);
    }
    // Without the promotions of this turn, zones are smaller and an air force reaches the commander.
    let by_air = |&(_, piece): &(Point, Piece)| piece.kind() == Kind::AirForce;
    (!step.partial && game.checkers(&after, side).iter().any(by_air)).then_some(6)
}

#[test]
fn first_steps_differ_by_known_faults_only() {
    let game = preset("core");
    let mut unexplained = Vec::new();
    let mut used: BTreeMap<u32, usize> = BTreeMap::new();
    for name in ["core-random", "core-sparse"] {
        for row in rows(name) {
            let fen = row["fen"].as_str().unwrap();
            let position = game.read_position(fen).unwrap();
            let theirs = strings(&row["steps"]);
            assert_eq!(theirs.len() as u64, row["n"].as_u64().unwrap());
            let ours = step_texts(&game, &position);
            let mut explain = |text: &String, fault: Option<u32>, which: &str| match fault {
                Some(number) => *used.entry(number).or_default() += 1,
                None => unexplained.push(format!("{fen}: {text} {which}")),
            };
            for text in theirs.iter().filter(|text| !ours.contains(text)) {
                explain(text, why_listed(&game, &position, text), "only theirs");
            }
            for text in ours.iter().filter(|text| !theirs.contains(text)) {
                explain(text, why_missing(&game, &position, text), "only ours");
            }
            check_flags(&game, &position, &row, &ours, &theirs, &mut unexplained);
        }
    }
    for line in unexplained.iter().take(40) {
        eprintln!("{line}");
    }
    assert!(unexplained.is_empty(), "{} unexplained; faults used {used:?}", unexplained.len());
    let faults: Vec<u32> = used.keys().copied().collect();
    assert_eq!(faults, [1, 2, 3, 4, 5, 6], "a fault that explains nothing is no fault: {used:?}");
}

fn check_flags(
    game: &Commander,
    position: &Position,
    row: &serde_json::Value,
    ours: &[String],
    theirs: &[String],
    unexplained: &mut Vec<String>,
) {
    let (board, side) = (position.board(), position.mover());
    let near = |&(point, piece): &(Point, Piece)| {
        piece.kind() != Kind::Commander
            || board
                .commander(side)
                .is_some_and(|own| Geometry::get().relation[own.index()][point.index()] & 15 == 1)
    };
    let check = game.checkers(board, side).iter().any(near) || missile_on_diagonal(board, side);
    if row["check"].as_bool().unwrap() != check {
        unexplained.push(format!("{}: check {check}", row["fen"]));
    }
    if ours.is_empty() == theirs.is_empty() {
        let reason = game.outcome(position, &Line::new()).map(|outcome| outcome.reason.0);
        for (key, word) in [("mate", "mate"), ("stalemate", "stalemate")] {
            if row[key].as_bool().unwrap() != (reason == Some(word)) {
                unexplained.push(format!("{}: {key} is {reason:?}", row["fen"]));
            }
        }
    }
}

/// A step of ours in the other engine's notation.
fn in_their_notation(position: &Position, text: &str) -> String {
    let step = written(position, text);
    let sign = if step.sign == '-' { String::new() } else { step.sign.to_string() };
    let pieces: String = step
        .group
        .pieces()
        .map(|piece| format!("{}{}", if piece.is_hero() { "+" } else { "" }, piece.kind().letter()))
        .collect();
    if step.partial {
        format!("{pieces}>{sign}{}", step.target)
    } else if step.group.len() > 1 {
        format!("({pieces}){sign}{}", step.target)
    } else {
        format!("{pieces}{sign}{}", step.target)
    }
}

/// A step of the other engine by a single piece in our notation.
fn from_their_notation(position: &Position, text: &str, square: Option<&str>) -> String {
    let split = text.rfind(|letter: char| letter.is_ascii_lowercase()).unwrap();
    let target = &text[split..];
    let sign = text[..split].chars().next_back().filter(|sign| "x_@&".contains(*sign)).unwrap_or('-');
    let kind = Kind::from_letter(text.chars().next().unwrap()).unwrap();
    let board = position.board();
    let from_square = square.map(|square| Point::read(square).unwrap());
    let mut places =
        board.occupied(position.mover()).into_iter().filter(|&place| board.at(place).contains(kind));
    let origin = from_square.or_else(|| places.next()).unwrap();
    if text.contains('>') {
        format!("({}){origin}{sign}{target}", kind.letter())
    } else {
        format!("{origin}{sign}{target}")
    }
}

#[test]
fn small_positions() {
    let game = preset("core");
    let mut unexplained = Vec::new();
    for row in rows("core") {
        let fen = row["fen"].as_str().unwrap();
        let (position, hero_commander) = match game.read_position(fen) {
            Ok(position) => (position, false),
            Err(faults) => {
                // Fault 8: the other engine has hero commanders, which move diagonally.
                assert!(fen.contains("+C") && faults.0.len() == 1, "{fen}: {faults}");
                (game.read_position(&fen.replace("+C", "C")).unwrap(), true)
            }
        };
        let mut theirs: Vec<String> =
            strings(&row["moves"]).iter().map(|text| text.replace("+C", "C")).collect();
        if hero_commander {
            let commander = position.board().commander(position.mover()).unwrap();
            theirs.retain(|text| {
                let digits = text.rfind(|letter: char| letter.is_ascii_lowercase()).unwrap();
                let target = Point::read(&text[digits..]).unwrap();
                let relation = Geometry::get().relation[commander.index()][target.index()];
                !(4..8).contains(&(relation >> 4))
            });
        }
        theirs.sort();
        let ours_texts: Vec<String> = step_texts(&game, &position)
            .into_iter()
            .filter(|text| {
                row.get("sq")
                    .and_then(|square| square.as_str())
                    .is_none_or(|square| written(&position, text).origin.to_string() == square)
            })
            .collect();
        let mut ours: Vec<String> =
            ours_texts.iter().map(|text| in_their_notation(&position, text)).collect();
        ours.sort();
        for text in theirs.iter().filter(|text| !ours.contains(text)) {
            let own = from_their_notation(&position, text, row["sq"].as_str());
            if why_listed(&game, &position, &own).is_none() {
                unexplained.push(format!("{fen}: {text} only theirs"));
            }
        }
        for (text, own) in ours_texts.iter().map(|text| (in_their_notation(&position, text), text)) {
            if !theirs.contains(&text) && why_missing(&game, &position, own).is_none() {
                unexplained.push(format!("{fen}: {text} only ours"));
            }
        }
        let (board, side) = (position.board(), position.mover());
        let danger = danger(&game, board, side);
        if row["danger"].as_bool().unwrap() != danger {
            unexplained.push(format!("{fen}: danger {danger}"));
        }
    }
    for line in &unexplained {
        eprintln!("{line}");
    }
    assert!(unexplained.is_empty());
}
