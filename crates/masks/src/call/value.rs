//! What an expression evaluates to, as far as the text says it.

use std::ops::Range;

use super::biases;
use super::error::{CallProblem, Expectation, Result, expected, refused};
use super::expression::{Argument, Expression, Node};
use super::tensor::Tensor;
use super::{CallError, functions};
use crate::imported::Element;
use crate::rule::{self, Rule};

/// What an expression evaluates to.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// Numbers and booleans, single ones too.
    Tensor(Tensor),
    Text(String),
    None,
    Type(Element),
    Sequence(Vec<Value>),
    /// A mask that a library makes of positions, and the lengths `n` and `m` if they are said.
    Mask(Rule, Option<(usize, usize)>),
    /// A variable, of which the text has the name alone.
    Unknown(String),
}

/// Modules whose functions make tensors; what hangs on another name is a method.
const MODULES: [&str; 16] = [
    "torch", "np", "numpy", "jnp", "jax", "mx", "mlx", "tf", "keras", "ops", "math", "nn", "F",
    "xops", "xformers", "fmha",
];

/// The names between points, if there is nothing else.
pub(super) fn path(expression: &Expression) -> Option<String> {
    match &expression.node {
        Node::Name(name) => Some(name.clone()),
        Node::Attribute(base, name) => path(base).map(|base| format!("{base}.{name}")),
        _ => None,
    }
}

/// The name behind the last point.
pub(super) fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// Whether a name stands in a module rather than on a value.
fn is_in_module(path: &str) -> bool {
    let first = path.split('.').next().unwrap_or(path);
    first == path || MODULES.contains(&first) || first.starts_with(char::is_uppercase)
}

pub(super) fn evaluate(expression: &Expression, text: &str) -> Result<Value> {
    let at = &expression.at;
    let number = |value, element| Ok(Value::Tensor(Tensor::number(value, element)));
    match &expression.node {
        Node::Whole(whole) => number(*whole as f64, Element::Integer),
        Node::Real(real) => number(*real, Element::Float),
        Node::Quoted(quoted) => Ok(Value::Text(quoted.clone())),
        Node::Name(name) => Ok(named(name)),
        Node::Attribute(base, name) => attribute(base, name, text),
        Node::Call(function, arguments) => call(function, arguments, at, text),
        Node::Subscript(base, indices) => {
            let tensor = tensor(base, text)?;
            tensor.with_axes(indices, at).map(Value::Tensor)
        }
        Node::Sequence(all) => {
            let values = all.iter().map(|one| evaluate(one, text));
            values.collect::<Result<_>>().map(Value::Sequence)
        }
        Node::Unary(sign, value) => {
            let tensor = tensor(value, text)?;
            match (*sign, tensor.element) {
                ("~", Element::Bool) => Ok(Value::Tensor(tensor.map(|value| 1.0 - value))),
                ("~", _) => expected(&value.at, Expectation::Tensor),
                ("-", _) => Ok(Value::Tensor(tensor.map(|value| -value))),
                _ => Ok(Value::Tensor(tensor)),
            }
        }
        Node::Binary(operator, left, right) => {
            let (left, right) = (tensor(left, text)?, tensor(right, text)?);
            left.binary(operator, &right, at).map(Value::Tensor)
        }
        Node::Lambda => lambda(at, text).map(|rule| Value::Mask(rule, None)),
        Node::Logic => expected(at, Expectation::Tensor),
    }
}

fn named(name: &str) -> Value {
    match name {
        "True" => Value::Tensor(Tensor::number(1.0, Element::Bool)),
        "False" => Value::Tensor(Tensor::number(0.0, Element::Bool)),
        "None" => Value::None,
        "inf" => Value::Tensor(Tensor::number(f64::INFINITY, Element::Float)),
        name => element_named(name).map_or_else(|| Value::Unknown(name.to_owned()), Value::Type),
    }
}

/// The kind of numbers that a type of a library holds.
pub(super) fn element_named(name: &str) -> Option<Element> {
    let digits: &[_] = &['0', '1', '2', '3', '4', '6', '8'];
    match name.trim_end_matches(digits) {
        "bool" | "bool_" => Some(Element::Bool),
        "int" | "uint" | "long" | "short" => Some(Element::Integer),
        "float" | "half" | "double" | "bfloat" => Some(Element::Float),
        _ => None,
    }
}

fn attribute(base: &Expression, name: &str, text: &str) -> Result<Value> {
    if let Node::Call(function, arguments) = &base.node
        && path(function).is_some_and(|path| last(&path) == "finfo")
    {
        return limit(arguments, name, &base.at);
    }
    let whole = path(base).map(|base| format!("{base}.{name}"));
    match whole {
        Some(whole) if is_in_module(&whole) => Ok(match named(name) {
            Value::Unknown(_) => Value::Unknown(whole),
            value => value,
        }),
        Some(whole) => Ok(Value::Unknown(whole)),
        None => {
            evaluate(base, text)?;
            refused(&base.at, CallProblem::UnknownFunction(name.to_owned()))
        }
    }
}

/// The least or the largest number of a type of floats.
fn limit(arguments: &[Argument], name: &str, at: &Range<usize>) -> Result<Value> {
    let kind = arguments.first().and_then(|argument| path(&argument.value));
    let largest = match kind.as_deref().map(last) {
        Some("float16" | "half") => 65504.0,
        Some("bfloat16") => 3.389_531_389_251_535_5e38,
        Some("float64" | "double") => f64::MAX,
        // What is not said, such as `scores.dtype`, is mostly 32 bits.
        _ => f64::from(f32::MAX),
    };
    match name {
        "min" => Ok(Value::Tensor(Tensor::number(-largest, Element::Float))),
        "max" => Ok(Value::Tensor(Tensor::number(largest, Element::Float))),
        _ => expected(at, Expectation::Number),
    }
}

/// A function of a cell, its places moved to those of the whole text.
pub(super) fn lambda(at: &Range<usize>, text: &str) -> Result<Rule> {
    let body: String = text.chars().skip(at.start).take(at.len()).collect();
    rule::parse(&body).map_err(|error| CallError {
        at: error.at.start + at.start..error.at.end + at.start,
        problem: CallProblem::Rule(error.problem),
    })
}

fn call(
    function: &Expression,
    arguments: &[Argument],
    at: &Range<usize>,
    text: &str,
) -> Result<Value> {
    let arguments = Arguments {
        all: arguments,
        at,
        text,
    };
    if let Some(path) = path(function).filter(|path| is_in_module(path)) {
        if let Some(mask) = biases::mask(&path, &arguments)? {
            return Ok(mask);
        }
        return functions::made(&path, &function.at, &arguments);
    }
    match &function.node {
        Node::Attribute(base, name) => {
            let base = tensor(base, text)?;
            functions::method(base, name, &function.at, &arguments)
        }
        _ => expected(at, Expectation::Call),
    }
}

/// The tensor that an expression evaluates to.
pub(super) fn tensor(expression: &Expression, text: &str) -> Result<Tensor> {
    as_tensor(evaluate(expression, text)?, &expression.at)
}

pub(super) fn as_tensor(value: Value, at: &Range<usize>) -> Result<Tensor> {
    match value {
        Value::Tensor(tensor) => Ok(tensor),
        Value::Unknown(name) => refused(at, CallProblem::UnknownName(name)),
        _ => expected(at, Expectation::Tensor),
    }
}

/// The arguments of a call.
pub(super) struct Arguments<'a> {
    pub(super) all: &'a [Argument],
    /// The place of the call.
    pub(super) at: &'a Range<usize>,
    pub(super) text: &'a str,
}

impl<'a> Arguments<'a> {
    /// The argument of this name, or the one at this place among those without a name.
    pub(super) fn get(&self, name: &str, place: usize) -> Option<&'a Expression> {
        let named = self.all.iter().find(|argument| argument.name == name);
        let mut by_place = self.by_place();
        named
            .map(|argument| &argument.value)
            .or_else(|| by_place.nth(place))
    }

    pub(super) fn named(&self, name: &str) -> Option<&'a Expression> {
        self.get(name, usize::MAX)
    }

    pub(super) fn by_place(&self) -> impl Iterator<Item = &'a Expression> + use<'a> {
        let all = self.all.iter();
        all.filter(|argument| argument.name.is_empty())
            .map(|argument| &argument.value)
    }

    pub(super) fn evaluate(&self, expression: &Expression) -> Result<Value> {
        evaluate(expression, self.text)
    }

    pub(super) fn tensor(&self, name: &str, place: usize) -> Result<Tensor> {
        match self.get(name, place) {
            Some(expression) => tensor(expression, self.text),
            None => expected(self.at, Expectation::Tensor),
        }
    }

    /// A whole number; `usual` where the argument is absent.
    pub(super) fn whole(&self, name: &str, place: usize, usual: i64) -> Result<i64> {
        let Some(expression) = self.get(name, place) else {
            return Ok(usual);
        };
        whole(self.evaluate(expression)?, &expression.at)
    }

    /// Whether a flag is set; not where it is absent.
    pub(super) fn flag(&self, name: &str, place: usize) -> Result<bool> {
        let Some(expression) = self.get(name, place) else {
            return Ok(false);
        };
        match self.evaluate(expression)? {
            Value::None => Ok(false),
            Value::Tensor(tensor) => match tensor.as_number() {
                Some(0.0) => Ok(false),
                Some(1.0) => Ok(true),
                _ => expected(&expression.at, Expectation::Flag),
            },
            _ => expected(&expression.at, Expectation::Flag),
        }
    }
}

/// A value as a whole number of at most 32 bits beside its sign.
pub(super) fn whole(value: Value, at: &Range<usize>) -> Result<i64> {
    let number = match value {
        Value::Tensor(tensor) => tensor.as_number(),
        _ => None,
    };
    match number {
        Some(number) if number.fract() == 0.0 && number.abs() <= f64::from(u32::MAX) => {
            Ok(number as i64)
        }
        _ => expected(at, Expectation::WholeNumber),
    }
}

/// Whole numbers of a tuple or a list.
pub(super) fn wholes(value: Value, at: &Range<usize>) -> Result<Vec<i64>> {
    match value {
        Value::Sequence(values) => values.into_iter().map(|value| whole(value, at)).collect(),
        value => Ok(vec![whole(value, at)?]),
    }
}
