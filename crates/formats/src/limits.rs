//! Limits on what a file may allocate.

use crate::error::{ErrorLocation, FormatError, FormatRule};

/// Limits on one file; what exceeds them is refused before memory is allocated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the file, and of all that it unpacks to: 64 MiB.
    pub bytes: usize,
    /// Tensors in a file: 256.
    pub tensors: usize,
    /// Numbers of all tensors together: 16 Mi, which are 64 MiB.
    pub elements: usize,
    /// Axes of a tensor: 8.
    pub axes: usize,
    /// Bytes of a header, where a format has one: 1 MiB.
    pub header: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 64 << 20,
            tensors: 256,
            elements: 16 << 20,
            axes: 8,
            header: 1 << 20,
        }
    }
}

impl Limits {
    pub(super) fn bytes(&self, name: &str, count: usize) -> Result<(), FormatError> {
        within(name, count, self.bytes, FormatRule::MostBytes(self.bytes))
    }

    pub(super) fn tensors(&self, count: usize) -> Result<(), FormatError> {
        within(
            "",
            count,
            self.tensors,
            FormatRule::MostTensors(self.tensors),
        )
    }

    /// Checks the header length that a file states.
    pub(super) fn header(
        &self,
        place: impl Into<ErrorLocation>,
        told: u64,
    ) -> Result<usize, FormatError> {
        let length = usize::try_from(told).ok();
        let length = length.filter(|length| *length <= self.header);
        length.ok_or_else(|| FormatError::new(place, told, FormatRule::MostHeader(self.header)))
    }

    pub(super) fn axes(&self, name: &str, count: usize) -> Result<(), FormatError> {
        within(name, count, self.axes, FormatRule::MostAxes(self.axes))
    }

    pub(super) fn elements(&self, name: &str, count: usize) -> Result<(), FormatError> {
        within(
            name,
            count,
            self.elements,
            FormatRule::MostElements(self.elements),
        )
    }

    /// How many numbers a tensor of `shape` has, after `before` numbers of other tensors.
    pub(super) fn count(
        &self,
        name: &str,
        shape: &[usize],
        before: usize,
    ) -> Result<usize, FormatError> {
        self.axes(name, shape.len())?;
        // An axis of 0 must not hide others that no product of lengths could hold.
        let longest = shape.iter().fold(1_usize, |product, length| {
            product.saturating_mul((*length).max(1))
        });
        self.elements(name, longest)?;
        let count = if shape.contains(&0) { 0 } else { longest };
        self.elements(name, count.saturating_add(before))
            .map(|()| count)
    }
}

fn within(
    place: impl Into<ErrorLocation>,
    count: usize,
    most: usize,
    rule: FormatRule,
) -> Result<(), FormatError> {
    if count > most {
        Err(FormatError::new(place, count, rule))
    } else {
        Ok(())
    }
}
