//! The tree of what an agent plays.

use arena::games::AnyGame;
use arena::inspection::{Inspection, InspectionError};
use game::Player;
use serde::Serialize;
use statistics::Interval;

/// A position of the tree.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Node {
    /// Number of the position before it; `None` for starts.
    pub parent: Option<usize>,
    /// The step that led here, or the name of the start.
    pub step: String,
    /// The position as the game writes it.
    pub fen: String,
    /// Steps from the start.
    pub depth: u32,
    /// Probability that the agent gets here; all starts together have 1.
    pub share: f64,
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

/// What a checkpoint makes of a position.
#[derive(Clone, Debug, Serialize)]
pub struct View {
    /// Expected score of the first player.
    pub value: f64,
    /// Entropy of its policy, in bits.
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
        let end = nodes.len();
        for (index, &parent) in open.iter().enumerate() {
            let own: Vec<&Inspection> = answers.iter().filter_map(|answers| answers.get(index)).collect();
            let Some(first) = own.first() else { continue };
            nodes[parent].views = own.iter().map(|one| view(one)).collect();
            nodes[parent].disagreement = disagreement(&own);
            for step in &first.steps {
                let share = nodes[parent].share * f64::from(step.policy);
                if share < least_share {
                    continue;
                }
                let (fen, ended) = game.after(&nodes[parent].fen, step.code)?;
                nodes.push(Node {
                    parent: Some(parent),
                    step: step.step.clone(),
                    fen,
                    depth: depth + 1,
                    share,
                    ended,
                    ..Node::default()
                });
            }
        }
        layer = end..nodes.len();
    }
    Ok(nodes)
}

fn view(inspection: &Inspection) -> View {
    let found = inspection.search;
    let score = f64::from(found.win) + 0.5 * f64::from(found.draw);
    let logarithms = inspection.steps.iter().map(|step| f64::from(step.policy)).map(surprise);
    View {
        value: if inspection.mover == Player::First { score } else { 1.0 - score },
        entropy: logarithms.sum(),
        plays: inspection.steps.get(inspection.chosen).map_or_else(String::new, |step| step.step.clone()),
    }
}

/// `−p·log₂ p`.
fn surprise(share: f64) -> f64 {
    if share > 0.0 { -share * share.log2() } else { 0.0 }
}

/// The Jensen–Shannon divergence of the policies (J. Lin, "Divergence measures based on the Shannon entropy", IEEE
/// Transactions on Information Theory 37, 1991): the entropy of their mean less their mean entropy.
fn disagreement(views: &[&Inspection]) -> f64 {
    let number = views.len() as f64;
    let steps = views.first().map_or(0, |one| one.steps.len());
    let policy =
        |one: &Inspection, step: usize| one.steps.get(step).map_or(0.0, |step| f64::from(step.policy));
    let mean: f64 = (0..steps)
        .map(|step| surprise(views.iter().map(|one| policy(one, step)).sum::<f64>() / number))
        .sum();
    let own: f64 =
        views.iter().map(|one| (0..steps).map(|step| surprise(policy(one, step))).sum::<f64>()).sum();
    (mean - own / number).max(0.0)
}

/// Positions at which the tree ends and the game goes on.
pub fn ends(nodes: &[Node]) -> Vec<usize> {
    let mut inner = vec![false; nodes.len()];
    nodes.iter().filter_map(|node| node.parent).for_each(|parent| inner[parent] = true);
    (0..nodes.len()).filter(|&node| !inner[node] && nodes[node].ended.is_none()).collect()
}

/// Enters scores of games: for each of some positions the first player's scores. Positions on the way have the
/// mean of those behind them, by share.
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
        let share = nodes[*node].share;
        let mut place = Some(*node);
        while let Some(here) = place {
            let sum = &mut sums[here];
            sum.0 += share;
            sum.1 += share * mean;
            sum.2 += share * share * variance;
            sum.3 += scores.len() as u64;
            place = nodes[here].parent;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn node(parent: Option<usize>, share: f64) -> Node {
        Node { parent, share, ..Node::default() }
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
}
