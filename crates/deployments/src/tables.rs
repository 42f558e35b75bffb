//! Findings for other programs: tables as CSV and as Parquet.
//!
//! `set_ups` has a row a set-up of the matrix, `cells` a row a cell from the view of each side, `candidates` a row
//! a set-up that raced or was judged, `pieces` a row a kind and point, `oracle` a row a round. A number that is
//! not known is empty.

use crate::descriptors::Descriptors;
use crate::findings::{CellFinding, Findings, SetUp};
use ladder::tables::{Column, Table};
use std::io;
use std::path::Path;

/// Writes all tables into a directory, each as CSV and as Parquet.
///
/// # Errors
/// Any error of the file system.
pub fn write(directory: &Path, findings: &Findings) -> io::Result<()> {
    for table in
        [set_ups(findings), cells(findings), candidates(findings), pieces(findings), oracle(findings)]
    {
        files::write(&directory.join(format!("{}.csv", table.name)), table.to_csv().as_bytes())?;
        table.write_parquet(&directory.join(format!("{}.parquet", table.name)))?;
    }
    Ok(())
}

fn text<T>(rows: &[T], value: impl Fn(&T) -> String) -> Column {
    Column::Text(rows.iter().map(value).collect())
}

fn whole<T>(rows: &[T], value: impl Fn(&T) -> u64) -> Column {
    Column::Whole(rows.iter().map(|row| Some(value(row) as i64)).collect())
}

fn number<T>(rows: &[T], value: impl Fn(&T) -> Option<f64>) -> Column {
    Column::Number(rows.iter().map(value).collect())
}

/// A row a set-up of the matrix.
pub fn set_ups(findings: &Findings) -> Table {
    let rows = &findings.set_ups;
    let mut columns = vec![
        ("name", text(rows, |row| row.name.clone())),
        ("set_up", text(rows, |row| row.set_up.clone())),
        ("about", text(rows, |row| row.about.clone())),
        ("share", number(rows, |row| Some(row.share))),
        ("share_low", number(rows, |row| Some(row.share_interval.low))),
        ("share_high", number(rows, |row| Some(row.share_interval.high))),
        ("score", number(rows, |row| Some(row.score))),
        ("low", number(rows, |row| Some(row.interval.low))),
        ("high", number(rows, |row| Some(row.interval.high))),
        ("mean_score", number(rows, |row| Some(row.mean_score))),
        ("value", number(rows, |row| row.value)),
        ("group", whole(rows, |row| row.group as u64)),
        ("x", number(rows, |row| Some(row.place.0))),
        ("y", number(rows, |row| Some(row.place.1))),
    ];
    for (index, name) in Descriptors::NAMES.into_iter().enumerate() {
        columns.push((name, number(rows, |row: &SetUp| Some(row.descriptors.numbers()[index]))));
    }
    Table { name: "set_ups", columns }
}

/// Two rows a cell: from the view of each side.
pub fn cells(findings: &Findings) -> Table {
    let reversed = |cell: &CellFinding| {
        let mut pentanomial = cell.pentanomial;
        pentanomial.reverse();
        let flip = |interval: statistics::Interval| statistics::Interval {
            low: 1.0 - interval.high,
            high: 1.0 - interval.low,
        };
        CellFinding {
            row: cell.column.clone(),
            column: cell.row.clone(),
            pentanomial,
            void_games: cell.void_games,
            score: cell.score.map(|score| 1.0 - score),
            interval: cell.interval.map(flip),
            expected: 1.0 - cell.expected,
        }
    };
    let rows: Vec<CellFinding> =
        findings.cells.iter().flat_map(|cell| [cell.clone(), reversed(cell)]).collect();
    Table {
        name: "cells",
        columns: vec![
            ("row", text(&rows, |row| row.row.clone())),
            ("column", text(&rows, |row| row.column.clone())),
            ("pairs", whole(&rows, |row| row.pentanomial.iter().sum())),
            ("void_games", whole(&rows, |row| row.void_games)),
            ("score", number(&rows, |row| row.score)),
            ("low", number(&rows, |row| row.interval.map(|interval| interval.low))),
            ("high", number(&rows, |row| row.interval.map(|interval| interval.high))),
            ("expected", number(&rows, |row| Some(row.expected))),
        ],
    }
}

/// A row a set-up and rung of the race, and a row each that was judged by value (`stage` is `value`).
pub fn candidates(findings: &Findings) -> Table {
    struct Row {
        stage: String,
        name: String,
        set_up: String,
        score: f64,
        pairs: u64,
    }
    let mut rows: Vec<Row> = findings
        .screened
        .iter()
        .map(|one| Row {
            stage: "value".to_owned(),
            name: one.name.clone(),
            set_up: one.set_up.clone(),
            score: one.value,
            pairs: 0,
        })
        .collect();
    for (number, rung) in findings.race.iter().enumerate() {
        rows.extend(rung.rows.iter().map(|row| Row {
            stage: format!("race-{}", number + 1),
            name: row.name.clone(),
            set_up: row.set_up.clone(),
            score: row.score,
            pairs: row.pairs,
        }));
    }
    Table {
        name: "candidates",
        columns: vec![
            ("stage", text(&rows, |row| row.stage.clone())),
            ("name", text(&rows, |row| row.name.clone())),
            ("set_up", text(&rows, |row| row.set_up.clone())),
            ("score", number(&rows, |row| Some(row.score))),
            ("pairs", whole(&rows, |row| row.pairs)),
        ],
    }
}

/// A row a kind of piece and point of the own half.
pub fn pieces(findings: &Findings) -> Table {
    let mut rows = Vec::new();
    for map in &findings.heat {
        for (rank, shares) in map.share.iter().enumerate() {
            for (file, share) in shares.iter().enumerate() {
                let point = commander::point::Point::at(file, rank).to_string();
                rows.push((map.name.clone(), point, *share, map.effect[rank][file]));
            }
        }
    }
    Table {
        name: "pieces",
        columns: vec![
            ("piece", text(&rows, |row| row.0.clone())),
            ("point", text(&rows, |row| row.1.clone())),
            ("share", number(&rows, |row| Some(row.2))),
            ("effect", number(&rows, |row| row.3.map(|found| found.effect))),
            ("low", number(&rows, |row| row.3.map(|found| found.interval.low))),
            ("high", number(&rows, |row| row.3.map(|found| found.interval.high))),
            ("set_ups", whole(&rows, |row| row.3.map_or(0, |found| found.set_ups))),
        ],
    }
}

/// A row a round of the oracle.
pub fn oracle(findings: &Findings) -> Table {
    let rows = &findings.oracle;
    Table {
        name: "oracle",
        columns: vec![
            ("set_up", text(rows, |row| row.set_up.clone())),
            ("tried", whole(rows, |row| row.tried)),
            ("gain", number(rows, |row| Some(row.gain))),
            ("low", number(rows, |row| Some(row.interval.low))),
            ("high", number(rows, |row| Some(row.interval.high))),
            ("bound", number(rows, |row| Some(row.bound))),
            ("pairs", whole(rows, |row| row.pairs)),
            ("added", whole(rows, |row| u64::from(row.added))),
        ],
    }
}
