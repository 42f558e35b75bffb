//! Section `[game]`: what is played.

use super::{ConfigError, TrainConfig};
use crate::config_check::ConfigFault;
use arena::games::{self, AnyGame, OpenError, WithGame};
use game::Fault;
use serde::{Deserialize, Serialize};
use std::path::Path;
use toml::{Table, Value};

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

impl GameConfig {
    /// Hands the game to `work`.
    ///
    /// # Errors
    /// Unknown names and values.
    pub fn with<W: WithGame>(&self, work: W) -> Result<W::Output, OpenError> {
        games::with_game(&self.name, self.preset(), &self.options(), work)
    }

    fn preset(&self) -> Option<&str> {
        Some(self.preset.as_str()).filter(|preset| !preset.is_empty())
    }

    fn options(&self) -> Vec<(String, Value)> {
        self.options.iter().map(|(key, value)| (key.clone(), value.clone())).collect()
    }
}

impl TrainConfig {
    /// Reads a config and opens its game.
    ///
    /// # Errors
    /// All faults of the config, see [`TrainConfig::read`] and [`TrainConfig::open_game`].
    pub fn read_with_game(
        path: &Path,
        overrides: &[String],
    ) -> Result<(TrainConfig, Box<dyn AnyGame>), ConfigError> {
        let config = TrainConfig::read(path, overrides)?;
        let source = path.display().to_string();
        let game = config.open_game().map_err(|faults| ConfigError { source, faults })?;
        Ok((config, game))
    }

    /// The game with its rules.
    ///
    /// # Errors
    /// Unknown names and values, and start positions of self-play that are none.
    pub fn open_game(&self) -> Result<Box<dyn AnyGame>, Vec<ConfigFault>> {
        let GameConfig { name, .. } = &self.game;
        let game = games::open(name, self.game.preset(), &self.game.options())
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
