//! The newest games as training samples in memory.

use crate::TrainBatch;
use crate::auxiliary::AuxiliaryHead;
use crate::searched_policy::SearchedPolicy;
use crate::targets::{MOST_DRAWS, Searched, TargetConfig, Targets};
use crate::window_size::WindowSize;
use game::record::{GameRecord, outcome, replay};
use game::{BoardGame, Fault, PlanesMut, Play, StepCode};
use rand::Rng;
use std::collections::VecDeque;

/// The replay window: samples of the newest games, one a searched step.
///
/// Positions are kept as they are, policies as (step code, weight) pairs; planes and policy cells are
/// made when a batch is drawn. Games enter by replay, so that nothing illegal gets in, and leave
/// oldest first as whole games.
#[derive(Clone, Debug)]
pub struct Window<G: BoardGame> {
    game: G,
    size: WindowSize,
    auxiliary: Vec<AuxiliaryHead>,
    games: VecDeque<WindowGame<G>>,
    /// For each game the number of samples that ever entered up to its end.
    ends: VecDeque<u64>,
    entered: u64,
    bytes: usize,
    steps: Vec<G::Step>,
}

#[derive(Clone, Debug)]
struct WindowGame<G: BoardGame> {
    id: u64,
    samples: Box<[Sample<G::Position>]>,
    /// Policies of all samples, one after the other.
    policy: Box<[(StepCode, u16)]>,
    targets: Targets,
    end: G::Position,
    /// Turns of the whole game.
    turns: u32,
    /// Mean surprise of the samples whose policy may be learned, in 1/1000 nat.
    mean_surprise: f32,
}

#[derive(Clone, Copy, Debug)]
struct Sample<P> {
    position: P,
    /// Index of the step in the game.
    step: u32,
    /// Turns finished before it.
    turn: u32,
    /// Where its policy ends in the game's list.
    policy_end: u32,
    /// Win and loss after the search, in 1/65535, for the side to move.
    win: u16,
    loss: u16,
    /// Divergence of the search's policy from the prior, in 1/1000 nat.
    surprise: u16,
    /// Whether its policy may be learned.
    full: bool,
}

impl<G: BoardGame> Window<G> {
    /// An empty window.
    pub fn new(game: G, size: WindowSize) -> Window<G> {
        Window {
            game,
            size,
            auxiliary: Vec::new(),
            games: VecDeque::new(),
            ends: VecDeque::new(),
            entered: 0,
            bytes: 0,
            steps: Vec::new(),
        }
    }

    /// The window with targets of these heads in its batches.
    #[must_use]
    pub fn with_auxiliary(mut self, heads: &[AuxiliaryHead]) -> Window<G> {
        self.auxiliary = heads.to_vec();
        self
    }

    /// Adds a finished game and drops the oldest ones that no longer fit; returns the number of its
    /// samples.
    ///
    /// # Errors
    /// A game that its rules do not confirm: the fault names the game and the step. Nothing has
    /// changed then.
    pub fn insert(&mut self, record: &GameRecord) -> Result<usize, Fault> {
        let entry = WindowGame::new(&self.game, record)?;
        let samples = entry.samples.len();
        if samples > 0 {
            self.bytes += entry.bytes();
            self.entered += samples as u64;
            self.games.push_back(entry);
            self.ends.push_back(self.entered);
        }
        let most = self.size.samples(self.entered);
        while let Some(oldest) = self.games.front() {
            if self.len() - (oldest.samples.len() as u64) < most {
                break;
            }
            self.bytes -= oldest.bytes();
            self.games.pop_front();
            self.ends.pop_front();
        }
        Ok(samples)
    }

    /// Tells an empty window how many samples an earlier process has seen, so that its size goes on
    /// where it was; the games are then inserted again, oldest first. `entered` is what
    /// [`Window::entered`] said, `games` those that are to be inserted.
    pub fn resume(&mut self, entered: u64, games: &[GameRecord]) {
        let again: u64 = games.iter().map(|game| crate::searched_steps(game) as u64).sum();
        self.entered = entered.saturating_sub(again);
    }

    /// Samples in the window.
    pub fn len(&self) -> u64 {
        self.entered - self.first()
    }

    /// Whether the window has no samples.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Samples that ever entered, those of earlier processes included.
    pub fn entered(&self) -> u64 {
        self.entered
    }

    /// Samples that the window may hold now.
    pub fn capacity(&self) -> u64 {
        self.size.samples(self.entered)
    }

    /// Games in the window.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// Numbers of the oldest and the newest game.
    pub fn span(&self) -> Option<(u64, u64)> {
        Some((self.games.front()?.id, self.games.back()?.id))
    }

    /// Bytes that the samples hold, a close estimate.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Fills `batch` with `rows` samples drawn with replacement, uniformly but for
    /// [`TargetConfig::surprise_share`], each under a random symmetry of the game. All draws come from `random`: the same stream gives the same batch.
    /// From an empty window it makes an empty batch.
    pub fn draw(
        &mut self,
        config: &TargetConfig,
        rows: usize,
        random: &mut impl Rng,
        batch: &mut TrainBatch,
    ) {
        batch.clear();
        if self.is_empty() {
            return;
        }
        for _ in 0..rows {
            let number = self.draw_number(config, random);
            let symmetry = match self.game.symmetries() {
                0 | 1 => 0,
                count => random.random_range(0..count),
            };
            self.push(config, number, symmetry, batch);
        }
    }

    /// Adds every sample of a game, in order and without symmetry, to `batch`: for looking at what a
    /// game teaches. Returns false for a game that is not in the window.
    pub fn game_samples(&mut self, config: &TargetConfig, id: u64, batch: &mut TrainBatch) -> bool {
        let Some(index) = self.games.iter().position(|game| game.id == id) else { return false };
        let end = self.ends[index];
        for number in end - self.games[index].samples.len() as u64..end {
            self.push(config, number, 0, batch);
        }
        true
    }

    /// Number of a drawn sample. By rejection, which needs no table of weights that every new game and
    /// every other share would change: the mean weight is 1, so that about [`MOST_DRAWS`] tries are enough.
    fn draw_number(&self, config: &TargetConfig, random: &mut impl Rng) -> u64 {
        loop {
            let number = random.random_range(self.first()..self.entered);
            if config.surprise_share == 0.0 {
                return number;
            }
            let (index, place) = self.find(number);
            let entry = &self.games[index];
            let sample = &entry.samples[place];
            let draws = if sample.full { config.draws(sample.surprise, entry.mean_surprise) } else { 1.0 };
            if random.random::<f32>() * MOST_DRAWS < draws {
                return number;
            }
        }
    }

    /// The game of the sample of that number, counted from the oldest, and the sample's place in it.
    fn find(&self, number: u64) -> (usize, usize) {
        let index = self.ends.partition_point(|&end| end <= number);
        (index, self.games[index].samples.len() - (self.ends[index] - number) as usize)
    }

    /// Number of the oldest sample.
    fn first(&self) -> u64 {
        match (self.games.front(), self.ends.front()) {
            (Some(game), Some(&end)) => end - game.samples.len() as u64,
            _ => self.entered,
        }
    }

    /// Adds the sample of that number.
    fn push(&mut self, config: &TargetConfig, number: u64, symmetry: usize, batch: &mut TrainBatch) {
        let (index, place) = self.find(number);
        let entry = &self.games[index];
        let sample = &entry.samples[place];
        let game = &self.game;
        let position = &sample.position;

        let transformed = game.transform(position, symmetry);
        let shape = game.plane_shape();
        let start = batch.planes.len();
        batch.planes.resize(start + shape.len(), 0.0);
        game.write_planes(&transformed, &mut PlanesMut::new(shape, &mut batch.planes[start..]));

        let searched = entry.searched(place);
        let (cells, targets) = (&mut batch.cells, &mut batch.policy_target);
        searched.write(game, &transformed, symmetry, &mut self.steps, cells, targets);
        batch.step_ends.push(batch.policy_target.len() as u32);
        batch.policy_weight.push(if sample.full { 1.0 } else { 0.0 });

        for head in &self.auxiliary {
            let targets = &mut batch.auxiliary;
            match head {
                AuxiliaryHead::TurnsLeft => targets.push_turns_left(entry.turns - sample.turn),
                AuxiliaryHead::Reply => {
                    targets.push_reply(game, entry.reply_to(game, place), symmetry, &mut self.steps);
                }
                AuxiliaryHead::Owners => targets.push_owners(game, position, &entry.end, symmetry),
            }
        }

        let mover = game.mover(position);
        let searches = entry.samples[place..].iter().map(|sample| Searched {
            mover: game.mover(&sample.position),
            win: sample.win,
            loss: sample.loss,
        });
        batch.wdl_target.push(entry.targets.wdl(config, mover, searches));
        batch.margin_target.push(entry.targets.margin(mover));
        batch.ids.push(TrainBatch::sample_id(entry.id, sample.step as usize));
    }
}

impl<G: BoardGame> WindowGame<G> {
    fn new(game: &G, record: &GameRecord) -> Result<WindowGame<G>, Fault> {
        let mut samples = Vec::new();
        let mut policy = Vec::new();
        let mut step = 0;
        let mut turn = 0;
        let mut last = None;
        let end: Play<G> = replay(game, record, |play, _, step_record| {
            turn += u32::from(step > 0 && !game.mid_turn(&play.position));
            if let Some(search) = &step_record.search {
                policy.extend_from_slice(&search.policy);
                samples.push(Sample {
                    position: play.position,
                    step,
                    turn,
                    policy_end: policy.len() as u32,
                    win: search.win,
                    loss: search.loss,
                    surprise: search.surprise,
                    full: search.full,
                });
                last = Some(search.wdl().to_first(game.mover(&play.position)));
            }
            step += 1;
        })?;
        // `replay` has checked that the game has ended.
        let outcome = outcome(game, record, &end);
        let full = || samples.iter().filter(|sample| sample.full);
        let surprise: f32 = full().map(|sample| f32::from(sample.surprise)).sum();
        Ok(WindowGame {
            mean_surprise: surprise / full().count().max(1) as f32,
            id: record.id,
            samples: samples.into_boxed_slice(),
            policy: policy.into_boxed_slice(),
            // The last turn was not counted: it has ended, or the game within it.
            turns: turn + 1,
            end: end.position,
            targets: Targets::new(outcome, last, record.points, game.margin_unit()),
        })
    }

    /// Position and policy of a sample.
    fn searched(&self, place: usize) -> SearchedPolicy<'_, G::Position> {
        let start = if place == 0 { 0 } else { self.samples[place - 1].policy_end as usize };
        let Sample { position, policy_end, .. } = &self.samples[place];
        SearchedPolicy { position, policy: &self.policy[start..*policy_end as usize] }
    }

    /// The other side's next sample after a sample: its position and policy.
    fn reply_to(&self, game: &G, place: usize) -> Option<SearchedPolicy<'_, G::Position>> {
        let mover = game.mover(&self.samples[place].position);
        let later = self.samples[place + 1..].iter();
        let distance = later.into_iter().position(|sample| game.mover(&sample.position) != mover)?;
        Some(self.searched(place + 1 + distance))
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
            + size_of::<u64>()
            + size_of_val::<[Sample<G::Position>]>(&self.samples)
            + size_of_val::<[(StepCode, u16)]>(&self.policy)
    }
}
