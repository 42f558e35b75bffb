//! Finished games of a match.

use game::{Outcome, Player, StepCode, Verdict};
use serde::{Deserialize, Serialize};

/// Two games from one start: side A is the first player in the first of them, the second player in
/// the other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// Number of the pair, from 0. It decides the start and the players' chance.
    pub pair: u64,
    /// The games.
    pub games: [PlayedGame; 2],
}

impl Pair {
    /// What the pair brought side A, in halves of a point, from 0 to 4.
    pub fn half_points(&self) -> usize {
        self.games.iter().map(PlayedGame::half_points).sum()
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayedGame {
    /// The player that side A was.
    pub a_plays: Player,
    /// Start position as the game writes it, before the opening.
    pub start: String,
    /// How many of the turns are the random opening.
    pub opening_turns: usize,
    /// All turns in the game's notation. The last one may be incomplete: where the game ended inside
    /// a turn, or a player forfeited inside it.
    pub turns: Vec<String>,
    /// All steps, the opening's included.
    pub steps: Vec<StepCode>,
    /// Who won.
    pub winner: Winner,
    /// By which rule: one of the words of the game's rules page, or [`PlayedGame::FORFEIT`].
    pub reason: String,
    /// Points captured by the first and the second player.
    pub points: [i32; 2],
    /// Where a side forfeited, who and why, in words; the other side has won.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<String>,
    /// What its player thought of each turn, in the order of `turns`; `None` for turns of the opening
    /// and of players that say nothing.
    #[serde(default)]
    pub thoughts: Vec<Option<Thought>>,
}

impl PlayedGame {
    /// The reason of games that a player lost away from the board: no turn, an illegal one, or too late.
    pub const FORFEIT: &'static str = "forfeit";

    /// The reason of games that were not played because the rules declare their start void. They count like
    /// draws.
    pub const VOID: &'static str = "void";

    /// The game number 0 or 1 of a pair, not played: its start is void.
    pub fn void(number: usize) -> PlayedGame {
        PlayedGame {
            a_plays: Player::BOTH[number.min(1)],
            start: String::new(),
            opening_turns: 0,
            turns: Vec::new(),
            steps: Vec::new(),
            winner: Winner::None,
            reason: PlayedGame::VOID.to_owned(),
            points: [0, 0],
            forfeit: None,
            thoughts: Vec::new(),
        }
    }

    /// Whether it was not played; see [`PlayedGame::VOID`].
    pub fn is_void(&self) -> bool {
        self.reason == PlayedGame::VOID
    }

    /// What the game brought side A, in halves of a point. A truncated game counts like a draw.
    pub fn half_points(&self) -> usize {
        match self.winner.player() {
            Some(winner) if winner == self.a_plays => 2,
            Some(_) => 0,
            None => 1,
        }
    }

    /// Equal for equal games: same colours, same start, same steps.
    pub fn fingerprint(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&[self.a_plays.index() as u8]);
        hasher.update(&(self.start.len() as u64).to_le_bytes());
        hasher.update(self.start.as_bytes());
        for step in &self.steps {
            hasher.update(&step.0.to_le_bytes());
        }
        *hasher.finalize().as_bytes()
    }
}

/// Who won a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Winner {
    /// The first player.
    First,
    /// The second player.
    Second,
    /// Nobody.
    Draw,
    /// The game was cut off without a result.
    None,
}

impl Winner {
    /// The winner, if there is one.
    pub const fn player(self) -> Option<Player> {
        match self {
            Winner::First => Some(Player::First),
            Winner::Second => Some(Player::Second),
            Winner::Draw | Winner::None => None,
        }
    }
}

impl From<&Outcome> for Winner {
    fn from(outcome: &Outcome) -> Winner {
        match outcome.verdict {
            Verdict::Win(Player::First) => Winner::First,
            Verdict::Win(Player::Second) => Winner::Second,
            Verdict::Draw => Winner::Draw,
            Verdict::Truncated => Winner::None,
        }
    }
}

/// What a player thought when it chose a turn, seen by itself. What it does not say is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Thought {
    /// Probability that it wins, after its search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win: Option<f32>,
    /// Probability of a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<f32>,
    /// Probability that it loses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss: Option<f32>,
    /// An engine's score in hundredths of a pawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub centipawns: Option<i32>,
    /// Turns to a forced mate, negative where it is mated itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// Turns looked ahead, as an engine counts them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Simulations of a search, or nodes as an engine counts them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Time that it took by its clock; only where time or an engine takes part, so that other matches
    /// repeat to the letter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub milliseconds: Option<u64>,
}
