//! What the command line of a match or of a sequential test asks for, checked.

use crate::arguments::MatchArguments;
use crate::conditions::Conditions;
use crate::failure::Failure;
use crate::output::Format;
use arena::matches::{Contestant, MatchPlan, Names};
use pairs::{MatchHeader, MatchRecord, PairFile};
use std::path::Path;

/// A match, ready to be played.
pub struct MatchRequest {
    /// The game, starts and chance.
    pub conditions: Conditions,
    /// What the sides are called.
    pub names: Names,
    /// The sides.
    pub contestants: [Contestant; 2],
    /// What the user should know before it begins, a line each.
    pub remarks: Vec<String>,
    /// Size and seed.
    pub plan: MatchPlan,
    /// How the result is printed.
    pub format: Format,
    /// Where the pairs go, and what is there already.
    pub record: Option<(PairFile, MatchRecord)>,
}

impl MatchRequest {
    /// Checks a command line and gets everything ready, networks included.
    ///
    /// # Errors
    /// Wrong input, all that can be seen at once named together; or a network that fails to work.
    pub fn new(arguments: &MatchArguments) -> Result<MatchRequest, Failure> {
        let mut faults = Vec::new();
        if let Some(path) = &arguments.save {
            let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            if directory.is_some_and(|directory| !directory.is_dir()) {
                faults.push(format!("--save {}: there is no such directory", path.display()));
            }
        }
        let texts = [arguments.a.clone(), arguments.b.clone()];
        let (conditions, players) = Conditions::new(&arguments.conditions, &texts, faults)?;
        let [a, b] = players.as_slice() else {
            return Err(Failure::work("a match has two sides"));
        };
        let header = conditions.header([conditions.player(a), conditions.player(b)]);
        let mut remarks: Vec<String> = conditions.remark.iter().cloned().collect();
        let record =
            arguments.save.as_deref().map(|path| open_record(path, &header, &mut remarks)).transpose()?;
        let mut ready = |player| {
            let (contestant, more) = conditions.contestant(player)?;
            remarks.extend(more);
            Ok::<Contestant, Failure>(contestant)
        };
        let contestants = [ready(a)?, ready(b)?];
        let plan = MatchPlan { pairs: arguments.pairs, ..conditions.plan.clone() };
        let networks = players.iter().any(|player| player.checkpoint().is_some());
        remarks.push(format!(
            "{} pairs of {} with {} random opening turns, seed {}, {} threads{}{}",
            plan.pairs,
            conditions.facts.name,
            plan.opening_turns,
            plan.seed,
            plan.threads,
            if networks { "" } else { ", no networks" },
            if contestants.iter().any(Contestant::plays_alone) { ", one game a thread" } else { "" },
        ));
        let [a, b] = texts;
        let names = Names { a, b, game: conditions.facts.name.to_owned() };
        let format = if arguments.json { Format::Json } else { Format::Table };
        Ok(MatchRequest { conditions, names, contestants, remarks, plan, format, record })
    }
}

/// Opens the file of pairs and tells what is in it.
fn open_record(
    path: &Path,
    header: &MatchHeader,
    remarks: &mut Vec<String>,
) -> Result<(PairFile, MatchRecord), Failure> {
    let (file, record) = PairFile::open(path, header).map_err(|error| match error.is_input() {
        true => Failure::input(format!("--save {error}")),
        false => Failure::work(format!("--save {error}")),
    })?;
    remarks.extend(record.torn.as_ref().map(ToString::to_string));
    if !record.pairs.is_empty() {
        remarks.push(format!("{}: {} pairs were played before", path.display(), record.pairs.len()));
    }
    Ok((file, record))
}
