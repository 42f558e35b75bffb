//! Makes the committed corpora anew and compares them with `fuzz/corpus`, or replaces them:
//!
//!   cargo run --release -p fuzzing --example corpus -- [--rewrite]
//!
//! They come from seeded games of every preset, from the middle games of Commander Chess and from the
//! written games that the tests of `rules` read. `files.rs` makes those of files.

mod files;

use commander::deployment::Deployment;
use commander::{Commander, Rules};
use connect4::ConnectFour;
use emergo::Emergo;
use fuzzing::corpus;
use game::random::{Purpose, stream};
use game::written::{Score, WrittenGame, WrittenTurn, formats};
use game::{BoardGame, Play};
use rand::Rng;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use upkeep::generated::{self, Task};
use xiangqi::Xiangqi;

/// Turns of a seeded game after which its position is kept.
const KEPT_AFTER: [usize; 4] = [0, 6, 20, 50];

/// Turns of the written games.
const WRITTEN_TURNS: usize = 12;

/// Inputs by target and by the name of their file.
type Corpora = BTreeMap<(String, String), Vec<u8>>;

fn main() -> ExitCode {
    generated::main(run)
}

fn run(task: Task) -> Result<String, String> {
    let mut corpora = Corpora::new();
    add_game::<Commander>(&mut corpora);
    add_game::<ConnectFour>(&mut corpora);
    add_game::<Emergo>(&mut corpora);
    add_game::<Xiangqi>(&mut corpora);
    add_middle_games(&mut corpora);
    add_deployments(&mut corpora);
    let written = [
        ("commander_records", "commander-chess.jsonl", "01"),
        ("connect4_records", "connect-four.txt", "02"),
        ("xiangqi_records", "xiangqi.pgn", "02"),
    ];
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rules/tests/written");
    for (target, name, head) in written {
        let text = std::fs::read_to_string(tests.join(name)).map_err(|error| format!("{name}: {error}"))?;
        let first: String = text.chars().take(1500).collect();
        add(&mut corpora, target, "written", format!("{head}{first}"));
    }
    // Found by libFuzzer: a board holds but one stack that no rules allow.
    let stacks = "26c4/11/11/11/11/11/2(NCC)8/2(NCC)8/11/11/11/11 r - - 0 1";
    add(&mut corpora, "commander_positions", "two-commanders-a-stack", stacks);
    // A list of moves that has a result and nothing else.
    add(&mut corpora, "xiangqi_records", "bare-result", "021-0");
    files::add_games::<Commander>(&mut corpora);
    files::add_games::<ConnectFour>(&mut corpora);
    files::add_games::<Emergo>(&mut corpora);
    files::add_games::<Xiangqi>(&mut corpora);
    let place = tempfile::tempdir().map_err(|error| error.to_string())?;
    files::add_shards(&mut corpora, place.path())?;
    files::add_matches(&mut corpora, place.path())?;
    files::add_study(&mut corpora, place.path())?;
    compare_or_write(&corpora, task)
}

fn add(corpora: &mut Corpora, target: &str, name: &str, input: impl Into<Vec<u8>>) {
    corpora.insert((target.to_owned(), name.to_owned()), input.into());
}

/// Inputs of one game.
fn add_game<G: BoardGame>(corpora: &mut Corpora) {
    let [positions, turns, records] =
        ["positions", "turns", "records"].map(|what| format!("{}_{what}", G::NAME));
    for (number, &preset) in G::presets().iter().enumerate() {
        let Some(Ok(game)) = G::preset(preset).map(G::with_rules) else { continue };
        let mut random = stream(number as u64, Purpose::Playout, &[]);
        let mut play = Play::new(&game, game.start());
        let (mut legal, mut choices, mut made) = (Vec::new(), Vec::new(), Vec::new());
        let mut turn = Vec::new();
        loop {
            if KEPT_AFTER.contains(&made.len()) && !game.mid_turn(&play.position) {
                let text = format!("{number}{}", game.write_position(&play.position));
                add(corpora, &positions, &format!("{preset}-{:02}", made.len()), text);
            }
            game.legal_steps(&play.position, &mut legal);
            if made.len() > KEPT_AFTER[3] || legal.is_empty() || play.outcome(&game).is_some() {
                break;
            }
            let chosen: u16 = random.random();
            choices.extend_from_slice(&chosen.to_be_bytes());
            let step = legal[usize::from(chosen) % legal.len()];
            turn.push(step);
            play.step(&game, step);
            if !game.mid_turn(&play.position) {
                made.push(WrittenTurn::new(std::mem::take(&mut turn)));
            }
        }
        for (index, part) in choices.chunks(choices.len().div_ceil(5)).enumerate() {
            let input = [&[b'0' + number as u8], part].concat();
            add(corpora, &turns, &format!("{preset}-{index}"), input);
        }
        made.truncate(WRITTEN_TURNS);
        let written = WrittenGame {
            tags: Vec::new(),
            start: game.start(),
            comment: String::new(),
            turns: made,
            score: Score::Open,
        };
        for (index, format) in formats::<G>().into_iter().enumerate() {
            if let Ok(text) = format.write(&game, std::slice::from_ref(&written)) {
                add(
                    corpora,
                    &records,
                    &format!("{preset}-{}", format.name()),
                    format!("{number}{index}{text}"),
                );
            }
        }
    }
    for (name, input) in [("empty", "0"), ("blank", "0 "), ("letter", "0x"), ("number", "099")] {
        add(corpora, &positions, name, input);
        add(corpora, &turns, name, input);
        add(corpora, &records, name, format!("0{input}"));
    }
}

/// Middle games of Commander Chess, with stacks, heroes and turns under way.
fn add_middle_games(corpora: &mut Corpora) {
    use game::Game as _;
    for (index, (preset, fen)) in commander::middle_games::lines().enumerate() {
        let number = Commander::presets().iter().position(|&name| name == preset).unwrap_or(0);
        let target = match index % 7 {
            0 | 3 => "commander_positions",
            1 | 5 => "commander_setups",
            _ => continue,
        };
        add(corpora, target, &format!("middle-{index:02}"), format!("{number}{fen}"));
    }
    for (name, fen) in [
        ("two-commanders", "0C9C/11/11/11/11/11/11/11/11/11/11/c10 r"),
        ("mixed-stack", "02(Ti)8/11/11/11/11/11/11/11/11/11/11/7C3 r"),
        ("navy-ashore", "04c6/11/11/4n6/11/11/11/11/11/11/11/7C3 r"),
        ("wrong-turn", "04c6/11/11/11/11/11/11/11/4(TI)6/11/11/7C3 r - - 0 1 turn:e4:e4-e4"),
    ] {
        add(corpora, "commander_setups", name, fen);
    }
}

/// Set-ups of one side in the three ways of writing them, whole and broken.
fn add_deployments(corpora: &mut Corpora) {
    let game = Commander::new(Rules::official());
    let standard = Deployment::standard();
    for (name, text) in [
        ("line", standard.to_string()),
        ("template", standard.template()),
        ("picture", game.deployment_svg(&standard)),
        ("word", "standard".to_owned()),
        ("two", format!("# two set-ups\n{standard}\nstandard\n")),
        ("carried", standard.to_string().replace("C g1", "").replace("H f2 h2", "(HC) f2, H h2")),
        ("broken", "N b2 z4, X e2, (HC".to_owned()),
    ] {
        add(corpora, "commander_deployments", name, format!("0{text}"));
    }
}

fn compare_or_write(corpora: &Corpora, task: Task) -> Result<String, String> {
    let folder = corpus::folder().join("corpus");
    let told = |error: std::io::Error| format!("{}: {error}", folder.display());
    if task == Task::Rewrite {
        if folder.exists() {
            std::fs::remove_dir_all(&folder).map_err(told)?;
        }
        for ((target, name), input) in corpora {
            std::fs::create_dir_all(folder.join(target)).map_err(told)?;
            std::fs::write(folder.join(target).join(name), input).map_err(told)?;
        }
        return Ok(format!("{} inputs written", corpora.len()));
    }
    for ((target, name), input) in corpora {
        let path = folder.join(target).join(name);
        match std::fs::read(&path) {
            Ok(kept) if kept == *input => {}
            Ok(_) => return Err(format!("{}: another input", path.display())),
            Err(error) => return Err(format!("{}: {error}", path.display())),
        }
    }
    Ok(format!("all {} inputs are the same", corpora.len()))
}
