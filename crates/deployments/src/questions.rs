//! A question in a minute: how good is this set-up, this one against that one, what beats it, what if.

use crate::archive::Archive;
use crate::change::Change;
use crate::config::Config;
use crate::descriptors::Descriptors;
use crate::named::Named;
use crate::oracle::{Hunt, reply};
use crate::race::Played;
use crate::record::Record;
use crate::session::Session;
use crate::study::{StudyError, results};
use crate::table::{Judge, Seat, Table};
use commander::{Commander, Deployment};
use pairs::Pair;
use serde::Serialize;
use statistics::interval::student_quantile_975;
use statistics::{Interval, Intervals, MissingInterval, Pentanomial, intervals_allowed};

/// Answers questions about single set-ups. Nothing is kept.
pub struct Questions<'a> {
    game: &'a Commander,
    config: Config,
    seat: Seat,
    session: Session<'a>,
}

/// A score with what it rests on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Score {
    /// Mean score of a game, from 0 to 1; `None` without pairs.
    pub score: Option<f64>,
    /// Its 95 % interval; `None` where fewer than nine of ten games are distinct.
    pub interval: Option<Interval>,
    /// Why there is no interval.
    pub no_interval: Option<String>,
    /// Pairs by what they brought: 0, ½, 1, 1½ and 2 points.
    pub pentanomial: [u64; 5],
    /// Games that were not played because the rules declare their start void; they count ½.
    pub void_games: u64,
}

/// A set-up against one of a panel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Against {
    /// The opponent.
    pub opponent: String,
    /// The network's expected score; `None` without a network.
    pub value: Option<f64>,
    /// What games say.
    pub games: Score,
}

/// How good a set-up is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// Its line.
    pub set_up: String,
    /// What describes it.
    pub descriptors: Descriptors,
    /// The network's mean expected score against the panel; `None` without a network.
    pub value: Option<f64>,
    /// What all games say.
    pub games: Score,
    /// Against each of the panel.
    pub against: Vec<Against>,
}

/// What replies to a set-up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Counter {
    /// The reply's line.
    pub set_up: String,
    /// Replies that played.
    pub tried: u64,
    /// Its score over ½ in pairs that had no part in choosing it.
    pub gain: f64,
    /// Of the gain.
    pub interval: Interval,
    /// Those pairs.
    pub pairs: u64,
}

/// What a change of a set-up does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WhatIf {
    /// The change.
    pub change: Change,
    /// The changed set-up's line.
    pub set_up: String,
    /// What describes it before and after.
    pub descriptors: [Descriptors; 2],
    /// The network's values against the panel, before and after.
    pub values: Option<[f64; 2]>,
    /// Scores against the panel, before and after.
    pub games: [Score; 2],
    /// Mean difference of the scores of pairs against the same opponents.
    pub difference: f64,
    /// Its 95 % interval.
    pub interval: Interval,
}

impl Score {
    fn of(pairs: &[Pair]) -> Score {
        let (pentanomial, void_games) = results(pairs);
        let played: Vec<_> =
            pairs.iter().flat_map(|pair| &pair.games).filter(|game| !game.is_void()).collect();
        let distinct: std::collections::HashSet<[u8; 32]> =
            played.iter().map(|game| game.fingerprint()).collect();
        // Where all is void the score is certain, not unknown.
        let allowed = match (played.is_empty(), pairs.is_empty()) {
            (true, false) => Ok(()),
            _ => intervals_allowed(played.len() as u64, distinct.len() as u64),
        };
        let interval = |pentanomial: Pentanomial| match played.is_empty() {
            true => Interval { low: 0.5, high: 0.5 },
            false => Intervals::of(pentanomial).score,
        };
        Score {
            score: pentanomial.score(),
            interval: allowed.ok().map(|()| interval(pentanomial)),
            no_interval: allowed.err().map(|why: MissingInterval| why.to_string()),
            pentanomial: pentanomial.counts(),
            void_games,
        }
    }
}

impl<'a> Questions<'a> {
    /// Questions to a table and, where there is a network, to a judge. Of the config the seed, the oracle and
    /// the numbers of the matrix's player count.
    pub fn new(
        game: &'a Commander,
        config: Config,
        table: &'a dyn Table,
        judge: Option<&'a dyn Judge>,
        say: &'a dyn Fn(&str),
    ) -> Questions<'a> {
        let session = Session::new(game, table, judge, Record::in_memory(), say);
        let seat = Seat { player: 0, simulations: config.matrix.simulations };
        Questions { game, config, seat, session }
    }

    /// How good a set-up is against a panel: values, and about so many pairs shared out evenly.
    ///
    /// # Errors
    /// As for a study.
    pub fn score(&mut self, set_up: &Deployment, panel: &[Named], pairs: u64) -> Result<Rating, StudyError> {
        let each = pairs.div_ceil(panel.len().max(1) as u64).max(1) as usize;
        let sides = panel
            .iter()
            .flat_map(|one| std::iter::repeat_n([set_up.clone(), one.deployment.clone()], each))
            .collect();
        let played = self.session.play(self.seat, sides)?;
        let mut against = Vec::new();
        for (one, pairs) in panel.iter().zip(played.chunks(each)) {
            let value = self.value(&one.name, set_up, &[(1.0, one.deployment.clone())])?;
            against.push(Against { opponent: one.name.clone(), value, games: Score::of(pairs) });
        }
        let values: Option<Vec<f64>> = against.iter().map(|one| one.value).collect();
        Ok(Rating {
            set_up: set_up.to_string(),
            descriptors: Descriptors::of(set_up),
            value: values.map(|values| values.iter().sum::<f64>() / values.len().max(1) as f64),
            games: Score::of(&played),
            against,
        })
    }

    /// One set-up against another.
    ///
    /// # Errors
    /// As for a study.
    pub fn duel(&mut self, one: &Deployment, other: &Deployment, pairs: u64) -> Result<Score, StudyError> {
        let sides = std::iter::repeat_n([one.clone(), other.clone()], pairs as usize).collect();
        Ok(Score::of(&self.session.play(self.seat, sides)?))
    }

    /// The best reply to a set-up that is found, hand-made ones among those tried; `None` where none could be
    /// tried.
    ///
    /// # Errors
    /// As for a study.
    pub fn counter(&mut self, set_up: &Deployment, named: &[Named]) -> Result<Option<Counter>, StudyError> {
        let mut archive = Archive::default();
        for one in named {
            archive.show(0.5, &one.deployment);
        }
        let hunt = Hunt {
            config: &self.config,
            known: [set_up.to_string()].into(),
            mixture: vec![(1.0, set_up.clone())],
            archive: &archive,
            proposals: Vec::new(),
            number: 1,
        };
        let found = reply(&mut self.session, hunt, &mut Played::new())?;
        Ok(found.map(|found| Counter {
            set_up: found.round.set_up,
            tried: found.round.tried,
            gain: found.round.gain,
            interval: found.round.interval,
            pairs: found.round.pairs,
        }))
    }

    /// What a change does to a set-up's score against a panel; both meet the same opponents equally often.
    /// `None` where the change is not legal.
    ///
    /// # Errors
    /// As for a study.
    pub fn what_if(
        &mut self,
        set_up: &Deployment,
        change: Change,
        panel: &[Named],
        pairs: u64,
    ) -> Result<Option<WhatIf>, StudyError> {
        let Some(changed) = change.apply(self.game, set_up) else { return Ok(None) };
        let each = pairs.div_ceil(panel.len().max(1) as u64).max(1) as usize;
        let mut games = Vec::new();
        let mut values = Vec::new();
        let opponents: Vec<(f64, Deployment)> =
            panel.iter().map(|one| (1.0, one.deployment.clone())).collect();
        for own in [set_up, &changed] {
            let sides = panel
                .iter()
                .flat_map(|one| std::iter::repeat_n([own.clone(), one.deployment.clone()], each))
                .collect();
            games.push(self.session.play(self.seat, sides)?);
            values.extend(self.value("panel", own, &opponents)?);
        }
        let points = |pair: &Pair| pair.half_points() as f64 / 4.0;
        let differences: Vec<f64> =
            games[0].iter().zip(&games[1]).map(|(before, after)| points(after) - points(before)).collect();
        let number = differences.len() as f64;
        let difference = differences.iter().sum::<f64>() / number;
        let squares: f64 = differences.iter().map(|one| (one - difference).powi(2)).sum();
        let error = (squares / (number - 1.0).max(1.0) / number).sqrt();
        let half = student_quantile_975((number - 1.0).max(1.0)) * error;
        Ok(Some(WhatIf {
            change,
            descriptors: [set_up, &changed].map(Descriptors::of),
            set_up: changed.to_string(),
            values: <[f64; 2]>::try_from(values).ok(),
            games: [Score::of(&games[0]), Score::of(&games[1])],
            difference,
            interval: Interval { low: difference - half, high: difference + half },
        }))
    }

    fn value(
        &mut self,
        panel: &str,
        set_up: &Deployment,
        opponents: &[(f64, Deployment)],
    ) -> Result<Option<f64>, StudyError> {
        let found = self.session.values(panel, std::slice::from_ref(set_up), opponents)?;
        Ok(found.and_then(|values| values.first().copied()))
    }
}
