//! `rules setup sample` and `rules setup count`.

use super::arguments::{Count, Sample};
use super::{open_commander, pairs, sampler, void_words};
use crate::commands::{answer, lines};
use crate::failure::Failure;
use commander::deployment::VoidTally;
use game::Notation;
use game::random::{Purpose, stream};
use serde::Serialize;

#[derive(Serialize)]
struct SampleAnswer {
    #[serde(skip_serializing_if = "Option::is_none")]
    setups: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<Vec<PairAnswer>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    void: Option<VoidAnswer>,
}

#[derive(Serialize)]
struct PairAnswer {
    red: String,
    blue: String,
    fen: String,
}

#[derive(Serialize)]
struct VoidAnswer {
    exposed: u32,
    takeable: u32,
    over: u32,
    share: f64,
}

impl VoidAnswer {
    fn new(void: VoidTally, good: u64) -> VoidAnswer {
        let VoidTally { exposed, takeable, over } = void;
        let all = good as f64 + f64::from(void.total());
        VoidAnswer { exposed, takeable, over, share: f64::from(void.total()) / all.max(1.0) }
    }
}

/// Draws set-ups, or pairs.
pub fn run(sample: &Sample) -> Result<String, Failure> {
    let game = open_commander(&sample.common)?;
    let random = |number| stream(sample.seed, Purpose::Opening, &[number]);
    if !sample.pairs {
        let sampler = sampler(&game, sample.prior.as_ref())?;
        let setups: Vec<String> =
            (0..sample.count).map(|number| sampler.draw(&mut random(number)).to_string()).collect();
        let value = SampleAnswer { setups: Some(setups), pairs: None, void: None };
        return answer(&sample.common, &value, || lines(value.setups.iter().flatten()));
    }
    let supply = pairs(&game, sample.prior.as_ref())?;
    let mut void = VoidTally::default();
    let mut drawn = Vec::new();
    for number in 0..sample.count {
        let pair = supply.draw(&mut random(number));
        void += pair.void;
        let [red, blue] = pair.sides.map(|deployment| deployment.to_string());
        drawn.push(PairAnswer { red, blue, fen: game.write_position(&pair.position) });
    }
    let told = void_words(void, sample.count);
    let value =
        SampleAnswer { setups: None, pairs: Some(drawn), void: Some(VoidAnswer::new(void, sample.count)) };
    answer(&sample.common, &value, || {
        let mut text = lines(value.pairs.iter().flatten().map(|pair| &pair.fen));
        // A comment, so that the positions can be read as a file of starts.
        text.push_str(&format!("# {told}\n"));
        text
    })
}

#[derive(Serialize)]
struct CountAnswer {
    /// In digits, since JSON's readers have no such numbers.
    setups: String,
    log2: f64,
    void: VoidAnswer,
}

/// Counts set-ups and measures void pairs.
pub fn run_count(count: &Count) -> Result<String, Failure> {
    let game = open_commander(&count.common)?;
    let uniform = sampler(&game, None)?;
    let supply = pairs(&game, count.prior.as_ref())?;
    let mut void = VoidTally::default();
    for number in 0..count.pairs {
        void += supply.draw(&mut stream(count.seed, Purpose::Opening, &[number])).void;
    }
    let (setups, log2) = (uniform.space().count(), uniform.space().bits());
    let value = CountAnswer { setups: setups.to_string(), log2, void: VoidAnswer::new(void, count.pairs) };
    answer(&count.common, &value, || {
        let log10 = log2 * 2f64.log10();
        format!(
            "{setups} set-ups of one side (10^{log10:.3}, 2^{log2:.3})\n{}\n",
            void_words(void, count.pairs)
        )
    })
}
