//! The rules half of the contract.

use crate::starts::{StartKind, StartRequest, StartSource};
use crate::{Fault, Faults, Line, Outcome, Player};
use rand::Rng;
use rand::seq::IndexedRandom;
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Debug;
use std::ops::ControlFlow;

/// A game with its rule options fixed: `game.legal_steps(&position, …)`.
///
/// The value holds the rules and whatever tables they need; positions hold neither, so that they
/// stay small and `Copy`. A *turn* is what a player does before the other side is to move; it is
/// made of one or more *steps* (the splitting of a stack, a chain of captures), and a step is the
/// unit of search.
pub trait Game: Clone + Send + Sync + 'static {
    /// A legal position, also in the middle of a turn: small, without history and without rules.
    type Position: Copy + PartialEq + Debug + Send + Sync + 'static;
    /// A step: small and meaningful by itself together with its position.
    type Step: Copy + Eq + Debug + Send + Sync + 'static;
    /// What a [`Line`] remembers of a finished turn beside its repetition key; `()` where nothing.
    type Mark: Copy + PartialEq + Debug + Default + Send + Sync + 'static;
    /// All rule options. Unknown keys and values are errors (`deny_unknown_fields`).
    type Rules: Clone + PartialEq + Debug + Serialize + DeserializeOwned + Send + Sync + 'static;

    /// The name on the command line and in every file: `commander`, `connect4`, …
    const NAME: &'static str;
    /// Changes only when the behaviour of the game changes; stored in records and checkpoints.
    const RULES_VERSION: u32;

    /// Names of the presets, the default first.
    fn presets() -> &'static [&'static str];

    /// The rules of a preset; `None` for an unknown name.
    fn preset(name: &str) -> Option<Self::Rules>;

    /// The game under these rules, or why a combination of options makes no sense.
    fn with_rules(rules: Self::Rules) -> Result<Self, String>;

    /// The rules in force.
    fn rules(&self) -> &Self::Rules;

    /// The standard start position.
    fn start(&self) -> Self::Position;

    /// The start distributions that the game offers by name, [`StartKind::STANDARD`] first.
    fn start_kinds() -> &'static [StartKind] {
        const { &[StartKind::STANDARD] }
    }

    /// The source of one of [`Game::start_kinds`] other than the standard start.
    ///
    /// # Errors
    /// Everything that is wrong with the request; the place of a fault in its list is `line N, …`.
    fn start_source(
        &self,
        request: &StartRequest<'_>,
    ) -> Result<Box<dyn StartSource<Self::Position>>, Faults> {
        Err(Fault::new("kind", format!("{} has no start `{}`", Self::NAME, request.kind)).into())
    }

    /// The side to move. The same through all steps of a turn.
    fn mover(&self, position: &Self::Position) -> Player;

    /// Whether a turn has begun and is not finished. Lines, repetition and FEN clocks know only
    /// positions between turns.
    fn mid_turn(&self, position: &Self::Position) -> bool;

    /// Replaces the contents of `steps` by all legal steps: none exactly when the game has ended
    /// or the side to move has no legal turn. The order is the same in every run and depends on
    /// nothing that the encoding cannot see. Does not allocate once `steps` has grown.
    fn legal_steps(&self, position: &Self::Position, steps: &mut Vec<Self::Step>);

    /// Number of legal steps, `scratch` being memory to work in. Games override it where counting is
    /// faster than listing; perft counts its last depth with it.
    fn count_steps(&self, position: &Self::Position, scratch: &mut Vec<Self::Step>) -> usize {
        self.legal_steps(position, scratch);
        scratch.len()
    }

    /// Number of complete legal turns, in the middle of a turn that of the ways to complete it; `None`
    /// where the game does not count them faster than they are walked through. Perft of turns counts its
    /// last depth with it.
    fn count_turns(&self, _position: &Self::Position) -> Option<u64> {
        None
    }

    /// Number of sequences of `depth` − 1 complete turns and one legal step, `depth` being at least 1,
    /// where the game counts faster than turns are played; `None` leaves the count to
    /// [`perft`](crate::perft). State that ends games without changing the board may be left out.
    fn perft_steps(&self, _position: &Self::Position, _depth: u32) -> Option<u64> {
        None
    }

    /// Plays a step in place. `step` must come from [`Game::legal_steps`] of this position.
    fn play(&self, position: &mut Self::Position, step: Self::Step);

    /// Key of what the repetition rule compares (board, side to move…), without clocks.
    /// Meaningful between turns.
    fn repetition_key(&self, position: &Self::Position) -> u64;

    /// Whether the turn that just ended made all earlier positions unreachable.
    fn irreversible(&self, position: &Self::Position) -> bool;

    /// What the line should remember of the turn that just ended.
    fn mark(&self, position: &Self::Position) -> Self::Mark;

    /// The end of the game, if the game has ended: rules are tested in their own order, those that
    /// look back on `line`, whose last entry is `position` itself. On an empty line repetition
    /// never applies. Costs at most one early-exit generation of steps. `None` in mid-turn unless
    /// the rules end a game there.
    fn outcome(&self, position: &Self::Position, line: &Line<Self::Mark>) -> Option<Outcome>;

    /// What comes next where steps are drawn at random: the end of the game exactly where
    /// [`Game::outcome`] sees one, else a legal step, each as likely as any other. `scratch` is memory to
    /// work in. Games override it where a step is drawn faster than all are listed; how many numbers are
    /// taken from `random`, and which step they make, is a game's own affair.
    ///
    /// Breaks without an outcome where there is neither a legal step nor an end, which no game should have.
    fn random_step<R: Rng>(
        &self,
        position: &Self::Position,
        line: &Line<Self::Mark>,
        random: &mut R,
        scratch: &mut Vec<Self::Step>,
    ) -> ControlFlow<Option<Outcome>, Self::Step> {
        if let Some(outcome) = self.outcome(position, line) {
            return ControlFlow::Break(Some(outcome));
        }
        self.legal_steps(position, scratch);
        scratch.choose(random).map_or(ControlFlow::Break(None), |&step| ControlFlow::Continue(step))
    }

    /// No game lasts longer than this many turns from its start position.
    fn longest_game(&self) -> u32;

    /// Points captured so far by the first and by the second player, in the game's own units; both
    /// 0 where a game has no points. Where captured men can be freed again, the points of those that are
    /// held now: a capture may then take points from the other side, never from the mover's own. What `greedy` and `alphabeta` look at, and the target of the
    /// margin head.
    fn points(&self, position: &Self::Position) -> [i32; 2];

    /// Whether this legal step captures anything.
    fn is_capture(&self, position: &Self::Position, step: Self::Step) -> bool;

    /// What `viewer` may see of the position. Everything, unless the game hides something.
    fn observe(&self, position: &Self::Position, _viewer: Player) -> Self::Position {
        *position
    }
}
