//! Marks of a map: labels, titles, values, frame.

use super::{frame_around, whole_line};
use crate::i18n::number::{self, CellStyle};
use crate::scene::colour::{Ink, Lut};
use crate::scene::heatmap::{Grid, Hidden};
use crate::scene::layout::{
    LABEL_GAP, LabelRotation, MapLayout, Rect, TITLE_LINE, TITLE_SIZE, Values,
};
use crate::scene::role::Role;
use crate::scene::scale::Scale;
use crate::scene::shape::{Anchor, Shape, Type};
use crate::scene::ties;
use crate::state::ColourScale;

/// Width of the bar beside a row where nothing is visible, in CSS pixels.
const EMPTY_BAR: f64 = 3.0;

/// Everything on a map that stays where the pointer moves: values, rows where nothing is visible, frame and titles.
pub fn still(layout: &MapLayout, grid: &Grid<'_>, lut: &Lut, scale: &Scale) -> Vec<Shape> {
    let mut shapes = cell_values(layout, grid, lut, scale);
    shapes.extend(empty_rows(layout, grid.hidden()));
    shapes.extend(frame(layout));
    shapes.extend(titles(layout));
    shapes
}

/// Token labels of both sides. Dense labels are thinned; those of the chosen query and key are always there.
pub fn labels(layout: &MapLayout, query: Option<usize>, key: Option<usize>) -> Vec<Shape> {
    let rows = layout
        .query_labels
        .drawn(query)
        .into_iter()
        .map(|row| query_label(layout, row, query == Some(row)));
    let columns = layout
        .key_labels
        .drawn(key)
        .into_iter()
        .map(|column| key_label(layout, column, key == Some(column)));
    rows.chain(columns).collect()
}

/// The label of one query row, ending at the plot.
fn query_label(layout: &MapLayout, query: usize, chosen: bool) -> Shape {
    let labels = &layout.query_labels;
    let role = Role::label(layout.sides[0], chosen);
    let style = Type::new(labels.size, role).anchor(Anchor::End);
    let row = layout.row_rect(query);
    style.centred(
        row.x - LABEL_GAP,
        row.y + row.height / 2.0,
        labels.all[query].text.clone(),
    )
}

/// The label of one key column, standing on the plot.
fn key_label(layout: &MapLayout, key: usize, chosen: bool) -> Shape {
    let labels = &layout.key_labels;
    let role = Role::label(layout.sides[1], chosen);
    let column = layout.column_rect(key);
    let (anchor, lift) = match labels.turn {
        LabelRotation::Level => (Anchor::Middle, labels.size / 2.0),
        LabelRotation::Slanted | LabelRotation::Upright => (Anchor::Start, 0.0),
    };
    let style = Type {
        anchor,
        degrees: labels.turn.degrees(),
        size: labels.size,
        role,
    };
    style.centred(
        column.x + column.width / 2.0,
        column.y - LABEL_GAP - lift,
        labels.all[key].text.clone(),
    )
}

/// The titles of both axes: that of the queries above their labels, that of the keys above theirs or above it.
pub fn titles(layout: &MapLayout) -> [Shape; 2] {
    let style = |anchor, side| Type::new(TITLE_SIZE, Role::title(side)).anchor(anchor);
    let [queries, keys] = layout.sides;
    let (plot, middle) = (layout.plot, TITLE_SIZE / 2.0);
    let (end, above) = (plot.x - LABEL_GAP, plot.y - LABEL_GAP - middle);
    let (anchor, x, y) = if layout.is_stacked {
        (Anchor::End, end, above - TITLE_LINE)
    } else {
        (Anchor::Start, plot.x, middle + 1.0)
    };
    [
        style(Anchor::End, queries).centred(end, above, &*layout.query_title),
        style(anchor, keys).centred(x, y, &*layout.key_title),
    ]
}

/// A hairline around the plot; nothing around a plot without cells.
pub fn frame(layout: &MapLayout) -> Vec<Shape> {
    let Rect { width, height, .. } = layout.plot;
    if width <= 0.0 || height <= 0.0 {
        return Vec::new();
    }
    frame_around(layout.plot, whole_line(1.0, layout.dpr), Role::Frame).into()
}

/// Numbers of a row that lie this close together are written alike: a tenth of the last of two digits.
const NEAR: f32 = 1e-3;

/// Weights below these are written in the soft ink and in the faint one, so that the others of a map are read first.
const SMALL: f32 = 0.2;
const TINY: f32 = 0.05;

/// The values of all visible cells, in black or white, whichever can be read, or in a quieter ink where a weight is small or its row even;
/// nothing where they do not fit.
pub fn cell_values(layout: &MapLayout, grid: &Grid<'_>, lut: &Lut, scale: &Scale) -> Vec<Shape> {
    let Some(values) = layout.values else {
        return Vec::new();
    };
    let rows = layout.rows.range();
    let rows = rows.start..rows.end.min(grid.queries());
    let row = |query| row_values(layout, (grid, query), lut, scale, values);
    rows.flat_map(row).collect()
}

/// The values of one row.
fn row_values(
    layout: &MapLayout,
    (grid, query): (&Grid<'_>, usize),
    lut: &Lut,
    scale: &Scale,
    values: Values,
) -> Vec<Shape> {
    let near = NEAR * scale.top().min(1.0);
    let own: Vec<_> = (0..grid.keys())
        .filter_map(|key| grid.weight(query, key))
        .collect();
    let seen = |key: &usize| !grid.hidden().is_hidden(query, *key);
    let visible = (0..own.len()).filter(seen).map(|key| own[key]);
    let is_of_weights =
        matches!(scale.kind(), ColourScale::Above | ColourScale::Linear) && !scale.is_symmetric();
    let is_even = is_of_weights && ties::are_even(visible);
    let settled = ties::round_ties_alike(&own, near);
    let factor = grid.factor(scale, query);
    let mark = |key: usize| {
        let (weight, cell) = (settled[key], layout.cell_rect(query, key));
        let quiet = match weight {
            _ if is_even => Some(Role::ValueSoft),
            tiny if is_of_weights && tiny < TINY => Some(Role::ValueFaint),
            small if is_of_weights && small < SMALL.max(scale.floor()) => Some(Role::ValueSoft),
            _ => None,
        };
        let role = value_role(lut, scale.index(weight * factor), quiet);
        let style = Type::new(values.size, role).anchor(Anchor::Middle);
        style.centred(
            cell.x + cell.width / 2.0,
            cell.y + cell.height / 2.0,
            written(values.style, weight, scale),
        )
    };
    let shown = layout.columns.range();
    let shown = shown.start..shown.end.min(own.len());
    shown.filter(seen).map(mark).collect()
}

/// How a value is written on an entry of the colour table: quietly only where that can be read.
fn value_role(lut: &Lut, index: u8, quiet: Option<Role>) -> Role {
    match (quiet, lut.ink(index)) {
        (Some(Role::ValueFaint), _) if lut.is_ground(index) => Role::ValueFaint,
        (Some(_), _) if lut.is_near_ground(index) => Role::ValueSoft,
        (_, Ink::Black) => Role::ValueBlack,
        (_, Ink::White) => Role::ValueWhite,
    }
}

/// A number as it stands in its cell. One far beyond a symmetric scale, such as −10⁹, is written as short as can be.
fn written(style: CellStyle, value: f32, scale: &Scale) -> String {
    if scale.is_symmetric() && value.abs() > 1.01 * scale.top() {
        number::short(value)
    } else {
        style.write(value)
    }
}

/// A bar at the left edge of each row where nothing is visible.
pub fn empty_rows(layout: &MapLayout, hidden: &Hidden) -> Vec<Shape> {
    let width = whole_line(EMPTY_BAR, layout.dpr).min(layout.plot.width);
    let bar = |query| Shape::Rect {
        rect: Rect {
            width,
            ..layout.row_rect(query)
        },
        role: Role::EmptyRow,
    };
    let shown = layout.rows.range();
    let empty = hidden.empty_rows().filter(|query| shown.contains(query));
    empty.map(bar).collect()
}
