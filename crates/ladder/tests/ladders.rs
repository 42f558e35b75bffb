//! A ladder from its files to its page: synthetic players of known strength.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use game::{Player, StepCode};
use ladder::league::PAIRS;
use ladder::schedule::Reason;
use ladder::{
    Breakdown, Costs, Economy, League, LeagueError, Rated, Schedule, Standings, Times, TimesError,
    pairs_path, tables,
};
use pairs::{
    Budget, FORMAT, MatchHeader, Pair, PairFile, PlayedGame, PlayerHeader, PlayerKind, StartsHeader, VERSION,
    Winner,
};
use serde_json::json;
use statistics::rating::Couple;
use std::path::Path;

/// A stream of numbers from 0 to 1 that is the same on every machine.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn player(kind: PlayerKind, name: &str) -> PlayerHeader {
    let budget = if kind == PlayerKind::Checkpoint { Budget::Simulations(16) } else { Budget::Own };
    PlayerHeader { name: name.to_owned(), kind, identity: name.to_owned(), budget, settings: json!(null) }
}

fn header(players: [&PlayerHeader; 2]) -> MatchHeader {
    MatchHeader {
        format: FORMAT.to_owned(),
        version: VERSION,
        game: "connect4".to_owned(),
        rules_version: 1,
        rules: json!({}),
        players: players.map(Clone::clone),
        seed: 1,
        opening_turns: 4,
        starts: StartsHeader::Standard,
    }
}

/// A game in which side A scores a win with a probability, and a draw with another.
fn game(a_plays: Player, win: f64, draw: f64, chance: &mut Chance) -> PlayedGame {
    let roll = chance.next();
    let winner = if roll < win {
        Some(a_plays)
    } else if roll < win + draw {
        None
    } else {
        Some(a_plays.opponent())
    };
    let length = 8 + (20.0 * chance.next()) as usize;
    PlayedGame {
        a_plays,
        start: ["start", "other"][length % 2].to_owned(),
        opening_turns: 4,
        turns: (0..length).map(|turn| format!("t{}", (turn + length) % 3)).collect(),
        steps: (0..length).map(|_| StepCode((1e6 * chance.next()) as u32)).collect(),
        winner: match winner {
            Some(Player::First) => Winner::First,
            Some(Player::Second) => Winner::Second,
            None => Winner::Draw,
        },
        reason: if winner.is_some() { "four" } else { "full" }.to_owned(),
        points: [0, 0],
        forfeit: None,
        thoughts: Vec::new(),
    }
}

fn play(directory: &Path, players: [&PlayerHeader; 2], pairs: u64, win: f64, chance: &mut Chance) {
    std::fs::create_dir_all(directory.join(PAIRS)).unwrap();
    let (mut file, record) = PairFile::open(&pairs_path(directory, players), &header(players)).unwrap();
    let first = record.pairs.len() as u64;
    for number in first..first + pairs {
        let games = Player::BOTH.map(|a_plays| game(a_plays, win, 0.1, chance));
        file.append(&Pair { pair: number, games }).unwrap();
    }
}

/// random, four checkpoints of a run that get better, and three players in a circle.
fn ladder(directory: &Path) -> Vec<PlayerHeader> {
    let mut chance = Chance(7);
    let mut players = vec![player(PlayerKind::BuiltIn, "random")];
    players.extend(
        (1..5).map(|cycle| player(PlayerKind::Checkpoint, &format!("runs/a/checkpoints/{cycle:06}@16"))),
    );
    players.extend(["rock", "paper", "<scissors>"].map(|name| player(PlayerKind::Engine, name)));
    for index in 0..4 {
        play(directory, [&players[index], &players[index + 1]], 40, 0.3, &mut chance);
    }
    play(directory, [&players[0], &players[2]], 20, 0.15, &mut chance);
    for (index, next) in [(5, 6), (6, 7), (7, 5)] {
        // Each loses to the next.
        play(directory, [&players[index], &players[next]], 60, 0.15, &mut chance);
        play(directory, [&players[index], &players[3]], 30, 0.45, &mut chance);
    }
    players
}

#[test]
fn files_become_standings_page_and_tables() {
    let place = tempfile::tempdir().unwrap();
    let players = ladder(place.path());
    let league = League::read(place.path()).unwrap();
    assert_eq!((league.players.len(), league.pairs()), (8, 4 * 40 + 20 + 3 * 90));
    let league = league.with_players_first(&players).unwrap();
    assert_eq!(league.players, players);
    let rated = Rated::of(&league).unwrap().unwrap();
    let standings = Standings::new(&league, Some(&rated));
    assert_eq!((rated.ratings.players(), rated.players.len(), standings.players.len()), (8, 8, 8));
    assert!((rated.widest() - standings.widest().unwrap()).abs() < 1e-9);
    assert_eq!(league.players[rated.best().unwrap().0].name, standings.players[0].name);
    assert_eq!((standings.anchor.as_str(), standings.game.as_str()), ("random", "connect4"));
    let of = |name: &str| standings.players.iter().find(|player| player.name == name).unwrap();
    assert_eq!((of("random").elo, of("random").low), (0.0, Some(0.0)));
    let last = of("runs/a/checkpoints/000004@16");
    assert_eq!((last.run.as_deref(), last.cycle), (Some("runs/a"), Some(4)));
    assert!(last.elo > of("runs/a/checkpoints/000001@16").elo + 100.0);
    assert!(last.low.unwrap() < last.elo && last.high.unwrap() > last.elo);
    let circle = &standings.cycles[0];
    assert!(circle.players.contains(&"rock".to_owned()) && circle.certainty > 0.99, "{circle:?}");
    assert!(standings.cyclic_share > 2.0 * standings.cyclic_share_by_chance);
    // Every player sees each other one from the opposite side.
    for (row, cells) in standings.couples.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let other = standings.couples[column][row];
            assert_eq!(cell.is_some(), row != column);
            if let (Some(cell), Some(other)) = (cell, other) {
                assert_eq!(cell.pairs, other.pairs);
                assert!((cell.superiority + other.superiority - 1.0).abs() < 1e-9);
                assert!((cell.expected + other.expected - 1.0).abs() < 1e-9);
            }
        }
    }
    let text = standings.to_string();
    assert!(text.contains("circle: ") && text.contains("0 by choice"), "{text}");

    let breakdown = Breakdown::of(&league);
    assert_eq!(breakdown.all.games, 2 * league.pairs());
    for groups in [&breakdown.by_reason, &breakdown.by_length, &breakdown.by_start, &breakdown.by_opening] {
        assert_eq!(groups.iter().map(|group| group.games).sum::<u64>(), breakdown.all.games);
    }
    assert_eq!((breakdown.by_start.len(), breakdown.by_opening.len()), (2, 3));
    let html = ladder::page::page("a <ladder>", &league, &standings, &breakdown, "test").to_html();
    for part in [
        "Rating over training",
        "Everybody against everybody",
        "Three in a circle",
        "Results by colour",
        "Score of the first player by opening",
        "Score of the first player by start",
    ] {
        assert!(html.contains(part), "no {part}");
    }
    assert!(!html.contains("<scissors>") && !html.contains("NaN"));
    if let Some(path) = std::env::var_os("GARRISON_LADDER_PAGE") {
        std::fs::write(path, &html).unwrap();
    }

    tables::write(place.path(), &league, &standings).unwrap();
    let csv = std::fs::read_to_string(place.path().join("games.csv")).unwrap();
    assert_eq!(csv.lines().count() as u64, 1 + breakdown.all.games);
    let couples = std::fs::read_to_string(place.path().join("couples.csv")).unwrap();
    assert_eq!(couples.lines().count(), 1 + 8 * 7);
    for name in ["players", "couples", "games"] {
        let bytes = std::fs::read(place.path().join(format!("{name}.parquet"))).unwrap();
        assert_eq!((&bytes[..4], &bytes[bytes.len() - 4..]), (&b"PAR1"[..], &b"PAR1"[..]));
    }
}

#[test]
fn strangers_are_connected_first_and_then_what_tells_most_is_played() {
    let place = tempfile::tempdir().unwrap();
    let mut players = ladder(place.path());
    players.push(player(PlayerKind::Engine, "newcomer"));
    let league = League::read(place.path()).unwrap().with_players_first(&players).unwrap();
    let rated = Rated::of(&league).unwrap();
    let standings = Standings::new(&league, rated.as_ref());
    assert_eq!(standings.unrated, ["newcomer"]);
    let mut schedule =
        Schedule { playable: vec![true; 9], block: 8, most_pairs: 1_000, economy: Economy::Pairs };
    let next = schedule.next(&league, rated.as_ref()).unwrap();
    assert_eq!((next.couple.a, next.couple.b, next.pairs), (7, 8, 8));
    assert_eq!(next.reason, Reason::Connects);
    // Once it has met somebody, it is still the one of whom least is known.
    play(place.path(), [&players[7], &players[8]], 8, 0.4, &mut Chance(3));
    let league = League::read(place.path()).unwrap().with_players_first(&players).unwrap();
    let rated = Rated::of(&league).unwrap();
    let next = schedule.next(&league, rated.as_ref()).unwrap();
    assert_eq!(next.couple.b, 8);
    assert!(matches!(next.reason, Reason::TellsMost(share) if share > 0.0 && share < 1.0), "{next:?}");
    // Nobody is asked to play who cannot, and nobody more than is allowed.
    schedule.playable[8] = false;
    assert_ne!(schedule.next(&league, rated.as_ref()).unwrap().couple.b, 8);
    schedule.most_pairs = 8;
    schedule.playable = vec![false, false, false, false, false, false, false, true, true];
    assert_eq!(schedule.next(&league, rated.as_ref()), None);
}

#[test]
fn copies_get_no_interval_and_strange_files_are_refused() {
    let place = tempfile::tempdir().unwrap();
    assert!(matches!(League::read(place.path()), Err(LeagueError::Missing { .. })));
    let players = [player(PlayerKind::BuiltIn, "random"), player(PlayerKind::Engine, "copycat")];
    std::fs::create_dir_all(place.path().join(PAIRS)).unwrap();
    let path = pairs_path(place.path(), [&players[0], &players[1]]);
    let (mut file, _) = PairFile::open(&path, &header([&players[0], &players[1]])).unwrap();
    let games = Player::BOTH.map(|a_plays| game(a_plays, 0.0, 0.0, &mut Chance(1)));
    for pair in 0..10 {
        file.append(&Pair { pair, games: games.clone() }).unwrap();
    }
    let league = League::read(place.path()).unwrap();
    let standings = Standings::new(&league, Rated::of(&league).unwrap().as_ref());
    assert!(standings.players.iter().all(|player| player.low.is_none() && player.interval.is_some()));
    assert_eq!(standings.widest(), None);
    assert!(standings.to_string().contains("only 2 of 20 games are distinct"));
    assert_eq!(Breakdown::of(&league).by_start, []);

    let strange = place.path().join(PAIRS).join("x.jsonl");
    std::fs::write(&strange, "{\"format\":\"garr").unwrap();
    let league = League::read(place.path()).unwrap();
    assert_eq!((league.matches.len(), league.remarks.len()), (1, 1));

    std::fs::remove_file(&strange).unwrap();
    let other = MatchHeader { game: "emergo".to_owned(), ..header([&players[1], &players[0]]) };
    let (mut file, _) = PairFile::open(&strange, &other).unwrap();
    file.append(&Pair { pair: 0, games }).unwrap();
    let error = League::read(place.path()).unwrap_err().to_string();
    assert!(error.contains("game emergo: the other files of the ladder have game connect4"), "{error}");
}

/// Two newcomers of whom as little is known, one of them a hundred times as slow: time goes to the quick one.
#[test]
fn what_is_played_next_is_worth_its_time() {
    let place = tempfile::tempdir().unwrap();
    let mut players = ladder(place.path());
    players.extend(["slow", "quick"].map(|name| player(PlayerKind::Engine, name)));
    for newcomer in [8, 9] {
        // The same games, so that they tell the same.
        play(place.path(), [&players[3], &players[newcomer]], 8, 0.4, &mut Chance(3));
    }
    let league = League::read(place.path()).unwrap().with_players_first(&players).unwrap();
    let rated = Rated::of(&league).unwrap();
    let mut times = Times::default();
    for one in &league.matches {
        let seconds = if one.players.contains(&8) { 100.0 } else { 1.0 };
        times.add(&one.path, one.pairs.len() as u64, seconds * one.pairs.len() as f64);
    }
    let costs = Costs::new(&league, &times);
    let mut schedule =
        Schedule { playable: vec![true; 10], block: 8, most_pairs: 1_000, economy: Economy::Pairs };
    let plays = |schedule: &Schedule, player: usize| {
        let Couple { a, b } = schedule.next(&league, rated.as_ref()).unwrap().couple;
        [a, b].contains(&player)
    };
    assert!(plays(&schedule, 8));
    schedule.economy = Economy::Time(costs.clone());
    assert!(plays(&schedule, 9) && !plays(&schedule, 8));
    // Without the quick one: pairs of players who are known already tell less, but cost next to nothing.
    schedule.playable[9] = false;
    assert!(!plays(&schedule, 8));
    schedule.economy = Economy::Pairs;
    assert!(plays(&schedule, 8));

    let couple = |a, b| Couple { a, b };
    assert!(costs.turn(8) > 50.0 * costs.turn(9));
    // Who has not met costs what both are known to need.
    let (known, unknown) = (costs.pair(couple(3, 8)), costs.pair(couple(7, 8)));
    assert!((unknown / known - 1.0).abs() < 0.2 && (known / 100.0 - 1.0).abs() < 0.2, "{known} {unknown}");
}

#[test]
fn times_are_kept_beside_the_pairs() {
    let place = tempfile::tempdir().unwrap();
    assert_eq!(Times::read(place.path()).unwrap(), Times::default());
    let mut times = Times::default();
    times.add(&place.path().join("pairs/a.jsonl"), 3, 1.5);
    times.add(Path::new("elsewhere/a.jsonl"), 1, 0.5);
    times.write(place.path()).unwrap();
    assert_eq!(Times::read(place.path()).unwrap(), times);
    for (text, wanted) in [
        ("{}", "no file of times: missing field"),
        ("{\"version\": 9, \"files\": {}}", "version 9 of the format: this program reads version 1"),
        ("{\"version\": 1, \"files\": {\"a\": {\"pairs\": 1, \"seconds\": -1}}}", "-1 seconds"),
    ] {
        std::fs::write(place.path().join("times.json"), text).unwrap();
        let error = Times::read(place.path()).unwrap_err();
        assert!(matches!(error, TimesError::Format { .. }));
        let line = error.to_string();
        assert!(line.contains(wanted) && line.ends_with("it can be deleted: only times are in it"), "{line}");
    }
}
