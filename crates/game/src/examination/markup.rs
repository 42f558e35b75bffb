//! Whether a picture is a well-formed SVG document: enough of XML for pictures that programs write.

/// Says what is not well-formed: elements that are not closed in order, attributes without quotes,
/// ampersands that stand for nothing, a root that is no `svg`.
pub(super) fn well_formed(text: &str) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text.trim();
    let mut roots = 0;
    while !rest.is_empty() {
        let Some(start) = rest.find('<') else {
            return Err(format!("text after the end: {}", shown(rest)));
        };
        let between = &rest[..start];
        if open.is_empty() && !between.trim().is_empty() {
            return Err(format!("text outside the root: {}", shown(between)));
        }
        references(between)?;
        rest = &rest[start..];
        if let Some(end) = skipped(rest) {
            rest = &rest[end?..];
            continue;
        }
        let tag_end = tag_end(rest).ok_or_else(|| format!("a tag that does not end: {}", shown(rest)))?;
        let tag = &rest[1..tag_end];
        rest = &rest[tag_end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            match open.pop() {
                Some(opened) if opened == name.trim_end() => {}
                opened => return Err(format!("</{name}> closes {opened:?}")),
            }
            continue;
        }
        let (tag, closed) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let name = tag.split_whitespace().next().unwrap_or("");
        let letters = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | ':' | '_');
        if !name.starts_with(|letter: char| letter.is_ascii_alphabetic()) || !name.chars().all(letters) {
            return Err(format!("no name: <{}", shown(tag)));
        }
        if open.is_empty() {
            roots += 1;
            if name != "svg" || !tag.contains("xmlns=\"http://www.w3.org/2000/svg\"") {
                return Err(format!("the root is no svg with its name space: <{}", shown(tag)));
            }
        }
        attributes(&tag[name.len()..])?;
        if !closed {
            open.push(name);
        }
    }
    match (open.last(), roots) {
        (Some(name), _) => Err(format!("<{name}> is not closed")),
        (None, 1) => Ok(()),
        (None, _) => Err(format!("{roots} roots")),
    }
}

/// The length of a comment or declaration at the start of `text`, if one stands there.
fn skipped(text: &str) -> Option<Result<usize, String>> {
    let end = match text {
        _ if text.starts_with("<!--") => "-->",
        _ if text.starts_with("<?") => "?>",
        _ => return None,
    };
    Some(text.find(end).map(|at| at + end.len()).ok_or_else(|| format!("no {end} after {}", shown(text))))
}

/// Where the tag at the start of `text` ends, quoted `>` left aside.
fn tag_end(text: &str) -> Option<usize> {
    let mut quote = None;
    text.char_indices().find_map(|(at, letter)| {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (None, '"' | '\'') => quote = Some(letter),
            (None, '>') => return Some(at),
            _ => {}
        }
        None
    })
}

/// `name="value"` again and again, no name twice.
fn attributes(text: &str) -> Result<(), String> {
    let mut rest = text.trim();
    let mut names = Vec::new();
    while !rest.is_empty() {
        let fault = || format!("no attribute: {}", shown(rest));
        let (name, after) = rest.split_once('=').ok_or_else(fault)?;
        let quote =
            after.chars().next().filter(|&letter| letter == '"' || letter == '\'').ok_or_else(fault)?;
        let (value, after) = after[1..].split_once(quote).ok_or_else(fault)?;
        if name.is_empty()
            || name.contains(char::is_whitespace)
            || value.contains('<')
            || names.contains(&name)
        {
            return Err(fault());
        }
        if !after.is_empty() && !after.starts_with(char::is_whitespace) {
            return Err(fault());
        }
        references(value)?;
        names.push(name);
        rest = after.trim_start();
    }
    Ok(())
}

/// Every ampersand begins a reference.
fn references(text: &str) -> Result<(), String> {
    for part in text.split('&').skip(1) {
        let name = part.split_once(';').map_or("", |(name, _)| name);
        let number = name.strip_prefix('#').is_some_and(|digits| digits.parse::<u32>().is_ok());
        if !number && !matches!(name, "amp" | "lt" | "gt" | "quot" | "apos") {
            return Err(format!("an ampersand that stands for nothing: &{}", shown(part)));
        }
    }
    Ok(())
}

fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::well_formed;

    const ROOT: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\">";

    #[test]
    fn good_pictures_pass() {
        for inside in
            ["", "<g><rect x=\"1\" y='2'/>a &amp; b &#9733;</g>", "<!-- <g> --><text a=\">\">x</text>"]
        {
            assert_eq!(well_formed(&format!("<?xml version=\"1.0\"?>\n{ROOT}{inside}</svg>\n")), Ok(()));
        }
    }

    #[test]
    fn bad_pictures_do_not() {
        for inside in [
            "<g>",
            "</g>",
            "<g></h>",
            "a & b",
            "<r x=1/>",
            "<r x=\"1\" x=\"2\"/>",
            "<r x=\"<\"/>",
            "< r/>",
            "<!-- ",
        ] {
            assert!(well_formed(&format!("{ROOT}{inside}</svg>")).is_err(), "{inside}");
        }
        for text in [
            "",
            "<g/>",
            "<svg></svg>",
            "text",
            &format!("{ROOT}</svg>{ROOT}</svg>"),
            &format!("{ROOT}</svg> x"),
        ] {
            assert!(well_formed(text).is_err(), "{text}");
        }
    }
}
