//! Games between a person and an opponent.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use arena::duel::{Duel, DuelError, DuelOpponent, DuelRecord};
use arena::games::{self, AnyGame};
use arena::opponents::BuiltIn;
use arena::rules_session::View;
use commander::Commander;
use connect4::ConnectFour;
use game::{BoardGame, Game, Player, StepCode};
use search::SearchConfig;
use selfplay::HashEvaluator;

const SPLIT: &str = "6c4/10i/11/11/11/11/11/11/4(TI)6/11/11/4M2C3 r - - 0 1";

fn open(name: &str) -> Box<dyn AnyGame> {
    games::open(name, None, &Vec::new()).unwrap()
}

fn network<G: BoardGame>(game: &G, simulations: u32) -> DuelOpponent {
    let evaluator = Box::new(HashEvaluator::for_game(game, 1));
    DuelOpponent::Network { evaluator, search: SearchConfig::default(), simulations }
}

fn begin(game: &str, start: Option<&str>, opponent: BuiltIn) -> Box<dyn Duel> {
    open(game).begin_duel(start, DuelOpponent::BuiltIn(opponent), 1).unwrap()
}

/// Texts of the finished turns.
fn turns(duel: &dyn Duel) -> Vec<String> {
    duel.turns().iter().map(|turn| turn.text.clone()).collect()
}

#[test]
fn turns_are_entered_answered_and_taken_back() {
    let mut duel = begin("connect4", None, BuiltIn::AlphaBeta { depth: 2 });
    duel.enter("d").unwrap();
    let fault = duel.enter("x").unwrap_err();
    assert_eq!(fault.message, "no step: write a file from a to g");
    let first = duel.reply().unwrap();
    duel.enter("d").unwrap();
    let second = duel.reply().unwrap();
    assert_eq!(turns(&*duel), ["d", &first, "d", &second]);
    assert_eq!(duel.turns()[1].player, Player::Second);
    let view = duel.view();
    assert!(duel.take_back());
    assert_ne!(duel.view(), view);
    // The same position is answered again in the same way.
    assert_eq!(duel.hint().unwrap().turn, second);
    assert_eq!(duel.reply().unwrap(), second);
    assert_eq!(duel.view(), view);
    while duel.take_back() {}
    assert_eq!(duel.view().fen, "7/7/7/7/7/7 x");
    assert!(duel.turns().is_empty());
}

#[test]
fn the_end_of_a_game_is_told_and_can_be_taken_back() {
    let mut duel = begin("connect4", Some("7/7/7/7/ooo4/xxx4 x"), BuiltIn::Random);
    assert_eq!(duel.hint().unwrap().inspection, None);
    duel.enter("d").unwrap();
    let outcome = duel.view().outcome.unwrap();
    assert_eq!((outcome.winner(), outcome.reason.0), (Some(Player::First), "four"));
    assert!(duel.legal_steps().is_empty());
    assert_eq!(duel.enter("a").unwrap_err().message, "the game has ended");
    assert!(matches!(duel.reply(), Err(DuelError::Ended)));
    assert!(matches!(duel.hint(), Err(DuelError::Ended)));
    assert!(duel.picture().contains("<svg"));
    assert!(duel.take_back());
    assert_eq!((duel.view().outcome, duel.legal_steps().len()), (None, 7));
}

#[test]
fn a_turn_of_several_steps_can_be_played_step_by_step() {
    let mut duel = begin("commander", Some(SPLIT), BuiltIn::Greedy);
    duel.enter_step("(T)e4-e5").unwrap();
    let view = duel.view();
    assert_eq!((view.begun.as_slice(), view.mover), (["(T)e4-e5".to_owned()].as_slice(), Player::First));
    assert!(duel.turns().is_empty());
    let steps = duel.legal_steps();
    assert!(steps.contains(&"(I)e4-f4".to_owned()) && steps.contains(&".".to_owned()), "{steps:?}");
    // The last step alone is taken back.
    duel.enter("(I)e4-f4").unwrap();
    assert_eq!(turns(&*duel), ["(T)e4-e5/(I)e4-f4"]);
    assert!(duel.take_back());
    assert_eq!(duel.view().fen, open("commander").show(Some(SPLIT), &View::default()).unwrap().fen);
    duel.enter_step("(T)e4-e5").unwrap();
    assert!(duel.take_back());
    assert!(duel.view().begun.is_empty());
    // The whole turn at once comes to the same.
    duel.enter("(T)e4-e5/(I)e4-f4").unwrap();
    assert_eq!(turns(&*duel), ["(T)e4-e5/(I)e4-f4"]);
    assert!(duel.enter("(T)e5-e6").is_err(), "it is the other side's turn");
}

#[test]
fn networks_play_hint_and_explain() {
    let mut duel = open("connect4").begin_duel(None, network(&ConnectFour::new(), 20), 7).unwrap();
    let hint = duel.hint().unwrap();
    let inspection = hint.inspection.unwrap();
    assert_eq!(inspection.steps[inspection.chosen].step, hint.turn);
    assert_eq!(inspection.simulations, 20);
    assert_eq!(duel.reply().unwrap(), hint.turn);
    let rules = Commander::preset(Commander::presets()[0]).unwrap();
    let commander = Commander::with_rules(rules).unwrap();
    let mut duel = open("commander").begin_duel(None, network(&commander, 8), 7).unwrap();
    for number in 1..=4 {
        let hint = duel.hint().unwrap();
        assert_eq!(duel.reply().unwrap(), hint.turn);
        assert_eq!(duel.turns().len(), number);
    }
    let other = open("commander").begin_duel(None, network(&ConnectFour::new(), 1), 0);
    assert!(matches!(other.err(), Some(DuelError::Shapes)));
}

#[test]
fn records_bring_a_game_back() {
    let mut duel = begin("commander", Some(SPLIT), BuiltIn::Greedy);
    duel.enter("(T)e4-e5/(I)e4-f4").unwrap();
    duel.reply().unwrap();
    duel.enter_step("e5-e6").unwrap();
    let (record, view) = (duel.record(), duel.view());
    let mut other = begin("commander", None, BuiltIn::Random);
    other.restore(&record).unwrap();
    assert_eq!((other.record(), other.view()), (record.clone(), view.clone()));
    // A record of something else changes nothing.
    let wrong = DuelRecord { steps: vec![StepCode(u32::MAX)], ..record.clone() };
    assert_eq!(other.restore(&wrong).unwrap_err().to_string(), "step 1 of the record is not legal");
    let wrong = DuelRecord { start: "7/7 x".to_owned(), ..record };
    assert!(other.restore(&wrong).is_err());
    assert_eq!(other.view(), view);
}
