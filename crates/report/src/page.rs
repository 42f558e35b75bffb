//! The page: head, navigation, sections.

use crate::html::{Html, escape};
use std::fmt::Write;

/// Colours and layout of all pages.
const STYLE: &str = include_str!("page/style.css");
/// Theme, values under the pointer, and stepping through games.
const SCRIPT: &str = include_str!("page/script.js");

/// A page that is complete in one file. Its policy forbids the browser to load anything else.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// Its title.
    pub title: String,
    /// A line below the title.
    pub subtitle: String,
    /// What wrote it and when; at the foot.
    pub foot: String,
    /// The sections.
    pub sections: Vec<Section>,
}

/// How much of the page's width a block takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Width {
    /// As much as a chart needs; as many stand side by side as have room.
    Chart,
    /// All of it.
    Whole,
}

/// A part of the page with a heading, named in the navigation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    heading: String,
    blocks: Vec<(Html, Width)>,
}

impl Section {
    /// A section without contents.
    pub fn new(heading: &str) -> Section {
        Section { heading: heading.to_owned(), blocks: Vec::new() }
    }

    /// Adds a block as wide as a chart.
    pub fn chart(mut self, content: Html) -> Section {
        self.blocks.push((content, Width::Chart));
        self
    }

    /// Adds a block over the whole width.
    pub fn whole(mut self, content: Html) -> Section {
        self.blocks.push((content, Width::Whole));
        self
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    fn write(&self, html: &mut String) {
        let (id, heading) = (self.id(), escape(&self.heading));
        let _ = writeln!(html, "<section id=\"{id}\">\n<h2>{heading}</h2>\n<div class=\"blocks\">");
        for (content, width) in &self.blocks {
            let class = match width {
                Width::Chart => "block",
                Width::Whole => "block whole",
            };
            let _ = writeln!(html, "<div class=\"{class}\">\n{content}</div>");
        }
        html.push_str("</div>\n</section>\n");
    }

    /// The heading as a name in addresses.
    fn id(&self) -> String {
        let letter = |character: char| if character.is_alphanumeric() { character } else { '-' };
        self.heading.to_lowercase().chars().map(letter).collect()
    }
}

impl Page {
    /// The whole file.
    pub fn to_html(&self) -> String {
        let title = escape(&self.title);
        let mut html = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; \
             style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
             <header>\n<div><h1>{title}</h1>\n<p>{}</p></div>\n\
             <button type=\"button\" id=\"theme\" hidden>theme</button>\n</header>\n",
            escape(&self.subtitle)
        );
        let sections = || self.sections.iter().filter(|section| !section.is_empty());
        if sections().count() > 1 {
            html.push_str("<nav>");
            for section in sections() {
                let _ = write!(html, "<a href=\"#{}\">{}</a>", section.id(), escape(&section.heading));
            }
            html.push_str("</nav>\n");
        }
        html.push_str("<main>\n");
        for section in sections() {
            section.write(&mut html);
        }
        let _ = write!(
            html,
            "</main>\n<footer>{}</footer>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
            escape(&self.foot)
        );
        html
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_one_file_that_loads_nothing() {
        let page = Page {
            title: "<run>".to_owned(),
            subtitle: "a & b".to_owned(),
            foot: "garrison".to_owned(),
            sections: vec![
                Section::new("Self-play & more").whole(Html::paragraph("<p>")),
                Section::new("Empty"),
                Section::new("Last").chart(Html::text("text")),
            ],
        };
        let html = page.to_html();
        assert!(html.contains("<title>&lt;run&gt;</title>"));
        assert!(html.contains("<a href=\"#self-play---more\">Self-play &amp; more</a>"));
        assert!(!html.contains("Empty"), "sections without contents are left out");
        for outside in ["http://", "https://", "url(", "@import", "<link", "src=\"", "fetch("] {
            assert!(!html.contains(outside), "{outside}");
        }
    }
}
