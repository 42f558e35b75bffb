//! A picture that a game drew.

use crate::html::{Html, data_address, escape};
use std::fmt::Write;

/// A drawing with a heading. The browser shows it as an image, so that nothing in it can reach the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// Its heading.
    pub title: String,
    /// One sentence below the heading; empty for none.
    pub note: String,
    /// The drawing, an SVG document.
    pub svg: String,
}

impl Picture {
    /// The picture.
    pub fn to_html(&self) -> Html {
        let title = escape(&self.title);
        let mut html = format!("<figure class=\"chart picture\">\n<figcaption><h3>{title}</h3>");
        if !self.note.is_empty() {
            // Writing to a string cannot fail.
            let _ = write!(html, "<p>{}</p>", escape(&self.note));
        }
        let address = data_address(&self.svg);
        let _ = write!(html, "</figcaption>\n<img alt=\"{title}\" src=\"{address}\">\n</figure>\n");
        Html::trusted(html)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_an_image_and_nothing_else() {
        let picture = Picture {
            title: "<a>".to_owned(),
            note: String::new(),
            svg: "<svg a=\"1\"><script>x</script></svg>".to_owned(),
        };
        let html = picture.to_html().to_string();
        assert!(html.contains("src=\"data:image/svg+xml,%3Csvg a=%221%22%3E%3Cscript%3Ex"), "{html}");
        assert!(html.contains("alt=\"&lt;a&gt;\"") && !html.contains("<script"));
    }
}
