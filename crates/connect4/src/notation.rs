//! Connect Four as text.

use crate::{
    ConnectFour, Setup,
    board::{COLUMNS, Position, ROWS, Step},
    picture,
    setup::file_name,
};
use game::{Fault, Faults, Game, Notation, Player, StepTrace};

impl Notation for ConnectFour {
    /// Rows from the top, then the side to move: `7/7/7/7/7/7 x`. See [`Setup::read`].
    fn read_position(&self, text: &str) -> Result<Position, Faults> {
        Setup::read(text)?.position()
    }

    fn write_position(&self, position: &Position) -> String {
        let mut text = String::new();
        for height in (0..ROWS).rev() {
            let mut empty = 0;
            for file in 0..COLUMNS {
                match position.stone(file, height) {
                    Some(player) => {
                        push_empty(&mut text, &mut empty);
                        text.push(letter(player));
                    }
                    None => empty += 1,
                }
            }
            push_empty(&mut text, &mut empty);
            text.push(if height == 0 { ' ' } else { '/' });
        }
        text.push(letter(position.mover()));
        text
    }

    /// The letter of the file.
    fn step_text(&self, _position: &Position, step: Step) -> String {
        file_name(step.file()).to_string()
    }

    fn read_step(&self, position: &Position, text: &str) -> Result<Step, Fault> {
        let mut letters = text.chars();
        let step = match (letters.next(), letters.next()) {
            (Some(letter @ 'a'..='g'), None) => Step::into_file(letter as usize - 'a' as usize),
            _ => None,
        };
        let step = step.ok_or_else(|| Fault::new(text, "no step: write a file from a to g"))?;
        let mut steps = Vec::with_capacity(COLUMNS);
        self.legal_steps(position, &mut steps);
        if steps.contains(&step) {
            Ok(step)
        } else if steps.is_empty() {
            Err(Fault::new(text, "not legal here: the game has ended"))
        } else {
            Err(Fault::new(text, "not legal here: the file is full"))
        }
    }

    fn read_turn(&self, position: &Position, text: &str) -> Result<Vec<Step>, Fault> {
        self.read_step(position, text).map(|step| vec![step])
    }

    fn board_text(&self, position: &Position) -> String {
        picture::text(position)
    }

    fn board_svg(&self, position: &Position, last_turn: Option<(&Position, &[Step])>) -> String {
        picture::svg(position, last_turn)
    }

    /// The point on which the stone lands.
    fn step_trace(&self, position: &Position, step: Step) -> Option<StepTrace> {
        Some(picture::step_trace(position, step))
    }
}

/// The letter of a player's stones.
pub(crate) const fn letter(player: Player) -> char {
    match player {
        Player::First => 'x',
        Player::Second => 'o',
    }
}

fn push_empty(text: &mut String, empty: &mut usize) {
    if *empty > 0 {
        text.push_str(&empty.to_string());
        *empty = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> Vec<String> {
        let Err(Faults(faults)) = ConnectFour::new().read_position(text) else { panic!("{text} was read") };
        faults.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn positions_are_written_as_they_are_read() {
        let game = ConnectFour::new();
        for text in [
            "7/7/7/7/7/7 x",
            "7/7/7/7/7/3x3 o",
            "7/7/7/3o3/3x3/2oxx2 o",
            "xoxoxox/xoxoxox/oxoxoxo/oxoxoxo/xoxoxox/oxoxoxo x",
        ] {
            let position = game.read_position(text).unwrap_or_else(|faults| panic!("{faults}"));
            assert_eq!(game.write_position(&position), text);
        }
        // Blank space around and runs of empty points in parts mean the same.
        assert_eq!(game.read_position(" 34/7/7/7/7/1111111  x ").unwrap(), Position::START);
    }

    #[test]
    fn every_fault_is_named_at_once() {
        assert_eq!(
            faults("7/8/7/xq5/7/3x z w"),
            [
                "row 5: `8`: write x, o or a digit from 1 to 7",
                "row 5: `8` has 1 points: there must be 7",
                "row 3: `q`: write x, o or a digit from 1 to 7",
                "row 1: `3x` has 4 points: there must be 7",
                "side: `z`: write x or o",
                "end: `w`: nothing may follow the side to move",
            ]
        );
        assert_eq!(faults("7/7/7/7/7/7/3x3 o"), ["rows: 7 rows: there must be 6"]);
        assert_eq!(
            faults("7/7/3x3/7/o6/7 x"),
            ["a2: a stone hangs in the air: a1 is empty", "d4: a stone hangs in the air: d3 is empty"]
        );
        assert_eq!(
            faults("7/7/7/7/7/xx5 x"),
            ["side: 2 x and 0 o with x to move: there must be as many of each"]
        );
        assert_eq!(
            faults("7/7/7/7/7/xo5 o"),
            ["side: 1 x and 1 o with o to move: there must be one x more than o"]
        );
        assert_eq!(
            faults(""),
            [
                "rows: nothing there: write six rows and the side to move, as in `7/7/7/7/7/7 x`",
                "side: missing: write x or o after the rows",
            ]
        );
    }

    #[test]
    fn lines_of_four_that_play_cannot_reach_are_refused() {
        let early = ["side: the side to move has four in a line already: it would have won before"];
        assert_eq!(faults("7/7/7/7/oooo3/xxxx3 x"), early);
        // Two lines of x without a common stone, with as many stones of o without a line.
        let apart = ["rows: no single last stone completes all lines of four"];
        assert_eq!(faults("7/7/x5x/xo4x/xo3ox/xoo1oox o"), apart);
        // One line under stones that were dropped after it.
        assert_eq!(faults("7/7/7/7/ooox3/xxxxo2 o"), apart);
        // One stone may complete two lines.
        let game = ConnectFour::new();
        assert!(game.read_position("7/7/7/7/ooo4/xxxx3 o").is_ok());
        let double = game.read_position("7/7/7/ooo4/ooo4/xxxxxxx o").unwrap();
        assert!(double.is_won());
    }

    #[test]
    fn steps_say_why_they_are_refused() {
        let game = ConnectFour::new();
        let message = |fen: &str, text: &str| {
            let position = game.read_position(fen).unwrap();
            game.read_step(&position, text).unwrap_err().to_string()
        };
        assert_eq!(message("7/7/7/7/7/7 x", "h"), "h: no step: write a file from a to g");
        assert_eq!(message("7/7/7/7/7/7 x", "aa"), "aa: no step: write a file from a to g");
        assert_eq!(message("o6/x6/o6/x6/o6/x6 x", "a"), "a: not legal here: the file is full");
        assert_eq!(message("7/7/7/7/ooo4/xxxx3 o", "g"), "g: not legal here: the game has ended");
    }
}
