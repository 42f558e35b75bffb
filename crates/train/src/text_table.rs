//! Tables on standard output.

use std::io::{self, Write};

/// Writes rows in columns as wide as their widest cell; the first row is the heading. The last column is
/// not padded.
///
/// # Errors
/// Any error of the writer.
pub fn write(out: &mut impl Write, rows: &[Vec<String>]) -> io::Result<()> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let length = |text: &str| text.chars().count();
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            rows.iter().filter_map(|row| row.get(column)).map(|cell| length(cell)).max().unwrap_or(0)
        })
        .collect();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', width + 2 - length(cell)));
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let mut out = Vec::new();
        write(&mut out, &[row(["run", "games"]), row(["größer", "1"]), row(["x", ""])]).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "run     games\ngrößer  1\nx\n");
    }
}
