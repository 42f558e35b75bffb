//! What is tormented, one kind of work a module.

pub mod ladder;
pub mod pair_file;
pub mod study;
pub mod training;

use crate::subject::Subject;

/// All of them.
pub fn all() -> Vec<Box<dyn Subject>> {
    vec![
        Box::new(training::Training { workers: 1 }),
        Box::new(training::Training { workers: 2 }),
        Box::new(pair_file::Match),
        Box::new(ladder::Ladder),
        Box::new(study::Study),
    ]
}
