//! The right-hand matrix of a product, laid out for the kernel that reads it.

/// Columns in a panel: two vectors. With four rows they make eight sums, which fit wasm's sixteen registers beside what is read.
pub(crate) const PANEL: usize = 8;

/// A matrix `[inner, columns]` in panels of eight columns, the last one filled up with zeros: the kernel reads each panel from
/// its beginning to its end, whatever the layout of the matrix was. Packed once, it serves any number of products.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Packed {
    inner: usize,
    columns: usize,
    /// `[columns / 8, inner]`, each entry eight neighbours of a row.
    panels: Vec<[f32; PANEL]>,
}

impl Packed {
    /// Columns in a panel.
    pub const PANEL: usize = PANEL;

    /// Packs columns `first .. first + columns` of rows that are `width` long: `rows` is `[inner, width]`.
    ///
    /// # Panics
    /// If the columns reach beyond the rows, or `rows` holds no whole number of them.
    pub fn from_rows(rows: &[f32], width: usize, first: usize, columns: usize) -> Self {
        assert!(first + columns <= width || columns == 0);
        let inner = rows.len().checked_div(width).unwrap_or(0);
        assert_eq!(rows.len(), inner * width);
        let mut panels = Vec::with_capacity(inner * columns.div_ceil(PANEL));
        for start in (0..columns).step_by(PANEL) {
            let used = PANEL.min(columns - start);
            let rows = rows.chunks_exact(width);
            panels.extend(rows.map(|row| padded(&row[first + start..][..used])));
        }
        Self {
            inner,
            columns,
            panels,
        }
    }

    /// Packs the transpose of `[columns, inner]`, so that a product with it is one of rows with rows, as of queries with keys.
    ///
    /// # Panics
    /// If `rows` is not as long as `columns · inner`.
    pub fn from_transposed(rows: &[f32], columns: usize, inner: usize) -> Self {
        assert_eq!(rows.len(), columns * inner);
        let mut panels = vec![[0.0; PANEL]; inner * columns.div_ceil(PANEL)];
        if inner > 0 {
            let columns = rows.chunks(PANEL * inner);
            for (panel, columns) in panels.chunks_exact_mut(inner).zip(columns) {
                transpose(columns, inner, panel);
            }
        }
        Self {
            inner,
            columns,
            panels,
        }
    }

    /// Rows: the length of the sums that a product takes.
    pub fn inner(&self) -> usize {
        self.inner
    }

    /// Columns of the products.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The panel that begins at column `8·index`, `[inner]`.
    pub(crate) fn panel(&self, index: usize) -> &[[f32; PANEL]] {
        &self.panels[index * self.inner..][..self.inner]
    }
}

fn padded(values: &[f32]) -> [f32; PANEL] {
    match values.try_into() {
        Ok(whole) => whole,
        Err(_) => std::array::from_fn(|at| values.get(at).copied().unwrap_or(0.0)),
    }
}

/// Writes up to eight columns, which lie one after the other, side by side.
fn transpose(columns: &[f32], inner: usize, panel: &mut [[f32; PANEL]]) {
    for (at, column) in columns.chunks_exact(inner).enumerate() {
        for (row, value) in panel.iter_mut().zip(column) {
            row[at] = *value;
        }
    }
}
