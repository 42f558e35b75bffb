//! The one list of games. Programs open a game by name and work with it through [`AnyGame`]; generic
//! code that needs the type itself is handed in as a [`WithGame`].

use crate::duel::DuelSession;
use crate::inspection::InspectionSession;
use crate::judge_session::JudgeSession;
use crate::learning::LearningGame;
use crate::matches::MatchSession;
use crate::rules_session::RulesSession;
use crate::thinking::ThinkingSession;
use crate::written_session::WrittenSession;
use game::options::{OptionError, Options, rules_from};
use game::{BoardGame, PlaneShape, PolicyShape};
use serde::Serialize;

/// A game with its rules fixed, for programs that know it by name only. Calls are made per game,
/// batch or question, never per step. Every game is one.
pub trait AnyGame:
    RulesSession
    + JudgeSession
    + WrittenSession
    + MatchSession
    + LearningGame
    + InspectionSession
    + DuelSession
    + ThinkingSession
    + Send
    + Sync
{
    /// Name, rules and shapes.
    fn facts(&self) -> GameFacts;
}

/// What manifests, checkpoints and networks need to know of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameFacts {
    /// Name of the game.
    pub name: &'static str,
    /// [`Game::RULES_VERSION`](game::Game::RULES_VERSION).
    pub rules_version: u32,
    /// All rule options.
    pub rules: serde_json::Value,
    /// Shape of the planes.
    pub planes: PlaneShape,
    /// Shape of the policy.
    pub policy: PolicyShape,
    /// [`Encoding::margin_unit`](game::Encoding::margin_unit); 0 where the game has no points.
    pub margin_unit: f32,
}

impl<G: BoardGame> AnyGame for G {
    fn facts(&self) -> GameFacts {
        GameFacts {
            name: G::NAME,
            rules_version: G::RULES_VERSION,
            // Rules have been made from a table of options, so that they can be written as one.
            rules: serde_json::to_value(self.rules()).unwrap_or_default(),
            planes: self.plane_shape(),
            policy: self.policy_shape(),
            margin_unit: self.margin_unit(),
        }
    }
}

/// Why a game cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// No game of that name.
    #[error("unknown game `{found}`: known are {known}")]
    UnknownGame {
        /// The name that was asked for.
        found: String,
        /// The games that exist.
        known: String,
    },
    /// Unknown preset, unknown options, or values that options do not have.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// Options that make no sense together.
    #[error("{game}: {message}")]
    Rules {
        /// The game.
        game: &'static str,
        /// What does not fit together.
        message: String,
    },
}

/// Generic code that is handed a game of a type that is known only at run time.
pub trait WithGame {
    /// What it returns.
    type Output;

    /// Runs with the game.
    fn with<G: BoardGame>(self, game: G) -> Self::Output;
}

/// Lists the games: all that follows is written once for each of them.
macro_rules! games {
    ($($game:ty),+ $(,)?) => {
        /// Names of all games.
        pub fn names() -> &'static [&'static str] {
            &[$(<$game as game::Game>::NAME),+]
        }

        /// Opens a game and hands it to `work`: `preset` or else the game's default one, and
        /// `options` over it (see [`rules_from`]).
        ///
        /// # Errors
        /// Unknown names and values.
        pub fn with_game<W: WithGame>(
            name: &str,
            preset: Option<&str>,
            options: &Options,
            work: W,
        ) -> Result<W::Output, OpenError> {
            match name {
                $(<$game as game::Game>::NAME => Ok(work.with(make::<$game>(preset, options)?)),)+
                _ => Err(OpenError::UnknownGame { found: name.to_owned(), known: names().join(", ") }),
            }
        }
    };
}

games!(commander::Commander, connect4::ConnectFour, emergo::Emergo, xiangqi::Xiangqi);

/// Opens a game by name: `preset` or else the game's default one, and `options` over it (see
/// [`rules_from`]).
///
/// # Errors
/// Unknown names and values.
pub fn open(name: &str, preset: Option<&str>, options: &Options) -> Result<Box<dyn AnyGame>, OpenError> {
    struct Boxed;
    impl WithGame for Boxed {
        type Output = Box<dyn AnyGame>;
        fn with<G: BoardGame>(self, game: G) -> Box<dyn AnyGame> {
            Box::new(game)
        }
    }
    with_game(name, preset, options, Boxed)
}

fn make<G: BoardGame>(preset: Option<&str>, options: &Options) -> Result<G, OpenError> {
    let rules = rules_from::<G>(preset, options)?;
    G::with_rules(rules).map_err(|message| OpenError::Rules { game: G::NAME, message })
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::options::parse_pairs;

    #[test]
    fn games_open_by_name() {
        for &name in names() {
            let game = open(name, None, &[]).unwrap_or_else(|error| panic!("{error}"));
            let facts = game.facts();
            assert_eq!(facts.name, name);
            assert!(facts.rules.is_object());
        }
    }

    #[test]
    fn unknown_words_are_named() {
        let message = |name: &str, preset: Option<&str>, options: &[&str]| {
            let texts: Vec<String> = options.iter().map(ToString::to_string).collect();
            match open(name, preset, &parse_pairs(&texts).unwrap()) {
                Ok(_) => panic!("{name} {preset:?} {options:?} was opened"),
                Err(error) => error.to_string(),
            }
        };
        assert_eq!(message("go", None, &[]), format!("unknown game `go`: known are {}", names().join(", ")));
        assert_eq!(
            message("connect4", Some("wild"), &[]),
            "unknown preset `wild` for connect4: use one of standard"
        );
        assert_eq!(
            message("connect4", None, &["size=8", "gravity=off"]),
            "unknown option `size`: connect4 has no options; unknown option `gravity`: connect4 has no options"
        );
    }
}
