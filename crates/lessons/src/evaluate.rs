//! Evaluation of expressions.

use crate::expression::{Expression, Node, Operator};

/// Numbers that differ by less are equal.
const TOLERANCE: f64 = 1e-6;

/// Value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// Whether something holds.
    Bool(bool),
}

/// Why an expression cannot be evaluated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvalError {
    /// There is no such setting, word or row, or no such number yet.
    #[error("there is no {0}")]
    Unknown(String),
    /// Things of different kinds are compared or combined.
    #[error("{0} cannot be compared or combined like this")]
    Kind(String),
}

/// Settings and results that expressions refer to.
pub trait Facts {
    /// A setting; `None` where there is no such one.
    fn setting(&self, name: &str) -> Option<Value>;

    /// A function of what is computed, as `docs/lessons.md` lists them; `None` where the words or rows do not exist, or the number is not there.
    fn call(&self, name: &str, values: &[Value]) -> Option<Value>;
}

impl Expression {
    /// The same with what `before(…)` is now in the place of it, for a time when `facts` will be other ones.
    ///
    /// # Errors
    /// As [`value`](Self::value).
    pub fn remembering(&self, facts: &dyn Facts) -> Result<Self, EvalError> {
        remembering(&self.0, facts).map(Self)
    }

    /// Evaluates the expression.
    ///
    /// # Errors
    /// For names that there are not, and for what cannot be compared or combined.
    pub fn value(&self, facts: &dyn Facts) -> Result<Value, EvalError> {
        value(&self.0, facts)
    }

    /// Whether it holds.
    ///
    /// # Errors
    /// As [`value`](Self::value), and where it is no condition.
    pub fn holds(&self, facts: &dyn Facts) -> Result<bool, EvalError> {
        truth(&self.0, facts)
    }

    /// The number that it is.
    ///
    /// # Errors
    /// As [`value`](Self::value), and where it is no number.
    pub fn number(&self, facts: &dyn Facts) -> Result<f64, EvalError> {
        number(&self.0, facts)
    }
}

fn remembering(node: &Node, facts: &dyn Facts) -> Result<Node, EvalError> {
    let within = |node: &Node| remembering(node, facts);
    Ok(match node {
        Node::Call(name, nodes) => match (name.as_str(), nodes.as_slice()) {
            ("before", [node]) => Node::Known(value(node, facts)?),
            _ => {
                let nodes = nodes.iter().map(within).collect::<Result<_, _>>()?;
                Node::Call(name.clone(), nodes)
            }
        },
        Node::Not(node) => Node::Not(Box::new(within(node)?)),
        Node::Negative(node) => Node::Negative(Box::new(within(node)?)),
        Node::Binary(operator, nodes) => {
            let [left, right] = &**nodes;
            Node::Binary(*operator, Box::new([within(left)?, within(right)?]))
        }
        Node::Known(_) | Node::Setting(_) => node.clone(),
    })
}

fn value(node: &Node, facts: &dyn Facts) -> Result<Value, EvalError> {
    Ok(match node {
        Node::Known(known) => known.clone(),
        Node::Setting(name) => facts
            .setting(name)
            .ok_or_else(|| EvalError::Unknown(name.clone()))?,
        Node::Not(node) => Value::Bool(!truth(node, facts)?),
        Node::Negative(node) => Value::Number(-number(node, facts)?),
        Node::Call(name, nodes) => return call(name, nodes, facts),
        Node::Binary(operator, nodes) => return binary(*operator, nodes, facts),
    })
}

fn call(name: &str, nodes: &[Node], facts: &dyn Facts) -> Result<Value, EvalError> {
    let of_number = |function: fn(f64) -> f64, node| {
        let number = number(node, facts)?;
        Ok(Value::Number(function(number)))
    };
    match (name, nodes) {
        ("abs", [node]) => of_number(f64::abs, node),
        ("sqrt", [node]) => of_number(f64::sqrt, node),
        ("exp", [node]) => of_number(f64::exp, node),
        ("ln", [node]) => of_number(f64::ln, node),
        _ => {
            let values: Vec<Value> = nodes
                .iter()
                .map(|node| value(node, facts))
                .collect::<Result<_, _>>()?;
            let found = facts.call(name, &values);
            found.ok_or_else(|| EvalError::Unknown(written(name, &values)))
        }
    }
}

/// A call as it stands in a file.
fn written(name: &str, values: &[Value]) -> String {
    let values: Vec<String> = values.iter().map(Value::to_string).collect();
    format!("{name}({})", values.join(", "))
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => write!(f, "\"{text}\""),
            Self::Bool(truth) => write!(f, "{truth}"),
        }
    }
}

fn binary(
    operator: Operator,
    [left, right]: &[Node; 2],
    facts: &dyn Facts,
) -> Result<Value, EvalError> {
    let truths = |decides: bool| {
        let first = truth(left, facts)?;
        Ok(Value::Bool(if first == decides {
            first
        } else {
            truth(right, facts)?
        }))
    };
    let compared = |holds: fn(f64, f64) -> bool| {
        Ok(Value::Bool(holds(
            number(left, facts)?,
            number(right, facts)?,
        )))
    };
    let combined = |combine: fn(f64, f64) -> f64| {
        Ok(Value::Number(combine(
            number(left, facts)?,
            number(right, facts)?,
        )))
    };
    match operator {
        Operator::Or => truths(true),
        Operator::And => truths(false),
        Operator::Less => compared(|a, b| a < b - TOLERANCE),
        Operator::LessOrEqual => compared(|a, b| a < b + TOLERANCE),
        Operator::More => compared(|a, b| a > b + TOLERANCE),
        Operator::MoreOrEqual => compared(|a, b| a > b - TOLERANCE),
        Operator::Equal => Ok(Value::Bool(is_equal(left, right, facts)?)),
        Operator::Different => Ok(Value::Bool(!is_equal(left, right, facts)?)),
        Operator::Plus => combined(|a, b| a + b),
        Operator::Minus => combined(|a, b| a - b),
        Operator::Times => combined(|a, b| a * b),
        Operator::Over => combined(|a, b| a / b),
    }
}

fn is_equal(left: &Node, right: &Node, facts: &dyn Facts) -> Result<bool, EvalError> {
    match (value(left, facts)?, value(right, facts)?) {
        (Value::Number(a), Value::Number(b)) => Ok((a - b).abs() < TOLERANCE),
        (Value::Text(a), Value::Text(b)) => Ok(a.to_lowercase() == b.to_lowercase()),
        (Value::Bool(a), Value::Bool(b)) => Ok(a == b),
        (a, b) => Err(EvalError::Kind(format!("{a}, {b}"))),
    }
}

fn number(node: &Node, facts: &dyn Facts) -> Result<f64, EvalError> {
    match value(node, facts)? {
        Value::Number(number) => Ok(number),
        other => Err(EvalError::Kind(other.to_string())),
    }
}

fn truth(node: &Node, facts: &dyn Facts) -> Result<bool, EvalError> {
    match value(node, facts)? {
        Value::Bool(truth) => Ok(truth),
        // A switch among the settings.
        Value::Number(number) => Ok(number != 0.0),
        other => Err(EvalError::Kind(other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Page(f64);

    impl Facts for Page {
        fn setting(&self, name: &str) -> Option<Value> {
            match name {
                "heads" => Some(Value::Number(4.0)),
                "mask" => Some(Value::Text("causal".to_owned())),
                _ => None,
            }
        }

        fn call(&self, name: &str, values: &[Value]) -> Option<Value> {
            match (name, values) {
                ("max", [Value::Text(word)]) if word == "it" => Some(Value::Number(self.0)),
                _ => None,
            }
        }
    }

    fn holds(source: &str) -> Result<bool, EvalError> {
        let condition = Expression::parse(source).expect(source);
        condition.remembering(&Page(0.5))?.holds(&Page(0.25))
    }

    #[test]
    fn conditions_bind_as_they_are_read() {
        for source in [
            "1 + 2 * 3 == 7",
            "(1 + 2) * 3 == 9",
            "8 / 4 / 2 == 1",
            "5 - 3 - 1 == 1",
            "-1 < 0 and 2 != 3",
            "not 1 == 2",
            "1 == 2 or 2 == 2 and heads >= 4",
            "mask == \"Causal\"",
            "max(\"it\") < before(max(\"it\"))",
            "abs(before(max(\"it\")) - 2 * max(\"it\")) < 0.001",
            "0.1 + 0.2 == 0.3",
            "not 0.3 < 0.3 and 0.3 <= 0.3",
            "sqrt(16) == 4 and ln(exp(2)) == 2 and exp(100 * ln(2)) > 1",
        ] {
            assert_eq!(holds(source), Ok(true), "{source}");
        }
        assert_eq!(
            holds("1 == 2 and nothing"),
            Ok(false),
            "what does not matter is not asked"
        );
    }

    #[test]
    fn what_there_is_not_is_named() {
        let unknown = |name: &str| Err(EvalError::Unknown(name.to_owned()));
        assert_eq!(holds("head > 1"), unknown("head"));
        assert_eq!(holds("max(\"them\") > 1"), unknown("max(\"them\")"));
        assert_eq!(holds("before(before(1)) > 0"), unknown("before(1)"));
        assert!(matches!(holds("mask > 1"), Err(EvalError::Kind(_))));
        assert!(matches!(holds("mask == 1"), Err(EvalError::Kind(_))));
        assert!(matches!(holds("mask"), Err(EvalError::Kind(_))));
    }
}
