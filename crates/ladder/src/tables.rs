//! Ladders for other programs: tables as CSV and as Parquet.
//!
//! `players` has a row a player, `couples` a row for every two players from the view of each, `games` a row
//! a game. Columns are named as the fields of [`Standing`](crate::Standing) and
//! [`CoupleStanding`](crate::CoupleStanding); a number that is not known is empty.

use crate::league::League;
use crate::standings::Standings;
use files::PartialFile;
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::fmt::Write;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Version of the columns; it changes when one is renamed, removed or means something else.
pub const SCHEMA: u32 = 1;

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Its name, which is that of its files.
    pub name: &'static str,
    /// Its columns, all of the same length.
    pub columns: Vec<(&'static str, Column)>,
}

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Texts.
    Text(Vec<String>),
    /// Whole numbers.
    Whole(Vec<Option<i64>>),
    /// Numbers.
    Number(Vec<Option<f64>>),
}

impl Column {
    fn len(&self) -> usize {
        match self {
            Column::Text(values) => values.len(),
            Column::Whole(values) => values.len(),
            Column::Number(values) => values.len(),
        }
    }

    fn cell(&self, row: usize) -> String {
        match self {
            Column::Text(values) => quoted(&values[row]),
            Column::Whole(values) => values[row].map_or_else(String::new, |value| value.to_string()),
            Column::Number(values) => values[row].map_or_else(String::new, |value| value.to_string()),
        }
    }
}

/// A text of RFC 4180.
fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

impl Table {
    /// The table as CSV with a heading.
    pub fn to_csv(&self) -> String {
        let mut csv = String::new();
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(csv, "{}", names.join(","));
        for row in 0..self.columns.first().map_or(0, |(_, column)| column.len()) {
            let cells: Vec<String> = self.columns.iter().map(|(_, column)| column.cell(row)).collect();
            let _ = writeln!(csv, "{}", cells.join(","));
        }
        csv
    }

    /// Writes the table as a Parquet file.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn write_parquet(&self, path: &Path) -> io::Result<()> {
        let mut schema = format!("message garrison_{} {{\n", self.name);
        for (name, column) in &self.columns {
            let _ = match column {
                Column::Text(_) => writeln!(schema, "  required binary {name} (string);"),
                Column::Whole(_) => writeln!(schema, "  optional int64 {name};"),
                Column::Number(_) => writeln!(schema, "  optional double {name};"),
            };
        }
        schema.push('}');
        let version = KeyValue::new("garrison.schema".to_owned(), SCHEMA.to_string());
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_key_value_metadata(Some(vec![version]))
            .build();
        let schema = Arc::new(parse_message_type(&schema).map_err(io_error)?);
        let file = PartialFile::create(path)?;
        let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties)).map_err(io_error)?;
        self.write_columns(&mut writer).map_err(io_error)?;
        writer.into_inner().map_err(io_error)?.finish()
    }

    fn write_columns(&self, writer: &mut SerializedFileWriter<PartialFile>) -> Result<(), ParquetError> {
        let mut group = writer.next_row_group()?;
        for (_, column) in &self.columns {
            let mut place = group
                .next_column()?
                .ok_or_else(|| ParquetError::General("a column is missing".to_owned()))?;
            match column {
                Column::Text(values) => {
                    let values: Vec<ByteArray> =
                        values.iter().map(|text| ByteArray::from(text.as_str())).collect();
                    place.typed::<ByteArrayType>().write_batch(&values, None, None)?;
                }
                Column::Whole(values) => {
                    let (levels, values) = present(values);
                    place.typed::<Int64Type>().write_batch(&values, Some(&levels), None)?;
                }
                Column::Number(values) => {
                    let (levels, values) = present(values);
                    place.typed::<DoubleType>().write_batch(&values, Some(&levels), None)?;
                }
            }
            place.close()?;
        }
        group.close().map(|_| ())
    }
}

/// Definition levels and the values that are there.
fn present<T: Copy>(values: &[Option<T>]) -> (Vec<i16>, Vec<T>) {
    (
        values.iter().map(|value| i16::from(value.is_some())).collect(),
        values.iter().flatten().copied().collect(),
    )
}

fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        other => io::Error::other(other),
    }
}

/// Writes all tables of a ladder into a directory, each as CSV and as Parquet.
///
/// # Errors
/// Any error of the file system.
pub fn write(directory: &Path, league: &League, standings: &Standings) -> io::Result<()> {
    for table in [players(standings), couples(standings), games(league)] {
        files::write(&directory.join(format!("{}.csv", table.name)), table.to_csv().as_bytes())?;
        table.write_parquet(&directory.join(format!("{}.parquet", table.name)))?;
    }
    Ok(())
}

/// A row a rated player, the best first.
pub fn players(standings: &Standings) -> Table {
    let all = &standings.players;
    let text = |value: &dyn Fn(&crate::Standing) -> String| Column::Text(all.iter().map(value).collect());
    let whole = |value: &dyn Fn(&crate::Standing) -> Option<u64>| {
        Column::Whole(all.iter().map(|player| value(player).map(|value| value as i64)).collect())
    };
    let number =
        |value: &dyn Fn(&crate::Standing) -> Option<f64>| Column::Number(all.iter().map(value).collect());
    Table {
        name: "players",
        columns: vec![
            ("name", text(&|player| player.name.clone())),
            ("kind", text(&|player| player.kind.to_owned())),
            ("run", text(&|player| player.run.clone().unwrap_or_default())),
            ("cycle", whole(&|player| player.cycle)),
            ("budget", text(&|player| player.budget.clone())),
            ("elo", number(&|player| Some(player.elo))),
            ("low", number(&|player| player.low)),
            ("high", number(&|player| player.high)),
            ("better_than_next", number(&|player| player.better_than_next)),
            ("nash_share", number(&|player| player.nash_share)),
            ("nash_elo", number(&|player| player.nash_elo)),
            ("pairs", whole(&|player| Some(player.pairs))),
            ("wins", whole(&|player| Some(player.wins))),
            ("draws", whole(&|player| Some(player.draws))),
            ("losses", whole(&|player| Some(player.losses))),
            ("score", number(&|player| Some(player.score))),
            ("score_as_first", number(&|player| Some(player.score_as_first))),
            ("score_as_second", number(&|player| Some(player.score_as_second))),
        ],
    }
}

/// A row for every two different rated players, from the first one's view.
pub fn couples(standings: &Standings) -> Table {
    let all: Vec<(&str, &str, &crate::CoupleStanding)> = standings
        .players
        .iter()
        .zip(&standings.couples)
        .flat_map(|(player, row)| {
            let row = standings.players.iter().zip(row);
            row.filter_map(|(opponent, couple)| {
                Some((player.name.as_str(), opponent.name.as_str(), couple.as_ref()?))
            })
        })
        .collect();
    let number = |value: &dyn Fn(&crate::CoupleStanding) -> Option<f64>| {
        Column::Number(all.iter().map(|(_, _, couple)| value(couple)).collect())
    };
    Table {
        name: "couples",
        columns: vec![
            ("player", Column::Text(all.iter().map(|(player, ..)| (*player).to_owned()).collect())),
            ("opponent", Column::Text(all.iter().map(|(_, opponent, _)| (*opponent).to_owned()).collect())),
            ("pairs", Column::Whole(all.iter().map(|(_, _, couple)| Some(couple.pairs as i64)).collect())),
            ("score", number(&|couple| couple.score)),
            ("low", number(&|couple| couple.interval.map(|interval| interval.low))),
            ("high", number(&|couple| couple.interval.map(|interval| interval.high))),
            ("superiority", number(&|couple| Some(couple.superiority))),
            ("expected", number(&|couple| Some(couple.expected))),
        ],
    }
}

/// A row a game.
pub fn games(league: &League) -> Table {
    let mut texts: [Vec<String>; 6] = Default::default();
    let mut numbers: [Vec<Option<i64>>; 6] = Default::default();
    for one in &league.matches {
        for pair in &one.pairs {
            for game in &pair.games {
                let [a, b] = one.players.map(|player| league.players[player].name.clone());
                let (first, second) = if game.a_plays.index() == 0 { (a, b) } else { (b, a) };
                let winner = serde_json::to_value(game.winner).unwrap_or_default();
                let winner = winner.as_str().unwrap_or_default().to_owned();
                let opening: Vec<&str> =
                    game.turns.iter().take(game.opening_turns).map(String::as_str).collect();
                let row = [first, second, winner, game.reason.clone(), game.start.clone(), opening.join(" ")];
                for (column, value) in texts.iter_mut().zip(row) {
                    column.push(value);
                }
                let row = [
                    pair.pair as i64,
                    game.turns.len() as i64,
                    game.opening_turns as i64,
                    game.steps.len() as i64,
                    i64::from(game.points[0]),
                    i64::from(game.points[1]),
                ];
                for (column, value) in numbers.iter_mut().zip(row) {
                    column.push(Some(value));
                }
            }
        }
    }
    let [first, second, winner, reason, start, opening] = texts.map(Column::Text);
    let [pair, turns, opening_turns, steps, points_first, points_second] = numbers.map(Column::Whole);
    Table {
        name: "games",
        columns: vec![
            ("pair", pair),
            ("first", first),
            ("second", second),
            ("winner", winner),
            ("reason", reason),
            ("turns", turns),
            ("opening_turns", opening_turns),
            ("steps", steps),
            ("points_first", points_first),
            ("points_second", points_second),
            ("start", start),
            ("opening", opening),
        ],
    }
}
