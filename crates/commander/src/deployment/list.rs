//! Files of set-ups, in any of the three forms.

use super::drawing::{is_svg, read_svg};
use super::template::is_template;
use super::{Deployment, WrittenDeployment};
use crate::commander::Commander;
use game::starts::ListedStart;
use game::{Fault, Faults};

/// A set-up that a text holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedDeployment {
    /// Line of the text, from 1, where each set-up has a line of its own.
    pub line: Option<usize>,
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

/// The set-ups of a text: one a line, or a board in characters, or a picture that holds set-ups.
///
/// # Errors
/// A text without a set-up.
pub fn read_list(text: &str) -> Result<Vec<ListedDeployment>, Fault> {
    let whole = |(written, faults)| ListedDeployment { line: None, written, faults };
    let found: Vec<ListedDeployment> = if is_svg(text) {
        read_svg(text).into_iter().map(whole).collect()
    } else if is_template(text) {
        vec![whole(WrittenDeployment::read_template(text))]
    } else {
        ListedStart::read(text)
            .into_iter()
            .map(|start| {
                let (written, faults) = WrittenDeployment::read_line(&start.text);
                ListedDeployment { line: Some(start.line), written, faults }
            })
            .collect()
    };
    match found.is_empty() {
        false => Ok(found),
        true if is_svg(text) => Err(Fault::new("picture", "its description has no set-up")),
        true => Err(Fault::new("text", "has no set-up, expected one such as `N b2 c4, F e2 i2, …`")),
    }
}
