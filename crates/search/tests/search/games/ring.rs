//! One token on a ring that either side moves by one; the game is drawn when a position occurs for
//! the second time, or a later one. The side to move belongs to the position.

use game::{Game, Line, Outcome, Player};

#[derive(Clone)]
pub struct Ring {
    pub size: u8,
    /// Occurrences of a position that end the game.
    pub occurrences: usize,
}

/// Square of the token, and the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Token(pub u8, pub Player);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Left,
    Right,
}

impl Game for Ring {
    type Position = Token;
    type Step = Way;
    type Mark = ();
    type Rules = ();
    const NAME: &'static str = "ring";
    const RULES_VERSION: u32 = 1;

    fn presets() -> &'static [&'static str] {
        &["plain"]
    }
    fn preset(_name: &str) -> Option<()> {
        Some(())
    }
    fn with_rules(_rules: ()) -> Result<Self, String> {
        Ok(Ring { size: 7, occurrences: 2 })
    }
    fn rules(&self) -> &() {
        &()
    }
    fn start(&self) -> Token {
        Token(0, Player::First)
    }
    fn mover(&self, token: &Token) -> Player {
        token.1
    }
    fn mid_turn(&self, _token: &Token) -> bool {
        false
    }
    fn legal_steps(&self, _token: &Token, steps: &mut Vec<Way>) {
        steps.clear();
        steps.extend([Way::Left, Way::Right]);
    }
    fn play(&self, token: &mut Token, step: Way) {
        let by = match step {
            Way::Left => self.size - 1,
            Way::Right => 1,
        };
        *token = Token((token.0 + by) % self.size, token.1.opponent());
    }
    fn repetition_key(&self, token: &Token) -> u64 {
        u64::from(token.0) * 2 + token.1.index() as u64
    }
    fn irreversible(&self, _token: &Token) -> bool {
        false
    }
    fn mark(&self, _token: &Token) {}
    fn outcome(&self, _token: &Token, line: &Line<()>) -> Option<Outcome> {
        (line.occurrences() >= self.occurrences).then_some(Outcome::draw("repetition"))
    }
    fn longest_game(&self) -> u32 {
        u32::from(self.size) * 2 * self.occurrences as u32
    }
    fn points(&self, _token: &Token) -> [i32; 2] {
        [0, 0]
    }
    fn is_capture(&self, _token: &Token, _step: Way) -> bool {
        false
    }
}
