//! Every target with its committed corpus and some mutations, the same in every run. `scripts/fuzz` tries
//! more of them.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use fuzzing::{Campaign, Grammar, TARGETS, Target, corpus};

/// Mutations of each target.
const MUTATIONS: usize = 30;

#[test]
fn every_corpus_and_its_mutations_pass() {
    for target in TARGETS {
        let inputs = corpus::read(target.name).unwrap();
        assert!(inputs.len() >= 3, "{}: {} inputs", target.name, inputs.len());
        let mut campaign = Campaign::new(target, &inputs, 1);
        let passed =
            campaign.try_corpus().and_then(|()| (0..MUTATIONS).try_for_each(|_| campaign.try_mutation()));
        if let Err(finding) = passed {
            panic!("{}: {:?}: {}", target.name, String::from_utf8_lossy(&finding.input), finding.message);
        }
    }
}

#[test]
fn every_folder_belongs_to_a_target_and_every_target_to_a_program() {
    let mut folders: Vec<String> = std::fs::read_dir(corpus::folder().join("corpus"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    folders.sort();
    let mut names = TARGETS.map(|target| target.name);
    names.sort_unstable();
    assert_eq!(folders, names);
    for name in names {
        let program = corpus::folder().join("fuzz_targets").join(format!("{name}.rs"));
        assert!(std::fs::read_to_string(program).unwrap().contains(&format!("\"{name}\"")), "{name}");
    }
}

/// A target that fails on what mutations are likely to reach is found out.
#[test]
fn a_broken_promise_is_found() {
    let target = Target {
        name: "zeros",
        grammar: Grammar::Bytes,
        run: |input| assert!(!input.ends_with(b"00"), "two zeros"),
    };
    let inputs = vec![b"1 0 2".to_vec(), b"0 1".to_vec()];
    let mut campaign = Campaign::new(target, &inputs, 1);
    assert_eq!(campaign.try_corpus(), Ok(()));
    let finding = (0..100_000).find_map(|_| campaign.try_mutation().err()).unwrap();
    assert!(finding.input.ends_with(b"00"));
    assert_eq!((finding.target, finding.message.as_str()), ("zeros", "two zeros"));
}
