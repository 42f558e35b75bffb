//! What inspections tell of positions.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use arena::games::{self, AnyGame};
use arena::inspection::{Inspection, InspectionError, InspectionPlan};
use commander::Commander;
use game::{BoardGame, Game};
use search::SearchConfig;
use selfplay::{Evaluator, HashEvaluator, UniformEvaluator};

const FORK: &str = "7/7/7/7/7/2xxoo1 x";
const COMMANDER_MID_TURN: &str = "6c4/11/11/11/11/11/11/11/4(TI)6/11/11/7C3 r - - 3 12 turn:e4:(T)e4-e5";

fn open(name: &str) -> Box<dyn AnyGame> {
    games::open(name, None, &Vec::new()).unwrap()
}

fn plan(simulations: u32, at_once: usize) -> InspectionPlan {
    InspectionPlan { search: SearchConfig::default(), simulations, at_once }
}

fn hashes<G: BoardGame>(game: &G, threads: usize) -> Vec<Box<dyn Evaluator>> {
    (0..threads).map(|_| Box::new(HashEvaluator::for_game(game, 3)) as Box<dyn Evaluator>).collect()
}

fn inspect<G: BoardGame>(
    game: &G,
    positions: &[Option<&str>],
    threads: usize,
    plan: &InspectionPlan,
) -> Result<Vec<Inspection>, InspectionError> {
    open(G::NAME).inspect(positions, hashes(game, threads), plan, &|| false)
}

#[test]
fn batches_and_threads_change_nothing() {
    let game = connect4::ConnectFour::new();
    let positions = [None, Some(FORK), Some("7/7/7/7/ooo4/xxx4 x"), Some("7/7/7/3o3/3x3/2oxx2 o"), None];
    let alone = inspect(&game, &positions, 1, &plan(40, 1)).unwrap();
    assert_eq!(alone.len(), positions.len());
    assert_eq!(alone[0], alone[4]);
    assert_eq!(alone[1].fen, FORK);
    for (threads, at_once) in [(1, 3), (2, 2), (3, 64), (9, 1)] {
        assert_eq!(inspect(&game, &positions, threads, &plan(40, at_once)).unwrap(), alone);
    }
}

#[test]
fn a_search_finds_what_the_network_does_not() {
    let evaluator =
        || Box::new(UniformEvaluator::for_game(&connect4::ConnectFour::new())) as Box<dyn Evaluator>;
    let win = ["7/7/7/7/ooo4/xxx4 x"].map(Some);
    let found = |simulations: u32| {
        let game = open("connect4");
        game.inspect(&win, vec![evaluator()], &plan(simulations, 8), &|| false).unwrap().remove(0)
    };
    let raw = found(0);
    assert_eq!((raw.simulations, raw.steps.len()), (0, 7));
    assert!(raw.steps.iter().all(|step| step.visits == 0 && (step.prior - 1.0 / 7.0).abs() < 1e-6));
    assert!(raw.steps.iter().all(|step| step.line == [step.step.clone()]));
    let searched = found(64);
    assert_eq!(searched.steps[searched.chosen].step, "d");
    assert_eq!(searched.steps[searched.chosen].value, Some(1.0));
    assert_eq!(searched.steps.iter().map(|step| step.visits).sum::<u32>(), 64);
    assert!(searched.search.utility > searched.network.utility);
    // A line goes on behind the step, turn by turn.
    let longest = searched.steps.iter().max_by_key(|step| step.line.len()).unwrap();
    assert!(longest.line.len() >= 2 && longest.line[0] == longest.step, "{:?}", longest.line);
}

#[test]
fn lines_of_a_turn_under_way_tell_it_whole() {
    let rules = Commander::preset(Commander::presets()[0]).unwrap();
    let evaluator = HashEvaluator::for_game(&Commander::with_rules(rules).unwrap(), 1);
    let evaluators: Vec<Box<dyn Evaluator>> = vec![Box::new(evaluator)];
    let game = open("commander");
    let found =
        game.inspect(&[Some(COMMANDER_MID_TURN)], evaluators, &plan(30, 1), &|| false).unwrap().remove(0);
    assert!(found.steps.len() >= 2);
    for step in &found.steps {
        assert!(step.line[0].starts_with("(T)e4-e5"), "{:?}", step.line);
    }
    let picture = game.inspected_picture(&found).unwrap();
    assert!(picture.contains("class=\"policy\"") && picture.trim_end().ends_with("</svg>"), "{picture}");
    assert!(game.inspected_board(&found).unwrap().contains('C'));
}

#[test]
fn faults_are_told() {
    let game = connect4::ConnectFour::new();
    let fault = |text: &str| inspect(&game, &[Some(text)], 1, &plan(1, 1)).unwrap_err();
    assert_eq!(fault("7/7 x").to_string(), "position `7/7 x`: rows: 2 rows: there must be 6");
    let ended = fault("7/7/7/7/ooo4/xxxx3 o");
    assert_eq!(ended.to_string(), "position `7/7/7/7/ooo4/xxxx3 o`: the game has ended here (four)");
    assert!(ended.is_input());
    let stopped = open("connect4").inspect(&[None], hashes(&game, 1), &plan(1, 1), &|| true).unwrap_err();
    assert!(matches!(stopped, InspectionError::Stopped) && !stopped.is_input());
    let other = open("commander").inspect(&[None], hashes(&game, 1), &plan(1, 1), &|| false).unwrap_err();
    assert!(matches!(other, InspectionError::Shapes), "{other}");
}

#[test]
fn steps_are_found_by_their_text_or_by_a_turn() {
    let game = open("connect4");
    assert_eq!(game.find_step(FORK, "e").unwrap().0, 4);
    assert_eq!(game.find_step(FORK, "x").unwrap_err(), "x: no step: write a file from a to g");
}
