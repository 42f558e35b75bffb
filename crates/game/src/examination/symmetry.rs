//! Tests of the symmetries that a game declares.

use super::{
    Check, Examiner,
    encoding::{evaluation, planes},
};
use crate::{BoardGame, Encoding, Line, NO_CELL};
use std::collections::{HashMap, HashSet};

/// Where policy cells go under each symmetry, as far as seen.
pub(super) struct Symmetries {
    cells: Vec<[HashMap<u32, u32>; 2]>,
    numbers: [Vec<f32>; 2],
}

impl Symmetries {
    pub(super) fn new<G: Encoding>(game: &G) -> Symmetries {
        let numbers = vec![0.0; game.plane_shape().len()];
        Symmetries {
            cells: (0..game.symmetries()).map(|_| [HashMap::new(), HashMap::new()]).collect(),
            numbers: [numbers.clone(), numbers],
        }
    }

    /// Notes that `cell` goes to `image`; `false` when that contradicts what was seen before.
    fn agrees(&mut self, symmetry: usize, cell: u32, image: u32) -> bool {
        if cell == NO_CELL || image == NO_CELL {
            return cell == image;
        }
        let [there, back] = &mut self.cells[symmetry];
        *there.entry(cell).or_insert(image) == image && *back.entry(image).or_insert(cell) == cell
    }
}

/// Tests that symmetries go with play, planes and policy cells.
pub(super) fn thorough<G: BoardGame>(examiner: &mut Examiner<'_, G>, here: &G::Position, legal: &[G::Step]) {
    let game = examiner.game;
    let identity = game.symmetries() > 0
        && game.transform(here, 0) == *here
        && legal.iter().all(|&step| game.transform_step(here, step, 0) == step);
    if !identity {
        examiner.fail(Check::Symmetry, here, "symmetry 0 is not the identity");
    }
    for symmetry in 1..game.symmetries() {
        let image = game.transform(here, symmetry);
        if let Some(found) = compare(examiner, here, &image, legal, symmetry) {
            examiner.fail(Check::Symmetry, here, format!("symmetry {symmetry}: {found}"));
        }
    }
}

fn compare<G: BoardGame>(
    examiner: &mut Examiner<'_, G>,
    here: &G::Position,
    image: &G::Position,
    legal: &[G::Step],
    symmetry: usize,
) -> Option<String> {
    let game = examiner.game;
    if game.mover(image) != game.mover(here) || game.points(image) != game.points(here) {
        return Some("another mover or other points".to_owned());
    }
    if game.outcome(image, &Line::new()) != game.outcome(here, &Line::new()) {
        return Some("another outcome".to_owned());
    }
    let [numbers, mirrored] = &mut examiner.symmetries.numbers;
    planes(game, here, numbers);
    planes(game, image, mirrored);
    // Which plane and square goes where is the game's own affair; no number may get lost.
    numbers.sort_by(f32::total_cmp);
    mirrored.sort_by(f32::total_cmp);
    if numbers != mirrored {
        return Some("other numbers in the planes".to_owned());
    }
    let mut image_steps = Vec::new();
    game.legal_steps(image, &mut image_steps);
    let codes: HashSet<_> = image_steps.iter().map(|&step| game.step_code(image, step)).collect();
    evaluation(examiner, image, &image_steps);
    let mut reached = HashSet::new();
    let width = game.policy_shape().cells_per_step;
    let (mut cells, mut image_cells) = (vec![NO_CELL; width], vec![NO_CELL; width]);
    for &step in legal {
        let text = game.step_text(here, step);
        let image_step = game.transform_step(here, step, symmetry);
        let code = game.step_code(image, image_step);
        if !codes.contains(&code) || !image_steps.contains(&image_step) {
            return Some(format!("{text} becomes a step that is not legal"));
        }
        if !reached.insert(code) {
            return Some(format!("{text} becomes the same step as another"));
        }
        let (mut after, mut image_after) = (*here, *image);
        game.play(&mut after, step);
        game.play(&mut image_after, image_step);
        if game.transform(&after, symmetry) != image_after {
            return Some(format!("{text} does not lead to the image of where it led"));
        }
        game.policy_cells(here, step, &mut cells);
        game.policy_cells(image, image_step, &mut image_cells);
        for (&cell, &image_cell) in cells.iter().zip(&image_cells) {
            if !examiner.symmetries.agrees(symmetry, cell, image_cell) {
                return Some(format!(
                    "cell {cell} of {text} goes to {image_cell}, but went elsewhere before"
                ));
            }
        }
    }
    (reached.len() != image_steps.len()).then(|| "the image has more legal steps".to_owned())
}
