//! Random positions, also such that no game reaches.

use super::{DIRECTIONS, Options, Position, hand_index, plus};
use rand::Rng;
use rand::seq::IndexedRandom;

/// A random position between turns or in the middle of a capture.
pub fn position(options: &Options, random: &mut impl Rng) -> Position {
    let mut position = scattered(options, random);
    if random.random_bool(0.15) {
        resume(&mut position, random);
    }
    position
}

fn scattered(options: &Options, random: &mut impl Rng) -> Position {
    let mut position = Position::start(options);
    position.side = random.random();
    position.ply = random.random_range(0..60);
    let mut left = [options.men(); 2];
    position.hands = match random.random_range(0..6) {
        // Movement, shadow pieces of either side, both sides entering.
        0..=2 => [0, 0],
        3 => [random.random_range(1..=left[0]), 0],
        4 => [0, random.random_range(1..=left[1])],
        _ => [random.random_range(0..=left[0]), random.random_range(0..=left[1])],
    };
    for (men, hand) in left.iter_mut().zip(position.hands) {
        *men -= hand;
        // Positions need not hold all men.
        if random.random_bool(0.3) {
            *men = random.random_range(0..=*men);
        }
    }
    let squares = position.squares();
    // Now and then one side has no columns, or tall ones.
    let white_share = *[0.5, 0.5, 0.5, 0.5, 0.2, 0.8, 0.0].choose(random).unwrap();
    let tall = random.random_range(0.0..0.7);
    for _ in 0..80 {
        let square = *squares.choose(random).unwrap();
        let white = random.random_bool(white_share);
        let [own, other] = [hand_index(white), hand_index(!white)];
        if left[own] == 0 || !position.tower(square).is_empty() {
            continue;
        }
        let (mut guards, mut prisoners) = (1, 0);
        while random.random_bool(tall) && guards + prisoners < 9 {
            if random.random_bool(0.5) {
                guards += 1;
            } else {
                prisoners += 1;
            }
        }
        let (guards, prisoners) = (guards.min(left[own]), prisoners.min(left[other]));
        left[own] -= guards;
        left[other] -= prisoners;
        *position.tower_mut(square) = [vec![!white; prisoners], vec![white; guards]].concat();
    }
    position
}

/// Makes it the middle of a capture, where some column can go on.
fn resume(position: &mut Position, random: &mut impl Rng) {
    let mut choices = Vec::new();
    for square in position.squares() {
        for last in DIRECTIONS {
            // It came from an empty square, over one that is in use.
            let (over, from) = (plus(square, last, -1), plus(square, last, -2));
            let came = position.in_use(over) && position.in_use(from) && position.tower(from).is_empty();
            if came && !position.chains(square, Some(last)).is_empty() {
                choices.push((square, last));
            }
        }
    }
    position.unfinished = choices.choose(random).copied();
}
