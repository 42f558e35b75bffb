//! The games of a league by how they went.

use crate::league::League;
use pairs::{PlayedGame, Winner};
use serde::Serialize;
use statistics::interval::{Interval, share_interval};
use std::collections::BTreeMap;

/// Most starts or openings that are told one by one.
const MOST_GROUPS: usize = 40;

/// Games sorted in several ways.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Breakdown {
    /// All games.
    pub all: Group,
    /// By the reason of their end, the most frequent first.
    pub by_reason: Vec<Group>,
    /// By their length in turns, the shortest first.
    pub by_length: Vec<Group>,
    /// By start position, which for games with set-ups says both; the most frequent first. Empty where all
    /// games have one start.
    pub by_start: Vec<Group>,
    /// By opening: the first turn, the most frequent first.
    pub by_opening: Vec<Group>,
    /// Lengths of all games in turns.
    #[serde(skip)]
    pub turns: Vec<f64>,
}

/// Some games.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Group {
    /// What they have in common.
    pub name: String,
    /// How many.
    pub games: u64,
    /// Those that the first player won.
    pub first_wins: u64,
    /// Those that nobody won, cut off ones among them.
    pub draws: u64,
    /// Those that the second player won.
    pub second_wins: u64,
    /// Games that were cut off.
    pub truncated: u64,
}

impl Group {
    fn new(name: String) -> Group {
        Group { name, ..Group::default() }
    }

    fn add(&mut self, game: &PlayedGame) {
        self.games += 1;
        match game.winner {
            Winner::First => self.first_wins += 1,
            Winner::Second => self.second_wins += 1,
            Winner::Draw => self.draws += 1,
            Winner::None => {
                self.draws += 1;
                self.truncated += 1;
            }
        }
    }

    /// Mean score of the first player.
    pub fn first_score(&self) -> f64 {
        (self.first_wins as f64 + self.draws as f64 / 2.0) / self.games.max(1) as f64
    }

    /// 95 % interval of that, each game for itself: in halves of a point, as if they were tossed singly,
    /// which is a little too wide where games are drawn.
    pub fn first_score_interval(&self) -> Option<Interval> {
        share_interval(2 * self.first_wins + self.draws, 2 * self.games).map(|narrow| {
            // Two halves of one game are no two trials.
            let (score, widen) = (self.first_score(), std::f64::consts::SQRT_2);
            Interval {
                low: (score + (narrow.low - score) * widen).max(0.0),
                high: (score + (narrow.high - score) * widen).min(1.0),
            }
        })
    }

    /// The share of games that nobody won.
    pub fn draw_share(&self) -> f64 {
        self.draws as f64 / self.games.max(1) as f64
    }
}

impl Breakdown {
    /// Sorts all games of a league.
    pub fn of(league: &League) -> Breakdown {
        let games: Vec<&PlayedGame> =
            league.matches.iter().flat_map(|one| &one.pairs).flat_map(|pair| &pair.games).collect();
        let mut all = Group::new("all games".to_owned());
        for game in &games {
            all.add(game);
        }
        let by_start = groups(&games, |game| game.start.clone(), MOST_GROUPS);
        let first_turn = |game: &PlayedGame| game.turns.first().cloned().unwrap_or_default();
        Breakdown {
            all,
            by_reason: groups(&games, |game| game.reason.clone(), usize::MAX),
            by_length: by_length(&games),
            by_start: if by_start.len() > 1 { by_start } else { Vec::new() },
            by_opening: groups(&games, first_turn, MOST_GROUPS),
            turns: games.iter().map(|game| game.turns.len() as f64).collect(),
        }
    }
}

/// Groups by name, the largest first; those beyond `most` come together as the last one.
fn groups(games: &[&PlayedGame], name: impl Fn(&PlayedGame) -> String, most: usize) -> Vec<Group> {
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    for game in games {
        let name = name(game);
        groups.entry(name.clone()).or_insert_with(|| Group::new(name)).add(game);
    }
    let mut groups: Vec<Group> = groups.into_values().collect();
    groups.sort_by(|one, other| other.games.cmp(&one.games).then(one.name.cmp(&other.name)));
    if groups.len() > most {
        let mut rest = Group::new(format!("{} others", groups.len() - most));
        for group in groups.drain(most..) {
            rest.games += group.games;
            rest.first_wins += group.first_wins;
            rest.draws += group.draws;
            rest.second_wins += group.second_wins;
            rest.truncated += group.truncated;
        }
        groups.push(rest);
    }
    groups
}

/// Six groups of about equally many games.
fn by_length(games: &[&PlayedGame]) -> Vec<Group> {
    const GROUPS: usize = 6;
    let mut games = games.to_vec();
    games.sort_by_key(|game| game.turns.len());
    let mut groups: Vec<Group> = Vec::new();
    let mut rest = games.as_slice();
    while let Some(shortest) = rest.first() {
        let wanted = (rest.len() / (GROUPS - groups.len()).max(1)).max(1);
        let longest = rest[wanted - 1].turns.len();
        // Games of one length stay together.
        let end = rest.partition_point(|game| game.turns.len() <= longest);
        let shortest = shortest.turns.len();
        let name = if shortest == longest { format!("{longest}") } else { format!("{shortest}–{longest}") };
        let mut group = Group::new(name);
        for game in &rest[..end] {
            group.add(game);
        }
        groups.push(group);
        rest = &rest[end..];
    }
    groups
}
