//! Faults of a written position.

use std::fmt;

/// One fault of an input: where, what was found, what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where: a point (`e4`), a field of the text (`side`, `points`), a rank.
    pub place: String,
    /// What was found and what would be right, in one line.
    pub message: String,
}

impl Fault {
    /// A fault at a place.
    pub fn new(place: impl Into<String>, message: impl Into<String>) -> Fault {
        Fault { place: place.into(), message: message.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.place, self.message)
    }
}

/// All faults of an input at once; never empty when returned as an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults(pub Vec<Fault>);

impl Faults {
    /// No faults yet.
    pub const fn new() -> Faults {
        Faults(Vec::new())
    }

    /// Adds a fault.
    pub fn add(&mut self, place: impl Into<String>, message: impl Into<String>) {
        self.0.push(Fault::new(place, message));
    }

    /// `value` when there are no faults, else the faults.
    pub fn into_result<T>(self, value: T) -> Result<T, Faults> {
        if self.0.is_empty() { Ok(value) } else { Err(self) }
    }
}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Faults {
        Faults(vec![fault])
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.0.iter().enumerate() {
            if index > 0 {
                formatter.write_str("; ")?;
            }
            write!(formatter, "{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}
