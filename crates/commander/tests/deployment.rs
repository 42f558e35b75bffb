//! Set-ups of one side: every way of writing them down, distances, and the plain second implementation's
//! verdict over legal and spoiled ones and over pairs.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;
mod reference;

use commander::deployment::{
    Army, Metric, PairSupply, PiecePrior, PlacedPiece, PlacingOrder, Prior, Sampler, WrittenDeployment,
    distance, read_list,
};
use commander::piece::Kind;
use commander::point::{POINTS, Point};
use commander::rules::{FreeStacks, FreeZone, StackCaps};
use commander::{Commander, Deployment, Rules};
use game::starts::{ListedStart, StartConfig, StartSampler, StartSides};
use game::{Game, Notation, Play, Player, Turns};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reference::deployment::{Placed, Terms};
use reference::options::Options;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::rc::Rc;

const ZONES: [(FreeZone, &str); 2] = [(FreeZone::Half, "half"), (FreeZone::FiveRanks, "five_ranks")];
const STACKS: [(FreeStacks, &str); 3] =
    [(FreeStacks::Hq, "hq"), (FreeStacks::None, "none"), (FreeStacks::Any, "any")];

/// Both implementations under every value of the options of free set-ups, and the three `stack_caps`.
fn settings() -> Vec<(Commander, Terms, Rc<Options>)> {
    let mut settings = Vec::new();
    for (free_zone, zone) in ZONES {
        for (free_stacks, stacks) in STACKS {
            for (stack_caps, caps) in
                [(StackCaps::Official, "official"), (StackCaps::Slots, "slots"), (StackCaps::Wiki, "wiki")]
            {
                let rules = Rules { free_zone, free_stacks, stack_caps, ..Rules::official() };
                let mut options = Options::preset("official");
                options.set("stack_caps", caps);
                settings.push((Commander::new(rules), Terms { zone, stacks }, Rc::new(options)));
            }
        }
    }
    settings
}

fn official() -> Commander {
    Commander::new(Rules::official())
}

fn draw(game: &Commander, seed: u64) -> Deployment {
    Sampler::uniform(game).unwrap().draw(&mut ChaCha8Rng::seed_from_u64(seed))
}

/// The legal set-up of a line.
fn deployment(game: &Commander, line: &str) -> Deployment {
    let (written, faults) = WrittenDeployment::read_line(line);
    assert_eq!(faults.to_string(), "", "{line}");
    game.deployment(&written).unwrap_or_else(|faults| panic!("{line}: {faults}"))
}

fn told(game: &Commander, line: &str) -> Vec<String> {
    let (written, faults) = WrittenDeployment::read_line(line);
    assert_eq!(faults.to_string(), "", "{line}");
    game.deployment(&written).unwrap_err().0.iter().map(ToString::to_string).collect()
}

#[test]
fn all_faults_of_a_set_up_are_named_at_once_with_their_points() {
    let line = "N a1 f3, F e2 i7, T f4 a4 k5, H f2 h2, E d5 j5, +A d3, G e4 i4, S g3, C h2, I c5 k5, M g5";
    assert_eq!(
        told(&official(), line),
        [
            "d3: `+A`: a set-up has no heroes, write A",
            "f3: the piece N (navy) cannot stand there, expected files a to c or d6, e6",
            "a4: the piece T (tank) cannot stand there, expected files c to k",
            "k5: (TI) stand together, expected one piece a point, but for (HC) (free_stacks = hq)",
            "i7: lies outside the ranks of a set-up, expected ranks 1 to 6",
            "a4 and f4 and k5: found 3 of the piece T (tank), expected 2",
            "artillery: found 1 of the piece A (artillery), expected 2",
        ]
    );
    assert_eq!(told(&official(), "").len(), Kind::ALL.len());
}

#[test]
fn the_options_of_free_set_ups_decide() {
    let with = |free_zone, free_stacks| Commander::new(Rules { free_zone, free_stacks, ..Rules::official() });
    let base = "N b2 c4, F e2 i2, T f4 h4, E d5 j5, A d3 j3, G e4 i4, S g3, I c5 k5, M g5";
    let legal = |game: &Commander, rest: &str| {
        let (written, faults) = WrittenDeployment::read_line(&format!("{base}, {rest}"));
        assert_eq!(faults.to_string(), "");
        game.deployment(&written).is_ok()
    };
    for (rest, zone, expected) in [
        ("H f2 h2, C g1", FreeZone::FiveRanks, [true, true, true]),
        ("H f2 h6, C g1", FreeZone::FiveRanks, [false, false, false]),
        ("H f2 h6, C g1", FreeZone::Half, [true, true, true]),
        ("H f2 h2, C h2", FreeZone::Half, [true, false, true]),
        ("H f2 h2, C f4", FreeZone::Half, [false, false, true]),
        ("H f2 h2, C k5", FreeZone::Half, [false, false, false]),
    ] {
        let found = STACKS.map(|(stacks, _)| legal(&with(zone, stacks), rest));
        assert_eq!(found, expected, "{rest} {zone:?}");
    }
}

#[test]
fn drawn_set_ups_are_legal_and_every_way_of_writing_one_is_read_back() {
    for (index, (game, ..)) in settings().into_iter().enumerate() {
        let samplers =
            [Sampler::uniform(&game).unwrap(), Sampler::with_prior(&game, &Prior::default()).unwrap()];
        let mut random = ChaCha8Rng::seed_from_u64(index as u64);
        for sampler in &samplers {
            for _ in 0..12 {
                let drawn = sampler.draw(&mut random);
                let line = drawn.to_string();
                assert_eq!(deployment(&game, &line), drawn);
                let mut words: Vec<String> = line.split(", ").map(str::to_lowercase).collect();
                words.shuffle(&mut random);
                assert_eq!(deployment(&game, &words.join(" ")).to_string(), line);
                for text in [drawn.template(), game.deployment_svg(&drawn), format!("# {line}\n{line} # x\n")]
                {
                    let list = read_list(&text).unwrap();
                    assert_eq!(list.len(), 1, "{text}");
                    assert_eq!(list[0].deployment(&game), Ok(drawn.clone()), "{text}");
                }
            }
        }
    }
}

#[test]
fn one_text_deploys_red_and_blue_and_a_board_gives_it_back() {
    let game = official();
    let (one, other) = (draw(&game, 1), draw(&game, 2));
    let position = game.deployed([&one, &other]);
    let swapped = game.deployed([&other, &one]).flipped();
    assert_eq!(position.board(), swapped.board());
    for (side, wanted) in Player::BOTH.into_iter().zip([&one, &other]) {
        let written = WrittenDeployment::of_board(position.board(), side);
        assert_eq!(game.deployment(&written).as_ref(), Ok(wanted));
    }
    let list = read_list(&game.deployed_svg([&one, &other])).unwrap();
    let read: Vec<Deployment> = list.iter().map(|listed| listed.deployment(&game).unwrap()).collect();
    assert_eq!(read, [one, other]);
    assert!(read_list("<svg></svg>").is_err() && read_list("# nothing\n").is_err());
    assert_eq!(game.start(), game.deployed([&Deployment::standard(), &Deployment::standard()]));
}

#[test]
fn the_distance_is_a_metric_and_assigns_like_pieces() {
    let game = official();
    let standard = Deployment::standard();
    let line = "N c4 a2, F e2 i2, T f4 h5, H f2 h2, E d5 j5, A d3 j3, G e4 i4, S g3, C h2, I c5 k5, M g5";
    let moved = deployment(&game, line);
    let found = distance(&standard, &moved, Metric::Straight).unwrap();
    let moves: Vec<String> = found
        .moves
        .iter()
        .map(|piece| format!("{}{}-{} {}", piece.kind.letter(), piece.from, piece.to, piece.steps))
        .collect();
    assert_eq!(moves, ["Nb2-a2 1", "Th4-h5 1", "Cg1-h2 2"]);
    assert_eq!(found.steps, 4);
    assert_eq!(distance(&standard, &moved, Metric::Diagonal).unwrap().steps, 3);
    assert_eq!(distance(&standard, &Deployment::skirmish(), Metric::Straight), None);
    let drawn: Vec<Deployment> = (0..8).map(|seed| draw(&game, seed)).collect();
    for metric in [Metric::Straight, Metric::Diagonal] {
        let steps = |one: &Deployment, other: &Deployment| distance(one, other, metric).unwrap().steps;
        for one in &drawn {
            assert_eq!(steps(one, one), 0);
            for other in &drawn {
                assert_eq!(steps(one, other), steps(other, one));
                assert!(one == other || steps(one, other) > 0);
                for third in &drawn {
                    assert!(steps(one, other) <= steps(one, third) + steps(third, other));
                }
            }
        }
    }
}

/// What the prior is for: pieces stand where they belong more often than in uniform set-ups.
#[test]
fn the_prior_moves_pieces_where_they_belong() {
    let game = official();
    let samplers = [Sampler::uniform(&game).unwrap(), Sampler::with_prior(&game, &Prior::default()).unwrap()];
    let [uniform, prior] = samplers.map(|sampler| {
        let mut random = ChaCha8Rng::seed_from_u64(4);
        let mut ranks: BTreeMap<Kind, f64> = BTreeMap::new();
        for _ in 0..400 {
            for (point, piece) in sampler.draw(&mut random).pieces() {
                let pieces = f64::from(Army::FULL.count(piece.kind()));
                *ranks.entry(piece.kind()).or_default() += (point.rank() + 1) as f64 / pieces / 400.0;
            }
        }
        ranks
    });
    for kind in [Kind::Navy, Kind::Infantry, Kind::Militia, Kind::Tank] {
        assert!(prior[&kind] > uniform[&kind] + 0.2, "{kind:?} {} {}", prior[&kind], uniform[&kind]);
    }
    for kind in [Kind::Commander, Kind::Headquarters, Kind::Artillery, Kind::AirForce] {
        assert!(prior[&kind] < uniform[&kind] - 0.2, "{kind:?} {} {}", prior[&kind], uniform[&kind]);
    }
    let faulty = Prior { commander_in_headquarters: 17, ..Prior::default() };
    assert_eq!(
        Sampler::with_prior(&game, &faulty).unwrap_err().to_string(),
        "commander_in_headquarters: found 17, expected 0 to 16"
    );
}

/// A line of pieces in any order, as `Nb2 +Tc4`.
fn line(pieces: &[PlacedPiece]) -> String {
    let words = pieces
        .iter()
        .map(|piece| format!("{}{}{}", if piece.hero { "+" } else { "" }, piece.kind.letter(), piece.point));
    words.collect::<Vec<_>>().join(" ")
}

fn placed(pieces: &[PlacedPiece]) -> Vec<Placed> {
    pieces
        .iter()
        .map(|piece| {
            let point = reference::board::Point::parse(&piece.point.to_string()).unwrap();
            (reference::deployment::piece(piece.kind.letter(), piece.hero), point)
        })
        .collect()
}

/// Breaks a set-up in some places, or not.
fn spoil(pieces: &mut Vec<PlacedPiece>, random: &mut ChaCha8Rng) {
    for _ in 0..random.random_range(0..4) {
        if pieces.is_empty() {
            return;
        }
        let index = random.random_range(0..pieces.len());
        match random.random_range(0..6) {
            0 => pieces[index].point = Point::from_index(random.random_range(0..POINTS)),
            1 => pieces[index].point = pieces.choose(random).unwrap().point,
            2 => pieces[index].kind = *Kind::ALL.choose(random).unwrap(),
            3 => pieces[index].hero = true,
            4 => drop(pieces.remove(index)),
            _ => pieces.push(pieces[index]),
        }
    }
    pieces.shuffle(random);
}

#[test]
fn both_implementations_find_the_same_faults() {
    let mut random = ChaCha8Rng::seed_from_u64(6);
    let settings = settings();
    let samplers: Vec<Sampler> = settings.iter().map(|(game, ..)| Sampler::uniform(game).unwrap()).collect();
    let [mut legal, mut faulty] = [0; 2];
    for _ in 0..6_000 {
        let (game, terms, options) = settings.choose(&mut random).unwrap();
        let mut pieces =
            WrittenDeployment::from(&samplers.choose(&mut random).unwrap().draw(&mut random)).pieces;
        spoil(&mut pieces, &mut random);
        let text = line(&pieces);
        let (written, unread) = WrittenDeployment::read_line(&text);
        assert!(unread.0.is_empty() && written.pieces == pieces, "{text}");
        let expected = reference::deployment::faults(&placed(&pieces), *terms, options);
        let mut found: Vec<String> = match game.deployment(&written) {
            Ok(deployment) => {
                assert_eq!(deployment.pieces().count(), 19);
                Vec::new()
            }
            Err(faults) => faults.0.into_iter().map(|fault| letter_or_place(&fault.place)).collect(),
        };
        found.sort();
        assert_eq!(found, expected, "{text} {terms:?}");
        *(if found.is_empty() { &mut legal } else { &mut faulty }) += 1;
    }
    assert!(legal > 400 && faulty > 2_000, "{legal} legal, {faulty} faulty");
}

/// The letter of a kind instead of its name.
fn letter_or_place(place: &str) -> String {
    let kind = Kind::ALL.into_iter().find(|kind| kind.name() == place);
    kind.map_or_else(|| place.to_owned(), |kind| kind.letter().to_string())
}

/// Pairs whose commanders often stand close to each other on one file, so that many are void.
#[test]
fn both_implementations_find_the_same_pairs_void() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let mut files = [1.0; 11];
    files[6] = 20.0;
    let commander = PiecePrior { ranks: [1.0, 1.0, 1.0, 2.0, 5.0, 5.0], files, company: 1.0 };
    let close = Prior { commander, commander_in_headquarters: 4, ..Prior::default() };
    let mut found: BTreeMap<&str, u32> = BTreeMap::new();
    for (game, _, options) in settings().into_iter().step_by(2) {
        let sampler = Sampler::with_prior(&game, &close).unwrap();
        for _ in 0..5 {
            let sides = [sampler.draw(&mut random), sampler.draw(&mut random)];
            let position = game.deployed([&sides[0], &sides[1]]);
            // Stacks of three may have more turns than the plain implementation has time for.
            let mut turns = Turns::new(&game, &position);
            if (0..2_000).filter(|_| turns.advance(&game)).count() == 2_000 {
                continue;
            }
            let [red, blue] = sides.map(|side| placed(&WrittenDeployment::from(&side).pieces));
            let plain = reference::deployment::position(&red, &blue, &options);
            assert_eq!(plain.text(), game.write_position(&position));
            let verdict = game.void(&position).map(|void| match void {
                commander::deployment::Void::Exposed => "exposed",
                commander::deployment::Void::Takeable => "takeable",
                commander::deployment::Void::Over => "over",
            });
            assert_eq!(verdict, reference::deployment::void(&plain), "{}", plain.text());
            *found.entry(verdict.unwrap_or("playable")).or_default() += 1;
        }
    }
    for word in ["exposed", "takeable", "playable"] {
        assert!(found.contains_key(word), "{found:?}");
    }
}

/// Only the second step of a turn takes the commander: void all the same, though no check.
#[test]
fn a_commander_that_falls_to_a_second_step_makes_a_pair_void() {
    let game = official();
    // The anti-air on e7 keeps the air force off f8. It crashes into the infantry instead, and the tank, which
    // shared its point, goes on.
    let position = game.read_position("11/11/11/11/5c5/4gi5/5(FT)5/11/11/11/11/10C r - - 0 1").unwrap();
    assert!(!game.in_danger(position.board(), Player::Second));
    assert_eq!(
        game.void(&position).map(|void| void.words()),
        Some("the first side to move could take the commander")
    );
}

#[test]
fn void_pairs_are_drawn_again_and_a_hopeless_source_is_given_up() {
    let game = official();
    let uniform = Sampler::uniform(&game).unwrap();
    // Two of them face each other on k6 and k7.
    let hopeless = deployment(
        &game,
        "N b2 c4, F e2 i2, T f4 h4, H f2 h2, E d5 j5, A d3 j3, G e4 i4, S e3, C k6, I c5 j6, M e5",
    );
    for seed in 0..3 {
        let supply =
            PairSupply::listed(&game, vec![(1.0, hopeless.clone())], uniform.clone(), StartSides::Both)
                .unwrap();
        let pair = supply.draw(&mut ChaCha8Rng::seed_from_u64(seed));
        assert!(pair.fallback && pair.void.exposed >= 16, "{:?}", pair.void);
        assert!(!pair.sides.contains(&hopeless));
        assert_eq!(game.void(&pair.position), None);
    }
    assert!(PairSupply::listed(&game, Vec::new(), uniform.clone(), StartSides::Both).is_none());
    let standard = Deployment::standard();
    for (sides, drawn) in [(StartSides::First, [true, false]), (StartSides::Second, [false, true])] {
        let supply = PairSupply::drawn(&game, uniform.clone(), uniform.clone(), sides);
        let pair = supply.draw(&mut ChaCha8Rng::seed_from_u64(1));
        assert_eq!([0, 1].map(|side| pair.sides[side] != standard), drawn);
        assert!(!pair.fallback);
    }
    let supply = PairSupply::drawn(&game, uniform.clone(), uniform, StartSides::One);
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let firsts = (0..40).filter(|_| supply.draw(&mut random).sides[0] != standard).count();
    assert!((8..=32).contains(&firsts), "{firsts}");
}

#[test]
fn named_starts_are_refused_with_place_and_mend() {
    let directory = std::env::temp_dir().join(format!("garrison-starts-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let file = directory.join("set-ups.txt");
    let good = Deployment::standard().to_string();
    std::fs::write(&file, format!("# two\n{good}\n{} # navy ashore\n", good.replace("N b2", "N f3 Q")))
        .unwrap();
    let game = official();
    let config = |text: &str| -> StartConfig {
        toml::from_str(&text.replace("FILE", file.to_str().unwrap())).unwrap()
    };
    let faults = |configs: &[&str]| -> Vec<String> {
        let configs: Vec<StartConfig> = configs.iter().map(|text| config(text)).collect();
        let faults = StartSampler::new(&game, &configs).unwrap_err();
        faults.0.iter().map(|fault| fault.to_string().replace(file.to_str().unwrap(), "FILE")).collect()
    };
    assert_eq!(
        faults(&[
            "kind = 'standart'\nweight = 0",
            "kind = 'free-uniform'\nfile = 'FILE'\nsettings = { a = 1 }",
            "kind = 'set-ups'",
            "kind = 'set-ups'\nfile = 'FILE'",
            "kind = 'set-ups'\nfile = '/nowhere/set-ups.txt'",
            "kind = 'skirmish'\nsides = 'one'",
            "kind = 'skirmish'",
            "kind = 'free-prior'\nsettings = { commander = { ranks = [1, 1, 1, 1, 1, 0] }, other_stacks = 20 }",
        ]),
        [
            "source 1, weight: found 0, expected a number above 0",
            "source 1, kind: unknown start `standart` for commander: use one of standard, skirmish, free-uniform, free-prior, set-ups",
            "source 2, file: has no meaning for `free-uniform`, leave it out",
            "source 2, settings: has no meaning for `free-uniform`, leave it out",
            "source 3, file: is missing: `set-ups` draws from a file, one start a line",
            "source 4, file FILE, line 3, `Q`: found `Q`, expected a piece: one of N F T H E A G S C I M",
            "source 4, file FILE, line 3, `c4`: no piece stands before this point",
            "source 4, file FILE, line 3, f3: the piece N (navy) cannot stand there, expected files a to c or d6, e6",
            "source 4, file FILE, line 3, navy: found 1 of the piece N (navy), expected 2",
            "source 5, file /nowhere/set-ups.txt: cannot be read: No such file or directory (os error 2)",
            "source 6, sides: has no meaning for `skirmish`, leave it out",
            "source 7, kind: a skirmish is played for navies and air forces: use the preset skirmish, or set the option win_set to marine,air",
            "source 8, settings.commander.ranks: found 0, expected 0.001 to 1000",
            "source 8, settings.other_stacks: found 20, expected 0 to 16",
        ]
    );
    assert!(StartSampler::new(&game, &[config("kind = 'free-prior'\nsettings = { navvy = 1 }")]).is_err());
    std::fs::write(&file, &good).unwrap();
    let sampler = StartSampler::new(&game, &[config("kind = 'set-ups'\nfile = 'FILE'")]).unwrap();
    let start = sampler.draw(&mut ChaCha8Rng::seed_from_u64(1));
    assert_eq!((start.position, start.void), (game.start(), 0));
    // The second set-up has no chance against the first one's weight; a weight that is none has its line.
    let other = draw(&game, 1);
    std::fs::write(&file, format!("1e12: {good} # often\n1e-12: {other}\n")).unwrap();
    let sampler = StartSampler::new(&game, &[config("kind = 'set-ups'\nfile = 'FILE'")]).unwrap();
    for seed in 0..20 {
        assert_eq!(sampler.draw(&mut ChaCha8Rng::seed_from_u64(seed)).position, game.start());
    }
    std::fs::write(&file, format!("{good}\n-1: {good}\n")).unwrap();
    assert_eq!(
        faults(&["kind = 'set-ups'\nfile = 'FILE'"]),
        ["source 1, file FILE, line 2, `-1:`: is no weight, expected a number above 0 such as 0.25"]
    );
    std::fs::remove_dir_all(&directory).unwrap();
    assert_eq!(ListedStart::read(" # a\n\nb # c\n"), [ListedStart { line: 3, text: "b".to_owned() }]);
}

#[test]
fn a_skirmish_has_nine_pieces_a_side_and_no_commander() {
    const START: &str = "11/1n2f3f2/3a2s2a1/2n1g3g2/11/11/11/11/2N1G3G2/3A2S2A1/1N2F3F2/11 r - - 0 1";
    let rules = game::options::rules_from::<Commander>(
        None,
        &game::options::parse_pairs(&["win_set=marine,air".to_owned()]).unwrap(),
    );
    for game in [Commander::new(rules.unwrap()), Commander::new(Rules::skirmish())] {
        let sampler = StartSampler::new(&game, &[StartConfig::named("skirmish")]).unwrap();
        let position = sampler.draw(&mut ChaCha8Rng::seed_from_u64(1)).position;
        assert_eq!(game.write_position(&position), START);
    }
    let game = Commander::new(Rules::skirmish());
    assert_eq!(game.write_position(&game.start()), START);
}

/// A skirmish ends as its rules say: by the last navy or air force, never by land troops or a commander.
#[test]
fn a_skirmish_is_won_at_sea_or_in_the_air() {
    let game = Commander::new(Rules::skirmish());
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let (mut scratch, mut won) = (Vec::new(), [0; 2]);
    for _ in 0..100 {
        let mut play = Play::new(&game, game.start());
        let outcome = loop {
            match play.random_step(&game, &mut random, &mut scratch) {
                ControlFlow::Continue(step) => play.step(&game, step),
                ControlFlow::Break(outcome) => break outcome.unwrap(),
            }
        };
        match outcome.reason.0 {
            "marine" => won[0] += 1,
            "air" => won[1] += 1,
            "air+marine" | "marine+air" | "no_captures" | "points" | "repetition" | "stalemate" => {}
            other => panic!("a skirmish ended by {other}"),
        }
    }
    assert!(won.iter().all(|&number| number > 10), "{won:?}");
}

/// Every way leads to a legal set-up, and every legal set-up is led to, under all options.
#[test]
fn pieces_placed_one_by_one_never_end_in_a_dead_end_and_reach_every_set_up() {
    let mut random = ChaCha8Rng::seed_from_u64(8);
    for (game, _, _) in settings() {
        let order = PlacingOrder::new(&game);
        assert_eq!(order.pieces().len(), 19);
        for round in 0..30 {
            let mut placing = order.begin();
            while order.next(&placing).is_some() {
                let open = order.open(&placing);
                // The ends of the list are where room for the next piece of a kind runs out.
                let point = match round {
                    0 => open.first(),
                    1 => open.last(),
                    _ => open.choose(&mut random),
                };
                let point = *point.expect("some point is open");
                assert!(order.finished(&placing).is_none());
                placing = order.place(&placing, point).unwrap();
            }
            assert!(order.open(&placing).is_empty());
            let whole = order.finished(&placing).unwrap();
            assert_eq!(game.deployment(&WrittenDeployment::from(&whole)).unwrap(), whole);
            assert_eq!(order.places(&whole).unwrap(), placing.places());
        }
        let sampler = Sampler::uniform(&game).unwrap();
        for _ in 0..40 {
            let wanted = sampler.draw(&mut random);
            let mut placing = order.begin();
            for point in order.places(&wanted).unwrap() {
                let open = order.open(&placing);
                assert!(open.contains(&point), "{wanted}: {point}");
                assert!(open.is_sorted());
                placing = order.place(&placing, point).unwrap();
            }
            assert_eq!(order.finished(&placing).unwrap(), wanted);
        }
    }
    assert_eq!(PlacingOrder::new(&official()).places(&Deployment::skirmish()), None);
}

/// An opening to the last piece: what is closed cannot be completed.
#[test]
fn a_closed_point_leaves_no_room_for_the_others_of_the_kind() {
    let game = official();
    let order = PlacingOrder::new(&game);
    let navies = order.open(&order.begin());
    // The navies have a to c and d6, e6: a first one on e6 would leave nothing behind it.
    assert_eq!((navies.len(), navies.last().copied()), (19, Point::read("d6")));
    assert!(order.place(&order.begin(), Point::read("e6").unwrap()).is_none());
    assert!(order.place(&order.begin(), Point::read("f2").unwrap()).is_none());
    let first = order.place(&order.begin(), Point::read("c4").unwrap()).unwrap();
    assert!(order.place(&first, Point::read("b2").unwrap()).is_none());
    assert_eq!(order.open(&first)[0], Point::read("a5").unwrap());
}

/// Logarithms of probabilities: of the uniform sampler exactly, of the other one by the share of what it draws.
#[test]
fn the_probability_of_a_set_up_is_that_of_drawing_it() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    for (game, _, _) in settings() {
        let uniform = Sampler::uniform(&game).unwrap();
        let one = uniform.draw(&mut random);
        assert!((uniform.log_probability(&one) + (uniform.space().count() as f64).ln()).abs() < 1e-9);
        // With even weights the simple ideas are the uniform distribution, but for how navies share the points.
        let even = PiecePrior::default();
        let flat = Prior {
            navy: even,
            air_force: even,
            tank: even,
            headquarters: even,
            engineer: even,
            artillery: even,
            anti_air: even,
            missile: even,
            commander: even,
            infantry: even,
            militia: even,
            commander_in_headquarters: 1,
            other_stacks: 1,
        };
        let flat = Sampler::with_prior(&game, &flat).unwrap();
        let difference = flat.log_probability(&one) - uniform.log_probability(&one);
        assert!(difference.abs() < 0.5, "{difference}");
    }
    let game = official();
    let uniform = Sampler::uniform(&game).unwrap();
    assert_eq!(uniform.log_probability(&Deployment::skirmish()), f64::NEG_INFINITY);
    // Probabilities of all set-ups add up to 1: the mean of their ratio to the uniform one, over uniform draws.
    let even = PiecePrior::default();
    let sharp = PiecePrior { ranks: [1.0, 2.0, 4.0, 1.0, 1.0, 1.0], company: 1.2, ..even };
    let prior = Prior {
        navy: sharp,
        air_force: even,
        tank: even,
        headquarters: even,
        engineer: even,
        artillery: even,
        anti_air: even,
        missile: even,
        commander: sharp,
        infantry: even,
        militia: even,
        commander_in_headquarters: 3,
        other_stacks: 1,
    };
    let sampler = Sampler::with_prior(&game, &prior).unwrap();
    let number = 20_000;
    let (mut sum, mut squares) = (0.0, 0.0);
    for _ in 0..number {
        let one = uniform.draw(&mut random);
        let ratio = (sampler.log_probability(&one) - uniform.log_probability(&one)).exp();
        sum += ratio;
        squares += ratio * ratio;
    }
    let mean = sum / f64::from(number);
    let error = ((squares / f64::from(number) - mean * mean) / f64::from(number)).sqrt();
    assert!((mean - 1.0).abs() < 4.0 * error && error < 0.05, "{mean} {error}");
}

#[test]
fn set_ups_of_a_list_are_as_likely_as_their_weights_say() {
    let game = official();
    let uniform = Sampler::uniform(&game).unwrap();
    let (one, other) = (draw(&game, 1), draw(&game, 2));
    let text = format!("0.75: {one} # often\n.25:{other}\n{one}\n0: {one}\nx: {one}\n");
    let read = read_list(&text).unwrap();
    assert_eq!(read.iter().map(|one| one.weight).collect::<Vec<_>>(), [0.75, 0.25, 1.0, 1.0, 1.0]);
    let told: Vec<String> =
        read.iter().filter_map(|one| one.deployment(&game).err()).map(|faults| faults.to_string()).collect();
    assert_eq!(
        told,
        [
            "`0:`: is no weight, expected a number above 0 such as 0.25",
            "`x:`: is no weight, expected a number above 0 such as 0.25"
        ]
    );
    let list = vec![(0.75, one.clone()), (0.25, other.clone())];
    let supply = PairSupply::listed(&game, list, uniform.clone(), StartSides::First).unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let drawn = (0..400).filter(|_| supply.draw(&mut random).sides[0] == one).count();
    // 300 are expected with a standard deviation of 9.
    assert!((255..=345).contains(&drawn), "{drawn}");
    assert!(PairSupply::listed(&game, vec![(0.0, one)], uniform, StartSides::Both).is_none());
}
