//! The perft table, every row.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use xiangqi::Setup;

/// Counts above this many nodes are left to `GARRISON_PERFT_NODES=1000000000 cargo test`.
const NODES: u64 = 12_000_000;

#[test]
fn the_table_agrees() {
    let limit = std::env::var("GARRISON_PERFT_NODES").map_or(NODES, |text| text.parse().unwrap());
    let mut compared = 0;
    for line in include_str!("perft.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split(';').map(str::trim);
        let fen = fields.next().unwrap();
        let position = Setup::read(fen).and_then(|setup| setup.position());
        let position = position.unwrap_or_else(|faults| panic!("{fen}: {faults}"));
        for (depth, expected) in (1..).zip(fields) {
            let expected: u64 = expected.parse().unwrap();
            if expected > limit {
                break;
            }
            assert_eq!(position.board().perft(depth), expected, "{fen} depth {depth}");
            compared += 1;
        }
    }
    assert!(compared >= 63, "only {compared} counts compared");
}
