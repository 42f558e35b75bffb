//! One source of starts as a person writes it down.

use super::kind::{StartKey, StartKind};
use crate::Faults;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use toml::Table;

/// For which sides a start is drawn; a side for which it is not has that of the standard start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StartSides {
    /// For both, independently.
    #[default]
    Both,
    /// For the first player (Red) alone.
    First,
    /// For the second player (Blue) alone.
    Second,
    /// For one of the two, each equally often.
    One,
}

/// A source of starts and its weight in a mixture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartConfig {
    /// One of the game's kinds.
    pub kind: String,
    /// How often it is drawn, relative to the other sources; above 0.
    #[serde(default = "one")]
    pub weight: f64,
    /// For which sides it is drawn, where the kind draws sides.
    #[serde(default)]
    pub sides: StartSides,
    /// File with a list of starts, where the kind has one: one a line, blank lines and what follows `#` left
    /// out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// Numbers of the game's own, where the kind has any; what is left out is default.
    #[serde(default, skip_serializing_if = "Table::is_empty")]
    pub settings: Table,
}

const fn one() -> f64 {
    1.0
}

impl StartConfig {
    /// A kind by its name, everything else default.
    pub fn named(kind: impl Into<String>) -> StartConfig {
        StartConfig {
            kind: kind.into(),
            weight: 1.0,
            sides: StartSides::Both,
            file: None,
            settings: Table::new(),
        }
    }

    /// The kind among those that a game offers, and everything that is said but has no meaning for it.
    pub(super) fn kind_among(
        &self,
        kinds: &'static [StartKind],
        game: &str,
    ) -> Result<&'static StartKind, Faults> {
        let mut faults = Faults::new();
        if !(self.weight > 0.0 && self.weight.is_finite()) {
            faults.add("weight", format!("found {}, expected a number above 0", self.weight));
        }
        let Some(kind) = kinds.iter().find(|kind| kind.name == self.kind) else {
            let known: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
            faults.add(
                "kind",
                format!("unknown start `{}` for {game}: use one of {}", self.kind, known.join(", ")),
            );
            return Err(faults);
        };
        let said = [
            (StartKey::Sides, self.sides != StartSides::Both),
            (StartKey::File, self.file.is_some()),
            (StartKey::Settings, !self.settings.is_empty()),
        ];
        for (key, is_said) in said {
            if is_said && !kind.takes(key) {
                faults.add(key.word(), format!("has no meaning for `{}`, leave it out", kind.name));
            }
        }
        if kind.takes(StartKey::File) && self.file.is_none() {
            faults.add("file", format!("is missing: `{}` draws from a file, one start a line", kind.name));
        }
        faults.into_result(kind)
    }

    /// The lines of its file, if it has one.
    pub(super) fn list(&self) -> Result<Vec<ListedStart>, Faults> {
        let Some(path) = &self.file else { return Ok(Vec::new()) };
        let place = format!("file {}", path.display());
        let text = files::read_text(path)
            .map_err(|error| Faults::from(crate::Fault::new(&place, format!("cannot be read: {error}"))))?;
        let list = ListedStart::read(&text);
        if list.is_empty() {
            let message = "has no line with a start, expected at least one";
            return Err(crate::Fault::new(place, message).into());
        }
        Ok(list)
    }
}

/// A line of a file of starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedStart {
    /// Number of the line, from 1.
    pub line: usize,
    /// What stands there, without comment.
    pub text: String,
}

impl ListedStart {
    /// The lines of a text; blank lines and what follows `#` are left out.
    pub fn read(text: &str) -> Vec<ListedStart> {
        text.lines()
            .enumerate()
            .map(|(index, line)| {
                let text = line.split('#').next().unwrap_or_default().trim().to_owned();
                ListedStart { line: index + 1, text }
            })
            .filter(|start| !start.text.is_empty())
            .collect()
    }
}
