//! Target of a fit, and lower bounds on its distance.

use attention::check_finite;
use attention::{Code, Error};

/// How far the sum of a row may be from 1.
const SLACK: f64 = 1e-5;

/// Weights that are wanted, `[n, n]`: each row sums to 1, or is 0 and takes no part.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    length: usize,
    weights: Vec<f32>,
}

impl Target {
    /// Given weights, row by row.
    ///
    /// # Errors
    /// [`Code::ShapeMismatch`] without words, or where the number of weights is not the square of theirs; [`Code::NotFinite`];
    /// [`Code::UnknownOption`] for a weight below 0, and for a row that sums to something other than 0 or 1.
    pub fn new(length: usize, weights: Vec<f32>) -> Result<Self, Error> {
        if length == 0 || Some(weights.len()) != length.checked_mul(length) {
            let rule = "the shape must be [n, n], with at least one word";
            let found = format!("{} weights for {length} words", weights.len());
            return Err(Error::new(Code::ShapeMismatch, "target", found, rule));
        }
        check_finite("target", &weights)?;
        if let Some(below) = weights.iter().find(|weight| **weight < 0.0) {
            let rule = "must be at least 0";
            return Err(Error::new(Code::UnknownOption, "target", below, rule));
        }
        let target = Self { length, weights };
        for row in target.weights.chunks_exact(length) {
            let sum: f64 = row.iter().map(|weight| f64::from(*weight)).sum();
            if sum != 0.0 && (sum - 1.0).abs() > SLACK {
                let rule = "each row must sum to 1, or to 0 to take no part";
                return Err(Error::new(Code::UnknownOption, "target", sum, rule));
            }
        }
        Ok(target)
    }

    /// Rows that look evenly at their painted cells, `[n, n]`.
    ///
    /// # Errors
    /// [`Code::ShapeMismatch`] as [`new`](Self::new).
    pub fn from_cells(length: usize, cells: &[bool]) -> Result<Self, Error> {
        let rows = cells.chunks(length.max(1)).flat_map(|row| {
            let count = row.iter().filter(|is_painted| **is_painted).count();
            row.iter()
                .map(move |is_painted| f32::from(u8::from(*is_painted)) / count.max(1) as f32)
        });
        Self::new(length, rows.collect())
    }

    /// How many words there are.
    pub fn length(&self) -> usize {
        self.length
    }

    /// All weights, row by row.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The rows; `None` for one that takes no part.
    pub fn rows(&self) -> impl Iterator<Item = Option<&[f32]>> {
        let rows = self.weights.chunks_exact(self.length);
        rows.map(|row| row.iter().any(|weight| *weight > 0.0).then_some(row))
    }

    /// How many rows take part.
    pub fn painted(&self) -> usize {
        self.rows().flatten().count()
    }

    /// The most groups of words that a row looks at. Words that every row wants alike are one group: they can have one key.
    ///
    /// Twice as many dimensions always suffice, since there are polytopes in them of which any so many corners are a face (Gale 1963,
    /// *Neighborly and cyclic polytopes*): keys stand at the corners, and a query points away from the face that it looks at. One group in
    /// each row needs no more than the corners of a polygon.
    pub fn most_groups(&self) -> usize {
        let groups = self.groups();
        let in_row = |row: &[f32]| {
            let mut seen: Vec<usize> = (row.iter().zip(&groups))
                .filter(|(weight, _)| **weight > 0.0)
                .map(|(_, group)| *group)
                .collect();
            seen.sort_unstable();
            seen.dedup();
            seen.len()
        };
        self.rows().flatten().map(in_row).max().unwrap_or(0)
    }

    /// How many groups of words any row looks at.
    pub fn count_groups(&self) -> usize {
        let groups = self.groups();
        let is_wanted = |key: &usize| self.column(*key).any(|weight| weight > 0.0);
        let is_first = |key: &usize| groups[*key] == *key;
        (0..self.length).filter(is_first).filter(is_wanted).count()
    }

    /// For each key the first with the same column.
    fn groups(&self) -> Vec<usize> {
        let is_same = |one: usize, other: usize| self.column(one).eq(self.column(other));
        let first = |key: usize| (0..key).find(|other| is_same(key, *other)).unwrap_or(key);
        (0..self.length).map(first).collect()
    }

    fn column(&self, key: usize) -> impl Iterator<Item = f32> {
        let rows = self.weights.chunks_exact(self.length);
        rows.map(move |row| row[key])
    }

    /// Whether each row that takes part looks at one word, and no two at the same.
    pub fn is_one_to_one(&self) -> bool {
        let looked_at = |key: usize| self.column(key).filter(|weight| *weight > 0.0).count();
        let has_one = |row: &[f32]| row.iter().filter(|weight| **weight > 0.0).count() == 1;
        self.rows().flatten().all(has_one) && (0..self.length).all(|key| looked_at(key) <= 1)
    }

    /// The least distance of any weights that do not tell equal words apart, in nats.
    ///
    /// Rows of equal words are then equal, and equal words have equal weights in every row. So the best row of a word is the mean of those
    /// that its places want, spread evenly over equal keys: `A_ij = Σ_i' Σ_j' T_i'j'/(rows of the word · keys of the word)`, over the places
    /// `i'` and `j'` of the same words, of which rows without a target take no part. It is 0 where all words differ.
    ///
    /// # Panics
    /// If there are fewer words than rows.
    pub fn least_for_equal_words(&self, words: &[usize]) -> f64 {
        let wanted: Vec<Option<&[f32]>> = self.rows().collect();
        let alike = |word: usize| (0..self.length).filter(move |at| words[*at] == words[word]);
        let mean = |row: usize, key: usize| {
            let rows = || alike(row).filter_map(|row| wanted[row]);
            let sum: f64 = rows()
                .flat_map(|row| alike(key).map(|key| f64::from(row[key])))
                .sum();
            sum / (rows().count() * alike(key).count()) as f64
        };
        let cell = |row: usize, key: usize| match wanted[row].map(|row| f64::from(row[key])) {
            Some(weight) if weight > 0.0 => weight * libm::log(weight / mean(row, key)),
            _ => 0.0,
        };
        let rows = 0..self.length;
        let sum: f64 = rows
            .flat_map(|row| (0..self.length).map(move |key| cell(row, key)))
            .sum();
        sum.max(0.0) / self.painted().max(1) as f64
    }
}

/// The least distance that one head with `d_k = 1` leaves of `rows` rows that look at one word each, all different, in nats.
///
/// Keys are places on a line, and a query multiplies all of them by one number: weights rise along the line, or fall. So a key with `r` of the
/// other wanted keys on the nearer side has at most the weight `1/(r + 1)`, and `Σ ln(r + 1)` over all rows remains at least.
pub fn least_on_a_line(rows: usize) -> f64 {
    let beyond = |at: usize| at.min(rows - 1 - at);
    let sum: f64 = (0..rows).map(|at| libm::log(1.0 + beyond(at) as f64)).sum();
    sum / rows.max(1) as f64
}
