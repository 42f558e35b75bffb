//! A policy that learns on made-up judges whose solutions are known.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use commander::deployment::{PlacingOrder, Sampler};
use commander::piece::Kind;
use commander::{Commander, Deployment, Rules};
use deployments::learned::returns::{entropy, log_softmax};
use deployments::learned::{
    Answers, Batch, CHANNELS, LearnConfig, Learned, Learner, Opponent, Policy, PolicyError, SQUARES,
    Training, Update, draw, estimate, exploitability, log_probability, proposals,
};
use deployments::{Judge, PairRequest, Record, Seat, Table, TableError};
use game::random::{Purpose, stream};
use pairs::{Pair, PlayedGame, Winner};

/// A logit for each piece of the order and each point, whatever else stands: learns by the gradient written out.
#[derive(Clone, Debug, PartialEq)]
struct Tabular {
    logits: Vec<[f64; SQUARES]>,
}

impl Tabular {
    fn new() -> Tabular {
        Tabular { logits: vec![[0.0; SQUARES]; 19] }
    }

    /// The piece that a row is about: the share of pieces that stand says so.
    fn piece(planes: &[f32]) -> usize {
        (planes[2 * Kind::ALL.len() + 1] * 19.0).round() as usize
    }
}

impl Policy for Tabular {
    fn answer(&self, planes: &[f32], rows: usize) -> Result<Answers, PolicyError> {
        let of = |row: &[f32]| self.logits[Tabular::piece(row)].map(|logit| logit as f32);
        Ok(Answers {
            logits: planes.chunks(SQUARES * CHANNELS).flat_map(of).collect(),
            expected: vec![0.5; rows],
        })
    }
}

/// A point's own logit moves slowly: it is met once in fifty set-ups.
const SPEED: f64 = 20.0;

impl Learner for Tabular {
    fn learn(&mut self, batch: &Batch, learning_rate: f64) -> Result<Learned, PolicyError> {
        assert!(batch.is_sound());
        let mut learned = Learned::default();
        let mut gradient = vec![[0.0; SQUARES]; 19];
        for row in 0..batch.rows() {
            let piece = Tabular::piece(&batch.planes[row * SQUARES * CHANNELS..]);
            let open: Vec<usize> = (0..SQUARES).filter(|point| batch.open[row * SQUARES + point]).collect();
            let logits: Vec<f64> =
                open.iter().map(|&point| f64::from(self.logits[piece][point] as f32)).collect();
            let chances = log_softmax(&logits);
            let mixed = entropy(&chances);
            learned.entropy += mixed / batch.rows() as f64;
            for (&point, chance) in open.iter().zip(&chances) {
                let taken = f64::from(u8::from(point == batch.chosen[row] as usize));
                gradient[piece][point] += f64::from(batch.advantages[row]) * (taken - chance.exp())
                    - batch.entropy_weight * chance.exp() * (chance + mixed);
            }
        }
        for (logits, gradient) in self.logits.iter_mut().zip(&gradient) {
            for (logit, change) in logits.iter_mut().zip(gradient) {
                *logit += SPEED * learning_rate * change * 19.0 / batch.rows() as f64;
            }
        }
        Ok(learned)
    }

    fn snapshot(&self) -> Result<Box<dyn Policy>, PolicyError> {
        Ok(Box::new(self.clone()))
    }
}

/// The score is a function of both commanders' files.
struct Columns(fn(usize, usize) -> f64);

fn file(deployment: &Deployment) -> usize {
    deployment.commander().unwrap().file()
}

impl Judge for Columns {
    fn judge(&self, positions: &[[&Deployment; 2]]) -> Result<Vec<f64>, TableError> {
        Ok(positions.iter().map(|[red, blue]| self.0(file(red), file(blue))).collect())
    }
}

/// The first set-up of every pair wins both games.
struct First;

impl Table for First {
    fn play(
        &self,
        _: Seat,
        pairs: &[PairRequest],
        kept: &(dyn Fn(&PairRequest, &Pair) -> bool + Sync),
    ) -> Result<(), TableError> {
        for request in pairs {
            let won = [Winner::First, Winner::Second];
            let games = [0, 1].map(|number| PlayedGame {
                winner: won[number],
                reason: "first".to_owned(),
                start: format!("{} {number}", request.number),
                ..PlayedGame::void(number)
            });
            assert!(kept(request, &Pair { pair: request.number, games }));
        }
        Ok(())
    }
}

fn game() -> Commander {
    Commander::new(Rules::default())
}

fn config(text: &str) -> LearnConfig {
    let config: LearnConfig = toml::from_str(text).unwrap();
    config.check().unwrap();
    config
}

/// Teaches a policy; the last updates.
fn teach(policy: &mut Tabular, config: &LearnConfig, judge: &dyn Judge) -> Vec<Update> {
    let game = game();
    let mut training = Training::new(&game, config, &First, Some(judge), &|_| {}).unwrap();
    let mut updates = Vec::new();
    while training.updates() < config.updates {
        if training.is_time_for_a_snapshot() {
            training.offer(policy).unwrap();
        }
        updates.push(training.step(policy).unwrap());
    }
    updates
}

/// How often the commander stands on each file, among many draws.
fn files(policy: &dyn Policy) -> [f64; 11] {
    let mut streams: Vec<_> = (0..2000).map(|draw| stream(9, Purpose::Opening, &[draw])).collect();
    let mut shares = [0.0; 11];
    for one in draw(policy, &PlacingOrder::new(&game()), &mut streams).unwrap() {
        shares[file(&one.deployment)] += 1.0 / 2000.0;
    }
    shares
}

#[test]
fn the_policy_becomes_what_the_regulariser_says() {
    // On the files h to k the commander is worth 0.4 more, whoever the opponent is: the best policy towards the
    // uniform sampler draws such a set-up e^(0.4 / 0.2) times as often as the sampler does.
    let judge = Columns(|red, blue| {
        let worth = |file: usize| if file >= 7 { 0.4 } else { 0.0 };
        0.5 + worth(red) - worth(blue)
    });
    let config = config(
        "seed = 1
         updates = 100
         optimizer = { learning_rate = 1.0 }
         batch = { pairs = 64 }
         regulariser = { weight = 0.2, towards = 'uniform' }",
    );
    let mut policy = Tabular::new();
    let updates = teach(&mut policy, &config, &judge);
    let found: f64 = files(&policy)[7..].iter().sum();
    let right = |share: f64| share * 2f64.exp() / (share * 2f64.exp() + 1.0 - share);
    // The uniform sampler's own share of those files.
    let sampler = Sampler::uniform(&game()).unwrap();
    let mut random = stream(1, Purpose::Opening, &[]);
    let uniform = (0..2000).filter(|_| file(&sampler.draw(&mut random)) >= 7).count() as f64 / 2000.0;
    assert!((found - right(uniform)).abs() < 0.06, "{found}, {} from {uniform}", right(uniform));
    // Everything else stays as the sampler has it: the divergence is that of the commander's files alone.
    let alone = found * (found / uniform).ln() + (1.0 - found) * ((1.0 - found) / (1.0 - uniform)).ln();
    let last: Vec<f64> = updates[70..].iter().map(|update| update.point.divergence).collect();
    let mean = last.iter().sum::<f64>() / last.len() as f64;
    assert!((0.0..alone + 1.0).contains(&mean), "{mean}, at least {alone}");
    let sampler: Vec<f64> = updates[70..].iter().filter_map(|update| update.point.sampler).collect();
    let score = sampler.iter().sum::<f64>() / sampler.len() as f64;
    assert!((score - 0.5 - 0.4 * (found - uniform)).abs() < 0.06, "{score}");
}

#[test]
fn rock_paper_scissors_stays_mixed_and_nothing_is_gained_against_it() {
    // The left third of the files beats the middle one, that the right one, and that the left one.
    let judge = Columns(|red, blue| {
        let third = |file: usize| (file - 2) / 3;
        [0.5, 0.85, 0.15][(3 + third(blue) - third(red)) % 3]
    });
    let config = config(
        "seed = 2
         updates = 140
         optimizer = { learning_rate = 1.0 }
         batch = { pairs = 48 }
         opponents = { current = 0.5, past = 0.5, sampler = 0.0, every = 10 }
         regulariser = { weight = 0.1, towards = 'uniform' }
         estimate = { set_ups = 24, candidates = 40, confirm = 200 }",
    );
    let mut policy = Tabular::new();
    // The commander nearly always on the left.
    for point in 0..SQUARES {
        policy.logits[15][point] = if point % 11 < 5 { 3.0 } else { 0.0 };
    }
    let game = game();
    let training = Training::new(&game, &config, &First, Some(&judge), &|_| {}).unwrap();
    let before = estimate(&training, &policy, &judge, 0).unwrap().unwrap();
    assert!(before.interval.low > 0.15 && before.bound > before.gain, "{before:?}");
    teach(&mut policy, &config, &judge);
    let after = estimate(&training, &policy, &judge, config.updates).unwrap().unwrap();
    assert!(after.bound < 0.1, "{after:?}");
    let shares = files(&policy);
    for third in [2, 5, 8] {
        let share: f64 = shares[third..third + 3].iter().sum();
        assert!((0.2..0.47).contains(&share), "{shares:?}");
    }
}

#[test]
fn a_training_that_is_gone_on_with_is_the_same() {
    let judge = Columns(|red, blue| 0.5 + 0.02 * (red as f64 - blue as f64));
    let config = config(
        "updates = 6
         batch = { pairs = 12 }
         opponents = { every = 1, pool = 2 }
         games = { share = 0.25 }",
    );
    let mut whole = Tabular::new();
    let wanted = teach(&mut whole, &config, &judge);
    let game = game();
    let begin = || Training::new(&game, &config, &First, Some(&judge), &|_| {}).unwrap();
    let (mut policy, mut kept) = (Tabular::new(), Vec::new());
    let mut training = begin();
    for update in &wanted {
        kept.push(policy.clone());
        training.offer(&policy).unwrap();
        let (updates, pool) = (training.updates(), training.pool().state());
        let open =
            |updates: u64| Ok::<Box<dyn Policy>, PolicyError>(Box::new(kept[updates as usize].clone()));
        training = begin().resume(updates, &pool, open).unwrap();
        assert_eq!(&training.step(&mut policy).unwrap(), update);
    }
    assert_eq!(policy, whole);
    let episodes: Vec<_> = wanted.iter().flat_map(|update| &update.episodes).collect();
    assert!(episodes.iter().any(|one| one.opponent == Opponent::Sampler));
    assert!(episodes.iter().any(|one| matches!(one.opponent, Opponent::Past(_))));
    for (number, one) in episodes.iter().enumerate() {
        assert_eq!((one.update, one.pair), (number as u64 / 12, number as u64 % 12));
        // A quarter of each batch played, and the first side won.
        assert_eq!(one.games.is_some(), one.pair < 3);
        assert!(one.pair >= 3 || one.score == 1.0);
        assert_eq!(deployments::named::read(&game, &one.sides.join("\n")).unwrap().len(), 2);
        let text = serde_json::to_string(one).unwrap();
        assert_eq!(&&serde_json::from_str::<deployments::learned::Episode>(&text).unwrap(), one);
    }
}

#[test]
fn probabilities_are_those_of_the_draws_and_make_a_file() {
    let game = game();
    let order = PlacingOrder::new(&game);
    let mut policy = Tabular::new();
    // Nearly certain where everything goes, but for the commander.
    let standard = Deployment::standard();
    let places = order.places(&standard).unwrap();
    for (piece, place) in places.iter().enumerate() {
        policy.logits[piece][place.index()] = if piece == 15 { 4.0 } else { 16.0 };
    }
    let mut streams: Vec<_> = (0..400).map(|draw| stream(3, Purpose::Opening, &[draw])).collect();
    let drawn = draw(&policy, &order, &mut streams).unwrap();
    let found: Vec<Deployment> = drawn.iter().map(|one| one.deployment.clone()).collect();
    let again = log_probability(&policy, &order, &found).unwrap();
    for (one, again) in drawn.iter().zip(&again) {
        assert!((one.log_probability() - again).abs() < 1e-9);
    }
    // e^4 against the other points of the land: 54 less a navy's, the 13 of pieces that stand and its own, and two
    // headquarters. Infantry and militia come later.
    let right = 4f64.exp() / (4f64.exp() + 41.0);
    let share = found.iter().filter(|one| **one == standard).count() as f64 / 400.0;
    let probability = log_probability(&policy, &order, std::slice::from_ref(&standard)).unwrap()[0].exp();
    assert!(
        (probability - right).abs() < 0.001 && (share - right).abs() < 0.08,
        "{probability} {share} {right}"
    );
    let skirmish = log_probability(&policy, &order, &[Deployment::skirmish()]).unwrap();
    assert_eq!(skirmish, [f64::NEG_INFINITY]);
    let list = proposals(&game, &policy, 200, 5).unwrap();
    assert!((list.iter().map(|one| one.share).sum::<f64>() - 1.0).abs() < 1e-9);
    assert!(list[0].set_up == standard.to_string() && list.len() > 5);
    let text = deployments::learned::write_proposals(&list, "A test.");
    let read = commander::deployment::read_list(&text).unwrap();
    assert_eq!(read.len(), list.len());
    for (one, proposal) in read.iter().zip(&list) {
        assert_eq!(one.deployment(&game).unwrap().to_string(), proposal.set_up);
        assert!((one.weight - proposal.share).abs() < 1e-6);
    }
}

#[test]
fn a_reply_by_games_is_confirmed_and_kept() {
    let config = config(
        "updates = 1
         games = { share = 1.0 }
         oracle = { candidates = 4, games = 4, pairs = 4, confirm = 20 }
         estimate = { mixture = 10 }",
    );
    let game = game();
    let mut training = Training::new(&game, &config, &First, None, &|_| {}).unwrap();
    let mut policy = Tabular::new();
    assert!(training.step(&mut policy).unwrap().episodes.iter().all(|one| one.games.is_some()));
    let directory = tempfile::tempdir().unwrap();
    let find =
        || exploitability(&training, &policy, Record::open(directory.path()).unwrap()).unwrap().unwrap();
    let found = find();
    assert_eq!((found.gain, found.pairs, found.mixture, found.tried), (0.5, 20, 10, 4));
    let size = || std::fs::metadata(directory.path().join(deployments::record::FILE)).unwrap().len();
    let before = size();
    assert_eq!(find(), found);
    assert_eq!(size(), before);
    // Without a judge everybody has to play.
    let values = LearnConfig::default();
    let refused = Training::new(&game, &values, &First, None, &|_| {}).err().unwrap().to_string();
    assert!(refused.contains("games.share: found 0, expected 1"), "{refused}");
}
