//! Texts of a lesson as HTML. What is written as HTML is shown as it is written, addresses lead to the web or into the page, pictures are
//! their descriptions, and formulas are MathML.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};
use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::{Parser as LatexParser, Storage, push_mathml};

use crate::error::ParseErrorKind;

/// A text of paragraphs.
pub fn to_html(markdown: &str) -> String {
    let mut written = String::new();
    html::push_html(&mut written, events(markdown));
    written
}

/// A text of one line: without the paragraph around it.
pub fn line_to_html(markdown: &str) -> String {
    let is_around = |event: &Event<'_>| {
        matches!(
            event,
            Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph)
        )
    };
    let mut written = String::new();
    html::push_html(
        &mut written,
        events(markdown).filter(|event| !is_around(event)),
    );
    written.trim_end().to_owned()
}

/// Whether all formulas of a text can be read.
pub(crate) fn check(markdown: &str) -> Result<(), ParseErrorKind> {
    for event in Parser::new_ext(markdown, options()) {
        if let Event::InlineMath(formula) | Event::DisplayMath(formula) = event {
            mathml(&formula, DisplayMode::Inline).map_err(ParseErrorKind::Formula)?;
        }
    }
    Ok(())
}

fn options() -> Options {
    Options::ENABLE_MATH | Options::ENABLE_TABLES
}

fn events(markdown: &str) -> impl Iterator<Item = Event<'_>> {
    let mut is_refused = false;
    Parser::new_ext(markdown, options()).map(move |event| match event {
        Event::Html(written) | Event::InlineHtml(written) => Event::Text(written),
        Event::InlineMath(formula) => formula_event(&formula, DisplayMode::Inline),
        Event::DisplayMath(formula) => formula_event(&formula, DisplayMode::Block),
        Event::Start(Tag::Link { ref dest_url, .. }) if !leads_on(dest_url) => {
            is_refused = true;
            Event::Start(Tag::Emphasis)
        }
        Event::End(TagEnd::Link) if std::mem::take(&mut is_refused) => Event::End(TagEnd::Emphasis),
        Event::Start(Tag::Image { .. }) => Event::Start(Tag::Emphasis),
        Event::End(TagEnd::Image) => Event::End(TagEnd::Emphasis),
        event => event,
    })
}

/// Whether an address is one of the web's, or a place in this page.
fn leads_on(address: &str) -> bool {
    ["https://", "http://", "#"]
        .iter()
        .any(|start| address.starts_with(start))
}

fn formula_event<'a>(formula: &str, mode: DisplayMode) -> Event<'a> {
    match mathml(formula, mode) {
        Ok(mathml) => Event::InlineHtml(mathml.into()),
        Err(_) => Event::Code(formula.to_owned().into()),
    }
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

    #[test]
    fn formulas_become_mathml_and_html_is_shown() {
        let html = to_html("Divide by $\\sqrt{d_k}$, *now*.");
        assert!(
            html.contains("<msqrt>") && html.contains("<em>now</em>"),
            "{html}"
        );
        assert!(to_html("$$A = \\frac{a}{b}$$").contains("display=\"block\""));
        let space = to_html("$a \\, b$");
        assert!(
            space.contains("\"></mspace>") && !space.contains("/>"),
            "{space}"
        );
        assert_eq!(line_to_html("a **b**"), "a <strong>b</strong>");
        assert!(check("$\\frac{a}$ and $x$").is_err() && check("$a_b$, 5 dollars").is_ok());
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
            let html = to_html(hostile);
            for tag in ["<img", "<script", "href=\"javascript", "src=\"http"] {
                assert!(!html.contains(tag), "{hostile}: {html}");
            }
            assert_eq!(html.matches("<em>").count(), html.matches("</em>").count());
        }
        let class = to_html("$\\class{x\" onclick=\"alert(1)}{y}$");
        assert!(class.starts_with("<p><code>"), "{class}");
        assert!(to_html("[this](https://example.org)").contains("href=\"https://example.org\""));
    }
}
