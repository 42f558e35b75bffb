//! Counts against formulas and against counting one by one.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::deployment::Sampler;
use crate::rules::{FreeStacks, FreeZone, Rules, StackCaps};
use crate::tables::Tables;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, HashSet};

fn game(free_zone: FreeZone, free_stacks: FreeStacks) -> Commander {
    Commander::new(Rules { free_zone, free_stacks, ..Rules::official() })
}

fn count(free_zone: FreeZone, free_stacks: FreeStacks) -> u128 {
    Space::of_rules(&game(free_zone, free_stacks), |_| 1).unwrap().count()
}

/// n · (n − 1) · … over `k` factors.
fn falling(n: u128, k: u128) -> u128 {
    (0..k).map(|index| n - index).product()
}

/// One piece a point: two navies, then the other 17 with seven pairs of like ones; and with the commander
/// in one of the headquarters.
#[test]
fn the_counts_are_those_of_the_formula() {
    for (zone, sea, shared, land) in [(FreeZone::Half, 12, 8, 46), (FreeZone::FiveRanks, 10, 5, 40)] {
        let formula = |pieces: u128| -> u128 {
            let navies = [sea * (sea - 1) / 2, sea * shared, shared * (shared - 1) / 2];
            (0..3)
                .map(|on_shared| {
                    navies[on_shared as usize] * (falling(shared + land - on_shared, pieces) / 128)
                })
                .sum()
        };
        assert_eq!(count(zone, FreeStacks::None), formula(17));
        assert_eq!(count(zone, FreeStacks::Hq), formula(17) + 2 * formula(16));
    }
    assert!(count(FreeZone::Half, FreeStacks::Any) > count(FreeZone::Half, FreeStacks::Hq));
}

/// Small armies on a few points, for which every set-up can be listed.
fn small(pieces: &str, points: &str, caps: StackCaps) -> (Space, Vec<Vec<(Point, Stack)>>) {
    let tables = Tables::new(&Rules { stack_caps: caps, ..Rules::official() });
    let kinds: Vec<Kind> = pieces.chars().map(|letter| Kind::from_letter(letter).unwrap()).collect();
    let points: Vec<Point> = points.split(' ').map(|name| Point::read(name).unwrap()).collect();
    let army = Army::of(kinds.iter().copied());
    let groups = every_stack(&army).into_iter().filter(|&stack| tables.legal_stack(stack));
    let groups = groups.map(|stack| Group { stack, weight: 1 });
    let space = Space::new(army, points.iter().copied(), groups).unwrap();
    let mut found = HashSet::new();
    let mut choice = vec![0; kinds.len()];
    'all: loop {
        let mut stacks: BTreeMap<Point, Stack> = BTreeMap::new();
        let legal = kinds.iter().zip(&choice).all(|(&kind, &index)| {
            let piece = Piece::new(kind, false);
            let here = stacks.entry(points[index]).or_insert(Stack::EMPTY);
            let more =
                if here.is_empty() { Some(Stack::single(Player::First, piece)) } else { here.with(piece) };
            more.map(|stack| *here = stack).is_some()
        });
        let legal = legal
            && stacks.iter().all(|(&point, &stack)| {
                tables.legal_stack(stack) && may_stand(stack.carrier().kind(), point)
            });
        if legal {
            found.insert(stacks.into_iter().collect::<Vec<_>>());
        }
        for index in &mut choice {
            *index += 1;
            if *index < points.len() {
                continue 'all;
            }
            *index = 0;
        }
        break;
    }
    (space, found.into_iter().collect())
}

const SMALL: [(&str, &str, StackCaps); 5] = [
    ("NTHC", "a1 b1 c1 d1 e1", StackCaps::Official),
    ("NNTC", "b1 c1 d6 f1", StackCaps::Official),
    ("NFFTTI", "a1 c1 d6 f1 g1", StackCaps::Wiki),
    ("EEAGSH", "c1 d6 f1 g1 h1 i1", StackCaps::Slots),
    ("NNFTMHC", "b1 c2 d6 e6 f1", StackCaps::Slots),
];

#[test]
fn small_spaces_are_counted_like_one_by_one() {
    for (pieces, points, caps) in SMALL {
        let (space, all) = small(pieces, points, caps);
        assert_eq!(space.count(), all.len() as u128, "{pieces} on {points}");
    }
}

/// Whether counts are far from equal shares: chi-square beyond five standard deviations.
fn far_from(counts: &[f64], expected: &[f64]) -> bool {
    let chi: f64 = counts.iter().zip(expected).map(|(found, wanted)| (found - wanted).powi(2) / wanted).sum();
    let freedom = counts.len() as f64 - 1.0;
    (chi - freedom).abs() > 5.0 * (2.0 * freedom).sqrt()
}

#[test]
fn every_set_up_of_a_small_space_is_drawn_equally_often() {
    for (pieces, points, caps) in SMALL {
        let (space, all) = small(pieces, points, caps);
        let sampler = Sampler::of_space(space);
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let mut drawn: BTreeMap<String, f64> =
            all.iter().map(|stacks| (format!("{stacks:?}"), 0.0)).collect();
        let draws = 40 * all.len();
        for _ in 0..draws {
            let deployment = sampler.draw(&mut random);
            *drawn.get_mut(&format!("{:?}", deployment.stacks())).expect("a legal set-up") += 1.0;
        }
        let counts: Vec<f64> = drawn.into_values().collect();
        assert!(!far_from(&counts, &vec![40.0; all.len()]), "{pieces} on {points}: {} set-ups", all.len());
    }
}

/// Under the real rules: how often each point has each kind, against the exact shares.
#[test]
fn marginals_of_free_set_ups_are_the_exact_ones() {
    const DRAWS: u32 = 20_000;
    for free_stacks in [FreeStacks::None, FreeStacks::Hq] {
        let game = game(FreeZone::Half, free_stacks);
        let sampler = Sampler::uniform(&game).unwrap();
        let total = sampler.space().count() as f64;
        let in_headquarters = (total - count(FreeZone::Half, FreeStacks::None) as f64) / total;
        let mut random = ChaCha8Rng::seed_from_u64(8);
        let mut seen: BTreeMap<(Kind, Point), f64> = BTreeMap::new();
        let mut together = 0.0;
        for _ in 0..DRAWS {
            let deployment = sampler.draw(&mut random);
            together += f64::from(u8::from(deployment.stacks().len() < 19));
            for (point, piece) in deployment.pieces() {
                *seen.entry((piece.kind(), point)).or_default() += 1.0;
            }
        }
        let spread = (f64::from(DRAWS) * in_headquarters * (1.0 - in_headquarters)).sqrt();
        assert!((together - f64::from(DRAWS) * in_headquarters).abs() <= 5.0 * spread);
        for kind in Kind::ALL {
            let of = |points: &[Point]| -> Vec<f64> {
                points.iter().map(|&point| seen.get(&(kind, point)).copied().unwrap_or(0.0)).collect()
            };
            // All points of a class are alike.
            let zone = sampler.space().zone();
            for points in [&zone.sea, &zone.shared, &zone.land] {
                let counts = of(points);
                let mean = counts.iter().sum::<f64>() / counts.len() as f64;
                let forbidden = may_stand(kind, points[0]) == (mean == 0.0);
                assert!(!forbidden, "{kind:?} on {points:?}");
                assert!(mean == 0.0 || !far_from(&counts, &vec![mean; counts.len()]), "{kind:?}");
            }
            let pieces = f64::from(Army::FULL.count(kind)) * f64::from(DRAWS);
            assert_eq!(
                of(&zone.sea).iter().chain(&of(&zone.shared)).chain(&of(&zone.land)).sum::<f64>(),
                pieces
            );
        }
        // The share of navies at sea, from the counts with 0, 1 and 2 of them on points for all.
        let exact = share_at_sea(free_stacks);
        let found: f64 = sampler.space().zone().sea.iter().map(|&p| seen[&(Kind::Navy, p)]).sum();
        let expected = exact * 2.0 * f64::from(DRAWS);
        assert!((found - expected).abs() <= 5.0 * expected.sqrt(), "{found} {expected}");
    }
}

/// Expected share of the two navies that stand at sea.
fn share_at_sea(free_stacks: FreeStacks) -> f64 {
    let sets = |on_shared: u128| -> f64 {
        let navies = [66.0, 96.0, 28.0][on_shared as usize];
        let alone = falling(54 - on_shared, 17) as f64;
        let together = 2.0 * falling(54 - on_shared, 16) as f64;
        navies * if free_stacks == FreeStacks::None { alone } else { alone + together }
    };
    (2.0 * sets(0) + sets(1)) / (2.0 * (sets(0) + sets(1) + sets(2)))
}

#[test]
fn weights_count_set_ups_several_times_and_too_many_are_refused() {
    let game = game(FreeZone::Half, FreeStacks::Hq);
    let weighted = Space::of_rules(&game, |_| 6).unwrap().count();
    let (all, alone) = (count(FreeZone::Half, FreeStacks::Hq), count(FreeZone::Half, FreeStacks::None));
    assert_eq!(weighted, alone + 6 * (all - alone));
    assert_eq!(Space::of_rules(&game, |_| 0).unwrap().count(), alone);
    assert_eq!(Space::of_rules(&game, |_| u32::MAX).map(|_| ()), Ok(()));
    let tank = Group { stack: Stack::single(Player::First, Piece::new(Kind::Tank, false)), weight: 1 };
    let nowhere = Space::new(Army::of([Kind::Tank]), [Point::at(0, 0)], [tank]);
    assert_eq!(nowhere.map(|_| ()), Err(SpaceError::Empty));
}
