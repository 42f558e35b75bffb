//! A position, at rest or in the middle of a turn, and how turns are made and ended (sections 6 to 8).

use super::board::{Board, Kind, Piece, Point, Role, Side, Stack, legal_stack};
use super::options::Options;
use super::reach::{attacks, both_open, in_check};
use super::step::{Action, Step, candidates};
use std::rc::Rc;

/// A position. While `turn` is set, `board` is the board in the middle of the turn and the rest is as before it.
#[derive(Clone, Debug)]
pub struct Position {
    pub options: Rc<Options>,
    pub board: Board,
    pub side: Side,
    /// Single turns since the last capture.
    pub quiet: u32,
    pub number: u32,
    /// Points captured so far by Red and by Blue.
    pub points: [u32; 2],
    pub turn: Option<Turn>,
}

/// A turn that has begun.
#[derive(Clone, Debug)]
pub struct Turn {
    pub before: Rc<Position>,
    pub origin: Point,
    /// Number of members at the start.
    pub size: usize,
    pub steps: Vec<Step>,
    /// Whether both commanders were open to exposure when the turn began.
    pub distant: bool,
    pub captured: bool,
    pub gained: [u32; 2],
    pub commander_taken: bool,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    pub winner: Option<Side>,
    pub reason: String,
}

impl Ending {
    pub fn new(winner: Option<Side>, reason: impl Into<String>) -> Ending {
        Ending { winner, reason: reason.into() }
    }

    pub fn winner_name(&self) -> &'static str {
        self.winner.map_or("draw", Side::name)
    }
}

/// A complete turn and what it leads to.
#[derive(Clone, Debug)]
pub struct Completed {
    pub text: String,
    pub after: Position,
    pub ending: Option<Ending>,
}

fn index(side: Side) -> usize {
    if side == Side::Red { 0 } else { 1 }
}

impl Position {
    /// The same position with a turn begun from a point and no step made.
    pub fn begin(&self, origin: Point) -> Position {
        assert!(self.turn.is_none());
        let mut begun = self.clone();
        let stack = begun.board.stacks.get_mut(&origin).unwrap();
        assert_eq!(stack.side, self.side);
        for piece in &mut stack.pieces {
            piece.role = Role::Waiting;
        }
        let size = stack.pieces.len();
        let distant = both_open(&self.board, &self.options);
        begun.turn = Some(Turn {
            before: Rc::new(self.clone()),
            origin,
            size,
            steps: Vec::new(),
            distant,
            captured: false,
            gained: [0, 0],
            commander_taken: false,
        });
        begun
    }

    /// Candidates of every stack, or of the turn under way, each with the position in which it is made.
    pub fn candidates(&self) -> Vec<(Rc<Position>, Step)> {
        let begun: Vec<Position> = if self.turn.is_some() {
            vec![self.clone()]
        } else {
            let own = self.board.stacks.iter().filter(|(_, stack)| stack.side == self.side);
            own.map(|(point, _)| self.begin(*point)).collect()
        };
        begun
            .into_iter()
            .flat_map(|position| {
                let steps = candidates(&position);
                let position = Rc::new(position);
                steps.into_iter().map(move |step| (position.clone(), step)).collect::<Vec<_>>()
            })
            .collect()
    }

    /// The position after a step of the turn that has begun.
    pub fn apply(&self, step: &Step) -> Position {
        let mut next = self.clone();
        let side = self.side;
        let turn = next.turn.as_mut().expect("a turn that has begun");
        let board = &mut next.board;
        let with_role = |pieces: &[Piece], role: Role| -> Vec<Piece> {
            pieces.iter().map(|piece| Piece { role, ..*piece }).collect()
        };
        let capture = |board: &mut Board, turn: &mut Turn| {
            let target: Stack = board.stacks.remove(&step.to).unwrap();
            assert_eq!(target.side, side.other());
            turn.captured = true;
            turn.gained[index(side)] += target.points();
            turn.commander_taken |= target.has(Kind::Commander);
            target
        };
        board.take(step.from, &step.group);
        match step.action {
            Action::Move | Action::Join => board.put(step.to, side, with_role(&step.group, Role::Left)),
            Action::Replace => {
                capture(board, turn);
                board.put(step.to, side, with_role(&step.group, Role::Left));
            }
            Action::Stay => {
                let target = capture(board, turn);
                let mut group = with_role(&step.group, Role::Spent);
                let navy = step.group[0];
                // The shot after which a navy may act once more.
                if navy.kind == Kind::Navy
                    && navy.role == Role::Waiting
                    && target.carrier().kind != Kind::Navy
                    && !self.options.is("navy_double", "off")
                {
                    group[0].role = Role::Shot;
                }
                board.put(step.from, side, group);
            }
            Action::Crash => {
                capture(board, turn);
                turn.gained[index(side.other())] +=
                    step.group.iter().map(|piece| piece.points()).sum::<u32>();
            }
            Action::Breach => {
                turn.captured = true;
                let target = board.stacks.get_mut(&step.to).unwrap();
                target.pieces.retain(|piece| piece.kind != Kind::Headquarters);
                board.put(step.from, side, with_role(&step.group, Role::Spent));
            }
            Action::Drop => {
                board.put(step.to, side, with_role(&step.group[1..], Role::Dropped));
                board.put(step.from, side, with_role(&step.group[..1], Role::Spent));
            }
        }
        turn.steps.push(step.clone());
        if self.options.is("hero_timing", "step") && !turn.commander_taken {
            promote_attackers(board, side, &self.options);
        }
        next
    }

    fn begun(&self) -> &Turn {
        self.turn.as_ref().expect("a turn that has begun")
    }

    /// The board after the promotions at the end of the turn.
    pub fn end_board(&self) -> Board {
        let mut board = self.board.clone();
        if !self.begun().commander_taken {
            promote_attackers(&mut board, self.side, &self.options);
            promote_last_guards(&mut board, &self.options);
        }
        board
    }

    /// Whether what remains on the start point may remain, and what left may have left.
    pub fn remainder_stands(&self) -> bool {
        let turn = self.begun();
        if let Some(stack) = self.board.at(turn.origin)
            && stack.side == self.side
            && !(legal_stack(&stack.pieces, &self.options) && turn.origin.bears(stack.carrier().kind))
        {
            return false;
        }
        // An engineer and a heavy piece of one stack together on a new point of the same bank.
        let ferried = self.board.stacks.iter().any(|(point, stack)| {
            let left: Vec<Kind> = stack
                .pieces
                .iter()
                .filter(|piece| piece.role == Role::Left)
                .map(|piece| piece.kind)
                .collect();
            *point != turn.origin
                && point.upper_bank() == turn.origin.upper_bank()
                && left.contains(&Kind::Engineer)
                && left.iter().any(|kind| kind.heavy())
        });
        !(ferried && self.options.is("engineer_carry", "river"))
    }

    /// Whether the turn may end here.
    pub fn may_end(&self) -> bool {
        let turn = self.begun();
        !turn.steps.is_empty()
            && (turn.commander_taken
                || self.remainder_stands() && !in_check(&self.end_board(), self.side, &self.options))
    }

    /// Whether the turn can still be completed legally.
    pub fn completes(&self) -> bool {
        self.may_end() || candidates(self).iter().any(|step| self.apply(step).completes())
    }

    /// The legal next steps, each with the position it leads to (the turn not ended).
    pub fn steps(&self) -> Vec<(Step, Position)> {
        self.candidates()
            .into_iter()
            .map(|(begun, step)| {
                let next = begun.apply(&step);
                (step, next)
            })
            .filter(|(_, next)| next.completes())
            .collect()
    }

    /// Whether there is any legal next step.
    pub fn has_turn(&self) -> bool {
        let own = self.board.stacks.iter().filter(|(_, stack)| stack.side == self.side);
        own.map(|(point, _)| self.begin(*point))
            .any(|begun| candidates(&begun).iter().any(|step| begun.apply(step).completes()))
    }

    /// The texts of the legal next steps, `.` among them when the turn may end here, sorted.
    pub fn step_texts(&self) -> Vec<String> {
        let mut texts: Vec<String> = self.steps().iter().map(|(step, _)| step.text()).collect();
        if self.turn.is_some() && self.may_end() && !texts.is_empty() {
            texts.push(".".to_string());
        }
        texts.sort();
        texts
    }

    /// All complete turns in order of their texts; from the middle of a turn, those that go on from there.
    pub fn turns(&self) -> Vec<Completed> {
        let mut turns = Vec::new();
        self.collect_turns(&mut turns);
        turns.sort_by(|a, b| a.text.cmp(&b.text));
        turns
    }

    fn collect_turns(&self, turns: &mut Vec<Completed>) {
        if self.turn.is_some() && self.may_end() {
            let (after, ending) = self.finish();
            turns.push(Completed { text: self.turn_text(), after, ending });
        }
        for (_, next) in self.steps() {
            next.collect_turns(turns);
        }
    }

    /// The turn so far in machine notation.
    pub fn turn_text(&self) -> String {
        self.begun().steps.iter().map(|step| step.text()).collect::<Vec<_>>().join("/")
    }

    pub fn check(&self) -> bool {
        in_check(&self.board, self.side, &self.options)
    }

    /// Ends the turn: the position after it and how rules 1 to 4 and 6 end the game; repetition and the limit of
    /// turns need the game.
    pub fn finish(&self) -> (Position, Option<Ending>) {
        let turn = self.begun();
        let mut board = self.end_board();
        for stack in board.stacks.values_mut() {
            let pieces = stack.pieces.iter().map(|piece| Piece { role: Role::Bystander, ..*piece }).collect();
            *stack = Stack::new(stack.side, pieces);
        }
        let after = Position {
            options: self.options.clone(),
            board,
            side: self.side.other(),
            quiet: if turn.captured { 0 } else { self.quiet + 1 },
            number: self.number + u32::from(self.side == Side::Blue),
            points: [self.points[0] + turn.gained[0], self.points[1] + turn.gained[1]],
            turn: None,
        };
        let ending = self.ending(&after);
        (after, ending)
    }

    fn ending(&self, after: &Position) -> Option<Ending> {
        let turn = self.begun();
        let options = &self.options;
        let (mover, other) = (self.side, self.side.other());
        if turn.commander_taken {
            return Some(Ending::new(Some(mover), "commander_captured"));
        }
        let lost = |side: Side| lost_arm(&turn.before.board, &after.board, side, options);
        if let Some(ending) = doubled(mover, lost(mover), lost(other), options) {
            return Some(ending);
        }
        let bare = |side: Side| bare_commander(&after.board, side, options).then_some("bare_commander");
        if let Some(ending) = doubled(mover, bare(mover), bare(other), options) {
            return Some(ending);
        }
        if !after.has_turn() {
            return Some(if after.check() {
                Ending::new(Some(mover), "mate")
            } else {
                Ending::new(options.is("stalemate", "loss").then_some(mover), "stalemate")
            });
        }
        None
    }
}

/// A result that may hit both sides (rules 2 and 3).
fn doubled(mover: Side, own: Option<&str>, enemy: Option<&str>, options: &Options) -> Option<Ending> {
    match (own, enemy) {
        (None, None) => None,
        (Some(own), None) => Some(Ending::new(Some(mover.other()), own)),
        (None, Some(enemy)) => Some(Ending::new(Some(mover), enemy)),
        (Some(_), Some(enemy)) if options.is("simultaneous", "mover_wins") => {
            Some(Ending::new(Some(mover), enemy))
        }
        (Some(own), Some(enemy)) if own == enemy => Some(Ending::new(None, own)),
        (Some(own), Some(enemy)) => Some(Ending::new(None, format!("{own}+{enemy}"))),
    }
}

/// The first arm of `win_set` whose last piece a side has lost between two boards.
fn lost_arm(before: &Board, after: &Board, side: Side, options: &Options) -> Option<&'static str> {
    type Arm = (&'static str, fn(Kind) -> bool);
    let arms: [Arm; 3] = [
        ("marine", |kind| kind == Kind::Navy),
        ("air", |kind| kind == Kind::AirForce),
        ("land", |kind| matches!(kind, Kind::Tank | Kind::Infantry | Kind::Artillery)),
    ];
    arms.into_iter()
        .filter(|(name, _)| options.get("win_set").split(' ').any(|word| word == *name))
        .find(|(_, kinds)| before.count(side, kinds) > 0 && after.count(side, kinds) == 0)
        .map(|(name, _)| name)
}

/// Whether a side has a commander and nothing else that counts.
fn bare_commander(board: &Board, side: Side, options: &Options) -> bool {
    let others = match options.get("bare_commander_loses") {
        "alone" => board.count(side, |kind| kind != Kind::Commander),
        "troops" => board.count(side, |kind| !matches!(kind, Kind::Commander | Kind::Headquarters)),
        _ => return false,
    };
    board.commander(side).is_some() && others == 0
}

/// Makes heroes of the pieces of a side that attack the enemy commander, all found before any is made.
pub fn promote_attackers(board: &mut Board, side: Side, options: &Options) {
    let Some(target) = board.commander(side.other()) else { return };
    let mut found: Vec<(Point, usize)> = Vec::new();
    for (point, stack) in board.stacks.iter().filter(|(_, stack)| stack.side == side) {
        for (index, piece) in stack.pieces.iter().enumerate() {
            if piece.kind != Kind::Commander && attacks(board, side, *piece, *point, target, options) {
                found.push((*point, index));
            }
        }
    }
    for (point, index) in &found {
        board.stacks.get_mut(point).unwrap().pieces[*index].hero = true;
    }
    for (point, _) in found {
        super::board::sort(&mut board.stacks.get_mut(&point).unwrap().pieces);
    }
}

/// Makes a hero of the one piece that stands beside a commander, for both sides.
pub fn promote_last_guards(board: &mut Board, options: &Options) {
    let counts = |kind: Kind| match options.get("last_guard") {
        "with_hq" => kind != Kind::Commander,
        "without_hq" => kind != Kind::Commander && kind != Kind::Headquarters,
        _ => false,
    };
    for side in [Side::Red, Side::Blue] {
        if board.commander(side).is_none() || board.count(side, counts) != 1 {
            continue;
        }
        for stack in board.stacks.values_mut().filter(|stack| stack.side == side) {
            for piece in stack.pieces.iter_mut().filter(|piece| counts(piece.kind)) {
                piece.hero = true;
            }
            super::board::sort(&mut stack.pieces);
        }
    }
}
