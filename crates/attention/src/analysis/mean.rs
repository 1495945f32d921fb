//! The arithmetic mean of what comes one by one.

/// A mean that grows: the sum of the values so far and their count.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mean {
    sum: f64,
    count: usize,
}

impl Mean {
    /// Takes a value.
    pub fn add(&mut self, value: f64) {
        self.add_all(value, 1);
    }

    /// Takes `count` values, of which the sum is known.
    pub(super) fn add_all(&mut self, sum: f64, count: usize) {
        self.sum += sum;
        self.count += count;
    }

    /// The sum over the count; `None` of no values.
    pub fn value(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}
