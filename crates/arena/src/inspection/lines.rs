//! Lines of steps as turns.

use game::BoardGame;
use search::Search;

/// How a search expects the game to go on with a step of its root, turn by turn.
pub(crate) fn line_texts<G: BoardGame>(game: &G, search: &Search<G>, first: G::Step) -> Vec<String> {
    turns(game, &search.play().position, &search.line(first))
}

/// The steps from `position` on as turns. A turn that has begun before is told whole; one that the steps
/// do not end is told step by step, with `…` behind it.
pub(super) fn turns<G: BoardGame>(game: &G, position: &G::Position, steps: &[G::Step]) -> Vec<String> {
    let (mut before, mut turn) = game.turn_so_far(position);
    let mut here = *position;
    let mut texts = Vec::new();
    for &step in steps {
        game.play(&mut here, step);
        turn.push(step);
        if !game.mid_turn(&here) {
            texts.push(game.turn_text(&before, &turn));
            turn.clear();
            before = here;
        }
    }
    if !turn.is_empty() {
        let mut here = before;
        let mut parts = Vec::new();
        for step in turn {
            parts.push(game.step_text(&here, step));
            game.play(&mut here, step);
        }
        texts.push(format!("{}…", parts.join("/")));
    }
    texts
}
