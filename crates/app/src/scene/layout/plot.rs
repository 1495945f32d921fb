//! Sizes of cells and margins.

use super::labels::{LabelRotation, Labels};
use super::{Axis, CELL_MAX, CellFormat, LABEL_GAP, MapLayout, Rect, Request, TITLE_SIZE, Values};
use crate::i18n::number::CellStyle;

/// Height of a line that holds a title.
pub(crate) const TITLE_LINE: f64 = 20.0;
/// Widest row label, as a share of the room and in CSS pixels.
const ROW_LABEL_SHARE: f64 = 0.28;
const ROW_LABEL_MAX: f64 = 140.0;
/// Longest column label that is turned.
const COLUMN_LABEL_MAX: f64 = 110.0;
/// Space left beside a level column label.
pub(super) const LEVEL_PADDING: f64 = 8.0;
/// Share of the room that slanted labels may stick out to the right.
const OVERHANG_SHARE: f64 = 0.1;
/// A side that is shorter than this is made as long as this where there is room: a map of 1 × 1000 stays visible.
const LEGIBLE: f64 = 16.0;
/// A plot is cut to equally large cells if it keeps this share of its side.
const KEEP: f64 = 0.8;
/// Room for the frame at the right and at the bottom.
const EDGE: f64 = 2.0;
/// Sizes that values in cells may have in each style, from the fullest on: a leading zero is not worth small digits.
const VALUE_SIZES: [&[f64]; 3] = [&[14.0, 12.0], &[12.0, 10.0], &[10.0]];
/// Share of a cell's width that a value may take, and of its height.
const VALUE_SHARE: f64 = 0.7;

/// A layout whose labels have one size.
pub(super) struct Draft {
    query_labels: Labels,
    key_labels: Labels,
    gutter: f64,
    cell: (f64, f64),
}

/// Chooses cell size, label turn and thinning with labels of `size`; cells are at most `stretch` times as wide as high.
pub(super) fn draft(request: &Request<'_>, size: f64, stretch: f64) -> Draft {
    let row_most = (request.width * ROW_LABEL_SHARE).min(ROW_LABEL_MAX);
    let query_labels = Labels::new(request.queries, size, row_most, request.measure);
    let title = (request.measure)(request.query_title, TITLE_SIZE);
    let gutter = query_labels.widest().max(title.min(0.7 * request.width)) + LABEL_GAP;
    let room = (request.width - gutter - EDGE).max(1.0);
    let key_labels = Labels::new(request.keys, size, COLUMN_LABEL_MAX, request.measure);
    let (turn, cell) = turn(request, &key_labels, room, stretch);
    let (query_labels, key_labels) = (
        query_labels.fit(cell.1, LabelRotation::Level),
        key_labels.fit(cell.0, turn),
    );
    Draft {
        query_labels,
        key_labels,
        gutter,
        cell,
    }
}

/// How column labels are turned, and the cell size that leaves room for it.
fn turn(
    request: &Request<'_>,
    labels: &Labels,
    room: f64,
    stretch: f64,
) -> (LabelRotation, (f64, f64)) {
    let cell = cell_size(request, room, stretch);
    // A label no wider than its line is high, such as one Chinese character, gains nothing by turning.
    if labels.widest() + LEVEL_PADDING <= cell.0 || labels.widest() <= labels.line() {
        return (LabelRotation::Level, cell);
    }
    let overhang = slanted_overhang(labels, cell.0);
    let slanted = cell_size(request, (room - overhang).max(1.0), stretch);
    if overhang <= request.width * OVERHANG_SHARE
        && slanted.0 >= LabelRotation::Slanted.pitch(labels.line())
    {
        return (LabelRotation::Slanted, slanted);
    }
    (LabelRotation::Upright, cell)
}

/// How far slanted labels stick out beyond the last of columns that are `cell` wide.
fn slanted_overhang(labels: &Labels, cell: f64) -> f64 {
    let reach = |(from_end, width): (usize, f64)| {
        (width + labels.size / 2.0) * std::f64::consts::FRAC_1_SQRT_2
            - cell * (from_end as f64 + 0.5)
    };
    labels
        .all
        .iter()
        .rev()
        .map(|label| label.width)
        .enumerate()
        .map(reach)
        .fold(0.0, f64::max)
}

/// Width and height of a cell when the plot may be `room` wide: square where both sides are legible, or `stretch` times as wide as high.
fn cell_size(request: &Request<'_>, room: f64, stretch: f64) -> (f64, f64) {
    let share = |length: f64, cells: usize| (length / cells.max(1) as f64).min(CELL_MAX);
    let height = if request.plot_height > 0.0 {
        request.plot_height.min(room)
    } else {
        room
    };
    let (across, down) = (
        share(room, request.keys.len()),
        share(height, request.queries.len()),
    );
    let square = across.min(down);
    (
        across.min(down * stretch).max(across.min(LEGIBLE)),
        square.max(down.min(LEGIBLE)),
    )
}

/// `cells` cells of `cell` CSS pixels over whole device pixels, equally large if that costs little.
pub(crate) fn axis(cells: usize, cell: f64, dpr: f64) -> Axis {
    let most = (cell * cells as f64 * dpr + 1e-6)
        .floor()
        .clamp(0.0, 32_767.0) as u32;
    let blocks = Axis::new(cells, most).blocks().max(1) as u32;
    let even = most / blocks * blocks;
    Axis::new(
        cells,
        if f64::from(even) >= KEEP * f64::from(most) {
            even
        } else {
            most
        },
    )
}

impl Draft {
    /// Whether every label is drawn.
    pub(super) fn is_complete(&self) -> bool {
        self.query_labels.stride == 1 && self.key_labels.stride == 1
    }

    /// Puts the plot on whole device pixels and everything else around it.
    pub(super) fn finish(self, request: &Request<'_>) -> MapLayout {
        let Self {
            query_labels,
            key_labels,
            gutter,
            cell,
        } = self;
        let whole = |length: f64| (length * request.dpr).ceil() / request.dpr;
        let rows = axis(request.queries.len(), cell.1, request.dpr);
        let columns = axis(request.keys.len(), cell.0, request.dpr);
        let labels = LABEL_GAP + labels_height(&key_labels);
        let title = (request.measure)(request.key_title, TITLE_SIZE);
        let stacked = Rect {
            x: whole(gutter),
            y: whole(labels.max(2.0 * TITLE_LINE)),
            width: f64::from(columns.pixels()) / request.dpr,
            height: f64::from(rows.pixels()) / request.dpr,
        };
        let is_stacked = title <= gutter - LABEL_GAP
            && !reaches(&key_labels, stacked, request.width - request.corner);
        let plot = match is_stacked {
            true => stacked,
            false => Rect {
                y: whole(TITLE_LINE + labels),
                ..stacked
            },
        };
        let sticking_out = match key_labels.turn {
            LabelRotation::Slanted => {
                slanted_overhang(&key_labels, plot.width / columns.cells().max(1) as f64)
            }
            LabelRotation::Level | LabelRotation::Upright => 0.0,
        };
        MapLayout {
            width: whole(plot.x + (plot.width + sticking_out.max(EDGE)).max(title)),
            height: whole(plot.y + plot.height + EDGE),
            dpr: request.dpr,
            plot,
            values: values(
                request.form,
                request.measure,
                [&rows, &columns],
                request.dpr,
            ),
            rows,
            columns,
            query_labels,
            key_labels,
            query_title: request.query_title.to_owned(),
            key_title: request.key_title.to_owned(),
            is_stacked,
            sides: request.sides,
        }
    }
}

/// Whether a label above `plot` reaches into the first line right of `limit`.
fn reaches(labels: &Labels, plot: Rect, limit: f64) -> bool {
    let (line, foot) = (labels.line(), plot.y - LABEL_GAP);
    let cell = plot.width / labels.all.len().max(1) as f64;
    let ends = |width: f64| match labels.turn {
        LabelRotation::Level => (width / 2.0, line),
        LabelRotation::Slanted => {
            let side = (width + line / 2.0) * std::f64::consts::FRAC_1_SQRT_2;
            (side, side)
        }
        LabelRotation::Upright => (line / 2.0, width),
    };
    labels.all.iter().enumerate().any(|(at, label)| {
        let (right, height) = ends(label.width);
        plot.x + (at as f64 + 0.5) * cell + right > limit && foot - height < TITLE_LINE
    })
}

/// Height of the column labels above the gap.
fn labels_height(labels: &Labels) -> f64 {
    let line = labels.line();
    match labels.turn {
        LabelRotation::Level => line,
        LabelRotation::Slanted => (labels.widest() + line) * std::f64::consts::FRAC_1_SQRT_2,
        LabelRotation::Upright => labels.widest().max(line),
    }
}

/// How values are written into cells of these axes.
pub(super) fn values(
    form: CellFormat,
    measure: &dyn Fn(&str, f64) -> f64,
    [rows, columns]: [&Axis; 2],
    dpr: f64,
) -> Option<Values> {
    let cell = |axis: &Axis| f64::from(axis.pixels()) / axis.cells().max(1) as f64 / dpr;
    let (across, down) = (cell(columns), cell(rows));
    let prefix = form.prefix();
    let fits = |values: &Values| {
        let sample = if values.style.leading_zero {
            "0.00"
        } else {
            &"0.00"[..values.style.width()]
        };
        measure(&format!("{prefix}{sample}"), values.size) <= VALUE_SHARE * across
            && values.size <= VALUE_SHARE * down
    };
    let all = CellStyle::ALL
        .into_iter()
        .zip(VALUE_SIZES)
        .flat_map(|(style, sizes)| sizes.iter().map(move |&size| Values { style, size }));
    if rows.cells() == 0 || columns.cells() == 0 || form == CellFormat::Unwritten {
        None
    } else {
        all.into_iter().find(fits)
    }
}
