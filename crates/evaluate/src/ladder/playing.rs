//! Playing a ladder: one block of pairs after another, until a limit is reached or nothing is left.

use super::progress::LadderProgress;
use super::request::LadderRequest;
use crate::arguments::{Economy, LadderArguments};
use crate::failure::{End, Failure};
use crate::interrupt::Interrupt;
use ::ladder::{Costs, League, Next, Rated, Schedule, Times, pairs_path, schedule};
use arena::matches::{MatchError, MatchPlan, Stop};
use pairs::{Pair, PairFile};
use statistics::rating::Couple;
use std::path::Path;
use std::time::{Duration, Instant};

/// A ladder after it was played.
pub struct Played {
    /// Everybody and all pairs.
    pub league: League,
    /// The ratings.
    pub rated: Option<Rated>,
    /// Whether Ctrl-C ended it.
    pub end: End,
    /// Engines that failed for good and were left out from then on, a line each.
    pub lost: Vec<String>,
}

/// A ladder that is played.
struct Playing<'a> {
    request: &'a mut LadderRequest,
    league: League,
    times: Times,
    schedule: Schedule,
    economy: Economy,
    progress: LadderProgress<'a>,
    lost: Vec<String>,
}

/// Plays until a limit is reached, nothing is left or Ctrl-C asks for an end.
///
/// # Errors
/// Files that cannot be written, networks that fail.
pub fn play(
    request: &mut LadderRequest,
    arguments: &LadderArguments,
    interrupt: &Interrupt,
) -> Result<Played, Failure> {
    let time = arguments.minutes.map(|minutes| Duration::from_secs_f64(60.0 * minutes));
    let deadline = time.and_then(|time| Instant::now().checked_add(time));
    let league = std::mem::take(&mut request.league);
    let schedule = Schedule {
        playable: (0..league.players.len()).map(|player| player < request.players.len()).collect(),
        block: arguments.block,
        most_pairs: request.most_pairs,
        economy: schedule::Economy::Pairs,
    };
    let times = Times::read(&request.directory).map_err(Failure::input)?;
    let progress = LadderProgress::new(request.pairs, deadline, interrupt);
    let economy = arguments.economy();
    let mut playing = Playing { request, league, times, schedule, economy, progress, lost: Vec::new() };
    let mut played = 0;
    loop {
        let rated = Rated::of(&playing.league).map_err(Failure::work)?;
        playing.progress.standing(&playing.league, rated.as_ref());
        let narrow = |width: f64| {
            let all = rated.as_ref().filter(|rated| rated.players.len() == playing.league.players.len());
            all.is_some_and(|rated| rated.widest() <= width)
        };
        let enough = played >= playing.request.pairs
            || deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || arguments.width.is_some_and(narrow);
        let next = if enough { None } else { playing.next(rated.as_ref()) };
        let stopped = interrupt.stop() != Stop::GoOn;
        let Some(next) = next.filter(|_| !stopped) else {
            playing.progress.finish();
            let end = if stopped && !enough { End::Stopped } else { End::Finished };
            let Playing { league, lost, .. } = playing;
            return Ok(Played { league, rated, end, lost });
        };
        let pairs = next.pairs.min(playing.request.pairs - played);
        played += playing.block(Next { pairs, ..next })?;
    }
}

impl Playing<'_> {
    /// The next block.
    fn next(&mut self, rated: Option<&Rated>) -> Option<Next> {
        if self.economy == Economy::Time {
            self.schedule.economy = schedule::Economy::Time(Costs::new(&self.league, &self.times));
        }
        self.schedule.next(&self.league, rated)
    }

    /// Plays some pairs of two players and enters them; how many there were.
    fn block(&mut self, next: Next) -> Result<u64, Failure> {
        // Two players have one file, whoever was named first when it was begun.
        let theirs = |players: [usize; 2]| Couple::new(players[0], players[1]) == next.couple;
        let known = self.league.matches.iter().position(|one| theirs(one.players));
        let players =
            known.map_or([next.couple.a, next.couple.b], |known| self.league.matches[known].players);
        let header =
            self.request.conditions.header(players.map(|player| self.league.players[player].clone()));
        let path = match known {
            Some(known) => self.league.matches[known].path.clone(),
            None => pairs_path(&self.request.directory, header.players.each_ref()),
        };
        let (file, record) = PairFile::open(&path, &header)?;
        let known_pairs = record.pairs.len() as u64;
        let contestants = self.request.contestants(players)?;
        let conditions = &self.request.conditions;
        let plan = MatchPlan { pairs: known_pairs + next.pairs, ..conditions.plan.clone() };
        self.progress.begin(
            players.map(|player| self.league.players[player].name.as_str()),
            file,
            known_pairs,
        );
        let begin = Instant::now();
        let starts = conditions.starts.as_deref();
        let result = conditions.game.play_match(&contestants, starts, &plan, record.pairs, &self.progress);
        let seconds = begin.elapsed().as_secs_f64() * plan.threads.min(next.pairs as usize) as f64;
        self.progress.end()?;
        let pairs = match result {
            Ok(pairs) => pairs,
            Err(MatchError::Engine { side, name, fault } | MatchError::EngineGone { side, name, fault }) => {
                self.schedule.playable[players[side]] = false;
                let line = format!("engine `{name}` is left out from now on: {fault}");
                self.progress.tell(&line);
                self.lost.push(line);
                // What was played before it failed is in the file.
                kept(&path)?
            }
            Err(error) => return Err(error.into()),
        };
        let new = pairs.len() as u64 - known_pairs;
        if new > 0 {
            self.times.add(&path, new, seconds);
            self.times
                .write(&self.request.directory)
                .map_err(|error| Failure::path(&self.request.directory, &error))?;
        }
        match known {
            Some(known) => self.league.matches[known].pairs = pairs,
            None => self.league.add(path, header, pairs)?,
        }
        Ok(new)
    }
}

/// The pairs of a file, in which there may be none yet.
fn kept(path: &Path) -> Result<Vec<Pair>, Failure> {
    let empty = std::fs::metadata(path).is_ok_and(|file| file.len() == 0);
    if empty { Ok(Vec::new()) } else { Ok(pairs::read(path)?.pairs) }
}
