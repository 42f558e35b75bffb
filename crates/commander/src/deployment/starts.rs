//! The starts that Commander Chess offers by name.

use super::{Deployment, PairSupply, Prior, Sampler, WrittenDeployment, split_weight};
use crate::commander::Commander;
use crate::position::Position;
use crate::rules::WinSet;
use game::starts::{DrawnStart, FixedStarts, StartKey, StartKind, StartRequest, StartSource};
use game::{Fault, Faults};
use rand_chacha::ChaCha8Rng;

/// The skirmish of nine pieces a side.
const SKIRMISH: &str = "skirmish";
/// Free set-ups, all equally likely.
const FREE_UNIFORM: &str = "free-uniform";
/// Free set-ups by simple ideas.
const FREE_PRIOR: &str = "free-prior";
/// Set-ups of a file.
const SET_UPS: &str = "set-ups";

/// The kinds of starts, in the order in which they are listed.
pub(crate) const KINDS: &[StartKind] = &[
    StartKind::STANDARD,
    StartKind { name: SKIRMISH, about: "nine pieces a side, no commander; win_set = marine,air", takes: &[] },
    StartKind {
        name: FREE_UNIFORM,
        about: "free set-ups, every legal one equally likely",
        takes: &[StartKey::Sides],
    },
    StartKind {
        name: FREE_PRIOR,
        about: "free set-ups weighted by simple ideas",
        takes: &[StartKey::Sides, StartKey::Settings],
    },
    StartKind {
        name: SET_UPS,
        about: "free set-ups of a file, one a line",
        takes: &[StartKey::Sides, StartKey::File],
    },
];

impl StartSource<Position> for PairSupply {
    fn draw(&self, random: &mut ChaCha8Rng) -> DrawnStart<Position> {
        let pair = PairSupply::draw(self, random);
        DrawnStart { position: pair.position, void: pair.void.total(), fallback: pair.fallback }
    }
}

/// The source of a kind.
///
/// # Errors
/// Everything that is wrong with the request.
pub(crate) fn source(
    game: &Commander,
    request: &StartRequest<'_>,
) -> Result<Box<dyn StartSource<Position>>, Faults> {
    if request.kind == SKIRMISH {
        return skirmish(game);
    }
    let uniform = Sampler::uniform(game).map_err(|error| Fault::new("kind", error.to_string()))?;
    let supply = match request.kind {
        FREE_UNIFORM => PairSupply::drawn(game, uniform.clone(), uniform, request.sides),
        FREE_PRIOR => {
            let prior: Prior = request
                .settings
                .clone()
                .try_into()
                .map_err(|error| Fault::new("settings", one_line(&error)))?;
            let sampler = Sampler::with_prior(game, &prior).map_err(|faults| {
                let place = |fault: Fault| Fault::new(format!("settings.{}", fault.place), fault.message);
                Faults(faults.0.into_iter().map(place).collect())
            })?;
            PairSupply::drawn(game, sampler, uniform, request.sides)
        }
        SET_UPS => PairSupply::listed(game, listed(game, request)?, uniform, request.sides)
            .ok_or_else(|| Fault::new("file", "has no set-up, expected at least one"))?,
        other => return Err(Fault::new("kind", format!("there is no start `{other}`")).into()),
    };
    Ok(Box::new(supply))
}

fn skirmish(game: &Commander) -> Result<Box<dyn StartSource<Position>>, Faults> {
    let wanted = WinSet { land: false, ..WinSet::ALL };
    if game.rules.win_set != wanted {
        let message = "a skirmish is played for navies and air forces: use the preset skirmish, or set the option win_set to marine,air";
        return Err(Fault::new("kind", message).into());
    }
    let skirmish = Deployment::skirmish();
    Ok(Box::new(FixedStarts::one(game.deployed([&skirmish, &skirmish]))))
}

/// The set-ups of a file with their weights, or all faults of all lines.
fn listed(game: &Commander, request: &StartRequest<'_>) -> Result<Vec<(f64, Deployment)>, Faults> {
    let mut faults = Faults::new();
    let mut list = Vec::with_capacity(request.list.len());
    for start in request.list {
        let (weight, fault, text) = match split_weight(&start.text) {
            Ok((weight, text)) => (weight, None, text),
            Err((fault, text)) => (1.0, Some(fault), text),
        };
        let (written, mut found) = WrittenDeployment::read_line(text);
        found.0.extend(fault);
        match game.deployment(&written) {
            Ok(deployment) => list.push((weight, deployment)),
            Err(more) => found.0.extend(more.0),
        }
        let placed =
            |fault: Fault| Fault::new(format!("line {}, {}", start.line, fault.place), fault.message);
        faults.0.extend(found.0.into_iter().map(placed));
    }
    faults.into_result(list)
}

/// The message of an error of TOML in one line.
fn one_line(error: &impl ToString) -> String {
    error.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}
