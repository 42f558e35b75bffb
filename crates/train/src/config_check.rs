//! Reads a config so that all its faults are named at once.
//!
//! Deserialisation stops at the first fault. This check looks at every key of its own: keys that the
//! default config does not have are unknown, and a value is tried by putting it alone into the default
//! config and reading that back.

use serde::{Serialize, de::DeserializeOwned};
use toml::{Table, Value};

/// A fault of a config: key path, what was found, what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {message}")]
pub struct ConfigFault {
    /// The key with its sections, for example `training.batch`.
    pub path: String,
    /// What was found and what would be right.
    pub message: String,
}

impl ConfigFault {
    /// A fault at a key.
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> ConfigFault {
        ConfigFault { path: path.into(), message: message.into() }
    }
}

/// Reads a config of type `C` from a table; keys that are missing or faulty keep their defaults. `free`
/// are the paths of tables whose keys are somebody else's business. The second part are all unknown keys
/// and all values of a wrong type; the config is of use only when there are none, and for finding more
/// faults.
pub fn read<C>(table: &Table, free: &[&str]) -> (C, Vec<ConfigFault>)
where
    C: Serialize + DeserializeOwned + Default,
{
    let default = match Value::try_from(C::default()) {
        Ok(Value::Table(default)) => default,
        Ok(_) => return (C::default(), vec![ConfigFault::new("config", "is not a table")]),
        Err(error) => return (C::default(), vec![ConfigFault::new("config", error.to_string())]),
    };
    let mut check = Check::<C> { default: &default, free, faults: Vec::new(), config: Default::default() };
    check.table(table, &default, &mut Vec::new());
    let mut faults = check.faults;
    let mut merged = default.clone();
    merge(&mut merged, table, &mut Vec::new(), free, &faults);
    match Value::Table(merged).try_into() {
        Ok(config) => (config, faults),
        Err(error) => {
            faults.push(ConfigFault::new("config", error.message().to_owned()));
            (C::default(), faults)
        }
    }
}

/// The state of one check.
struct Check<'a, C> {
    default: &'a Table,
    free: &'a [&'a str],
    faults: Vec<ConfigFault>,
    config: std::marker::PhantomData<C>,
}

impl<C: DeserializeOwned> Check<'_, C> {
    /// Checks all keys of a table against the default one at the same place.
    fn table(&mut self, found: &Table, default: &Table, path: &mut Vec<String>) {
        for (key, value) in found {
            path.push(key.clone());
            match (default.get(key), value) {
                (None, _) => self.unknown(key, default, path),
                (Some(Value::Table(_)), Value::Table(_)) if self.free.contains(&path.join(".").as_str()) => {}
                (Some(Value::Table(inner)), Value::Table(table)) if !is_choice(inner, table) => {
                    self.table(table, inner, path);
                }
                (Some(default), _) => self.value(value, default, path),
            }
            path.pop();
        }
    }

    fn unknown(&mut self, key: &str, default: &Table, path: &[String]) {
        let known: Vec<&str> = default.keys().map(String::as_str).collect();
        let near = known.iter().copied().map(|known| (distance(key, known), known)).min();
        let near = near.and_then(|(distance, known)| (distance <= 2).then_some(known));
        let mend = near.map_or_else(
            || format!("known here are {}", known.join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        self.fault(path, format!("unknown key; {mend}"));
    }

    /// Tries a value alone in the default config.
    fn value(&mut self, value: &Value, default: &Value, path: &[String]) {
        let mut trial = self.default.clone();
        if !insert(&mut trial, path, value.clone()) {
            return;
        }
        if let Err(error) = Value::Table(trial).try_into::<C>() {
            let right = match default {
                Value::Integer(_) => "a whole number of at least 0".to_owned(),
                Value::Float(_) => "a number".to_owned(),
                Value::Boolean(_) => "true or false".to_owned(),
                Value::Table(_) if !matches!(value, Value::Table(_) | Value::String(_)) => {
                    "this is a section".to_owned()
                }
                _ => error.message().trim().replace('\n', " "),
            };
            let fault = match default {
                Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => {
                    format!("found {}; it must be {right} (default {default})", in_words(value))
                }
                _ => format!("found {}; {right}", in_words(value)),
            };
            self.fault(path, fault);
        }
    }

    fn fault(&mut self, path: &[String], message: String) {
        self.faults.push(ConfigFault { path: path.join("."), message });
    }
}

/// Whether two tables at one place are a choice with data, which is replaced as a whole: `{ kind = "…", … }`,
/// or one variant's name with its data where the default has another variant.
fn is_choice(default: &Table, found: &Table) -> bool {
    let other_variant =
        default.len() == 1 && !found.is_empty() && !default.keys().any(|key| found.contains_key(key));
    default.contains_key("kind") || other_variant
}

/// Puts the values of `from`, faulty ones left out, over those of `into`.
fn merge(into: &mut Table, from: &Table, path: &mut Vec<String>, free: &[&str], faults: &[ConfigFault]) {
    for (key, value) in from {
        path.push(key.clone());
        let place = path.join(".");
        if !faults.iter().any(|fault| fault.path == place) {
            match (into.get_mut(key), value) {
                (Some(Value::Table(inner)), Value::Table(table))
                    if !is_choice(inner, table) && !free.contains(&place.as_str()) =>
                {
                    merge(inner, table, path, free, faults);
                }
                _ => drop(into.insert(key.clone(), value.clone())),
            }
        }
        path.pop();
    }
}

/// Puts a value at a path, making sections where they are missing. `false` where a part of the path is
/// a value and no section.
pub fn insert(table: &mut Table, path: &[String], value: Value) -> bool {
    let [sections @ .., key] = path else { return false };
    let mut here = table;
    for section in sections {
        let entry = here.entry(section.clone()).or_insert_with(|| Value::Table(Table::new()));
        match entry {
            Value::Table(inner) => here = inner,
            _ => return false,
        }
    }
    here.insert(key.clone(), value);
    true
}

/// Values that differ between two tables: path, value in the first, value in the second (`unset` where
/// there is none).
pub fn differences(before: &Table, after: &Table) -> Vec<(String, String, String)> {
    let (mut old, mut new) = (Vec::new(), Vec::new());
    flatten(before, &mut Vec::new(), &mut old);
    flatten(after, &mut Vec::new(), &mut new);
    let mut paths: Vec<&String> = old.iter().chain(&new).map(|(path, _)| path).collect();
    paths.sort();
    paths.dedup();
    let find = |list: &[(String, String)], path: &str| {
        list.iter().find(|(here, _)| here == path).map_or("unset".to_owned(), |(_, value)| value.clone())
    };
    paths
        .into_iter()
        .map(|path| (path.clone(), find(&old, path), find(&new, path)))
        .filter(|(_, before, after)| before != after)
        .collect()
}

fn flatten(table: &Table, path: &mut Vec<String>, into: &mut Vec<(String, String)>) {
    for (key, value) in table {
        path.push(key.clone());
        match value {
            Value::Table(inner) if !inner.is_empty() && !inner.contains_key("kind") => {
                flatten(inner, path, into)
            }
            other => into.push((path.join("."), other.to_string())),
        }
        path.pop();
    }
}

/// A found value with its kind.
fn in_words(value: &Value) -> String {
    match value {
        Value::Table(_) => "a section".to_owned(),
        Value::String(_) => format!("the text {value}"),
        Value::Array(_) => format!("the list {value}"),
        _ => value.to_string(),
    }
}

/// Levenshtein distance of two short words.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, letter) in left.chars().enumerate() {
        let mut corner = index;
        row[0] = index + 1;
        for (place, &other) in right.iter().enumerate() {
            let replaced = corner + usize::from(letter != other);
            corner = row[place + 1];
            row[place + 1] = replaced.min(corner + 1).min(row[place] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    struct Outer {
        number: usize,
        rate: f64,
        kind_of_play: Word,
        choice: Choice,
        variant: Variant,
        inner: Inner,
        rules: Table,
    }

    #[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    struct Inner {
        many: u32,
        list: Vec<u32>,
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Word {
        Fast,
        Slow,
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "lowercase", tag = "kind")]
    enum Choice {
        Never,
        Every { turns: u32 },
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "lowercase")]
    enum Variant {
        Nothing,
        Always(u32),
        Mixed { full: u32, fast: u32 },
    }

    impl Default for Outer {
        fn default() -> Outer {
            Outer {
                number: 3,
                rate: 0.5,
                kind_of_play: Word::Fast,
                choice: Choice::Never,
                variant: Variant::Always(3),
                inner: Inner::default(),
                rules: Table::new(),
            }
        }
    }

    fn check(text: &str) -> (Outer, Vec<String>) {
        let table: Table = text.parse().unwrap();
        let (outer, faults) = read::<Outer>(&table, &["rules"]);
        (outer, faults.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn good_values_are_taken_and_the_rest_stays_default() {
        let (outer, faults) = check(
            "rate = 1\nchoice = { kind = \"every\", turns = 4 }\nrules.anything = 7\n[inner]\nmany = 9",
        );
        assert!(faults.is_empty(), "{faults:?}");
        assert_eq!((outer.number, outer.rate, outer.inner.many), (3, 1.0, 9));
        assert_eq!(outer.choice, Choice::Every { turns: 4 });
        assert_eq!(outer.rules["anything"].as_integer(), Some(7));
    }

    #[test]
    fn all_faults_are_named_at_once_with_their_keys() {
        let (outer, faults) = check(
            "numbr = 1\nnumber = \"x\"\nrate = true\nkind_of_play = \"quick\"\n\
             choice = { kind = \"every\", trns = 2 }\n[inner]\nmany = -1\nlist = 3\nextra = 1",
        );
        assert_eq!(outer, Outer::default(), "faulty values are left out");
        let starts = [
            "numbr: unknown key; did you mean `number`?",
            "number: found the text \"x\"; it must be a whole number of at least 0 (default 3)",
            "rate: found true; it must be a number (default 0.5)",
            "kind_of_play: found the text \"quick\"; unknown variant `quick`, expected `fast` or `slow`",
            "choice: found a section; ",
            "inner.many: found -1; it must be a whole number",
            "inner.list: found 3; ",
            "inner.extra: unknown key; known here are ",
        ];
        assert_eq!(faults.len(), starts.len(), "{faults:#?}");
        for start in starts {
            assert!(faults.iter().any(|fault| fault.starts_with(start)), "{start} in {faults:#?}");
        }
        assert!(check("inner = 3").1[0].contains("this is a section"));
    }

    #[test]
    fn variants_are_replaced_as_a_whole() {
        for (text, variant) in [
            ("variant = \"nothing\"", Variant::Nothing),
            ("variant.always = 4", Variant::Always(4)),
            ("[variant.mixed]\nfull = 2\nfast = 1", Variant::Mixed { full: 2, fast: 1 }),
        ] {
            let (outer, faults) = check(text);
            assert!(faults.is_empty(), "{faults:?}");
            assert_eq!(outer.variant, variant);
        }
        for (text, start) in [
            ("variant = \"nothin\"", "variant: found the text \"nothin\"; unknown variant"),
            ("variant.alwys = 4", "variant: found a section; unknown variant `alwys`"),
            ("variant.always = \"x\"", "variant.always: found the text"),
            ("[variant.mixed]\nfull = 2", "variant: found a section; missing field `fast`"),
        ] {
            let (_, faults) = check(text);
            assert_eq!(faults.len(), 1, "{faults:?}");
            assert!(faults[0].starts_with(start), "{start} in {faults:?}");
        }
    }

    #[test]
    fn differences_name_the_keys() {
        let before: Table = "a = 1\n[b]\nc = 2\nd = 3".parse().unwrap();
        let after: Table = "a = 1\n[b]\nc = 4\ne = 5".parse().unwrap();
        let text = |part: &str| part.to_owned();
        assert_eq!(
            differences(&before, &after),
            [
                (text("b.c"), text("2"), text("4")),
                (text("b.d"), text("3"), text("unset")),
                (text("b.e"), text("unset"), text("5"))
            ]
        );
    }
}
