//! A tiny game for tests of this crate, with turns of several steps and, on demand, a flaw.
//!
//! A pile of stones; a turn takes 1 to `most` of them one by one; who takes the last one wins (or
//! loses). A stone taken while an even number lies there is worth a point. A position may be seen in
//! two colours, `plain` and `mirrored`, which mean the same: the game's only symmetry.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]
#![allow(dead_code)]

use game::{
    Encoding, Fault, Faults, Game, Line, Notation, Outcome, Owner, PlaneShape, PlanesMut, Player,
    PolicyShape, StepCode,
};
use rand::Rng;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Who takes the last stone …
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Last {
    Wins,
    Loses,
}

/// Words that mean nothing: an option that is a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Word {
    Red,
    Green,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    pub pile: u8,
    pub most: u8,
    pub last: Last,
    pub visible: bool,
    pub words: Vec<Word>,
}

/// What is wrong with the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    None,
    RestlessOrder,
    MiscountedSteps,
    MiscountedTurns,
    UnevenDraws,
    EndlessDraws,
    EarlyEnd,
    MissingEnd,
    EndForgottenByLine,
    RestlessMover,
    SameMover,
    ShortLongestGame,
    PointsWithoutCapture,
    KeyOfMover,
    Viewer,
    LostPoints,
    GarbageRead,
    StepText,
    AnyStepText,
    TurnText,
    TurnSoFar,
    Svg,
    BoardText,
    StepCode,
    AnyStepCode,
    PolicyCells,
    NoPolicyCell,
    Owners,
    Planes,
    FineKey,
    CoarseKey,
    HiddenSteps,
    FlatKey,
    MarginUnit,
    MirroredCells,
    MirroredPlay,
}

#[derive(Clone, Debug)]
pub struct Pile {
    rules: Rules,
    pub flaw: Flaw,
    calls: Arc<AtomicU32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    stones: u8,
    taken: u8,
    mover: Player,
    mirrored: bool,
    points: [i32; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Take,
    Stop,
}

const POLICY: PolicyShape = PolicyShape { squares: 2, planes: 2, cells_per_step: 2 };

impl Pile {
    pub fn new(pile: u8, most: u8, flaw: Flaw) -> Pile {
        let rules = Rules { pile, most, ..Pile::preset("usual").unwrap() };
        Pile { rules, flaw, calls: Arc::default() }
    }

    fn is(&self, flaw: Flaw) -> bool {
        self.flaw == flaw
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
        &["usual", "misere"]
    }

    fn preset(name: &str) -> Option<Rules> {
        let rules = Rules { pile: 21, most: 3, last: Last::Wins, visible: true, words: vec![Word::Red] };
        match name {
            "usual" => Some(rules),
            "misere" => Some(Rules { last: Last::Loses, ..rules }),
            _ => None,
        }
    }

    fn with_rules(rules: Rules) -> Result<Pile, String> {
        if rules.most == 0 {
            return Err("most = 0: no turn could take a stone".to_owned());
        }
        Ok(Pile { rules, flaw: Flaw::None, calls: Arc::default() })
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn start(&self) -> Position {
        Position { stones: self.rules.pile, taken: 0, mover: Player::First, mirrored: false, points: [0, 0] }
    }

    fn mover(&self, position: &Position) -> Player {
        if self.is(Flaw::SameMover) {
            return Player::First;
        }
        let inside = self.is(Flaw::RestlessMover) && position.taken == 1;
        if inside { position.mover.opponent() } else { position.mover }
    }

    fn mid_turn(&self, position: &Position) -> bool {
        position.taken > 0
    }

    fn legal_steps(&self, position: &Position, steps: &mut Vec<Step>) {
        steps.clear();
        if position.stones > 0 {
            steps.push(Step::Take);
            if position.taken > 0 {
                steps.push(Step::Stop);
            }
        }
        let calls = self.calls.fetch_add(1, Ordering::Relaxed);
        if self.is(Flaw::RestlessOrder) && calls % 2 == 1 {
            steps.reverse();
        }
    }

    fn count_steps(&self, position: &Position, scratch: &mut Vec<Step>) -> usize {
        self.legal_steps(position, scratch);
        scratch.len() + usize::from(self.is(Flaw::MiscountedSteps))
    }

    fn random_step<R: Rng>(
        &self,
        position: &Position,
        line: &Line<()>,
        random: &mut R,
        scratch: &mut Vec<Step>,
    ) -> ControlFlow<Option<Outcome>, Step> {
        if self.is(Flaw::EndlessDraws) {
            return ControlFlow::Continue(Step::Take);
        }
        if let Some(outcome) = self.outcome(position, line) {
            return ControlFlow::Break(Some(outcome));
        }
        self.legal_steps(position, scratch);
        let Some(&first) = scratch.first() else { return ControlFlow::Break(None) };
        // Two thirds and one third in place of halves.
        let chances = scratch.len() + usize::from(self.is(Flaw::UnevenDraws));
        let drawn = random.random_range(0..chances);
        ControlFlow::Continue(scratch.get(drawn).copied().unwrap_or(first))
    }

    fn count_turns(&self, position: &Position) -> Option<u64> {
        // One turn for every number of further stones, none included once a stone is taken.
        let further = position.stones.min(self.rules.most - position.taken);
        let turns = further + u8::from(position.taken > 0);
        Some(u64::from(turns) + u64::from(self.is(Flaw::MiscountedTurns)))
    }

    fn play(&self, position: &mut Position, step: Step) {
        if step == Step::Take {
            position.points[position.mover.index()] += i32::from(position.stones.is_multiple_of(2));
            position.stones -= 1;
            position.taken += 1;
            if position.taken < self.rules.most && position.stones > 0 {
                return;
            }
        }
        if self.is(Flaw::MirroredPlay) {
            position.mirrored = false;
        }
        position.taken = 0;
        position.mover = position.mover.opponent();
    }

    fn repetition_key(&self, position: &Position) -> u64 {
        if self.is(Flaw::KeyOfMover) {
            return 7;
        }
        u64::from(position.stones) << 2 | position.mover as u64
    }

    fn irreversible(&self, _position: &Position) -> bool {
        true
    }

    fn mark(&self, _position: &Position) {}

    fn outcome(&self, position: &Position, line: &Line<()>) -> Option<Outcome> {
        if self.is(Flaw::EarlyEnd) && position.stones == 9 && position.taken == 0 {
            return Some(Outcome::draw("early"));
        }
        let blind = self.is(Flaw::MissingEnd) || self.is(Flaw::EndForgottenByLine) && !line.is_empty();
        if position.stones > 0 || blind {
            return None;
        }
        let last = position.mover.opponent();
        Some(match self.rules.last {
            Last::Wins => Outcome::win(last, "last"),
            Last::Loses => Outcome::win(position.mover, "last"),
        })
    }

    fn longest_game(&self) -> u32 {
        if self.is(Flaw::ShortLongestGame) { 5 } else { u32::from(self.rules.pile) }
    }

    fn points(&self, position: &Position) -> [i32; 2] {
        position.points
    }

    fn is_capture(&self, position: &Position, step: Step) -> bool {
        step == Step::Take && position.stones.is_multiple_of(2) && !self.is(Flaw::PointsWithoutCapture)
    }

    fn observe(&self, position: &Position, _viewer: Player) -> Position {
        let less = u8::from(self.is(Flaw::Viewer) && position.stones > 0);
        Position { stones: position.stones - less, ..*position }
    }
}

impl Notation for Pile {
    fn read_position(&self, text: &str) -> Result<Position, Faults> {
        let mut faults = Faults::new();
        let words: Vec<&str> = text.split(' ').collect();
        let mut number = |index: usize, place: &str| {
            let number =
                words.get(index).and_then(|word| word.parse::<u8>().ok()).filter(|&number| number < 100);
            number.unwrap_or_else(|| {
                faults.add(place, "write a number below 100");
                0
            })
        };
        let [stones, taken, first, second] =
            [number(0, "stones"), number(1, "taken"), number(2, "first"), number(3, "second")];
        let mover = match words.get(4) {
            Some(&"first") => Player::First,
            Some(&"second") => Player::Second,
            _ => {
                faults.add("mover", "write first or second");
                Player::First
            }
        };
        let mirrored = match words.get(5) {
            Some(&"plain") => false,
            Some(&"mirrored") => true,
            _ => {
                faults.add("colour", "write plain or mirrored");
                false
            }
        };
        let garbage = self.is(Flaw::GarbageRead);
        if words.len() > 6 {
            faults.add("end", "six words are enough");
        }
        if !garbage && (taken >= self.rules.most || taken > 0 && stones == 0) {
            faults.add("taken", "the turn would have ended");
        }
        let points = [first, second].map(i32::from);
        faults.into_result(Position { stones, taken, mover, mirrored, points }).map(|position| Position {
            stones: if garbage && position.taken > 0 {
                position.stones.wrapping_mul(3) % 100
            } else {
                position.stones
            },
            ..position
        })
    }

    fn write_position(&self, position: &Position) -> String {
        let Position { stones, taken, mover, mirrored, points } = position;
        let points = if self.is(Flaw::LostPoints) { [0, 0] } else { *points };
        let mover = if *mover == Player::First { "first" } else { "second" };
        let colour = if *mirrored { "mirrored" } else { "plain" };
        format!("{stones} {taken} {} {} {mover} {colour}", points[0], points[1])
    }

    fn step_text(&self, _position: &Position, step: Step) -> String {
        match step {
            Step::Take => "take".to_owned(),
            Step::Stop if self.is(Flaw::StepText) => "take".to_owned(),
            Step::Stop => ".".to_owned(),
        }
    }

    fn read_step(&self, position: &Position, text: &str) -> Result<Step, Fault> {
        let mut steps = Vec::new();
        self.legal_steps(position, &mut steps);
        let found = steps.iter().copied().find(|&step| self.step_text(position, step) == text);
        let any = if self.is(Flaw::AnyStepText) { steps.first().copied() } else { None };
        found.or(any).ok_or_else(|| Fault::new(text, "not a legal step here"))
    }

    /// The number of stones taken.
    fn turn_text(&self, position: &Position, steps: &[Step]) -> String {
        let taken = usize::from(position.taken) + steps.iter().filter(|&&step| step == Step::Take).count();
        if self.is(Flaw::TurnText) { "some".to_owned() } else { taken.to_string() }
    }

    fn turn_so_far(&self, position: &Position) -> (Position, Vec<Step>) {
        if self.is(Flaw::TurnSoFar) {
            return (*position, Vec::new());
        }
        let mut before = *position;
        let mover = position.mover.index();
        while before.taken > 0 {
            before.taken -= 1;
            before.stones += 1;
            before.points[mover] -= i32::from(before.stones.is_multiple_of(2));
        }
        (before, vec![Step::Take; position.taken.into()])
    }

    fn read_turn(&self, position: &Position, text: &str) -> Result<Vec<Step>, Fault> {
        let fault = || Fault::new(text, "not a legal turn here");
        let taken = if text == "some" { 1 } else { text.parse::<u8>().map_err(|_| fault())? };
        if taken == 0 || taken > self.rules.most.min(position.stones) {
            return Err(fault());
        }
        let mut steps = vec![Step::Take; taken.into()];
        if taken < self.rules.most && taken < position.stones {
            steps.push(Step::Stop);
        }
        Ok(steps)
    }

    fn board_text(&self, position: &Position) -> String {
        let end = if self.is(Flaw::BoardText) { "" } else { "\n" };
        format!("{} stones{end}", position.stones)
    }

    fn board_svg(&self, position: &Position, _last_turn: Option<(&Position, &[Step])>) -> String {
        let end = if self.is(Flaw::Svg) { "" } else { "</text>" };
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\"><text>{}{end}</svg>", position.stones)
    }
}

impl Encoding for Pile {
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape { channels: 3, rows: 1, columns: 2 }
    }

    fn policy_shape(&self) -> PolicyShape {
        POLICY
    }

    fn write_planes(&self, position: &Position, planes: &mut PlanesMut<'_>) {
        let square = usize::from(position.mirrored);
        let calls = self.calls.fetch_add(1, Ordering::Relaxed);
        let shaking = if self.is(Flaw::Planes) { calls as f32 } else { 0.0 };
        planes.set(0, square, f32::from(position.stones) + shaking);
        if !self.is(Flaw::HiddenSteps) {
            planes.set(1, square, f32::from(position.taken));
        }
        planes.set(2, square, 1.0);
    }

    fn evaluation_key(&self, position: &Position) -> u64 {
        let taken = if self.is(Flaw::HiddenSteps) { 0 } else { position.taken };
        let mut key = u64::from(position.stones) << 8 | u64::from(taken) << 1 | u64::from(position.mirrored);
        if self.is(Flaw::FineKey) {
            key |= (position.points[0] as u64) << 20;
        }
        if self.is(Flaw::CoarseKey) {
            key >>= 1;
        }
        if self.is(Flaw::FlatKey) { key } else { mixed(key) }
    }

    fn step_code(&self, _position: &Position, step: Step) -> StepCode {
        match step {
            Step::Take => StepCode(1),
            Step::Stop if self.is(Flaw::StepCode) => StepCode(1),
            Step::Stop => StepCode(2),
        }
    }

    fn step_from_code(&self, position: &Position, code: StepCode) -> Option<Step> {
        let mut steps = Vec::new();
        self.legal_steps(position, &mut steps);
        let found = steps.iter().copied().find(|&step| self.step_code(position, step) == code);
        let any = if self.is(Flaw::AnyStepCode) { steps.first().copied() } else { None };
        found.or(any)
    }

    fn policy_cells(&self, position: &Position, step: Step, cells: &mut [u32]) {
        let forgotten = self.is(Flaw::MirroredCells) && position.stones.is_multiple_of(2);
        let square = usize::from(position.mirrored && !forgotten);
        cells.fill(game::NO_CELL);
        cells[0] = POLICY.cell(square, step as usize);
        if self.is(Flaw::PolicyCells) {
            cells[1] = POLICY.cells() as u32;
        }
        if self.is(Flaw::NoPolicyCell) {
            cells[0] = game::NO_CELL;
        }
    }

    /// Stones on a pile are nobody's.
    fn owners(&self, _position: &Position, _viewer: Player, owners: &mut [Owner]) {
        owners.fill(if self.is(Flaw::Owners) { Owner::Own } else { Owner::Nobody });
    }

    fn margin_unit(&self) -> f32 {
        if self.is(Flaw::MarginUnit) { 0.0 } else { 3.0 }
    }

    fn symmetries(&self) -> usize {
        2
    }

    fn transform(&self, position: &Position, symmetry: usize) -> Position {
        Position { mirrored: position.mirrored != (symmetry == 1), ..*position }
    }
}

fn mixed(key: u64) -> u64 {
    let key = (key ^ (key >> 30)).wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let key = (key ^ (key >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    key ^ (key >> 31)
}
