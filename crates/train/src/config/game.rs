//! Section `[game]`: what is played.

use super::TrainConfig;
use crate::config_check::ConfigFault;
use arena::games::{self, AnyGame};
use game::Fault;
use serde::{Deserialize, Serialize};
use toml::Table;

/// What is played.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GameConfig {
    /// Name of the game; there is no default.
    pub name: String,
    /// Preset of its rules; empty: the game's first.
    pub preset: String,
    /// Single rules over the preset, in the words of the game's rules page.
    pub options: Table,
}

impl TrainConfig {
    /// The game with its rules.
    ///
    /// # Errors
    /// Unknown names and values, and start positions of self-play that are none.
    pub fn open_game(&self) -> Result<Box<dyn AnyGame>, Vec<ConfigFault>> {
        let GameConfig { name, preset, options } = &self.game;
        let preset = Some(preset.as_str()).filter(|preset| !preset.is_empty());
        let options: Vec<_> = options.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        let game = games::open(name, preset, &options)
            .map_err(|error| vec![ConfigFault::new("game", error.to_string())])?;
        match game.check_starts(&self.selfplay) {
            Ok(()) => Ok(game),
            Err(faults) => {
                let fault =
                    |fault: Fault| ConfigFault::new(format!("selfplay.{}", fault.place), fault.message);
                Err(faults.0.into_iter().map(fault).collect())
            }
        }
    }
}
