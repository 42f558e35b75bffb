//! The rules half of the contract.

use crate::emergo::Emergo;
use crate::key::key;
use crate::position::Position;
use crate::rules::Rules;
use crate::step::Step;
use game::{Game, Line, Outcome, Player};

impl Game for Emergo {
    type Position = Position;
    type Step = Step;
    type Mark = ();
    type Rules = Rules;

    const NAME: &'static str = "emergo";
    const RULES_VERSION: u32 = 1;

    fn presets() -> &'static [&'static str] {
        &Rules::PRESETS
    }

    fn preset(name: &str) -> Option<Rules> {
        Rules::PRESETS.contains(&name).then(Rules::default)
    }

    fn with_rules(rules: Rules) -> Result<Emergo, String> {
        Emergo::new(rules)
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn start(&self) -> Position {
        Position::start(self.board.men)
    }

    #[inline]
    fn mover(&self, position: &Position) -> Player {
        position.mover
    }

    #[inline]
    fn mid_turn(&self, position: &Position) -> bool {
        position.capture.under_way()
    }

    #[inline]
    fn legal_steps(&self, position: &Position, steps: &mut Vec<Step>) {
        self.list_steps(position, steps);
    }

    #[inline]
    fn count_steps(&self, position: &Position, _scratch: &mut Vec<Step>) -> usize {
        self.number_of_steps(position)
    }

    #[inline]
    fn count_turns(&self, position: &Position) -> Option<u64> {
        Some(self.number_of_turns(position))
    }

    #[inline]
    fn play(&self, position: &mut Position, step: Step) {
        self.play_step(position, step);
    }

    #[inline]
    fn repetition_key(&self, position: &Position) -> u64 {
        let [white, black] = position.hands.map(u64::from);
        key(position, position.sides, white << 16 | black << 8 | position.mover.index() as u64)
    }

    /// After an entry only: captured men may be freed and change sides again, so that columns of every
    /// kind can come back.
    #[inline]
    fn irreversible(&self, position: &Position) -> bool {
        position.entered
    }

    #[inline]
    fn mark(&self, _position: &Position) {}

    #[inline]
    fn outcome(&self, position: &Position, line: &Line<()>) -> Option<Outcome> {
        self.judge(position, line)
    }

    fn longest_game(&self) -> u32 {
        u32::from(self.rules.max_turns)
    }

    /// Prisoners that each side holds. The difference is also that of men who can still play, on the
    /// board or from the hand, while both sides have all their men.
    fn points(&self, position: &Position) -> [i32; 2] {
        Player::BOTH.map(|side| i32::from(position.prisoners(side)))
    }

    #[inline]
    fn is_capture(&self, _position: &Position, step: Step) -> bool {
        matches!(step, Step::Jump { .. })
    }
}
