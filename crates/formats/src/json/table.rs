//! Tables of objects, as pandas writes them: an object of columns or rows, or a list of records.

use std::collections::BTreeSet;

use super::array::number;
use super::scan::Scan;
use crate::error::{ErrorLocation, FormatError, FormatRule};
use crate::limits::Limits;
use crate::names::MOST;
use crate::tensor::{Labels, Tensor};

/// How far a row of weights may sum from 1, whatever its type.
const TOLERANCE: f32 = 1e-3;

/// Objects with the same keys in the same order.
#[derive(Default)]
pub(super) struct Table {
    /// Names of the outer entries; empty in a list.
    pub outer: Vec<String>,
    /// The keys of each.
    inner: Vec<String>,
    /// Values, object by object; 0 for a text.
    data: Vec<f32>,
    /// Texts with the places of their values.
    texts: Vec<(usize, String)>,
    objects: usize,
    /// The first object whose keys are others, with how many it has.
    odd: Option<(usize, usize)>,
}

/// The fields of a flat object.
pub(super) struct Record {
    keys: Vec<String>,
    values: Vec<f32>,
    texts: Vec<(usize, String)>,
}

/// A flat object, if nothing but numbers and texts is in the one that comes next; otherwise nothing is passed.
pub(super) fn record(
    scan: &mut Scan<'_>,
    name: &str,
    limits: &Limits,
    before: usize,
) -> Result<Option<Record>, FormatError> {
    let start = scan.mark();
    let mut record = Record {
        keys: Vec::new(),
        values: Vec::new(),
        texts: Vec::new(),
    };
    scan.consume(b'{')?;
    if scan.took(b'}') {
        return Ok(Some(record));
    }
    loop {
        let key = scan.key()?;
        limits.elements(name, before + record.values.len() + 1)?;
        let at = record.values.len();
        match scan.peek() {
            Some(b'{' | b'[') | None => {
                scan.rewind(start);
                return Ok(None);
            }
            Some(b'"') => {
                let text = scan.string()?;
                record.texts.push((at, text));
                record.values.push(0.0);
            }
            Some(_) => {
                let word = scan.word()?;
                let place = || ErrorLocation::Named(format!("{name}.{key}"));
                let value = number(word);
                let value = value.map_err(|rule| FormatError::new(place(), word, rule))?;
                record.values.push(value);
            }
        }
        record.keys.push(key);
        if !scan.goes_on(b'}')? {
            return Ok(Some(record));
        }
    }
}

impl Table {
    pub(super) fn is_empty(&self) -> bool {
        self.objects == 0
    }

    pub(super) fn len(&self) -> usize {
        self.data.len()
    }

    pub(super) fn push(&mut self, record: Record) {
        if self.objects == 0 {
            self.inner = record.keys;
        } else if self.inner != record.keys {
            self.odd.get_or_insert((self.objects, record.keys.len()));
        }
        let start = self.data.len();
        self.data.extend(record.values);
        let texts = record.texts.into_iter();
        self.texts
            .extend(texts.map(|(at, text)| (start + at, text)));
        self.objects += 1;
    }

    /// A name that two objects have.
    pub(super) fn repeated(&self) -> Option<&str> {
        let mut names = BTreeSet::new();
        let mut outer = self.outer.iter().map(String::as_str);
        outer.find(|name| !names.insert(*name))
    }

    /// Whether there are no numbers in it.
    pub(super) fn is_text(&self) -> bool {
        let nothing = self.data.iter().filter(|value| value.is_nan()).count();
        self.texts.len() + nothing == self.data.len()
    }

    /// Refuses objects that do not have the same keys.
    pub(super) fn check(&self, name: &str) -> Result<(), FormatError> {
        let Some((at, length)) = self.odd else {
            return Ok(());
        };
        let place = match self.outer.get(at) {
            Some(own) => ErrorLocation::Named(own.clone()),
            None => ErrorLocation::element(name, vec![at]),
        };
        Err(match length == self.inner.len() {
            true => FormatError::new(place, "", FormatRule::OtherKeys),
            false => FormatError::new(place, length, FormatRule::Ragged(self.inner.len())),
        })
    }

    /// Objects as rows, one after the other. The column `index` names them, or one of texts.
    pub(super) fn rows(
        mut self,
        name: &str,
        index: Option<&str>,
        skipped: &mut Vec<String>,
    ) -> Result<Tensor, FormatError> {
        self.check(name)?;
        let width = self.inner.len();
        let mut texts: Vec<Vec<String>> = vec![Vec::new(); width];
        for (at, text) in std::mem::take(&mut self.texts) {
            texts[at % width].push(text);
        }
        let nothing = |at: usize| {
            self.data
                .iter()
                .skip(at)
                .step_by(width)
                .filter(|own| own.is_nan())
        };
        let is_mixed = |at: &usize| {
            !texts[*at].is_empty() && texts[*at].len() + nothing(*at).count() < self.objects
        };
        if let Some(at) = (0..width).find(is_mixed) {
            let text = texts[at].first().map_or("", String::as_str);
            let rule = FormatRule::NotNumber;
            return Err(FormatError::new(self.inner[at].as_str(), text, rule));
        }
        let told = index.and_then(|index| self.inner.iter().position(|key| key == index));
        let named = told.or(texts.iter().position(|list| !list.is_empty()));
        if let Some(at) = named.filter(|_| self.outer.is_empty()) {
            self.outer = match texts[at].is_empty() {
                false => std::mem::take(&mut texts[at]),
                true => {
                    let own = self.data.chunks(width).map(|row| row[at].to_string());
                    own.collect()
                }
            };
        }
        let is_kept = |at: usize| Some(at) != named && texts[at].is_empty();
        let dropped = (0..width).filter(|at| Some(*at) != named && !is_kept(*at));
        skipped.extend(dropped.map(|at| self.inner[at].clone()));
        let cells = self.data.iter().enumerate();
        let kept = cells.filter(|(at, _)| is_kept(at % width));
        let data: Vec<f32> = kept.map(|(_, value)| *value).collect();
        let columns: Vec<String> = (0..width)
            .filter(|at| is_kept(*at))
            .map(|at| std::mem::take(&mut self.inner[at]))
            .collect();
        let shape = vec![self.objects, columns.len()];
        let labels = vec![labels(self.outer, shape[0]), labels(columns, shape[1])];
        Ok(Tensor {
            labels,
            ..Tensor::new(name, shape, data)
        })
    }

    /// The objects of an object: columns, as pandas writes by default, or rows. Nothing says which, so they are rows where
    /// only then each sums to 1.
    pub(super) fn named(
        self,
        name: &str,
        skipped: &mut Vec<String>,
    ) -> Result<(Tensor, bool), FormatError> {
        let tensor = self.rows(name, None, skipped)?;
        let width = tensor.shape[1].max(1);
        let sums_to_one = |sum: f32| (sum - 1.0).abs() <= TOLERANCE;
        let is_by_rows = tensor
            .data
            .chunks(width)
            .all(|row| sums_to_one(row.iter().sum()));
        let column = |at: usize| tensor.data.iter().skip(at).step_by(width).sum();
        let is_by_columns = (0..width).all(|at| sums_to_one(column(at)));
        if is_by_rows && !is_by_columns {
            return Ok((tensor, true));
        }
        Ok((turned(tensor), false))
    }
}

fn turned(mut tensor: Tensor) -> Tensor {
    let width = tensor.shape[1];
    let column = |at: usize| tensor.data.iter().skip(at).step_by(width.max(1));
    tensor.data = (0..width).flat_map(column).copied().collect();
    tensor.shape.reverse();
    tensor.labels.reverse();
    tensor
}

fn labels(mut names: Vec<String>, length: usize) -> Labels {
    if names.len() > MOST || names.len() != length {
        names = Vec::new();
    }
    let title = String::new();
    Labels { title, names }
}
