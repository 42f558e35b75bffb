//! What the bytes of an input mean to all targets.

use game::BoardGame;
use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

thread_local! {
    /// Games that were made before: their tables cost more than most inputs.
    static GAMES: RefCell<HashMap<(TypeId, usize), Rc<dyn Any>>> = RefCell::default();
}

/// The game that the first byte of an input chooses, and the other bytes: `0` is the first preset, `1`
/// the second, and so on around. Nothing for an empty input.
pub(crate) fn split<G: BoardGame>(data: &[u8]) -> Option<(Rc<G>, &[u8])> {
    let (&first, rest) = data.split_first()?;
    let number = usize::from(first.wrapping_sub(b'0')) % G::presets().len();
    let game = GAMES.with_borrow_mut(|games| {
        let game = games.entry((TypeId::of::<G>(), number)).or_insert_with(|| Rc::new(preset::<G>(number)));
        Rc::clone(game)
    });
    Some((game.downcast().ok()?, rest))
}

fn preset<G: BoardGame>(number: usize) -> G {
    let name = G::presets()[number];
    match G::preset(name).map(G::with_rules) {
        Some(Ok(game)) => game,
        _ => panic!("{}: the preset {name} cannot be opened", G::NAME),
    }
}
