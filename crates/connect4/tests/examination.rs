//! Connect Four passes the examination of all games.

use connect4::ConnectFour;
use game::examination::{Examination, examine};

#[test]
fn it_passes() {
    let starts = ["7/7/7/7/7/7 x", "7/3o3/3x3/3o3/3x3/3o2x x"].map(str::to_owned).to_vec();
    let report = examine(&ConnectFour::new(), &Examination { games: 200, starts, ..Examination::default() });
    assert!(report.passed(), "{}", report.complaint());
    let statistics = &report.statistics;
    println!("{statistics}");
    assert_eq!(statistics.games, 200);
    // No step is like another, and nothing is lost in writing.
    assert_eq!(statistics.aliased_steps, 0);
    assert_eq!(statistics.exact_texts, statistics.positions);
    // Full boards are rare in random games, lines of four are not.
    assert!(statistics.reasons["four"] > 190);
}
