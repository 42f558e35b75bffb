//! The perft table of Connect Four.

use connect4::ConnectFour;
use game::{
    Notation,
    perft::{Count, divide, perft},
};

/// Counts above this many nodes are left to `GARRISON_PERFT_NODES=300000000 cargo test`.
const NODES: u64 = 6_000_000;

#[test]
fn the_table_agrees() {
    let limit = std::env::var("GARRISON_PERFT_NODES").map_or(NODES, |text| text.parse().unwrap());
    let game = ConnectFour::new();
    let mut compared = 0;
    for line in include_str!("perft.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split(';').map(str::trim);
        let fen = fields.next().unwrap();
        let position = game.read_position(fen).unwrap_or_else(|faults| panic!("{fen}: {faults}"));
        for (depth, expected) in (1..).zip(fields) {
            let expected: u64 = expected.parse().unwrap();
            if expected > limit {
                break;
            }
            // Every legal step is a complete turn, so both counts are the same.
            for count in [Count::Steps, Count::Turns] {
                assert_eq!(perft(&game, &position, depth, count).unwrap(), expected, "{fen} depth {depth}");
            }
            compared += 1;
        }
    }
    assert!(compared >= 11, "only {compared} counts compared");
}

#[test]
fn branches_sum_to_the_whole() {
    let game = ConnectFour::new();
    let start = game::Game::start(&game);
    let branches = divide(&game, &start, 5, Count::Steps).unwrap();
    let turns: Vec<&str> = branches.iter().map(|branch| branch.turn.as_str()).collect();
    assert_eq!(turns, ["a", "b", "c", "d", "e", "f", "g"]);
    assert_eq!(branches.iter().map(|branch| branch.nodes).sum::<u64>(), 16807);
    let boards = divide(&game, &start, 1, Count::Boards).unwrap();
    assert_eq!(boards.iter().map(|branch| branch.nodes).sum::<u64>(), 7);
    assert!(perft(&game, &start, 2, Count::Boards).is_err());
}
