//! The hand-made set-ups that come with the crate.

use commander::deployment::{WrittenDeployment, read_list};
use commander::{Commander, Deployment};
use game::{Fault, Faults};

/// The file of hand-made set-ups.
pub const TEXT: &str = include_str!("../set-ups/named.txt");

/// A set-up with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its name: one word.
    pub name: String,
    /// What it is about, in a sentence; empty where nothing is said.
    pub about: String,
    /// The set-up.
    pub deployment: Deployment,
}

/// The hand-made set-ups that are legal under the rules of a game, the standard one first. All are under
/// `free_zone = half` and `free_stacks = hq` or `any`.
pub fn named(game: &Commander) -> Vec<Named> {
    TEXT.lines()
        .filter_map(|line| {
            let (set_up, name, about) = split(line)?;
            let (written, faults) = WrittenDeployment::read_line(set_up);
            let deployment = faults.into_result(()).and_then(|()| game.deployment(&written)).ok()?;
            Some(Named { name: name?.to_owned(), about: about.to_owned(), deployment })
        })
        .collect()
}

/// The set-ups of a text: in any of the forms that [`read_list`] reads, and with `# name: sentence` behind each
/// where there is a line for each. Those without a name are called by their number.
///
/// # Errors
/// Everything that is wrong, each fault with its line.
pub fn read(game: &Commander, text: &str) -> Result<Vec<Named>, Faults> {
    let mut faults = Faults::new();
    let mut found = Vec::new();
    for (number, listed) in read_list(text)?.into_iter().enumerate() {
        let line = listed.line.and_then(|line| text.lines().nth(line - 1));
        let (name, about) = line.and_then(split).map_or((None, ""), |(_, name, about)| (name, about));
        match listed.deployment(game) {
            Ok(deployment) => found.push(Named {
                name: name.map_or_else(|| format!("set-up-{}", number + 1), str::to_owned),
                about: about.to_owned(),
                deployment,
            }),
            Err(wrong) => faults.0.extend(wrong.0.into_iter().map(|fault| match listed.line {
                Some(line) => Fault::new(format!("line {line}, {}", fault.place), fault.message),
                None => fault,
            })),
        }
    }
    faults.into_result(found)
}

/// The set-up, the name and the sentence of a line.
fn split(line: &str) -> Option<(&str, Option<&str>, &str)> {
    let (set_up, remark) = line.split_once('#').unwrap_or((line, ""));
    if set_up.trim().is_empty() {
        return None;
    }
    let (name, about) = match remark.split_once(':') {
        Some((name, about)) if !name.trim().contains(char::is_whitespace) => (name, about),
        _ => (remark, ""),
    };
    let name = name.trim();
    Some((set_up, (!name.is_empty() && !name.contains(char::is_whitespace)).then_some(name), about.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use commander::Rules;
    use std::collections::BTreeSet;

    #[test]
    fn every_named_set_up_is_legal_and_says_what_it_is_about() {
        let game = Commander::new(Rules::default());
        let all = read(&game, TEXT).unwrap_or_else(|faults| panic!("{faults}"));
        assert_eq!(all, named(&game));
        assert!(all.len() >= 9 && all[0].deployment == Deployment::standard(), "{}", all.len());
        assert!(all.iter().all(|one| one.about.len() > 20 && !one.name.starts_with("set-up-")));
        assert_eq!(all.iter().map(|one| &one.name).collect::<BTreeSet<_>>().len(), all.len());
        assert_eq!(
            all.iter().map(|one| one.deployment.to_string()).collect::<BTreeSet<_>>().len(),
            all.len()
        );
    }

    #[test]
    fn faults_have_their_lines() {
        let game = Commander::new(Rules::default());
        let told = read(&game, "standard # mine: as usual\nN b2\n").unwrap_err().to_string();
        assert!(told.contains("line 2, navy: found 1 of the piece N"), "{told}");
        let fine = read(&game, "standard # mine: as usual\nstandard\n").unwrap();
        assert_eq!((fine[0].name.as_str(), fine[1].name.as_str()), ("mine", "set-up-2"));
    }
}
