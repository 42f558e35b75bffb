//! The end of the game (rules, section 8).

use crate::board::Board;
use crate::commander::Commander;
use crate::piece::Kind;
use crate::position::Position;
use crate::rules::{Adjudicate, BareCommanderLoses, NoCaptureResult, Simultaneous, Stalemate};
use crate::turn::Forces;
use game::{Line, Outcome, Player};

impl Commander {
    /// Rules 2 and 3, at the end of a turn of `mover`: the battles of `win_set`, then the bare
    /// commander. `had` is what both sides had as the turn began.
    pub(crate) fn battle_result(&self, board: &Board, had: [Forces; 2], mover: Player) -> Option<Outcome> {
        let own = self.lost_battle(board, had, mover);
        let other = self.lost_battle(board, had, mover.opponent());
        if let Some(outcome) = self.double_result(own, other, mover) {
            return Some(outcome);
        }
        let bare = |side| self.bare(board, side).then_some("bare_commander");
        self.double_result(bare(mover), bare(mover.opponent()), mover)
    }

    /// The result when the sides lost by these reasons in one turn of `mover`.
    fn double_result(
        &self,
        own: Option<&'static str>,
        other: Option<&'static str>,
        mover: Player,
    ) -> Option<Outcome> {
        match (own, other) {
            (None, None) => None,
            (Some(reason), None) => Some(Outcome::win(mover.opponent(), reason)),
            (None, Some(reason)) => Some(Outcome::win(mover, reason)),
            (Some(own), Some(other)) => Some(match self.rules.simultaneous {
                Simultaneous::MoverWins => Outcome::win(mover, other),
                Simultaneous::Draw => Outcome::draw(both(own, other)),
            }),
        }
    }

    /// The first battle of `win_set` that a side lost in the turn.
    fn lost_battle(&self, board: &Board, had: [Forces; 2], side: Player) -> Option<&'static str> {
        let set = self.rules.win_set;
        let had = had[side.index()];
        let has = Forces::of(board, side);
        if set.marine && had.marine && !has.marine {
            Some("marine")
        } else if set.air && had.air && !has.air {
            Some("air")
        } else if set.land && had.land && !has.land {
            Some("land")
        } else {
            None
        }
    }

    /// Whether a side has a commander and nothing that `bare_commander_loses` counts.
    fn bare(&self, board: &Board, side: Player) -> bool {
        let ignored = match self.rules.bare_commander_loses {
            BareCommanderLoses::Off => return false,
            BareCommanderLoses::Alone => 0,
            BareCommanderLoses::Troops => board.count(side, Kind::Headquarters),
        };
        board.commander(side).is_some() && board.total(side) == ignored + 1
    }

    /// The end of the game at a position, all rules in their order.
    pub(crate) fn judge(&self, position: &Position, line: &Line<()>) -> Option<Outcome> {
        if position.turn.under_way() {
            return None;
        }
        if position.ended.is_some() {
            return position.ended;
        }
        let mover = position.mover;
        if !self.has_step(position) {
            return Some(if self.in_danger(&position.board, mover) {
                Outcome::win(mover.opponent(), "mate")
            } else {
                match self.rules.stalemate {
                    Stalemate::Draw => Outcome::draw("stalemate"),
                    Stalemate::Loss => Outcome::win(mover.opponent(), "stalemate"),
                }
            });
        }
        if line.occurrences() >= 3 {
            return Some(Outcome::draw("repetition"));
        }
        self.judge_counters(position)
    }

    /// Rules 6 and 7: the counters.
    pub(crate) fn judge_counters(&self, position: &Position) -> Option<Outcome> {
        if position.quiet_turns >= self.rules.no_capture_turns {
            return Some(match self.rules.no_capture_result {
                NoCaptureResult::Draw => Outcome::draw("no_captures"),
                NoCaptureResult::Points => on_points(position.points, "no_captures"),
            });
        }
        (position.played >= self.rules.max_turns).then(|| match self.rules.adjudicate {
            Adjudicate::Points => on_points(position.points, "points"),
            Adjudicate::Draw => Outcome::draw("points"),
            Adjudicate::Truncate => Outcome::truncated("truncated"),
        })
    }
}

/// The larger sum of captured points wins.
fn on_points(points: [u32; 2], reason: &'static str) -> Outcome {
    match points[0].cmp(&points[1]) {
        std::cmp::Ordering::Greater => Outcome::win(Player::First, reason),
        std::cmp::Ordering::Less => Outcome::win(Player::Second, reason),
        std::cmp::Ordering::Equal => Outcome::draw(reason),
    }
}

/// Both reasons of a drawn double result, the mover's own loss first, once if equal.
fn both(own: &'static str, other: &'static str) -> &'static str {
    match (own, other) {
        ("marine", "air") => "marine+air",
        ("marine", "land") => "marine+land",
        ("air", "marine") => "air+marine",
        ("air", "land") => "air+land",
        ("land", "marine") => "land+marine",
        ("land", "air") => "land+air",
        // Equal reasons; a bare commander meets only its like.
        _ => own,
    }
}
