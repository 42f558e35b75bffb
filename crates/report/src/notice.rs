//! What a reader should not miss.

use crate::html::{Html, escape};

/// How much it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// All is well.
    Good,
    /// Something to know.
    Remark,
    /// Something that may go wrong.
    Warning,
    /// Something that went wrong.
    Fault,
}

impl Level {
    const fn class(self) -> &'static str {
        match self {
            Level::Good => "good",
            Level::Remark => "remark",
            Level::Warning => "warning",
            Level::Fault => "fault",
        }
    }
}

/// A notice in a box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// How much it matters.
    pub level: Level,
    /// In a few words.
    pub title: String,
    /// What there is to say beside, or to do; may be empty.
    pub text: String,
}

impl Notice {
    /// A notice.
    pub fn new(level: Level, title: impl Into<String>, text: impl Into<String>) -> Notice {
        Notice { level, title: title.into(), text: text.into() }
    }

    /// The box.
    pub fn to_html(&self) -> Html {
        let text =
            if self.text.is_empty() { String::new() } else { format!("<p>{}</p>", escape(&self.text)) };
        Html::trusted(format!(
            "<div class=\"notice {}\" role=\"note\"><p><strong>{}</strong></p>{text}</div>\n",
            self.level.class(),
            escape(&self.title)
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_say_how_much_they_matter() {
        let html = Notice::new(Level::Warning, "draws & more", "").to_html();
        let right =
            "<div class=\"notice warning\" role=\"note\"><p><strong>draws &amp; more</strong></p></div>\n";
        assert_eq!(html.as_str(), right);
    }
}
