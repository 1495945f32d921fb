//! The value of a field, and its form in a link.

use std::borrow::Cow;

use super::former_curves;
use super::imported::{SavedSettings, url};
use super::overrides::Overrides;
use super::painting::Painting;
use super::setting::ValueKind;
use super::{Field, ImportedData, Origins, PositionKind, SettingError};

/// A chosen row of the map, or one cell in it; both count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The row.
    pub query: usize,
    /// The column; `None` chooses the whole row.
    pub key: Option<usize>,
}

/// Value of a field. Heads count from 1, as on the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A text.
    Text(String),
    /// A number.
    Number(u32),
    /// A number with two decimals, a hundred times as large.
    Centi(u32),
    /// One of a field's names, see [`ValueKind::Choice`].
    Choice(&'static str),
    /// Some of a field's names, in its order, see [`ValueKind::Names`].
    Names(Vec<&'static str>),
    /// On or off.
    Switch(bool),
    /// A chosen cell.
    Cell(Cell),
    /// Painted cells.
    Painting(Painting),
    /// The other setting of a comparison.
    Overrides(Overrides),
    /// Pages that may set the state.
    Origins(Origins),
    /// Imported data.
    Data(ImportedData),
    /// Settings as they were before the import.
    SavedSettings(SavedSettings),
    /// No second text; no chosen cell; no parts chosen; no imported data.
    Absent,
}

/// How [`Value::Absent`] and nothing at all are written.
pub(super) const NONE: &str = "none";

const SWITCH: &[&str] = &["0", "1"];

impl Value {
    /// The number, in hundredths if the field has them; `None` for a value that is not a number.
    pub fn amount(&self) -> Option<u32> {
        match self {
            Self::Number(amount) | Self::Centi(amount) => Some(*amount),
            _ => None,
        }
    }

    /// The value as a link and a number field write it, without percent-encoding.
    ///
    /// ```
    /// use app::state::{Cell, Value};
    /// assert_eq!(Value::Cell(Cell { query: 7, key: Some(1) }).to_param(), "8,2");
    /// ```
    pub fn to_param(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.to_string(),
            Self::Centi(number) => hundredths(*number),
            Self::Choice(name) => (*name).to_owned(),
            Self::Names(names) if names.is_empty() => NONE.to_owned(),
            Self::Names(names) => names.join(","),
            Self::Switch(on) => SWITCH[usize::from(*on)].to_owned(),
            Self::Cell(Cell { query, key: None }) => (query + 1).to_string(),
            Self::Cell(Cell {
                query,
                key: Some(key),
            }) => format!("{},{}", query + 1, key + 1),
            Self::Painting(painting) if painting.is_empty() => NONE.to_owned(),
            Self::Painting(painting) => painting.to_param(),
            Self::Overrides(against) if against.is_empty() => NONE.to_owned(),
            Self::Overrides(against) => against.to_param(),
            Self::Origins(origins) if origins.is_empty() => NONE.to_owned(),
            Self::Origins(origins) => origins.to_param(),
            Self::Data(imported) => imported.link().to_owned(),
            Self::SavedSettings(kept) if kept.is_empty() => NONE.to_owned(),
            Self::SavedSettings(kept) => kept.to_param(),
            Self::Absent => NONE.to_owned(),
        }
    }
}

impl Field {
    /// Reads what [`Value::to_param`] writes, without looking at limits.
    ///
    /// A second text cannot be read as absent: the word `none` is a text, and a link without the key has none.
    ///
    /// # Errors
    /// The rule that the text breaks; numbers beyond 32 bits break the field's range.
    pub fn parse(self, written: &str) -> Result<Value, SettingError> {
        match self.kind() {
            ValueKind::Text | ValueKind::OptionalText => Ok(Value::Text(written.to_owned())),
            ValueKind::Number { min, max, .. } => match number(written) {
                None => Err(SettingError::Number),
                Some(number) => u32::try_from(number)
                    .map(Value::Number)
                    .map_err(|_| SettingError::Range { min, max }),
            },
            ValueKind::Centi { min, max, .. } => match decimal(written) {
                None => Err(SettingError::Decimal),
                Some(number) => u32::try_from(number)
                    .map(Value::Centi)
                    .map_err(|_| SettingError::DecimalRange { min, max }),
            },
            ValueKind::Choice(names) => {
                let written = self.renamed(written);
                let known = names.iter().find(|name| **name == written);
                known
                    .map(|name| Value::Choice(name))
                    .ok_or(SettingError::Options(names))
            }
            ValueKind::Names(names) | ValueKind::OptionalNames(names) => {
                listed(&former_curves::taken_out(self, written), names)
            }
            ValueKind::Switch => match written {
                "0" => Ok(Value::Switch(false)),
                "1" => Ok(Value::Switch(true)),
                _ => Err(SettingError::Options(SWITCH)),
            },
            ValueKind::Cell if written == NONE => Ok(Value::Absent),
            ValueKind::Cell => cell(written).map(Value::Cell).ok_or(SettingError::CellForm),
            ValueKind::Painting if written == NONE => Ok(Value::Painting(Painting::default())),
            ValueKind::Painting => Painting::parse(written)
                .map(Value::Painting)
                .ok_or(SettingError::PaintingForm),
            ValueKind::Overrides if written == NONE => Ok(Value::Overrides(Overrides::default())),
            ValueKind::Overrides => Overrides::parse(written).map(Value::Overrides),
            ValueKind::Origins if written == NONE => Ok(Value::Origins(Origins::default())),
            ValueKind::Origins => Origins::parse(written).map(Value::Origins),
            ValueKind::Data if written == NONE => Ok(Value::Absent),
            ValueKind::Data => url::parse(written).map(Value::Data),
            ValueKind::SavedSettings if written == NONE => {
                Ok(Value::SavedSettings(SavedSettings::default()))
            }
            ValueKind::SavedSettings => SavedSettings::parse(written)
                .map(Value::SavedSettings)
                .ok_or(SettingError::DataForm),
        }
    }

    /// A list without the names that this field has not, and those with the rule that they break. Everything stays where no
    /// name is known or the field holds no list, so that [`parse`](Self::parse) refuses it whole.
    pub(crate) fn known_names<'a>(
        self,
        written: &'a str,
    ) -> (Cow<'a, str>, Option<(String, SettingError)>) {
        let (ValueKind::Names(names) | ValueKind::OptionalNames(names)) = self.kind() else {
            return (written.into(), None);
        };
        let is_known = |name: &&str| names.contains(name) || former_curves::is_panel(self, name);
        let (known, unknown): (Vec<&str>, Vec<&str>) = written.split(',').partition(is_known);
        if known.is_empty() || unknown.is_empty() {
            return (written.into(), None);
        }
        let refused = (unknown.join(","), SettingError::Names(names));
        (known.join(",").into(), Some(refused))
    }

    /// A number as this field holds it, in hundredths where it has them.
    pub fn of_amount(self, amount: u32) -> Value {
        match self.kind() {
            ValueKind::Centi { .. } => Value::Centi(amount),
            _ => Value::Number(amount),
        }
    }

    /// The name that a choice has now: positions were a switch once.
    fn renamed(self, written: &str) -> &str {
        match (self, written) {
            (Self::Positions, "0") => PositionKind::None.name(),
            (Self::Positions, "1") => PositionKind::Sinusoidal.name(),
            _ => written,
        }
    }
}

/// Names with commas between them, in any order, each once; or the word for none of them.
fn listed(written: &str, names: &'static [&'static str]) -> Result<Value, SettingError> {
    if written == NONE {
        return Ok(Value::Names(Vec::new()));
    }
    let given: Vec<&str> = written.split(',').collect();
    if !given.iter().all(|name| names.contains(name)) {
        return Err(SettingError::Names(names));
    }
    let kept = names.iter().copied().filter(|name| given.contains(name));
    Ok(Value::Names(kept.collect()))
}

/// Hundredths as a number with as few decimals as it takes.
pub(crate) fn hundredths(number: u32) -> String {
    let (whole, part) = (number / 100, number % 100);
    match (part, part % 10) {
        (0, _) => whole.to_string(),
        (_, 0) => format!("{whole}.{}", part / 10),
        _ => format!("{whole}.{part:02}"),
    }
}

/// Hundredths of a number with a point or without; a third decimal is rounded. One beyond 64 bits becomes the largest or
/// smallest, which no field allows either.
pub(crate) fn decimal(written: &str) -> Option<i64> {
    let (whole, part) = written.split_once('.').unwrap_or((written, "0"));
    if written.is_empty() || part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digit = |at: usize| i64::from(part.as_bytes().get(at).map_or(0, |digit| digit - b'0'));
    let part = digit(0) * 10 + digit(1) + i64::from(digit(2) >= 5);
    let whole = number(if whole.is_empty() { "0" } else { whole })?.saturating_mul(100);
    Some(if written.starts_with('-') {
        whole.saturating_sub(part)
    } else {
        whole.saturating_add(part)
    })
}

/// A whole number; one beyond 64 bits becomes the largest or smallest, which no field allows either.
pub(crate) fn number(written: &str) -> Option<i64> {
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
