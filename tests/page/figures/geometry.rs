//! Nothing covers anything else, nothing is outside, and colours are those of the page.

use app::scene::colour::Background;
use app::scene::figure::Figure;
use app::scene::figure::figure_page::Output;
use app::scene::figure::palette::{Inks, SANS, SERIF};
use app::scene::heatmap::{self, Hatch, PoolBy, Style};
use app::scene::layout::Rect;
use app::scene::role::Role;
use app::scene::shape::{Anchor, Shape, TextRun};

use super::{Drawing, flat, measure, setting, texts, tokens};

/// The corners of a text: from its baseline to the height of its capitals.
fn corners(words: &TextRun) -> [(f64, f64); 4] {
    let width = measure(&words.text, words.size);
    let start = match words.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => -width / 2.0,
        Anchor::End => -width,
    };
    let (sin, cos) = words.degrees.to_radians().sin_cos();
    [
        (0.0, 0.0),
        (width, 0.0),
        (0.0, -0.7 * words.size),
        (width, -0.7 * words.size),
    ]
    .map(|(along, down)| (start + along, down))
    .map(|(along, down)| {
        (
            words.x + along * cos - down * sin,
            words.y + along * sin + down * cos,
        )
    })
}

fn extent(words: &TextRun) -> Rect {
    let corners = corners(words);
    let low = |of: fn(&(f64, f64)) -> f64| corners.iter().map(of).fold(f64::INFINITY, f64::min);
    let high =
        |of: fn(&(f64, f64)) -> f64| corners.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
    let (x, y) = (low(|at| at.0), low(|at| at.1));
    Rect {
        x,
        y,
        width: high(|at| at.0) - x,
        height: high(|at| at.1) - y,
    }
}

fn overlap(a: &Rect, b: &Rect) -> bool {
    const SLACK: f64 = 0.5;
    a.x + a.width > b.x + SLACK
        && b.x + b.width > a.x + SLACK
        && a.y + a.height > b.y + SLACK
        && b.y + b.height > a.y + SLACK
}

/// Whether two texts touch. Slanted ones are compared by the distance of their lines.
fn touch(a: &TextRun, b: &TextRun) -> bool {
    let is_slanted = |words: &TextRun| words.degrees != 0.0 && words.degrees != -90.0;
    match (is_slanted(a), is_slanted(b)) {
        (false, false) => overlap(&extent(a), &extent(b)),
        (true, true) => {
            let (dx, dy) = (b.x - a.x, b.y - a.y);
            let (sin, cos) = a.degrees.to_radians().sin_cos();
            (dy * cos - dx * sin).abs() < 0.7 * a.size
        }
        _ => false,
    }
}

fn expect_tidy(figure: &Figure, what: &str) {
    let texts = texts(figure);
    for words in &texts {
        for (x, y) in corners(words) {
            let is_inside = x >= 0.0 && x <= figure.width && y >= 0.0 && y <= figure.height;
            assert!(
                is_inside,
                "{what}: {words:?} at {x}, {y} of {}×{}",
                figure.width, figure.height
            );
        }
    }
    for (at, one) in texts.iter().enumerate() {
        for other in &texts[at + 1..] {
            assert!(!touch(one, other), "{what}: {one:?} touches {other:?}");
        }
    }
}

#[test]
fn words_of_a_map_are_inside_and_apart() {
    for width in [160.0, 321.0, 642.5, 1200.0] {
        for (rows, columns) in [
            (11, 11),
            (3, 17),
            (40, 41),
            (1, 5),
            (9, 1),
            (0, 3),
            (300, 299),
        ] {
            for output in [Output::Shapes, Output::Pixels(1), Output::Pixels(3)] {
                let drawing = Drawing::new(tokens(rows), tokens(columns), Background::Light);
                let setting = setting(width, output, Background::Light);
                let figure = drawing.figure(&setting);
                expect_tidy(
                    &figure,
                    &format!("{rows}×{columns} in {width} as {output:?}"),
                );
                assert!(
                    figure.width <= width.ceil() + 1.0,
                    "{} of {width}",
                    figure.width
                );
            }
        }
    }
}

#[test]
fn words_of_many_maps_are_inside_and_apart() {
    for width in [160.0, 321.0, 642.5] {
        for (heads, size) in [(1, 11), (4, 11), (5, 3), (16, 11), (8, 80)] {
            let drawing = Drawing::new(tokens(size), tokens(size + 2), Background::Light);
            let setting = setting(width, Output::Shapes, Background::Light);
            let figure = drawing.heads(heads, &setting);
            expect_tidy(&figure, &format!("{heads} heads of {size} in {width}"));
            assert!(
                figure.width <= width.ceil() + 1.0,
                "{} of {width}",
                figure.width
            );
            let names = texts(&figure);
            let names = names
                .iter()
                .filter(|words| words.text.starts_with("head "))
                .count();
            assert_eq!(names, heads, "every map has its name");
        }
    }
}

/// The colours that shapes give a place, the last one on top.
fn colour_at(figure: &Figure, x: f64, y: f64) -> Option<[u8; 3]> {
    let holds = |rect: &Rect| {
        (rect.x..rect.x + rect.width).contains(&x) && (rect.y..rect.y + rect.height).contains(&y)
    };
    let mut found = None;
    for (dx, dy, item) in flat(figure) {
        let moved = |rect: &Rect| Rect {
            x: rect.x + dx,
            y: rect.y + dy,
            ..*rect
        };
        match item {
            Shape::Cells(cells) => {
                let over = cells.iter().rev().find(|(rect, _)| holds(&moved(rect)));
                found = over.map_or(found, |(_, colour)| Some(*colour));
            }
            Shape::Hatched(hatched) if hatched.cells.iter().any(|rect| holds(&moved(rect))) => {
                found = Some(hatched.colours[0]);
            }
            _ => {}
        }
    }
    found
}

#[test]
fn cells_have_the_colours_of_the_page() {
    for ground in [Background::Light, Background::Dark] {
        let drawing = Drawing::new(tokens(7), tokens(9), ground);
        let setting = setting(500.0, Output::Shapes, ground);
        let layout = drawing.plate().layout(476.0, &setting);
        let figure = drawing.figure(&setting);
        let (x, y) = origin(&figure);
        let mut pixels = Vec::new();
        let cells = drawing.cells();
        let style = Style {
            lut: cells.lut,
            scale: cells.scale,
            hatch: &Hatch::new(ground, layout.dpr),
            pool_by: PoolBy::Max,
        };
        let (rows, columns) = (&layout.rows, &layout.columns);
        let picture = heatmap::paint(&cells.grid, rows, columns, &style, &mut pixels);
        for row in 0..7 {
            for column in 0..9 {
                // Near the corner, where nothing is written.
                let cell = layout.cell_rect(row, column);
                let (inside, down) = (cell.x + 1.5, cell.y + 1.5);
                let drawn = colour_at(&figure, x + inside, y + down);
                let at = |length: f64, from: f64| ((length - from) * layout.dpr) as usize;
                let pixel =
                    at(down, layout.plot.y) * picture.width as usize + at(inside, layout.plot.x);
                let on_page = &pixels[4 * pixel..4 * pixel + 3];
                if cells.grid.hidden().is_hidden(row, column) {
                    assert_eq!(drawn, Some(Hatch::colours(ground)[0]), "{row}, {column}");
                } else {
                    assert_eq!(
                        drawn.as_ref().map(|it| &it[..]),
                        Some(on_page),
                        "{row}, {column}"
                    );
                }
            }
        }
    }
}

/// Where the first group of the figure stands: the map.
fn origin(figure: &Figure) -> (f64, f64) {
    let group = figure.items.iter().find_map(|item| match item {
        Shape::Group { x, y, .. } => Some((*x, *y)),
        _ => None,
    });
    group.expect("a map")
}

#[test]
fn hidden_cells_are_few_shapes_and_rows_that_see_nothing_have_their_own() {
    let drawing = Drawing::new(tokens(12), tokens(12), Background::Light);
    let setting = setting(500.0, Output::Shapes, Background::Light);
    let figure = drawing.figure(&setting);
    let hatched: Vec<_> = flat(&figure)
        .into_iter()
        .filter_map(|(_, _, item)| match item {
            Shape::Hatched(hatched) => Some(hatched),
            _ => None,
        })
        .collect();
    let count = |is_falling| {
        let own = hatched
            .iter()
            .filter(move |hatched| hatched.is_falling == is_falling);
        own.map(|hatched| hatched.cells.len()).collect::<Vec<_>>()
    };
    // Rows 0, 1 and 3 to 10 see some keys and not others; the sample of the legend is one more.
    assert_eq!(count(false), [10, 1]);
    assert_eq!(count(true), [1, 1]);
}

#[test]
fn many_cells_are_pixels_and_words_stay_words() {
    let drawing = Drawing::new(tokens(101), tokens(100), Background::Light);
    for output in [Output::Shapes, Output::Pixels(2)] {
        let setting = setting(500.0, output, Background::Light);
        let figure = drawing.figure(&setting);
        assert!(figure.has_pixels);
        assert!(texts(&figure).iter().any(|words| words.text == "animal"));
    }
    let small = Drawing::new(tokens(99), tokens(100), Background::Light);
    assert!(
        !small
            .figure(&setting(642.0, Output::Shapes, Background::Light))
            .has_pixels
    );
}

#[test]
fn colours_and_faces_are_those_of_the_page() {
    let sheet = include_str!("../../../style/tokens.css");
    let value = |name: &str| {
        let from = sheet.find(&format!("--{name}:")).expect(name) + name.len() + 3;
        let to = from + sheet[from..].find(';').expect(name);
        sheet[from..to]
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(value("sans"), SANS);
    assert_eq!(value("serif"), SERIF);
    let hex = |[r, g, b]: [u8; 3]| format!("#{r:02x}{g:02x}{b:02x}");
    let [light, dark] = [Background::Light, Background::Dark].map(Inks::on);
    type Ink = fn(&Inks) -> [u8; 3];
    let inks: [(&str, Ink); 8] = [
        ("ink", |inks| inks.ink),
        ("ink-soft", |inks| inks.soft),
        ("ink-faint", |inks| inks.faint),
        ("rule", |inks| inks.rule),
        ("edge", |inks| inks.edge),
        ("query", |inks| inks.query),
        ("key", |inks| inks.key),
        ("warn", |inks| inks.warn),
    ];
    for (name, ink) in inks {
        let pair = format!("light-dark({}, {})", hex(ink(&light)), hex(ink(&dark)));
        assert_eq!(value(name), pair, "--{name}");
    }
    assert_eq!(light.paper, [255; 3], "paper is white");
    assert_eq!(light.fill(Role::QueryTitle), Some(light.query));
}
