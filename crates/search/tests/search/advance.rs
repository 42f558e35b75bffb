//! What is kept of a tree when a step has been played.

use crate::games::twigs::Twigs;
use crate::games::{begun, drive, noisy, seeded};
use game::Game;
use search::{Method, SearchConfig, SolvedNodes, TreeReuse};

/// Lines of the subtree of a root step, as they will look with that step played.
fn subtree(text: &str, name: &str) -> Vec<String> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with(&format!("  {name} ")));
    let Some(first) = lines.next() else { return Vec::new() };
    let (_, rest) = first.split_once(" visits ").unwrap();
    let mut found = vec![format!("root visits {rest}")];
    found.extend(lines.take_while(|line| line.starts_with("    ")).map(|line| line[2..].to_owned()));
    found
}

/// Every visit of a judged node but its first went on to a child.
fn assert_visits_add_up(text: &str) {
    let lines: Vec<(usize, u32, bool)> = text
        .lines()
        .map(|line| {
            let visits = line.split_once(" visits ").unwrap().1.split(' ').next().unwrap();
            ((line.len() - line.trim_start().len()) / 2, visits.parse().unwrap(), line.ends_with(" end"))
        })
        .collect();
    for (index, &(depth, visits, end)) in lines.iter().enumerate() {
        let below = lines[index + 1..].iter().take_while(|line| line.0 > depth);
        let children: u32 = below.filter(|line| line.0 == depth + 1).map(|line| line.1).sum();
        assert!(end || visits == 1 + children, "line {index} of\n{text}");
    }
}

#[test]
fn exactly_the_subtree_is_kept_and_grows_on() {
    let mut kept_nodes = 0;
    for seed in 0..200 {
        let game = Twigs::random(&mut seeded(seed), 7, 4);
        for method in [Method::Gumbel, Method::Puct] {
            let config = SearchConfig { method, ..SearchConfig::default() };
            let mut search = begun(&game, game.start(), config, seed);
            while search.play().outcome(&game).is_none() {
                drive(&mut search, &game, noisy(30), |position, steps| game.judge(position, steps));
                let before = search.tree_text();
                assert_visits_add_up(&before);
                let step = search.choose(1.0);
                search.advance(&game, step);
                let after: Vec<String> = search.tree_text().lines().map(str::to_owned).collect();
                assert_eq!(after, subtree(&before, &game.twigs[step.to as usize].name), "seed {seed}");
                assert_eq!(search.nodes(), after.len());
                kept_nodes += after.len();
            }
        }
    }
    assert!(kept_nodes > 1000);
}

#[test]
fn solved_trees_go_on_as_well() {
    for seed in 0..100 {
        let game = Twigs::random(&mut seeded(seed), 7, 4);
        let config = SearchConfig { solved_nodes: SolvedNodes::On, ..SearchConfig::default() };
        let mut search = begun(&game, game.start(), config, seed);
        while search.play().outcome(&game).is_none() {
            drive(&mut search, &game, noisy(30), |position, steps| game.judge(position, steps));
            let before = search.tree_text();
            let step = search.choose(0.0);
            search.advance(&game, step);
            let after: Vec<String> = search.tree_text().lines().map(str::to_owned).collect();
            assert_eq!(after, subtree(&before, &game.twigs[step.to as usize].name), "seed {seed}");
        }
    }
}

#[test]
fn trees_are_dropped_as_configured() {
    let text = "root first\n  a first\n    b second\n      c first\n        d second end draw\n";
    let game = Twigs::parse(text);
    for (reuse, most_kept_nodes, mid_turn, next_turn) in [
        (TreeReuse::Off, 100, 0, 0),
        (TreeReuse::Turn, 100, 4, 0),
        (TreeReuse::Game, 100, 4, 3),
        (TreeReuse::Game, 4, 4, 3),
        (TreeReuse::Game, 3, 0, 0),
    ] {
        let forced_step = search::ForcedStep::Search;
        let config = SearchConfig { reuse, most_kept_nodes, forced_step, ..SearchConfig::default() };
        let mut search = begun(&game, game.start(), config, 0);
        drive(&mut search, &game, noisy(10), |position, steps| game.judge(position, steps));
        assert_eq!(search.nodes(), 5);
        search.advance(&game, game.step("a"));
        assert_eq!(search.nodes(), mid_turn, "{reuse:?} {most_kept_nodes}");
        search.advance(&game, game.step("b"));
        assert_eq!(search.nodes(), next_turn, "{reuse:?} {most_kept_nodes}");
    }
}

#[test]
fn a_tree_that_is_full_ends_the_search() {
    // Tens of thousands of positions, which take more than 1 MiB.
    let games = (0..).map(|seed| Twigs::random(&mut seeded(seed), 9, 7));
    let game = games.into_iter().find(|game| game.twigs.len() > 60_000).unwrap();
    let sizes = [1, 64].map(|most_tree_megabytes| {
        let forced_step = search::ForcedStep::Search;
        // A search that looks everywhere.
        let puct = search::PuctConfig { exploration: 1000.0, ..search::PuctConfig::default() };
        let method = Method::Puct;
        let config =
            SearchConfig { most_tree_megabytes, forced_step, method, puct, ..SearchConfig::default() };
        let mut search = begun(&game, game.start(), config, 0);
        let done = drive(&mut search, &game, noisy(100_000), |position, steps| game.judge(position, steps));
        assert_eq!(search.is_full(), most_tree_megabytes == 1, "{done} judgements");
        if search.is_full() {
            search.plan(&game, noisy(10));
            assert_eq!(search.gather_batch(&game, 4, |_, _| {}), 0, "nor with several leaves at once");
        }
        // It knows a step all the same, and the next search has room again once a step is played.
        let step = search.choose(0.0);
        search.advance(&game, step);
        (search.nodes(), done)
    });
    assert!(sizes[0].1 < sizes[1].1, "{sizes:?}");
}

#[test]
fn a_step_never_visited_leaves_an_empty_tree() {
    let game = Twigs::parse(
        "root first\n  a second value 1\n    c first end draw\n  b second logit -9\n    d first end draw\n",
    );
    let mut search = begun(&game, game.start(), SearchConfig::default(), 0);
    drive(&mut search, &game, crate::games::quiet(1), |position, steps| game.judge(position, steps));
    assert_eq!(search.nodes(), 2);
    search.advance(&game, game.step("b"));
    assert_eq!(search.nodes(), 0);
    assert_eq!(drive(&mut search, &game, noisy(5), |position, steps| game.judge(position, steps)), 1);
}
