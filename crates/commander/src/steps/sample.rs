//! A uniformly random legal step, found without listing the others.

use super::Generator;
use super::candidates::Candidates;
use crate::commander::Commander;
use crate::position::Position;
use crate::step::Step;
use game::Game;
use rand::Rng;
use rand::seq::IndexedRandom;
use std::cell::Cell;

/// Candidates that are tried before all legal steps are listed: where few of many are legal, in check.
const TRIALS: usize = 64;

impl Commander {
    /// A legal step, each as likely as any other; `None` where none is listed.
    pub(crate) fn draw_step<R: Rng>(
        &self,
        position: &Position,
        random: &mut R,
        scratch: &mut Vec<Step>,
    ) -> Option<Step> {
        let side = position.mover;
        if !position.turn.under_way()
            && let Some(candidates) = Candidates::of(self, &position.board, side)
            && candidates.len() > 0
        {
            let (left, found) = (Cell::new(0_usize), Cell::new(None));
            let mut sink = |step| {
                found.set(Some(step));
                let last = left.get() == 0;
                left.set(left.get().saturating_sub(1));
                last
            };
            let mut generator = Generator::new(self, &position.board, &position.turn, side, &mut sink);
            for _ in 0..TRIALS {
                let candidate = candidates.get(random.random_range(0..candidates.len()))?;
                left.set(candidate.order);
                if generator.steps_of_candidate(&candidate) {
                    return found.get();
                }
            }
        }
        self.legal_steps(position, scratch);
        scratch.choose(random).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::middle_games;
    use crate::rules::Rules;
    use game::Line;
    use std::ops::ControlFlow;

    /// The steps of all candidates, those of each as far as its order asks.
    fn steps_of_candidates(game: &Commander, position: &Position) -> Vec<Step> {
        let candidates = Candidates::of(game, &position.board, position.mover).unwrap();
        let mut steps = Vec::new();
        for number in 0..candidates.len() {
            let candidate = candidates.get(number).unwrap();
            let mut own = Vec::new();
            let mut sink = |step| {
                own.push(step);
                false
            };
            let turn = &position.turn;
            let mut generator = Generator::new(game, &position.board, turn, position.mover, &mut sink);
            generator.steps_of_candidate(&candidate);
            steps.extend(own.get(candidate.order).copied());
        }
        steps
    }

    /// The presets, and rules that differ from all of them.
    fn games() -> impl Iterator<Item = Commander> {
        let contrary = [
            "air_return=only_if_unsafe",
            "carried_defends=true",
            "missile_capture_jumps=true",
            "navy_capture_across_land=replace",
            "air_zones=two_block",
            "carried_commander_exempt=false",
            "hq_shield=off",
            "split_bomb=no_landing",
            "hero_timing=step",
        ];
        let pairs = game::options::parse_pairs(&contrary.map(str::to_owned)).unwrap();
        let contrary = game::options::rules_from::<Commander>(Some("wiki"), &pairs).unwrap();
        Rules::PRESETS.into_iter().filter_map(Rules::preset).chain([contrary]).map(Commander::new)
    }

    #[test]
    fn every_legal_step_has_exactly_one_number() {
        let (mut all, mut numbers) = (0, 0);
        for game in games() {
            let mut random = game::random::stream(1, game::random::Purpose::Playout, &[]);
            let mut scratch = Vec::new();
            for mut position in middle_games::positions(&game) {
                for _ in 0..24 {
                    let mut listed = Vec::new();
                    game.legal_steps(&position, &mut listed);
                    if !position.turn.under_way() && !listed.is_empty() {
                        let mut found = steps_of_candidates(&game, &position);
                        all += found.len();
                        let candidates = Candidates::of(&game, &position.board, position.mover).unwrap();
                        numbers += usize::from(candidates.len());
                        found.sort_unstable();
                        listed.sort_unstable();
                        assert_eq!(found, listed, "{position:?}");
                    }
                    let next = game.random_step(&position, &Line::new(), &mut random, &mut scratch);
                    let ControlFlow::Continue(step) = next else { break };
                    assert!(listed.contains(&step), "{step:?}");
                    game.play(&mut position, step);
                }
            }
        }
        println!("{all} of {numbers} candidates are legal");
        assert!(all > 100_000 && numbers < 4 * all, "{all} of {numbers}");
    }
}
