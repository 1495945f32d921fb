//! Pictures to take away: what is on them, where it stands, and that any program can read their files.

mod files;
mod geometry;

use crate::words::{measure, tokens};
use app::scene::colour::{Background, Lut};
use app::scene::figure::Figure;
use app::scene::figure::figure_page::{FigurePage, Name, Output, Setting};
use app::scene::figure::legend::{Legend, Sample};
use app::scene::figure::map_figure::{Cells, MapFigure};
use app::scene::figure::small_multiples::{Many, Small};
use app::scene::heatmap::{Grid, Hidden, PoolBy};
use app::scene::layout::{CellFormat, Side};
use app::scene::scale::Scale;
use app::scene::shape::{Shape, TextRun};
use app::state::ColourMap;
use app::state::ColourScale;

fn setting(width: f64, output: Output, ground: Background) -> Setting<'static> {
    Setting {
        ground,
        width,
        output,
        has_words: true,
        even: "even",
        measure: &measure,
    }
}

/// Weights that look random, and the same everywhere.
fn weights(count: usize) -> Vec<f32> {
    let next = |state: &mut u32| {
        *state ^= *state << 13;
        *state ^= *state >> 17;
        *state ^= *state << 5;
        Some((*state >> 8) as f32 / 16_777_216.0)
    };
    (0..count)
        .scan(0x9e37_79b9, |state, _| next(state))
        .collect()
}

/// Row 2 sees nothing, other rows no later key.
fn hidden(rows: usize, columns: usize) -> Hidden {
    Hidden::new(rows, columns, |row, column| row == 2 || column > row)
}

/// Data that a test draws.
struct Drawing {
    rows: Vec<String>,
    columns: Vec<String>,
    weights: Vec<f32>,
    hidden: Hidden,
    lut: Lut,
    scale: Scale,
}

impl Drawing {
    fn new(rows: Vec<String>, columns: Vec<String>, ground: Background) -> Self {
        let (n, m) = (rows.len(), columns.len());
        Self {
            weights: weights(n * m),
            hidden: hidden(n, m),
            lut: Lut::new(ColourMap::Tide, ground),
            scale: Scale::new(ColourScale::Linear, 1.0),
            rows,
            columns,
        }
    }

    fn cells(&self) -> Cells<'_> {
        Cells {
            grid: Grid::new(&self.weights, &self.hidden).expect("as large as the mask"),
            lut: &self.lut,
            scale: &self.scale,
            pool_by: PoolBy::Max,
        }
    }

    fn plate(&self) -> MapFigure<'_> {
        MapFigure {
            cells: self.cells(),
            rows: &self.rows,
            columns: &self.columns,
            titles: ["query ↓", "key →"],
            sides: [Side::Queries, Side::Keys],
            form: CellFormat::Weights,
            chosen: [Some(1), None],
        }
    }

    /// The map with heading, legend and caption.
    fn figure(&self, setting: &Setting<'_>) -> Figure {
        let mut sheet = FigurePage::of_plate(setting, &self.plate(), "weights · head 1");
        sheet.legend(&self.legend());
        sheet.caption("heads: 4 · mask: causal · positions: sine and cosine, added · seed: 42");
        sheet.finish(&NAME)
    }

    fn legend(&self) -> Legend<'_> {
        Legend {
            bar: Some((&self.lut, &self.scale, "weights, linear scale".to_owned())),
            samples: vec![
                (Sample::Hidden, "hidden by the mask".to_owned()),
                (Sample::Empty, "row where nothing is visible".to_owned()),
            ],
        }
    }

    /// So many heads in small.
    fn heads(&self, heads: usize, setting: &Setting<'_>) -> Figure {
        let small = |head| Small {
            name: format!("head {head} · pronoun → noun, whatever lies between"),
            cells: self.cells(),
            columns: &self.columns,
            side: Side::Keys,
            is_chosen: head == 1,
        };
        let maps: Vec<Small<'_>> = (1..=heads).map(small).collect();
        let many = Many {
            maps: &maps,
            rows: &self.rows,
            titles: ["query ↓", "key →"],
        };
        let mut sheet = FigurePage::new(setting, many.width(setting));
        sheet.heading("All heads");
        many.draw(&mut sheet, setting);
        sheet.legend(&self.legend());
        sheet.finish(&NAME)
    }
}

const NAME: Name<'static> = Name {
    id: "attention-head-1",
    language: "en",
    title: "weights",
    description: "“The animal” #v=1&text=The%20animal",
};

/// Every part with its place on the whole figure.
fn flat(figure: &Figure) -> Vec<(f64, f64, &Shape)> {
    fn add<'a>(all: &mut Vec<(f64, f64, &'a Shape)>, items: &'a [Shape], (x, y): (f64, f64)) {
        for item in items {
            match item {
                Shape::Group {
                    x: dx,
                    y: dy,
                    items,
                } => add(all, items, (x + dx, y + dy)),
                item => all.push((x, y, item)),
            }
        }
    }
    let mut all = Vec::new();
    add(&mut all, &figure.items, (0.0, 0.0));
    all
}

/// Every text with its place on the whole figure.
fn texts(figure: &Figure) -> Vec<TextRun> {
    let words = |(x, y, item): (f64, f64, &Shape)| match item {
        Shape::Words(words) => Some(TextRun {
            x: words.x + x,
            y: words.y + y,
            ..words.clone()
        }),
        _ => None,
    };
    flat(figure).into_iter().filter_map(words).collect()
}
