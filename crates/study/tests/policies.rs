//! `study deploy` and `study propose` with an untrained network as the judge, and what studies make of a policy.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use arena::games;
use net::{Device, Identity, Net, NetConfig, PolicyHead, Trainer, TrainerConfig, checkpoint};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use study::deploy::journal::{Metric, read_metrics, read_pairs};

const SMALL: NetConfig = NetConfig {
    blocks: 1,
    channels: 8,
    pooling_every: 1,
    pooling_channels: 4,
    policy_channels: 4,
    policy_head: PolicyHead::Cells,
    value_channels: 4,
    value_hidden: 8,
    auxiliary: Vec::new(),
};

/// Writes a checkpoint of an untrained agent.
fn write_agent(directory: &Path) {
    let facts = games::open("commander", None, &[]).unwrap().facts();
    let net = Net::new(&SMALL, facts.planes, facts.policy, 1).unwrap();
    let trainer = Trainer::new(&net, &TrainerConfig::default(), Device::Cpu).unwrap();
    let identity = Identity { game: "commander".to_owned(), rules: facts.rules };
    checkpoint::save(directory, &trainer, &identity, &BTreeMap::new(), &json!(null)).unwrap();
}

fn study(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_study"));
    command.args(arguments);
    if arguments[0] != "show" && arguments[0] != "report" {
        command.args(["--precision", "fp32", "--threads", "2"]);
    }
    command
}

fn fine(arguments: &[&str]) -> Output {
    let output = study(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

fn configs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs/studies")
}

/// The shipped config with a small policy and few updates, changed further.
fn tiny(agent: &Path, change: impl FnOnce(&mut toml::Table)) -> String {
    let text = std::fs::read_to_string(configs().join("deploy.toml")).unwrap();
    let mut config: toml::Table = text.parse().unwrap();
    let changes = format!(
        "updates = 5
         agent = {{ player = {agent:?}, opening_turns = 2 }}
         network = {{ blocks = 1, channels = 4 }}
         batch = {{ pairs = 6 }}
         opponents = {{ pool = 2, every = 2 }}
         games = {{ share = 0.2 }}
         estimate = {{ every = 4, set_ups = 2, candidates = 8, confirm = 6, mixture = 12 }}
         oracle = {{ candidates = 6, games = 2, pairs = 1, confirm = 4 }}"
    );
    for (key, value) in changes.parse::<toml::Table>().unwrap() {
        match (config.get_mut(&key), value) {
            (Some(toml::Value::Table(known)), toml::Value::Table(new)) => known.extend(new),
            (_, value) => drop(config.insert(key, value)),
        }
    }
    change(&mut config);
    toml::to_string(&config).unwrap()
}

#[test]
fn the_shipped_training_runs_survives_a_kill_and_proposes_set_ups() {
    let directory = tempfile::tempdir().unwrap();
    let place = |name: &str| directory.path().join(name);
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    write_agent(&place("agent"));
    let config = text(&place("deploy.toml"));
    std::fs::write(&config, tiny(&place("agent"), |_| {})).unwrap();
    let whole = text(&place("whole"));
    let output = fine(&["deploy", &config, "--run", &whole]);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        told.contains("5 updates; entropy") && told.contains("by games: the best of 2 replies"),
        "{told}"
    );

    // Metrics and pairs are all there, and pairs have both placements.
    let metrics = read_metrics(&place("whole")).unwrap();
    let updates: Vec<u64> = metrics
        .iter()
        .filter_map(|metric| match metric {
            Metric::Update(point) => Some(point.update),
            Metric::Estimate(_) => None,
        })
        .collect();
    assert_eq!(updates, (0..5).collect::<Vec<u64>>());
    assert_eq!(metrics.len() - updates.len(), 3, "after 0, 4 and 5 updates");
    let pairs = read_pairs(&place("whole")).unwrap();
    assert_eq!(pairs.len(), 30);
    assert_eq!(pairs.iter().filter(|pair| pair.games.is_some()).count(), 5);
    assert!(pairs.iter().all(|pair| pair.sides.iter().all(|side| side.contains('C'))));

    // A run that is there is not overwritten, and its config does not change under way.
    assert_eq!(study(&["deploy", &config, "--run", &whole]).status.code(), Some(2));
    let other = text(&place("other.toml"));
    std::fs::write(&other, tiny(&place("agent"), |config| drop(config.insert("seed".to_owned(), 5.into()))))
        .unwrap();
    let refused = study(&["deploy", &other, "--run", &whole, "--resume"]);
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(refused.status.code() == Some(2) && told.contains("(seed)"), "{told}");

    // Killed in the middle and gone on with: the same.
    let pieces = text(&place("pieces"));
    let mut child = command(&["deploy", &config, "--run", &pieces])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (kept, begun) = (place("pieces").join("checkpoints/000002"), Instant::now());
    while !kept.exists() && begun.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    fine(&["deploy", &config, "--run", &pieces, "--resume"]);
    for name in ["metrics.jsonl", "pairs.jsonl", "learned.json", "set_ups.txt"] {
        let [one, other] =
            [&whole, &pieces].map(|run| std::fs::read_to_string(Path::new(run).join(name)).unwrap());
        assert!(one == other, "{name} differs");
    }

    // Page, findings and proposals.
    fine(&["report", &whole, "--out", &text(&place("page"))]);
    let page = std::fs::read_to_string(place("page").join("report.html")).unwrap();
    assert!(
        page.contains("commander: where") && page.contains("What a reply gains") && !page.contains("NaN")
    );
    let shown: Value = serde_json::from_slice(&fine(&["show", &whole, "--json"]).stdout).unwrap();
    assert!(
        shown["exploitability"]["bound"].as_f64().unwrap()
            >= shown["exploitability"]["gain"].as_f64().unwrap()
    );
    let list = text(&place("list.txt"));
    fine(&["propose", &whole, "--count", "12", "--seed", "3", "--out", &list]);

    // A study takes the file, what the policy proposes, and its replies.
    let quick = std::fs::read_to_string(configs().join("quick.toml")).unwrap();
    let mut study_config: toml::Table = quick.parse().unwrap();
    let changes = format!(
        "generate = {{ uniform = 0, prior = 2, mutations = 0, named = false, file = {list:?}, policy = {whole:?},
           proposals = 6 }}
         race = {{ simulations = [0], pairs = 2, keep = 3 }}
         matrix = {{ simulations = 0, least_pairs = 2, pairs = 20 }}
         oracle = {{ candidates = 16, games = 4, pairs = 2, confirm = 8, proposals = 4 }}
         control = {{}}
         stop = {{ rounds = 1, pairs = 200 }}"
    );
    study_config.extend(changes.parse::<toml::Table>().unwrap());
    let config = text(&place("study.toml"));
    std::fs::write(&config, toml::to_string(&study_config).unwrap()).unwrap();
    fine(&["deployments", &config, "--run", &text(&place("study"))]);
    let findings = std::fs::read_to_string(place("study").join("findings.json")).unwrap();
    let findings: Value = serde_json::from_str(&findings).unwrap();
    // Twelve of the file, two by simple ideas, six of the policy.
    assert_eq!(
        (findings["candidates"].as_u64(), findings["oracle"][0]["tried"].as_u64()),
        (Some(20), Some(4))
    );
    let names: Vec<&str> = findings["race"][0]["rows"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|row| row["name"].as_str())
        .collect();
    assert!(names.contains(&"policy-1") && names.contains(&"proposal-6"), "{names:?}");
    let refused = study(&["propose", &text(&place("agent"))]);
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(refused.status.code() == Some(2) && told.contains("plays commander, expected"), "{told}");
}

/// A policy that learned from games of the greedy player, which need no network that judges.
fn write_policy(directory: &Path) -> (String, String) {
    let place = |name: &str| directory.join(name).to_str().unwrap().to_owned();
    let config = tiny(Path::new("greedy"), |config| {
        config.insert("updates".to_owned(), 4.into());
        let mut set = |table: &str, key: &str, value: toml::Value| {
            drop(config[table].as_table_mut().unwrap().insert(key.to_owned(), value));
        };
        set("games", "share", 1.0.into());
        // All that ever were.
        set("opponents", "pool", 4.into());
    });
    std::fs::write(place("deploy.toml"), config).unwrap();
    fine(&["deploy", &place("deploy.toml"), "--run", &place("policy")]);
    (place("deploy.toml"), place("policy"))
}

#[test]
fn files_of_a_policy_that_were_changed_are_refused_by_name() {
    let directory = tempfile::tempdir().unwrap();
    let (config, policy) = write_policy(directory.path());
    let run = Path::new(&policy);
    let refused = |arguments: &[&str]| {
        let output = study(arguments);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
        told.lines().last().unwrap_or_default().to_owned()
    };
    let resume = ["deploy", &config, "--run", &policy, "--resume"];
    let (show, propose) = (["show", &policy], ["propose", &policy, "--count", "2"]);
    let damaged = |name: &str, arguments: &[&str], words: &str| {
        let whole = std::fs::read(run.join(name)).unwrap();
        let mut changed = whole.clone();
        // One bit of a digit, so that it stays what it says it is.
        let place =
            changed.len() / 2 + changed[changed.len() / 2..].iter().position(u8::is_ascii_digit).unwrap();
        changed[place] ^= 1;
        std::fs::write(run.join(name), changed).unwrap();
        let line = refused(arguments);
        let file = Path::new(name).file_name().unwrap().to_str().unwrap();
        assert!(line.contains(file) && line.contains(words), "{name}: {line}");
        std::fs::write(run.join(name), whole).unwrap();
    };
    damaged("learned.json", &show, "damaged: its checksum is");
    damaged("metrics.jsonl", &resume, "damaged: its checksum is");
    damaged("pairs.jsonl", &resume, "damaged: its checksum is");
    damaged("checkpoints/000004/state.json", &resume, "damaged: its checksum is");
    damaged("checkpoints/000004/weights.safetensors", &propose, "is damaged");
    damaged("checkpoints/000002/weights.safetensors", &resume, "is damaged");

    // Version 1 had no checksum and is read as it was; maps of another size would end the page.
    let path = run.join("learned.json");
    let whole = std::fs::read(&path).unwrap();
    let mut first: Value = serde_json::from_slice(&whole).unwrap();
    first.as_object_mut().unwrap().remove("check");
    first["schema"] = 1.into();
    std::fs::write(&path, first.to_string()).unwrap();
    let shown: Value = serde_json::from_slice(&fine(&["show", &policy, "--json"]).stdout).unwrap();
    assert_eq!(shown, first);
    first["heat"][0]["share"] = json!([[0.5]]);
    std::fs::write(&path, first.to_string()).unwrap();
    assert!(refused(&["report", &policy]).contains("learned.json: heat: the map of "));
    first["schema"] = 7.into();
    std::fs::write(&path, first.to_string()).unwrap();
    assert!(refused(&show).contains("learned.json: has schema 7, this program reads schemas 1 to 2"));
    std::fs::write(&path, whole).unwrap();

    // Another checkpoint in the newest one's place, and in that of a past policy.
    let checkpoint = |name: &str| run.join("checkpoints").join(name);
    std::fs::rename(checkpoint("000004"), checkpoint("aside")).unwrap();
    std::fs::rename(checkpoint("000002"), checkpoint("000004")).unwrap();
    for arguments in [&resume[..], &propose] {
        let line = refused(arguments);
        assert!(line.contains("000004: holds the policy after 2 updates"), "{line}");
        assert!(line.contains("another checkpoint was put in its place"), "{line}");
    }
    std::fs::rename(checkpoint("000004"), checkpoint("000002")).unwrap();
    std::fs::rename(checkpoint("aside"), checkpoint("000004")).unwrap();

    // A pipe, to which nobody writes.
    for (name, arguments) in [
        ("checkpoints/000004/weights.safetensors", &propose[..]),
        ("checkpoints/000004/state.json", &propose),
        ("learned.json", &show),
    ] {
        let (path, aside) = (run.join(name), run.join("aside"));
        std::fs::rename(&path, &aside).unwrap();
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        let program = env!("CARGO_BIN_EXE_study");
        let output = Command::new("timeout").args(["120", program]).args(arguments).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{name}: 124 is to wait for it: {told}");
        assert!(told.contains(path.file_name().unwrap().to_str().unwrap()), "{told}");
        assert!(told.contains("is a pipe, expected a file"), "{told}");
        std::fs::remove_file(&path).unwrap();
        std::fs::rename(&aside, &path).unwrap();
    }
    fine(&resume);
}

/// Checkpoints of 0.1.0 say how long the files were and not what they said.
#[test]
fn a_policy_without_checksums_of_its_journal_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let (config, policy) = write_policy(directory.path());
    let path = Path::new(&policy).join("checkpoints/000004/state.json");
    let mut state: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    state.as_object_mut().unwrap().remove("check");
    let lengths = state["extra"]["lengths"].as_object_mut().unwrap();
    assert!(lengths.remove("metrics_blake3").is_some() && lengths.remove("pairs_blake3").is_some());
    std::fs::write(&path, files::sealed::write(&state).unwrap()).unwrap();
    fine(&["deploy", &config, "--run", &policy, "--resume"]);
}

#[test]
fn faults_of_a_config_are_all_named() {
    let directory = tempfile::tempdir().unwrap();
    let config = directory.path().join("deploy.toml");
    let run = directory.path().join("run");
    let told = |text: &str| {
        std::fs::write(&config, text).unwrap();
        let output = study(&["deploy", config.to_str().unwrap(), "--run", run.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let faults = told("updates = 0\n[batch]\npairs = 1\n[estimate]\nconfidence = 1.0\n");
    for key in ["updates: found 0", "batch.pairs: found 1", "estimate.confidence: found 1"] {
        assert!(faults.contains(key), "{faults}");
    }
    assert!(told("[regulariser]\nweigth = 0.1\n").contains("weigth"));
    // The greedy player has no network that judges.
    let greedy = told("[agent]\nplayer = \"greedy\"\n");
    assert!(greedy.contains("games.share: found 0, expected 1"), "{greedy}");
    assert!(!run.exists());
    let unknown = study(&["score", "fortres"]);
    let told = String::from_utf8_lossy(&unknown.stderr).into_owned();
    assert!(
        unknown.status.code() == Some(2) && told.contains("hand-made set-ups: standard, fortress"),
        "{told}"
    );
}
