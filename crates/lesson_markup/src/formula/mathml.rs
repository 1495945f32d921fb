//! MathML written anew: elements and attributes of a list, each element with an end tag, and everything else escaped.

use std::fmt::Write as _;

/// Elements that hold elements.
const HOLDERS: [&str; 14] = [
    "math",
    "mrow",
    "mfrac",
    "msqrt",
    "mroot",
    "msub",
    "msup",
    "msubsup",
    "munder",
    "mover",
    "munderover",
    "mtable",
    "mtr",
    "mtd",
];

/// Elements that hold text.
const TOKENS: [&str; 4] = ["mi", "mn", "mo", "mtext"];

/// An element that holds nothing.
const SPACE: &str = "mspace";

/// Attributes whose values are words or whole numbers.
const WORDS: [&str; 8] = [
    "display",
    "displaystyle",
    "scriptlevel",
    "mathvariant",
    "stretchy",
    "symmetric",
    "largeop",
    "movablelimits",
];

/// Attributes whose values are lengths.
const LENGTHS: [&str; 6] = [
    "width",
    "height",
    "depth",
    "minsize",
    "maxsize",
    "linethickness",
];

/// Classes that `lesson.css` has a rule for.
pub(super) const CLASSES: [&str; 18] = [
    "small",
    "mop-negated",
    "framed",
    "menv-alignlike",
    "menv-align",
    "menv-cells-left",
    "menv-cells-right",
    "menv-cases",
    "menv-multline",
    "cell-left",
    "cell-right",
    "menv-left-solid",
    "menv-left-dashed",
    "menv-right-solid",
    "menv-right-dashed",
    "menv-hline",
    "menv-hdashline",
    "menv-border-only",
];

/// Text that stands between tags.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

fn unescaped(text: &str) -> String {
    text.replace("&nbsp;", "\u{a0}")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

/// The same MathML, unless there is anything in it that a formula does not need.
pub(super) fn rewrite(mathml: &str) -> Option<String> {
    let mut rewriter = Rewriter {
        rest: mathml,
        written: String::with_capacity(mathml.len()),
        open: Vec::new(),
        gap: None,
    };
    while !rewriter.rest.is_empty() {
        rewriter.element()?;
    }
    rewriter.open.is_empty().then_some(rewriter.written)
}

struct Rewriter<'a> {
    rest: &'a str,
    written: String,
    /// Names of the elements that have not ended.
    open: Vec<&'static str>,
    /// How high the next cell is, which is there to keep two rows apart.
    gap: Option<String>,
}

/// Attributes to write for an element.
#[derive(Default)]
struct Attributes {
    written: String,
    classes: Vec<&'static str>,
    gap: Option<String>,
}

impl<'a> Rewriter<'a> {
    /// A start tag with the text of its element, or an end tag.
    fn element(&mut self) -> Option<()> {
        self.rest = self.rest.strip_prefix('<')?;
        if let Some(rest) = self.rest.strip_prefix('/') {
            let name = self.open.pop()?;
            self.rest = rest.strip_prefix(name)?.strip_prefix('>')?;
            return self.end(name);
        }
        let name = self.name();
        let name = [SPACE]
            .into_iter()
            .chain(HOLDERS)
            .chain(TOKENS)
            .find(|own| *own == name)?;
        let is_closed = self.start(name)?;
        if let Some(gap) = self.gap.take_if(|_| name == "mtd") {
            let _ = write!(self.written, "<mspace height=\"{gap}\"></mspace>");
        }
        if is_closed || name == SPACE {
            return is_closed.then(|| self.end(name))?;
        }
        if TOKENS.contains(&name) {
            self.text(name)?;
            return self.end(name);
        }
        self.open.push(name);
        Some(())
    }

    fn end(&mut self, name: &str) -> Option<()> {
        write!(self.written, "</{name}>").ok()
    }

    /// The text of an element with its end tag.
    fn text(&mut self, name: &str) -> Option<()> {
        let (text, rest) = self.rest.split_once(&format!("</{name}>"))?;
        self.rest = rest;
        let text = unescaped(text);
        // A lone space is written once as what the text begins with, and once as what it ends with.
        let text = if text == "\u{a0}\u{a0}" {
            "\u{a0}"
        } else {
            &text
        };
        self.written += &escaped(text);
        Some(())
    }

    /// A start tag behind its name; whether it ends its element as well.
    fn start(&mut self, name: &str) -> Option<bool> {
        let mut attributes = Attributes::default();
        let is_closed = loop {
            self.rest = self.rest.trim_start_matches(' ');
            if let Some(rest) = self.rest.strip_prefix("/>") {
                self.rest = rest;
                break true;
            }
            if let Some(rest) = self.rest.strip_prefix('>') {
                self.rest = rest;
                break false;
            }
            let name = self.name();
            let (value, rest) = self.rest.strip_prefix("=\"")?.split_once('"')?;
            self.rest = rest;
            attributes.take(name, value)?;
        };
        self.gap = attributes.gap.take().or(self.gap.take());
        write!(self.written, "<{name}{}", attributes.written).ok()?;
        if !attributes.classes.is_empty() {
            write!(self.written, " class=\"{}\"", attributes.classes.join(" ")).ok()?;
        }
        self.written.push('>');
        Some(is_closed)
    }

    fn name(&mut self) -> &'a str {
        let is_other = |sign: char| !sign.is_ascii_alphanumeric();
        let end = self.rest.find(is_other).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        name
    }
}

impl Attributes {
    fn take(&mut self, name: &str, value: &str) -> Option<()> {
        match name {
            "class" => self.classes.extend(value.split(' ').filter_map(class)),
            "style" => {
                for declaration in value.split("; ") {
                    let (property, value) = declaration.split_once(": ")?;
                    self.style(property, value)?;
                }
            }
            "width" if value.starts_with('-') => {
                // The style sheet moves what follows back by this share of an em; other units cannot go back.
                if let Some(share) = length(value)?.strip_suffix("em") {
                    self.write("data-share", share)?;
                }
            }
            _ if LENGTHS.contains(&name) => self.write(name, &length(value)?)?,
            _ if WORDS.contains(&name)
                && value.bytes().all(|sign| sign.is_ascii_alphanumeric()) =>
            {
                self.write(name, value)?;
            }
            _ => return None,
        }
        Some(())
    }

    /// A declaration of a style as an attribute or a class, since the page's policy allows no style.
    fn style(&mut self, property: &str, value: &str) -> Option<()> {
        match property {
            "color" => self.write("mathcolor", &colour(value)?),
            "background-color" => self.write("mathbackground", &colour(value)?),
            "border" => {
                self.classes.push("framed");
                Some(())
            }
            "height" => {
                self.gap = Some(length(value)?).filter(|gap| !gap.starts_with('-'));
                Some(())
            }
            // Where `width` has said it.
            "margin-left" => Some(()),
            _ => None,
        }
    }

    fn write(&mut self, name: &str, value: &str) -> Option<()> {
        write!(self.written, " {name}=\"{value}\"").ok()
    }
}

fn class(name: &str) -> Option<&'static str> {
    CLASSES.into_iter().find(|own| *own == name)
}

/// A length of MathML; mathematical units have been made ems before they are written.
fn length(value: &str) -> Option<String> {
    let (number, unit) = value.split_at(value.find(|sign: char| sign.is_ascii_alphabetic())?);
    let number: f32 = number.parse().ok()?;
    let unit = match unit {
        "mu" => "em",
        unit if ["em", "ex", "pt", "pc", "in", "cm", "mm"].contains(&unit) => unit,
        _ => return None,
    };
    number.is_finite().then(|| format!("{number}{unit}"))
}

/// `rgb(255 0 0)` as `#ff0000`.
fn colour(value: &str) -> Option<String> {
    let parts = value.strip_prefix("rgb(")?.strip_suffix(')')?;
    let mut written = "#".to_owned();
    let mut count = 0;
    for part in parts.split(' ') {
        let part: u8 = part.parse().ok()?;
        write!(written, "{part:02x}").ok()?;
        count += 1;
    }
    (count == 3).then_some(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_formula_needs_is_written_as_it_was() {
        for mathml in [
            "<math display=\"block\"><mi mathvariant=\"normal\">Γ</mi><mo>=</mo><mn>1.5</mn></math>",
            "<msubsup><mi>a</mi><mrow><mi>b</mi></mrow><mn>2</mn></msubsup>",
            "<mtable class=\"menv-alignlike menv-align\"><mtr><mtd class=\"cell-left\"></mtd></mtr></mtable>",
            "<mo symmetric=\"true\" stretchy=\"true\">(</mo><mfrac linethickness=\"0em\"></mfrac>",
        ] {
            assert_eq!(rewrite(mathml).as_deref(), Some(mathml));
        }
    }

    #[test]
    fn every_element_has_an_end_tag_and_attributes_stand_apart() {
        for (mathml, rewritten) in [
            (
                "<mrow><mspace width=\"0.5em\" /></mrow>",
                "<mrow><mspace width=\"0.5em\"></mspace></mrow>",
            ),
            (
                "<mo stretchy=\"true\"minsize=\"1.2em\" maxsize=\"1.2em\">[</mo>",
                "<mo stretchy=\"true\" minsize=\"1.2em\" maxsize=\"1.2em\">[</mo>",
            ),
        ] {
            assert_eq!(rewrite(mathml).as_deref(), Some(rewritten));
        }
    }

    #[test]
    fn text_is_escaped_once() {
        for (mathml, rewritten) in [
            ("<mo><</mo>", "<mo>&lt;</mo>"),
            ("<mi>&</mi>", "<mi>&amp;</mi>"),
            ("<mi>&lt;&amp;lt;</mi>", "<mi>&lt;&amp;lt;</mi>"),
            (
                "<mtext>&nbsp;a&nbsp;</mtext>",
                "<mtext>\u{a0}a\u{a0}</mtext>",
            ),
            ("<mtext>&nbsp;&nbsp;</mtext>", "<mtext>\u{a0}</mtext>"),
        ] {
            assert_eq!(rewrite(mathml).as_deref(), Some(rewritten));
        }
    }

    #[test]
    fn no_style_is_written() {
        for (mathml, rewritten) in [
            (
                "<mrow style=\"color: rgb(255 0 16); background-color: rgb(1 2 3)\"></mrow>",
                "<mrow mathcolor=\"#ff0010\" mathbackground=\"#010203\"></mrow>",
            ),
            (
                "<mi style=\"border: 0.06em solid rgb(1 2 3)\" class=\"small unknown\">x</mi>",
                "<mi class=\"framed small\">x</mi>",
            ),
            (
                "<mspace width=\"-0.25em\" style=\"margin-left: -0.25em\" />",
                "<mspace data-share=\"-0.25\"></mspace>",
            ),
            (
                "<mtr style=\"height: 1em\"><mtd class=\"unknown\"></mtd></mtr><mtr><mtd></mtd></mtr>",
                "<mtr><mtd><mspace height=\"1em\"></mspace></mtd></mtr><mtr><mtd></mtd></mtr>",
            ),
            (
                "<mspace width=\"0.5mu\" />",
                "<mspace width=\"0.5em\"></mspace>",
            ),
        ] {
            assert_eq!(rewrite(mathml).as_deref(), Some(rewritten));
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for mathml in [
            "<math><b></b></math>",
            "<math>a</math>",
            "<math><mi>a</mi>",
            "<math></mrow>",
            "<math></math></math>",
            "<mi>a",
            "<mspace width=\"1em\">",
            "<mi title=\"a\">a</mi>",
            "<mi mathvariant=\"a b\">a</mi>",
            "<mi mathvariant=normal>a</mi>",
            "<mi style=\"position: fixed\">a</mi>",
            "<mi style=\"color: red\">a</mi>",
            "<mi style=\"color: rgb(1 2)\">a</mi>",
            "<mspace width=\"infem\" />",
            "<mspace width=\"1vw\" />",
            "<mspace width=\"wide\" />",
            "<!-- a --><math></math>",
        ] {
            assert_eq!(rewrite(mathml), None, "{mathml}");
        }
    }

    #[test]
    fn the_style_sheet_has_a_rule_for_each_class() {
        let sheet = include_str!("../../../../style/lesson.css");
        for class in CLASSES {
            let is_there = sheet.split(&format!(".{class}")).skip(1).any(|after| {
                !after.starts_with(|sign: char| sign.is_ascii_alphanumeric() || sign == '-')
            });
            assert!(is_there, "{class}");
        }
    }
}
