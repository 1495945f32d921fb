//! Token labels along one side: shortened, rotated and thinned out until they fit.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

/// Text sizes of labels in CSS pixels: the usual one, and the one for dense maps.
pub(super) const SIZES: [f64; 2] = [14.0, 12.0];

/// Height of a line of text over its size.
const LINE: f64 = 1.2;

/// How column labels are turned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LabelRotation {
    /// Read from left to right.
    #[default]
    Level,
    /// Rising to the right at 45°.
    Slanted,
    /// Read from bottom to top.
    Upright,
}

impl LabelRotation {
    /// Degrees clockwise, as a canvas and SVG count.
    pub const fn degrees(self) -> f64 {
        match self {
            Self::Level => 0.0,
            Self::Slanted => -45.0,
            Self::Upright => -90.0,
        }
    }

    /// Distance between neighbouring columns from which lines of text of height `line` do not touch.
    pub(super) fn pitch(self, line: f64) -> f64 {
        match self {
            Self::Slanted => line * std::f64::consts::SQRT_2,
            Self::Level | Self::Upright => line,
        }
    }
}

/// One label.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Text: the token, or its beginning and "…".
    pub text: String,
    /// Width of the text in CSS pixels.
    pub width: f64,
}

/// The labels along one side.
#[derive(Clone, Debug, PartialEq)]
pub struct Labels {
    /// One label per cell, drawn or not.
    pub all: Vec<Label>,
    /// The cells that are shown.
    shown: Range<usize>,
    /// Text size in CSS pixels.
    pub size: f64,
    /// How the labels are turned.
    pub turn: LabelRotation,
    /// Every how many cells a label is drawn; 1 means all.
    pub stride: usize,
    /// Cells that two drawn labels must be apart so as not to touch; at most `stride`.
    gap: usize,
}

impl Labels {
    /// The labels of `tokens`, none wider than `most`.
    pub(crate) fn new(
        tokens: &[String],
        size: f64,
        most: f64,
        measure: &dyn Fn(&str, f64) -> f64,
    ) -> Self {
        let all: Vec<_> = tokens
            .iter()
            .map(|token| shorten(token, most, &|text| measure(text, size)))
            .collect();
        Self {
            shown: 0..all.len(),
            all,
            size,
            turn: LabelRotation::Level,
            stride: 1,
            gap: 1,
        }
    }

    /// Width of the widest label.
    pub(crate) fn widest(&self) -> f64 {
        self.all.iter().map(|label| label.width).fold(0.0, f64::max)
    }

    /// Height of one line of text.
    pub(super) fn line(&self) -> f64 {
        self.size * LINE
    }

    /// Turns the labels and thins them out for cells that are `cell` wide.
    pub(crate) fn fit(mut self, cell: f64, turn: LabelRotation) -> Self {
        (self.turn, self.gap, self.stride) = (turn, 1, 1);
        if turn != LabelRotation::Level || cell < self.line() {
            self.gap = (turn.pitch(self.line()) / cell.max(1e-6))
                .ceil()
                .clamp(1.0, 1e6) as usize;
            self.stride = round_stride(self.gap);
        }
        self
    }

    /// The labels of these cells alone.
    pub(super) fn part(mut self, shown: Range<usize>) -> Self {
        self.shown = shown.start..shown.end.min(self.all.len());
        self
    }

    /// The cells whose labels are drawn, in order: every [`stride`](Self::stride)-th and always the `selected` one,
    /// for which labels that would touch it make room.
    pub fn drawn(&self, selected: Option<usize>) -> Vec<usize> {
        let selected = selected.filter(|cell| self.shown.contains(cell));
        let keeps = |cell: &usize| {
            selected.is_none_or(|chosen| *cell == chosen || cell.abs_diff(chosen) >= self.gap)
        };
        let mut drawn: Vec<usize> = (self.shown.clone())
            .step_by(self.stride)
            .filter(keeps)
            .collect();
        if let Some(cell) = selected
            && let Err(place) = drawn.binary_search(&cell)
        {
            drawn.insert(place, cell);
        }
        drawn
    }
}

/// The next of 1, 2, 5, 10, 20 … at or above `gap`.
fn round_stride(gap: usize) -> usize {
    let mut decade = 1;
    loop {
        for factor in [1, 2, 5] {
            if factor * decade >= gap {
                return factor * decade;
            }
        }
        decade *= 10;
    }
}

/// `token`, or as much of its beginning as fits with "…" into `most`; never cuts a character as people see it.
fn shorten(token: &str, most: f64, measure: &dyn Fn(&str) -> f64) -> Label {
    let width = measure(token);
    if width <= most {
        return Label {
            text: token.to_owned(),
            width,
        };
    }
    let ends: Vec<usize> = token
        .grapheme_indices(true)
        .map(|(start, _)| start)
        .collect();
    let cut = |end: usize| format!("{}…", &token[..end]);
    // The widths rise with the number of characters, so the last fitting one can be searched for.
    let fitting = ends.partition_point(|&end| measure(&cut(end)) <= most);
    let text = cut(fitting
        .checked_sub(1)
        .and_then(|last| ends.get(last))
        .copied()
        .unwrap_or(0));
    Label {
        width: measure(&text),
        text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ten_per_char(text: &str, _: f64) -> f64 {
        10.0 * text.chars().count() as f64
    }

    fn labels(count: usize) -> Labels {
        let tokens: Vec<String> = (0..count).map(|i| format!("t{i}")).collect();
        Labels::new(&tokens, 11.0, 100.0, &ten_per_char)
    }

    #[test]
    fn long_tokens_end_in_an_ellipsis_and_fit() {
        let tokens = ["attention", "it", "e\u{301}e\u{301}e\u{301}e\u{301}"].map(str::to_owned);
        let labels = Labels::new(&tokens, 11.0, 50.0, &ten_per_char);
        let texts: Vec<&str> = labels.all.iter().map(|label| label.text.as_str()).collect();
        assert_eq!(texts, ["atte…", "it", "e\u{301}e\u{301}…"]);
        assert!(labels.widest() <= 50.0);
    }

    #[test]
    fn dense_labels_are_thinned_to_round_strides() {
        let dense = labels(997).fit(0.9, LabelRotation::Upright);
        assert_eq!((dense.gap, dense.stride), (15, 20));
        assert_eq!(dense.drawn(None)[..3], [0, 20, 40]);
        let roomy = labels(7).fit(40.0, LabelRotation::Slanted);
        assert_eq!(roomy.drawn(None), [0, 1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn the_selected_label_is_drawn_and_touches_no_other() {
        let dense = labels(997).fit(0.9, LabelRotation::Upright);
        for selected in [0, 7, 20, 33, 996] {
            let drawn = dense.drawn(Some(selected));
            assert!(drawn.contains(&selected), "{selected}");
            assert!(
                drawn.windows(2).all(|pair| pair[1] - pair[0] >= 15),
                "{selected}: {drawn:?}"
            );
        }
        assert_eq!(
            dense.drawn(Some(997)),
            dense.drawn(None),
            "a cell outside is not drawn"
        );
    }
}
