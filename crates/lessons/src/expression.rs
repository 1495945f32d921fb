//! Conditions: numbers, texts, settings and functions of what is computed, compared and combined.

use crate::error::ParseErrorKind;
use crate::evaluate::Value;

/// Functions by their names, with the least and the most values that they take.
const FUNCTIONS: [(&str, usize, usize); 21] = [
    ("weight", 2, 4),
    ("max", 1, 1),
    ("best", 1, 1),
    ("entropy", 0, 1),
    ("sum", 1, 1),
    ("hidden", 2, 2),
    ("ahead", 0, 0),
    ("answer", 1, 1),
    ("share", 1, 1),
    ("answer_without", 1, 3),
    ("share_without", 1, 3),
    ("rows", 0, 0),
    ("columns", 0, 0),
    ("shown", 2, 2),
    ("right", 0, 2),
    ("right_in_batch", 0, 1),
    ("before", 1, 1),
    ("abs", 1, 1),
    ("sqrt", 1, 1),
    ("exp", 1, 1),
    ("ln", 1, 1),
];

/// A condition, or a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression(pub(crate) Node);

/// A part of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    /// A number or text of the file, or what something was before.
    Known(Value),
    /// A setting.
    Setting(String),
    Call(String, Vec<Node>),
    Not(Box<Node>),
    Negative(Box<Node>),
    Binary(Operator, Box<[Node; 2]>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Or,
    And,
    Less,
    LessOrEqual,
    More,
    MoreOrEqual,
    Equal,
    Different,
    Plus,
    Minus,
    Times,
    Over,
}

/// Operators by how closely they bind, the loosest first; longer signs before those that they begin with.
const LEVELS: [&[(&str, Operator)]; 5] = [
    &[("or", Operator::Or)],
    &[("and", Operator::And)],
    &[
        ("<=", Operator::LessOrEqual),
        (">=", Operator::MoreOrEqual),
        ("==", Operator::Equal),
        ("!=", Operator::Different),
        ("<", Operator::Less),
        (">", Operator::More),
    ],
    &[("+", Operator::Plus), ("-", Operator::Minus)],
    &[("*", Operator::Times), ("/", Operator::Over)],
];

/// Deepest nesting of parentheses and signs: files are not trusted.
const MAX_DEPTH: usize = 32;

/// Most bytes of an expression: each operator of a chain adds a level of recursion in the
/// evaluation.
const MAX_LENGTH: usize = 1000;

impl Expression {
    /// Reads an expression.
    ///
    /// # Errors
    /// [`ParseErrorKind::Expression`] with what stands where it goes wrong; [`ParseErrorKind::Unknown`] for a function that there is not.
    pub fn parse(source: &str) -> Result<Self, ParseErrorKind> {
        let mut parser = Parser {
            rest: source.trim(),
            depth: 0,
        };
        if source.len() > MAX_LENGTH {
            return Err(parser.error());
        }
        let node = parser.level(0)?;
        if parser.rest.is_empty() {
            Ok(Self(node))
        } else {
            Err(parser.error())
        }
    }

    /// Its calls and settings, to explain why it does not hold.
    pub fn parts(&self) -> Vec<Self> {
        let mut parts = Vec::new();
        self.0.visit(&mut |node| {
            if matches!(node, Node::Setting(_) | Node::Call(..)) {
                parts.push(Self(node.clone()));
            }
        });
        parts
    }

    /// The settings that it names.
    pub fn settings(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.0.visit(&mut |node| {
            if let Node::Setting(name) = node {
                names.push(name.as_str());
            }
        });
        names
    }

    /// The numbers that stand in it.
    pub fn numbers(&self) -> Vec<f64> {
        let mut numbers = Vec::new();
        self.0.visit(&mut |node| {
            if let Node::Known(Value::Number(number)) = node {
                numbers.push(*number);
            }
        });
        numbers
    }

    /// Structure of the expression without its numbers, words and direction of comparison: equal
    /// for the same condition in two languages.
    pub fn shape(&self) -> String {
        let mut shape = String::new();
        self.0
            .visit(&mut |node| shape += &format!("{} ", node.kind()));
        shape
    }
}

impl Node {
    fn kind(&self) -> String {
        match self {
            Self::Known(Value::Number(_)) => "number".to_owned(),
            Self::Known(Value::Text(_)) => "text".to_owned(),
            Self::Known(Value::Bool(_)) => "truth".to_owned(),
            Self::Setting(name) => name.clone(),
            Self::Call(name, _) => format!("{name}()"),
            Self::Not(_) => "not".to_owned(),
            Self::Negative(_) => "minus".to_owned(),
            Self::Binary(operator, _) => match operator {
                Operator::Less | Operator::LessOrEqual => "compared".to_owned(),
                Operator::More | Operator::MoreOrEqual => "compared".to_owned(),
                Operator::Equal | Operator::Different => "equal".to_owned(),
                other => format!("{other:?}"),
            },
        }
    }

    /// Shows itself and everything in it.
    fn visit<'a>(&'a self, see: &mut impl FnMut(&'a Self)) {
        see(self);
        match self {
            Self::Call(_, nodes) => nodes.iter().for_each(|node| node.visit(see)),
            Self::Not(node) | Self::Negative(node) => node.visit(see),
            Self::Binary(_, nodes) => nodes.iter().for_each(|node| node.visit(see)),
            Self::Known(_) | Self::Setting(_) => {}
        }
    }
}

struct Parser<'a> {
    rest: &'a str,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn error(&self) -> ParseErrorKind {
        ParseErrorKind::Expression(self.rest.to_owned())
    }

    /// Takes a sign where it comes next; one of letters has to end there.
    fn accept(&mut self, sign: &str) -> bool {
        let Some(rest) = self.rest.strip_prefix(sign) else {
            return false;
        };
        let is_word = sign.ends_with(|last: char| last.is_alphabetic());
        if is_word && rest.starts_with(|next: char| next.is_alphanumeric() || next == '_') {
            return false;
        }
        self.rest = rest.trim_start();
        true
    }

    fn level(&mut self, level: usize) -> Result<Node, ParseErrorKind> {
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.level(level + 1)?;
        while let Some((_, operator)) = operators.iter().find(|(sign, _)| self.accept(sign)) {
            let right = self.level(level + 1)?;
            left = Node::Binary(*operator, Box::new([left, right]));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Node, ParseErrorKind> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error());
        }
        self.depth += 1;
        let node = if self.accept("not") {
            // Binds as a comparison does: `not a == b` is `not (a == b)`.
            Node::Not(Box::new(self.level(2)?))
        } else if self.accept("-") {
            Node::Negative(Box::new(self.unary()?))
        } else {
            self.atom()?
        };
        self.depth -= 1;
        Ok(node)
    }

    fn atom(&mut self) -> Result<Node, ParseErrorKind> {
        if self.accept("(") {
            let node = self.level(0)?;
            return self.close(node);
        }
        if let Some(rest) = self.rest.strip_prefix('"') {
            let end = rest.find('"').ok_or_else(|| self.error())?;
            self.rest = rest[end + 1..].trim_start();
            return Ok(Node::Known(Value::Text(rest[..end].to_owned())));
        }
        let number = self.span(|sign| sign.is_ascii_digit() || sign == '.');
        if !number.is_empty() {
            let parsed = number.parse().map_err(|_| self.error())?;
            self.skip(number);
            return Ok(Node::Known(Value::Number(parsed)));
        }
        let name =
            self.span(|sign| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '_');
        if name.is_empty() {
            return Err(self.error());
        }
        self.skip(name);
        if self.accept("(") {
            return self.call(name);
        }
        Ok(Node::Setting(name.to_owned()))
    }

    fn call(&mut self, name: &str) -> Result<Node, ParseErrorKind> {
        let function = FUNCTIONS.iter().find(|(own, ..)| *own == name);
        let (_, least, most) =
            function.ok_or_else(|| ParseErrorKind::Unknown(format!("{name}()")))?;
        let mut values = Vec::new();
        if !self.rest.starts_with(')') {
            values.push(self.level(0)?);
            while self.accept(",") {
                values.push(self.level(0)?);
            }
        }
        if !(*least..=*most).contains(&values.len()) {
            return Err(self.error());
        }
        self.close(Node::Call(name.to_owned(), values))
    }

    fn close(&mut self, node: Node) -> Result<Node, ParseErrorKind> {
        if self.accept(")") {
            Ok(node)
        } else {
            Err(self.error())
        }
    }

    fn span(&self, is_in: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|sign| !is_in(sign));
        &self.rest[..end.unwrap_or(self.rest.len())]
    }

    fn skip(&mut self, taken: &str) {
        self.rest = self.rest[taken.len()..].trim_start();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_is_named_with_its_place() {
        for (source, rest) in [
            ("", ""),
            ("1 +", ""),
            ("(1", ""),
            ("weight(\"it\")", ")"),
            ("heads >= 4 )", ")"),
            ("\"it", "\"it"),
            ("1.2.3", "1.2.3"),
            ("Heads", "Heads"),
            ("ahead(1)", ")"),
        ] {
            let refused = Expression::parse(source);
            assert_eq!(
                refused,
                Err(ParseErrorKind::Expression(rest.to_owned())),
                "{source}"
            );
        }
        let unknown = Expression::parse("weigth(1, 2) > 0");
        assert_eq!(unknown, Err(ParseErrorKind::Unknown("weigth()".to_owned())));
        let deep = "(".repeat(500) + "1";
        assert!(Expression::parse(&deep).is_err());
        let [short, long] = [400, 100_000].map(|terms| "1+".repeat(terms) + "1");
        assert!(Expression::parse(&short).is_ok() && Expression::parse(&long).is_err());
        let settings = Expression::parse("not heads == 4 and before(d_k) < -weight(order, 2)");
        assert_eq!(
            settings.expect("an expression").settings(),
            ["heads", "d_k", "order"]
        );
    }

    #[test]
    fn two_languages_say_the_same_with_other_numbers_and_words() {
        let [english, chinese, other] = [
            "abs(max(\"it\") - 0.85) < 0.005",
            "abs(max(\"它\") - 0.99) < 0.005",
            "abs(entropy(\"它\") - 0.99) < 0.005",
        ]
        .map(|source| Expression::parse(source).expect(source));
        assert_eq!(english.shape(), chinese.shape());
        assert_ne!(chinese.shape(), other.shape());
        assert_eq!(english.numbers(), [0.85, 0.005]);
    }
}
