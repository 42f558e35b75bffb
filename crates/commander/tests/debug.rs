mod common;
use common::*;
use game::Notation;
#[test]
fn debug() {
    let game = preset(&std::env::var("P").unwrap_or("core".into()));
    let position = game.read_position(&std::env::var("F").unwrap()).unwrap();
    println!("{:?}", step_texts(&game, &position));
    println!("{:?}", game.checkers(position.board(), position.mover()));
}
