//! A tiny game with turns of several steps, points and truncation, for tests.
//!
//! A heap of stones. A turn begins with `take` (one stone, turn over) or `more` (one stone, and the
//! same player goes on with `take` or `stop`). Who takes the last stone wins; each stone is a point.
//! After `limit` turns the game is cut off.

use game::{
    Encoding, Fault, Faults, Game, Line, Notation, Outcome, Owner, PlaneShape, PlanesMut, Player,
    PolicyShape, StepCode,
};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    pub stones: u8,
    pub limit: u8,
}

#[derive(Clone, Debug)]
pub struct Pile(pub Rules);

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    pub stones: u8,
    pub second_to_move: bool,
    pub mid_turn: bool,
    pub taken: [u8; 2],
    pub turns: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Take = 0,
    More = 1,
    Stop = 2,
}

impl Pile {
    pub fn new(stones: u8, limit: u8) -> Pile {
        Pile(Rules { stones, limit })
    }
}

impl Game for Pile {
    type Position = Position;
    type Step = Step;
    type Mark = ();
    type Rules = Rules;

    const NAME: &'static str = "pile";
    const RULES_VERSION: u32 = 1;

    fn presets() -> &'static [&'static str] {
        &["standard"]
    }

    fn preset(name: &str) -> Option<Rules> {
        (name == "standard").then_some(Rules { stones: 9, limit: 30 })
    }

    fn with_rules(rules: Rules) -> Result<Pile, String> {
        Ok(Pile(rules))
    }

    fn rules(&self) -> &Rules {
        &self.0
    }

    fn start(&self) -> Position {
        Position { stones: self.0.stones, second_to_move: false, mid_turn: false, taken: [0, 0], turns: 0 }
    }

    fn mover(&self, position: &Position) -> Player {
        if position.second_to_move { Player::Second } else { Player::First }
    }

    fn mid_turn(&self, position: &Position) -> bool {
        position.mid_turn
    }

    fn legal_steps(&self, position: &Position, steps: &mut Vec<Step>) {
        steps.clear();
        if position.stones > 0 && position.turns < self.0.limit {
            steps.extend([Step::Take, if position.mid_turn { Step::Stop } else { Step::More }]);
        }
    }

    fn play(&self, position: &mut Position, step: Step) {
        if step != Step::Stop {
            position.stones -= 1;
            position.taken[usize::from(position.second_to_move)] += 1;
        }
        position.mid_turn = step == Step::More && position.stones > 0;
        if !position.mid_turn {
            position.second_to_move = !position.second_to_move;
            position.turns += 1;
        }
    }

    fn repetition_key(&self, position: &Position) -> u64 {
        self.evaluation_key(position)
    }

    fn irreversible(&self, _position: &Position) -> bool {
        true
    }

    fn mark(&self, _position: &Position) {}

    fn outcome(&self, position: &Position, _line: &Line<()>) -> Option<Outcome> {
        if position.stones == 0 {
            Some(Outcome::win(self.mover(position).opponent(), "last"))
        } else if position.turns >= self.0.limit {
            Some(Outcome::truncated("length"))
        } else {
            None
        }
    }

    fn longest_game(&self) -> u32 {
        u32::from(self.0.limit)
    }

    fn points(&self, position: &Position) -> [i32; 2] {
        position.taken.map(i32::from)
    }

    fn is_capture(&self, _position: &Position, step: Step) -> bool {
        step != Step::Stop
    }
}

impl Notation for Pile {
    fn read_position(&self, text: &str) -> Result<Position, Faults> {
        let numbers: Vec<u8> = text.split(' ').filter_map(|word| word.parse().ok()).collect();
        match numbers[..] {
            [stones, second, mid, first_taken, second_taken, turns] => Ok(Position {
                stones,
                second_to_move: second == 1,
                mid_turn: mid == 1,
                taken: [first_taken, second_taken],
                turns,
            }),
            _ => Err(Fault::new("position", format!("`{text}` is not six numbers")).into()),
        }
    }

    fn write_position(&self, position: &Position) -> String {
        let Position { stones, second_to_move, mid_turn, taken, turns } = position;
        format!("{stones} {} {} {} {} {turns}", *second_to_move as u8, *mid_turn as u8, taken[0], taken[1])
    }

    fn step_text(&self, _position: &Position, step: Step) -> String {
        format!("{step:?}")
    }

    fn read_turn(&self, _position: &Position, text: &str) -> Result<Vec<Step>, Fault> {
        Err(Fault::new(text, "turns are not read in tests"))
    }

    fn board_text(&self, position: &Position) -> String {
        format!("{}\n", self.write_position(position))
    }

    fn board_svg(&self, _position: &Position, _last_turn: Option<(&Position, &[Step])>) -> String {
        "<svg/>".to_owned()
    }
}

impl Encoding for Pile {
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape { channels: 5, rows: 1, columns: 1 }
    }

    fn policy_shape(&self) -> PolicyShape {
        PolicyShape { squares: 1, planes: 3, cells_per_step: 2 }
    }

    fn write_planes(&self, position: &Position, planes: &mut PlanesMut<'_>) {
        let [own, enemy] = if position.second_to_move { [1, 0] } else { [0, 1] };
        planes.set(0, 0, f32::from(position.stones));
        planes.set(1, 0, f32::from(u8::from(position.mid_turn)));
        planes.set(2, 0, f32::from(position.taken[own]));
        planes.set(3, 0, f32::from(position.taken[enemy]));
        planes.set(4, 0, f32::from(position.turns));
    }

    fn evaluation_key(&self, position: &Position) -> u64 {
        let [own, enemy] = if position.second_to_move { [1, 0] } else { [0, 1] };
        let bytes = [
            position.stones,
            position.mid_turn as u8,
            position.taken[own],
            position.taken[enemy],
            position.turns,
            0,
            0,
            1,
        ];
        u64::from_le_bytes(bytes).wrapping_mul(0x9e37_79b9_7f4a_7c15).swap_bytes()
    }

    fn step_code(&self, _position: &Position, step: Step) -> StepCode {
        StepCode(step as u32)
    }

    /// One cell; the second is left out.
    fn policy_cells(&self, _position: &Position, step: Step, cells: &mut [u32]) {
        cells.copy_from_slice(&[step as u32, game::NO_CELL]);
    }

    /// Stones on a pile are nobody's.
    fn owners(&self, _position: &Position, _viewer: Player, owners: &mut [Owner]) {
        owners.fill(Owner::Nobody);
    }

    fn margin_unit(&self) -> f32 {
        4.0
    }
}
