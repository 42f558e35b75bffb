//! What a move attacks: checks, pairs of attacker and target, and whether a pair is good (rules page,
//! sections 1 to 3 of the judge).

use crate::board::Board;
use crate::danger::Danger;
use crate::piece::{Id, Kind, SLOTS};
use crate::rules::{DiscoveredAttacks, Rules};
use crate::square::{Square, Squares, own_half};
use crate::step::Step;
use crate::streaks::{Attackers, Class, Pieces};
use game::Player;

/// What a move was, and with which pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Attack {
    /// Check, chase or neither.
    pub(crate) class: Class,
    /// All pieces that give check, moved or not.
    pub(crate) checkers: Pieces,
    /// The good pairs: attackers by target. Of a check only where checks chase too.
    pub(crate) pairs: Attackers,
}

impl Attack {
    /// The attack of a move that was `step` and led from `before` to `after`.
    pub(crate) fn of(rules: &Rules, before: &Board, after: &Board, step: Step) -> Attack {
        let mut attack = Attack { class: Class::Idle, checkers: Pieces::NONE, pairs: [Pieces::NONE; SLOTS] };
        for square in Danger::of(after, after.mover()).checkers().seen_by(Player::First) {
            if let Some(id) = after.at(square) {
                attack.checkers.add(id);
            }
        }
        let check = !attack.checkers.is_empty();
        if check {
            attack.class = Class::Check;
        }
        if !check || rules.check_also_chase.is_on() {
            let found = find_pairs(rules, before, after, step, &mut attack.pairs);
            if found && !check {
                attack.class = Class::Chase;
            }
        }
        attack
    }

    /// Numbers of the chased pieces.
    pub(crate) fn chased(&self) -> Pieces {
        let mut chased = 0;
        for (target, attackers) in self.pairs.iter().enumerate() {
            chased |= u16::from(!attackers.is_empty()) << target;
        }
        Pieces(chased)
    }
}

/// Enters the good pairs of a move; says whether there is one.
fn find_pairs(rules: &Rules, before: &Board, after: &Board, step: Step, pairs: &mut Attackers) -> bool {
    let Some(moved) = after.at(step.to) else { return false };
    let side = moved.side();
    let plain = !matches!(moved.kind(), Kind::King | Kind::Pawn);
    let everything = rules.discovered_attacks == DiscoveredAttacks::AllInclKingPawn;
    if !plain && !everything {
        return false;
    }
    let prey = chaseable(after, side.opponent());
    let mut found = false;
    let mut enter = |attacker: Id, targets: Squares| {
        for square in targets.seen_by(Player::First) {
            if let Some(target) = after.at(square)
                && is_good(rules, after, attacker, target)
            {
                pairs[target.slot()].add(attacker);
                found = true;
            }
        }
    };
    if plain {
        let mut targets = after.takes(moved).and(prey);
        if rules.new_attack_only.is_on() {
            targets = targets.without(before.takes(moved));
        }
        enter(moved, targets);
    }
    let mut discover = |id: Id| {
        if id != moved {
            enter(id, after.takes(id).and(prey).without(before.takes(id)));
        }
    };
    if rules.discovered_attacks == DiscoveredAttacks::Cannon {
        after
            .of_kind(side, Kind::Cannon)
            .seen_by(Player::First)
            .filter_map(|square| after.at(square))
            .for_each(&mut discover);
    } else {
        after.pieces(side).for_each(&mut discover);
    }
    if rules.undermined_root.is_on() {
        for id in after.pieces(side).filter(|id| !matches!(id.kind(), Kind::King | Kind::Pawn)) {
            let standing = after.takes(id).and(before.takes(id)).and(prey);
            let undermined =
                |&square: &Square| is_recapturable(before, id, square) && !is_recapturable(after, id, square);
            enter(id, standing.seen_by(Player::First).filter(undermined).collect());
        }
    }
    found
}

/// Points of a side's pieces that can be chased: all but its king and its pawns on its own side of the
/// river.
fn chaseable(board: &Board, side: Player) -> Squares {
    let home = board.of_kind(side, Kind::Pawn).and(own_half(side));
    board.occupied(side).without(Squares::of(board.king(side))).without(home)
}

/// Whether a pair is good; `attacker` can take `target` by its movement, and the target's side is to
/// move or has just moved.
fn is_good(rules: &Rules, board: &Board, attacker: Id, target: Id) -> bool {
    let (from, to) = (board.square(attacker), board.square(target));
    let capture = Step { from, to };
    if !board.is_safe(attacker.side(), capture) {
        return false;
    }
    // An offer: pieces of one kind that could as well take each other.
    let offer =
        || board.targets(target).contains(from) && board.is_safe(target.side(), Step { from: to, to: from });
    if attacker.kind() == target.kind() && offer() {
        return false;
    }
    let exempt = match (attacker.kind(), target.kind()) {
        (Kind::Cannon | Kind::Horse, Kind::Rook) => true,
        (Kind::Advisor | Kind::Elephant, Kind::Rook | Kind::Horse | Kind::Cannon) => {
            rules.guard_attacks_major.is_on()
        }
        _ => false,
    };
    exempt || !rules.protected_exempt.is_on() || !is_recapturable(board, attacker, to)
}

/// Whether the other side could legally recapture if `attacker` took what stands on `square`.
fn is_recapturable(board: &Board, attacker: Id, square: Square) -> bool {
    let mut taken = *board;
    taken.carry_out(Step { from: board.square(attacker), to: square });
    let side = attacker.side().opponent();
    taken.occupied(side).seen_by(Player::First).any(|from| {
        let Some(id) = taken.at(from) else { return false };
        taken.targets(id).contains(square) && taken.is_safe(side, Step { from, to: square })
    })
}

/// Whether some of a chase's pairs, `pairs` of attackers of `side`, are still good.
pub(crate) fn still_good(rules: &Rules, board: &Board, side: Player, pairs: &Attackers) -> bool {
    pairs.iter().enumerate().any(|(slot, attackers)| {
        let Some(target) = board.holder(side.opponent(), slot) else { return false };
        attackers.slots().filter_map(|slot| board.holder(side, slot)).any(|attacker| {
            board.takes(attacker).contains(board.square(target)) && is_good(rules, board, attacker, target)
        })
    })
}
