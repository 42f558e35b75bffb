//! `evaluate sprt`: pairs of games until one of two hypotheses is accepted.

use crate::arguments::SprtArguments;
use crate::failure::{End, Failure};
use crate::interrupt::Interrupt;
use crate::output::Format;
use crate::progress::MatchProgress;
use crate::request::MatchRequest;
use arena::matches::{MatchReport, Stop, Tally, Watch};
use pairs::Pair;
use serde::Serialize;
use statistics::sequential::{Hypotheses, OrderedTest, Overshoot, SequentialTest, Verdict};
use std::fmt;
use std::io::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What came out. Field names are those of `evaluate sprt --json`.
#[derive(Clone, Debug, Serialize)]
pub struct SprtReport {
    /// What was decided between.
    pub hypotheses: Hypotheses,
    /// What was done about overshoot.
    pub overshoot: Overshoot,
    /// The answer.
    pub verdict: Verdict,
    /// Why there is none, where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_verdict: Option<String>,
    /// Logarithm of how much more likely the counted pairs are under H1 than under H0.
    pub log_likelihood_ratio: f64,
    /// H0 was accepted at or below the first number, H1 at or above the second.
    pub bounds: [f64; 2],
    /// Pairs that the test counted, in the order of their numbers.
    pub pairs: u64,
    /// The same by their points.
    pub pentanomial: [u64; 5],
    /// What all finished pairs say, those beyond the verdict included. A test that stops when the result is
    /// clear makes this estimate too large on average.
    pub plain_estimate: MatchReport,
    /// Wall-clock time.
    pub seconds: f64,
}

/// Looks on, and stops the match when the test has its verdict.
struct TestWatch<'a> {
    progress: &'a MatchProgress<'a>,
    ordered: Mutex<OrderedTest>,
}

impl TestWatch<'_> {
    fn ordered(&self) -> MutexGuard<'_, OrderedTest> {
        self.ordered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch for TestWatch<'_> {
    fn pair_finished(&self, pair: &Pair, tally: &Tally) {
        self.progress.pair_finished(pair, tally);
        let mut ordered = self.ordered();
        ordered.add(pair.pair, pair.half_points());
        let [lower, upper] = ordered.test().bounds();
        self.progress.say(format!(
            "score {:.1} %, log-likelihood ratio {:+.2} ({lower:.2} to {upper:.2})",
            100.0 * tally.pentanomial.score().unwrap_or(0.5),
            ordered.test().log_likelihood_ratio(),
        ));
    }

    fn batch_judged(&self, side: usize, rows: usize) {
        self.progress.batch_judged(side, rows);
    }

    fn stop(&self) -> Stop {
        let decided = match self.ordered().test().verdict() {
            Verdict::Undecided => Stop::GoOn,
            Verdict::H0 | Verdict::H1 => Stop::FinishPairs,
        };
        self.progress.stop().max(decided)
    }
}

/// Runs the command and prints its report.
///
/// # Errors
/// [`Failure::Input`] for wrong input, [`Failure::Work`] when the match or its output failed.
pub fn run(arguments: &SprtArguments, interrupt: &Interrupt) -> Result<End, Failure> {
    let hypotheses = Hypotheses {
        scale: arguments.scale.into(),
        elo0: arguments.elo0,
        elo1: arguments.elo1,
        alpha: arguments.alpha,
        beta: arguments.beta,
    };
    hypotheses.check().map_err(Failure::input)?;
    let MatchRequest { conditions, names, contestants, remarks, plan, format, record } =
        MatchRequest::new(&arguments.played)?;
    for remark in &remarks {
        crate::say(remark);
    }
    let (file, earlier) = record.map_or((None, Vec::new()), |(file, record)| (Some(file), record.pairs));
    let overshoot = arguments.overshoot.into();
    let mut ordered = OrderedTest::new(hypotheses, overshoot);
    for pair in earlier.iter().filter(|pair| pair.pair < plan.pairs) {
        ordered.add(pair.pair, pair.half_points());
    }
    let decided = ordered.test().verdict() != Verdict::Undecided;
    let progress = MatchProgress::new(plan.pairs, earlier.len() as u64, file, interrupt);
    let watch = TestWatch { progress: &progress, ordered: Mutex::new(ordered) };
    let pairs = match decided {
        true => earlier,
        false => {
            let starts = conditions.starts.as_deref();
            conditions.game.play_match(&contestants, starts, &plan, earlier, &watch)?
        }
    };
    let seconds = progress.finish().map_err(|error| Failure::work(format!("--save {error}")))?;
    let report =
        report(watch.ordered().test(), overshoot, MatchReport::new(&names, &Tally::of(&pairs)), seconds);
    print(&report, format).map_err(Failure::work)?;
    let decided = watch.ordered().test().verdict() != Verdict::Undecided;
    let finished = decided || report.plain_estimate.pairs >= plan.pairs;
    Ok(if finished { End::Finished } else { End::Stopped })
}

fn report(test: &SequentialTest, overshoot: Overshoot, plain: MatchReport, seconds: f64) -> SprtReport {
    // Copies of games are no evidence for a verdict either.
    let copies = statistics::intervals_allowed(plain.games, plain.distinct_games).err();
    let (verdict, no_verdict) = match (test.verdict(), copies) {
        (Verdict::Undecided, None) => (Verdict::Undecided, Some("the pairs do not decide yet".to_owned())),
        (verdict, None) => (verdict, None),
        (_, Some(why)) => (Verdict::Undecided, Some(why.to_string())),
    };
    SprtReport {
        hypotheses: *test.hypotheses(),
        overshoot,
        verdict,
        no_verdict,
        log_likelihood_ratio: test.log_likelihood_ratio(),
        bounds: test.bounds(),
        pairs: test.pairs().pairs(),
        pentanomial: test.pairs().counts(),
        plain_estimate: plain,
        seconds,
    }
}

impl fmt::Display for SprtReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Hypotheses { scale, elo0, elo1, alpha, beta } = self.hypotheses;
        let MatchReport { a, b, .. } = &self.plain_estimate;
        writeln!(out, "sequential test of {a} against {b}")?;
        writeln!(out, "H0: {scale} {elo0:+}, wrongly rejected with probability {alpha}")?;
        writeln!(out, "H1: {scale} {elo1:+}, wrongly rejected with probability {beta}")?;
        writeln!(out)?;
        let [lower, upper] = self.bounds;
        let verdict = match self.verdict {
            Verdict::H0 => format!("H0 accepted: {scale} is {elo0:+} rather than {elo1:+}"),
            Verdict::H1 => format!("H1 accepted: {scale} is {elo1:+} rather than {elo0:+}"),
            Verdict::Undecided => {
                format!("no verdict: {}", self.no_verdict.as_deref().unwrap_or("undecided"))
            }
        };
        writeln!(out, "{verdict}")?;
        writeln!(
            out,
            "log-likelihood ratio {:+.3} after {} pairs; H0 at {lower:.3}, H1 at {upper:.3}",
            self.log_likelihood_ratio, self.pairs
        )?;
        writeln!(out)?;
        writeln!(
            out,
            "plain estimate from all pairs; stopping when the result is clear makes it too large:"
        )?;
        write!(out, "{}", self.plain_estimate)?;
        writeln!(out, "{:.1} s", self.seconds)
    }
}

fn print(report: &SprtReport, format: Format) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    match format {
        Format::Json => {
            serde_json::to_writer(&mut out, report)?;
            writeln!(out)?;
        }
        Format::Table => write!(out, "{report}")?,
    }
    out.flush()
}
