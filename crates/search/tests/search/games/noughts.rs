//! Noughts and crosses, one or more marks a turn.

use game::{Game, Line, Outcome, Player};

#[derive(Clone)]
pub struct Noughts {
    /// Marks that a player puts down in a turn.
    pub marks: u8,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Board {
    /// `x`, `o` or `.` for each square.
    squares: [u8; 9],
    mover: Player,
    /// Marks put down in the turn under way.
    put: u8,
}

const ROWS: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

impl Noughts {
    /// `x` is the first player.
    pub fn board(squares: &str, mover: Player) -> Board {
        Board { squares: squares.as_bytes().try_into().unwrap(), mover, put: 0 }
    }
}

impl Game for Noughts {
    type Position = Board;
    type Step = u8;
    type Mark = ();
    type Rules = ();
    const NAME: &'static str = "noughts";
    const RULES_VERSION: u32 = 1;

    fn presets() -> &'static [&'static str] {
        &["plain"]
    }
    fn preset(_name: &str) -> Option<()> {
        Some(())
    }
    fn with_rules(_rules: ()) -> Result<Self, String> {
        Ok(Noughts { marks: 1 })
    }
    fn rules(&self) -> &() {
        &()
    }
    fn start(&self) -> Board {
        Noughts::board(".........", Player::First)
    }
    fn mover(&self, board: &Board) -> Player {
        board.mover
    }
    fn mid_turn(&self, board: &Board) -> bool {
        board.put > 0
    }
    fn legal_steps(&self, board: &Board, steps: &mut Vec<u8>) {
        steps.clear();
        steps.extend((0..9).filter(|&square| board.squares[square as usize] == b'.'));
    }
    fn play(&self, board: &mut Board, step: u8) {
        board.squares[step as usize] = b"xo"[board.mover.index()];
        board.put += 1;
        let ended = self.outcome(board, &Line::new()).is_some();
        if board.put == self.marks || ended {
            (board.put, board.mover) = (0, board.mover.opponent());
        }
    }
    fn repetition_key(&self, board: &Board) -> u64 {
        // The last two bits tell the three letters apart; nine whole ones do not fit.
        board.squares.iter().fold(0, |key, &square| key * 4 + u64::from(square % 4))
    }
    fn irreversible(&self, _board: &Board) -> bool {
        true
    }
    fn mark(&self, _board: &Board) {}
    fn outcome(&self, board: &Board, _line: &Line<()>) -> Option<Outcome> {
        for row in ROWS {
            let marks = row.map(|square| board.squares[square]);
            if marks == *b"xxx" {
                return Some(Outcome::win(Player::First, "row"));
            }
            if marks == *b"ooo" {
                return Some(Outcome::win(Player::Second, "row"));
            }
        }
        (!board.squares.contains(&b'.')).then_some(Outcome::draw("full"))
    }
    fn longest_game(&self) -> u32 {
        9
    }
    fn points(&self, _board: &Board) -> [i32; 2] {
        [0, 0]
    }
    fn is_capture(&self, _board: &Board, _step: u8) -> bool {
        false
    }
}
