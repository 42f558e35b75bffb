//! The examination passes a sound game and names the flaw of every other.

mod pile;

use game::examination::{Check, Examination, examine};
use pile::{Flaw, Pile};

fn failed(pile: u8, flaw: Flaw) -> (Vec<Check>, String) {
    let options = Examination { games: 8, thorough_every: 1, ..Examination::default() };
    let report = examine(&Pile::new(pile, 3, flaw), &options);
    (report.failed.keys().copied().collect(), report.complaint())
}

#[test]
fn a_sound_game_passes() {
    let (checks, complaint) = failed(90, Flaw::None);
    assert_eq!(checks, [], "{complaint}");
}

#[test]
fn statistics_add_up() {
    let options = Examination {
        games: 3,
        starts: vec!["5 0 0 0 second mirrored".to_owned(), "4 1 0 1 second plain".to_owned()],
        ..Examination::default()
    };
    let report = examine(&Pile::new(21, 3, Flaw::None), &options);
    assert!(report.passed(), "{}", report.complaint());
    let statistics = &report.statistics;
    assert_eq!(statistics.games, 3);
    assert_eq!(statistics.results.iter().sum::<u64>(), 3);
    assert_eq!(statistics.reasons["last"], 3);
    assert_eq!(statistics.turn_lengths.values().sum::<u64>(), statistics.turns);
    assert_eq!(statistics.exact_texts, statistics.positions);
    assert_eq!(statistics.most_legal_steps, 2);
}

#[test]
fn refused_starts_are_told() {
    let options = Examination { starts: vec!["5 0 0 0 third".to_owned()], ..Examination::default() };
    let report = examine(&Pile::new(21, 3, Flaw::None), &options);
    assert!(report.complaint().contains("start position refused: mover: write first or second"));
}

#[test]
fn every_flaw_is_found() {
    let flaws = [
        (Flaw::RestlessOrder, Check::StepOrder),
        (Flaw::MiscountedSteps, Check::StepOrder),
        (Flaw::UnevenDraws, Check::RandomStep),
        (Flaw::EndlessDraws, Check::RandomStep),
        (Flaw::MiscountedTurns, Check::TurnCount),
        (Flaw::EarlyEnd, Check::StepsUntilTheEnd),
        (Flaw::MissingEnd, Check::StepsUntilTheEnd),
        (Flaw::EndForgottenByLine, Check::Outcome),
        (Flaw::RestlessMover, Check::Mover),
        (Flaw::SameMover, Check::Mover),
        (Flaw::ShortLongestGame, Check::LongestGame),
        (Flaw::PointsWithoutCapture, Check::Points),
        (Flaw::KeyOfMover, Check::Irreversible),
        (Flaw::Viewer, Check::Observe),
        (Flaw::LostPoints, Check::PositionText),
        (Flaw::GarbageRead, Check::WrongPositionText),
        (Flaw::StepText, Check::StepText),
        (Flaw::AnyStepText, Check::StepText),
        (Flaw::TurnText, Check::TurnText),
        (Flaw::TurnSoFar, Check::TurnSoFar),
        (Flaw::Svg, Check::Picture),
        (Flaw::BoardText, Check::Picture),
        (Flaw::StepCode, Check::StepCode),
        (Flaw::AnyStepCode, Check::StepCode),
        (Flaw::PolicyCells, Check::PolicyCells),
        (Flaw::NoPolicyCell, Check::PolicyCells),
        (Flaw::Owners, Check::Owners),
        (Flaw::Planes, Check::Planes),
        (Flaw::FineKey, Check::EvaluationKey),
        (Flaw::CoarseKey, Check::EvaluationKey),
        (Flaw::HiddenSteps, Check::PlanesShowSteps),
        (Flaw::FlatKey, Check::KeyBits),
        (Flaw::MarginUnit, Check::MarginUnit),
        (Flaw::MirroredCells, Check::Symmetry),
        (Flaw::MirroredPlay, Check::Symmetry),
    ];
    let missed: Vec<String> = flaws
        .iter()
        .filter_map(|&(flaw, expected)| {
            let (checks, complaint) = failed(90, flaw);
            (!checks.contains(&expected))
                .then(|| format!("{flaw:?} is not found by {expected}:\n{complaint}"))
        })
        .collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
