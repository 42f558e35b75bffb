//! Inputs of the targets that read files: games that were given up early, shards and matches of them, and a study
//! that is played with dice.

use super::{Corpora, add};
use commander::{Commander, Rules};
use connect4::ConnectFour;
use deployments::explain::HeatMap;
use deployments::learned::{LearnedFindings, Proposal};
use deployments::{Config, PairRequest, Record, SCHEMA, Seat, Study, Table, TableError, record};
use game::random::{Purpose, stream};
use game::record::{GameRecord, RESIGNATION, SearchRecord, StepRecord};
use game::{BoardGame, OfMover, Outcome, Play, Player, StepCode, Wdl};
use pairs::{
    Budget, FORMAT, MatchHeader, Pair, PairFile, PlayedGame, PlayerHeader, PlayerKind, StartsHeader, VERSION,
    Winner,
};
use rand::Rng;
use selfplay::{Identity, ShardWriter};
use serde_json::{Value, json};
use std::path::Path;

/// Turns after which a side gives up.
const TURNS: [usize; 3] = [2, 5, 9];

/// Finished games of every preset, behind one another as blocks of shards hold them.
pub fn add_games<G: BoardGame>(corpora: &mut Corpora) {
    for (number, &preset) in G::presets().iter().enumerate() {
        let Some(Ok(game)) = G::preset(preset).map(G::with_rules) else { continue };
        let mut input = vec![b'0' + number as u8];
        for (id, &turns) in TURNS.iter().enumerate() {
            let bytes = postcard::to_stdvec(&given_up(&game, id as u64, turns));
            input.extend(bytes.unwrap_or_default());
            add(corpora, &format!("{}_games", G::NAME), &format!("{preset}-{}", id + 1), input.clone());
        }
    }
}

/// A seeded game in which a side gives up after some turns, every step searched.
fn given_up<G: BoardGame>(game: &G, id: u64, turns: usize) -> GameRecord {
    let mut random = stream(id, Purpose::Playout, &[]);
    let mut play = Play::new(game, game.start());
    let (mut legal, mut steps) = (Vec::new(), Vec::new());
    let mut made = 0;
    let outcome = loop {
        if let Some(outcome) = play.outcome(game) {
            break outcome;
        }
        let position = play.position;
        if made == turns {
            break Outcome::win(game.mover(&position).opponent(), RESIGNATION);
        }
        game.legal_steps(&position, &mut legal);
        let policy: Vec<(StepCode, f32)> = legal
            .iter()
            .take(8)
            .map(|&step| (game.step_code(&position, step), random.random::<f32>() + 0.1))
            .collect();
        let wdl = OfMover(Wdl { win: 0.5, draw: 0.2, loss: 0.3 });
        let search = SearchRecord::new(&policy, wdl, 8, made % 2 == 0, 0.1);
        let step = legal[random.random_range(0..legal.len())];
        steps.push(StepRecord { code: game.step_code(&position, step), search: Some(search) });
        play.step(game, step);
        made += usize::from(!game.mid_turn(&play.position));
    };
    GameRecord {
        id,
        cycle: 1 + id / 2,
        start: game.write_position(&game.start()),
        steps,
        winner: outcome.winner_word().to_owned(),
        reason: outcome.reason.0.to_owned(),
        points: game.points(&play.position),
    }
}

/// Shards of Connect Four: without games, with one, and with several blocks.
pub fn add_shards(corpora: &mut Corpora, place: &Path) -> Result<(), String> {
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", place.display());
    let game = ConnectFour::new();
    let identity = Identity::of(&game, "corpus").map_err(|error| told(&error))?;
    for blocks in 0..4_u64 {
        let path = place.join("games.shard");
        let mut writer = ShardWriter::create(&path, &identity).map_err(|error| told(&error))?;
        for block in 0..blocks {
            let games: Vec<GameRecord> =
                (0..=block).map(|id| given_up(&game, 10 * block + id, 3 + id as usize)).collect();
            writer.append(&games).map_err(|error| told(&error))?;
        }
        drop(writer);
        let bytes = std::fs::read(&path).map_err(|error| told(&error))?;
        std::fs::remove_file(&path).map_err(|error| told(&error))?;
        add(corpora, "game_shards", &format!("blocks-{blocks}"), bytes);
    }
    Ok(())
}

/// Matches as they are written, and with checksums that the target makes right.
pub fn add_matches(corpora: &mut Corpora, place: &Path) -> Result<(), String> {
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", place.display());
    for pairs in [1_u64, 3, 12] {
        let path = place.join("match.jsonl");
        let (mut file, _) = PairFile::open(&path, &header()).map_err(|error| told(&error))?;
        for number in 0..pairs {
            file.append(&pair(number)).map_err(|error| told(&error))?;
        }
        drop(file);
        let text = std::fs::read(&path).map_err(|error| told(&error))?;
        std::fs::remove_file(&path).map_err(|error| told(&error))?;
        for first in [b'0', b'1'] {
            let input = [&[first], text.as_slice()].concat();
            add(corpora, "match_pairs", &format!("pairs-{pairs:02}-{}", first - b'0'), input);
        }
    }
    Ok(())
}

fn header() -> MatchHeader {
    let player = |name: &str| PlayerHeader {
        name: name.to_owned(),
        kind: PlayerKind::BuiltIn,
        identity: name.to_owned(),
        budget: Budget::Own,
        settings: Value::Null,
    };
    MatchHeader {
        format: FORMAT.to_owned(),
        version: VERSION,
        game: "connect4".to_owned(),
        rules_version: 1,
        rules: json!({"rows": 6}),
        players: [player("greedy"), player("random")],
        seed: 1,
        opening_turns: 1,
        starts: StartsHeader::Standard,
    }
}

fn pair(number: u64) -> Pair {
    let game = |colour: usize| {
        let winners = [Winner::First, Winner::Second, Winner::Draw, Winner::None];
        PlayedGame {
            start: "a start".to_owned(),
            opening_turns: 1,
            turns: vec!["d1".to_owned(), "e1".to_owned(), "d2".to_owned()],
            steps: (0..3).map(|step| StepCode(number as u32 + step)).collect(),
            winner: winners[(number as usize + colour) % winners.len()],
            reason: "four".to_owned(),
            thoughts: vec![None; 3],
            ..PlayedGame::void(colour)
        }
    };
    Pair { pair: number, games: [0, 1].map(game) }
}

/// Record and findings of a study whose games are thrown with dice.
pub fn add_study(corpora: &mut Corpora, place: &Path) -> Result<(), String> {
    let config: Config = serde_json::from_value(json!({
        "generate": {"uniform": 4, "prior": 0, "mutations": 0, "named": false},
        "race": {"simulations": [0], "pairs": 2, "keep": 3, "always": []},
        "matrix": {"simulations": 0, "least_pairs": 2, "batch": 4, "pairs": 12},
        "oracle": {"candidates": 2, "games": 2, "pairs": 2, "confirm": 4},
        "control": {"players": ["dice"], "pairs": 3},
        "stop": {"rounds": 1, "pairs": 60},
    }))
    .map_err(|error| error.to_string())?;
    let game = Commander::new(Rules::default());
    let study = Study {
        game: &game,
        rules: Value::Null,
        config,
        file: Vec::new(),
        policy: None,
        table: &Dice,
        judge: None,
        warnings: vec!["thrown with dice".to_owned()],
        say: &|_| {},
    };
    let opened = Record::open(place).map_err(|error| error.to_string())?;
    let mut findings = study.run(opened).map_err(|error| error.to_string())?;
    // One map has the form of all, and the first version no checksum that mutations would break.
    findings.heat.truncate(1);
    findings.schema = 1;
    let text = serde_json::to_string(&findings).map_err(|error| error.to_string())?;
    add(corpora, "study_findings", "dice", text);
    let heat = findings.heat.clone();
    findings.controls.clear();
    findings.regressions.games = None;
    findings.heat.clear();
    let text = serde_json::to_string(&findings).map_err(|error| error.to_string())?;
    add(corpora, "study_findings", "bare", text);
    add(corpora, "study_findings", "nothing", "{}");
    findings.schema = SCHEMA;
    add(corpora, "study_findings", "sealed", findings.to_file().map_err(|error| error.to_string())?);
    let policy = policy_findings(&heat).map_err(|error| error.to_string())?;
    add(corpora, "study_findings", "policy", policy.to_string());
    let path = place.join(record::FILE);
    let lines = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let first: String = lines.split_inclusive('\n').take(5).collect();
    add(corpora, "study_records", "dice", first.clone());
    // The first version had neither a head nor checksums.
    let bare = "{\"kind\":\"value\",\"panel\":\"first\",\"set_up\":\"standard\",\"score\":0.25}\n";
    add(corpora, "study_records", "first-version", bare);
    add(corpora, "study_records", "torn", &first[..first.len() - 20]);
    Ok(())
}

/// Findings of a policy after one update.
fn policy_findings(heat: &[HeatMap]) -> serde_json::Result<Value> {
    let interval = json!({"low": -0.01, "high": 0.02});
    let set_up = "standard";
    let mut findings = serde_json::to_value(LearnedFindings {
        schema: 1,
        config: serde_json::from_value(json!({}))?,
        rules: Value::Null,
        warnings: Vec::new(),
        updates: 1,
        curve: Vec::new(),
        estimates: Vec::new(),
        exploitability: None,
        heat: heat.to_vec(),
        proposals: vec![Proposal { set_up: set_up.to_owned(), share: 1.0, log_probability: -60.5 }],
    })?;
    findings["curve"] = json!([{
        "update": 0, "past": null, "sampler": 0.5, "entropy": 60.0, "divergence": 0.25, "void_share": 0.5,
        "fallbacks": 0, "played": 2,
        "learned": {"policy_loss": 0.5, "expectation_loss": 0.25, "entropy": 3.0, "gradient_norm": 1.0},
    }]);
    findings["estimates"] = json!([{
        "update": 1, "set_up": set_up, "gain": 0.01, "interval": interval, "bound": 0.02, "met": 6,
    }]);
    findings["exploitability"] = json!({
        "mixture": 12, "tried": 2, "set_up": set_up, "gain": 0.01, "interval": interval, "bound": 0.02,
        "confidence": 0.95, "pairs": 4,
    });
    Ok(findings)
}

/// Plays by chance.
struct Dice;

impl Table for Dice {
    fn play(
        &self,
        _: Seat,
        requests: &[PairRequest],
        kept: &(dyn Fn(&PairRequest, &Pair) -> bool + Sync),
    ) -> Result<(), TableError> {
        for request in requests {
            let game = |number: usize| {
                let mut random = stream(1, Purpose::Playout, &[request.number, number as u64]);
                let winner = if random.random() { Player::First } else { Player::Second };
                PlayedGame {
                    winner: if winner == Player::First { Winner::First } else { Winner::Second },
                    reason: "dice".to_owned(),
                    // Every game is another one.
                    start: format!("{} {number}", request.number),
                    ..PlayedGame::void(number)
                }
            };
            if !kept(request, &Pair { pair: request.number, games: [0, 1].map(game) }) {
                return Err(TableError::Stopped);
            }
        }
        Ok(())
    }
}
