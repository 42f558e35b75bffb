//! How games are played for training.

use crate::resignation::Resignation;
use game::starts::{StartConfig, StartSampler};
use game::{BoardGame, Fault, Faults, Play};
use serde::{Deserialize, Serialize};

/// Settings of self-play workers. What the search does inside a step is
/// [`search::SearchConfig`]'s.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SelfPlayConfig {
    /// Live games of each worker. More games fill batches better and cost memory (one search tree
    /// each).
    pub games_per_worker: usize,
    /// Most positions of a batch; at most `games_per_worker`, since a game waits for one at a time.
    pub batch_size: usize,
    /// Simulations of a turn.
    pub simulations: Simulations,
    /// How freely steps are chosen from finished searches.
    pub temperature: TemperatureSchedule,
    /// When a side gives up.
    pub resignation: Resignation,
    /// Where games start.
    pub starts: StartDistribution,
    /// Random turns before the first searched one.
    pub random_openings: RandomOpenings,
    /// Size of each worker's evaluation cache in MiB; 0: none.
    pub cache_megabytes: u32,
}

impl Default for SelfPlayConfig {
    fn default() -> SelfPlayConfig {
        SelfPlayConfig {
            games_per_worker: 192,
            batch_size: 64,
            simulations: Simulations::Always(32),
            temperature: TemperatureSchedule::default(),
            resignation: Resignation::Never,
            starts: StartDistribution::Standard,
            random_openings: RandomOpenings::default(),
            cache_megabytes: 64,
        }
    }
}

/// Simulations of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum Simulations {
    /// Every turn is searched with this number and trains the policy.
    Always(u32),
    /// Playout-cap randomisation (Wu 2020, "Accelerating Self-Play Learning in Go", section 3.1):
    /// most turns get a fast search without exploration that trains only the value.
    Mixed {
        /// Simulations of a full search.
        full: u32,
        /// Simulations of a fast search.
        fast: u32,
        /// Share of turns that get a full search, in (0, 1].
        full_share: f32,
    },
}

/// Temperature of the choice of steps, by the number of turns since the start position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TemperatureSchedule {
    /// Number of turns that `opening` is for.
    pub opening_turns: u32,
    /// Temperature in the first turns.
    pub opening: f32,
    /// Temperature afterwards; 0 plays the search's best step.
    pub later: f32,
}

impl Default for TemperatureSchedule {
    fn default() -> TemperatureSchedule {
        TemperatureSchedule { opening_turns: 16, opening: 1.0, later: 0.25 }
    }
}

impl TemperatureSchedule {
    /// The temperature after `turns` finished turns.
    pub fn at(&self, turns: u32) -> f32 {
        if turns < self.opening_turns { self.opening } else { self.later }
    }
}

/// Where games start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum StartDistribution {
    /// Always the game's standard start.
    Standard,
    /// One of these positions, each equally likely, as the game writes them.
    Positions(Vec<String>),
    /// Named starts of the game, each as often as its weight says.
    Mixture(Vec<StartConfig>),
}

impl StartDistribution {
    /// What draws the start positions.
    ///
    /// # Errors
    /// An empty list, positions that cannot be read or in which the game has ended, unknown starts and what is
    /// wrong with their files and settings, all at once.
    pub fn sampler<G: BoardGame>(&self, game: &G) -> Result<StartSampler<G::Position>, Faults> {
        let placed = |faults: Faults| {
            let place = |fault: Fault| Fault::new(format!("starts, {}", fault.place), fault.message);
            Faults(faults.0.into_iter().map(place).collect())
        };
        match self {
            StartDistribution::Standard => fixed(vec![game.start()]),
            StartDistribution::Positions(texts) => fixed(read_positions(game, texts)?),
            StartDistribution::Mixture(sources) => StartSampler::new(game, sources).map_err(placed),
        }
    }
}

fn fixed<P: Copy + Send + Sync + 'static>(positions: Vec<P>) -> Result<StartSampler<P>, Faults> {
    StartSampler::fixed(positions)
        .ok_or_else(|| Fault::new("starts", "the list of positions is empty").into())
}

/// The positions of a list, or all its faults.
fn read_positions<G: BoardGame>(game: &G, texts: &[String]) -> Result<Vec<G::Position>, Faults> {
    let mut faults = Faults::new();
    let mut positions = Vec::with_capacity(texts.len());
    for (index, text) in texts.iter().enumerate() {
        let place = format!("starts, position {}", index + 1);
        match game.read_position(text) {
            Ok(position) => match Play::new(game, position).outcome(game) {
                None => positions.push(position),
                Some(outcome) => faults.add(place, format!("the game has ended there ({})", outcome.reason)),
            },
            Err(found) => faults.0.extend(
                found
                    .0
                    .into_iter()
                    .map(|fault| Fault::new(format!("{place}, {}", fault.place), fault.message)),
            ),
        }
    }
    faults.into_result(positions)
}

/// Random turns before the first searched one, so that games differ and odd positions are judged.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RandomOpenings {
    /// Share of games that begin with random turns, in [0, 1].
    pub share: f32,
    /// Such a game gets 1 to this many turns, each number equally likely.
    pub most_turns: u32,
}

impl Default for RandomOpenings {
    fn default() -> RandomOpenings {
        RandomOpenings { share: 0.5, most_turns: 6 }
    }
}

impl SelfPlayConfig {
    /// Everything that is wrong with the numbers, each with its key; start positions are checked by
    /// [`StartDistribution::sampler`].
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut check = |fine: bool, message: String| {
            if !fine {
                faults.push(message);
            }
        };
        check(self.batch_size >= 1, "`batch_size` must be at least 1".to_owned());
        let simulations = match self.simulations {
            Simulations::Always(simulations) => simulations,
            Simulations::Mixed { full, .. } => full,
        };
        for (key, found, most) in [
            ("batch_size", self.batch_size as u64, 65_536),
            ("games_per_worker", self.games_per_worker as u64, 1 << 20),
            ("cache_megabytes", self.cache_megabytes.into(), 1 << 18),
            ("simulations", simulations.into(), 10_000_000),
            ("random_openings.most_turns", self.random_openings.most_turns.into(), 10_000),
        ] {
            check(found <= most, format!("`{key}` is {found}; it must be at most {most}"));
        }
        check(
            self.games_per_worker >= self.batch_size,
            format!(
                "`games_per_worker` is {}, less than `batch_size` ({}): a game waits for one position at a time",
                self.games_per_worker, self.batch_size
            ),
        );
        if let Simulations::Mixed { full, fast, full_share } = self.simulations {
            check(
                full_share > 0.0 && full_share <= 1.0,
                format!("`simulations.mixed.full_share` is {full_share}; it must be above 0 and at most 1"),
            );
            check(
                fast <= full,
                format!("`simulations.mixed.fast` is {fast}, more than `simulations.mixed.full` ({full})"),
            );
        }
        for (key, value) in
            [("temperature.opening", self.temperature.opening), ("temperature.later", self.temperature.later)]
        {
            check(
                value >= 0.0 && value.is_finite(),
                format!("`{key}` is {value}; it must be 0 or a positive number"),
            );
        }
        for fault in self.resignation.faults() {
            check(false, fault);
        }
        let share = self.random_openings.share;
        check(
            (0.0..=1.0).contains(&share),
            format!("`random_openings.share` is {share}; it must be between 0 and 1"),
        );
        check(
            share == 0.0 || self.random_openings.most_turns >= 1,
            "`random_openings.most_turns` is 0; set `random_openings.share` to 0 for games without random turns"
                .to_owned(),
        );
        faults
    }

    /// Bytes of the cache of one worker.
    pub fn cache_bytes(&self) -> usize {
        self.cache_megabytes as usize * (1 << 20)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::starts::StartSides;

    #[test]
    fn the_default_has_no_faults_and_survives_toml() {
        let config = SelfPlayConfig::default();
        assert_eq!(config.faults(), Vec::<String>::new());
        let text = toml::to_string(&config).expect("plain data");
        assert_eq!(toml::from_str::<SelfPlayConfig>(&text).expect("just written"), config);
    }

    #[test]
    fn enums_read_as_words_and_tables() {
        let config: SelfPlayConfig = toml::from_str(
            "starts = { positions = ['a', 'b'] }\n[simulations.mixed]\nfull = 64\nfast = 8\nfull_share = 0.25",
        )
        .expect("good");
        assert_eq!(config.starts, StartDistribution::Positions(vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!(config.simulations, Simulations::Mixed { full: 64, fast: 8, full_share: 0.25 });
        let config: SelfPlayConfig =
            toml::from_str("[[starts.mixture]]\nkind = 'free-prior'\nweight = 2\nsides = 'one'\n[starts.mixture.settings]\nother_stacks = 3\n[[starts.mixture]]\nkind = 'standard'")
                .expect("good");
        let StartDistribution::Mixture(sources) = &config.starts else { panic!("{config:?}") };
        assert_eq!(
            (sources[0].weight, sources[0].sides, sources[0].settings.len()),
            (2.0, StartSides::One, 1)
        );
        assert_eq!(sources[1], StartConfig::named("standard"));
        let text = toml::to_string(&config).expect("plain data");
        assert_eq!(toml::from_str::<SelfPlayConfig>(&text).expect("just written"), config);
        let config: SelfPlayConfig =
            toml::from_str("starts = 'standard'\nsimulations = { always = 5 }").expect("good");
        assert_eq!(config.simulations, Simulations::Always(5));
    }

    #[test]
    fn unknown_keys_are_refused_at_every_depth() {
        for text in [
            "games = 3",
            "[simulations.mixed]\nfull = 64\nfast = 8\nfull_share = 0.25\nslow = 1",
            "[temperature]\nopening_plies = 3",
            "[random_openings]\nmost_steps = 3",
            "[[starts.mixture]]\nkind = 'standard'\nfiles = 'x'",
        ] {
            assert!(toml::from_str::<SelfPlayConfig>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn all_faults_are_named_at_once() {
        let config = SelfPlayConfig {
            games_per_worker: 0,
            batch_size: 0,
            simulations: Simulations::Mixed { full: 2, fast: 3, full_share: 0.0 },
            temperature: TemperatureSchedule { opening_turns: 1, opening: f32::NAN, later: -1.0 },
            random_openings: RandomOpenings { share: 2.0, most_turns: 0 },
            ..SelfPlayConfig::default()
        };
        let faults = config.faults().join("\n");
        for key in [
            "`batch_size`",
            "full_share",
            "mixed.fast",
            "temperature.opening",
            "temperature.later",
            "openings.share",
            "most_turns",
        ] {
            assert!(faults.contains(key), "{key} is not in\n{faults}");
        }
    }

    /// Memory is taken for as many games and rows as are asked for.
    #[test]
    fn numbers_beyond_reason_are_refused() {
        let most = SelfPlayConfig {
            games_per_worker: usize::MAX,
            batch_size: usize::MAX,
            simulations: Simulations::Always(u32::MAX),
            cache_megabytes: u32::MAX,
            random_openings: RandomOpenings { share: 0.5, most_turns: u32::MAX },
            ..SelfPlayConfig::default()
        };
        assert_eq!(most.faults().len(), 5, "{:?}", most.faults());
    }

    #[test]
    fn the_temperature_falls_after_the_opening() {
        let schedule = TemperatureSchedule { opening_turns: 2, opening: 1.0, later: 0.5 };
        assert_eq!([0, 1, 2, 9].map(|turns| schedule.at(turns)), [1.0, 1.0, 0.5, 0.5]);
    }
}
