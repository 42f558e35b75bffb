//! Who is how strong, how surely, and what a single number leaves out.

use crate::league::League;
use crate::text::{certainty, elo, percent};
use serde::Serialize;
use statistics::cycles::{CyclicPart, NashAverage, NashSpread, OddsMatrix, nash_average, nash_spread};
use statistics::rating::{Couple, PairCounts, Rating, RatingError, Ratings, Results, rate};
use statistics::{Intervals, interval::Interval, intervals_allowed};
use std::fmt;

/// Draws behind the spread of Nash averaging.
const NASH_DRAWS: usize = 100;

/// The seed of those draws: the same pairs give the same page.
const NASH_SEED: u64 = 0;

/// The standings of a league. Field names are those of `evaluate ladder --json`.
#[derive(Clone, Debug, Serialize)]
pub struct Standings {
    /// Name of the game.
    pub game: String,
    /// The player who stands at 0.
    pub anchor: String,
    /// Pairs of all players together.
    pub pairs: u64,
    /// Their games.
    pub games: u64,
    /// Games that differ from all others of their match.
    pub distinct_games: u64,
    /// The rated players, the best first.
    pub players: Vec<Standing>,
    /// Players who cannot be compared, since they have not met any of the others.
    pub unrated: Vec<String>,
    /// What the first move is worth, in Elo; `None` where nobody is rated.
    pub first_advantage: Option<Rating>,
    /// The share of draws between equal players.
    pub draw_share: Option<f64>,
    /// Its interval of 95 %.
    pub draw_share_interval: Option<Interval>,
    /// Spread of pair scores over what two independent games would have.
    pub dispersion: Option<f64>,
    /// The share of the results that no rating can say.
    pub cyclic_share: f64,
    /// The share that chance alone would bring about.
    pub cyclic_share_by_chance: f64,
    /// Three players in a circle, the surest first.
    pub cycles: Vec<CycleStanding>,
    /// All couples of rated players, as rows and columns of the order of `players`.
    #[serde(skip)]
    pub couples: Vec<Vec<Option<CoupleStanding>>>,
}

/// A player's place.
#[derive(Clone, Debug, Serialize)]
pub struct Standing {
    /// Its number in the league.
    #[serde(skip)]
    pub player: usize,
    /// What it is called.
    pub name: String,
    /// `built-in`, `checkpoint` or `engine`.
    pub kind: &'static str,
    /// The run that a checkpoint belongs to.
    pub run: Option<String>,
    /// The cycle after which it was saved.
    pub cycle: Option<u64>,
    /// What it may spend on a turn.
    pub budget: String,
    /// Its rating above the player who stands at 0.
    pub elo: f64,
    /// Lower end of the interval of 95 %; `None` where there is none.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// Why there is no interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<String>,
    /// The probability that it is better than the next one.
    pub better_than_next: Option<f64>,
    /// Its part in the mixture that nobody beats.
    pub nash_share: Option<f64>,
    /// Interval of 95 % of that.
    pub nash_share_interval: Option<Interval>,
    /// Its Elo against that mixture; 0 or less.
    pub nash_elo: Option<f64>,
    /// Interval of 95 % of that.
    pub nash_elo_interval: Option<Interval>,
    /// Its pairs.
    pub pairs: u64,
    /// Games won, drawn (cut off ones among them) and lost.
    pub wins: u64,
    /// See `wins`.
    pub draws: u64,
    /// See `wins`.
    pub losses: u64,
    /// Its mean score against whoever it met.
    pub score: f64,
    /// The same as first player.
    pub score_as_first: f64,
    /// The same as second player.
    pub score_as_second: f64,
}

/// How a player did against another.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CoupleStanding {
    /// Their pairs.
    pub pairs: u64,
    /// The first one's score; `None` where they have not met.
    pub score: Option<f64>,
    /// Its interval of 95 %.
    pub interval: Option<Interval>,
    /// The probability that the first one scores more than half: from their games where they have met,
    /// from the ratings otherwise.
    pub superiority: f64,
    /// The score that the ratings expect.
    pub expected: f64,
}

/// Three players in a circle.
#[derive(Clone, Debug, Serialize)]
pub struct CycleStanding {
    /// The players; each scores more than half against the next, and the last against the first.
    pub players: [String; 3],
    /// Those scores.
    pub scores: [f64; 3],
    /// The probability that all three are right.
    pub certainty: f64,
}

impl Standing {
    /// A short name for charts: a checkpoint's run, cycle and budget without the way there.
    pub fn label(&self) -> String {
        let (Some(run), Some(cycle)) = (&self.run, self.cycle) else { return self.name.clone() };
        let run = run.rsplit('/').next().unwrap_or(run);
        let budget = self.name.rsplit_once('@').map_or_else(String::new, |(_, budget)| format!("@{budget}"));
        format!("{run} {cycle}{budget}")
    }
}

/// The ratings of a league.
#[derive(Clone, Debug)]
pub struct Rated {
    /// The ratings, of players with numbers of their own.
    pub ratings: Ratings,
    /// The numbers in the league of those players.
    pub players: Vec<usize>,
    results: Results,
}

impl Rated {
    /// Rates everybody who can be compared with the player at 0; `None` before that one has played.
    ///
    /// # Errors
    /// Ratings that cannot be found.
    pub fn of(league: &League) -> Result<Option<Rated>, RatingError> {
        let all = league.results();
        let anchor = league.anchor();
        let mut players = all.groups().into_iter().find(|group| group.contains(&anchor)).unwrap_or_default();
        if players.len() < 2 {
            return Ok(None);
        }
        // The same numbers to the last bit, in whatever order the players were named or read.
        players.sort_by(|&one, &other| league.players[one].name.cmp(&league.players[other].name));
        let results = among(&all, &players);
        let place = players.iter().position(|&player| player == anchor).unwrap_or(0);
        let ratings = rate(&results, place)?;
        Ok(Some(Rated { ratings, players, results }))
    }

    /// Half the width of the widest interval of a rating, in Elo.
    pub fn widest(&self) -> f64 {
        let widths = (0..self.players.len()).map(|player| self.ratings.rating(player).interval.width() / 2.0);
        widths.fold(0.0, f64::max)
    }

    /// The best player's number in the league, and its rating.
    pub fn best(&self) -> Option<(usize, Rating)> {
        let best = *self.ratings.order().first()?;
        Some((self.players[best], self.ratings.rating(best)))
    }
}

impl Standings {
    /// The standings of a league whose ratings are known; before anybody has played there are none.
    pub fn new(league: &League, rated: Option<&Rated>) -> Standings {
        let anchor = league.anchor();
        let name = |player: usize| league.players[player].name.clone();
        let is_rated = |player: &usize| rated.is_some_and(|rated| rated.players.contains(player));
        let unrated = (0..league.players.len()).filter(|player| !is_rated(player)).map(name).collect();
        let (games, distinct_games) = league.distinct_games(None);
        let mut standings = Standings {
            game: league.matches.first().map(|one| one.header.game.clone()).unwrap_or_default(),
            anchor: league.players.get(anchor).map(|player| player.name.clone()).unwrap_or_default(),
            pairs: league.pairs(),
            games,
            distinct_games,
            players: Vec::new(),
            unrated,
            first_advantage: None,
            draw_share: None,
            draw_share_interval: None,
            dispersion: None,
            cyclic_share: 0.0,
            cyclic_share_by_chance: 0.0,
            cycles: Vec::new(),
            couples: Vec::new(),
        };
        let Some(Rated { ratings, players: rated, results }) = rated else { return standings };
        let matrix = OddsMatrix::new(results, ratings);
        let nash = nash_average(&matrix).ok();
        let spread = nash.as_ref().and_then(|_| nash_spread(&matrix, NASH_DRAWS, NASH_SEED).ok());
        let cyclic = CyclicPart::of(&matrix);
        let order = ratings.order();
        let (draw_share, interval) = ratings.draw_share();
        standings.first_advantage = Some(ratings.first_advantage());
        (standings.draw_share, standings.draw_share_interval) = (Some(draw_share), Some(interval));
        standings.dispersion = Some(ratings.dispersion());
        standings.cyclic_share = cyclic.share;
        standings.cyclic_share_by_chance = cyclic.by_chance;
        standings.cycles = cyclic
            .cycles
            .iter()
            .map(|cycle| CycleStanding {
                players: cycle.players.map(|player| name(rated[player])),
                scores: cycle.scores,
                certainty: cycle.certainty,
            })
            .collect();
        let sight = Sight { league, results, ratings, rated, matrix: &matrix };
        standings.couples = order
            .iter()
            .map(|&row| order.iter().map(|&column| sight.couple(row, column)).collect())
            .collect();
        standings.players = order
            .iter()
            .enumerate()
            .map(|(index, &player)| {
                let next = order.get(index + 1).copied();
                sight.standing(player, next, nash.as_ref(), spread.as_ref())
            })
            .collect();
        standings
    }

    /// Half the width of the widest interval, in Elo; `None` without intervals.
    pub fn widest(&self) -> Option<f64> {
        let widths = self.players.iter().filter(|player| player.name != self.anchor);
        widths
            .map(|player| Some((player.high? - player.low?) / 2.0))
            .try_fold(0.0, |widest: f64, width| width.map(|width| widest.max(width)))
            .filter(|widest| *widest > 0.0)
    }
}

/// The results among some players, who get their places in the list as numbers.
fn among(results: &Results, players: &[usize]) -> Results {
    let mut some = Results::new(players.len());
    for Couple { a, b } in Couple::all(players.len()) {
        let counts = results.between(players[a], players[b]);
        for as_first in statistics::rating::GameResult::ALL {
            for as_second in statistics::rating::GameResult::ALL {
                for _ in 0..counts.count(as_first, as_second) {
                    some.add(a, b, as_first, as_second);
                }
            }
        }
    }
    some
}

/// Everything that standings are read off.
struct Sight<'a> {
    league: &'a League,
    results: &'a Results,
    ratings: &'a Ratings,
    rated: &'a [usize],
    matrix: &'a OddsMatrix,
}

impl Sight<'_> {
    fn couple(&self, player: usize, opponent: usize) -> Option<CoupleStanding> {
        if player == opponent {
            return None;
        }
        let pairs = self.results.between(player, opponent).pentanomial();
        let met = pairs.pairs() > 0;
        Some(CoupleStanding {
            pairs: pairs.pairs(),
            score: pairs.score(),
            interval: met.then(|| Intervals::of(pairs).score),
            superiority: match met {
                true => Intervals::of(pairs).superiority,
                false => self.matrix.superiority(player, opponent),
            },
            expected: self.ratings.expected_score(player, opponent),
        })
    }

    fn standing(
        &self,
        player: usize,
        next: Option<usize>,
        nash: Option<&NashAverage>,
        spread: Option<&NashSpread>,
    ) -> Standing {
        let number = self.rated[player];
        let header = &self.league.players[number];
        let origin = self.league.origin(number);
        let counts: PairCounts = self.results.of(player);
        let [losses, draws, wins] = counts.games();
        let rating = self.ratings.rating(player);
        let (games, distinct) = self.league.distinct_games(Some(number));
        let allowed = intervals_allowed(games, distinct);
        let shown = allowed.is_ok();
        let score = |[losses, draws, wins]: [u64; 3]| {
            (wins as f64 + draws as f64 / 2.0) / ((losses + draws + wins) as f64).max(1.0)
        };
        Standing {
            player: number,
            name: header.name.clone(),
            kind: header.kind.word(),
            run: origin.as_ref().map(|origin| origin.run.clone()),
            cycle: origin.map(|origin| origin.cycle),
            budget: header.budget.to_string(),
            elo: rating.elo,
            low: shown.then_some(rating.interval.low),
            high: shown.then_some(rating.interval.high),
            interval: allowed.err().map(|missing| missing.to_string()),
            better_than_next: next
                .filter(|_| shown)
                .map(|next| self.ratings.difference(player, next).superiority),
            nash_share: nash.map(|nash| nash.shares[player]),
            nash_share_interval: spread.map(|spread| spread.shares[player]),
            nash_elo: nash.map(|nash| nash.elo[player].min(0.0)),
            nash_elo_interval: spread.map(|spread| spread.elo[player].map(|elo| elo.min(0.0))),
            pairs: counts.pairs(),
            wins,
            draws,
            losses,
            score: score([losses, draws, wins]),
            score_as_first: score(counts.as_first()),
            score_as_second: score(counts.as_second()),
        }
    }
}

impl fmt::Display for Standings {
    /// A table for people; ends with a line break.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Standings { game, anchor, pairs, games, distinct_games, .. } = self;
        writeln!(
            out,
            "{game}: {pairs} pairs, {games} games, {distinct_games} distinct; {anchor} stands at 0"
        )?;
        if self.players.is_empty() {
            return writeln!(out, "nobody has played yet");
        }
        writeln!(out)?;
        let width = self.players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0).max(6);
        writeln!(
            out,
            "{:>3}  {:width$}  {:>6}  {:>16}  {:>11}  {:>6}  {:>6}  {:>7}  {:>7}",
            "", "player", "Elo", "95 % interval", "above next", "Nash", "pairs", "score", "draws"
        )?;
        for (index, player) in self.players.iter().enumerate() {
            let interval = match (player.low, player.high) {
                _ if player.name == *anchor => "0 by choice".to_owned(),
                (Some(low), Some(high)) => format!("{} to {}", elo(low), elo(high)),
                _ => "none".to_owned(),
            };
            let games = (player.wins + player.draws + player.losses).max(1);
            writeln!(
                out,
                "{:>3}  {:width$}  {:>6}  {interval:>16}  {:>11}  {:>6}  {:>6}  {:>7}  {:>7}",
                index + 1,
                player.name,
                elo(player.elo),
                player.better_than_next.map_or_else(String::new, certainty),
                player.nash_share.map_or_else(String::new, |share| format!("{:.0} %", 100.0 * share)),
                player.pairs,
                percent(player.score),
                percent(player.draws as f64 / games as f64),
            )?;
        }
        writeln!(out)?;
        if let (Some(advantage), Some(draws)) = (self.first_advantage, self.draw_share) {
            let Interval { low, high } = advantage.interval;
            writeln!(
                out,
                "the first move is worth {} Elo ({} to {}); equal players draw {} of their games",
                elo(advantage.elo),
                elo(low),
                elo(high),
                percent(draws)
            )?;
        }
        writeln!(
            out,
            "no rating explains {} of the results ({} by chance alone)",
            percent(self.cyclic_share),
            percent(self.cyclic_share_by_chance)
        )?;
        for cycle in self.cycles.iter().take(3) {
            let [a, b, c] = &cycle.players;
            let [ab, bc, ca] = cycle.scores.map(percent);
            let sure = certainty(cycle.certainty);
            writeln!(
                out,
                "circle: {a} beats {b} ({ab}), {b} beats {c} ({bc}), {c} beats {a} ({ca}); {sure} sure"
            )?;
        }
        for player in &self.players {
            if let Some(why) = &player.interval {
                writeln!(out, "no interval for {}: {why}", player.name)?;
            }
        }
        for name in &self.unrated {
            writeln!(out, "not rated: {name} has not met the others")?;
        }
        Ok(())
    }
}
