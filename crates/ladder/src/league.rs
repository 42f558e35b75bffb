//! The players and pairs of a ladder's directory.

use pairs::{MatchHeader, Pair, PairFileError, PlayedGame, PlayerHeader, PlayerKind};
use statistics::rating::{GameResult, Results};
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

/// The folder of a ladder's directory that holds the files of pairs.
pub const PAIRS: &str = "pairs";

/// Why a ladder cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LeagueError {
    /// There is no ladder.
    #[error("{}: no ladder is there: {error}", .path.display())]
    Missing {
        /// Where it was looked for.
        path: PathBuf,
        /// What the file system said.
        error: io::Error,
    },
    /// A file of pairs is faulty.
    #[error(transparent)]
    Pairs(#[from] PairFileError),
    /// A file of pairs belongs to something else.
    #[error("{}: {found}: the other files of the ladder have {what} {wanted}", .path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: &'static str,
        /// What the file has.
        found: String,
        /// What the ladder has.
        wanted: String,
    },
}

/// Pairs of two players of a league.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// The file.
    pub path: PathBuf,
    /// What it says of itself.
    pub header: MatchHeader,
    /// Sides A and B, as numbers of players.
    pub players: [usize; 2],
    /// The pairs.
    pub pairs: Vec<Pair>,
}

/// Players and their matches. Players are numbers: their places in [`League::players`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct League {
    /// Everybody.
    pub players: Vec<PlayerHeader>,
    /// All matches.
    pub matches: Vec<Match>,
    /// What had to be left out, a line each.
    pub remarks: Vec<String>,
}

/// Which checkpoint of which run a player is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// The run's directory as written.
    pub run: String,
    /// The cycle after which it was saved.
    pub cycle: u64,
}

/// The file of the pairs of two players in a ladder's directory. The name has both players' names, as far
/// as file systems allow, and a checksum of what they are.
pub fn pairs_path(directory: &Path, players: [&PlayerHeader; 2]) -> PathBuf {
    let plain = |name: &str| -> String {
        let tail: Vec<char> = name.chars().rev().take(40).collect();
        tail.into_iter()
            .rev()
            .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' })
            .collect()
    };
    let what = |player: &PlayerHeader| {
        format!("{:?} {} {} {}", player.kind, player.identity, player.budget, player.settings)
    };
    // FNV-1a: the names carry the meaning, this only keeps namesakes apart.
    let mut checksum = 0xcbf2_9ce4_8422_2325_u64;
    for byte in players.map(what).join("\n").bytes() {
        checksum = (checksum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    let [a, b] = players.map(|player| plain(&player.name).trim_matches('-').to_owned());
    directory.join(PAIRS).join(format!("{a}--{b}-{:08x}.jsonl", checksum as u32))
}

impl League {
    /// Reads all files of pairs of a ladder's directory, in the order of their names.
    ///
    /// # Errors
    /// No such directory, files that are faulty, and files of another game or of other rules.
    pub fn read(directory: &Path) -> Result<League, LeagueError> {
        let folder = directory.join(PAIRS);
        let missing = |error| LeagueError::Missing { path: directory.to_owned(), error };
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(&folder).map_err(missing)? {
            let path = entry.map_err(missing)?.path();
            if path.extension().is_some_and(|extension| extension == "jsonl") {
                paths.push(path);
            }
        }
        paths.sort();
        let mut league = League::default();
        for path in paths {
            // A match that was stopped before its first pair was whole leaves less than a line.
            if pairs::is_begun(&files::read(&path).map_err(missing)?) {
                league.remarks.push(format!("{}: no whole line is in it", path.display()));
                continue;
            }
            let record = pairs::read(&path)?;
            league.remarks.extend(record.torn.map(|torn| torn.to_string()));
            league.add(path, record.header, record.pairs)?;
        }
        Ok(league)
    }

    /// Adds a match and its players.
    ///
    /// # Errors
    /// [`LeagueError::Foreign`].
    pub fn add(&mut self, path: PathBuf, header: MatchHeader, pairs: Vec<Pair>) -> Result<(), LeagueError> {
        if let Some(first) = self.matches.first() {
            let rules = |header: &MatchHeader| format!("{} (version {})", header.rules, header.rules_version);
            for (what, found, wanted) in [
                ("game", header.game.clone(), first.header.game.clone()),
                ("rules", rules(&header), rules(&first.header)),
            ] {
                if found != wanted {
                    let found = format!("{what} {found}");
                    return Err(LeagueError::Foreign { path, what, found, wanted });
                }
            }
        }
        let players = [0, 1].map(|side: usize| self.player(&header.players[side]));
        if players[0] == players[1] {
            self.remarks.push(format!("{}: a player against itself; left out", path.display()));
        } else {
            self.matches.push(Match { path, header, players, pairs });
        }
        Ok(())
    }

    /// The number of a player, who is added where there is no equal one. Different players of one name are
    /// told apart by what they are.
    pub fn player(&mut self, header: &PlayerHeader) -> usize {
        if let Some(number) = self.players.iter().position(|player| player.same_player(header)) {
            return number;
        }
        let mut player = header.clone();
        if self.players.iter().any(|other| other.name == player.name) {
            let short: String = player.identity.chars().take(8).collect();
            player.name = format!("{} [{short}]", player.name);
            let mut copy = 2;
            while self.players.iter().any(|other| other.name == player.name) {
                player.name = format!("{} [{short} {copy}]", header.name);
                copy += 1;
            }
        }
        self.players.push(player);
        self.players.len() - 1
    }

    /// The same league with these players first, in their order, and the others after them.
    pub fn with_players_first(&self, players: &[PlayerHeader]) -> Result<League, LeagueError> {
        let mut league = League { remarks: self.remarks.clone(), ..League::default() };
        for player in players.iter().chain(&self.players) {
            league.player(player);
        }
        for one in &self.matches {
            league.add(one.path.clone(), one.header.clone(), one.pairs.clone())?;
        }
        Ok(league)
    }

    /// The player that stands at 0: `random`, or where that has not played the first one.
    pub fn anchor(&self) -> usize {
        let random =
            |player: &PlayerHeader| player.kind == PlayerKind::BuiltIn && player.identity == "random";
        self.players.iter().position(random).unwrap_or(0)
    }

    /// Which checkpoint of which run a player is; `None` for others. Read off its name,
    /// `RUN/checkpoints/CYCLE` with or without a budget.
    pub fn origin(&self, player: usize) -> Option<Origin> {
        let player = self.players.get(player).filter(|player| player.kind == PlayerKind::Checkpoint)?;
        let (run, rest) = player.name.rsplit_once("/checkpoints/")?;
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        Some(Origin { run: run.to_owned(), cycle: digits.parse().ok()? })
    }

    /// All pairs as counts.
    pub fn results(&self) -> Results {
        let mut results = Results::new(self.players.len());
        for Match { players: [a, b], pairs, .. } in &self.matches {
            for pair in pairs {
                let [as_first, as_second] = [0, 1].map(|game: usize| result(&pair.games[game]));
                results.add(*a, *b, as_first, as_second);
            }
        }
        results
    }

    /// How many games a player has finished, and how many of them differ from all others of their match;
    /// `None` stands for everybody.
    pub fn distinct_games(&self, player: Option<usize>) -> (u64, u64) {
        let (mut games, mut distinct) = (0, 0);
        let own = |one: &&Match| player.is_none_or(|player| one.players.contains(&player));
        for one in self.matches.iter().filter(own) {
            let prints: HashSet<[u8; 32]> =
                one.pairs.iter().flat_map(|pair| pair.games.iter().map(PlayedGame::fingerprint)).collect();
            games += 2 * one.pairs.len() as u64;
            distinct += prints.len() as u64;
        }
        (games, distinct)
    }

    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.matches.iter().map(|one| one.pairs.len() as u64).sum()
    }
}

/// The result of a game for side A.
pub(crate) fn result(game: &PlayedGame) -> GameResult {
    GameResult::ALL[game.half_points().min(2)]
}
