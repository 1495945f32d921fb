//! Weights as curves between two columns of tokens.

use super::bars::words;
use super::figure_page::{FigurePage, SMALL, Setting, room};
use super::{Shape, TextRun};
use crate::scene::curves::{self, Columns, Draw};
use crate::scene::figure::palette::Face;
use crate::scene::marks::Anchor;

/// Height of a token.
const ROW: f64 = 20.0;
/// Share of the width that each column of tokens may take, and their text size.
const NAMES: (f64, f64) = (0.3, 13.0);
/// Widest way between the columns.
const WIDEST: f64 = 360.0;
/// Space between tokens and curves.
const SPACE: f64 = 6.0;

/// What is drawn.
#[derive(Clone, Copy)]
pub struct Between<'a> {
    /// `[queries, keys]`, row by row.
    pub weights: &'a [f32],
    /// Tokens on the left.
    pub queries: &'a [String],
    /// Tokens on the right.
    pub keys: &'a [String],
    /// What both columns are called.
    pub titles: [&'a str; 2],
}

impl Between<'_> {
    /// Draws the curves on a sheet; returns the smallest weight that is drawn.
    pub fn draw(&self, sheet: &mut FigurePage<'_>, setting: &Setting<'_>) -> f32 {
        let (room, most) = (room(setting), room(setting) * NAMES.0);
        let [left, right] = [self.queries, self.keys].map(|side| sheet.labels(side, NAMES.1, most));
        let from = left.widest() + SPACE;
        let width = (room - from - right.widest() - SPACE).clamp(40.0, WIDEST);
        let columns = Columns { width, row: ROW };
        let least = curves::least(self.weights);
        let strands = curves::strands(
            self.weights,
            &Draw {
                row: self.keys.len(),
                queries: 0..self.queries.len(),
                keys: 0..self.keys.len(),
                least,
                columns,
            },
        );
        let top = 2.0 * SMALL;
        let inks = sheet.inks;
        let mut items = vec![Shape::Strands {
            x: from,
            y: top,
            width,
            strands,
            hues: [inks.query, inks.key],
        }];
        let [query, key] = self.titles;
        let title = |text: &str, x, anchor, colour| {
            Shape::Words(TextRun {
                x,
                y: SMALL,
                text: text.to_owned(),
                anchor,
                degrees: 0.0,
                size: NAMES.1 + 1.0,
                face: Face::Serif,
                colour,
            })
        };
        let to = from + width + SPACE;
        items.push(title(query, from - SPACE, Anchor::End, inks.query));
        items.push(title(key, to, Anchor::Start, inks.key));
        let sides = [
            (left, from - SPACE, Anchor::End),
            (right, to, Anchor::Start),
        ];
        for (labels, x, anchor) in &sides {
            for (at, label) in labels.all.iter().enumerate() {
                let y = top + columns.middle(at) + 0.35 * NAMES.1;
                items.push(words(
                    (*x, y),
                    &label.text,
                    *anchor,
                    0.0,
                    (NAMES.1, inks.ink),
                ));
            }
        }
        let rows = self.queries.len().max(self.keys.len()) as f64;
        let wide = to + sides[1].0.widest();
        sheet.put(0.0, (wide, top + rows * ROW), items);
        least
    }
}
