//! Several small maps side by side: row labels once at the left edge, column labels once above.

use super::figure_page::{FigurePage, SMALL, Setting, room, whole};
use super::map_figure::Cells;
use super::wrap::wrap;
use crate::scene::layout::{Labels, MapLayout, Rect, Side, axis};
use crate::scene::marks;
use crate::scene::role::Role;
use crate::scene::shape::{Anchor, MIDDLE, Shape, Type};

/// Narrowest map that others stand beside, and most of them in a line.
const NARROWEST: f64 = 128.0;
const MOST: usize = 4;
/// Names of rows and columns are written in these sizes, and not at all where lines are closer.
const TYPE: (f64, f64) = (9.0, 12.0);
/// Widest names.
const NAMES: (f64, f64) = (72.0, 64.0);
/// Height of a map over its width, at most and at least.
const ASPECT: (f64, f64) = (0.12, 1.6);
/// Space between maps.
const BETWEEN: f64 = 14.0;
/// Height of a line with a name or a title.
const LINE: f64 = 18.0;
/// Distance of the lines of one name, and most of them.
const NAME: f64 = 15.0;
const MOST_LINES: usize = 2;

/// One of the maps.
#[derive(Clone)]
pub struct Small<'a> {
    /// Name of the map.
    pub name: String,
    /// Cells of the map.
    pub cells: Cells<'a>,
    /// The names of its columns.
    pub columns: &'a [String],
    /// Meaning of its columns.
    pub side: Side,
    /// Whether its name is heavier.
    pub is_chosen: bool,
}

/// The maps and their common settings.
#[derive(Clone, Copy)]
pub struct Many<'a> {
    /// In the order of reading.
    pub maps: &'a [Small<'a>],
    /// The names of rows.
    pub rows: &'a [String],
    /// Titles of rows and columns.
    pub titles: [&'a str; 2],
}

/// Where the maps go.
struct Places {
    across: usize,
    width: f64,
    height: f64,
    gutter: f64,
    /// Height of the names of columns, and the text size of all names; 0 where none are written.
    names: f64,
    size: f64,
    /// Lines of the longest name of a map.
    lines: usize,
}

impl Many<'_> {
    /// The width of all maps together.
    pub fn width(&self, setting: &Setting<'_>) -> f64 {
        let places = self.places(setting);
        let across = places.across as f64;
        places.gutter + across * places.width + (across - 1.0) * BETWEEN
    }

    /// Draws the maps on a sheet.
    pub fn draw(&self, sheet: &mut FigurePage<'_>, setting: &Setting<'_>) {
        let places = self.places(setting);
        let count = self.maps.iter().map(|map| map.cells.count()).sum();
        for (line, maps) in self.maps.chunks(places.across).enumerate() {
            let above = match line {
                0 => places.above() + LINE + places.names,
                _ => places.above(),
            };
            for (at, map) in maps.iter().enumerate() {
                let x = places.gutter + at as f64 * (places.width + BETWEEN);
                let layout = places.layout(map, self.rows.len(), setting);
                let drawn = map.cells.draw(&layout, count, setting);
                let mut items = drawn.items;
                items.extend(marks::empty_rows(&layout, map.cells.grid.hidden()));
                items.extend(marks::frame(&layout));
                sheet.embed(drawn.has_pixels);
                sheet.pooling = sheet.pooling.or(drawn.pooling);
                let size = (layout.width, layout.height);
                sheet.place(x, above, size, items);
                let mut words = self.name(map, &places, sheet);
                if line == 0 {
                    words.extend(self.columns(map, &places, &layout, at == 0, sheet));
                }
                if at == 0 {
                    words.extend(self.rows(&places, &layout, above, sheet));
                }
                sheet.place(x, 0.0, size, words);
            }
            sheet.advance(above + places.height);
        }
    }

    fn places(&self, setting: &Setting<'_>) -> Places {
        let room = room(setting);
        let across = ((room / NARROWEST) as usize).clamp(1, MOST.min(self.maps.len().max(1)));
        let columns = self.maps.iter().map(|map| map.columns.len()).max();
        let (rows, columns) = (self.rows.len().max(1), columns.unwrap_or(1).max(1));
        let title = (setting.measure)(self.titles[0], SMALL) + 6.0;
        let place = |gutter: f64| {
            let gaps = (across - 1) as f64 * BETWEEN;
            let width = whole((room - gutter - gaps) / across as f64 - 1.0, setting).max(16.0);
            let aspect = (rows as f64 / columns as f64).clamp(ASPECT.0, ASPECT.1);
            (width, whole(width * aspect, setting))
        };
        let (width, height) = place(title);
        let line = (width / columns as f64).min(height / rows as f64);
        let size = (0.85 * line).min(TYPE.1);
        let is_written = size >= TYPE.0;
        let widest =
            |names: &[String], most| Labels::new(names, size, most, setting.measure).widest();
        let gutter = if is_written {
            (widest(self.rows, NAMES.0) + 5.0).max(title)
        } else {
            title
        };
        let lines = |width| {
            let measure = |text: &str| (setting.measure)(text, SMALL);
            let lines = (self.maps.iter()).map(|map| wrap(&map.name, width, &measure).len());
            lines.max().unwrap_or(1).clamp(1, MOST_LINES)
        };
        let names = self
            .maps
            .iter()
            .take(across)
            .map(|map| widest(map.columns, NAMES.1));
        let (width, height) = place(gutter);
        Places {
            across,
            width,
            height,
            gutter: whole(gutter, setting),
            names: if is_written {
                names.fold(0.0, f64::max) + 4.0
            } else {
                0.0
            },
            size: if is_written { size } else { 0.0 },
            lines: lines(width),
        }
    }

    /// The name above a map, in lines of its width.
    fn name(&self, map: &Small<'_>, places: &Places, sheet: &FigurePage<'_>) -> Vec<Shape> {
        let lines = sheet.wrapped(&map.name, SMALL, places.width);
        let last = lines.len().min(places.lines);
        let rest = lines[last.saturating_sub(1)..].join(" ");
        let (first, rest) = (&lines[..last.saturating_sub(1)], [rest]);
        let short = sheet.labels(&rest, SMALL, places.width).all;
        let texts = first.iter().chain(short.iter().map(|label| &label.text));
        let role = if map.is_chosen {
            Role::LabelChosen
        } else {
            Role::Name
        };
        let style = Type::new(SMALL, role);
        texts
            .enumerate()
            .map(|(at, text)| style.at(0.0, at as f64 * NAME + 0.72 * LINE, &**text))
            .collect()
    }

    /// The names of columns above a map, and their title above the first.
    fn columns(
        &self,
        map: &Small<'_>,
        places: &Places,
        layout: &MapLayout,
        is_first: bool,
        sheet: &FigurePage<'_>,
    ) -> Vec<Shape> {
        let top = places.above() + LINE + places.names;
        let role = match map.side {
            Side::Keys => Role::KeyTitle,
            _ => Role::Title,
        };
        let (style, y) = (Type::new(SMALL + 1.0, role), places.above() + 0.7 * LINE);
        let title = is_first.then(|| style.at(0.0, y, self.titles[1]));
        let mut words: Vec<Shape> = title.into_iter().collect();
        if places.size > 0.0 {
            let labels = sheet.labels(map.columns, places.size, NAMES.1).all;
            let style = Type {
                degrees: -90.0,
                ..Type::new(places.size, Role::Label)
            };
            words.extend(labels.into_iter().enumerate().map(|(at, label)| {
                let column = layout.column_rect(at);
                let x = column.x + column.width / 2.0 + MIDDLE * places.size;
                style.at(x, top - 4.0, label.text)
            }));
        }
        words
    }

    /// The names of rows beside a map, and their title.
    fn rows(
        &self,
        places: &Places,
        layout: &MapLayout,
        above: f64,
        sheet: &FigurePage<'_>,
    ) -> Vec<Shape> {
        let style = |size, role| Type::new(size, role).anchor(Anchor::End);
        let title = style(SMALL + 1.0, Role::QueryTitle);
        let mut words = vec![title.at(-5.0, above - 5.0, self.titles[0])];
        if places.size > 0.0 {
            let labels = sheet.labels(self.rows, places.size, NAMES.0).all;
            words.extend(labels.into_iter().enumerate().map(|(at, label)| {
                let row = layout.row_rect(at);
                let y = above + row.y + row.height / 2.0 + MIDDLE * places.size;
                style(places.size, Role::Label).at(-5.0, y, label.text)
            }));
        }
        words
    }
}

impl Places {
    /// Height of the names of maps.
    fn above(&self) -> f64 {
        (self.lines - 1) as f64 * NAME + LINE
    }

    /// A map with nothing around it, from its upper left corner.
    fn layout(&self, map: &Small<'_>, rows: usize, setting: &Setting<'_>) -> MapLayout {
        let density = setting.output.density();
        let along = |length: f64, cells: usize| axis(cells, length / cells.max(1) as f64, density);
        let (rows, columns) = (
            along(self.height, rows),
            along(self.width, map.columns.len()),
        );
        let plot = Rect {
            x: 0.0,
            y: 0.0,
            width: f64::from(columns.pixels()) / density,
            height: f64::from(rows.pixels()) / density,
        };
        MapLayout::bare(plot, [rows, columns], density)
    }
}
