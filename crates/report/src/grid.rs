//! A table of shaded cells with names for rows and columns: a board of numbers.

use crate::cross_table::{CrossCell, write_cell};
use crate::html::{Html, escape};
use std::fmt::Write;

/// A table of shaded cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grid {
    /// Its heading.
    pub title: String,
    /// One sentence below the heading; empty for none.
    pub note: String,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Names and cells of the rows, from the top; `None` where there is nothing to say.
    pub rows: Vec<(String, Vec<Option<CrossCell>>)>,
}

impl Grid {
    /// The table.
    pub fn to_html(&self) -> Html {
        let mut html = format!("<div class=\"table cross grid\"><h3>{}</h3>", escape(&self.title));
        if !self.note.is_empty() {
            // Writing to a string cannot fail.
            let _ = write!(html, "<p>{}</p>", escape(&self.note));
        }
        html.push_str("<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\"></th>");
        for name in &self.columns {
            let _ = write!(html, "<th scope=\"col\">{}</th>", escape(name));
        }
        html.push_str("</tr></thead>\n<tbody>\n");
        for (name, cells) in &self.rows {
            let _ = write!(html, "<tr><th scope=\"row\">{}</th>", escape(name));
            for cell in cells {
                write_cell(&mut html, cell.as_ref());
            }
            html.push_str("</tr>\n");
        }
        html.push_str("</tbody></table></div></div>\n");
        Html::trusted(html)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_columns_are_named() {
        let cell = CrossCell { text: "+1".to_owned(), certainty: 1.0, seen: true, ..CrossCell::default() };
        let grid = Grid {
            title: "<t>".to_owned(),
            columns: vec!["a".to_owned(), "b".to_owned()],
            rows: vec![("1".to_owned(), vec![Some(cell), None])],
            ..Grid::default()
        };
        let html = grid.to_html().to_string();
        assert!(
            html.contains("<td class=\"better\" style=\"--sure:55%\"") && html.contains("blank"),
            "{html}"
        );
        assert!(!html.contains("<t>"));
    }
}
