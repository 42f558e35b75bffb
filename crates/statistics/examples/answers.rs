//! Answers questions about statistics, one JSON value a line in and out, for `scripts/check-statistics`.

use serde::Deserialize;
use serde_json::{Value, json};
use statistics::Pentanomial;
use statistics::cycles::{OddsMatrix, nash_average};
use statistics::rating::{GameResult, Results, rate};
use statistics::sequential::{Hypotheses, Scale, log_likelihood_ratio};
use std::io::{BufRead, Write};

/// A question.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
enum Question {
    /// The log-likelihood ratio of two hypotheses.
    Ratio { scale: Scale, counts: [u64; 5], elo0: f64, elo1: f64 },
    /// Ratings above player 0: games as first player, second player, losses, draws, wins of the first.
    /// Every two players must have as many games in both colours.
    Ratings { players: usize, games: Vec<[u64; 5]> },
    /// Nash averaging of log-odds.
    Nash { odds: Vec<Vec<f64>> },
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let answer = answer(serde_json::from_str(&line?)?)?;
        writeln!(out, "{answer}")?;
    }
    Ok(())
}

fn answer(question: Question) -> Result<Value, Box<dyn std::error::Error>> {
    Ok(match question {
        Question::Ratio { scale, counts, elo0, elo1 } => {
            let hypotheses = Hypotheses { scale, elo0, elo1, alpha: 0.05, beta: 0.05 };
            json!({"ratio": log_likelihood_ratio(Pentanomial::from_counts(counts), &hypotheses)})
        }
        Question::Ratings { players, games } => {
            let ratings = rate(&results(players, &games), 0)?;
            let all = || (0..players).map(|player| ratings.rating(player));
            json!({
                "elo": all().map(|rating| rating.elo).collect::<Vec<_>>(),
                "standard_errors": all().map(|rating| rating.standard_error).collect::<Vec<_>>(),
                "dispersion": ratings.dispersion(),
            })
        }
        Question::Nash { odds } => {
            let rows: Vec<&[f64]> = odds.iter().map(Vec::as_slice).collect();
            let nash = nash_average(&OddsMatrix::exact(&rows))?;
            json!({"shares": nash.shares, "elo": nash.elo})
        }
    })
}

/// The games put into pairs: which game goes with which does not matter to ratings.
fn results(players: usize, games: &[[u64; 5]]) -> Results {
    let outcomes = |[_, _, losses, draws, wins]: [u64; 5]| -> Vec<GameResult> {
        [(GameResult::Loss, losses), (GameResult::Draw, draws), (GameResult::Win, wins)]
            .into_iter()
            .flat_map(|(result, count)| std::iter::repeat_n(result, count as usize))
            .collect()
    };
    let mut results = Results::new(players);
    for game in games.iter().filter(|game| game[0] < game[1]) {
        let back = games.iter().find(|other| other[0] == game[1] && other[1] == game[0]);
        let as_second = back.map(|back| outcomes(*back)).unwrap_or_default();
        for (as_first, other) in outcomes(*game).into_iter().zip(as_second) {
            results.add(game[0] as usize, game[1] as usize, as_first, other.reversed());
        }
    }
    results
}
