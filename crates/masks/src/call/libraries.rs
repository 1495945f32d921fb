//! Which argument of which function means what.

use std::ops::Range;

use super::biases::window;
use super::error::{CallProblem, Expectation, Raised, Result, expected, refused};
use super::expression::{Argument, Expression, Index, Node};
use super::meaning::{Meaning, Remark, Usage};
use super::signatures::{NOWHERE, SIGNATURES, Signature, WITHOUT_MEANING};
use super::value::{Arguments, Value, evaluate, last, path, wholes};
use super::{Call, Function};
use crate::rule::{Align, Rule};

/// FlexAttention's function of a cell.
pub(super) fn of_function(rule: Rule) -> Call {
    let mut call = Call::new(Function::FlexAttention);
    call.mean(Meaning::Rule(rule));
    call
}

pub(super) fn read(target: Option<&str>, expression: &Expression, text: &str) -> Result<Call> {
    if target == Some("sliding_window") {
        let value = evaluate(expression, text)?;
        return sliding_window(value, expression);
    }
    match &expression.node {
        Node::Lambda => super::value::lambda(&expression.at, text).map(of_function),
        Node::Call(function, arguments) => {
            let arguments = Arguments {
                all: arguments,
                at: &expression.at,
                text,
            };
            called(function, &arguments)
        }
        _ => expected(&expression.at, Expectation::Call),
    }
}

/// Hugging Face's setting: causal, and counts the query's own key.
fn sliding_window(value: Value, expression: &Expression) -> Result<Call> {
    let mut call = Call::new(Function::Transformers);
    if value == Value::None {
        return Ok(call);
    }
    let keys = super::value::whole(value, &expression.at)?;
    if keys < 1 {
        return expected(&expression.at, Expectation::WholeNumber);
    }
    call.mean(Meaning::Rule(window(keys - 1, 0, Align::End)));
    call.remark(Remark::AlignedAt(Align::End));
    call.remark(Remark::CausalCount);
    Ok(call)
}

/// The function that a path or, for layers that are variables, an argument names.
fn function_of(path: &str, arguments: &Arguments<'_>) -> Option<Function> {
    let has = |name: &str| arguments.named(name).is_some();
    let is_of_onnx = || has("is_causal") || has("left_window_size") || has("right_window_size");
    Some(match last(path) {
        "scaled_dot_product_attention" if path.starts_with("mx.") || path.starts_with("mlx.") => {
            Function::Mlx
        }
        "scaled_dot_product_attention" => match path.split('.').next() {
            Some("F" | "torch" | "nn" | "functional" | "scaled_dot_product_attention") => {
                Function::TorchSdpa
            }
            _ => return None,
        },
        "dot_product_attention" => match path.split('.').next() {
            Some("jax") => Function::Jax,
            Some("keras" | "ops") => Function::KerasOps,
            _ => return None,
        },
        "flex_attention" => Function::FlexAttention,
        "flash_attn_func"
        | "flash_attn_qkvpacked_func"
        | "flash_attn_kvpacked_func"
        | "flash_attn_with_kvcache" => Function::FlashAttention,
        "memory_efficient_attention" => Function::Xformers,
        "Attention" if is_of_onnx() => Function::Onnx,
        _ if has("use_causal_mask") => Function::KerasLayer,
        _ if has("attention_mask") && path.contains("layer") => Function::KerasLayer,
        _ if SIGNATURES[1]
            .masks
            .iter()
            .any(|(name, ..)| *name != "mask" && has(name)) =>
        {
            Function::TorchMultihead
        }
        _ => return None,
    })
}

fn called(function: &Expression, arguments: &Arguments<'_>) -> Result<Call> {
    // A layer that is called where it is made.
    let (name, is_made_here) = match &function.node {
        Node::Call(maker, _) => (path(maker), true),
        _ => (path(function), false),
    };
    let Some(name) = name else {
        return expected(&function.at, Expectation::Call);
    };
    let found = match (last(&name), is_made_here) {
        ("MultiheadAttention", true) => Some(Function::TorchMultihead),
        (maker, true) if maker.starts_with("Transformer") => Some(Function::TorchMultihead),
        ("MultiHeadAttention" | "Attention", true) => Some(Function::KerasLayer),
        ("make_node", false) => return of_node(function, arguments),
        _ => function_of(&name, arguments),
    };
    if let Some(found) = found {
        return with_signature(found, arguments);
    }
    if arguments.named("sliding_window").is_some() {
        return of_config(arguments);
    }
    alone(&name, function, arguments)
}

/// A bias of xformers or PyTorch, or a block mask, that stands alone.
fn alone(name: &str, function: &Expression, arguments: &Arguments<'_>) -> Result<Call> {
    let Some(mask) = super::biases::mask(name, arguments)? else {
        return refused(&function.at, CallProblem::UnknownFunction(name.to_owned()));
    };
    let mut call = Call::new(match last(name) {
        "create_block_mask" | "create_mask" => Function::FlexAttention,
        "causal_lower_right" | "causal_upper_left" => Function::TorchSdpa,
        _ => Function::Xformers,
    });
    call.mask(mask);
    Ok(call)
}

/// `helper.make_node("Attention", …)`.
fn of_node(function: &Expression, arguments: &Arguments<'_>) -> Result<Call> {
    let first = arguments.by_place().next();
    let operator = first.map(|first| arguments.evaluate(first)).transpose()?;
    match operator {
        Some(Value::Text(operator)) if operator == "Attention" => {
            with_signature(Function::Onnx, arguments)
        }
        _ => refused(
            &function.at,
            CallProblem::UnknownFunction("make_node".to_owned()),
        ),
    }
}

/// A config of a model with a window.
fn of_config(arguments: &Arguments<'_>) -> Result<Call> {
    match arguments.named("sliding_window") {
        Some(expression) => sliding_window(arguments.evaluate(expression)?, expression),
        None => expected(arguments.at, Expectation::Call),
    }
}

fn with_signature(function: Function, arguments: &Arguments<'_>) -> Result<Call> {
    let signature = SIGNATURES.iter().find(|one| one.function == function);
    let Some(signature) = signature else {
        return expected(arguments.at, Expectation::Call);
    };
    check_names(signature, arguments)?;
    let mut call = Call::new(function);
    let is_causal = match signature.flag {
        Some((name, place, _)) => arguments.flag(name, place)?,
        None => false,
    };
    match function {
        Function::FlashAttention => call.flash(is_causal, arguments)?,
        Function::Jax => call.jax(is_causal, arguments)?,
        Function::Onnx => call.onnx(is_causal, arguments)?,
        _ => call.flagged(is_causal, signature),
    }
    for (name, place, usage) in signature.masks {
        if let Some(expression) = arguments.get(name, *place) {
            let value = arguments.evaluate(expression)?;
            let value = with_batch(value, function, name, &expression.at)?;
            call.given(value, *usage, signature, is_causal, expression)?;
        }
    }
    if function == Function::TorchMultihead && arguments.flag("is_causal", NOWHERE)? {
        if call.meanings.is_empty() {
            return refused(arguments.at, CallProblem::Raises(Raised::FlagWithoutMask));
        }
        call.remark(Remark::FlagIsHint);
    }
    Ok(call)
}

/// A tensor whose first axis is the batch gets the axes that it leaves out.
fn with_batch(value: Value, function: Function, name: &str, at: &Range<usize>) -> Result<Value> {
    let Value::Tensor(tensor) = value else {
        return Ok(value);
    };
    let rank = tensor.shape.len();
    let is_padding = name.ends_with("key_padding_mask");
    let indices: &[Index] = match (function, rank) {
        (_, 2) if is_padding => &[Index::All, Index::New, Index::New],
        (Function::KerasLayer, 3) => &[Index::All, Index::New],
        // Batch and heads in one axis, of which the text does not say which is which.
        (Function::TorchMultihead, 3) => return expected(at, Expectation::Tensor),
        _ => &[],
    };
    tensor.with_axes(indices, at).map(Value::Tensor)
}

fn check_names(signature: &Signature, arguments: &Arguments<'_>) -> Result<()> {
    let is_known = |argument: &&Argument| {
        let name = argument.name.as_str();
        WITHOUT_MEANING.contains(&name)
            || signature.others.contains(&name)
            || signature.flag.is_some_and(|(flag, ..)| flag == name)
            || signature.masks.iter().any(|(mask, ..)| *mask == name)
            || name.starts_with("qk_")
    };
    match arguments.all.iter().find(|argument| !is_known(argument)) {
        None => Ok(()),
        Some(other) => {
            let problem = CallProblem::UnknownArgument(other.name.clone());
            refused(&other.value.at, problem)
        }
    }
}

impl Call {
    /// The causal flag by itself.
    fn flagged(&mut self, is_causal: bool, signature: &Signature) {
        if let Some((.., align)) = signature.flag.filter(|_| is_causal) {
            self.mean(Meaning::Rule(Rule::Causal(align)));
            self.remark(Remark::AlignedAt(align));
        }
    }

    fn given(
        &mut self,
        value: Value,
        usage: Usage,
        signature: &Signature,
        is_causal: bool,
        expression: &Expression,
    ) -> Result<()> {
        let at = &expression.at;
        if is_causal && self.function == Function::TorchSdpa && value != Value::None {
            return refused(at, CallProblem::Raises(Raised::FlagBesideMask));
        }
        if self.function == Function::Mlx && value == Value::Text("causal".to_owned()) {
            self.mean(Meaning::Rule(Rule::Causal(Align::End)));
            self.remark(Remark::AlignedAt(Align::End));
            return Ok(());
        }
        self.use_as_mask(value, usage, signature.empty, at)
    }

    fn flash(&mut self, is_causal: bool, arguments: &Arguments<'_>) -> Result<()> {
        let (before, after) = reach(arguments, "window_size", -1)?;
        let after = if is_causal { 0 } else { after };
        self.windowed(before, after, Align::End);
        Ok(())
    }

    fn jax(&mut self, is_causal: bool, arguments: &Arguments<'_>) -> Result<()> {
        if arguments.named("local_window_size").is_none() {
            let before = -1;
            let after = if is_causal { 0 } else { -1 };
            self.windowed(before, after, Align::Start);
            return Ok(());
        }
        let (before, after) = reach(arguments, "local_window_size", -1)?;
        let after = if is_causal { 0 } else { after };
        // A negative reach is none here: JAX counts from it.
        if before < 0 || after < 0 {
            return expected(arguments.at, Expectation::Window);
        }
        self.windowed(before, after, Align::Start);
        Ok(())
    }

    fn onnx(&mut self, is_causal: bool, arguments: &Arguments<'_>) -> Result<()> {
        let before = arguments.whole("left_window_size", NOWHERE, -1)?;
        let after = arguments.whole("right_window_size", NOWHERE, -1)?;
        let after = if is_causal { 0 } else { after };
        self.windowed(before, after, Align::Start);
        if !self.meanings.is_empty() {
            self.remark(Remark::EndWithCache);
        }
        Ok(())
    }

    /// A window, of which a negative reach is unlimited; none if both are.
    fn windowed(&mut self, before: i64, after: i64, align: Align) {
        if before < 0 && after < 0 {
            return;
        }
        self.mean(Meaning::Rule(window(before, after, align)));
        self.remark(Remark::AlignedAt(align));
    }
}

/// One number for both sides, or two.
fn reach(arguments: &Arguments<'_>, name: &str, usual: i64) -> Result<(i64, i64)> {
    let Some(expression) = arguments.named(name) else {
        return Ok((usual, usual));
    };
    let value = arguments.evaluate(expression)?;
    if value == Value::None {
        return Ok((usual, usual));
    }
    match wholes(value, &expression.at)?[..] {
        [both] => Ok((both, both)),
        [before, after] => Ok((before, after)),
        _ => expected(&expression.at, Expectation::Window),
    }
}
