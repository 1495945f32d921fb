//! Axis labels: lists of texts beside the tensors of a file.

use crate::tensor::{Labels, Tensor};

/// The most names of an axis.
pub(crate) const MOST: usize = 4096;

/// Axes that a list of texts names.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Rows,
    Columns,
    Both,
}

/// Lists of texts, by their names in the file.
#[derive(Default)]
pub(crate) struct Names {
    lists: Vec<(String, Side, Vec<String>)>,
}

impl Names {
    /// Takes a list; one that is too long to name an axis is passed over as any other that names none.
    pub(crate) fn take(&mut self, key: &str, mut list: Vec<String>) {
        if list.len() > MOST {
            list = Vec::new();
        }
        self.lists.push((key.to_owned(), side(key), list));
    }

    /// Labels the last two axes of each tensor by lists of the same length, and returns the unused
    /// lists. Rows that only fit the columns' list, such as those of keys and values, are named by
    /// it.
    pub(crate) fn label(self, tensors: &mut [Tensor]) -> Vec<String> {
        let mut is_used = vec![false; self.lists.len()];
        for tensor in tensors.iter_mut() {
            let [.., rows, columns] = *tensor.shape.as_slice() else {
                continue;
            };
            let first = self.find(rows, &[Side::Rows, Side::Both, Side::Columns]);
            let second = self.find(columns, &[Side::Columns, Side::Both]);
            if first.is_none() && second.is_none() {
                continue;
            }
            let mut labels = |at: Option<usize>| {
                at.map_or(Labels::default(), |at| {
                    is_used[at] = true;
                    let names = self.lists[at].2.clone();
                    let title = String::new();
                    Labels { title, names }
                })
            };
            let last = [labels(first), labels(second)];
            tensor.labels = vec![Labels::default(); tensor.shape.len() - 2];
            tensor.labels.extend(last);
        }
        let lists = self.lists.into_iter().zip(is_used);
        lists
            .filter(|(_, is_used)| !is_used)
            .map(|((key, ..), _)| key)
            .collect()
    }

    /// The first list of `length` names, in the order of `sides`.
    fn find(&self, length: usize, sides: &[Side]) -> Option<usize> {
        let fits = |side: Side| {
            let mut lists = self.lists.iter();
            lists.position(|(_, own, list)| *own == side && list.len() == length && length > 0)
        };
        sides.iter().find_map(|side| fits(*side))
    }
}

/// Axes that a list names, by its key: `rows`, `left_text`, `key_tokens`, `tokens`.
fn side(key: &str) -> Side {
    let key = key.to_ascii_lowercase();
    let is_one_of = |words: &[&str]| words.iter().any(|word| key.contains(word));
    if is_one_of(&["row", "quer", "left", "index"]) {
        Side::Rows
    } else if is_one_of(&["col", "key", "right"]) {
        Side::Columns
    } else {
        Side::Both
    }
}
