//! The shape of nested brackets, checked while they are read.

use crate::error::{ErrorLocation, FormatError, FormatRule};
use crate::limits::Limits;

/// An array that has been opened.
struct Level {
    /// Things in it so far.
    count: usize,
    /// Whether it holds arrays; `None` before there is anything in it.
    holds_arrays: Option<bool>,
}

/// Shape of an array, as far as it has been parsed.
pub(crate) struct Shape<'n> {
    name: &'n str,
    open: Vec<Level>,
    /// The length of each axis, once an array along it was closed.
    lengths: Vec<Option<usize>>,
}

impl<'n> Shape<'n> {
    pub(crate) fn new(name: &'n str) -> Self {
        Self {
            name,
            open: Vec::new(),
            lengths: Vec::new(),
        }
    }

    /// Whether an array has been opened and not yet closed.
    pub(crate) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Whether anything stands in the innermost array.
    pub(crate) fn has_items(&self) -> bool {
        self.open.last().is_some_and(|level| level.count > 0)
    }

    /// The length of each axis, once everything is closed.
    pub(crate) fn lengths(&self) -> Vec<usize> {
        let lengths = self.lengths.iter();
        lengths.map(|length| length.unwrap_or(0)).collect()
    }

    /// Something follows in the innermost array, which holds either arrays or numbers.
    pub(crate) fn item(&mut self, is_array: bool) -> Result<(), FormatError> {
        let Some(level) = self.open.last_mut() else {
            return Ok(());
        };
        level.count += 1;
        if *level.holds_arrays.get_or_insert(is_array) == is_array {
            Ok(())
        } else {
            Err(self.refuse("", FormatRule::Uneven))
        }
    }

    pub(crate) fn enter(&mut self, limits: &Limits) -> Result<(), FormatError> {
        self.item(true)?;
        let depth = self.open.len() + 1;
        limits.axes(self.name, depth)?;
        // Numbers stand only in the innermost arrays, and all of those are as deep as the first.
        let is_deeper = depth > self.lengths.len();
        if is_deeper && self.lengths.iter().any(Option::is_some) {
            return Err(self.refuse("", FormatRule::Uneven));
        }
        self.open.push(Level {
            count: 0,
            holds_arrays: None,
        });
        if is_deeper {
            self.lengths.push(None);
        }
        Ok(())
    }

    pub(crate) fn leave(&mut self) -> Result<(), FormatError> {
        let depth = self.open.len();
        let Some(level) = self.open.pop() else {
            return Ok(());
        };
        let is_innermost = depth == self.lengths.len();
        let holds_right = level
            .holds_arrays
            .is_none_or(|arrays| arrays != is_innermost);
        let Some(length) = self.lengths.get_mut(depth - 1) else {
            return Ok(());
        };
        let expected = *length.get_or_insert(level.count);
        match (holds_right, expected == level.count) {
            (false, _) => Err(self.refuse("", FormatRule::Uneven)),
            (true, false) => {
                Err(self.refuse(&level.count.to_string(), FormatRule::Ragged(expected)))
            }
            (true, true) => Ok(()),
        }
    }

    /// The refusal of what stands at the present place.
    pub(crate) fn refuse(&self, value: &str, rule: FormatRule) -> FormatError {
        let levels = self.open.iter();
        let index = levels.map(|level| level.count.saturating_sub(1)).collect();
        FormatError::new(ErrorLocation::element(self.name, index), value, rule)
    }
}
