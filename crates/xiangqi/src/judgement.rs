//! What the judge says of a list of moves, with the rule and the pieces.

use crate::cycle::{Cycle, Habit};
use crate::piece::SLOTS;
use crate::position::Position;
use crate::rules::{Judge, PerpetualEffect};
use crate::step::Step;
use crate::streaks::{Pieces, Streaks, limit};
use crate::text::{side, why_not_on_board};
use crate::xiangqi::Xiangqi;
use game::judged::{Counter, SideStreaks, Streak};
use game::{Fault, Judged, Notation, Outcome, Play, Player};
use std::collections::BTreeMap;

/// The word for a move that the judge forbids.
const FORBIDDEN: &str = "move_forbidden";

impl Xiangqi {
    /// Plays moves (UCCI) until one brings a verdict or is forbidden, and says what the judge remembers.
    pub(crate) fn judge_moves(&self, start: &Position, moves: &[&str]) -> Result<Judged, Fault> {
        let mut play = Play::new(self, *start);
        for (index, text) in moves.iter().enumerate() {
            if play.outcome(self).is_some() {
                return Ok(self.judged(&play, index));
            }
            let place = || format!("move {} `{text}`", index + 1);
            let step = Step::read(text)
                .ok_or_else(|| Fault::new(place(), "no move: write two points from a0 to i9, as in h2e2"))?;
            if let Some(why) = why_not_on_board(&play.position, step) {
                return Err(Fault::new(place(), format!("not legal: {why}")));
            }
            let mut after = play.clone();
            after.step(self, step);
            if self.is_forbidden_on_line(&play, &after) {
                let explanation = format!("{text} is forbidden: it {}", self.explain_loss(&after));
                let judged = self.judged(&play, index + 1);
                return Ok(Judged { verdict: "none", reason: FORBIDDEN, explanation, ..judged });
            }
            play = after;
        }
        Ok(self.judged(&play, moves.len()))
    }

    /// What a forbidden move would be, for a message.
    pub(crate) fn would_be(&self, position: &Position, step: Step) -> String {
        let mut after = Play::new(self, *position);
        after.step(self, step);
        format!("it {}", self.explain_loss(&after))
    }

    /// Whether the judge forbids the move between two states of a game. Under `judge = cycle3` only the
    /// line tells; play lets such a move lose.
    fn is_forbidden_on_line(&self, before: &Play<Xiangqi>, after: &Play<Xiangqi>) -> bool {
        if self.rules.perpetual_effect != PerpetualEffect::MoveForbidden || !after.position.board.has_step() {
            return false;
        }
        let mover = before.position.mover();
        let loses = |outcome: Option<Outcome>| outcome.and_then(|end| end.winner()) == Some(mover.opponent());
        match self.rules.judge {
            Judge::Streak => loses(after.position.ruling),
            Judge::Cycle3 => loses(Cycle::of(&after.line).and_then(|cycle| cycle.verdict(mover.opponent()))),
        }
    }

    fn explain_loss(&self, after: &Play<Xiangqi>) -> String {
        let mover = after.position.mover().opponent();
        match self.rules.judge {
            Judge::Streak => format!("would be the {}", breach(&after.position, mover)),
            Judge::Cycle3 => format!("would lose, {}", explain_cycle(after)),
        }
    }

    fn judged(&self, play: &Play<Xiangqi>, ply: usize) -> Judged {
        let position = &play.position;
        let outcome = play.outcome(self);
        let counter = |plies: u16, limit: u16| Counter { plies: plies.into(), limit: limit.into() };
        let [first, second] = Player::BOTH.map(|side| streaks(position, side));
        Judged {
            verdict: outcome.map_or("none", |outcome| outcome.winner_word()),
            ply,
            reason: outcome.map_or("", |outcome| outcome.reason.0),
            explanation: outcome.map_or(String::new(), |outcome| self.explain(play, outcome)),
            streaks: SideStreaks { first, second },
            counters: BTreeMap::from([
                ("progress", counter(position.progress, self.rules.progress_limit())),
                ("effective", counter(position.effective, self.rules.effective_limit())),
                ("total", counter(position.total, self.rules.total_limit())),
            ]),
            fen: self.write_position(position),
        }
    }

    /// The rule that ended the game, and its pieces.
    fn explain(&self, play: &Play<Xiangqi>, outcome: Outcome) -> String {
        let position = &play.position;
        let waiting = position.mover().opponent();
        let mover = side(position.mover());
        let counted = |plies: u16, what: &str, limit: u16| format!("{plies} plies {what}: limit {limit}");
        match outcome.reason.0 {
            "mate" => format!("{mover} is in check and has no legal move"),
            "stalemate" => format!("{mover} is not in check and has no legal move: that loses too"),
            FORBIDDEN => format!("the judge forbids every move of {mover}"),
            "repetition" => "third occurrence of the position".to_owned(),
            "material" => "neither side has a rook, horse, cannon or pawn".to_owned(),
            "progress" => {
                let what = "without a capture or a forward step of a pawn across the river";
                counted(position.progress, what, self.rules.progress_limit())
            }
            "effective" => {
                let what = "that neither attacked nor answered a check or chase";
                counted(position.effective, what, self.rules.effective_limit())
            }
            "total" => counted(position.total, "since the start", self.rules.total_limit()),
            _ if self.rules.judge == Judge::Cycle3 => explain_cycle(play),
            "check" | "chase" => breach(position, waiting),
            _ => format!(
                "{}; {} stands at its limit: {}",
                breach(position, waiting),
                mover,
                at_limit(position)
            ),
        }
    }
}

/// The streak of `side` that exceeds its limit, in words: `7th check in a row by the rook on i9: limit
/// 6`.
fn breach(position: &Position, side: Player) -> String {
    let streak = worst(position, side, |length, limit| length > limit);
    let Some(streak) = streak else { return String::new() };
    let of = streak.target.map(|target| format!(" of the {target}")).unwrap_or_default();
    format!(
        "{} {} in a row{of} by {}: limit {}",
        ordinal(streak.length),
        streak.attack,
        list(&streak.by),
        streak.limit
    )
}

/// The streak of the side to move that is held against the verdict.
fn at_limit(position: &Position) -> String {
    let Some(streak) = worst(position, position.mover(), |length, limit| length >= limit) else {
        return String::new();
    };
    let of = streak.target.map(|target| format!(" of the {target}")).unwrap_or_default();
    let attacks = match streak.attack {
        "check" => "checks",
        _ => "chases",
    };
    format!("{} {attacks} in a row{of} by {}", streak.length, list(&streak.by))
}

/// The first streak that counts, checks before chases.
fn worst(position: &Position, side: Player, counts: impl Fn(u32, u32) -> bool) -> Option<Streak> {
    streaks(position, side).into_iter().find(|streak| counts(streak.length, streak.limit))
}

fn explain_cycle(play: &Play<Xiangqi>) -> String {
    let Some(cycle) = Cycle::of(&play.line) else { return String::new() };
    let mover = play.position.mover();
    let habit = |player: Player| {
        let was = match cycle.habit(player == mover) {
            Habit::None => return format!("those of {} had nothing in common", side(player)),
            Habit::Check => "was a check".to_owned(),
            Habit::Chase(targets) => {
                let targets: Vec<String> =
                    targets.slots().map(|slot| place(&play.position, player.opponent(), slot)).collect();
                format!("chased {}", list(&targets))
            }
        };
        format!("every move of {} {was}", side(player))
    };
    let [first, second] = Player::BOTH.map(habit);
    format!(
        "third occurrence of the position: in the {} plies since the third-last one {first}, {second}",
        cycle.len()
    )
}

/// The streaks of a side that have a length: checks, then chases by target.
fn streaks(position: &Position, side: Player) -> Vec<Streak> {
    let of_side: &Streaks = position.streaks(side);
    let by = |pieces: Pieces| pieces.slots().map(|slot| place(position, side, slot)).collect();
    let streak = |attack, target, length: u8, pieces: Pieces| Streak {
        attack,
        target,
        by: by(pieces),
        length: length.into(),
        limit: limit(pieces).into(),
    };
    let mut found = Vec::new();
    if of_side.checks() > 0 {
        found.push(streak("check", None, of_side.checks(), of_side.checkers()));
    }
    for slot in (0..SLOTS).filter(|&slot| of_side.chases(slot) > 0) {
        let target = place(position, side.opponent(), slot);
        found.push(streak("chase", Some(target), of_side.chases(slot), of_side.chasers(slot)));
    }
    found
}

/// `rook on i9`.
fn place(position: &Position, side: Player, slot: usize) -> String {
    match position.board().holder(side, slot) {
        Some(id) => format!("{} on {}", id.kind().word(), position.board().square(id)),
        None => "piece since captured".to_owned(),
    }
}

/// `the rook on i9 and the cannon on e2`.
fn list(pieces: &[String]) -> String {
    let pieces: Vec<String> = pieces.iter().map(|piece| format!("the {piece}")).collect();
    match pieces.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

fn ordinal(number: u32) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_one_says_them() {
        let said: Vec<String> = [1, 2, 3, 7, 11, 12, 13, 19, 21].map(ordinal).into();
        assert_eq!(said, ["1st", "2nd", "3rd", "7th", "11th", "12th", "13th", "19th", "21st"]);
    }
}
