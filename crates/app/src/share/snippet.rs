//! The text to copy: a link, HTML or Markdown. Everything in the sentence is escaped for its form.

use super::{Form, whole};
use crate::i18n::{self, Language, text};
use crate::state::{Field, State, url};
use attention::text::tokens::is_invisible;

/// How much of the sentence is part of a name.
const NAMED: usize = 60;

/// The file that defines the element, beside the page.
const MODULE: &str = "attention-playground.js";

/// Where the page stands, and how much room it takes.
#[derive(Clone, Copy, Debug)]
pub struct ShareTarget<'a> {
    /// The page's own address; what comes after `#` does not matter.
    pub address: &'a str,
    /// Accessible name of the frame, and text of links to it.
    pub name: &'a str,
    /// Height of a frame, in CSS pixels.
    pub height: u32,
}

/// The address of the page with `state` in it.
pub fn link(address: &str, state: &State) -> String {
    format!("{}#{}", before(address, '#'), url::to_fragment(state))
}

/// Name of the page with `state`: the site's name and the beginning of the sentence.
pub fn name(state: &State, language: Language) -> String {
    let words: Vec<&str> = state.text.split_whitespace().collect();
    let shown = words.join(" ").replace(is_invisible, "");
    text::share_name(language, &i18n::beginning(&shown, NAMED))
}

/// The text that shares `state` as `form`.
pub fn snippet(form: Form, state: &State, place: &ShareTarget<'_>) -> String {
    let link = link(place.address, state);
    match form {
        Form::Link | Form::File => link,
        // No style: strict pages refuse it, and so does Markdown that is compiled to a program.
        Form::Frame => format!(
            "<iframe src=\"{}\" title=\"{}\" width=\"100%\" height=\"{}\" frameborder=\"0\" loading=\"lazy\"></iframe>",
            attribute(&link),
            attribute(place.name),
            place.height
        ),
        Form::Element => element(state, place),
        Form::Markdown => format!("[{}]({})", markdown(place.name), destination(&link)),
    }
}

/// Snippet with the custom element. Its content is visible where the element cannot run: a link to
/// the page. `async` makes no difference where a browser parses the snippet; without it React, and
/// therefore Docusaurus, runs no script on a page reached by client-side navigation.
fn element(state: &State, place: &ShareTarget<'_>) -> String {
    let page = before(place.address, '#');
    let path = before(page, '?');
    let folder = path.rfind('/').map_or("", |at| &path[..=at]);
    let mut written = format!(
        "<script async type=\"module\" src=\"{}{MODULE}\"></script>\n<attention-playground",
        attribute(folder)
    );
    for (field, value) in url::settings(state) {
        let (name, value) = match field {
            Field::Embed | Field::Origins => continue,
            Field::Text => ("tokens", value),
            Field::Show => ("controls", value.replace(',', " ")),
            _ => (field.key(), value),
        };
        written += &format!(" {name}=\"{}\"", attribute(&value));
    }
    let link = format!("{page}#{}", whole(state));
    let (link, name) = (attribute(&link), attribute(place.name));
    written + &format!("><a href=\"{link}\">{name}</a></attention-playground>")
}

fn before(text: &str, end: char) -> &str {
    text.split(end).next().unwrap_or_default()
}

/// A text as the value of an attribute between double quotes. Blanks of every kind and what cannot be seen are written as
/// numbers, so that no editor changes them.
pub(super) fn attribute(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => written += "&amp;",
            '<' => written += "&lt;",
            '>' => written += "&gt;",
            '"' => written += "&quot;",
            ' ' => written.push(c),
            // By their numbers HTML takes these for other characters: 146 is a quote.
            '\u{80}'..='\u{9f}' => written.push(c),
            _ if c.is_whitespace() || c.is_control() || is_invisible(c) => {
                written += &format!("&#{};", u32::from(c));
            }
            _ => written.push(c),
        }
    }
    written
}

/// A text between the brackets of a link in Markdown, on one line: nothing in it begins or ends anything.
fn markdown(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for c in text.chars() {
        if "\\`*_[]<>{}&|~$".contains(c) {
            written.push('\\');
        }
        written.push(c);
    }
    written
}

/// An address between the parentheses of a link in Markdown.
fn destination(link: &str) -> String {
    let mut written = String::with_capacity(link.len());
    for c in link.chars() {
        match c {
            '(' | ')' | '<' | '>' | '\\' => {
                written += &format!("%{:02X}", u32::from(c));
            }
            _ => written.push(c),
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Value;

    const ADDRESS: &str = "https://a.example/lab/(1)/index.html?x=1&y#v=1";

    fn with(text: &str) -> State {
        let mut state = State::default();
        assert_eq!(state.set(Field::Text, Value::Text(text.to_owned())), Ok(()));
        state.cell = None;
        state
    }

    fn written(form: Form, state: &State) -> String {
        let place = ShareTarget {
            address: ADDRESS,
            name: &name(state, Language::En),
            height: 480,
        };
        snippet(form, state, &place)
    }

    #[test]
    fn each_form_is_as_it_is_documented() {
        let mut state = with("the cat");
        state.heads = 2;
        state.kv_heads = 2;
        let link = "https://a.example/lab/(1)/index.html?x=1&y#v=1&text=the+cat&heads=2";
        assert_eq!(written(Form::Link, &state), link);
        assert_eq!(
            written(Form::Frame, &state),
            "<iframe src=\"https://a.example/lab/(1)/index.html?x=1&amp;y#v=1&amp;text=the+cat&amp;heads=2\" \
             title=\"Attention Playground: the cat\" width=\"100%\" height=\"480\" frameborder=\"0\" loading=\"lazy\"></iframe>"
        );
        assert_eq!(
            written(Form::Element, &state),
            "<script async type=\"module\" src=\"https://a.example/lab/(1)/attention-playground.js\"></script>\n\
             <attention-playground tokens=\"the cat\" heads=\"2\">\
             <a href=\"https://a.example/lab/(1)/index.html?x=1&amp;y#v=1&amp;text=the+cat&amp;heads=2\">\
             Attention Playground: the cat</a></attention-playground>"
        );
        assert_eq!(
            written(Form::Markdown, &state),
            "[Attention Playground: the cat](https://a.example/lab/%281%29/index.html?x=1&y#v=1&text=the+cat&heads=2)"
        );
    }

    #[test]
    fn what_is_shown_and_locked_are_attributes_too() {
        let (state, _) = url::parse(
            "embed&text=a+b&show=heads,mask&lock=all&mask=causal,local&origins=https://b.example",
        );
        let element = written(Form::Element, &state);
        assert!(element.contains(
            "<attention-playground tokens=\"a b\" mask=\"causal,local\" controls=\"heads mask\" lock=\"all\"><a href="
        ));
        // Who cannot have the element gets all of the page.
        assert!(
            element.contains("#v=1&amp;text=a+b&amp;mask=causal,local\">"),
            "{element}"
        );
    }

    /// Nothing that a sentence holds ends an attribute, a tag, a link or a line.
    #[test]
    fn hostile_sentences_stay_text() {
        for text in [
            "\"><script>alert(1)</script>",
            "' onload='alert(1)",
            "](javascript:alert(1))",
            "\\](javascript:alert(1))",
            "`](x) ``",
            "a\n\n# b\r\n<!-- --> ]]>",
            "&quot;&#34;",
            "\u{202E}gnp.exe\u{0}\u{2028}",
            "![x](https://evil.example/x.png)",
        ] {
            let state = with(text);
            for form in [Form::Frame, Form::Element] {
                let html = written(form, &state);
                let tags = html.matches('<').count();
                assert_eq!(tags, if form == Form::Frame { 2 } else { 6 }, "{html}");
                assert_eq!(html.matches('>').count(), tags, "{html}");
                let quotes = |html: &str| html.matches('"').count();
                assert_eq!(
                    quotes(&html),
                    quotes(&written(form, &with("plain"))),
                    "{html}"
                );
                assert_eq!(
                    html.lines().count(),
                    if form == Form::Frame { 1 } else { 2 }
                );
                assert!(
                    !html.contains("&quot;&#34;") && !html.contains("<!--"),
                    "{html}"
                );
                assert!(
                    !html
                        .chars()
                        .any(|c| c != '\n' && (is_invisible(c) || c.is_control())),
                    "{html:?}"
                );
            }
            let markdown = written(Form::Markdown, &state);
            assert_eq!(markdown.lines().count(), 1, "{markdown}");
            let bare = markdown
                .replace("\\\\", "")
                .replace("\\[", "")
                .replace("\\]", "");
            assert_eq!(
                (bare.matches('[').count(), bare.matches(']').count()),
                (1, 1),
                "{markdown}"
            );
            let (_, destination) = bare.split_once("](").expect("a destination");
            assert!(destination.starts_with("https://a.example/"), "{markdown}");
            assert_eq!(
                destination.matches(['(', ')', ' ', '<', '>', '\\']).count(),
                1,
                "{markdown}"
            );
        }
    }

    /// A reference to one of the numbers 128 to 159 stands for a letter or a mark of Windows-1252.
    #[test]
    fn controls_that_have_no_reference_stand_as_they_are() {
        let element = written(Form::Element, &with("a\u{85}b\u{92}\u{7f}\u{a0}c"));
        assert!(
            element.contains("tokens=\"a\u{85}b\u{92}&#127;&#160;c\""),
            "{element:?}"
        );
    }

    #[test]
    fn a_name_is_one_short_line() {
        assert_eq!(
            name(&with(" a\n b\t"), Language::En),
            "Attention Playground: a b"
        );
        let long = name(&with(&"字".repeat(500)), Language::Zh);
        assert!(long.chars().count() < 90 && long.ends_with('…'), "{long}");
        assert_eq!(
            name(&with("\u{202E}x"), Language::En),
            "Attention Playground: x"
        );
    }
}
