//! Sets of options, for both implementations.

use super::reference::options::{CHOICES, Options};
use commander::{Commander, Rules};
use game::Game as _;
use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use std::rc::Rc;

/// One set of options, for both implementations.
pub struct Setting {
    pub name: String,
    pub engine: Commander,
    pub options: Rc<Options>,
}

impl Setting {
    pub fn new(preset: &str, changes: &[(&str, &str)]) -> Setting {
        let mut options = Options::preset(preset);
        let mut rules = serde_json::to_value(Rules::preset(preset).unwrap()).unwrap();
        for (key, value) in changes {
            options.set(key, value);
            rules[key] = json(key, value);
        }
        // The presets themselves are compared here: both lists of options must say the same.
        for (key, value) in options.pairs() {
            assert_eq!(rules[key], json(key, value), "preset {preset}, option {key}");
        }
        let rules: Rules = serde_json::from_value(rules).unwrap();
        let changed: Vec<String> = changes.iter().map(|(key, value)| format!("{key}={value}")).collect();
        Setting {
            name: format!("{preset} {}", changed.join(", ")),
            engine: Commander::with_rules(rules).unwrap(),
            options: Rc::new(options),
        }
    }
}

/// An option's value as the engine's rules write it.
fn json(key: &str, value: &str) -> serde_json::Value {
    match (key, value) {
        ("win_set", "commander") => serde_json::json!([]),
        ("win_set", words) => words.split(' ').collect(),
        (_, "true") => true.into(),
        (_, "false") => false.into(),
        _ => value.parse::<u32>().map_or_else(|_| value.into(), |number| number.into()),
    }
}

/// Every preset, every preset with one option changed, and some with several.
pub fn settings(combinations: usize, random: &mut ChaCha8Rng) -> Vec<Setting> {
    let mut settings = Vec::new();
    for preset in ["official", "core", "wiki"] {
        let plain = Options::preset(preset);
        settings.push(Setting::new(preset, &[]));
        for (key, values) in CHOICES {
            for value in values.iter().filter(|value| plain.get(key) != **value) {
                settings.push(Setting::new(preset, &[(key, value)]));
            }
        }
        for _ in 0..combinations {
            let likely = *[0.1, 0.3, 0.6].choose(random).unwrap();
            let mut changes: Vec<(&str, &str)> = Vec::new();
            for (key, values) in CHOICES {
                if random.random_bool(likely) {
                    changes.push((key, values.choose(random).unwrap()));
                }
            }
            settings.push(Setting::new(preset, &changes));
        }
    }
    settings
}
