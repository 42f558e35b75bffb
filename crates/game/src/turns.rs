//! Every complete turn of a position.

use crate::Game;

/// Walks through all ordered complete legal turns of a position, depth first in the order of
/// [`Game::legal_steps`]: call [`Turns::advance`], then look at [`Turns::steps`] and
/// [`Turns::position`]. Reuses its memory when [started](Turns::start) again.
///
/// A turn is complete when the game is no longer in mid-turn, or has ended inside the turn. Started
/// in the middle of a turn, the walk goes on from there and yields the remaining steps.
#[derive(Debug)]
pub struct Turns<G: Game> {
    levels: Vec<Level<G>>,
    depth: usize,
    path: Vec<G::Step>,
    after: G::Position,
}

#[derive(Debug)]
struct Level<G: Game> {
    position: G::Position,
    steps: Vec<G::Step>,
    next: usize,
}

impl<G: Game> Turns<G> {
    /// A walk over the turns of `position`, standing before the first one.
    pub fn new(game: &G, position: &G::Position) -> Turns<G> {
        let mut turns = Turns { levels: Vec::new(), depth: 0, path: Vec::new(), after: *position };
        turns.start(game, position);
        turns
    }

    /// Starts again, at another position.
    pub fn start(&mut self, game: &G, position: &G::Position) {
        self.depth = 0;
        self.path.clear();
        self.fill(game, 0, *position);
    }

    /// Goes to the next turn; `false` when there is none.
    #[inline]
    pub fn advance(&mut self, game: &G) -> bool {
        loop {
            let level = &mut self.levels[self.depth];
            let Some(&step) = level.steps.get(level.next) else {
                if self.depth == 0 {
                    return false;
                }
                self.depth -= 1;
                continue;
            };
            level.next += 1;
            self.path.truncate(self.depth);
            self.path.push(step);
            self.after = level.position;
            game.play(&mut self.after, step);
            if !game.mid_turn(&self.after) {
                return true;
            }
            self.fill(game, self.depth + 1, self.after);
            if self.levels[self.depth + 1].steps.is_empty() {
                return true;
            }
            self.depth += 1;
        }
    }

    /// The steps of the current turn. Valid after [`Turns::advance`] said `true`.
    pub fn steps(&self) -> &[G::Step] {
        &self.path
    }

    /// The position after the current turn. Valid after [`Turns::advance`] said `true`.
    pub fn position(&self) -> &G::Position {
        &self.after
    }

    fn fill(&mut self, game: &G, depth: usize, position: G::Position) {
        if self.levels.len() == depth {
            self.levels.push(Level { position, steps: Vec::new(), next: 0 });
        }
        let level = &mut self.levels[depth];
        level.position = position;
        level.next = 0;
        game.legal_steps(&position, &mut level.steps);
    }
}
