//! Matches end to end, with Connect Four.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use arena::matches::{
    Contestant, EnginePlayer, MatchError, MatchPlan, MatchReport, MatchSession, Names, NetworkPlayer, Stop,
    Tally, TurnTime, Watch,
};
use arena::opponents::BuiltIn;
use connect4::ConnectFour;
use engine::{EngineSettings, Limit, Protocol};
use game::{Notation, PlaneShape, Player, PolicyShape};
use pairs::{Clock, Pair, PlayedGame, Thought};
use search::SearchConfig;
use selfplay::{Batch, Evaluator, EvaluatorError, UniformEvaluator};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Stops after a number of pairs.
struct StopAfter {
    pairs: u64,
    stop: Stop,
    seen: AtomicU64,
}

impl StopAfter {
    fn never() -> StopAfter {
        StopAfter::pairs(u64::MAX, Stop::Now)
    }

    fn pairs(pairs: u64, stop: Stop) -> StopAfter {
        StopAfter { pairs, stop, seen: AtomicU64::new(0) }
    }
}

impl Watch for StopAfter {
    fn pair_finished(&self, _pair: &Pair, tally: &Tally) {
        self.seen.store(tally.pentanomial.pairs(), Ordering::Relaxed);
    }

    fn stop(&self) -> Stop {
        if self.seen.load(Ordering::Relaxed) >= self.pairs { self.stop } else { Stop::GoOn }
    }
}

fn plan(pairs: u64, threads: usize) -> MatchPlan {
    MatchPlan { pairs, opening_turns: 4, seed: 3, threads, games_at_once: 8 }
}

fn uniform(simulations: u32) -> Contestant {
    Contestant::Network(NetworkPlayer {
        make_evaluator: Box::new(|| Ok(Box::new(UniformEvaluator::for_game(&ConnectFour::new())))),
        search: SearchConfig::default(),
        simulations,
    })
}

fn played(contestants: &[Contestant; 2], starts: Option<&str>, plan: &MatchPlan) -> Vec<Pair> {
    ConnectFour::new().play_match(contestants, starts, plan, Vec::new(), &StopAfter::never()).unwrap()
}

fn report(pairs: &[Pair]) -> MatchReport {
    let names = Names { a: "one".to_owned(), b: "two".to_owned(), game: "connect4".to_owned() };
    MatchReport::new(&names, &Tally::of(pairs))
}

#[test]
fn a_pair_is_one_opening_with_colours_exchanged() {
    let contestants = [Contestant::BuiltIn(BuiltIn::Random), Contestant::BuiltIn(BuiltIn::Greedy)];
    let pairs = played(&contestants, None, &plan(6, 2));
    let mut openings = std::collections::BTreeSet::new();
    for (number, pair) in pairs.iter().enumerate() {
        assert_eq!(pair.pair, number as u64);
        let [first, second] = &pair.games;
        assert_eq!([first.a_plays, second.a_plays], Player::BOTH);
        assert_eq!((first.opening_turns, second.opening_turns), (4, 4));
        assert_eq!(first.turns[..4], second.turns[..4]);
        assert_eq!(first.start, second.start);
        assert_eq!(first.turns.len(), first.steps.len());
        openings.insert(first.turns[..4].to_vec());
    }
    assert!(openings.len() > 4, "{openings:?}");
}

#[test]
fn the_seed_alone_decides_a_match_without_networks() {
    let contestants = [
        Contestant::BuiltIn(BuiltIn::Rollouts { playouts: 20 }),
        Contestant::BuiltIn(BuiltIn::AlphaBeta { depth: 2 }),
    ];
    let one = played(&contestants, None, &plan(5, 1));
    assert_eq!(one, played(&contestants, None, &plan(5, 2)));
    assert_ne!(one, played(&contestants, None, &MatchPlan { seed: 4, ..plan(5, 1) }));
}

#[test]
fn networks_play_in_batches_and_repeat() {
    for simulations in [0, 8] {
        let contestants = [uniform(simulations), Contestant::BuiltIn(BuiltIn::Random)];
        let pairs = played(&contestants, None, &plan(10, 2));
        assert_eq!(pairs.len(), 10);
        // This evaluator's answers do not depend on the batch, so neither do the games.
        assert_eq!(pairs, played(&contestants, None, &MatchPlan { games_at_once: 2, ..plan(10, 1) }));
    }
    let contestants = [uniform(8), uniform(0)];
    assert_eq!(played(&contestants, None, &plan(4, 1)), played(&contestants, None, &plan(4, 2)));
}

#[test]
fn stronger_opponents_win() {
    let contestants =
        [Contestant::BuiltIn(BuiltIn::AlphaBeta { depth: 4 }), Contestant::BuiltIn(BuiltIn::Random)];
    let result = report(&played(&contestants, None, &plan(30, 2)));
    assert!(result.low.unwrap() > 0.8, "{result}");
    let contestants = [uniform(64), Contestant::BuiltIn(BuiltIn::Random)];
    let result = report(&played(&contestants, None, &plan(30, 2)));
    assert!(result.low.unwrap() > 0.6, "{result}");
}

#[test]
fn copies_of_a_game_give_no_interval() {
    let contestants = [uniform(0), uniform(0)];
    let result = report(&played(&contestants, None, &MatchPlan { opening_turns: 0, ..plan(20, 2) }));
    assert_eq!((result.games, result.distinct_games), (40, 2));
    assert_eq!((result.low, result.high), (None, None));
    assert_eq!(
        result.interval.as_deref(),
        Some(
            "only 2 of 40 games are distinct, fewer than 90 %: copies of a game are no evidence; ask for \
             more opening turns or more start positions"
        )
    );
    assert!(result.to_string().contains("no interval: only 2 of 40"), "{result}");
}

#[test]
fn a_match_can_be_stopped() {
    let contestants = [Contestant::BuiltIn(BuiltIn::Random), Contestant::BuiltIn(BuiltIn::Random)];
    let game = ConnectFour::new();
    let all = played(&contestants, None, &plan(50, 1));
    for stop in [Stop::FinishPairs, Stop::Now] {
        let pairs = game
            .play_match(&contestants, None, &plan(50, 1), Vec::new(), &StopAfter::pairs(3, stop))
            .unwrap();
        assert_eq!(pairs, all[..3]);
    }
    let contestants = [uniform(2), uniform(2)];
    let pairs = game
        .play_match(&contestants, None, &plan(50, 1), Vec::new(), &StopAfter::pairs(1, Stop::FinishPairs))
        .unwrap();
    assert_eq!(pairs.len(), 4, "eight games at once are four pairs");
}

#[test]
fn starts_are_used_in_turn() {
    let text = "# two starts\n7/7/7/7/7/7 x # the usual one\n\n7/7/7/7/7/3x3 o\n";
    let contestants = [Contestant::BuiltIn(BuiltIn::Random), Contestant::BuiltIn(BuiltIn::Random)];
    let pairs = played(&contestants, Some(text), &MatchPlan { opening_turns: 0, ..plan(4, 1) });
    let starts: Vec<&str> = pairs.iter().map(|pair| pair.games[0].start.as_str()).collect();
    let [usual, other] = ["7/7/7/7/7/7 x", "7/7/7/7/7/3x3 o"];
    assert_eq!(starts, [usual, other, usual, other]);
    let again = format!("{text}{usual}\n");
    assert_eq!(ConnectFour::new().different_starts(Some(&again)).unwrap(), Some(2));
}

/// Set-ups of Commander Chess are drawn for each pair anew, by the pair's number alone.
#[test]
fn starts_are_drawn_for_each_pair() {
    let game = arena::games::open("commander", None, &[]).unwrap();
    let contestants = [Contestant::BuiltIn(BuiltIn::Random), Contestant::BuiltIn(BuiltIn::Random)];
    let starts = |text: &str, pairs| {
        let plan = MatchPlan { opening_turns: 1, ..plan(pairs, 2) };
        let pairs =
            game.play_match(&contestants, Some(text), &plan, Vec::new(), &StopAfter::never()).unwrap();
        for pair in &pairs {
            assert_eq!(pair.games[0].start, pair.games[1].start);
        }
        pairs.into_iter().map(|pair| pair.games[0].start.clone()).collect::<Vec<_>>()
    };
    let drawn = starts("draw free-uniform # every set-up is equally likely\n", 3);
    assert!(drawn[0] != drawn[1] && drawn[1] != drawn[2] && drawn[0] != drawn[2], "{drawn:?}");
    assert_eq!(drawn, starts("draw free-uniform", 3));
    let different = |text| game.different_starts(Some(text)).unwrap();
    assert_eq!((different("draw free-uniform"), game.different_starts(None).unwrap()), (None, Some(1)));
    let mixed = starts("draw standard\ndraw free-uniform\n", 3);
    assert_eq!((mixed[0] == mixed[2], &mixed[1]), (true, &drawn[1]));
}

#[test]
fn faulty_starts_are_named_with_their_lines() {
    let game = ConnectFour::new();
    let contestants = [Contestant::BuiltIn(BuiltIn::Random), Contestant::BuiltIn(BuiltIn::Random)];
    let text = "7/7/7/7/7/7 x\nrubbish\n7/7/7/7/ooo4/xxxx3 o\ndraw free-uniform\n";
    let fault =
        game.play_match(&contestants, Some(text), &plan(1, 1), Vec::new(), &StopAfter::never()).unwrap_err();
    assert!(fault.is_input());
    let MatchError::Starts(faults) = &fault else { panic!("{fault}") };
    assert_eq!(faults.iter().map(|fault| fault.line).collect::<Vec<_>>(), [2, 3, 4]);
    assert!(faults[2].message.contains("unknown start `free-uniform` for connect4"), "{fault}");
    assert_eq!(faults[0].message, game.read_position("rubbish").unwrap_err().to_string());
    assert_eq!(faults[1].message, "the game has ended here (four)");
    let fault = game.play_match(&contestants, Some("# none\n"), &plan(1, 1), Vec::new(), &StopAfter::never());
    assert_eq!(fault.unwrap_err().to_string(), "start positions: line 1: no position in the whole file");
}

#[test]
fn openings_that_always_end_the_game_are_refused() {
    let contestants = [Contestant::BuiltIn(BuiltIn::Random), Contestant::BuiltIn(BuiltIn::Random)];
    let plan = MatchPlan { opening_turns: 42, ..plan(1, 1) };
    let fault = ConnectFour::new()
        .play_match(&contestants, None, &plan, Vec::new(), &StopAfter::never())
        .unwrap_err();
    assert!(fault.is_input());
    assert_eq!(
        fault.to_string(),
        "pair 0: each of 1000 random openings of 42 turns ended the game; ask for fewer opening turns"
    );
}

#[test]
fn reports_add_up() {
    let contestants = [Contestant::BuiltIn(BuiltIn::Greedy), Contestant::BuiltIn(BuiltIn::Random)];
    let pairs = played(&contestants, None, &plan(40, 2));
    let result = report(&pairs);
    assert_eq!((result.pairs, result.games), (40, 80));
    assert_eq!(result.wins + result.draws + result.losses, 80);
    assert_eq!(result.pentanomial.iter().sum::<u64>(), 40);
    let score = result.score.unwrap();
    let from_games = (result.wins as f64 + result.draws as f64 / 2.0) / 80.0;
    assert!((score - from_games).abs() < 1e-12);
    assert!(result.low.unwrap() < score && score < result.high.unwrap());
    let sum = |counts: &dyn Fn(&arena::matches::Counts) -> u64| {
        (
            result.by_reason.values().map(counts).sum::<u64>(),
            counts(&result.by_colour.first) + counts(&result.by_colour.second),
        )
    };
    assert_eq!(sum(&|counts| counts.wins), (result.wins, result.wins));
    assert_eq!(sum(&|counts| counts.losses), (result.losses, result.losses));
    let json = serde_json::to_value(&result).unwrap();
    for field in
        ["a", "b", "pairs", "games", "distinct_games", "wins", "draws", "losses", "score", "low", "high"]
    {
        assert!(!json[field].is_null(), "{field}");
    }
    assert!(json.get("interval").is_none());
}

/// Whoever plays a colour of a pair meets the same chance: so two players that choose alike play the same
/// game twice, and a pair of them is always even.
#[test]
fn both_games_of_a_pair_have_the_same_chance() {
    for opponent in [BuiltIn::Random, BuiltIn::Rollouts { playouts: 10 }] {
        let pairs =
            played(&[Contestant::BuiltIn(opponent), Contestant::BuiltIn(opponent)], None, &plan(6, 2));
        for pair in &pairs {
            assert_eq!(pair.games[0].steps, pair.games[1].steps);
            assert_eq!(pair.half_points(), 2);
        }
        assert_ne!(pairs[0].games[0].steps, pairs[1].games[0].steps);
    }
    // Also across opponents: the same pair of another match has the same first random turn of A.
    let first = |opponent| {
        let contestants = [Contestant::BuiltIn(BuiltIn::Random), Contestant::BuiltIn(opponent)];
        let pairs = played(&contestants, None, &plan(8, 1));
        pairs.iter().map(|pair| pair.games[0].turns[..5].to_vec()).collect::<Vec<_>>()
    };
    assert_eq!(first(BuiltIn::Greedy), first(BuiltIn::AlphaBeta { depth: 2 }));
}

#[test]
fn a_match_goes_on_from_the_pairs_that_were_played() {
    let contestants =
        [Contestant::BuiltIn(BuiltIn::Rollouts { playouts: 5 }), Contestant::BuiltIn(BuiltIn::Random)];
    let all = played(&contestants, None, &plan(8, 2));
    let some: Vec<Pair> = [5, 1, 2].iter().map(|&pair| all[pair].clone()).collect();
    let seen = Mutex::new(Vec::new());
    struct Seen<'a>(&'a Mutex<Vec<(u64, u64)>>);
    impl Watch for Seen<'_> {
        fn pair_finished(&self, pair: &Pair, tally: &Tally) {
            self.0.lock().unwrap().push((pair.pair, tally.pentanomial.pairs()));
        }
        fn stop(&self) -> Stop {
            Stop::GoOn
        }
    }
    let again = ConnectFour::new().play_match(&contestants, None, &plan(8, 2), some, &Seen(&seen)).unwrap();
    assert_eq!(again, all);
    let mut seen = seen.into_inner().unwrap();
    assert_eq!(seen.iter().map(|&(_, count)| count).collect::<Vec<_>>(), [4, 5, 6, 7, 8]);
    seen.sort_unstable();
    assert_eq!(seen.iter().map(|&(pair, _)| pair).collect::<Vec<_>>(), [0, 3, 4, 6, 7]);
    // Nothing is missing: nothing is played, and no engine or network is asked for.
    assert_eq!(
        ConnectFour::new()
            .play_match(&contestants, None, &plan(5, 2), all.clone(), &StopAfter::never())
            .unwrap(),
        all
    );
}

#[test]
fn games_are_kept_with_what_was_thought() {
    let contestants = [uniform(8), Contestant::BuiltIn(BuiltIn::Greedy)];
    for game in played(&contestants, None, &plan(4, 1)).iter().flat_map(|pair| &pair.games) {
        assert_eq!(game.thoughts.len(), game.turns.len());
        for (number, thought) in game.thoughts.iter().enumerate() {
            let network =
                number >= game.opening_turns && (number % 2 == 0) == (game.a_plays == Player::First);
            assert_eq!(thought.is_some(), network, "{number} {game:?}");
            if let Some(thought) = thought {
                let sum = thought.win.unwrap() + thought.draw.unwrap() + thought.loss.unwrap();
                assert!((sum - 1.0).abs() < 1e-3, "{thought:?}");
                assert!(thought.nodes.unwrap() <= 8 && thought.milliseconds.is_none());
            }
        }
    }
}

/// Counts batches and their rows.
struct Fill([(AtomicU64, AtomicU64); 2]);

impl Watch for Fill {
    fn pair_finished(&self, _pair: &Pair, _tally: &Tally) {}
    fn batch_judged(&self, side: usize, rows: usize) {
        self.0[side].0.fetch_add(1, Ordering::Relaxed);
        self.0[side].1.fetch_add(rows as u64, Ordering::Relaxed);
    }
    fn stop(&self) -> Stop {
        Stop::GoOn
    }
}

/// Games come to wait for the same network together.
#[test]
fn the_games_of_a_thread_fill_one_batch_for_each_network() {
    let plan = MatchPlan { games_at_once: 16, ..plan(64, 1) };
    for contestants in [[uniform(16), uniform(16)], [uniform(16), uniform(4)]] {
        let fill = Fill(Default::default());
        ConnectFour::new().play_match(&contestants, None, &plan, Vec::new(), &fill).unwrap();
        for (batches, rows) in &fill.0 {
            let (batches, rows) = (batches.load(Ordering::Relaxed), rows.load(Ordering::Relaxed));
            let mean = rows as f64 / batches as f64;
            println!("{rows} rows in {batches} batches: {mean:.1} of 16");
            // Served in turn, each would have a half of the games at most. The end of the match, when no
            // games are left to begin, is in it.
            assert!(mean > 9.0, "{mean}");
        }
    }
}

/// An evaluator that takes at least so long for a batch, and counts.
struct Slow {
    uniform: UniformEvaluator,
    pause: Duration,
    batches: Arc<AtomicU64>,
}

impl Evaluator for Slow {
    fn plane_shape(&self) -> PlaneShape {
        self.uniform.plane_shape()
    }

    fn policy_shape(&self) -> PolicyShape {
        self.uniform.policy_shape()
    }

    fn evaluate(&mut self, batch: &mut Batch) -> Result<(), EvaluatorError> {
        self.batches.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(self.pause);
        self.uniform.evaluate(batch)
    }
}

fn timed(time: Duration, clock: Clock, pause: Duration, batches: &Arc<AtomicU64>) -> Contestant {
    let batches = Arc::clone(batches);
    let player = NetworkPlayer {
        make_evaluator: Box::new(move || {
            let uniform = UniformEvaluator::for_game(&ConnectFour::new());
            Ok(Box::new(Slow { uniform, pause, batches: Arc::clone(&batches) }))
        }),
        search: SearchConfig::default(),
        simulations: 0,
    };
    Contestant::Timed(player, TurnTime { time, clock })
}

/// Thoughts of all turns after the openings.
fn thoughts(pairs: &[Pair]) -> Vec<Thought> {
    let games = pairs.iter().flat_map(|pair| &pair.games);
    games
        .flat_map(|game| game.thoughts[game.opening_turns..].iter().map(|thought| thought.unwrap()))
        .collect()
}

/// No machine is so slow that this fails: what takes at least 3 ms fits into 12 ms four times at most. Two
/// judgements more are made in any case, when a search begins again with what is left.
#[test]
fn turns_end_with_their_time() {
    let batches = Arc::new(AtomicU64::new(0));
    let player = || timed(Duration::from_millis(12), Clock::Wall, Duration::from_millis(3), &batches);
    let thoughts = thoughts(&played(&[player(), player()], None, &plan(1, 2)));
    let judged = batches.load(Ordering::Relaxed);
    assert!(judged <= 6 * thoughts.len() as u64, "{judged} in {} turns", thoughts.len());
    assert!(thoughts.iter().all(|thought| thought.milliseconds.is_some()));
}

/// Counted by the processor's clock, which does not run while others work.
#[test]
fn more_time_gives_more_simulations() {
    let simulations = |milliseconds| {
        let time = Duration::from_millis(milliseconds);
        let player = || timed(time, Clock::Processor, Duration::ZERO, &Arc::default());
        let thoughts = thoughts(&played(&[player(), player()], None, &plan(1, 2)));
        thoughts.iter().map(|thought| thought.nodes.unwrap() as f64).sum::<f64>() / thoughts.len() as f64
    };
    let (short, long) = (simulations(1), simulations(10));
    assert!(short >= 1.0 && long > 2.0 * short, "{short} in 1 ms, {long} in 10 ms");
}

fn engine_player(arguments: &[&str], limit: Limit) -> Contestant {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/tests/data/scripted-engine");
    let protocol = if arguments.first() == Some(&"ucci") { Protocol::Ucci } else { Protocol::Uci };
    let settings = EngineSettings {
        arguments: arguments.iter().map(ToString::to_string).collect(),
        grace_ms: 1_500,
        ..EngineSettings::new(path, protocol)
    };
    Contestant::Engine(EnginePlayer { name: "scripted".to_owned(), settings, limit })
}

#[test]
fn engines_play_matches() {
    for protocol in ["uci", "ucci"] {
        let contestants = [
            engine_player(&[protocol], Limit::Nodes(5)),
            Contestant::BuiltIn(BuiltIn::AlphaBeta { depth: 4 }),
        ];
        let pairs = played(&contestants, None, &plan(2, 1));
        for game in pairs.iter().flat_map(|pair| &pair.games) {
            assert_eq!((game.forfeit.as_deref(), game.half_points()), (None, 0), "{game:?}");
            let thought = game.thoughts.iter().flatten().next().unwrap();
            assert_eq!((thought.centipawns, thought.nodes, thought.depth), (Some(12), Some(7), Some(1)));
        }
    }
}

/// Whatever an engine does, it loses that game, the reason is told, and it plays the next one anew.
#[test]
fn engines_that_misbehave_forfeit_and_the_match_goes_on() {
    for (fault, why) in [
        ("hang", "scripted: no turn within "),
        ("crash", "scripted: it ended by itself (signal 9)"),
        ("exit", "scripted: it ended by itself (exit code 3)"),
        ("illegal", "scripted: illegal turn `h`: no step: write a file from a to g"),
        ("none", "scripted: it says that it has no turn (`bestmove (none)`)"),
    ] {
        let limit = match fault {
            "hang" => Limit::Time(Duration::from_millis(20)),
            _ => Limit::Nodes(5),
        };
        let contestants = [engine_player(&["uci", fault, "2"], limit), Contestant::BuiltIn(BuiltIn::Greedy)];
        let pairs = played(&contestants, None, &plan(1, 1));
        for game in &pairs[0].games {
            assert_eq!((game.reason.as_str(), game.half_points()), (PlayedGame::FORFEIT, 0), "{fault}");
            let found = game.forfeit.as_deref().unwrap();
            assert!(found.starts_with(why), "{found}");
            // Its first turn in each game was good: every process misbehaves at its second.
            assert_eq!(game.thoughts.iter().flatten().count(), 1, "{fault}");
        }
        let result = report(&pairs);
        assert_eq!(result.by_reason["forfeit"].losses, 2);
    }
}

#[test]
fn engines_that_do_not_get_ready_are_refused_or_given_up() {
    let greedy = || Contestant::BuiltIn(BuiltIn::Greedy);
    let refusal = |contestant| {
        ConnectFour::new()
            .play_match(&[greedy(), contestant], None, &plan(4, 1), Vec::new(), &StopAfter::never())
            .unwrap_err()
    };
    let missing = Contestant::Engine(EnginePlayer {
        name: "none".to_owned(),
        settings: EngineSettings::new("no/such/engine", Protocol::Uci),
        limit: Limit::Nodes(1),
    });
    let fault = refusal(missing);
    assert!(fault.is_input());
    assert_eq!(
        fault.to_string(),
        "engine `none`: no/such/engine cannot be started: No such file or directory (os error 2)"
    );
    // An engine that starts once and never again.
    let place = tempfile::tempdir().unwrap();
    let script = place.path().join("engine.sh");
    let once = "[ -e \"$0.used\" ] && exit 7\ntouch \"$0.used\"\nwhile read -r line; do case $line in uci) echo \
                uciok;; isready) echo readyok;; go*) exit 1;; esac; done\n";
    std::fs::write(&script, once).unwrap();
    let settings = EngineSettings {
        arguments: vec![script.to_str().unwrap().to_owned()],
        ..EngineSettings::new("sh", Protocol::Uci)
    };
    let fault = refusal(Contestant::Engine(EnginePlayer {
        name: "once".to_owned(),
        settings,
        limit: Limit::Nodes(1),
    }));
    assert!(!fault.is_input());
    assert_eq!(fault.to_string(), "engine `once` cannot be started again: it ended by itself (exit code 7)");
}

#[test]
fn a_thinking_engine_does_not_hold_up_the_end() {
    let contestants = [
        engine_player(&["uci", "hang"], Limit::Time(Duration::from_secs(1_000))),
        Contestant::BuiltIn(BuiltIn::Greedy),
    ];
    struct Soon(Instant);
    impl Watch for Soon {
        fn pair_finished(&self, _pair: &Pair, _tally: &Tally) {}
        fn stop(&self) -> Stop {
            if self.0.elapsed() > Duration::from_millis(100) { Stop::Now } else { Stop::GoOn }
        }
    }
    let pairs = ConnectFour::new()
        .play_match(&contestants, None, &plan(2, 1), Vec::new(), &Soon(Instant::now()))
        .unwrap();
    assert!(pairs.is_empty());
}
