//! Rules as text that is read as the same rule.

use std::fmt::{self, Display, Formatter};

use super::{Align, Arithmetic, Rule, Value};

/// How closely the outermost operator of a text binds; what binds less closely than its surroundings stands in brackets.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub(crate) enum Binding {
    Or,
    And,
    Not,
    Sum,
    Product,
    Sign,
    Closed,
}

impl Display for Rule {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => write!(f, "all"),
            Self::None => write!(f, "none"),
            Self::Causal(align) => write!(f, "causal{}", Behind(*align)),
            Self::Window {
                before,
                after,
                align,
            } if before == after => write!(f, "window {before}{}", Behind(*align)),
            Self::Window {
                before,
                after,
                align,
            } => write!(f, "window {before}, {after}{}", Behind(*align)),
            Self::Prefix { keys } => write!(f, "prefix {keys}"),
            Self::Documents { lengths } => write!(f, "documents {}", List(lengths)),
            Self::Dilated { stride } => write!(f, "dilated {stride}"),
            Self::First { keys } => write!(f, "first {keys}"),
            Self::Padding { valid } => write!(f, "padding {valid}"),
            Self::PaddingLeft { padded } => write!(f, "padding left {padded}"),
            Self::Image {
                width,
                height,
                kernel: (across, down),
            } => {
                write!(f, "image {width}×{height} kernel {across}")?;
                if across == down {
                    return Ok(());
                }
                write!(f, "×{down}")
            }
            Self::Global { positions } => write!(f, "global {}", List(positions)),
            Self::Compare {
                left,
                comparison,
                right,
            } => write!(f, "{left} {} {right}", comparison.symbol()),
            Self::And(rules) => joined(f, rules, " and ", "all", Binding::Not),
            Self::Or(rules) => joined(f, rules, " or ", "none", Binding::And),
            Self::Not(rule) => {
                f.write_str("not ")?;
                within(f, &**rule, rule.binding(), Binding::Not)
            }
        }
    }
}

/// An alignment behind a word; the start is not said.
struct Behind(Align);

impl Display for Behind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Align::Start => "",
            Align::End => " end",
        })
    }
}

/// Numbers with commas.
struct List<'a>(&'a [u32]);

impl Display for List<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (at, number) in self.0.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(f, "{comma}{number}")?;
        }
        Ok(())
    }
}

fn joined(
    f: &mut Formatter<'_>,
    rules: &[Rule],
    word: &str,
    of_none: &str,
    least: Binding,
) -> fmt::Result {
    if rules.is_empty() {
        return f.write_str(of_none);
    }
    for (at, rule) in rules.iter().enumerate() {
        if at > 0 {
            f.write_str(word)?;
        }
        within(f, rule, rule.binding(), least)?;
    }
    Ok(())
}

/// `part` in brackets if it binds less closely than `least`.
fn within(
    f: &mut Formatter<'_>,
    part: &dyn Display,
    binding: Binding,
    least: Binding,
) -> fmt::Result {
    if binding < least {
        write!(f, "({part})")
    } else {
        write!(f, "{part}")
    }
}

impl Rule {
    fn binding(&self) -> Binding {
        match self {
            Self::Or(_) => Binding::Or,
            Self::And(_) => Binding::And,
            Self::Not(_) => Binding::Not,
            _ => Binding::Closed,
        }
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Variable(variable) => f.write_str(variable.letter()),
            Self::Negative(value) => {
                f.write_str("-")?;
                within(f, &**value, value.binding(), Binding::Sign)
            }
            Self::Absolute(value) => write!(f, "abs({value})"),
            Self::Computed(function @ (Arithmetic::Min | Arithmetic::Max), a, b) => {
                write!(f, "{}(", function.symbol())?;
                arguments(f, *function, a, b)?;
                f.write_str(")")
            }
            Self::Computed(arithmetic, a, b) => {
                let (own, next) = arithmetic.bindings();
                within(f, &**a, a.binding(), own)?;
                write!(f, " {} ", arithmetic.symbol())?;
                within(f, &**b, b.binding(), next)
            }
        }
    }
}

/// Numbers of a function, of which those of the same function at the left are part: without brackets in brackets.
fn arguments(f: &mut Formatter<'_>, function: Arithmetic, a: &Value, b: &Value) -> fmt::Result {
    match a {
        Value::Computed(inner, first, second) if *inner == function => {
            arguments(f, function, first, second)?;
        }
        a => write!(f, "{a}")?,
    }
    write!(f, ", {b}")
}

impl Value {
    fn binding(&self) -> Binding {
        match self {
            Self::Computed(arithmetic, ..) => arithmetic.bindings().0,
            Self::Negative(_) => Binding::Sign,
            _ => Binding::Closed,
        }
    }
}

impl Arithmetic {
    /// The operator or function in Python.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "//",
            Self::Remainder => "%",
            Self::Min => "min",
            Self::Max => "max",
        }
    }

    /// How closely the operator binds, and what at least stands at its right.
    pub(crate) fn bindings(self) -> (Binding, Binding) {
        match self {
            Self::Add | Self::Subtract => (Binding::Sum, Binding::Product),
            Self::Multiply | Self::Divide | Self::Remainder => (Binding::Product, Binding::Sign),
            Self::Min | Self::Max => (Binding::Closed, Binding::Closed),
        }
    }
}
