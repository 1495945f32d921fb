//! What a field holds, and how it is written in a link.

use super::field::{Field, Kind};
use super::{Cell, Rule};

/// What a field holds. Heads are counted from 1 here, as on the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A text.
    Text(String),
    /// A number.
    Number(u32),
    /// One of a field's names, see [`Kind::Choice`].
    Choice(&'static str),
    /// On or off.
    Switch(bool),
    /// A chosen cell.
    Cell(Cell),
    /// No second text; no chosen cell.
    Absent,
}

/// How [`Value::Absent`] is written.
const NONE: &str = "none";

const SWITCH: &[&str] = &["0", "1"];

impl Value {
    /// The value as a link and a number field write it, without percent-encoding.
    ///
    /// ```
    /// use attention_playground::app::{Cell, Value};
    /// assert_eq!(Value::Cell(Cell { query: 7, key: Some(1) }).written(), "8,2");
    /// ```
    pub fn written(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.to_string(),
            Self::Choice(name) => (*name).to_owned(),
            Self::Switch(on) => SWITCH[usize::from(*on)].to_owned(),
            Self::Cell(Cell { query, key: None }) => (query + 1).to_string(),
            Self::Cell(Cell {
                query,
                key: Some(key),
            }) => format!("{},{}", query + 1, key + 1),
            Self::Absent => NONE.to_owned(),
        }
    }
}

impl Field {
    /// Reads what [`Value::written`] writes, without looking at limits.
    ///
    /// A second text cannot be read as absent: the word `none` is a text, and a link without the key has none.
    ///
    /// # Errors
    /// The rule that the text breaks; numbers beyond 32 bits break the field's range.
    pub fn read(self, written: &str) -> Result<Value, Rule> {
        match self.kind() {
            Kind::Text | Kind::OptionalText => Ok(Value::Text(written.to_owned())),
            Kind::Number { min, max, .. } => match number(written) {
                None => Err(Rule::Number),
                Some(number) => u32::try_from(number)
                    .map(Value::Number)
                    .map_err(|_| Rule::Range { min, max }),
            },
            Kind::Choice(names) => names
                .iter()
                .find(|name| **name == written)
                .map(|name| Value::Choice(name))
                .ok_or(Rule::Options(names)),
            Kind::Switch => match written {
                "0" => Ok(Value::Switch(false)),
                "1" => Ok(Value::Switch(true)),
                _ => Err(Rule::Options(SWITCH)),
            },
            Kind::Cell if written == NONE => Ok(Value::Absent),
            Kind::Cell => cell(written).map(Value::Cell).ok_or(Rule::CellForm),
        }
    }
}

/// A whole number; one beyond 64 bits becomes the largest or smallest, which no field allows either.
pub(super) fn number(written: &str) -> Option<i64> {
    let digits = written.strip_prefix(['-', '+']).unwrap_or(written);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let far = if written.starts_with('-') {
        i64::MIN
    } else {
        i64::MAX
    };
    Some(written.parse().unwrap_or(far))
}

/// `row` or `row,column`, both from 1.
fn cell(written: &str) -> Option<Cell> {
    let place = |text: &str| usize::try_from(number(text)?).ok()?.checked_sub(1);
    match written.split_once(',') {
        None => Some(Cell {
            query: place(written)?,
            key: None,
        }),
        Some((row, column)) => Some(Cell {
            query: place(row)?,
            key: Some(place(column)?),
        }),
    }
}
