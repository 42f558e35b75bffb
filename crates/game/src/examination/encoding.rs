//! Tests of planes, keys, step codes and policy cells.

use super::{Check, Examiner, Report};
use crate::{BoardGame, Encoding, NO_CELL, Owner, PlanesMut, Player, StepCode};
use std::collections::{HashMap, HashSet};

/// Keys below which nothing is said about their bits.
const ENOUGH_KEYS: usize = 256;

/// A 128-bit digest of planes or of lists of cells.
type Digest = [u8; 16];

/// What was seen of planes, keys and cells so far.
pub(super) struct Encodings {
    numbers: Vec<f32>,
    cells: Vec<u32>,
    /// By evaluation key: digest of the planes, digest of the cells of the legal steps.
    seen: HashMap<u64, (Digest, Digest)>,
    keys: HashMap<Digest, u64>,
}

impl Encodings {
    pub(super) fn new<G: Encoding>(game: &G) -> Encodings {
        Encodings {
            numbers: vec![0.0; game.plane_shape().len()],
            cells: vec![NO_CELL; game.policy_shape().cells_per_step],
            seen: HashMap::new(),
            keys: HashMap::new(),
        }
    }

    /// Tests what only all positions together show.
    pub(super) fn finish(&self, report: &mut Report) {
        report.statistics.distinct_planes = self.keys.len() as u64;
        if self.seen.len() < ENOUGH_KEYS {
            return;
        }
        for bit in 0..u64::BITS {
            let set = self.seen.keys().filter(|&key| key >> bit & 1 == 1).count();
            let share = set as f64 / self.seen.len() as f64;
            if !(0.25..=0.75).contains(&share) {
                let found = format!("set in {:.0} % of {} keys", 100.0 * share, self.seen.len());
                report.fail(Check::KeyBits, format!("bit {bit}"), found);
            }
        }
    }
}

/// The planes of a position.
pub(super) fn planes<G: Encoding>(game: &G, position: &G::Position, numbers: &mut [f32]) {
    game.write_planes(position, &mut PlanesMut::new(game.plane_shape(), numbers));
}

/// Tests what is cheap enough for every position.
pub(super) fn position<G: BoardGame>(examiner: &mut Examiner<'_, G>, here: &G::Position, legal: &[G::Step]) {
    let game = examiner.game;
    let shape = game.policy_shape();
    let mut codes = HashSet::new();
    let mut rows = HashSet::new();
    for &step in legal {
        let text = || game.step_text(here, step);
        let code = game.step_code(here, step);
        if !codes.insert(code) {
            examiner.fail(
                Check::StepCode,
                here,
                format!("{} has the code {} of another step", text(), code.0),
            );
        }
        // Cells of an earlier step must not stay.
        let mut cells = vec![0; shape.cells_per_step];
        let mut again = vec![NO_CELL; shape.cells_per_step];
        game.policy_cells(here, step, &mut cells);
        game.policy_cells(here, step, &mut again);
        let inside = |&cell: &u32| cell == NO_CELL || (cell as usize) < shape.cells();
        if cells != again || !cells.iter().all(inside) || cells.iter().all(|&cell| cell == NO_CELL) {
            examiner.fail(Check::PolicyCells, here, format!("{} has the cells {cells:?}", text()));
        }
        examiner.report.statistics.aliased_steps += u64::from(!rows.insert(cells));
    }
    owners(examiner, here);
    evaluation(examiner, here, legal);
}

/// Tests that both sides see the same pieces on the same squares.
fn owners<G: BoardGame>(examiner: &mut Examiner<'_, G>, here: &G::Position) {
    let game = examiner.game;
    let squares = game.policy_shape().squares;
    // What was there before must not stay.
    let [first, second] = Player::BOTH.map(|viewer| {
        let mut owners = vec![Owner::Enemy; squares];
        game.owners(here, viewer, &mut owners);
        owners
    });
    for (square, owner) in first.into_iter().enumerate() {
        let other = game.other_view(square);
        let swapped = match owner {
            Owner::Nobody => Owner::Nobody,
            Owner::Own => Owner::Enemy,
            Owner::Enemy => Owner::Own,
        };
        if other >= squares || game.other_view(other) != square || second[other] != swapped {
            let found = format!("square {square}, which the other side sees as square {other}");
            return examiner.fail(Check::Owners, here, found);
        }
    }
}

/// Tests every step code, and the keys of the positions after every step.
pub(super) fn thorough<G: BoardGame>(examiner: &mut Examiner<'_, G>, here: &G::Position, legal: &[G::Step]) {
    let game = examiner.game;
    let mut taken = HashSet::new();
    for &step in legal {
        let code = game.step_code(here, step);
        taken.insert(code);
        if game.step_from_code(here, code) != Some(step) {
            let text = game.step_text(here, step);
            examiner.fail(Check::StepCode, here, format!("code {} of {text} is not decoded", code.0));
        }
    }
    for number in (0..64).chain([u32::MAX]) {
        let code = StepCode(number);
        if !taken.contains(&code) && game.step_from_code(here, code).is_some() {
            examiner.fail(
                Check::StepCode,
                here,
                format!("code {number} is decoded, but no legal step has it"),
            );
        }
    }
    let mut steps = Vec::new();
    for &step in legal {
        let mut after = *here;
        game.play(&mut after, step);
        game.legal_steps(&after, &mut steps);
        evaluation(examiner, &after, &steps);
    }
}

/// Compares the planes, key and cells of a position with those of all positions before.
pub(super) fn evaluation<G: BoardGame>(
    examiner: &mut Examiner<'_, G>,
    here: &G::Position,
    legal: &[G::Step],
) {
    let game = examiner.game;
    let Encodings { numbers, cells, seen, keys } = &mut examiner.encodings;
    planes(game, here, numbers);
    let finite = numbers.iter().all(|number| number.is_finite());
    let planes_digest = digest(numbers.iter().map(|&number| (number + 0.0).to_bits()));
    // Numbers left from before must not shine through.
    numbers.fill(7.0);
    planes(game, here, numbers);
    let same = planes_digest == digest(numbers.iter().map(|&number| (number + 0.0).to_bits()));
    let mut row = Vec::with_capacity(legal.len() * cells.len());
    for &step in legal {
        game.policy_cells(here, step, cells);
        row.extend_from_slice(cells);
    }
    let cells_digest = digest(row.into_iter());
    let key = game.evaluation_key(here);
    let (old_planes, old_cells) = *seen.entry(key).or_insert((planes_digest, cells_digest));
    let old_key = *keys.entry(planes_digest).or_insert(key);
    if !finite {
        examiner.fail(Check::Planes, here, "a number is not finite");
    }
    if !same {
        examiner.fail(Check::Planes, here, "written differently a second time");
    }
    if old_planes != planes_digest {
        examiner.fail(Check::EvaluationKey, here, format!("key {key:016x} belongs to other planes too"));
    } else if old_cells != cells_digest {
        examiner.fail(Check::PlanesShowSteps, here, "another position with these planes has other steps");
    }
    if old_key != key {
        examiner.fail(
            Check::EvaluationKey,
            here,
            format!("keys {key:016x} and {old_key:016x} have equal planes"),
        );
    }
}

fn digest(words: impl Iterator<Item = u32>) -> Digest {
    let mut hasher = blake3::Hasher::new();
    let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    hasher.update(&bytes);
    let mut digest = [0; 16];
    digest.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    digest
}
