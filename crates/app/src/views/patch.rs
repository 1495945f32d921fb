//! Computes the edits that turn a view's old markup into the new one.
//!
//! Both markups are read, never the page: what did not change is not touched, so focus, selection and scroll positions stay, and an
//! update costs what it changes. Children are paired from both ends by kind; what is left between them is replaced.

use std::ops::Range;

/// A change to the children of an element. Indices refer to the list before any change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// The text at a place is another one.
    Text(usize, String),
    /// Sets an attribute of the element at an index, or removes it.
    Attribute(usize, String, Option<String>),
    /// Changes to the children of the element at a place.
    Children(usize, Vec<Edit>),
    /// Replaces these nodes by markup; always the last change of a list.
    Replace(Range<usize>, String),
}

/// The changes that lead from one markup to another; `None` where one of them cannot be read.
pub fn diff(old: &str, new: &str) -> Option<Vec<Edit>> {
    Some(children(&parse(old)?, &parse(new)?))
}

#[derive(Clone, Debug)]
enum Node<'a> {
    Text(&'a str),
    Element(Element<'a>),
}

#[derive(Clone, Debug)]
struct Element<'a> {
    tag: &'a str,
    attributes: Vec<(&'a str, &'a str)>,
    children: Vec<Node<'a>>,
    source: &'a str,
}

impl<'a> Node<'a> {
    fn source(&self) -> &'a str {
        match self {
            Self::Text(text) => text,
            Self::Element(element) => element.source,
        }
    }

    fn is_kind_of(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text(_), Self::Text(_)) => true,
            (Self::Element(one), Self::Element(other)) => {
                one.tag == other.tag && one.attribute("id") == other.attribute("id")
            }
            _ => false,
        }
    }
}

impl<'a> Element<'a> {
    fn attribute(&self, name: &str) -> Option<&'a str> {
        let found = self.attributes.iter().find(|(own, _)| *own == name);
        found.map(|(_, value)| *value)
    }
}

fn children(old: &[Node<'_>], new: &[Node<'_>]) -> Vec<Edit> {
    let shorter = old.len().min(new.len());
    let pairs = || old.iter().zip(new);
    let start = pairs().take_while(|(old, new)| old.is_kind_of(new)).count();
    let back = || old.iter().rev().zip(new.iter().rev()).take(shorter - start);
    let end = back().take_while(|(old, new)| old.is_kind_of(new)).count();
    let mut edits = Vec::new();
    let first = pairs().take(start).enumerate();
    let last = (old.len() - end..).zip(old[old.len() - end..].iter().zip(&new[new.len() - end..]));
    for (at, (old, new)) in first.chain(last) {
        node(at, old, new, &mut edits);
    }
    let (gone, come) = (start..old.len() - end, &new[start..new.len() - end]);
    if !gone.is_empty() || !come.is_empty() {
        edits.push(Edit::Replace(gone, come.iter().map(Node::source).collect()));
    }
    edits
}

fn node(at: usize, old: &Node<'_>, new: &Node<'_>, edits: &mut Vec<Edit>) {
    match (old, new) {
        _ if old.source() == new.source() => {}
        (Node::Element(old), Node::Element(new)) => {
            attributes(at, old, new, edits);
            let inner = children(&old.children, &new.children);
            if !inner.is_empty() {
                edits.push(Edit::Children(at, inner));
            }
        }
        _ => edits.push(Edit::Text(at, unescaped(new.source()))),
    }
}

fn attributes(at: usize, old: &Element<'_>, new: &Element<'_>, edits: &mut Vec<Edit>) {
    let set = new
        .attributes
        .iter()
        .filter(|(name, value)| old.attribute(name) != Some(value));
    let gone = old
        .attributes
        .iter()
        .filter(|(name, _)| new.attribute(name).is_none());
    edits.extend(
        set.map(|(name, value)| Edit::Attribute(at, (*name).to_owned(), Some(unescaped(value)))),
    );
    edits.extend(gone.map(|(name, _)| Edit::Attribute(at, (*name).to_owned(), None)));
}

/// Elements without an end tag.
const VOID: [&str; 6] = ["br", "hr", "img", "input", "col", "wbr"];

/// Reads markup as views write it: every element is closed, every value stands in double quotes.
fn parse(markup: &str) -> Option<Vec<Node<'_>>> {
    let mut rest = markup;
    let nodes = nodes(&mut rest)?;
    rest.is_empty().then_some(nodes)
}

/// The nodes up to an end tag or the end.
fn nodes<'a>(rest: &mut &'a str) -> Option<Vec<Node<'a>>> {
    let mut nodes = Vec::new();
    while !rest.is_empty() && !rest.starts_with("</") {
        nodes.push(if rest.starts_with('<') {
            Node::Element(element(rest)?)
        } else {
            let (text, after) = rest.split_at(rest.find('<').unwrap_or(rest.len()));
            *rest = after;
            Node::Text(text)
        });
    }
    Some(nodes)
}

fn element<'a>(rest: &mut &'a str) -> Option<Element<'a>> {
    let whole = *rest;
    *rest = rest.strip_prefix('<')?;
    let tag = name(rest)?;
    let mut attributes = Vec::new();
    while let Some(after) = rest.strip_prefix(' ') {
        *rest = after;
        attributes.push((name(rest)?, value(rest)?));
    }
    let closed = rest.strip_prefix("/>");
    *rest = closed.or_else(|| rest.strip_prefix('>'))?;
    let mut children = Vec::new();
    if closed.is_none() && !VOID.contains(&tag) {
        children = nodes(rest)?;
        *rest = rest
            .strip_prefix("</")?
            .strip_prefix(tag)?
            .strip_prefix('>')?;
    }
    let source = &whole[..whole.len() - rest.len()];
    Some(Element {
        tag,
        attributes,
        children,
        source,
    })
}

fn name<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let end = rest.find([' ', '>', '=', '/'])?;
    let (name, after) = rest.split_at(end);
    *rest = after;
    (!name.is_empty()).then_some(name)
}

/// Parses the value after an attribute's name; empty for an attribute without a value.
fn value<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let Some(after) = rest.strip_prefix("=\"") else {
        return Some("");
    };
    let (value, after) = after.split_once('"')?;
    *rest = after;
    Some(value)
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::html;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn escaped(text: &str) -> String {
        html! { (text) }.into_string()
    }

    /// The markup after the changes, applied as the browser applies them.
    fn patched(old: &str, edits: &[Edit]) -> String {
        let nodes = parse(old).expect("markup");
        let (replaced, own): (Vec<_>, Vec<_>) = edits
            .iter()
            .partition(|edit| matches!(edit, Edit::Replace(..)));
        let is_last = |edit: &Edit| edits.last() == Some(edit);
        assert!(replaced.iter().all(|edit| is_last(edit)), "{edits:?}");
        let mut written: Vec<String> = nodes
            .iter()
            .enumerate()
            .map(|(at, node)| edited(at, node, &own))
            .collect();
        if let Some(Edit::Replace(gone, markup)) = replaced.first() {
            written.splice(gone.clone(), [markup.clone()]);
        }
        written.concat()
    }

    /// A node after the changes at its place.
    fn edited(place: usize, node: &Node<'_>, edits: &[&Edit]) -> String {
        let Node::Element(element) = node else {
            let text = edits.iter().find_map(|edit| match edit {
                Edit::Text(at, text) if *at == place => Some(escaped(text)),
                _ => None,
            });
            return text.unwrap_or_else(|| node.source().to_owned());
        };
        let mut inner: String = element.children.iter().map(Node::source).collect();
        let mut attributes: BTreeMap<String, String> = element
            .attributes
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        for edit in edits {
            match edit {
                Edit::Attribute(at, name, value) if *at == place => {
                    attributes.remove(name);
                    attributes.extend(value.as_ref().map(|value| (name.clone(), escaped(value))));
                }
                Edit::Children(at, edits) if *at == place => inner = patched(&inner, edits),
                _ => {}
            }
        }
        let tag = element.tag;
        let attributes: String = attributes
            .iter()
            .map(|(name, value)| format!(" {name}=\"{value}\""))
            .collect();
        format!("<{tag}{attributes}>{inner}</{tag}>")
    }

    /// Markup of a few kinds of elements, with attributes in the order of their names.
    fn markup() -> impl Strategy<Value = String> {
        let text = "[a-c<&\" ]{1,3}".prop_map(|text| escaped(&text));
        text.prop_recursive(4, 24, 4, |inner| {
            let inner = prop::collection::vec(inner, 0..4);
            let value = prop::option::of("[xy&\"]{0,2}");
            (inner, "[pb]", value.clone(), value).prop_map(|(inner, tag, id, title)| {
                let inner = inner.concat();
                let written = |name, value: Option<String>| {
                    value.map_or_else(String::new, |value| {
                        format!(" {name}=\"{}\"", escaped(&value))
                    })
                };
                let (id, title) = (written("id", id), written("title", title));
                format!("<{tag}{id}{title}>{inner}</{tag}>")
            })
        })
    }

    proptest! {
        #[test]
        fn changes_lead_from_any_markup_to_any_other(old in markup(), new in markup()) {
            let edits = diff(&old, &new).expect("both are markup");
            prop_assert_eq!(patched(&old, &edits), new);
        }
    }

    fn changes(old: &str, new: &str) -> Vec<Edit> {
        diff(old, new).expect("markup")
    }

    #[test]
    fn what_is_the_same_is_not_touched() {
        let same = html! { p title="a & b" { "x < y" br; } }.into_string();
        assert_eq!(changes(&same, &same), []);
    }

    #[test]
    fn a_value_that_changes_is_written_alone_and_as_it_is_read() {
        let row = |share: f64, name: &str| {
            html! { tr { td data-share=(share) { (name) } td { "–" } } }.into_string()
        };
        let inner = vec![
            Edit::Attribute(0, "data-share".to_owned(), Some("0.5".to_owned())),
            Edit::Children(0, vec![Edit::Text(0, "<b> & \"c\"".to_owned())]),
        ];
        let expected = [Edit::Children(0, inner)];
        assert_eq!(changes(&row(0.25, "a"), &row(0.5, "<b> & \"c\"")), expected);
    }

    #[test]
    fn an_element_that_comes_leaves_what_stands_around_it() {
        let page = |note: bool| {
            html! { p { "a" } @if note { small { "note" } } button { "b" } }.into_string()
        };
        let note = "<small>note</small>".to_owned();
        let (without, with) = (page(false), page(true));
        assert_eq!(changes(&without, &with), [Edit::Replace(1..1, note)]);
        assert_eq!(
            changes(&with, &without),
            [Edit::Replace(1..2, String::new())]
        );
    }

    #[test]
    fn attributes_without_a_value_come_and_go() {
        let button = |is_off: bool| html! { button disabled[is_off] { "b" } }.into_string();
        let change = |value: Option<String>| [Edit::Attribute(0, "disabled".to_owned(), value)];
        let (on, off) = (button(false), button(true));
        assert_eq!(changes(&on, &off), change(Some(String::new())));
        assert_eq!(changes(&off, &on), change(None));
    }

    #[test]
    fn another_element_is_another_one_by_its_id() {
        let part = |id: &str| html! { p id=(id) { "a" } }.into_string();
        let expected = [Edit::Replace(0..1, part("two"))];
        assert_eq!(changes(&part("one"), &part("two")), expected);
    }

    #[test]
    fn what_is_no_markup_of_a_view_is_refused() {
        for broken in [
            "<p>",
            "</p>",
            "<p a='b'></p>",
            "<p></b>",
            "<p",
            "<p a=\"></p>",
            "a</p>",
        ] {
            assert_eq!(diff("", broken), None, "{broken}");
        }
    }
}
