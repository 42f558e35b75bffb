//! Section `[teacher]`: who plays before the network does.

use arena::learning::{TaughtPolicy, Teacher};
use arena::opponents::BuiltIn;
use serde::{Deserialize, Serialize};

/// A built-in opponent that plays the first games of a run. The network learns its steps and how its games ended
/// (imitation, as AlphaGo learned from games before it played its own: Silver et al. 2016, "Mastering the game of Go
/// with deep neural networks and tree search"), and goes on by itself from there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TeacherConfig {
    /// `greedy`, `alphabeta:D` or `rollouts:N`.
    pub player: String,
    /// Cycles are the teacher's until the run has so many samples; 0: the network plays from the first game on.
    pub positions: u64,
    /// Share of its turns that are played at random and not learned from, so that games differ and mistakes are
    /// punished; at least 0 and below 1.
    pub random_turns: f32,
    /// What the policy learns: the step that the teacher chose, or all that it found as good.
    pub policy: TaughtPolicy,
}

impl Default for TeacherConfig {
    fn default() -> TeacherConfig {
        TeacherConfig {
            player: "alphabeta:1".to_owned(),
            positions: 0,
            random_turns: 0.05,
            policy: TaughtPolicy::default(),
        }
    }
}

impl TeacherConfig {
    /// Who plays the next cycle of a run that has so many samples; `None` where the network does.
    pub fn of_run_with(&self, positions: u64) -> Option<Teacher> {
        if positions >= self.positions {
            return None;
        }
        let TeacherConfig { random_turns, policy, .. } = *self;
        Some(Teacher { player: BuiltIn::parse(&self.player).ok()?, random_turns, policy })
    }

    /// Values out of range, each beginning with its key.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        if let Err(message) = BuiltIn::parse(&self.player) {
            faults.push(format!("player: {message}"));
        }
        let share = self.random_turns;
        if !(0.0..1.0).contains(&share) {
            faults.push(format!("random_turns: found {share}; it must be at least 0 and below 1"));
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_teacher_plays_until_the_run_has_its_samples() {
        let config = TeacherConfig { positions: 100, ..TeacherConfig::default() };
        let teacher = Teacher {
            player: BuiltIn::AlphaBeta { depth: 1 },
            random_turns: 0.05,
            policy: TaughtPolicy::EqualSteps,
        };
        assert_eq!(config.of_run_with(99), Some(teacher));
        assert_eq!(config.of_run_with(100), None);
        assert_eq!(TeacherConfig::default().of_run_with(0), None);
    }

    #[test]
    fn all_faults_are_named() {
        for (player, words) in
            [("engine:x", "found engine:x, a directory or an engine"), ("alphabeta:99", " to ")]
        {
            let config =
                TeacherConfig { player: player.to_owned(), random_turns: 1.0, ..TeacherConfig::default() };
            let faults = config.faults();
            assert_eq!(faults.len(), 2, "{faults:?}");
            assert!(faults[0].starts_with("player: ") && faults[0].contains(words), "{faults:?}");
        }
    }
}
