//! Formulas: LaTeX as MathML.
//!
//! `pulldown-latex` reads and writes them, and neither is trusted: what it may read is limited ([`limits`]), and what it writes is written anew
//! from a list of allowed elements and attributes ([`mathml`]).

mod limits;
mod mathml;

use lessons::ParseErrorKind;
use pulldown_latex::config::RenderConfig;
use pulldown_latex::event::{Content, Dimension, DimensionUnit, Event};
use pulldown_latex::{Parser, Storage, push_mathml};

#[cfg(test)]
pub(crate) use limits::MOST_CHARACTERS;
pub(crate) use pulldown_latex::config::DisplayMode;

/// A formula as MathML.
pub(crate) fn to_mathml(
    formula: &str,
    display_mode: DisplayMode,
) -> Result<String, ParseErrorKind> {
    let readable = limits::check(formula)?;
    let storage = Storage::new();
    let events: Result<Vec<_>, _> = Parser::new(&readable, &storage).collect();
    let events = events.map_err(|error| ParseErrorKind::Formula(error.to_string()))?;
    let names: Vec<String> = events.iter().map(name).collect();
    let events = events.into_iter().zip(&names).map(as_text);
    let config = RenderConfig {
        display_mode,
        ..RenderConfig::default()
    };
    let mut written = String::new();
    push_mathml(&mut written, events, config)
        .map_err(|error| ParseErrorKind::Formula(error.to_string()))?;
    mathml::rewrite(&written).ok_or_else(|| ParseErrorKind::Formula("its MathML".to_owned()))
}

/// The name of a function, escaped: the writer puts it between tags as it is.
fn name(event: &Event<'_>) -> String {
    match event {
        Event::Content(Content::Function(name)) => mathml::escaped(name),
        _ => String::new(),
    }
}

/// An event with the name of its function, or the space of a tie, as text.
fn as_text<'a>(
    (event, name): (Event<'a>, &'a String),
) -> Result<Event<'a>, std::convert::Infallible> {
    Ok(match event {
        Event::Content(Content::Function(_)) => Event::Content(Content::Function(name)),
        // The writer begins the element of a space with its width.
        Event::Space {
            width,
            height,
            depth,
        } => Event::Space {
            width: width.or(Some(Dimension::new(0.0, DimensionUnit::Em))),
            height,
            depth,
        },
        // How the parser tells of `~`, which the writer would escape once more.
        Event::Content(Content::Text("&nbsp;")) => Event::Content(Content::Text(" ")),
        event => event,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pulldown_cmark::{Event as Markdown, Options, Parser as MarkdownParser};
    use std::fs;
    use std::path::Path;

    fn inline(formula: &str) -> String {
        to_mathml(formula, DisplayMode::Inline).unwrap_or_else(|bad| panic!("{formula}: {bad}"))
    }

    #[test]
    fn names_of_functions_are_text() {
        let one = inline("\\operatorname{a<b}");
        assert_eq!(
            one, "<math display=\"inline\"><mi>a&lt;b</mi></math>",
            "no element but those of the formula"
        );
        let other = inline("\\mathop{R&D}_i");
        assert!(other.contains("<mi>R&amp;D</mi>"), "{other}");
        let entity = inline("\\operatorname{a&lt;b}");
        assert!(entity.contains("<mi>a&amp;lt;b</mi>"), "{entity}");
        assert!(inline("\\operatorname{softmax}").contains("<mi>softmax</mi>"));
    }

    #[test]
    fn single_characters_are_text() {
        for (formula, shown) in [
            ("a < b", "<mo>&lt;</mo>"),
            ("a > b", "<mo>&gt;</mo>"),
            ("R \\& D", "<mi mathvariant=\"normal\">&amp;</mi>"),
            ("\\text{<b> & c}", "<mtext>&lt;b&gt; &amp; c</mtext>"),
        ] {
            let written = inline(formula);
            let shown = shown.replace(" mathvariant=\"normal\"", "");
            assert!(written.contains(&shown), "{formula}: {written}");
        }
    }

    #[test]
    fn a_tie_is_one_space_that_does_not_break() {
        for formula in ["a~b", "a\\ b", "a\\text{ }b"] {
            let written = inline(formula);
            assert!(
                written.contains("<mtext>\u{a0}</mtext>") && !written.contains("nbsp"),
                "{written}"
            );
        }
    }

    /// Every formula of our own lessons, in both languages.
    fn own_formulas() -> Vec<(String, DisplayMode)> {
        let content = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../content");
        let folders = ["en", "zh"].map(|language| content.join(language).join("lessons"));
        let files = folders
            .iter()
            .flat_map(|folder| fs::read_dir(folder).expect("lessons"));
        let texts = files.map(|file| fs::read_to_string(file.expect("a file").path()));
        let mut formulas = Vec::new();
        for text in texts {
            let text = text.expect("a lesson");
            for event in MarkdownParser::new_ext(&text, Options::ENABLE_MATH) {
                match event {
                    Markdown::InlineMath(own) => {
                        formulas.push((own.to_string(), DisplayMode::Inline));
                    }
                    Markdown::DisplayMath(own) => {
                        formulas.push((own.to_string(), DisplayMode::Block));
                    }
                    _ => {}
                }
            }
        }
        formulas
    }

    #[test]
    fn our_own_formulas_are_shown_as_they_are_written() {
        let formulas = own_formulas();
        assert!(formulas.len() > 300, "{}", formulas.len());
        for (formula, display_mode) in formulas {
            let storage = Storage::new();
            let config = RenderConfig {
                display_mode,
                ..RenderConfig::default()
            };
            let mut written = String::new();
            push_mathml(&mut written, Parser::new(&formula, &storage), config).expect(&formula);
            let spaces = written
                .replace("&nbsp;", "\u{a0}")
                .replace(" />", "></mspace>");
            let written = spaces.replace("<mo><</mo>", "<mo>&lt;</mo>");
            assert_eq!(to_mathml(&formula, display_mode), Ok(written), "{formula}");
        }
    }
}
