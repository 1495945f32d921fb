//! Rules as conditions over arrays of positions.

use super::arrays::Arrays;
use crate::Axes;
use crate::axes::to_i64;
use crate::rule::{Align, Arithmetic, Binding, Rule, Value, Variable};

/// What positions are called.
#[derive(Debug, Clone, Copy)]
pub(super) struct Names {
    query: &'static str,
    key: &'static str,
}

impl Names {
    pub(super) const OF_ARRAYS: Self = Self {
        query: "i",
        key: "j",
    };
    pub(super) const OF_FUNCTION: Self = Self {
        query: "q_idx",
        key: "kv_idx",
    };
}

/// Whether a condition over arrays of 32-bit numbers means what the rule means: each comparison is between arrays, no quotient is by 0 and no number
/// is too large.
pub(super) fn can_write(rule: &Rule, axes: &Axes) -> bool {
    match rule {
        Rule::Compare { left, right, .. } => {
            let has_array = is_array(left) || is_array(right);
            has_array && is_exact(left, axes) && is_exact(right, axes)
        }
        Rule::And(rules) | Rule::Or(rules) => {
            !rules.is_empty() && rules.iter().all(|rule| can_write(rule, axes))
        }
        Rule::Not(rule) => can_write(rule, axes),
        Rule::Documents { lengths } => lengths.iter().all(|length| is_short(*length)),
        Rule::Global { positions } => positions.iter().all(|position| is_short(*position)),
        Rule::Window { before, after, .. } => is_short(*before) && is_short(*after),
        Rule::Prefix { keys: number }
        | Rule::First { keys: number }
        | Rule::Padding { valid: number }
        | Rule::PaddingLeft { padded: number }
        | Rule::Dilated { stride: number } => is_short(*number),
        Rule::All | Rule::None | Rule::Causal(_) | Rule::Image { .. } => true,
    }
}

fn is_short(number: u32) -> bool {
    i64::from(number) <= i64::from(i32::MAX)
}

/// Whether a number is one for each cell, not one for all.
fn is_array(value: &Value) -> bool {
    let arrays = [
        Variable::Batch,
        Variable::Head,
        Variable::Query,
        Variable::Key,
    ];
    arrays.into_iter().any(|variable| value.names(variable))
}

fn is_exact(value: &Value, axes: &Axes) -> bool {
    let is_short = largest(value, axes) <= i64::from(i32::MAX);
    is_short
        && match value {
            Value::Number(_) | Value::Variable(_) => true,
            Value::Negative(value) | Value::Absolute(value) => is_exact(value, axes),
            Value::Computed(arithmetic, a, b) => {
                let divides = matches!(arithmetic, Arithmetic::Divide | Arithmetic::Remainder);
                let can_divide = matches!(**b, Value::Number(number) if number != 0);
                (!divides || can_divide) && is_exact(a, axes) && is_exact(b, axes)
            }
        }
}

/// A bound on the size of a number, whatever the cell.
fn largest(value: &Value, axes: &Axes) -> i64 {
    match value {
        Value::Number(number) => number.saturating_abs(),
        Value::Variable(variable) => to_i64(match variable {
            Variable::Batch => axes.batch,
            Variable::Head => axes.heads,
            Variable::Query | Variable::Queries => axes.n,
            Variable::Key | Variable::Keys => axes.m,
        }),
        Value::Negative(value) | Value::Absolute(value) => largest(value, axes),
        Value::Computed(arithmetic, a, b) => {
            let (a, b) = (largest(a, axes), largest(b, axes));
            match arithmetic {
                Arithmetic::Add | Arithmetic::Subtract => a.saturating_add(b),
                Arithmetic::Multiply => a.saturating_mul(b),
                Arithmetic::Divide => a.saturating_add(1),
                Arithmetic::Remainder => b,
                Arithmetic::Min | Arithmetic::Max => a.max(b),
            }
        }
    }
}

/// How a written condition binds among `&`, `|` and `~`.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Outermost {
    Comparison,
    Or,
    And,
    Closed,
}

/// Writes rules, and collects the lines that come before them.
pub(super) struct Writer {
    arrays: Arrays,
    names: Names,
    /// Lines that make what a condition names.
    pub(super) lines: Vec<String>,
    /// Such that name positions themselves.
    pub(super) inner: Vec<String>,
    used: Vec<Variable>,
    helpers: Vec<&'static str>,
}

impl Writer {
    pub(super) fn new(arrays: Arrays, names: Names) -> Self {
        Self {
            arrays,
            names,
            lines: Vec::new(),
            inner: Vec::new(),
            used: Vec::new(),
            helpers: Vec::new(),
        }
    }

    /// Whether what was written names the variable.
    pub(super) fn uses(&self, variable: Variable) -> bool {
        self.used.contains(&variable)
    }

    /// The rule as a condition.
    pub(super) fn rule(&mut self, rule: &Rule) -> String {
        self.condition(rule).0
    }

    fn name(&mut self, variable: Variable) -> &'static str {
        self.used.push(variable);
        match variable {
            Variable::Query => self.names.query,
            Variable::Key => self.names.key,
            other => other.letter(),
        }
    }

    fn places(&mut self) -> (&'static str, &'static str) {
        (self.name(Variable::Query), self.name(Variable::Key))
    }

    fn condition(&mut self, rule: &Rule) -> (String, Outermost) {
        let compared = |text: String| (text, Outermost::Comparison);
        match rule {
            Rule::All => {
                let key = self.name(Variable::Key);
                compared(format!("{key} >= 0"))
            }
            Rule::None => {
                let key = self.name(Variable::Key);
                compared(format!("{key} < 0"))
            }
            Rule::Causal(align) => {
                let (i, j) = self.places();
                compared(format!("{j} <= {i}{}", moved(*align)))
            }
            Rule::Window {
                before,
                after,
                align,
            } => self.window(*before, *after, *align),
            Rule::Prefix { keys } => {
                let (i, j) = self.places();
                (format!("({j} < {keys}) | ({j} <= {i})"), Outermost::Or)
            }
            Rule::Documents { lengths } => compared(self.documents(lengths)),
            Rule::Dilated { stride } => {
                let (i, j) = self.places();
                compared(format!("({i} - {j}) % {stride} == 0"))
            }
            Rule::First { keys: valid } | Rule::Padding { valid } => {
                let key = self.name(Variable::Key);
                compared(format!("{key} < {valid}"))
            }
            Rule::PaddingLeft { padded } => {
                let key = self.name(Variable::Key);
                compared(format!("{key} >= {padded}"))
            }
            Rule::Image {
                width,
                height,
                kernel,
            } => self.image([*width, *height], *kernel),
            Rule::Global { positions } => self.global(positions),
            Rule::Compare {
                left,
                comparison,
                right,
            } => {
                let (left, right) = (self.value(left).0, self.value(right).0);
                compared(format!("{left} {} {right}", comparison.symbol()))
            }
            Rule::And(rules) => (self.joined(rules, " & ", Outermost::And), Outermost::And),
            Rule::Or(rules) => (self.joined(rules, " | ", Outermost::And), Outermost::Or),
            Rule::Not(rule) => {
                let inside = self.condition(rule);
                (
                    format!("~{}", within(inside, Outermost::Closed)),
                    Outermost::Closed,
                )
            }
        }
    }

    fn joined(&mut self, rules: &[Rule], by: &str, least: Outermost) -> String {
        let written = rules.iter().map(|rule| within(self.condition(rule), least));
        written.collect::<Vec<_>>().join(by)
    }

    fn window(&mut self, before: u32, after: u32, align: Align) -> (String, Outermost) {
        let (i, j) = self.places();
        let ahead = format!("{i}{} - {j}", moved(align));
        if before == after {
            return (format!("abs({ahead}) <= {before}"), Outermost::Comparison);
        }
        let behind = if after == 0 {
            String::from("0")
        } else {
            format!("-{after}")
        };
        let both = format!("({ahead} <= {before}) & ({ahead} >= {behind})");
        (both, Outermost::And)
    }

    fn global(&mut self, positions: &[u32]) -> (String, Outermost) {
        let (i, j) = self.places();
        let of = |position| format!("({i} == {position}) | ({j} == {position})");
        let all: Vec<_> = positions.iter().map(of).collect();
        (all.join(" | "), Outermost::Or)
    }

    /// `name`, with a number behind it from the second one on.
    fn helper(&mut self, name: &'static str) -> String {
        let before = self.helpers.iter().filter(|other| **other == name).count();
        self.helpers.push(name);
        match before {
            0 => name.to_owned(),
            before => format!("{name}_{}", before + 1),
        }
    }

    fn documents(&mut self, lengths: &[u32]) -> String {
        let (i, j) = self.places();
        let document = self.helper("document");
        let (count, list) = (lengths.len(), list(lengths));
        self.lines.push(match self.arrays {
            Arrays::NumPy => format!("{document} = np.repeat(np.arange({count}), {list})"),
            Arrays::Torch => format!(
                "{document} = torch.arange({count}, device=q.device).repeat_interleave(torch.tensor({list}, device=q.device))"
            ),
            Arrays::Jax => {
                format!("{document} = jnp.repeat(jnp.arange({count}), jnp.array({list}))")
            }
        });
        format!("{document}[{i}] == {document}[{j}]")
    }

    /// The kernel around the query, moved so that it fits.
    fn image(&mut self, [width, height]: [u32; 2], kernel: (u32, u32)) -> (String, Outermost) {
        let (i, j) = self.places();
        let clip = match self.arrays {
            Arrays::NumPy => "np.clip",
            Arrays::Torch => "torch.clamp",
            Arrays::Jax => "jnp.clip",
        };
        let starts = |at: String, kernel: u32, length: u32| {
            let (half, last) = (kernel / 2, length.saturating_sub(kernel));
            format!("{clip}({at} - {half}, 0, {last})")
        };
        let x = starts(format!("{i} % {width}"), kernel.0, width);
        let y = starts(format!("{i} // {width}"), kernel.1, height);
        let (key_x, key_y) = (format!("{j} % {width}"), format!("{j} // {width}"));
        let (across, down) = (kernel.0, kernel.1);
        let (left, top) = (self.helper("left"), self.helper("top"));
        self.inner.push(format!("{left} = {x}"));
        self.inner.push(format!("{top} = {y}"));
        let across = format!("({key_x} >= {left}) & ({key_x} < {left} + {across})");
        let down = format!("({key_y} >= {top}) & ({key_y} < {top} + {down})");
        (format!("{across} & {down}"), Outermost::And)
    }

    fn value(&mut self, value: &Value) -> (String, Binding) {
        match value {
            Value::Number(number) => (number.to_string(), Binding::Closed),
            Value::Variable(variable) => (self.name(*variable).to_owned(), Binding::Closed),
            Value::Negative(value) => {
                let inside = bracketed(self.value(value), Binding::Sign);
                (format!("-{inside}"), Binding::Sign)
            }
            Value::Absolute(value) => (format!("abs({})", self.value(value).0), Binding::Closed),
            Value::Computed(arithmetic @ (Arithmetic::Min | Arithmetic::Max), a, b) => {
                (self.limited(*arithmetic, a, b), Binding::Closed)
            }
            Value::Computed(arithmetic, a, b) => {
                let (own, next) = arithmetic.bindings();
                let (a, b) = (self.value(a), self.value(b));
                let (a, b) = (bracketed(a, own), bracketed(b, next));
                (format!("{a} {} {b}", arithmetic.symbol()), own)
            }
        }
    }

    /// `min` and `max`, which arrays do not have.
    fn limited(&mut self, arithmetic: Arithmetic, a: &Value, b: &Value) -> String {
        // PyTorch takes the array first.
        let (a, b) = if is_array(a) { (a, b) } else { (b, a) };
        let has_array = is_array(a);
        let (a, b) = (self.value(a).0, self.value(b).0);
        let (module, name) = (self.arrays.module(), arithmetic.symbol());
        match self.arrays {
            _ if !has_array => format!("{name}({a}, {b})"),
            Arrays::Torch if arithmetic == Arithmetic::Min => format!("torch.clamp({a}, max={b})"),
            Arrays::Torch => format!("torch.clamp({a}, min={b})"),
            _ => format!("{module}.{name}imum({a}, {b})"),
        }
    }
}

fn moved(align: Align) -> &'static str {
    match align {
        Align::Start => "",
        Align::End => " + m - n",
    }
}

fn list(numbers: &[u32]) -> String {
    let numbers: Vec<_> = numbers.iter().map(u32::to_string).collect();
    format!("[{}]", numbers.join(", "))
}

fn within((text, outermost): (String, Outermost), least: Outermost) -> String {
    if outermost < least {
        format!("({text})")
    } else {
        text
    }
}

fn bracketed((text, binding): (String, Binding), least: Binding) -> String {
    if binding < least {
        format!("({text})")
    } else {
        text
    }
}
