//! Perft of a game whose turns have several steps, counted by hand.

mod pile;

use game::perft::{Branch, Count, DepthError, divide, perft};
use game::{Game, Notation, Turns};
use pile::{Flaw, Pile};

#[test]
fn counts_agree_with_counting_by_hand() {
    // 5 stones, up to 3 a turn. First turns leave 4, 3 or 2; then 1–3, 1–3 or 1–2 are taken.
    let game = Pile::new(5, 3, Flaw::None);
    let count = |depth, count| perft(&game, &game.start(), depth, count).unwrap();
    assert_eq!([0, 1, 2, 3].map(|depth| count(depth, Count::Turns)), [1, 3, 8, 10]);
    // Only the taking of a stone begins a turn; two of the eight positions after two turns are ends.
    assert_eq!([0, 1, 2, 3].map(|depth| count(depth, Count::Steps)), [1, 1, 3, 6]);
    assert_eq!(count(20, Count::Turns), 0);
    assert_eq!([0, 1].map(|depth| count(depth, Count::Boards)), [1, 3]);
    assert_eq!(perft(&game, &game.start(), 2, Count::Boards), Err(DepthError { depth: 2 }));
}

#[test]
fn turns_come_in_order_with_their_positions() {
    let game = Pile::new(5, 3, Flaw::None);
    let mut turns = Turns::new(&game, &game.start());
    let mut found = Vec::new();
    while turns.advance(&game) {
        found.push((turns.steps().len(), game.write_position(turns.position())));
    }
    // Depth first: taking goes before stopping.
    let expected = [(3, "2 0 1 0 second plain"), (3, "3 0 1 0 second plain"), (2, "4 0 0 0 second plain")];
    assert_eq!(found, expected.map(|(steps, text)| (steps, text.to_owned())));
    assert!(!turns.advance(&game));
}

#[test]
fn a_turn_under_way_goes_on_and_is_told_whole() {
    let game = Pile::new(5, 3, Flaw::None);
    let position = game.read_position("3 2 1 0 first plain").unwrap();
    let branches = divide(&game, &position, 2, Count::Turns).unwrap();
    let branch = |turn: &str, nodes| Branch { turn: turn.to_owned(), nodes };
    assert_eq!(branches, [branch("3", 2), branch("2", 3)]);
    assert_eq!(perft(&game, &position, 1, Count::Steps), Ok(2));
    let steps = divide(&game, &position, 1, Count::Steps).unwrap();
    assert_eq!(steps, [branch("take", 1), branch(".", 1)]);
}

#[test]
fn branches_sum_to_the_whole() {
    let game = Pile::new(21, 3, Flaw::None);
    for (depth, count) in
        [(1, Count::Steps), (1, Count::Boards), (4, Count::Steps), (5, Count::Turns), (8, Count::Turns)]
    {
        let branches = divide(&game, &game.start(), depth, count).unwrap();
        let sum: u64 = branches.iter().map(|branch| branch.nodes).sum();
        assert_eq!(Ok(sum), perft(&game, &game.start(), depth, count));
        assert!(sum > 0);
    }
}
