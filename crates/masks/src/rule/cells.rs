//! Whether a rule shows a cell.

use attention::CellIndex;

use super::{Align, Rule};
use crate::Axes;
use crate::axes::to_i64;

impl Rule {
    /// Whether the query of `cell` sees its key, in scores of these lengths. A position behind the last document or outside the picture
    /// sees nothing and is not seen.
    pub fn visible(&self, cell: CellIndex, axes: &Axes) -> bool {
        let (i, j) = (to_i64(cell.query), to_i64(cell.key));
        match self {
            Self::All => true,
            Self::None => false,
            Self::Causal(align) => j <= align.moved(i, axes),
            Self::Window {
                before,
                after,
                align,
            } => {
                let behind = align.moved(i, axes).saturating_sub(j);
                -i64::from(*after) <= behind && behind <= i64::from(*before)
            }
            Self::Prefix { keys } => j < i64::from(*keys) || j <= i,
            Self::Documents { lengths } => {
                let document = document_of(lengths, i);
                document.is_some() && document == document_of(lengths, j)
            }
            Self::Dilated { stride } => i.abs_diff(j).is_multiple_of(u64::from(*stride)),
            Self::First { keys: valid } | Self::Padding { valid } => j < i64::from(*valid),
            Self::PaddingLeft { padded } => j >= i64::from(*padded),
            Self::Image {
                width,
                height,
                kernel,
            } => are_neighbours([*width, *height], *kernel, i, j),
            Self::Global { positions } => {
                let mut positions = positions.iter().map(|at| i64::from(*at));
                positions.any(|at| at == i || at == j)
            }
            Self::Compare {
                left,
                comparison,
                right,
            } => {
                let values = left.at(cell, axes).zip(right.at(cell, axes));
                values.is_some_and(|(left, right)| comparison.holds(left, right))
            }
            Self::And(rules) => rules.iter().all(|rule| rule.visible(cell, axes)),
            Self::Or(rules) => rules.iter().any(|rule| rule.visible(cell, axes)),
            Self::Not(rule) => !rule.visible(cell, axes),
        }
    }
}

impl Align {
    /// The key that query `i` stands beside.
    fn moved(self, i: i64, axes: &Axes) -> i64 {
        match self {
            Self::Start => i,
            Self::End => i.saturating_add(axes.offset()),
        }
    }
}

/// Which of the documents holds `position`.
fn document_of(lengths: &[u32], position: i64) -> Option<usize> {
    let mut end = 0_i64;
    lengths.iter().position(|length| {
        end = end.saturating_add(i64::from(*length));
        position < end
    })
}

/// Whether `j` lies in the kernel of `i`, both of a picture of `[width, height]`.
fn are_neighbours([width, height]: [u32; 2], kernel: (u32, u32), i: i64, j: i64) -> bool {
    let columns = i64::from(width).max(1);
    let (x, y) = (i % columns, i / columns);
    let (key_x, key_y) = (j % columns, j / columns);
    let is_inside = y < i64::from(height) && key_y < i64::from(height);
    is_inside && is_near(x, key_x, kernel.0, width) && is_near(y, key_y, kernel.1, height)
}

/// Whether `key` lies in the kernel around `centre`, moved so that it fits `0 .. length`.
fn is_near(centre: i64, key: i64, kernel: u32, length: u32) -> bool {
    let (kernel, length) = (i64::from(kernel), i64::from(length));
    let last_start = length.saturating_sub(kernel).max(0);
    let start = (centre - kernel / 2).clamp(0, last_start);
    (start..start + kernel).contains(&key)
}
