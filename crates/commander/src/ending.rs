//! The end of the game (rules, section 8).

use crate::board::Board;
use crate::commander::Commander;
use crate::piece::Kind;
use crate::position::Position;
use crate::rules::{Adjudicate, BareCommanderLoses, NoCaptureResult, Simultaneous, Stalemate};
use crate::turn::{Forces, Turn};
use game::{Line, Outcome, Player, Verdict};

/// The end of the game by the rules that look at one turn only (section 8, rules 1 to 3), in one byte:
/// 0, or 1 and more for a verdict and the number of a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ended(u8);

/// Reasons of these rules.
const REASONS: [&str; 11] = [
    "commander_captured",
    "marine",
    "air",
    "land",
    "bare_commander",
    "marine+air",
    "marine+land",
    "air+marine",
    "air+land",
    "land+marine",
    "land+air",
];

impl Ended {
    /// The game goes on.
    pub const NOT: Ended = Ended(0);

    /// The end with an outcome by one of these rules.
    pub fn with(outcome: Outcome) -> Ended {
        let verdict = match outcome.verdict {
            Verdict::Win(Player::First) => 0,
            Verdict::Win(Player::Second) => 1,
            Verdict::Draw | Verdict::Truncated => 2,
        };
        let reason = REASONS.iter().position(|&reason| reason == outcome.reason.0);
        debug_assert!(reason.is_some(), "{outcome:?}");
        Ended(1 + 3 * reason.unwrap_or(0) as u8 + verdict)
    }

    /// Whether the game is over.
    #[inline]
    pub const fn is_over(self) -> bool {
        self.0 != 0
    }

    /// The outcome.
    pub fn outcome(self) -> Option<Outcome> {
        let code = self.0.checked_sub(1)?;
        let reason = REASONS[code as usize / 3];
        Some(match code % 3 {
            0 => Outcome::win(Player::First, reason),
            1 => Outcome::win(Player::Second, reason),
            _ => Outcome::draw(reason),
        })
    }

    /// The same with colours exchanged.
    pub fn flipped(self) -> Ended {
        match self.outcome() {
            Some(Outcome { verdict: Verdict::Win(player), reason }) => {
                Ended::with(Outcome::win(player.opponent(), reason.0))
            }
            _ => self,
        }
    }
}

impl Commander {
    /// Rules 2 and 3, at the end of a turn of `mover`: the battles of `win_set`, then the bare
    /// commander.
    pub(crate) fn battle_result(&self, board: &Board, turn: &Turn, mover: Player) -> Option<Outcome> {
        let lost = turn.lost(board);
        let battle = |side: Player| self.lost_battle(lost[side.index()]);
        if let Some(outcome) = self.double_result(battle(mover), battle(mover.opponent()), mover) {
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

    /// The first battle of `win_set` among those that a side lost in the turn.
    fn lost_battle(&self, lost: Forces) -> Option<&'static str> {
        let set = self.rules.win_set;
        if set.marine && lost.contains(Forces::MARINE) {
            Some("marine")
        } else if set.air && lost.contains(Forces::AIR) {
            Some("air")
        } else if set.land && lost.contains(Forces::LAND) {
            Some("land")
        } else {
            None
        }
    }

    /// Whether a side has a commander and nothing that `bare_commander_loses` counts.
    fn bare(&self, board: &Board, side: Player) -> bool {
        let ignores_headquarters = match self.rules.bare_commander_loses {
            BareCommanderLoses::Off => return false,
            BareCommanderLoses::Alone => false,
            BareCommanderLoses::Troops => true,
        };
        // Most boards are told by the number of stacks alone.
        board.commander(side).is_some()
            && (ignores_headquarters || board.occupied(side).len() == 1)
            && board.pieces(side).all(|piece| match piece.kind() {
                Kind::Commander => true,
                Kind::Headquarters => ignores_headquarters,
                _ => false,
            })
    }

    /// The end of the game at a position, all rules in their order.
    pub(crate) fn judge(&self, position: &Position, line: &Line<()>) -> Option<Outcome> {
        if position.turn.under_way() {
            return None;
        }
        if position.ended.is_over() {
            return position.ended.outcome();
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
