//! Whole studies on a made-up game: a set-up is as strong as its commander is far back, and three sorts of
//! sides beat each other in a circle.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use commander::{Commander, Deployment, Rules};
use deployments::{
    Config, Descriptors, Findings, Judge, PairRequest, Record, Seat, Study, StudyError, Table, TableError,
};
use game::Player;
use game::random::{Purpose, stream};
use pairs::{Pair, PlayedGame, Winner};
use rand::Rng;
use std::cell::Cell;
use std::path::Path;

/// The true score of one set-up against another.
fn score(one: &Deployment, other: &Deployment) -> f64 {
    let [own, others] = [one, other].map(Descriptors::of);
    let sort = |found: &Descriptors| (found.navy_posture * 2.99) as i32;
    let circle = [0.0, 0.15, -0.15][(3 + sort(&own) - sort(&others)) as usize % 3];
    (0.5 + circle + 0.3 * (own.commander_depth - others.commander_depth)).clamp(0.02, 0.98)
}

/// Plays by chance; stops where it has played so many pairs.
struct Dice {
    left: Cell<u64>,
}

impl Dice {
    fn game(&self, request: &PairRequest, number: usize) -> PlayedGame {
        let [one, other] = &request.sides;
        let mut random = stream(1, Purpose::Playout, &[request.number, number as u64]);
        let wins = random.random::<f64>() < score(one, other);
        let a_plays = Player::BOTH[number];
        let winner = if wins { a_plays } else { a_plays.opponent() };
        PlayedGame {
            winner: if winner == Player::First { Winner::First } else { Winner::Second },
            reason: "dice".to_owned(),
            // Every game is another one.
            start: format!("{} {number}", request.number),
            ..PlayedGame::void(number)
        }
    }
}

impl Table for Dice {
    fn play(
        &self,
        _: Seat,
        pairs: &[PairRequest],
        kept: &(dyn Fn(&PairRequest, &Pair) -> bool + Sync),
    ) -> Result<(), TableError> {
        for request in pairs {
            if self.left.get() == 0 {
                return Err(TableError::Stopped);
            }
            self.left.set(self.left.get() - 1);
            let games = [0, 1].map(|number| self.game(request, number));
            assert!(kept(request, &Pair { pair: request.number, games }));
        }
        Ok(())
    }
}

/// Knows the commander's depth and nothing else.
struct Half;

impl Judge for Half {
    fn judge(&self, positions: &[[&Deployment; 2]]) -> Result<Vec<f64>, TableError> {
        let depth = |one: &Deployment| Descriptors::of(one).commander_depth;
        Ok(positions.iter().map(|[red, blue]| 0.5 + 0.2 * (depth(red) - depth(blue))).collect())
    }
}

fn config() -> Config {
    toml::from_str(
        "seed = 3
         generate = { uniform = 60, prior = 60, mutations = 20 }
         screen = { panel = 8, keep = 16, calibration = 12, calibration_pairs = 12 }
         race = { simulations = [0, 2], pairs = 8, keep = 7 }
         matrix = { simulations = 4, pairs = 500 }
         oracle = { candidates = 60, games = 8, pairs = 12, confirm = 120 }
         control = { players = ['dice'], pairs = 60 }
         stop = { epsilon = 0.06, rounds = 3, pairs = 6000 }",
    )
    .unwrap()
}

fn run(directory: &Path, pairs: u64, judge: Option<&dyn Judge>) -> Result<Findings, StudyError> {
    let game = Commander::new(Rules::default());
    let study = Study {
        game: &game,
        rules: serde_json::Value::Null,
        config: config(),
        file: Vec::new(),
        policy: None,
        table: &Dice { left: Cell::new(pairs) },
        judge,
        warnings: Vec::new(),
        say: &|_| {},
    };
    study.run(Record::open(directory).unwrap())
}

#[test]
fn a_study_finds_what_is_good_and_says_how_surely() {
    let directory = tempfile::tempdir().unwrap();
    let findings = run(directory.path(), u64::MAX, Some(&Half)).unwrap();
    // What the mixture truly is worth against each of its set-ups and each of the race.
    let lines: Vec<Deployment> = findings
        .set_ups
        .iter()
        .map(|one| {
            deployments::named::read(&Commander::new(Rules::default()), &one.set_up)
                .unwrap()
                .remove(0)
                .deployment
        })
        .collect();
    let worst = lines
        .iter()
        .map(|reply| {
            let mixed = lines.iter().zip(&findings.set_ups).map(|(own, row)| row.share * score(own, reply));
            mixed.sum::<f64>()
        })
        .fold(1.0, f64::min);
    assert!(worst > 0.5 - 0.08, "{worst}");
    assert!(worst >= 0.5 - findings.answer.exploitability_bound, "{worst}");
    let best = findings.set_ups.iter().max_by(|one, other| one.share.total_cmp(&other.share)).unwrap();
    assert!(best.descriptors.commander_depth >= 0.8, "{best:?}");
    // The weakness on purpose ends at the bottom of the race.
    let rung = &findings.race[0];
    let place = rung.rows.iter().position(|row| row.name == "exposed-commander").unwrap();
    assert!(place >= rung.rows.len() / 2, "{place} of {}", rung.rows.len());
    let calibration = findings.calibration.as_ref().unwrap();
    assert!(calibration.correlation > 0.3 && calibration.slope > 0.0, "{calibration:?}");
    // Those who play have been chosen by depth, so that games see little of it; values see all of it.
    let depths = [&findings.regressions.values, &findings.regressions.games];
    let [values, games] = depths.map(|found| found.as_ref().unwrap().effects[0]);
    assert!(values.interval.low > 0.01 && games.effect > 0.0, "{values:?} {games:?}");
    assert!(findings.controls.iter().any(|control| control.agreement.unwrap().tau > 0.4));
    assert!(findings.first_player.unwrap().1.contains(0.5));
    assert_eq!(findings.games.played, findings.games.distinct);
    assert!(!findings.oracle.is_empty() && findings.games.pairs <= 6000 + 60 * findings.set_ups.len() as u64);
    let text = serde_json::to_string(&findings).unwrap();
    assert_eq!(serde_json::from_str::<Findings>(&text).unwrap(), findings);
}

#[test]
fn a_study_that_is_stopped_again_and_again_finds_the_same() {
    let whole = tempfile::tempdir().unwrap();
    let wanted = run(whole.path(), u64::MAX, None).unwrap();
    let pieces = tempfile::tempdir().unwrap();
    let mut rounds = 0;
    let found = loop {
        match run(pieces.path(), 700, None) {
            Ok(findings) => break findings,
            Err(StudyError::Table(TableError::Stopped)) => rounds += 1,
            Err(error) => panic!("{error}"),
        }
        // As after a kill in the middle of a line.
        let path = pieces.path().join(deployments::record::FILE);
        let text = std::fs::read(&path).unwrap();
        std::fs::write(&path, &text[..text.len() - 7]).unwrap();
    };
    assert!(rounds >= 2, "{rounds}");
    assert_eq!(found, wanted);
    assert_eq!(found.calibration, None);
}
