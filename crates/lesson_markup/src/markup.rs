//! Texts of a lesson as HTML. What is written as HTML is shown as it is written, addresses lead to the web or into the page, pictures are
//! their descriptions, and formulas are MathML.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};
use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::{Parser as LatexParser, Storage, push_mathml};

use lessons::ParseErrorKind;

/// How deep elements may stand in each other, as whoever reads the HTML may go down into each of them.
const DEEPEST: usize = 60;

/// Something that cannot be shown.
#[derive(Debug)]
pub(crate) struct BadMarkup {
    /// Where it stands in the text, in bytes.
    pub(crate) offset: usize,
    /// Why.
    pub(crate) reason: ParseErrorKind,
}

/// A text of paragraphs, on one line.
pub(crate) fn to_html(markdown: &str) -> Result<String, BadMarkup> {
    let mut written = String::new();
    html::push_html(&mut written, events(markdown)?.into_iter());
    // The corner of a table heads nothing.
    shallow(on_one_line(&written).replace("<th></th>", "<td></td>"))
}

/// A text of one line: without the paragraph around it.
pub(crate) fn line_to_html(markdown: &str) -> Result<String, BadMarkup> {
    let is_around = |event: &Event<'_>| {
        matches!(
            event,
            Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph)
        )
    };
    let mut events = events(markdown)?;
    events.retain(|event| !is_around(event));
    let mut written = String::new();
    html::push_html(&mut written, events.into_iter());
    shallow(on_one_line(&written))
}

/// `html`, unless its elements stand too deep in each other.
fn shallow(html: String) -> Result<String, BadMarkup> {
    let mut depth = 0_usize;
    for tag in html.split('<').skip(1) {
        if tag.starts_with('/') {
            depth = depth.saturating_sub(1);
        } else if !["br", "hr"].iter().any(|void| tag.starts_with(void)) {
            depth += 1;
        }
        if depth > DEEPEST {
            return Err(BadMarkup {
                offset: 0,
                reason: ParseErrorKind::TooDeep,
            });
        }
    }
    Ok(html)
}

/// Breaks between lines are spaces, and elements where they are to be seen.
fn on_one_line(html: &str) -> String {
    let mut pieces = html.trim_end().split("<pre>");
    let mut written = pieces.next().unwrap_or_default().replace('\n', " ");
    for piece in pieces {
        let (code, after) = piece.split_once("</pre>").unwrap_or((piece, ""));
        let code = code.replace('\n', "<br>");
        written += &format!("<pre>{code}</pre>{}", after.replace('\n', " "));
    }
    written
}

fn events(markdown: &str) -> Result<Vec<Event<'_>>, BadMarkup> {
    let options = Options::ENABLE_MATH | Options::ENABLE_TABLES;
    let mut is_refused = false;
    let event = |(event, place): (_, std::ops::Range<usize>)| {
        let formula = |formula: &str, mode| match mathml(formula, mode) {
            Ok(mathml) => Ok(Event::InlineHtml(mathml.into())),
            Err(reason) => Err(BadMarkup {
                offset: place.start,
                reason: ParseErrorKind::Formula(reason),
            }),
        };
        Ok(match event {
            Event::Html(written) | Event::InlineHtml(written) => Event::Text(written),
            Event::InlineMath(source) => formula(&source, DisplayMode::Inline)?,
            Event::DisplayMath(source) => formula(&source, DisplayMode::Block)?,
            Event::Start(Tag::Link { ref dest_url, .. }) if !leads_on(dest_url) => {
                is_refused = true;
                Event::Start(Tag::Emphasis)
            }
            Event::End(TagEnd::Link) if std::mem::take(&mut is_refused) => {
                Event::End(TagEnd::Emphasis)
            }
            Event::Start(Tag::Image { .. }) => Event::Start(Tag::Emphasis),
            Event::End(TagEnd::Image) => Event::End(TagEnd::Emphasis),
            event => event,
        })
    };
    let parser = Parser::new_ext(markdown, options).into_offset_iter();
    parser.map(event).collect()
}

/// Whether an address is one of the web's, or a place in this page.
fn leads_on(address: &str) -> bool {
    ["https://", "http://", "#"]
        .iter()
        .any(|start| address.starts_with(start))
}

fn mathml(formula: &str, display_mode: DisplayMode) -> Result<String, String> {
    let storage = Storage::new();
    let parser = LatexParser::new(formula, &storage);
    let config = RenderConfig {
        display_mode,
        ..RenderConfig::default()
    };
    let events: Vec<_> = parser.collect();
    if let Some(Err(error)) = events.iter().find(|event| event.is_err()) {
        return Err(error.to_string());
    }
    let mut written = String::new();
    push_mathml(&mut written, events.into_iter(), config).map_err(|error| error.to_string())?;
    Ok(with_end_tags(&written))
}

/// The same with an end tag for each element that is closed where it is opened, which HTML allows in MathML alone.
fn with_end_tags(mathml: &str) -> String {
    let mut pieces = mathml.split("/>");
    let mut written = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let opened = written.rsplit_once('<').map_or("", |(_, opened)| opened);
        let name: String = opened
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect();
        written.truncate(written.trim_end().len());
        written += &format!("></{name}>{piece}");
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(markdown: &str) -> String {
        to_html(markdown).unwrap_or_else(|bad| panic!("{markdown}: {bad:?}"))
    }

    #[test]
    fn formulas_become_mathml_and_html_is_shown() {
        let written = html("Divide by $\\sqrt{d_k}$, *now*.");
        assert!(
            written.contains("<msqrt>") && written.contains("<em>now</em>"),
            "{written}"
        );
        assert!(html("$$A = \\frac{a}{b}$$").contains("display=\"block\""));
        let space = html("$a \\, b$");
        assert!(
            space.contains("\"></mspace>") && !space.contains("/>"),
            "{space}"
        );
        let line = line_to_html("a **b**").ok();
        assert_eq!(line.as_deref(), Some("a <strong>b</strong>"));
        let bad = to_html("$a_b$, 5 dollars, $\\frac{a}$").expect_err("no formula");
        assert_eq!(bad.offset, 18);
    }

    #[test]
    fn a_text_is_one_line_and_code_keeps_its_lines() {
        assert_eq!(
            html("a\nb\n\n```\nc\nd\n```\n\ne"),
            "<p>a b</p> <pre><code>c<br>d<br></code></pre> <p>e</p>"
        );
        let table = html("| | a |\n|---|---|\n| b | c |");
        assert!(table.contains("<tr><td></td><th>a</th></tr>"), "{table}");
    }

    #[test]
    fn what_is_nested_too_deep_is_refused() {
        for (open, close) in [
            ("{", "}"),
            ("\\frac{", "}{1}"),
            ("\\sqrt{", "}"),
            ("a^{", "}"),
        ] {
            let formula = |deep: usize| format!("${}x{}$", open.repeat(deep), close.repeat(deep));
            assert!(to_html(&formula(9)).is_ok(), "{open}");
            let bad = to_html(&formula(900)).expect_err(open);
            assert_eq!(bad.reason, ParseErrorKind::TooDeep, "{open}");
        }
        assert!(to_html(&">".repeat(9)).is_ok());
        assert!(to_html(&">".repeat(9_000)).is_err());
        assert!(to_html(&"- a\n---\n".repeat(99)).is_ok());
    }

    #[test]
    fn nothing_runs_and_nothing_is_loaded() {
        for hostile in [
            "<img src=x onerror=alert(1)>",
            "a <script>alert(1)</script> b",
            "[press](javascript:alert(1)) and [this](https://example.org)",
            "![picture](https://example.org/p.png)",
            "$\\text{<img src=x onerror=alert(1)>}$",
            "$\\href{javascript:alert(1)}{x}$",
            "$\\class{x\" onclick=\"alert(1)}{y}$",
            "$<script>$",
        ] {
            // What is refused is not shown either.
            let written = to_html(hostile).unwrap_or_default();
            for tag in [
                "<img",
                "<script",
                "href=\"javascript",
                "src=\"http",
                "onclick",
            ] {
                assert!(!written.contains(tag), "{hostile}: {written}");
            }
            let [begun, ended] = ["<em>", "</em>"].map(|tag| written.matches(tag).count());
            assert_eq!(begun, ended);
        }
        assert!(html("[this](https://example.org)").contains("href=\"https://example.org\""));
    }
}
