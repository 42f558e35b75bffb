//! A game whose whole tree is written down as text.
//!
//! One line a position, two blanks of indentation a step: name, then in any order `first` or
//! `second` (side to move), `logit X` (of the step that leads here), `value X` and `margin X` (what
//! an evaluator says, for the side to move), `points A B`, `end first|second|draw`. A position with
//! the same side to move as the one before it is in the middle of a turn.

use super::Answer;
use game::{Game, Line, Outcome, Player};
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Twig {
    pub name: String,
    pub mover: Player,
    pub mid_turn: bool,
    pub steps: Vec<u32>,
    pub logit: f32,
    pub value: f32,
    pub margin: f32,
    pub points: [i32; 2],
    pub end: Option<String>,
}

/// A step is named after the position it leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TwigStep {
    pub to: u32,
    name: [u8; 8],
}

impl fmt::Debug for TwigStep {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(std::str::from_utf8(&self.name).unwrap().trim_end_matches('\0'))
    }
}

#[derive(Clone)]
pub struct Twigs {
    pub twigs: Vec<Twig>,
}

impl Twigs {
    pub fn parse(text: &str) -> Twigs {
        let mut twigs: Vec<Twig> = Vec::new();
        let mut line_of: Vec<u32> = Vec::new();
        for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            let depth = (line.len() - line.trim_start().len()) / 2;
            let mut words = line.split_whitespace();
            let mut twig = Twig::new(words.next().unwrap(), Player::First);
            while let Some(word) = words.next() {
                let mut number = || words.next().unwrap().parse::<f32>().unwrap();
                match word {
                    "first" => twig.mover = Player::First,
                    "second" => twig.mover = Player::Second,
                    "logit" => twig.logit = number(),
                    "value" => twig.value = number(),
                    "margin" => twig.margin = number(),
                    "points" => twig.points = [number() as i32, number() as i32],
                    "end" => twig.end = Some(words.next().unwrap().to_owned()),
                    other => panic!("{other}"),
                }
            }
            let index = twigs.len() as u32;
            line_of.truncate(depth);
            if let Some(&parent) = line_of.last() {
                let parent = &mut twigs[parent as usize];
                twig.mid_turn = twig.end.is_none() && parent.mover == twig.mover;
                parent.steps.push(index);
            }
            line_of.push(index);
            twigs.push(twig);
        }
        Twigs { twigs }
    }

    /// A random tree of at most `depth` steps.
    pub fn random(random: &mut ChaCha8Rng, depth: u32, most_steps: u32) -> Twigs {
        let mut twigs = vec![Twig::new("root", Player::First)];
        let mut layer = vec![0];
        for level in 0..=depth {
            let mut next = Vec::new();
            for parent in layer {
                let ends = level == depth || (level > 0 && random.next_u32().is_multiple_of(8));
                let number = |random: &mut ChaCha8Rng| random.next_u32() as f32 / u32::MAX as f32 * 2.0 - 1.0;
                let twig: &mut Twig = &mut twigs[parent];
                twig.points = [(random.next_u32() % 9) as i32, (random.next_u32() % 9) as i32];
                if ends {
                    let end = ["first", "second", "draw"][random.next_u32() as usize % 3];
                    twig.end = Some(end.to_owned());
                    twig.mid_turn = false;
                    continue;
                }
                (twig.value, twig.margin) = (number(random), number(random));
                let mover = twig.mover;
                for _ in 0..1 + random.next_u32() % most_steps {
                    let child_mover =
                        if random.next_u32().is_multiple_of(3) { mover } else { mover.opponent() };
                    let index = twigs.len();
                    let mut child = Twig::new(&format!("t{index}"), child_mover);
                    child.mid_turn = child_mover == mover;
                    child.logit = 2.0 * number(random);
                    twigs[parent].steps.push(index as u32);
                    twigs.push(child);
                    next.push(index);
                }
            }
            layer = next;
        }
        Twigs { twigs }
    }

    /// A random tree with more than three steps at its root.
    pub fn bushy(seed: u64, depth: u32) -> Twigs {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        loop {
            let game = Twigs::random(&mut random, depth, 8);
            if game.twigs[0].steps.len() > 3 {
                return game;
            }
        }
    }

    /// What the text says of a position.
    pub fn judge(&self, position: &u32, steps: &[TwigStep]) -> Answer {
        let twig = &self.twigs[*position as usize];
        let logits = steps.iter().map(|step| self.twigs[step.to as usize].logit).collect();
        (logits, twig.value, twig.margin)
    }

    /// The result with best play as the first player sees it: 1, 0 or −1.
    pub fn minimax(&self, position: u32) -> i32 {
        let twig = &self.twigs[position as usize];
        let results = twig.steps.iter().map(|&step| self.minimax(step));
        match (&twig.end, twig.mover) {
            (Some(end), _) => {
                ["second", "draw", "first"].iter().position(|word| word == end).unwrap() as i32 - 1
            }
            (None, Player::First) => results.max().unwrap(),
            (None, Player::Second) => results.min().unwrap(),
        }
    }

    pub fn step(&self, name: &str) -> TwigStep {
        let to = self.twigs.iter().position(|twig| twig.name == name).unwrap();
        self.step_to(to as u32)
    }

    fn step_to(&self, to: u32) -> TwigStep {
        let mut name = [0; 8];
        let text = self.twigs[to as usize].name.as_bytes();
        name[..text.len()].copy_from_slice(text);
        TwigStep { to, name }
    }
}

impl Twig {
    fn new(name: &str, mover: Player) -> Twig {
        Twig {
            name: name.to_owned(),
            mover,
            mid_turn: false,
            steps: Vec::new(),
            logit: 0.0,
            value: 0.0,
            margin: 0.0,
            points: [0, 0],
            end: None,
        }
    }
}

impl Game for Twigs {
    type Position = u32;
    type Step = TwigStep;
    type Mark = ();
    type Rules = Vec<Twig>;
    const NAME: &'static str = "twigs";
    const RULES_VERSION: u32 = 1;

    fn presets() -> &'static [&'static str] {
        &["none"]
    }
    fn preset(_name: &str) -> Option<Vec<Twig>> {
        None
    }
    fn with_rules(rules: Vec<Twig>) -> Result<Self, String> {
        Ok(Twigs { twigs: rules })
    }
    fn rules(&self) -> &Vec<Twig> {
        &self.twigs
    }
    fn start(&self) -> u32 {
        0
    }
    fn mover(&self, position: &u32) -> Player {
        self.twigs[*position as usize].mover
    }
    fn mid_turn(&self, position: &u32) -> bool {
        self.twigs[*position as usize].mid_turn
    }
    fn legal_steps(&self, position: &u32, steps: &mut Vec<TwigStep>) {
        steps.clear();
        steps.extend(self.twigs[*position as usize].steps.iter().map(|&to| self.step_to(to)));
    }
    fn play(&self, position: &mut u32, step: TwigStep) {
        *position = step.to;
    }
    fn repetition_key(&self, position: &u32) -> u64 {
        u64::from(*position)
    }
    fn irreversible(&self, _position: &u32) -> bool {
        true
    }
    fn mark(&self, _position: &u32) {}
    fn outcome(&self, position: &u32, _line: &Line<()>) -> Option<Outcome> {
        Some(match self.twigs[*position as usize].end.as_deref()? {
            "first" => Outcome::win(Player::First, "twig"),
            "second" => Outcome::win(Player::Second, "twig"),
            "draw" => Outcome::draw("twig"),
            other => panic!("{other}"),
        })
    }
    fn longest_game(&self) -> u32 {
        100
    }
    fn points(&self, position: &u32) -> [i32; 2] {
        self.twigs[*position as usize].points
    }
    fn is_capture(&self, _position: &u32, _step: TwigStep) -> bool {
        false
    }
}
