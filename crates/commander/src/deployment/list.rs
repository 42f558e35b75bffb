//! Files of set-ups, in any of the three forms.

use super::drawing::{is_svg, read_svg};
use super::template::is_template;
use super::{Deployment, WrittenDeployment};
use crate::commander::Commander;
use game::starts::ListedStart;
use game::{Fault, Faults};

/// A set-up that a text holds.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedDeployment {
    /// Line of the text, from 1, where each set-up has a line of its own.
    pub line: Option<usize>,
    /// How often it counts beside the others; 1 where nothing is said.
    pub weight: f64,
    /// What is written, as far as it can be read.
    pub written: WrittenDeployment,
    /// What cannot be read.
    pub faults: Faults,
}

impl ListedDeployment {
    /// The set-up under the rules of a game, or everything that is wrong with it.
    ///
    /// # Errors
    /// Faults of the text and those of [`Commander::deployment`].
    pub fn deployment(&self, game: &Commander) -> Result<Deployment, Faults> {
        match game.deployment(&self.written) {
            Ok(deployment) => self.faults.clone().into_result(deployment),
            Err(more) => Err(Faults([self.faults.0.as_slice(), &more.0].concat())),
        }
    }
}

/// The weight that stands before the set-up of a line (`0.25: N b2 c4, …`), 1 where there is none, and the
/// set-up.
///
/// # Errors
/// A weight that is no number above 0, and the set-up behind it.
pub fn split_weight(line: &str) -> Result<(f64, &str), (Fault, &str)> {
    let Some((weight, rest)) = line.split_once(':') else { return Ok((1.0, line)) };
    match weight.trim().parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok((number, rest)),
        _ => Err((
            Fault::new(
                format!("`{}:`", weight.trim()),
                "is no weight, expected a number above 0 such as 0.25",
            ),
            rest,
        )),
    }
}

/// The set-ups of a text: one a line, with its weight before it where they count unequally (`0.25: N b2 …`),
/// or a board in characters, or a picture that holds set-ups.
///
/// # Errors
/// A text without a set-up.
pub fn read_list(text: &str) -> Result<Vec<ListedDeployment>, Fault> {
    let whole = |(written, faults)| ListedDeployment { line: None, weight: 1.0, written, faults };
    let found: Vec<ListedDeployment> = if is_svg(text) {
        read_svg(text).into_iter().map(whole).collect()
    } else if is_template(text) {
        vec![whole(WrittenDeployment::read_template(text))]
    } else {
        ListedStart::read(text)
            .into_iter()
            .map(|start| {
                let (weight, found, rest) = match split_weight(&start.text) {
                    Ok((weight, rest)) => (weight, None, rest),
                    Err((fault, rest)) => (1.0, Some(fault), rest),
                };
                let (written, mut faults) = WrittenDeployment::read_line(rest);
                faults.0.extend(found);
                ListedDeployment { line: Some(start.line), weight, written, faults }
            })
            .collect()
    };
    match found.is_empty() {
        false => Ok(found),
        true if is_svg(text) => Err(Fault::new("picture", "its description has no set-up")),
        true => Err(Fault::new("text", "has no set-up, expected one such as `N b2 c4, F e2 i2, …`")),
    }
}
