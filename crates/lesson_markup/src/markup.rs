//! Texts of a lesson as HTML. What is written as HTML is shown as it is written, addresses lead to the web or into the page, pictures are
//! their descriptions, headings are strong paragraphs, and formulas are MathML.

use std::fmt;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};

use crate::formula::{self, DisplayMode};
use lessons::ParseErrorKind;

/// How deep elements may stand in each other, as whoever reads the HTML may go down into each of them.
const DEEPEST: usize = 60;

/// How many bytes of HTML a lesson may become.
pub(crate) const MOST_BYTES: usize = 256_000;

/// Prefix of a one-line text while it is parsed, so that nothing in it begins a heading, a list or
/// a quotation.
const BEFORE: &str = "x ";

/// Tags with what stands in their place. No text has any of them, since each `<` in it is escaped.
const TAGS: [(&str, &str); 8] = [
    // The corner of a table heads nothing.
    ("<th></th>", "<td></td>"),
    // The page's policy allows no style.
    (
        "<th style=\"text-align: left\">",
        "<th class=\"cell-left\">",
    ),
    (
        "<td style=\"text-align: left\">",
        "<td class=\"cell-left\">",
    ),
    (
        "<th style=\"text-align: center\">",
        "<th class=\"cell-center\">",
    ),
    (
        "<td style=\"text-align: center\">",
        "<td class=\"cell-center\">",
    ),
    (
        "<th style=\"text-align: right\">",
        "<th class=\"cell-right\">",
    ),
    (
        "<td style=\"text-align: right\">",
        "<td class=\"cell-right\">",
    ),
    // What leads elsewhere leaves the page, and whatever page it stands in, as it is.
    (
        "<a href=\"http",
        "<a target=\"_blank\" rel=\"noopener\" href=\"http",
    ),
];

/// Something that cannot be shown.
#[derive(Debug)]
pub(crate) struct BadMarkup {
    /// Where it stands in the text, in bytes.
    pub(crate) offset: usize,
    /// Why.
    pub(crate) reason: ParseErrorKind,
}

/// A text of paragraphs, on one line, where there is room for so many more bytes.
pub(crate) fn to_html(markdown: &str, room: usize) -> Result<String, BadMarkup> {
    let before = markdown.len() - markdown.trim_start().len();
    write(events(markdown), room).map_err(|bad| BadMarkup {
        offset: bad.offset.max(before),
        ..bad
    })
}

/// A text of one line, without a paragraph around it.
pub(crate) fn line_to_html(markdown: &str, room: usize) -> Result<String, BadMarkup> {
    if markdown.is_empty() {
        return Ok(String::new());
    }
    let around = format!("{BEFORE}{markdown}");
    let inner = events(&around).filter_map(|event| match event {
        Ok(Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph)) => None,
        event => Some(event),
    });
    let inner = inner.enumerate().map(|(at, event)| match event {
        Ok(Event::Text(text)) if at == 0 => {
            let own = text.strip_prefix(BEFORE).unwrap_or(&text);
            Ok(Event::Text(own.to_owned().into()))
        }
        event => event,
    });
    write(inner, room)
}

/// Writes `events` up to the first that cannot be shown.
fn write<'a>(
    events: impl Iterator<Item = Result<Event<'a>, BadMarkup>>,
    room: usize,
) -> Result<String, BadMarkup> {
    let mut bad = None;
    let good = events.map_while(|event| event.map_err(|reason| bad = Some(reason)).ok());
    let mut written = Limited {
        text: String::new(),
        most: room,
    };
    let is_written = html::write_html_fmt(&mut written, good).is_ok();
    if let Some(bad) = bad {
        return Err(bad);
    }
    let mut html = on_one_line(&written.text);
    for (tag, other) in TAGS {
        html = html.replace(tag, other);
    }
    if !is_written || html.len() > room {
        return Err(whole(ParseErrorKind::TooLarge(MOST_BYTES)));
    }
    if is_deep(&html) {
        return Err(whole(ParseErrorKind::TooDeep));
    }
    Ok(html)
}

/// Error that concerns a text as a whole.
fn whole(reason: ParseErrorKind) -> BadMarkup {
    BadMarkup { offset: 0, reason }
}

/// A text that refuses what would make it too long.
struct Limited {
    text: String,
    most: usize,
}

impl fmt::Write for Limited {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.text.len() + text.len() > self.most {
            return Err(fmt::Error);
        }
        self.text.push_str(text);
        Ok(())
    }
}

/// Whether elements stand too deep in each other.
fn is_deep(html: &str) -> bool {
    let mut depth = 0_usize;
    html.split('<').skip(1).any(|tag| {
        if tag.starts_with('/') {
            depth = depth.saturating_sub(1);
        } else if !["br", "hr"].iter().any(|void| tag.starts_with(void)) {
            depth += 1;
        }
        depth > DEEPEST
    })
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

fn events(markdown: &str) -> impl Iterator<Item = Result<Event<'_>, BadMarkup>> {
    let options = Options::ENABLE_MATH | Options::ENABLE_TABLES;
    let mut is_refused = false;
    let parser = Parser::new_ext(markdown, options).into_offset_iter();
    parser.map(move |(event, place)| {
        let formula = |formula: &str, mode| {
            let shallow = |mathml: &String| !is_deep(mathml);
            let mathml = formula::to_mathml(formula, mode);
            let mathml = mathml.and_then(|mathml| {
                let kept = Some(mathml).filter(shallow);
                kept.ok_or(ParseErrorKind::TooDeep)
            });
            let offset = place.start;
            let shown = mathml.map(|mathml| Event::InlineHtml(mathml.into()));
            shown.map_err(|reason| BadMarkup { offset, reason })
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
            Event::Start(Tag::Heading { .. }) => Event::Html("<p><strong>".into()),
            Event::End(TagEnd::Heading(_)) => Event::Html("</strong></p>\n".into()),
            event => event,
        })
    })
}

/// Whether an address is one of the web's, or a place in this page.
fn leads_on(address: &str) -> bool {
    ["https://", "http://", "#"]
        .iter()
        .any(|start| address.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(markdown: &str) -> String {
        to_html(markdown, MOST_BYTES).unwrap_or_else(|bad| panic!("{markdown}: {bad:?}"))
    }

    fn line(markdown: &str) -> String {
        line_to_html(markdown, MOST_BYTES).unwrap_or_else(|bad| panic!("{markdown}: {bad:?}"))
    }

    fn refusal(markdown: &str) -> BadMarkup {
        to_html(markdown, MOST_BYTES).expect_err("is refused")
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
        let bad = refusal("$a_b$, 5 dollars, $\\frac{a}$");
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
    fn columns_are_aligned_by_classes() {
        let table = html("| a | b | c |\n|:--|:-:|--:|\n| 1 | 2 | style=\"text-align: left\" |");
        for cell in [
            "<th class=\"cell-left\">a</th>",
            "<td class=\"cell-center\">2</td>",
            // Only tags are written otherwise.
            "<td class=\"cell-right\">style=\"text-align: left\"</td>",
        ] {
            assert!(table.contains(cell), "{cell}: {table}");
        }
    }

    #[test]
    fn a_line_is_a_title_whatever_it_begins_with() {
        for (markdown, shown) in [
            ("a **b**", "a <strong>b</strong>"),
            ("# Big", "# Big"),
            ("1. First", "1. First"),
            ("- *one*", "- <em>one</em>"),
            ("> said", "&gt; said"),
            ("*a* `b`", "<em>a</em> <code>b</code>"),
            ("***", "***"),
            ("<h1>a</h1>", "&lt;h1&gt;a&lt;/h1&gt;"),
            ("", ""),
        ] {
            assert_eq!(line(markdown), shown, "{markdown}");
        }
        assert!(line("$a$ or $b$").starts_with("<math"));
    }

    #[test]
    fn a_heading_within_a_text_is_no_heading_of_the_page() {
        for markdown in ["# Big\n\na", "Big\n===\n\na"] {
            assert_eq!(html(markdown), "<p><strong>Big</strong></p> <p>a</p>");
        }
    }

    #[test]
    fn what_is_nested_too_deep_is_refused() {
        for (open, close, deep) in [
            ("{", "}", 70),
            ("\\frac{", "}{1}", 40),
            ("\\sqrt{", "}", 40),
            ("a^{", "}", 40),
        ] {
            let formula =
                |deep: usize| format!("a\n\n${}x{}$", open.repeat(deep), close.repeat(deep));
            assert!(html(&formula(9)).contains("<mi>x</mi>"), "{open}");
            let bad = refusal(&formula(deep));
            assert_eq!(
                (bad.reason, bad.offset),
                (ParseErrorKind::TooDeep, 3),
                "{open}"
            );
        }
        assert!(to_html(&">".repeat(9), MOST_BYTES).is_ok());
        let bad = refusal(&format!("\n\n{}", ">".repeat(900)));
        assert_eq!((bad.reason, bad.offset), (ParseErrorKind::TooDeep, 2));
        assert!(to_html(&"- a\n---\n".repeat(99), MOST_BYTES).is_ok());
    }

    #[test]
    fn there_is_room_for_so_many_bytes_and_no_more() {
        let paragraph = "a < b";
        let shown = "<p>a &lt; b</p>";
        let written = to_html(paragraph, shown.len() + 1);
        assert_eq!(written.ok().as_deref(), Some(shown));
        let bad = to_html(paragraph, shown.len() - 1).expect_err("no room");
        assert_eq!(bad.reason, ParseErrorKind::TooLarge(MOST_BYTES));
    }

    #[test]
    fn links_leave_the_page_as_it_is() {
        let link = html("[this](https://example.org/?a=b)");
        let shown =
            "<a target=\"_blank\" rel=\"noopener\" href=\"https://example.org/?a=b\">this</a>";
        assert!(link.contains(shown), "{link}");
        let own = html("[that](#lesson=06-masks)");
        assert!(
            own.contains("<a href=\"#lesson=06-masks\">that</a>"),
            "{own}"
        );
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
            let written = to_html(hostile, MOST_BYTES).unwrap_or_default();
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
    }
}
