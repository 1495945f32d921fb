//! Just enough of an HTML reader for our own page: elements, their attributes, and the text that follows the tag.

use std::collections::BTreeMap;

/// An element of the page, up to the next tag.
#[derive(Debug, PartialEq)]
pub struct Element {
    /// Lower-case name, `/p` for an end tag.
    pub tag: String,
    /// Attributes, unescaped; a bare one is the empty text.
    pub attributes: BTreeMap<String, String>,
    /// Text up to the next tag, unescaped, runs of white space made one space, trimmed.
    pub text: String,
}

/// The elements of a page in their order, end tags included; comments, the doctype, scripts and styles left out.
///
/// # Errors
/// A sentence, when a tag or an attribute is not closed.
pub fn elements(page: &str) -> Result<Vec<Element>, String> {
    let mut found = Vec::new();
    let mut rest = page;
    while let Some(start) = rest.find('<') {
        rest = &rest[start..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = after(comment, "-->")?;
        } else if rest.starts_with("<!") {
            rest = after(rest, ">")?;
        } else {
            let (mut element, tail) = element(&rest[1..])?;
            rest = tail;
            if ["script", "style"].contains(&element.tag.as_str()) {
                rest = after(tail, &format!("</{}>", element.tag))?;
                element.text.clear();
            }
            found.push(element);
        }
    }
    Ok(found)
}

fn after<'a>(text: &'a str, end: &str) -> Result<&'a str, String> {
    let (_, tail) = text
        .split_once(end)
        .ok_or_else(|| format!("no {end} after {:?}", excerpt(text)))?;
    Ok(tail)
}

fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

/// Reads one element; `text` begins after its `<`.
fn element(text: &str) -> Result<(Element, &str), String> {
    let name_end = text
        .find(|c: char| c.is_whitespace() || c == '>')
        .ok_or("a tag is not closed")?;
    let tag = text[..name_end].to_ascii_lowercase();
    let mut attributes = BTreeMap::new();
    let mut rest = text[name_end..].trim_start();
    while !rest.starts_with('>') {
        if rest.is_empty() {
            return Err(format!("<{tag}> is not closed"));
        }
        let (name, value, tail) = attribute(rest)?;
        attributes.insert(name, value);
        rest = tail.trim_start();
    }
    let rest = &rest[1..];
    let text = rest.split('<').next().unwrap_or_default();
    Ok((
        Element {
            tag,
            attributes,
            text: plain(text),
        },
        rest,
    ))
}

fn attribute(text: &str) -> Result<(String, String, &str), String> {
    let end = text
        .find(|c: char| c.is_whitespace() || c == '=' || c == '>')
        .unwrap_or(text.len());
    let (name, rest) = text.split_at(end.max(1));
    let Some(quoted) = rest.strip_prefix("=\"") else {
        return Ok((name.to_ascii_lowercase(), String::new(), rest));
    };
    let (value, tail) = quoted
        .split_once('"')
        .ok_or_else(|| format!("no closing quote in {:?}", excerpt(text)))?;
    Ok((name.to_ascii_lowercase(), plain(value), tail))
}

fn plain(text: &str) -> String {
    let spaced = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let unescaped = spaced
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"");
    unescaped
        .replace("&#39;", "'")
        .replace("&nbsp;", "\u{a0}")
        .replace("&amp;", "&")
}
