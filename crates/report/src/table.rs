//! Tables.

use crate::html::{Html, escape};
use std::fmt::Write;

/// Where the cells of a column stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    /// On the left: words.
    #[default]
    Left,
    /// On the right: numbers.
    Right,
}

/// A table of texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// Its heading; empty for none.
    pub title: String,
    /// Headings of the columns.
    pub columns: Vec<(String, Align)>,
    /// The rows; a missing cell is empty.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new(title: &str, columns: &[(&str, Align)]) -> Table {
        let columns = columns.iter().map(|&(name, align)| (name.to_owned(), align)).collect();
        Table { title: title.to_owned(), columns, rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// The table.
    pub fn to_html(&self) -> Html {
        let class = |column: usize| match self.columns.get(column) {
            Some((_, Align::Right)) => " class=\"number\"",
            _ => "",
        };
        let mut html = String::from("<div class=\"table\">");
        if !self.title.is_empty() {
            let _ = write!(html, "<h3>{}</h3>", escape(&self.title));
        }
        html.push_str("<div class=\"scroll\"><table>\n<thead><tr>");
        for (column, (name, _)) in self.columns.iter().enumerate() {
            let _ = write!(html, "<th scope=\"col\"{}>{}</th>", class(column), escape(name));
        }
        html.push_str("</tr></thead>\n<tbody>\n");
        for row in &self.rows {
            html.push_str("<tr>");
            for column in 0..self.columns.len().max(row.len()) {
                let cell = row.get(column).map_or("", String::as_str);
                let _ = write!(html, "<td{}>{}</td>", class(column), escape(cell));
            }
            html.push_str("</tr>\n");
        }
        html.push_str("</tbody></table></div></div>\n");
        Html::trusted(html)
    }
}

/// Names with what they are, for the facts of something.
pub fn facts(list: &[(String, String)]) -> Html {
    let mut html = String::from("<dl class=\"facts\">\n");
    for (name, fact) in list {
        let _ = writeln!(html, "<div><dt>{}</dt><dd>{}</dd></div>", escape(name), escape(fact));
    }
    html.push_str("</dl>\n");
    Html::trusted(html)
}

/// A few numbers that matter most, large: name, number, remark.
pub fn tiles(list: &[(String, String, String)]) -> Html {
    let mut html = String::from("<dl class=\"tiles\">\n");
    for (name, number, remark) in list {
        let _ = writeln!(
            html,
            "<div><dt>{}</dt><dd>{}</dd><dd class=\"remark\">{}</dd></div>",
            escape(name),
            escape(number),
            escape(remark)
        );
    }
    html.push_str("</dl>\n");
    Html::trusted(html)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_filled_up_and_escaped() {
        let mut table = Table::new("T", &[("name", Align::Left), ("games", Align::Right)]);
        table.row(vec!["<a>".to_owned()]);
        let html = table.to_html().to_string();
        assert!(html.contains("<tr><td>&lt;a&gt;</td><td class=\"number\"></td></tr>"), "{html}");
        let html = facts(&[("a".to_owned(), "<b>".to_owned())]).and(tiles(&[]));
        assert!(html.as_str().contains("<dd>&lt;b&gt;</dd>"));
    }
}
