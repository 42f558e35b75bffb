//! Plays the games anew from which the middle-game positions come, and compares them with the file that
//! comes with the crate, or replaces it:
//!
//!   cargo run --release -p commander --example middle_games -- [--rewrite]
//!
//! Under each preset games are played at random, with a liking for joining and splitting. Every game
//! gives at most one position, to the first class that still wants one and that it has.

use commander::{Commander, Position, Rules, Step, StepKind, middle_games};
use game::random::{Purpose, stream};
use game::{Game, Notation, Play, Player};
use rand::Rng;
use rand::seq::IndexedRandom;
use std::path::Path;
use std::process::ExitCode;
use upkeep::generated::{self, Task};

/// First and last full-move number of the three thirds of a preset's positions.
const SPANS: [(u32, u32); 3] = [(10, 24), (25, 44), (45, 80)];

/// What the positions of a span are, and how many of each.
const CLASSES: [(Class, usize); 3] = [(Class::Split, 3), (Class::Heroes, 2), (Class::Stacks, 2)];

#[derive(Clone, Copy)]
enum Class {
    /// A turn is under way; members have left a stack or joined others.
    Split,
    /// Between turns, with at least one hero and one stack.
    Heroes,
    /// Between turns, without heroes, with at least two stacks.
    Stacks,
}

fn main() -> ExitCode {
    generated::main(run)
}

fn run(task: Task) -> Result<String, String> {
    let mut lines = Vec::new();
    for preset in middle_games::PRESETS {
        let rules = Rules::preset(preset).ok_or_else(|| format!("no preset {preset}"))?;
        lines.extend(select(&Commander::new(rules)).into_iter().map(|fen| format!("{preset}\t{fen}")));
    }
    if task == Task::Rewrite {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/middle-games.txt");
        return generated::replace(&path, (lines.join("\n") + "\n").as_bytes(), lines.len());
    }
    let kept: Vec<String> = middle_games::lines().map(|(preset, fen)| format!("{preset}\t{fen}")).collect();
    generated::compare(&kept, &lines)
}

/// The positions of one preset, span after span and class after class.
fn select(game: &Commander) -> Vec<String> {
    let wanted: Vec<((u32, u32), Class)> = SPANS
        .into_iter()
        .flat_map(|span| CLASSES.into_iter().flat_map(move |(class, number)| vec![(span, class); number]))
        .collect();
    let mut found: Vec<Option<String>> = vec![None; wanted.len()];
    let mut seed = 0;
    while found.iter().any(Option::is_none) {
        // Of the places still empty every game is offered another one, so that games do not all end
        // in the first span.
        let empty: Vec<usize> = (0..found.len()).filter(|&index| found[index].is_none()).collect();
        let place = empty[seed as usize % empty.len()];
        let (span, class) = wanted[place];
        found[place] = first_of(game, seed, span, class);
        seed += 1;
    }
    found.into_iter().flatten().collect()
}

/// The first position of the class that a game has at a random moment of the span or later in it.
fn first_of(game: &Commander, seed: u64, (first, last): (u32, u32), class: Class) -> Option<String> {
    let mut random = stream(seed, Purpose::Playout, &[]);
    let from = random.random_range(first..=last);
    let mut play = Play::new(game, game.start());
    let mut legal = Vec::new();
    loop {
        if play.outcome(game).is_some() || play.position.number() > last {
            return None;
        }
        game.legal_steps(&play.position, &mut legal);
        if play.position.number() >= from && belongs(&play.position, class) && legal.len() > 1 {
            return Some(game.write_position(&play.position));
        }
        let stacking: Vec<Step> =
            legal.iter().copied().filter(|&step| stacks(&play.position, step)).collect();
        let from = if !stacking.is_empty() && random.random_bool(0.25) { &stacking } else { &legal };
        play.step(game, *from.choose(&mut random)?);
    }
}

/// Whether a step joins a stack or is made by a part of one.
fn stacks(position: &Position, step: Step) -> bool {
    step.kind == StepKind::Join
        || (step.kind != StepKind::EndTurn && step.members != position.board().at(step.origin).full_mask())
}

fn belongs(position: &Position, class: Class) -> bool {
    let board = position.board();
    let (mut loaded, mut heroes) = (0, 0);
    for side in Player::BOTH {
        for point in board.occupied(side) {
            let stack = board.at(point);
            loaded += usize::from(stack.len() > 1);
            heroes += stack.pieces().filter(|piece| piece.is_hero()).count();
        }
    }
    match class {
        Class::Split => position.turn().under_way(),
        Class::Heroes => !position.turn().under_way() && heroes > 0 && loaded > 0,
        Class::Stacks => !position.turn().under_way() && heroes == 0 && loaded > 1,
    }
}
