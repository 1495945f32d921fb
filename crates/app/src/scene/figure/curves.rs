//! Weights as curves between two columns of tokens.

use super::figure_page::{FigurePage, SMALL, Setting, room};
use crate::scene::curves::{self, Columns, Draw};
use crate::scene::role::Role;
use crate::scene::shape::{Anchor, MIDDLE, Shape, Type};

/// Height of a token.
const ROW: f64 = 20.0;
/// Share of the width that each column of tokens may take, and their text size.
const NAMES: (f64, f64) = (0.3, 13.0);
/// Text size of the columns' titles.
const TITLE: f64 = 14.0;
/// Widest way between the columns.
const WIDEST: f64 = 360.0;
/// Space between tokens and curves.
const SPACE: f64 = 6.0;

/// Data of the figure.
#[derive(Clone, Copy)]
pub struct Between<'a> {
    /// `[queries, keys]`, row by row.
    pub weights: &'a [f32],
    /// Tokens on the left.
    pub queries: &'a [String],
    /// Tokens on the right.
    pub keys: &'a [String],
    /// Titles of both columns.
    pub titles: [&'a str; 2],
}

impl Between<'_> {
    /// Draws the curves on a sheet; returns the smallest weight that is drawn.
    pub fn draw(&self, sheet: &mut FigurePage<'_>, setting: &Setting<'_>) -> f32 {
        let (room, most) = (room(setting), room(setting) * NAMES.0);
        let [left, right] = [self.queries, self.keys].map(|side| sheet.labels(side, NAMES.1, most));
        let named = |text: &str| (setting.measure)(text, TITLE);
        let [query, key] = self.titles;
        let from = left.widest().max(named(query)) + SPACE;
        let beside = right.widest().max(named(key)) + SPACE;
        let width = (room - from - beside).clamp(40.0, WIDEST);
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
        let mut items = vec![Shape::Strands {
            x: from,
            y: top,
            width,
            strands,
        }];
        let title = |text: &str, x, anchor, role| {
            let style = Type::new(TITLE, role).anchor(anchor);
            style.at(x, SMALL, text)
        };
        let to = from + width + SPACE;
        items.push(title(query, from - SPACE, Anchor::End, Role::QueryTitle));
        items.push(title(key, to, Anchor::Start, Role::KeyTitle));
        let sides = [
            (left, from - SPACE, Anchor::End),
            (right, to, Anchor::Start),
        ];
        for (labels, x, anchor) in &sides {
            for (at, label) in labels.all.iter().enumerate() {
                let y = top + columns.middle(at) + MIDDLE * NAMES.1;
                let style = Type::new(NAMES.1, Role::Name).anchor(*anchor);
                items.push(style.at(*x, y, &*label.text));
            }
        }
        let rows = self.queries.len().max(self.keys.len()) as f64;
        let wide = from + width + beside;
        sheet.put(0.0, (wide, top + rows * ROW), items);
        least
    }
}
