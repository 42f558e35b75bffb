//! The kinds of starts that a game offers.

/// What a [`StartConfig`](super::StartConfig) may say of a kind beside its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartKey {
    /// `sides`: for which sides it is drawn.
    Sides,
    /// `file`: a list of starts, one a line; such a kind cannot do without.
    File,
    /// `settings`: numbers of the game's own.
    Settings,
}

impl StartKey {
    /// The key in a config.
    pub const fn word(self) -> &'static str {
        match self {
            StartKey::Sides => "sides",
            StartKey::File => "file",
            StartKey::Settings => "settings",
        }
    }
}

/// A named start distribution of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartKind {
    /// Its name in configs and on the command line.
    pub name: &'static str,
    /// What is drawn, in a few words.
    pub about: &'static str,
    /// What may be said of it.
    pub takes: &'static [StartKey],
}

impl StartKind {
    /// The standard start position, which every game has.
    pub const STANDARD: StartKind =
        StartKind { name: "standard", about: "the standard start position", takes: &[] };

    /// Whether a key has a meaning for it.
    pub fn takes(&self, key: StartKey) -> bool {
        self.takes.contains(&key)
    }

    /// Whether it can be drawn by name alone.
    pub fn stands_alone(&self) -> bool {
        !self.takes(StartKey::File)
    }
}
