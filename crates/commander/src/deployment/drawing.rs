//! Set-ups as pictures that carry their line, so that they are read back.

use super::{Deployment, WrittenDeployment};
use crate::commander::Commander;
use crate::svg;
use game::{Faults, Player};

/// Stands before each set-up in the description of a picture.
const MARK: &str = "Commander Chess set-up: ";

impl Commander {
    /// The own half of a set-up as an SVG document. Its description holds the set-up's line.
    pub fn deployment_svg(&self, deployment: &Deployment) -> String {
        let mut position = self.deployed([deployment, &Deployment::new(Vec::new())]);
        position.mover = Player::First;
        svg::half_board_svg(&position, &format!("{MARK}{deployment}"))
    }

    /// The board with both set-ups as an SVG document. Its description holds both lines.
    pub fn deployed_svg(&self, sides: [&Deployment; 2]) -> String {
        let lines = sides.map(|deployment| format!("{MARK}{deployment}")).join("\n");
        svg::described_board_svg(&self.deployed(sides), &lines)
    }
}

/// The set-ups in the description of a picture, in their order. What the drawing itself shows is not looked
/// at.
pub(super) fn read_svg(text: &str) -> Vec<(WrittenDeployment, Faults)> {
    let lines = text.split(MARK).skip(1);
    lines
        .map(|rest| {
            let end = rest.find(['<', '\n']).unwrap_or(rest.len());
            WrittenDeployment::read_line(&rest[..end])
        })
        .collect()
}

/// Whether a text is an SVG document.
pub(super) fn is_svg(text: &str) -> bool {
    text.trim_start().starts_with('<')
}
