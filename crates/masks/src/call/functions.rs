//! Functions and methods that make tensors.

use std::ops::Range;

use super::error::{CallProblem, Expectation, Result, expected, refused};
use super::tensor::Tensor;
use super::value::{Arguments, Value, as_tensor, element_named, last, wholes};
use crate::imported::Element;

/// What a function of a module makes.
pub(super) fn made(path: &str, at: &Range<usize>, arguments: &Arguments<'_>) -> Result<Value> {
    let tensor = match last(path) {
        "ones" | "zeros" => {
            let value = if last(path) == "ones" { 1.0 } else { 0.0 };
            let shape = shape(arguments, usize::MAX)?;
            full(shape, value, Element::Float, arguments)
        }
        "full" => {
            let value = arguments.tensor("fill_value", 1)?;
            let shape = shape(arguments, 1)?;
            full(shape, number(&value, at)?, value.element, arguments)
        }
        "eye" => {
            let n = arguments.whole("n", 0, 0)?;
            let m = arguments.whole("m", 1, n)?;
            full(
                vec![length(n, at)?, length(m, at)?],
                1.0,
                Element::Float,
                arguments,
            )
            .and_then(|ones| ones.triangle(0, true, at)?.triangle(0, false, at))
        }
        "tri" => {
            let n = arguments.whole("N", 0, 0)?;
            let m = arguments.whole("M", 1, n)?;
            let diagonal = arguments.whole("k", 2, 0)?;
            full(
                vec![length(n, at)?, length(m, at)?],
                1.0,
                Element::Float,
                arguments,
            )
            .and_then(|ones| ones.triangle(diagonal, true, at))
        }
        "tril" | "triu" => {
            let tensor = arguments.tensor("input", 0)?;
            triangle(tensor, last(path) == "tril", at, arguments, 1)
        }
        "arange" => range(arguments, at),
        "tensor" | "array" | "asarray" | "as_tensor" => literal(arguments),
        "where" => chosen(arguments, at),
        "logical_not" => arguments.tensor("input", 0).map(not),
        "float" => return float(arguments, at),
        "generate_square_subsequent_mask" => future(arguments, at),
        _ => return refused(at, CallProblem::UnknownFunction(path.to_owned())),
    };
    tensor.map(Value::Tensor)
}

/// What a method of a tensor makes.
pub(super) fn method(
    tensor: Tensor,
    name: &str,
    at: &Range<usize>,
    arguments: &Arguments<'_>,
) -> Result<Value> {
    let made = match name {
        "to" | "astype" | "type" => match arguments.by_place().next() {
            Some(kind) => Ok(tensor.cast(element(arguments.evaluate(kind)?, &kind.at)?)),
            None => {
                dtype(arguments).map(|kind| kind.map_or(tensor.clone(), |kind| tensor.cast(kind)))
            }
        },
        "tril" | "triu" => triangle(tensor, name == "tril", at, arguments, 0),
        "logical_not" => Ok(not(tensor)),
        "masked_fill" | "masked_fill_" => {
            let hidden = arguments.tensor("mask", 0)?;
            let value = arguments.tensor("value", 1)?;
            let value = number(&value, at)?;
            let kind = tensor.element;
            tensor.zip(&hidden, kind, at, |own, is_hidden| {
                if is_hidden != 0.0 { value } else { own }
            })
        }
        "cuda" | "cpu" | "contiguous" | "clone" | "detach" => Ok(tensor),
        name => match element_named(name) {
            Some(kind) => Ok(tensor.cast(kind)),
            None => return refused(at, CallProblem::UnknownFunction(name.to_owned())),
        },
    };
    made.map(Value::Tensor)
}

fn not(tensor: Tensor) -> Tensor {
    tensor.cast(Element::Bool).map(|value| 1.0 - value)
}

fn number(tensor: &Tensor, at: &Range<usize>) -> Result<f64> {
    match tensor.as_number() {
        Some(number) => Ok(number),
        None => expected(at, Expectation::Number),
    }
}

fn length(number: i64, at: &Range<usize>) -> Result<usize> {
    match usize::try_from(number) {
        Ok(length) => Ok(length),
        Err(_) => expected(at, Expectation::WholeNumber),
    }
}

/// Lengths of axes: one sequence, or up to `most` numbers.
fn shape(arguments: &Arguments<'_>, most: usize) -> Result<Vec<usize>> {
    let mut shape = Vec::new();
    let named = arguments.named("size").or_else(|| arguments.named("shape"));
    for expression in named.into_iter().chain(arguments.by_place().take(most)) {
        let lengths = wholes(arguments.evaluate(expression)?, &expression.at)?;
        for one in lengths {
            shape.push(length(one, &expression.at)?);
        }
    }
    Ok(shape)
}

/// The kind of numbers that `dtype` names.
fn dtype(arguments: &Arguments<'_>) -> Result<Option<Element>> {
    let Some(expression) = arguments.named("dtype") else {
        return Ok(None);
    };
    element(arguments.evaluate(expression)?, &expression.at).map(Some)
}

fn element(value: Value, at: &Range<usize>) -> Result<Element> {
    let found = match value {
        Value::Type(element) => Some(element),
        Value::Text(name) => element_named(&name),
        _ => None,
    };
    found.map_or_else(|| expected(at, Expectation::Type), Ok)
}

fn full(
    shape: Vec<usize>,
    value: f64,
    usual: Element,
    arguments: &Arguments<'_>,
) -> Result<Tensor> {
    let element = dtype(arguments)?.unwrap_or(usual);
    Ok(Tensor::full(shape, value, element, arguments.at)?.cast(element))
}

fn triangle(
    tensor: Tensor,
    is_lower: bool,
    at: &Range<usize>,
    arguments: &Arguments<'_>,
    place: usize,
) -> Result<Tensor> {
    let named = if arguments.named("k").is_some() {
        "k"
    } else {
        "diagonal"
    };
    let diagonal = arguments.whole(named, place, 0)?;
    tensor.triangle(diagonal, is_lower, at)
}

fn range(arguments: &Arguments<'_>, at: &Range<usize>) -> Result<Tensor> {
    let first = arguments.whole("start", 0, 0)?;
    let (start, end) = match arguments.by_place().nth(1) {
        Some(_) => (first, arguments.whole("end", 1, 0)?),
        None => (0, first),
    };
    let count = length(end.saturating_sub(start).max(0), at)?;
    let mut numbers = Tensor::full(vec![count], 0.0, Element::Integer, at)?;
    for (index, value) in numbers.data.iter_mut().enumerate() {
        *value = (start + index as i64) as f64;
    }
    let element = dtype(arguments)?.unwrap_or(Element::Integer);
    Ok(numbers.cast(element))
}

/// Nested lists of numbers.
fn literal(arguments: &Arguments<'_>) -> Result<Tensor> {
    let Some(expression) = arguments.by_place().next() else {
        return expected(arguments.at, Expectation::Tensor);
    };
    let tensor = stacked(arguments.evaluate(expression)?, &expression.at)?;
    Ok(match dtype(arguments)? {
        Some(element) => tensor.cast(element),
        None => tensor,
    })
}

/// One tensor of those in a list, which have the same shape.
pub(super) fn stacked(value: Value, at: &Range<usize>) -> Result<Tensor> {
    let Value::Sequence(values) = value else {
        return as_tensor(value, at);
    };
    let count = values.len();
    let mut all: Option<Tensor> = None;
    for value in values {
        let next = stacked(value, at)?;
        all = Some(match all {
            None => next,
            Some(all) if all.shape == next.shape => joined(all, next),
            Some(all) => {
                let (left, right) = (all.shape, next.shape);
                return refused(at, CallProblem::ShapesDiffer { left, right });
            }
        });
    }
    match all {
        Some(mut all) if all.shape.len() < 4 => {
            all.shape.insert(0, count);
            Ok(all)
        }
        _ => expected(at, Expectation::Tensor),
    }
}

/// Two tensors of one shape behind each other; the shape stays that of one.
fn joined(mut all: Tensor, next: Tensor) -> Tensor {
    all.element = match (all.element, next.element) {
        (one, other) if one == other => one,
        (Element::Float, _) | (_, Element::Float) => Element::Float,
        _ => Element::Integer,
    };
    all.data.extend(next.data);
    all
}

fn chosen(arguments: &Arguments<'_>, at: &Range<usize>) -> Result<Tensor> {
    let condition = arguments.tensor("condition", 0)?;
    let (yes, no) = (arguments.tensor("input", 1)?, arguments.tensor("other", 2)?);
    condition.choose(&yes, &no, at)
}

/// `float("-inf")`, or `float` of a number.
fn float(arguments: &Arguments<'_>, at: &Range<usize>) -> Result<Value> {
    let Some(expression) = arguments.by_place().next() else {
        return expected(at, Expectation::Number);
    };
    let value = match arguments.evaluate(expression)? {
        Value::Text(text) => text.trim().parse().ok(),
        Value::Tensor(tensor) => tensor.as_number(),
        _ => None,
    };
    match value {
        Some(value) => Ok(Value::Tensor(Tensor::number(value, Element::Float))),
        None => expected(&expression.at, Expectation::Number),
    }
}

/// −∞ above the diagonal, as of `torch.nn.Transformer`.
fn future(arguments: &Arguments<'_>, at: &Range<usize>) -> Result<Tensor> {
    let n = length(arguments.whole("sz", 0, 0)?, at)?;
    let hidden = Tensor::full(vec![n, n], f64::NEG_INFINITY, Element::Float, at)?;
    hidden.triangle(1, false, at)
}
