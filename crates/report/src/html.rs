//! Markup that is safe to put into a page.

use std::fmt::{self, Write};

/// A piece of HTML. Made from text by escaping it, or by the nouns of this crate; so a name, a path or an
/// error message can never become markup.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Html(String);

impl Html {
    /// Markup that this crate wrote itself, its texts escaped.
    pub(crate) fn trusted(markup: String) -> Html {
        Html(markup)
    }

    /// Text as it stands.
    pub fn text(text: &str) -> Html {
        Html(escape(text))
    }

    /// A paragraph of text.
    pub fn paragraph(text: &str) -> Html {
        Html(format!("<p>{}</p>\n", escape(text)))
    }

    /// Text in fixed width, its line breaks kept.
    pub fn preformatted(text: &str) -> Html {
        Html(format!("<pre>{}</pre>\n", escape(text)))
    }

    /// Something that the reader opens with a click on `summary`.
    pub fn folded(summary: &str, content: Html) -> Html {
        Html(format!(
            "<details class=\"folded\"><summary>{}</summary>\n{content}</details>\n",
            escape(summary)
        ))
    }

    /// This, then that.
    pub fn and(mut self, other: Html) -> Html {
        self.0.push_str(&other.0);
        self
    }

    /// The markup.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Html {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Escapes text for element contents and for attributes in quotes.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // Not allowed in a page, whichever way it is written.
            '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}' => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// An SVG document as the address of a picture.
pub(crate) fn data_address(svg: &str) -> String {
    let mut address = String::from("data:image/svg+xml,");
    for byte in svg.bytes() {
        match byte {
            b'A'..=b'Z'
            | b'a'..=b'z'
            | b'0'..=b'9'
            | b' '
            | b'-'
            | b'_'
            | b'.'
            | b','
            | b'/'
            | b'='
            | b':'
            | b'('
            | b')' => address.push(char::from(byte)),
            _ => {
                let _ = write!(address, "%{byte:02X}");
            }
        }
    }
    address
}

/// JSON for a data block: no `<` in it, so that it cannot end its element.
pub(crate) fn data_block(json: &serde_json::Value) -> String {
    format!("<script type=\"application/json\">{}</script>\n", json.to_string().replace('<', "\\u003c"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_never_becomes_markup() {
        let text = "<script>alert(\"a\" & 'b')</script>\u{1}";
        assert_eq!(
            Html::text(text).as_str(),
            "&lt;script&gt;alert(&quot;a&quot; &amp; &#39;b&#39;)&lt;/script&gt;\u{fffd}"
        );
        assert!(!Html::folded(text, Html::paragraph(text)).as_str().contains("<script>"));
    }

    #[test]
    fn data_cannot_end_its_block() {
        let block = data_block(&serde_json::json!(["</script><b>"]));
        assert_eq!(block.matches('<').count(), 2, "{block}");
        let json = block.trim_end().trim_start_matches("<script type=\"application/json\">");
        let json: serde_json::Value = serde_json::from_str(json.trim_end_matches("</script>")).unwrap();
        assert_eq!(json[0], "</script><b>");
    }
}
