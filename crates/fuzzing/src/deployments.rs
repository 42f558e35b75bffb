//! Set-ups of one side in Commander Chess: a preset, then lines, a board in characters or a picture.

use crate::input::split;
use commander::Commander;
use commander::deployment::read_list;

/// Longer texts only repeat what shorter ones can show.
const LONGEST: usize = 8000;

/// Reads set-ups. Those that are refused have faults; those that are legal are written in all three ways
/// and read back, and can be put on a board.
pub(crate) fn run(data: &[u8]) {
    let Some((game, text)) = split::<Commander>(data) else { return };
    let text = String::from_utf8_lossy(&text[..text.len().min(LONGEST)]);
    let Ok(list) = read_list(&text) else { return };
    for listed in list {
        let deployment = match listed.deployment(&game) {
            Ok(deployment) => deployment,
            Err(faults) => {
                assert!(!faults.0.is_empty(), "`{text}` is refused without a fault");
                continue;
            }
        };
        for written in [deployment.to_string(), deployment.template(), game.deployment_svg(&deployment)] {
            let again = match read_list(&written) {
                Ok(list) if list.len() == 1 => list[0].deployment(&game),
                other => panic!("`{text}` is written as\n{written}\nwhich is read as {other:?}"),
            };
            assert_eq!(again, Ok(deployment.clone()), "`{text}` is written as\n{written}");
        }
        let position = game.deployed([&deployment, &deployment]);
        assert_eq!(*position.board(), position.board().rebuilt(), "`{text}`");
    }
}
