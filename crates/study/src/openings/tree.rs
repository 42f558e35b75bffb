//! The tree of what an agent plays.

use arena::games::AnyGame;
use arena::inspection::{Inspection, InspectionError, Successor};
use game::Player;
use serde::Serialize;
use statistics::Interval;
use std::collections::{BTreeMap, HashMap};

/// A position of the tree. Mirror images, and positions that several orders of steps lead to, are one.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Node {
    /// Number of the position before it on the likeliest way here; `None` for starts.
    pub parent: Option<usize>,
    /// The step that led here from there, or the name of the start.
    pub step: String,
    /// The position as the game writes it.
    pub fen: String,
    /// Steps from the start.
    pub depth: u32,
    /// Probability that the agent gets here; all starts together have 1.
    pub share: f64,
    /// All ways here, the likeliest first; none for starts.
    pub ways: Vec<Way>,
    /// Why the game has ended here, if it has.
    pub ended: Option<&'static str>,
    /// What each checkpoint makes of it, in their order; empty where the game has ended and where the tree ends.
    pub views: Vec<View>,
    /// How far the checkpoints' policies lie apart, in bits; 0 for equal ones.
    pub disagreement: f64,
    /// Score of the first player in games from here on and its 95 % interval; `None` without games.
    pub score: Option<(f64, Interval)>,
    /// Those games.
    pub games: u64,
}

/// A way from one position of the tree to another one or a mirror image of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Way {
    /// Number of the position before.
    pub from: usize,
    /// The steps there that lead here, the likeliest first.
    pub steps: Vec<String>,
    /// Probability that the agent comes this way.
    pub share: f64,
}

/// What a checkpoint makes of a position.
#[derive(Clone, Debug, Serialize)]
pub struct View {
    /// Expected score of the first player.
    pub value: f64,
    /// Entropy of its policy, in bits; steps to the same position or to mirror images of it are one.
    pub entropy: f64,
    /// The step that it plays.
    pub plays: String,
}

/// Asks all checkpoints about positions: a list for each checkpoint.
pub type Ask<'a> = dyn FnMut(&[&str]) -> Result<Vec<Vec<Inspection>>, InspectionError> + 'a;

/// Grows the tree from starts, layer by layer, where shares are large enough. The policy is the search's, or the
/// network's own where nothing was searched.
///
/// # Errors
/// Positions and networks that fail.
pub fn grow(
    game: &dyn AnyGame,
    starts: Vec<(String, String)>,
    steps: u32,
    least_share: f64,
    ask: &mut Ask<'_>,
) -> Result<Vec<Node>, InspectionError> {
    let share = 1.0 / starts.len().max(1) as f64;
    let mut nodes: Vec<Node> =
        starts.into_iter().map(|(name, fen)| Node { step: name, fen, share, ..Node::default() }).collect();
    let mut layer = 0..nodes.len();
    for depth in 0..steps {
        let open: Vec<usize> = layer.clone().filter(|&node| nodes[node].ended.is_none()).collect();
        if open.is_empty() {
            break;
        }
        let fens: Vec<String> = open.iter().map(|&node| nodes[node].fen.clone()).collect();
        let asked: Vec<&str> = fens.iter().map(String::as_str).collect();
        let answers = ask(&asked)?;
        let mut next = Layer::default();
        for (index, &parent) in open.iter().enumerate() {
            let own: Vec<&Inspection> = answers.iter().filter_map(|answers| answers.get(index)).collect();
            let Some(first) = own.first() else { continue };
            let choices = choices(game, first)?;
            let policies: Vec<Vec<f64>> = own.iter().map(|one| policy(one, &choices)).collect();
            for (choice, policy) in choices.into_iter().zip(&policies[0]) {
                next.add(choice, parent, nodes[parent].share * policy);
            }
            let node = &mut nodes[parent];
            node.views = own.iter().zip(&policies).map(|(one, policy)| view(one, policy)).collect();
            node.disagreement = disagreement(&policies);
        }
        let end = nodes.len();
        nodes.extend(next.nodes(depth + 1).filter(|node| node.share >= least_share));
        layer = end..nodes.len();
    }
    Ok(nodes)
}

/// Steps of a position that lead to the same position or to mirror images of it, as indices and texts, the likeliest
/// first.
struct Choice {
    steps: Vec<usize>,
    texts: Vec<String>,
    /// Where the likeliest one leads.
    successor: Successor,
}

/// What there is to choose from in a position, the likeliest first.
fn choices(game: &dyn AnyGame, inspection: &Inspection) -> Result<Vec<Choice>, InspectionError> {
    let mut order: Vec<usize> = (0..inspection.steps.len()).collect();
    order.sort_by(|&one, &other| inspection.steps[other].policy.total_cmp(&inspection.steps[one].policy));
    let mut choices: Vec<Choice> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for index in order {
        let step = &inspection.steps[index];
        let successor = game.after(&inspection.fen, step.code)?;
        let place = *known.entry(successor.canonical.clone()).or_insert(choices.len());
        if place == choices.len() {
            choices.push(Choice { steps: Vec::new(), texts: Vec::new(), successor });
        }
        choices[place].steps.push(index);
        choices[place].texts.push(step.step.clone());
    }
    Ok(choices)
}

/// Probabilities of choices.
fn policy(inspection: &Inspection, choices: &[Choice]) -> Vec<f64> {
    let share = |&step: &usize| inspection.steps.get(step).map_or(0.0, |step| f64::from(step.policy));
    choices.iter().map(|choice| choice.steps.iter().map(share).sum()).collect()
}

/// The positions of the next layer with all ways to them, in the order in which they were met.
#[derive(Default)]
struct Layer {
    positions: Vec<(Vec<Way>, Successor)>,
    known: HashMap<String, usize>,
}

impl Layer {
    fn add(&mut self, choice: Choice, from: usize, share: f64) {
        let Choice { texts: steps, successor, .. } = choice;
        let way = Way { from, steps, share };
        let place = *self.known.entry(successor.canonical.clone()).or_insert(self.positions.len());
        match self.positions.get_mut(place) {
            None => self.positions.push((vec![way], successor)),
            // The position is that of the likeliest way, so that steps can be followed from the start.
            Some((ways, position)) if way.share > ways[0].share => {
                ways.insert(0, way);
                *position = successor;
            }
            Some((ways, _)) => ways.push(way),
        }
    }

    fn nodes(self, depth: u32) -> impl Iterator<Item = Node> {
        self.positions.into_iter().map(move |(mut ways, successor)| {
            ways.sort_by(|one, other| other.share.total_cmp(&one.share));
            Node {
                parent: Some(ways[0].from),
                step: ways[0].steps[0].clone(),
                fen: successor.position,
                depth,
                share: ways.iter().map(|way| way.share).sum(),
                ways,
                ended: successor.ended,
                ..Node::default()
            }
        })
    }
}

fn view(inspection: &Inspection, policy: &[f64]) -> View {
    let found = inspection.search;
    let score = f64::from(found.win) + 0.5 * f64::from(found.draw);
    View {
        value: if inspection.mover == Player::First { score } else { 1.0 - score },
        entropy: entropy(policy.iter().copied()),
        plays: inspection.steps.get(inspection.chosen).map_or_else(String::new, |step| step.step.clone()),
    }
}

/// `−Σ p·log₂ p`.
fn entropy(policy: impl Iterator<Item = f64>) -> f64 {
    policy.filter(|&share| share > 0.0).map(|share| -share * share.log2()).sum()
}

/// The Jensen–Shannon divergence of policies over the same choices (J. Lin, "Divergence measures based on the Shannon
/// entropy", IEEE Transactions on Information Theory 37, 1991): the entropy of their mean less their mean entropy.
fn disagreement(policies: &[Vec<f64>]) -> f64 {
    let number = policies.len() as f64;
    let choices = policies.first().map_or(0, Vec::len);
    let mean = |choice: usize| policies.iter().map(|policy| policy[choice]).sum::<f64>() / number;
    let own: f64 = policies.iter().map(|policy| entropy(policy.iter().copied())).sum();
    (entropy((0..choices).map(mean)) - own / number).max(0.0)
}

/// Positions at which the tree ends and the game goes on.
pub fn ends(nodes: &[Node]) -> Vec<usize> {
    let mut inner = vec![false; nodes.len()];
    nodes.iter().flat_map(|node| &node.ways).for_each(|way| inner[way.from] = true);
    (0..nodes.len()).filter(|&node| !inner[node] && nodes[node].ended.is_none()).collect()
}

/// Enters scores of games: for each of some positions the first player's scores. Positions on the way have the
/// mean of those behind them, by the share that comes through them.
pub fn enter_scores(nodes: &mut [Node], scores: &[(usize, Vec<f64>)]) {
    let mut sums = vec![(0.0_f64, 0.0_f64, 0.0_f64, 0_u64); nodes.len()];
    for (node, scores) in scores {
        let number = scores.len() as f64;
        if scores.is_empty() {
            continue;
        }
        let mean = scores.iter().sum::<f64>() / number;
        // A game more and one less, so that games that all end alike still leave a doubt.
        let squares: f64 = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() + 0.5;
        let variance = squares / (number + 1.0) / number;
        for (here, share) in through(nodes, *node) {
            let sum = &mut sums[here];
            sum.0 += share;
            sum.1 += share * mean;
            sum.2 += share * share * variance;
            sum.3 += scores.len() as u64;
        }
    }
    for (node, (share, score, variance, games)) in nodes.iter_mut().zip(sums) {
        if games > 0 {
            let mean = score / share;
            let interval = Interval::normal(mean, variance.sqrt() / share);
            node.score = Some((mean, Interval { low: interval.low.max(0.0), high: interval.high.min(1.0) }));
            node.games = games;
        }
    }
}

/// How much of a position's share comes through each position before it, itself first.
fn through(nodes: &[Node], node: usize) -> Vec<(usize, f64)> {
    let mut shares = BTreeMap::from([(node, nodes[node].share)]);
    let mut found = Vec::new();
    // Positions stand behind all that lead to them.
    while let Some((here, share)) = shares.pop_last() {
        found.push((here, share));
        for way in &nodes[here].ways {
            *shares.entry(way.from).or_default() += share * way.share / nodes[here].share;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(parent: Option<usize>, share: f64) -> Node {
        let way = |from| Way { from, share, ..Way::default() };
        Node { parent, share, ways: parent.map(way).into_iter().collect(), ..Node::default() }
    }

    #[test]
    fn scores_go_up_the_tree_by_share() {
        let mut nodes = vec![node(None, 1.0), node(Some(0), 0.6), node(Some(0), 0.2)];
        assert_eq!(ends(&nodes), [1, 2]);
        enter_scores(&mut nodes, &[(1, vec![1.0, 0.0, 1.0, 0.0]), (2, vec![1.0; 4])]);
        let (score, interval) = nodes[0].score.unwrap();
        assert!((score - (0.6 * 0.5 + 0.2) / 0.8).abs() < 1e-9, "{score}");
        assert!(interval.contains(score) && interval.width() > 0.1);
        assert_eq!((nodes[0].games, nodes[2].score.unwrap().0), (8, 1.0));
    }

    #[test]
    fn a_position_that_two_ways_lead_to_gives_each_its_part() {
        let mut nodes = vec![node(None, 1.0), node(Some(0), 0.75), node(Some(0), 0.25)];
        nodes.push(Node {
            ways: vec![
                Way { from: 1, share: 0.3, ..Way::default() },
                Way { from: 2, share: 0.1, ..Way::default() },
            ],
            ..node(Some(1), 0.4)
        });
        nodes.push(node(Some(1), 0.45));
        let places: Vec<usize> = through(&nodes, 3).into_iter().map(|(place, _)| place).collect();
        assert_eq!(places, [3, 2, 1, 0]);
        enter_scores(&mut nodes, &[(3, vec![1.0; 4]), (4, vec![0.0; 4])]);
        let score = |node: usize| nodes[node].score.unwrap().0;
        // Of 0.75 that come through the first 0.3 go on to the position that is won.
        assert!((score(1) - 0.3 / 0.75).abs() < 1e-9 && (score(2) - 1.0).abs() < 1e-9);
        assert!((score(0) - 0.4 / 0.85).abs() < 1e-9);
    }
}
