//! The option `win_set`: which battles win the game (rules, section 8).

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// A set of the battles that win the game: `win_set`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WinSet {
    /// Losing the last navy loses.
    pub marine: bool,
    /// Losing the last air force loses.
    pub air: bool,
    /// Losing the last tank, infantry and artillery loses.
    pub land: bool,
}

impl WinSet {
    /// All three.
    pub const ALL: WinSet = WinSet { marine: true, air: true, land: true };
    /// None: only the commander counts.
    pub const COMMANDER: WinSet = WinSet { marine: false, air: false, land: false };
}

impl Serialize for WinSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let words = [(self.marine, "marine"), (self.air, "air"), (self.land, "land")];
        serializer.collect_seq(words.iter().filter(|(in_set, _)| *in_set).map(|(_, word)| word))
    }
}

impl<'de> Deserialize<'de> for WinSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "a list out of marine, air, land, or the word commander")]
        enum Form {
            Word(String),
            List(Vec<String>),
        }
        let words: Vec<String> = match Form::deserialize(deserializer)? {
            Form::List(words) => words,
            Form::Word(text) => {
                text.split(',').map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect()
            }
        };
        let mut set = WinSet::COMMANDER;
        for word in &words {
            let place = match word.as_str() {
                "marine" => &mut set.marine,
                "air" => &mut set.air,
                "land" => &mut set.land,
                "commander" if words.len() == 1 => return Ok(set),
                "commander" => {
                    return Err(D::Error::custom("win_set: `commander` stands alone, without other words"));
                }
                other => {
                    return Err(D::Error::custom(format!(
                        "win_set: unknown word `{other}`, expected marine, air, land or commander alone"
                    )));
                }
            };
            if *place {
                return Err(D::Error::custom(format!("win_set: `{word}` stands twice")));
            }
            *place = true;
        }
        Ok(set)
    }
}
