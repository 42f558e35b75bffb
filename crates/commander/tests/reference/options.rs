//! The named options, each set by its key and value as text so that one list of pairs drives both implementations.

/// `missile_capture_jumps`, `torpedo_jumps` and so on as their written values, checked against the lists below.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    values: Vec<(&'static str, String)>,
}

/// Every option of play with its values, the default first. `win_set` is a list and the two limits are numbers.
pub const CHOICES: &[(&str, &[&str])] = &[
    ("missile_capture_jumps", &["false", "true"]),
    ("navy_move_block", &["enemy", "navies"]),
    ("torpedo_jumps", &["own", "all"]),
    ("navy_capture_across_land", &["stay", "replace"]),
    ("air_return", &["free", "only_if_unsafe"]),
    ("hero_zone_bonus", &["1", "0"]),
    ("carried_defends", &["false", "true"]),
    ("air_zones", &["share", "two_block"]),
    ("carried_commander_exempt", &["true", "false"]),
    ("hq_shield", &["on", "off"]),
    ("hq_artillery", &["breaches", "attacks"]),
    ("navy_ashore", &["accept", "refuse"]),
    ("stack_caps", &["official", "slots", "wiki"]),
    ("board_at_sea", &["true", "false"]),
    ("split_bomb", &["allowed", "no_landing"]),
    ("engineer_carry", &["river", "anywhere"]),
    ("air_drop", &["on_empty", "off"]),
    ("navy_double", &["torpedo_gun", "move_gun", "off"]),
    ("hero_timing", &["turn", "step"]),
    ("hero_diagonals", &["full", "wiki"]),
    ("last_guard", &["with_hq", "without_hq", "off"]),
    ("hero_hq_range", &["2", "1", "0"]),
    (
        "win_set",
        &["marine air land", "marine air", "marine land", "air land", "marine", "air", "land", "commander"],
    ),
    ("simultaneous", &["draw", "mover_wins"]),
    ("bare_commander_loses", &["alone", "troops", "off"]),
    ("stalemate", &["draw", "loss"]),
    ("no_capture_turns", &["100", "1", "3", "20"]),
    ("no_capture_result", &["points", "draw"]),
    ("max_turns", &["400", "1", "5", "30"]),
    ("adjudicate", &["points", "draw", "truncate"]),
];

/// What preset `core` changes.
const CORE: &[(&str, &str)] = &[
    ("missile_capture_jumps", "true"),
    ("navy_move_block", "navies"),
    ("torpedo_jumps", "all"),
    ("navy_capture_across_land", "replace"),
    ("air_zones", "two_block"),
    ("carried_commander_exempt", "false"),
    ("hq_shield", "off"),
    ("stack_caps", "slots"),
    ("board_at_sea", "false"),
    ("split_bomb", "no_landing"),
    ("engineer_carry", "anywhere"),
    ("air_drop", "off"),
    ("navy_double", "off"),
    ("hero_timing", "step"),
    ("hero_hq_range", "1"),
    ("win_set", "commander"),
    ("bare_commander_loses", "off"),
    ("no_capture_result", "draw"),
];

/// What preset `wiki` changes.
const WIKI: &[(&str, &str)] = &[
    ("stack_caps", "wiki"),
    ("navy_double", "move_gun"),
    ("hero_diagonals", "wiki"),
    ("hero_zone_bonus", "0"),
];

impl Options {
    /// The preset `official`, `core` or `wiki`.
    pub fn preset(name: &str) -> Options {
        let mut options =
            Options { values: CHOICES.iter().map(|(key, values)| (*key, values[0].to_string())).collect() };
        let changes = match name {
            "official" => &[][..],
            "core" => CORE,
            "wiki" => WIKI,
            other => panic!("no preset {other}"),
        };
        for (key, value) in changes {
            options.set(key, value);
        }
        options
    }

    /// Sets one option.
    pub fn set(&mut self, key: &str, value: &str) {
        let (_, known) =
            CHOICES.iter().find(|(name, _)| *name == key).unwrap_or_else(|| panic!("no option {key}"));
        assert!(known.contains(&value), "option {key} has no value {value}");
        self.values.iter_mut().find(|(name, _)| *name == key).unwrap().1 = value.to_string();
    }

    /// The value of one option.
    pub fn get(&self, key: &str) -> &str {
        &self.values.iter().find(|(name, _)| *name == key).unwrap_or_else(|| panic!("no option {key}")).1
    }

    /// Whether an option has this value.
    pub fn is(&self, key: &str, value: &str) -> bool {
        assert!(
            CHOICES.iter().any(|(name, values)| *name == key && values.contains(&value)),
            "{key} {value}"
        );
        self.get(key) == value
    }

    /// The value of a numeric option.
    pub fn number(&self, key: &str) -> u32 {
        self.get(key).parse().unwrap()
    }

    /// All pairs, for writing down.
    pub fn pairs(&self) -> &[(&'static str, String)] {
        &self.values
    }
}
