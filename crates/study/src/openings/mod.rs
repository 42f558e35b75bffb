//! `study openings`: what a checkpoint plays from the start, of any game.
//!
//! `config.rs` is what it is told, `tree.rs` the tree, `output.rs` text, page and opening file.

mod config;
mod output;
mod tree;

pub use config::OpeningsConfig;
pub use tree::{Node, View};

use crate::arguments::OpeningsArguments;
use crate::directory::toml_fault;
use arena::games::AnyGame;
use arena::inspection::InspectionError;
use arena::matches::{Contestant, MatchPlan, NetworkPlayer, OwnStarts, Stop, Tally, Watch};
use evaluate::agent::{Agent, inspect};
use evaluate::arguments::RulesArguments;
use evaluate::failure::{End, Failure};
use evaluate::interrupt::Interrupt;
use evaluate::say;
use pairs::Pair;
use std::collections::BTreeMap;

/// What came out.
#[derive(Debug, serde::Serialize)]
pub struct Openings {
    /// What it was told.
    pub config: OpeningsConfig,
    /// The positions; a position stands behind the one before it.
    pub nodes: Vec<Node>,
    /// For each checkpoint the entropy of its policy in bits, over the tree's positions by share.
    pub entropy: Vec<f64>,
}

/// Runs the command.
///
/// # Errors
/// Wrong input, and work that failed.
pub fn run(arguments: &OpeningsArguments, interrupt: &Interrupt) -> Result<End, Failure> {
    let path = arguments.config.display();
    let fault = |why: String| Failure::input(format!("{path}: {why}"));
    let text = files::read_text(&arguments.config).map_err(|error| fault(error.to_string()))?;
    let config: OpeningsConfig = toml::from_str(&text).map_err(|error| fault(toml_fault(&text, &error)))?;
    config.check().map_err(|faults| fault(faults.to_string()))?;
    let rules = RulesArguments { preset: None, options: Vec::new(), allow_other_rules: false };
    let open =
        |name: &String| Agent::open(name, &config.game, config.simulations, &rules, &arguments.machine);
    let agents: Vec<Agent> = config.checkpoints.iter().map(open).collect::<Result<_, _>>()?;
    agents.iter().flat_map(|agent| &agent.remarks).for_each(|remark| say(remark));
    // A config names at least one.
    let Some(first) = agents.first() else { return Err(fault("checkpoints: found none".to_owned())) };
    let game = &*first.game;
    let starts = starts(game, &config).map_err(fault)?;
    let stop = || interrupt.stop() != Stop::GoOn;
    let mut ask = |fens: &[&str]| {
        let positions: Vec<Option<&str>> = fens.iter().map(|fen| Some(*fen)).collect();
        agents
            .iter()
            .map(|agent| inspect(game, &agent.player, &positions, &arguments.machine, &stop))
            .collect::<Result<Vec<_>, _>>()
    };
    let grown = tree::grow(game, starts, config.steps, config.least_share, &mut ask);
    let mut nodes = match grown {
        Ok(nodes) => nodes,
        Err(InspectionError::Stopped) => return Ok(End::Stopped),
        Err(error) if error.is_input() => return Err(Failure::input(error)),
        Err(error) => return Err(Failure::work(error)),
    };
    say(&format!("{} positions", nodes.len()));
    if config.games > 0 {
        let scores = play(game, &config, &nodes, arguments, interrupt)?;
        let Some(scores) = scores else { return Ok(End::Stopped) };
        tree::enter_scores(&mut nodes, &scores);
    }
    let entropy = (0..agents.len()).map(|checkpoint| entropy(&nodes, checkpoint)).collect();
    let openings = Openings { config, nodes, entropy };
    output::write(&arguments.out, game, &openings)?;
    Ok(End::Finished)
}

/// The named starts with their positions.
fn starts(game: &dyn AnyGame, config: &OpeningsConfig) -> Result<Vec<(String, String)>, String> {
    config
        .starts
        .iter()
        .map(|text| {
            let (kind, seed) = text.split_once(':').unwrap_or((text, "0"));
            let seed = seed.parse().map_err(|_| format!("starts: `{text}`: expected NAME or NAME:SEED"))?;
            let fen = game.draw_start(kind, seed).map_err(|error| format!("starts: {error}"))?;
            Ok((text.clone(), fen))
        })
        .collect()
}

/// Looks on at the games.
struct Games<'a>(&'a Interrupt);

impl Watch for Games<'_> {
    fn pair_finished(&self, _: &Pair, _: &Tally) {}

    fn stop(&self) -> Stop {
        self.0.stop()
    }
}

/// A node of the tree and the first player's scores from there.
type NodeScores = (usize, Vec<f64>);

/// Plays games of the first checkpoint against itself from the ends of the tree; the first player's scores. `None`
/// where the user stopped it.
fn play(
    game: &dyn AnyGame,
    config: &OpeningsConfig,
    nodes: &[Node],
    arguments: &OpeningsArguments,
    interrupt: &Interrupt,
) -> Result<Option<Vec<NodeScores>>, Failure> {
    let ends = tree::ends(nodes);
    let mut pairs: BTreeMap<u64, OwnStarts> = BTreeMap::new();
    for (place, &node) in ends.iter().enumerate() {
        for number in 0..config.games {
            // The second game would be the first one again: the same player has both sides.
            let key = (place as u64) * u64::from(config.games) + u64::from(number);
            pairs.insert(key, [Some(nodes[node].fen.clone()), None]);
        }
    }
    let rules = RulesArguments { preset: None, options: Vec::new(), allow_other_rules: false };
    let side = || -> Result<Contestant, Failure> {
        let name = &config.checkpoints[0];
        let agent = Agent::open(name, &config.game, config.simulations, &rules, &arguments.machine)?;
        let NetworkPlayer { make_evaluator, search, simulations } = agent.player;
        Ok(Contestant::Network(NetworkPlayer { make_evaluator, search, simulations }))
    };
    let contestants = [side()?, side()?];
    let plan = MatchPlan {
        pairs: 0,
        opening_turns: config.opening_turns,
        seed: config.seed,
        threads: arguments.machine.threads(),
        games_at_once: 24,
    };
    let played =
        game.play_own_starts(&contestants, &pairs, &plan, &Games(interrupt)).map_err(Failure::work)?;
    if played.len() < pairs.len() {
        return Ok(None);
    }
    let mut scores: Vec<NodeScores> = ends.iter().map(|&node| (node, Vec::new())).collect();
    for pair in &played {
        let place = (pair.pair / u64::from(config.games)) as usize;
        if let Some((_, scores)) = scores.get_mut(place) {
            // In the first game side A is the first player.
            scores.push(pair.games[0].half_points() as f64 / 2.0);
        }
    }
    Ok(Some(scores))
}

/// Mean entropy of a checkpoint's policy over the positions that were looked at, by share.
fn entropy(nodes: &[Node], checkpoint: usize) -> f64 {
    let (mut sum, mut weight) = (0.0, 0.0);
    for node in nodes {
        if let Some(view) = node.views.get(checkpoint) {
            sum += node.share * view.entropy;
            weight += node.share;
        }
    }
    if weight > 0.0 { sum / weight } else { 0.0 }
}
