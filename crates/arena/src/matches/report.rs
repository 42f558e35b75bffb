//! The result of a match in numbers and words, from side A's view.

use super::tally::{Counts, Tally};
use serde::Serialize;
use statistics::{Estimate, elo};
use std::collections::BTreeMap;
use std::fmt;

/// What a match is called in its report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// Side A as written on the command line.
    pub a: String,
    /// Side B.
    pub b: String,
    /// The game.
    pub game: String,
}

/// Side A's games by colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ColourCounts {
    /// Games in which A was the first player.
    pub first: Counts,
    /// Games in which A was the second player.
    pub second: Counts,
}

/// Side A's games of some lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LengthCounts {
    /// Turns of the shortest of them, the opening's included.
    pub from: u64,
    /// Turns of the longest.
    pub to: u64,
    /// How they ended.
    #[serde(flatten)]
    pub counts: Counts,
}

/// Groups of about equally many games that lengths are told in.
const LENGTHS: usize = 4;

/// Games by the reason of their end.
pub type ReasonCounts = BTreeMap<String, Counts>;

/// The result of a match. Field names are those of `evaluate match --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchReport {
    /// Side A.
    pub a: String,
    /// Side B.
    pub b: String,
    /// The game.
    pub game: String,
    /// Pairs that were finished.
    pub pairs: u64,
    /// Games in them.
    pub games: u64,
    /// Games that differ from all others in colours, start or steps.
    pub distinct_games: u64,
    /// Games won by A.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Games lost by A.
    pub losses: u64,
    /// Games cut off without a result; half a point each in the score.
    pub truncated: u64,
    /// Mean score of A, 0–1; `None` without games.
    pub score: Option<f64>,
    /// Lower end of the 95 % interval of the score, over pairs.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// Why there is no interval; absent where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<String>,
    /// Elo difference that stands for the score; `None` where it is not finite.
    pub elo: Option<f64>,
    /// Elo of `low`; `None` where there is none or it is not finite.
    pub elo_low: Option<f64>,
    /// Elo of `high`; likewise.
    pub elo_high: Option<f64>,
    /// Normalised Elo: the score less ½ in standard deviations of a game, times 800 / ln 10; `None` where
    /// all pairs ended alike.
    pub normalised_elo: Option<f64>,
    /// Lower end of its 95 % interval.
    pub normalised_elo_low: Option<f64>,
    /// Upper end.
    pub normalised_elo_high: Option<f64>,
    /// The probability that A is the better one; `None` where there is no interval.
    pub superiority: Option<f64>,
    /// The share of games that nobody won, those without a result included; `None` without games.
    pub draw_share: Option<f64>,
    /// Pairs with 0, ½, 1, 1½ and 2 points for A.
    pub pentanomial: [u64; 5],
    /// A's results by its colour.
    pub by_colour: ColourCounts,
    /// A's results by the reason of the end.
    pub by_reason: ReasonCounts,
    /// A's results by the length of the games.
    pub by_length: Vec<LengthCounts>,
    /// Mean number of turns of a game, the opening's included; `None` without games.
    pub mean_turns: Option<f64>,
}

impl MatchReport {
    /// The report of what was counted.
    pub fn new(names: &Names, tally: &Tally) -> MatchReport {
        let Counts { wins, draws, losses, truncated } = tally.counts;
        let games = tally.counts.games();
        let Estimate { point, intervals } = Estimate::new(tally.pentanomial, tally.distinct_games());
        let (found, interval) = match intervals {
            Ok(found) => (Some(found), None),
            Err(why) => (None, Some(why.to_string())),
        };
        let score = point.map(|point| point.score);
        let finite = |score: Option<f64>| score.map(elo).filter(|elo| elo.is_finite());
        let (low, high) = (found.map(|found| found.score.low), found.map(|found| found.score.high));
        let normalised = found.map(|found| found.normalised_elo);
        MatchReport {
            a: names.a.clone(),
            b: names.b.clone(),
            game: names.game.clone(),
            pairs: tally.pentanomial.pairs(),
            games,
            distinct_games: tally.distinct_games(),
            wins,
            draws,
            losses,
            truncated,
            score,
            low,
            high,
            interval,
            elo: finite(score),
            elo_low: finite(low),
            elo_high: finite(high),
            normalised_elo: point.and_then(|point| point.normalised_elo),
            normalised_elo_low: normalised.map(|interval| interval.low),
            normalised_elo_high: normalised.map(|interval| interval.high),
            superiority: found.map(|found| found.superiority),
            draw_share: (games > 0).then(|| (draws + truncated) as f64 / games as f64),
            pentanomial: tally.pentanomial.counts(),
            by_colour: ColourCounts { first: tally.by_colour[0], second: tally.by_colour[1] },
            by_reason: tally.by_reason.clone(),
            by_length: by_length(tally),
            mean_turns: (games > 0).then(|| tally.turns as f64 / games as f64),
        }
    }
}

/// Games by length in [`LENGTHS`] groups of about equally many; games of one length stay together.
fn by_length(tally: &Tally) -> Vec<LengthCounts> {
    let games = tally.counts.games();
    let mut groups: Vec<LengthCounts> = Vec::new();
    let mut before = 0;
    for (&turns, &counts) in &tally.by_turns {
        // A new group begins where the games so far fill those that there are.
        let filled = before * LENGTHS as u64 >= games * groups.len() as u64;
        match groups.last_mut().filter(|_| !filled) {
            Some(group) => {
                group.to = turns;
                group.counts = group.counts.and(counts);
            }
            None => groups.push(LengthCounts { from: turns, to: turns, counts }),
        }
        before += counts.games();
    }
    groups
}

impl fmt::Display for MatchReport {
    /// A table for people; ends with a line break.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{} against {} at {}", self.a, self.b, self.game)?;
        writeln!(
            out,
            "{} pairs, {} games, {} distinct{}",
            self.pairs,
            self.games,
            self.distinct_games,
            self.mean_turns.map_or(String::new(), |turns| format!(", {turns:.0} turns a game")),
        )?;
        let Some(score) = self.score else {
            return writeln!(out, "no result: no pair was finished");
        };
        writeln!(out)?;
        let mut rows = vec![("all".to_owned(), self.all())];
        rows.push(("A first".to_owned(), self.by_colour.first));
        rows.push(("A second".to_owned(), self.by_colour.second));
        rows.extend(self.by_reason.iter().map(|(reason, &counts)| (format!("by {reason}"), counts)));
        rows.extend(self.by_length.iter().map(|length| {
            let LengthCounts { from, to, counts } = *length;
            (if from == to { format!("{from} turns") } else { format!("{from}-{to} turns") }, counts)
        }));
        let width = rows.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
        writeln!(
            out,
            "{:width$}  {:>7} {:>7} {:>7} {:>9} {:>8}",
            "", "wins", "draws", "losses", "truncated", "score"
        )?;
        for (label, counts) in rows {
            let Counts { wins, draws, losses, truncated } = counts;
            let score = counts.score().map_or("-".to_owned(), percent);
            writeln!(out, "{label:width$}  {wins:>7} {draws:>7} {losses:>7} {truncated:>9} {score:>8}")?;
        }
        writeln!(out)?;
        let [none, half, one, more, two] = self.pentanomial;
        writeln!(out, "pairs with 0, 1/2, 1, 1 1/2, 2 points: {none}, {half}, {one}, {more}, {two}")?;
        if let Some(draws) = self.draw_share {
            writeln!(out, "nobody won {} of the games", percent(draws))?;
        }
        match (self.low, self.high, &self.interval) {
            (Some(low), Some(high), _) => {
                writeln!(
                    out,
                    "score {} (95 % interval {} to {})",
                    percent(score),
                    percent(low),
                    percent(high)
                )?;
                writeln!(
                    out,
                    "Elo   {} (95 % interval {} to {})",
                    elo_text(score),
                    elo_text(low),
                    elo_text(high)
                )?;
                if let (Some(low), Some(high)) = (self.normalised_elo_low, self.normalised_elo_high) {
                    let point = self.normalised_elo.map_or("unknown".to_owned(), |elo| format!("{elo:+.0}"));
                    writeln!(out, "normalised Elo {point} (95 % interval {low:+.0} to {high:+.0})")?;
                }
                let superiority = self.superiority.unwrap_or(0.5);
                writeln!(out, "A is the better one with probability {}", percent(superiority))
            }
            (_, _, why) => {
                writeln!(out, "score {}, Elo {}", percent(score), elo_text(score))?;
                writeln!(out, "no interval: {}", why.as_deref().unwrap_or_default())
            }
        }
    }
}

impl MatchReport {
    fn all(&self) -> Counts {
        Counts { wins: self.wins, draws: self.draws, losses: self.losses, truncated: self.truncated }
    }
}

fn percent(score: f64) -> String {
    format!("{:.1} %", 100.0 * score)
}

fn elo_text(score: f64) -> String {
    let elo = elo(score);
    if elo.is_finite() {
        // Adding 0 makes a negative 0 positive.
        format!("{:+.0}", elo.round() + 0.0)
    } else if elo > 0.0 {
        "+inf".to_owned()
    } else {
        "-inf".to_owned()
    }
}
