//! Principal lines: how a search expects the game to go on.

use crate::arena::{NO_NODE, ROOT};
use crate::search::Search;
use game::Game;

impl<G: Game> Search<G> {
    /// The line that begins with a step of the root: after it always the step with the most visits, the
    /// earlier of equals, as far as the tree goes. Just the step itself where it has no visits.
    pub fn line(&self, first: G::Step) -> Vec<G::Step> {
        let arena = self.arena();
        let mut line = vec![first];
        if arena.nodes.is_empty() {
            return line;
        }
        let order = arena.steps(ROOT).iter().position(|&step| step == first);
        let child = arena.children(ROOT).find(|(_, child)| Some(child.order as usize) == order);
        let mut node = child.map_or(NO_NODE, |(index, _)| index);
        while node != NO_NODE {
            let best =
                arena.children(node).max_by_key(|(_, child)| (child.visits, std::cmp::Reverse(child.order)));
            let Some((index, child)) = best else { break };
            line.push(arena.step(node, child.order));
            node = index;
        }
        line
    }
}
