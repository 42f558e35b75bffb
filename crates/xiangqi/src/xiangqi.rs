//! The game: a move with all that the judge makes of it.

use crate::chase::{Attack, still_good};
use crate::piece::{Kind, SLOTS};
use crate::position::Position;
use crate::rules::{EffectiveAnswer, Judge, PerpetualEffect, Rules};
use crate::setup::MOST;
use crate::step::Step;
use crate::streaks::{Class, Pieces, Streaks, verdict};
use game::{Outcome, Player};

/// Xiangqi with its rule options fixed.
#[derive(Clone, Debug)]
pub struct Xiangqi {
    pub(crate) rules: Rules,
}

impl Xiangqi {
    /// The game under these rules.
    pub const fn new(rules: Rules) -> Xiangqi {
        Xiangqi { rules }
    }

    /// Plays a legal move and judges it.
    pub(crate) fn play_step(&self, position: &mut Position, step: Step) {
        let rules = &self.rules;
        let before = position.board;
        let mover = before.mover();
        position.board.play(step);
        let attack = Attack::of(rules, &before, &position.board, step);
        let captures = before.at(step.to).is_some();
        let pawn = before.at(step.from).is_some_and(|id| id.kind() == Kind::Pawn);
        let forward = pawn && step.from.rank() != step.to.rank();
        let effective = self.is_effective(position, &attack, mover);

        if rules.judge == Judge::Streak {
            if captures && rules.reset_on_capture.is_on() {
                position.streaks = [Streaks::NONE; 2];
            }
            let streaks = &mut position.streaks[mover.index()];
            match attack.class {
                Class::Idle => *streaks = Streaks::NONE,
                Class::Check => {
                    streaks.check(attack.checkers);
                    streaks.chase(&attack.pairs);
                }
                Class::Chase => {
                    streaks.no_check();
                    streaks.chase(&attack.pairs);
                }
            }
            position.ruling = verdict(&position.streaks, mover);
        }
        position.last = attack.class;
        position.chased = attack.chased();
        if rules.effective_answer == EffectiveAnswer::OnlyIfItResolves {
            let chase = attack.class == Class::Chase;
            position.pairs = if chase { attack.pairs } else { [Pieces::NONE; SLOTS] };
        }
        position.irreversible = captures || forward;
        position.effective = position.effective.saturating_add(u16::from(effective));
        position.total = position.total.saturating_add(1);
        let across = !step.from.on_side_of(mover)
            || rules.progress_counts_crossing_step.is_on() && crosses(step, mover);
        position.progress = match captures || forward && across {
            true => 0,
            false => (position.progress + 1).min(MOST as u16),
        };
        if mover == Player::Second {
            position.number = (position.number + 1).min(MOST);
        }
        position.drawn = self.draw(position);
    }

    /// Whether the effective counter counts a ply of `mover` that was this attack; `position` has the
    /// board after it and what was remembered before it.
    fn is_effective(&self, position: &Position, attack: &Attack, mover: Player) -> bool {
        if attack.class != Class::Idle {
            return false;
        }
        match (position.last, self.rules.effective_answer) {
            (Class::Idle, _) => true,
            (Class::Check, _) | (Class::Chase, EffectiveAnswer::AnyReply) => false,
            (Class::Chase, EffectiveAnswer::OnlyIfItResolves) => {
                still_good(&self.rules, &position.board, mover.opponent(), &position.pairs)
            }
        }
    }

    /// The draw by material or by a counter that has reached its limit.
    fn draw(&self, position: &Position) -> Option<Outcome> {
        let rules = &self.rules;
        if rules.insufficient_material.is_on() && !has_attackers(position) {
            return Some(Outcome::draw("material"));
        }
        let counters = [
            (position.progress, rules.progress_limit(), "progress"),
            (position.effective, rules.effective_limit(), "effective"),
            (position.total, rules.total_limit(), "total"),
        ];
        counters
            .into_iter()
            .find(|&(plies, limit, _)| plies >= limit)
            .map(|(_, _, reason)| Outcome::draw(reason))
    }

    /// Calls `visit` with every legal move until it says `true`; says whether it did. There is none when
    /// the game has ended.
    #[inline]
    pub(crate) fn any_legal(&self, position: &Position, visit: impl FnMut(Step) -> bool) -> bool {
        position.ruling.is_none() && position.drawn.is_none() && self.any_allowed(position, visit)
    }

    /// The same of a position whose game goes on or was just ended.
    #[inline]
    pub(crate) fn any_allowed(&self, position: &Position, mut visit: impl FnMut(Step) -> bool) -> bool {
        let forbids = self.forbids(position);
        position.board.any_step(|step| !(forbids && self.is_forbidden(position, step)) && visit(step))
    }

    /// Whether the judge may forbid moves of the side to move.
    #[inline]
    pub(crate) fn forbids(&self, position: &Position) -> bool {
        self.rules.perpetual_effect == PerpetualEffect::MoveForbidden
            && position.streaks[position.mover().index()].near_limit()
    }

    /// Whether a move, legal but for the judge, would lose by its mover's streaks without mating.
    pub(crate) fn is_forbidden(&self, position: &Position, step: Step) -> bool {
        let mover = position.mover();
        let mut after = *position;
        self.play_step(&mut after, step);
        after.ruling.is_some_and(|ruling| ruling.winner() == Some(mover.opponent())) && after.board.has_step()
    }
}

/// Whether a pawn's step leads over the river.
fn crosses(step: Step, mover: Player) -> bool {
    step.from.on_side_of(mover) && !step.to.on_side_of(mover)
}

/// Whether a rook, horse, cannon or pawn is on the board.
fn has_attackers(position: &Position) -> bool {
    let board = &position.board;
    [Kind::Rook, Kind::Horse, Kind::Cannon, Kind::Pawn].into_iter().any(|kind| !board.kind(kind).is_empty())
}
