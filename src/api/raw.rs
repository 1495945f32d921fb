//! Plain values from outside, before any rule is applied.

/// A value from outside. What JavaScript calls `null` and `undefined` are both [`Absent`](Self::Absent).
#[derive(Debug, Clone, PartialEq)]
pub enum Raw {
    /// Nothing.
    Absent,
    /// A boolean.
    Flag(bool),
    /// A number, finite or not.
    Number(f64),
    /// A text.
    Text(String),
    /// A typed array of 32-bit numbers.
    Singles(Vec<f32>),
    /// Any other flat list of numbers.
    Doubles(Vec<f64>),
    /// A list in which not everything is a number.
    List(Vec<Raw>),
    /// An object: names and values.
    Record(Vec<(String, Raw)>),
    /// Something with no meaning here, by its kind, e.g. `a function`.
    Other(&'static str),
}

const LONGEST_SHOWN: usize = 60;

/// The beginning of a text, short enough for a message.
pub fn clip(text: &str) -> String {
    match text.char_indices().nth(LONGEST_SHOWN) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

impl Raw {
    /// What the value is, short enough for a message.
    pub fn describe(&self) -> String {
        match self {
            Self::Absent => "nothing".to_owned(),
            Self::Flag(flag) => flag.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Text(text) => format!("\"{}\"", clip(text)),
            Self::Singles(numbers) => format!("a list of {} numbers", numbers.len()),
            Self::Doubles(numbers) => format!("a list of {} numbers", numbers.len()),
            Self::List(items) => format!("a list of {}", items.len()),
            Self::Record(entries) => {
                let names: Vec<_> = entries.iter().take(6).map(|(name, _)| clip(name)).collect();
                format!("an object {{{}}}", names.join(", "))
            }
            Self::Other(kind) => (*kind).to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_is_short_whatever_came_in() {
        assert_eq!(
            Raw::Text("x".repeat(1000)).describe().chars().count(),
            LONGEST_SHOWN + 3
        );
        assert_eq!(clip(&"字".repeat(61)), format!("{}…", "字".repeat(60)));
        assert_eq!(clip("short"), "short");
    }
}
