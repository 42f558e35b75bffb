//! Drawing from one source or a mixture of several.

use super::config::StartConfig;
use super::kind::StartKind;
use super::source::{DrawnStart, FixedStarts, StartRequest, StartSource};
use crate::{Fault, Faults, Game};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::fmt;

/// Start positions from weighted sources.
///
/// ```text
/// let sampler = StartSampler::new(&game, &[StartConfig::named("free-uniform")])?;
/// let start = sampler.draw(&mut stream(seed, Purpose::Opening, &[pair])).position;
/// ```
pub struct StartSampler<P> {
    /// Sources, each with the sum of the weights up to it.
    sources: Vec<(f64, Box<dyn StartSource<P>>)>,
}

impl<P> fmt::Debug for StartSampler<P> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sums: Vec<f64> = self.sources.iter().map(|(sum, _)| *sum).collect();
        formatter.debug_struct("StartSampler").field("sums", &sums).finish()
    }
}

impl<P: Copy + Send + Sync + 'static> StartSampler<P> {
    /// A mixture of sources. A kind that the game lists is asked of the game, `standard` is known here.
    ///
    /// # Errors
    /// No sources, and everything that is wrong with each: its place is `source N, …`.
    pub fn new<G: Game<Position = P>>(game: &G, configs: &[StartConfig]) -> Result<StartSampler<P>, Faults> {
        let mut faults = Faults::new();
        let mut sources = Vec::with_capacity(configs.len());
        let mut sum = 0.0;
        if configs.is_empty() {
            faults.add("sources", "there are none, expected at least one, such as { kind = \"standard\" }");
        }
        for (index, config) in configs.iter().enumerate() {
            sum += config.weight;
            match source(game, config) {
                Ok(source) => sources.push((sum, source)),
                Err(found) => faults.0.extend(found.0.into_iter().map(|fault| {
                    Fault::new(format!("source {}, {}", index + 1, fault.place), fault.message)
                })),
            }
        }
        faults.into_result(StartSampler { sources })
    }

    /// Given positions, each equally likely; `None` where there are none.
    pub fn fixed(positions: Vec<P>) -> Option<StartSampler<P>> {
        let source: Box<dyn StartSource<P>> = Box::new(FixedStarts::new(positions)?);
        Some(StartSampler { sources: vec![(1.0, source)] })
    }

    /// Draws a source by weight, and a start position from it.
    pub fn draw(&self, random: &mut ChaCha8Rng) -> DrawnStart<P> {
        let last = self.sources.len() - 1;
        let index = match last {
            0 => 0,
            _ => {
                let drawn = random.random::<f64>() * self.sources[last].0;
                self.sources.iter().position(|(sum, _)| drawn < *sum).unwrap_or(last)
            }
        };
        self.sources[index].1.draw(random)
    }
}

fn source<G: Game>(game: &G, config: &StartConfig) -> Result<Box<dyn StartSource<G::Position>>, Faults> {
    let kind = config.kind_among(G::start_kinds(), G::NAME)?;
    if kind.name == StartKind::STANDARD.name {
        return Ok(Box::new(FixedStarts::one(game.start())));
    }
    let list = config.list()?;
    let request =
        StartRequest { kind: kind.name, sides: config.sides, list: &list, settings: &config.settings };
    game.start_source(&request).map_err(|faults| match &config.file {
        // What is wrong with a line is found in the file.
        Some(path) => Faults(
            faults
                .0
                .into_iter()
                .map(|fault| match fault.place.starts_with("line ") {
                    true => Fault::new(format!("file {}, {}", path.display(), fault.place), fault.message),
                    false => fault,
                })
                .collect(),
        ),
        None => faults,
    })
}
