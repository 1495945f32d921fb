//! Masks that libraries make of positions alone.

use super::error::{Expectation, Result, expected};
use super::value::{Arguments, Value, last, wholes};
use crate::rule::{Align, Rule, parse};

/// The mask that a function makes, if it makes one.
pub(super) fn mask(path: &str, arguments: &Arguments<'_>) -> Result<Option<Value>> {
    let causal = |align| Ok(Some(Value::Mask(Rule::Causal(align), None)));
    match last(path) {
        "causal_upper_left" => of_lengths(Align::Start, arguments).map(Some),
        "causal_lower_right" => of_lengths(Align::End, arguments).map(Some),
        "LowerTriangularMask" => causal(Align::Start),
        "LowerTriangularFromBottomRightMask" => causal(Align::End),
        "LocalAttentionFromBottomRightMask" => {
            let before = arguments.whole("window_left", 0, -1)?;
            let after = arguments.whole("window_right", 1, -1)?;
            let window = window(before, after, Align::End);
            Ok(Some(Value::Mask(window, None)))
        }
        "LowerTriangularFromBottomRightLocalAttentionMask" => {
            // It counts the query's own key.
            let keys = arguments.whole("_window_size", 0, 0)?;
            let window = window(keys.max(1) - 1, 0, Align::End);
            Ok(Some(Value::Mask(window, None)))
        }
        "create_block_mask" | "create_mask" => block_mask(arguments).map(Some),
        "from_seqlens" => documents(path, arguments),
        _ => Ok(None),
    }
}

fn of_lengths(align: Align, arguments: &Arguments<'_>) -> Result<Value> {
    let lengths = [
        arguments.whole("seq_len_q", 0, 0)?,
        arguments.whole("seq_len_kv", 1, 0)?,
    ];
    let lengths = lengths.map(usize::try_from);
    match lengths {
        [Ok(n), Ok(m)] => Ok(Value::Mask(Rule::Causal(align), Some((n, m)))),
        _ => expected(arguments.at, Expectation::WholeNumber),
    }
}

/// FlexAttention's: a function of a cell, then batch, heads and lengths.
fn block_mask(arguments: &Arguments<'_>) -> Result<Value> {
    let Some(function) = arguments.get("mask_mod", 0) else {
        return expected(arguments.at, Expectation::Lambda);
    };
    let Value::Mask(rule, None) = arguments.evaluate(function)? else {
        return expected(&function.at, Expectation::Lambda);
    };
    let length = |name, place| {
        let length = arguments.whole(name, place, -1).ok();
        length.and_then(|length| usize::try_from(length).ok())
    };
    let lengths = length("Q_LEN", 3).zip(length("KV_LEN", 4));
    Ok(Value::Mask(rule, lengths))
}

/// xformers' documents behind one another.
fn documents(path: &str, arguments: &Arguments<'_>) -> Result<Option<Value>> {
    let causal = match path.rsplit('.').nth(1) {
        Some("BlockDiagonalMask") => false,
        Some("BlockDiagonalCausalMask") => true,
        _ => return Ok(None),
    };
    let Some(expression) = arguments.get("q_seqlen", 0) else {
        return expected(arguments.at, Expectation::WholeNumber);
    };
    let lengths = wholes(arguments.evaluate(expression)?, &expression.at)?;
    let sum = lengths.iter().sum::<i64>();
    let lengths: std::result::Result<Vec<u32>, _> =
        lengths.into_iter().map(u32::try_from).collect();
    let Ok((lengths, sum)) = lengths.and_then(|lengths| Ok((lengths, usize::try_from(sum)?)))
    else {
        return expected(&expression.at, Expectation::WholeNumber);
    };
    let documents = Rule::Documents { lengths };
    let rule = if causal {
        Rule::And(vec![Rule::Causal(Align::Start), documents])
    } else {
        documents
    };
    Ok(Some(Value::Mask(rule, Some((sum, sum)))))
}

/// The window of two reaches, of which a negative one is unlimited.
pub(super) fn window(before: i64, after: i64, align: Align) -> Rule {
    let moved = match align {
        Align::Start => "i",
        Align::End => "i + m - n",
    };
    let one_sided = |text: String| parse(&text).unwrap_or(Rule::All);
    match (u32::try_from(before), u32::try_from(after)) {
        (Ok(before), Ok(after)) => Rule::Window {
            before,
            after,
            align,
        },
        (Err(_), Ok(0)) => Rule::Causal(align),
        (Ok(before), Err(_)) => one_sided(format!("{moved} - j <= {before}")),
        (Err(_), Ok(after)) => one_sided(format!("j <= {moved} + {after}")),
        (Err(_), Err(_)) => Rule::All,
    }
}
