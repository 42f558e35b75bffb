//! A tree as text, for people and for tests that compare whole trees.

use crate::arena::ROOT;
use crate::proof::Proof;
use crate::search::Search;
use game::{Game, Player};
use std::fmt::Write;

impl<G: Game> Search<G> {
    /// The whole tree as text, one line a visited position, steps in the game's order, deeper lines
    /// indented: step, prior, visits, mean utility as the first player sees it, and for finished games
    /// or proven nodes what they are.
    pub fn tree_text(&self) -> String {
        let mut text = String::new();
        let arena = self.arena();
        if arena.nodes.is_empty() {
            return text;
        }
        let mut stack = vec![(0, ROOT, "root".to_owned())];
        while let Some((depth, index, name)) = stack.pop() {
            let node = arena.node(index);
            let visits = node.visits;
            // Not −0.
            let value = arena.utility(node).0 + 0.0;
            // Writing to a string cannot fail.
            let _ = write!(text, "{:depth$}{name} visits {visits} value {value:.6}", "", depth = 2 * depth);
            text.push_str(match (node.terminal, node.proof) {
                (true, _) => " end",
                (false, Proof::Open) => "",
                (false, Proof::Draw) => " draw",
                (false, Proof::Win(Player::First)) => " first wins",
                (false, Proof::Win(Player::Second)) => " second wins",
            });
            text.push('\n');
            let mut children: Vec<_> = arena.children(index).collect();
            children.sort_unstable_by_key(|(_, child)| std::cmp::Reverse(child.order));
            stack.extend(children.into_iter().map(|(child_index, child)| {
                let name = format!("{:?} {:.6}", arena.step(index, child.order), child.prior);
                (depth + 1, child_index, name)
            }));
        }
        text
    }
}
