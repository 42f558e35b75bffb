//! What a study has played and found.

use crate::place::with_file;
use commander::{Commander, Rules};
use deployments::learned::{self, LearnedFindings};
use deployments::{Findings, Record, page, record, tables};

/// Reads the record of a study. One that is refused is named with its line; one that is read can be gone on with.
pub(crate) fn run_record(data: &[u8]) {
    with_file(record::FILE, data, |place, _| match Record::read(place) {
        Ok(found) => {
            let pairs = found.pairs().len();
            assert!(found.games().iter().sum::<u64>() <= data.len() as u64);
            match Record::open(place) {
                Ok(again) => assert_eq!(again.pairs().len(), pairs),
                Err(error) => panic!("read, and not opened: {error}"),
            }
        }
        Err(error) => assert!(error.to_string().contains(record::FILE), "{error}"),
    });
}

/// Reads the findings of a study or of a policy. Those that fit together have a page, and a study's tables.
pub(crate) fn run_findings(data: &[u8]) {
    let game = Commander::new(Rules::default());
    if let Ok(findings) = LearnedFindings::from_file(data) {
        assert!(learned::page::page("policy", &game, &findings, "").to_html().contains("</html>"));
    }
    let Ok(findings) = Findings::from_file(data) else { return };
    assert!(page::page("study", &game, &findings, "").to_html().contains("</html>"));
    with_file("findings.json", data, |place, _| {
        let written = tables::write(place, &findings);
        assert!(written.is_ok(), "{written:?}");
    });
}
