//! The rules half of the contract.

use crate::commander::Commander;
use crate::deployment::{self, Deployment};
use crate::position::Position;
use crate::rules::{Rules, SetUp};
use crate::step::Step;
use crate::zobrist::BLUE_TO_MOVE;
use game::starts::{StartKind, StartRequest, StartSource};
use game::{Faults, Game, Line, Outcome, Player};
use rand::Rng;
use std::ops::ControlFlow;

impl Game for Commander {
    type Position = Position;
    type Step = Step;
    type Mark = ();
    type Rules = Rules;

    const NAME: &'static str = "commander";
    const RULES_VERSION: u32 = 1;

    fn presets() -> &'static [&'static str] {
        &Rules::PRESETS
    }

    fn preset(name: &str) -> Option<Rules> {
        Rules::preset(name)
    }

    fn with_rules(rules: Rules) -> Result<Commander, String> {
        Ok(Commander::new(rules))
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn start(&self) -> Position {
        let set_up = match self.rules.set_up {
            SetUp::Standard => Deployment::standard(),
            SetUp::Skirmish => Deployment::skirmish(),
        };
        self.deployed([&set_up, &set_up])
    }

    fn start_kinds() -> &'static [StartKind] {
        deployment::KINDS
    }

    fn start_source(&self, request: &StartRequest<'_>) -> Result<Box<dyn StartSource<Position>>, Faults> {
        deployment::source(self, request)
    }

    fn mover(&self, position: &Position) -> Player {
        position.mover
    }

    fn mid_turn(&self, position: &Position) -> bool {
        position.turn.under_way()
    }

    fn legal_steps(&self, position: &Position, steps: &mut Vec<Step>) {
        steps.clear();
        self.for_each_step(position, &mut |step| {
            steps.push(step);
            false
        });
    }

    fn count_steps(&self, position: &Position, _scratch: &mut Vec<Step>) -> usize {
        let mut number = 0;
        self.for_each_step(position, &mut |_| {
            number += 1;
            false
        });
        number
    }

    fn play(&self, position: &mut Position, step: Step) {
        self.play_step(position, step);
    }

    fn repetition_key(&self, position: &Position) -> u64 {
        let side = if position.mover == Player::First { 0 } else { BLUE_TO_MOVE };
        position.board.key(Player::First) ^ side
    }

    fn irreversible(&self, position: &Position) -> bool {
        position.quiet_turns == 0
    }

    fn mark(&self, _position: &Position) {}

    fn outcome(&self, position: &Position, line: &Line<()>) -> Option<Outcome> {
        self.judge(position, line)
    }

    fn random_step<R: Rng>(
        &self,
        position: &Position,
        line: &Line<()>,
        random: &mut R,
        scratch: &mut Vec<Step>,
    ) -> ControlFlow<Option<Outcome>, Step> {
        // Whether a step is left is asked last here: drawing one tells.
        let between = !position.turn.under_way();
        let over = between
            && (position.ended.is_over()
                || line.occurrences() >= 3
                || self.judge_counters(position).is_some());
        let step = if over { None } else { self.draw_step(position, random, scratch) };
        step.map_or_else(|| ControlFlow::Break(self.judge(position, line)), ControlFlow::Continue)
    }

    fn longest_game(&self) -> u32 {
        u32::from(self.rules.max_turns)
    }

    fn points(&self, position: &Position) -> [i32; 2] {
        position.points.map(|points| points as i32)
    }

    fn is_capture(&self, _position: &Position, step: Step) -> bool {
        step.kind.is_capture()
    }
}
