//! Arbitrary positions: few pieces, many stacks and heroes, close together so that they matter to each other.

use super::board::{Board, Kind, Piece, Point, Role, Side, Stack, legal_stack, points};
use super::options::Options;
use super::position::Position;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, RngCore};
use std::rc::Rc;

/// Kinds of the pieces drawn, the commander apart.
const DRAWN: [Kind; 14] = [
    Kind::Navy,
    Kind::Navy,
    Kind::AirForce,
    Kind::AirForce,
    Kind::AirForce,
    Kind::Tank,
    Kind::Tank,
    Kind::Headquarters,
    Kind::Engineer,
    Kind::Artillery,
    Kind::AntiAir,
    Kind::Missile,
    Kind::Infantry,
    Kind::Militia,
];

fn piece(kind: Kind, heroes: f64, random: &mut impl RngCore) -> Piece {
    let hero = kind != Kind::Commander && random.random_bool(heroes);
    Piece { kind, hero, role: Role::Bystander }
}

/// A position at rest under these options. Some could not arise in play; the rules still answer them.
pub fn position(options: &Rc<Options>, random: &mut impl RngCore) -> Position {
    let mut board = Board::default();
    let heroes = *[0.0, 0.1, 0.3, 0.6].choose(random).unwrap();
    let stacking = *[0.1, 0.4, 0.8].choose(random).unwrap();
    // A window of the board, so that stacks meet; a third of the positions use it all.
    let (width, height) = *[(11, 12), (6, 6), (5, 8), (8, 5)].choose(random).unwrap();
    let (file, rank) = (random.random_range(1..=12 - width), random.random_range(1..=13 - height));
    let mut free = points();
    free.retain(|point| {
        (file..file + width).contains(&point.file) && (rank..rank + height).contains(&point.rank)
    });
    free.shuffle(random);
    for side in [Side::Red, Side::Blue] {
        let mut commander = random.random_bool(0.93);
        let stacks = *[0, 1, 2, 3, 4, 5, 6, 8, 10].choose(random).unwrap();
        for _ in 0..stacks {
            let mut pieces = vec![piece(*DRAWN.choose(random).unwrap(), heroes, random)];
            for _ in 0..6 {
                if !random.random_bool(stacking) {
                    continue;
                }
                let cargo = if commander && random.random_bool(0.3) {
                    Kind::Commander
                } else {
                    *DRAWN.choose(random).unwrap()
                };
                let mut more = pieces.clone();
                more.push(piece(cargo, heroes, random));
                if legal_stack(&more, options) {
                    pieces = more;
                    commander &= cargo != Kind::Commander;
                }
            }
            place(&mut board, &mut free, Stack::new(side, pieces));
        }
        if commander {
            place(&mut board, &mut free, Stack::new(side, vec![piece(Kind::Commander, 0.0, random)]));
        }
    }
    let both = random.random_bool(0.5);
    Position {
        options: options.clone(),
        board,
        side: if random.random_bool(0.5) { Side::Red } else { Side::Blue },
        quiet: *[0, 0, 1, 2, 7, 18, 19, 50, 98, 99].choose(random).unwrap(),
        number: random.random_range(1..300),
        points: if both {
            [random.random_range(0..20) * 10, random.random_range(0..20) * 10]
        } else {
            [0, 0]
        },
        turn: None,
    }
}

/// Puts a stack on the first free point that bears its carrier, if there is one.
fn place(board: &mut Board, free: &mut Vec<Point>, stack: Stack) {
    if let Some(index) = free.iter().position(|point| point.bears(stack.carrier().kind)) {
        board.stacks.insert(free.remove(index), stack);
    }
}
