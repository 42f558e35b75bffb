//! How a config may differ from the one a run was begun with.

use super::TrainConfig;
use crate::config_check;

/// Keys that a resumed run cannot change: the network would not fit, or the run would be another one.
pub const FIXED_KEYS: [&str; 4] = ["seed", "game", "net", "training.averaging"];

impl TrainConfig {
    /// Differences to an earlier config of the same run, and among them those that a resumed run cannot
    /// have.
    ///
    /// # Errors
    /// A value that TOML cannot hold.
    pub fn changes(&self, before: &TrainConfig) -> Result<Changes, toml::ser::Error> {
        let all = config_check::differences(&before.to_table()?, &self.to_table()?);
        let is_fixed = |path: &str| {
            FIXED_KEYS.iter().any(|key| {
                path.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            })
        };
        // The decay of an average may change, its being there may not.
        let same_averaging = std::mem::discriminant(&self.training.averaging)
            == std::mem::discriminant(&before.training.averaging);
        let (fixed, free) = all.into_iter().partition(|(path, _, _)| {
            is_fixed(path) && !(path.starts_with("training.averaging") && same_averaging)
        });
        Ok(Changes { fixed, free })
    }
}

/// How a config differs from an earlier one: key, value before, value now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// Keys that a resumed run cannot change.
    pub fixed: Vec<(String, String, String)>,
    /// Keys that it can.
    pub free: Vec<(String, String, String)>,
}

impl Changes {
    /// A list of changes in one line.
    pub fn in_words(list: &[(String, String, String)]) -> String {
        let one = |(key, before, now): &(String, String, String)| format!("{key}: {before} -> {now}");
        list.iter().map(one).collect::<Vec<_>>().join("; ")
    }
}
