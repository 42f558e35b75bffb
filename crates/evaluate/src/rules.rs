//! Which rules a command plays under.

use crate::arguments::RulesArguments;
use crate::checkpoint::Checkpoint;
use arena::games::{self, AnyGame, GameFacts, OpenError};
use game::options::parse_pairs;
use net::{Expected, Identity, RulesCheck};

/// The game under the rules that were asked for, or the checkpoints' own when nothing was said, and a
/// remark where those are not the game's default rules.
///
/// # Errors
/// Unknown games, presets and options.
pub fn open_game(
    name: &str,
    rules: &RulesArguments,
    checkpoints: &[&Checkpoint],
) -> Result<(Box<dyn AnyGame>, Option<String>), OpenError> {
    let preset = rules.preset.as_deref();
    let options = parse_pairs(&rules.options)?;
    let game = games::open(name, preset, &options)?;
    let silent = preset.is_none() && options.is_empty();
    let Some(first) = checkpoints.iter().find(|checkpoint| silent && checkpoint.state.identity.game == name)
    else {
        return Ok((game, None));
    };
    let own = games::open(name, None, &first.rule_options())?;
    let different = own.facts().rules != game.facts().rules;
    let remark = different.then(|| format!("rules: those of checkpoint {}", first.directory.display()));
    Ok((own, remark))
}

/// What a checkpoint must be for to play the game.
pub fn expected(facts: &GameFacts, rules_check: RulesCheck) -> Expected {
    Expected {
        identity: Identity { game: facts.name.to_owned(), rules: facts.rules.clone() },
        planes: facts.planes,
        policy: facts.policy,
        rules_check,
    }
}
