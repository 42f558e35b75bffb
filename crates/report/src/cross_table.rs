//! Everybody against everybody, with the certainty of each result as its shade.

use crate::html::{Html, escape};
use std::fmt::Write;

/// A result of the row's player against the column's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrossCell {
    /// What stands in the cell.
    pub text: String,
    /// What the reader sees with the pointer over it.
    pub detail: String,
    /// How surely the row's player is the better one: from −1 (surely the worse one) over 0 (nobody
    /// knows) to 1. Decides colour and strength of the shade.
    pub certainty: f64,
    /// Whether it was seen or is only expected; what is expected is written in soft letters.
    pub seen: bool,
}

/// A table of everybody against everybody.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrossTable {
    /// Its heading.
    pub title: String,
    /// One sentence below the heading; empty for none.
    pub note: String,
    /// The players, for rows and columns.
    pub names: Vec<String>,
    /// A row a player; `None` where there is nothing to say, as on the diagonal.
    pub cells: Vec<Vec<Option<CrossCell>>>,
}

impl CrossTable {
    /// The table. Columns are numbered as the rows are, so that long names take no room twice.
    pub fn to_html(&self) -> Html {
        let mut html = format!("<div class=\"table cross\"><h3>{}</h3>", escape(&self.title));
        if !self.note.is_empty() {
            // Writing to a string cannot fail.
            let _ = write!(html, "<p>{}</p>", escape(&self.note));
        }
        html.push_str("<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\"></th>");
        for (index, name) in self.names.iter().enumerate() {
            let _ = write!(html, "<th scope=\"col\" title=\"{}\">{}</th>", escape(name), index + 1);
        }
        html.push_str("</tr></thead>\n<tbody>\n");
        for (index, (name, row)) in self.names.iter().zip(&self.cells).enumerate() {
            let _ = write!(html, "<tr><th scope=\"row\">{}. {}</th>", index + 1, escape(name));
            for cell in row {
                write_cell(&mut html, cell.as_ref());
            }
            html.push_str("</tr>\n");
        }
        html.push_str("</tbody></table></div></div>\n");
        Html::trusted(html)
    }
}

/// A shaded cell, or a blank one.
pub(crate) fn write_cell(html: &mut String, cell: Option<&CrossCell>) {
    let Some(cell) = cell else {
        html.push_str("<td class=\"blank\"></td>");
        return;
    };
    let side = if cell.certainty < 0.0 { "worse" } else { "better" };
    let soft = if cell.seen { "" } else { " expected" };
    let strength = match cell.certainty.is_finite() {
        true => cell.certainty.abs().min(1.0),
        false => 0.0,
    };
    // Writing to a string cannot fail.
    let _ = write!(
        html,
        "<td class=\"{side}{soft}\" style=\"--sure:{:.0}%\" title=\"{}\">{}</td>",
        55.0 * strength * strength,
        escape(&cell.detail),
        escape(&cell.text)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_shaded_by_certainty() {
        let cell = |certainty, seen| {
            Some(CrossCell { text: "<60>".to_owned(), detail: "\"7\" pairs".to_owned(), certainty, seen })
        };
        let table = CrossTable {
            title: "cross".to_owned(),
            names: vec!["<a>".to_owned(), "b".to_owned()],
            cells: vec![vec![None, cell(1.0, true)], vec![cell(-0.5, false), None]],
            ..CrossTable::default()
        };
        let html = table.to_html().to_string();
        assert!(html.contains(
            "<td class=\"better\" style=\"--sure:55%\" title=\"&quot;7&quot; pairs\">&lt;60&gt;</td>"
        ));
        assert!(html.contains("<td class=\"worse expected\" style=\"--sure:14%\""), "{html}");
        assert_eq!(html.matches("blank").count(), 2);
        assert!(!html.contains("<a>"));
    }
}
