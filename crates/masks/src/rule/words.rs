//! Rules with a name of their own.

use super::parse::{Parser, Result};
use super::{Align, Expected, Problem, Rule};

/// Reads the rule that starts with `word`, which is the next token.
pub(super) fn read(parser: &mut Parser, word: &str) -> Result<Rule> {
    let read: fn(&mut Parser) -> Result<Rule> = match word {
        "all" | "full" | "true" => |_| Ok(Rule::All),
        "none" | "false" => |_| Ok(Rule::None),
        "causal" => causal,
        "causal_lower_right" | "causal_bottom_right" => |_| Ok(Rule::Causal(Align::End)),
        "causal_upper_left" | "causal_top_left" => |_| Ok(Rule::Causal(Align::Start)),
        "window" | "local" => window,
        "sliding_window" => sliding_window,
        "prefix" | "prefix_lm" => prefix,
        "documents" => documents,
        "dilated" | "strided" => dilated,
        "first" | "sinks" | "sink" => first,
        "padding" => padding,
        "image" => image,
        "global" => global,
        "and" | "or" | "not" | "lambda" | "def" | "return" => {
            return Err(parser.expected(Expected::Operand));
        }
        _ => return Err(parser.problem_here(Problem::UnknownWord(word.to_owned()))),
    };
    parser.advance();
    read(parser)
}

fn causal(parser: &mut Parser) -> Result<Rule> {
    Ok(Rule::Causal(alignment(parser)))
}

/// Words for an alignment; what is not said is the start.
fn alignment(parser: &mut Parser) -> Align {
    const WORDS: [(&[&str], Align); 10] = [
        (&["start"], Align::Start),
        (&["end"], Align::End),
        (&["lower", "right"], Align::End),
        (&["bottom", "right"], Align::End),
        (&["lower_right"], Align::End),
        (&["bottom_right"], Align::End),
        (&["upper", "left"], Align::Start),
        (&["top", "left"], Align::Start),
        (&["upper_left"], Align::Start),
        (&["top_left"], Align::Start),
    ];
    let found = WORDS.iter().find(|(words, _)| parser.take_words(words));
    found.map_or(Align::Start, |(_, align)| *align)
}

fn window(parser: &mut Parser) -> Result<Rule> {
    let numbers = parser.numbers(2)?;
    let (before, after) = match numbers[..] {
        [before, after] => (before, after),
        [both] => sides(parser, both),
        _ => return Err(parser.expected(Expected::Number)),
    };
    Ok(Rule::Window {
        before,
        after,
        align: alignment(parser),
    })
}

/// One number reaches to both sides, or to the one that is named behind it.
fn sides(parser: &mut Parser, reach: u32) -> (u32, u32) {
    if parser.take_word("left") {
        (reach, 0)
    } else if parser.take_word("right") {
        (0, reach)
    } else {
        (reach, reach)
    }
}

fn sliding_window(parser: &mut Parser) -> Result<Rule> {
    let keys = parser.one_number(1)?;
    Ok(Rule::Window {
        before: keys - 1,
        after: 0,
        align: alignment(parser),
    })
}

fn prefix(parser: &mut Parser) -> Result<Rule> {
    let keys = parser.one_number(0)?;
    Ok(Rule::Prefix { keys })
}

fn documents(parser: &mut Parser) -> Result<Rule> {
    let lengths = parser.numbers(usize::MAX)?;
    Ok(Rule::Documents { lengths })
}

fn dilated(parser: &mut Parser) -> Result<Rule> {
    let stride = parser.one_number(1)?;
    Ok(Rule::Dilated { stride })
}

fn first(parser: &mut Parser) -> Result<Rule> {
    let keys = parser.one_number(0)?;
    Ok(Rule::First { keys })
}

fn padding(parser: &mut Parser) -> Result<Rule> {
    if parser.take_word("left") {
        let padded = parser.one_number(0)?;
        return Ok(Rule::PaddingLeft { padded });
    }
    let valid = parser.one_number(0)?;
    Ok(Rule::Padding { valid })
}

/// `image 6×6 kernel 3`, `image (6, 6) kernel=3` or `image(6, 6, kernel=3)`.
fn image(parser: &mut Parser) -> Result<Rule> {
    let opened = parser.is_symbol(0, "(").then(|| parser.here());
    parser.take_symbol("(");
    let (width, height) = parser.pair((u32::MAX, u32::MAX))?;
    let is_open = opened.filter(|_| !parser.take_symbol(")"));
    parser.take_symbol(",");
    if !parser.take_word("kernel") {
        return Err(parser.expected(Expected::Kernel));
    }
    let kernel = parser.pair((width, height))?;
    if let Some(opened) = is_open {
        parser.close(opened, ")")?;
    }
    Ok(Rule::Image {
        width,
        height,
        kernel,
    })
}

fn global(parser: &mut Parser) -> Result<Rule> {
    let positions = parser.numbers(usize::MAX)?;
    Ok(Rule::Global { positions })
}
