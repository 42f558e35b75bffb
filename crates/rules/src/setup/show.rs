//! `rules setup show`.

use super::arguments::Show;
use super::{open_commander, read_one};
use crate::commands::answer;
use crate::failure::Failure;
use commander::{Commander, Deployment};
use game::Notation;
use serde::Serialize;

#[derive(Serialize)]
struct SetupAnswer {
    setup: String,
    board: String,
}

#[derive(Serialize)]
struct PairAnswer {
    red: String,
    blue: String,
    fen: String,
    /// Why the pair is void, if it is.
    void: Option<&'static str>,
    board: String,
}

/// Shows one set-up, or the position of two.
pub fn run(show: &Show) -> Result<String, Failure> {
    let game = open_commander(&show.common)?;
    let setup = read_one(&game, &show.setup)?;
    match &show.blue {
        None => show_one(&game, show, &setup),
        Some(blue) => {
            let blue = read_one(&game, blue)?;
            show_pair(&game, show, [&setup, &blue])
        }
    }
}

fn show_one(game: &Commander, show: &Show, setup: &Deployment) -> Result<String, Failure> {
    draw(show, || game.deployment_svg(setup))?;
    let value = SetupAnswer { setup: setup.to_string(), board: setup.template() };
    answer(&show.common, &value, || format!("{}# {}\n", value.board, value.setup))
}

fn show_pair(game: &Commander, show: &Show, sides: [&Deployment; 2]) -> Result<String, Failure> {
    draw(show, || game.deployed_svg(sides))?;
    let position = game.deployed(sides);
    let [red, blue] = sides.map(|setup| setup.to_string());
    let value = PairAnswer {
        red,
        blue,
        fen: game.write_position(&position),
        void: game.void(&position).map(|void| void.words()),
        board: game.board_text(&position),
    };
    answer(&show.common, &value, || {
        let void = value.void.map(|words| format!("void: {words}\n")).unwrap_or_default();
        format!("{}{}\n{void}", value.board, value.fen)
    })
}

/// Draws into the file that was asked for.
fn draw(show: &Show, svg: impl FnOnce() -> String) -> Result<(), Failure> {
    let Some(path) = &show.svg else { return Ok(()) };
    files::write(path, svg().as_bytes()).map_err(|error| Failure::File { path: path.clone(), error })
}
