//! Tests of start distributions.

use super::{Check, Examiner};
use crate::random::{Purpose, stream};
use crate::starts::{StartConfig, StartKind, StartSampler};
use crate::{BoardGame, Play};
use std::collections::HashSet;

/// Positions drawn of each kind.
const DRAWS: u64 = 4;

/// Tests every kind that the game offers.
pub(super) fn starts<G: BoardGame>(examiner: &mut Examiner<'_, G>, seed: u64) {
    let game = examiner.game;
    let kinds = G::start_kinds();
    let mut fail =
        |place: &str, found: String| examiner.report.fail(Check::Starts, format!("start {place}"), found);
    if kinds.first() != Some(&StartKind::STANDARD) {
        fail("standard", "it is not the first kind".to_owned());
    }
    let names: HashSet<&str> = kinds.iter().map(|kind| kind.name).collect();
    if names.len() < kinds.len() {
        fail("names", "two kinds have one name".to_owned());
    }
    if StartSampler::new(game, &[StartConfig::named("no-such-start")]).is_ok() {
        fail("no-such-start", "an unknown kind is not refused".to_owned());
    }
    for kind in kinds {
        let sampler = match StartSampler::new(game, &[StartConfig::named(kind.name)]) {
            Ok(sampler) => sampler,
            Err(faults) if faults.0.is_empty() => {
                fail(kind.name, "it is refused without a fault".to_owned());
                continue;
            }
            // It needs a file, or these rules have no such start.
            Err(_) => continue,
        };
        for number in 0..DRAWS {
            let draw = || sampler.draw(&mut stream(seed, Purpose::Opening, &[number])).position;
            let position = draw();
            let text = game.write_position(&position);
            if draw() != position {
                fail(kind.name, format!("another draw from the same stream differs from {text}"));
            }
            if game.read_position(&text) != Ok(position) {
                fail(kind.name, format!("{text} is not read back as it was written"));
            }
            if let Some(outcome) = Play::new(game, position).outcome(game) {
                fail(kind.name, format!("the game has ended in {text} ({})", outcome.reason));
            }
        }
    }
}
