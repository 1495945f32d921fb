//! Figures as another program draws them: resvg, which lays text out by itself.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, Node, Rect, Tree, fontdb};

use super::*;
use crate::scene::svg::PER_MM;

/// Share of a line's height that its letters leave free above and below.
const FREE: f32 = 0.25;
/// What two texts may share, in CSS pixels: rounding.
const TOUCHING: f32 = 1.0;

/// Two faces with Chinese and Latin characters, read once.
fn fonts() -> Arc<fontdb::Database> {
    let mut system = fontdb::Database::new();
    system.load_system_fonts();
    let mut own = fontdb::Database::new();
    let mut load =
        |family: &str, weight| {
            let query = fontdb::Query {
                families: &[fontdb::Family::Name(family)],
                weight,
                ..fontdb::Query::default()
            };
            let face = system
                .query(&query)
                .and_then(|id| system.with_face_data(id, |data, _| data.to_vec()));
            own.load_font_data(face.expect(
                "fonts with Chinese characters: fonts-noto-cjk, which ./dev setup installs",
            ));
        };
    load("Noto Sans CJK SC", fontdb::Weight::NORMAL);
    load("Noto Sans CJK SC", fontdb::Weight::BOLD);
    load("Noto Serif CJK SC", fontdb::Weight::NORMAL);
    own.set_sans_serif_family("Noto Sans CJK SC");
    own.set_serif_family("Noto Serif CJK SC");
    Arc::new(own)
}

fn options() -> usvg::Options<'static> {
    static FONTS: OnceLock<Arc<fontdb::Database>> = OnceLock::new();
    usvg::Options {
        fontdb: Arc::clone(FONTS.get_or_init(fonts)),
        ..usvg::Options::default()
    }
}

fn tree(file: &str) -> Tree {
    Tree::from_str(file, &options()).expect("a file that resvg reads")
}

/// The width of a text as resvg sets it, in the heavier face.
fn measured(text: &str, size: f64) -> f64 {
    thread_local! {
        static KNOWN: RefCell<HashMap<String, f64>> = RefCell::default();
    }
    let known = KNOWN.with_borrow(|known| known.get(text).copied());
    let width = known.unwrap_or_else(|| {
        let file = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><text font-family=\"sans-serif\" font-weight=\"600\" font-size=\"100\">{}</text></svg>",
            svg::escaped(text)
        );
        let width = drawn(&tree(&file)).first().map_or(0.0, |text| f64::from(text.place.width()));
        KNOWN.with_borrow_mut(|known| known.insert(text.to_owned(), width));
        width
    });
    width * size / 100.0
}

/// A text that is drawn.
struct Drawn {
    said: String,
    place: Rect,
    /// The same without what a line leaves free above and below its letters; none for a slanted one, whose box holds other letters too.
    letters: Option<Rect>,
}

fn drawn(tree: &Tree) -> Vec<Drawn> {
    fn visit(group: &usvg::Group, found: &mut Vec<Drawn>) {
        for node in group.children() {
            match node {
                Node::Group(group) => visit(group, found),
                Node::Text(text) => {
                    let (place, turned) = (text.abs_bounding_box(), text.abs_transform());
                    let letters = if turned.kx.abs() < 1e-3 {
                        let free = FREE * place.height();
                        Rect::from_ltrb(
                            place.left(),
                            place.top() + free,
                            place.right(),
                            place.bottom() - free,
                        )
                    } else if turned.sx.abs() < 1e-3 {
                        let free = FREE * place.width();
                        Rect::from_ltrb(
                            place.left() + free,
                            place.top(),
                            place.right() - free,
                            place.bottom(),
                        )
                    } else {
                        None
                    };
                    let said = text.chunks().iter().map(usvg::TextChunk::text).collect();
                    found.push(Drawn {
                        said,
                        place,
                        letters,
                    });
                }
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    visit(tree.root(), &mut found);
    found
}

/// A figure of each kind in a width of millimetres on paper.
fn figures(language: Language, run: &Run, millimetres: f64) -> Vec<(Subject, Figure)> {
    let of = |subject| {
        let choices = Choices {
            subject,
            width: millimetres * PER_MM,
            ..CHOICES
        };
        let named = composed_measured(language, run, Some(run), &choices, &measured);
        (subject, named.expect("a figure").figure)
    };
    Subject::ALL.map(of).into()
}

/// What is wrong with the words of a figure.
fn faults(figure: &Figure) -> Vec<String> {
    let tree = tree(&svg::write(figure, Unit::Mm));
    let size = tree.size();
    let all = drawn(&tree);
    assert!(!all.is_empty());
    let mut faults = Vec::new();
    for (
        at,
        Drawn {
            said,
            place,
            letters,
        },
    ) in all.iter().enumerate()
    {
        let inner = letters.unwrap_or(*place);
        let is_inside = inner.left() >= -0.5
            && inner.top() >= -0.5
            && inner.right() <= size.width() + 0.5
            && inner.bottom() <= size.height() + 0.5;
        if !is_inside {
            faults.push(format!("{said:?} is cut: {place:?} of {size:?}"));
        }
        for other in &all[at + 1..] {
            let (Some(one), Some(two)) = (letters, other.letters) else {
                continue;
            };
            let across = one.right().min(two.right()) - one.left().max(two.left());
            let down = one.bottom().min(two.bottom()) - one.top().max(two.top());
            if across > TOUCHING && down > TOUCHING {
                faults.push(format!(
                    "{said:?} lies over {:?}: {one:?}, {two:?}",
                    other.said
                ));
            }
        }
    }
    faults
}

#[test]
fn no_word_is_cut_and_none_lies_over_another_on_paper() {
    let settings = [
        (Language::En, "text=a+b+c&heads=3&d_model=48"),
        (
            Language::En,
            "text=The+animal+didn't+cross+the+street+because+it+was+too+tired&heads=8&d_model=48&mask=causal,padding&valid=7",
        ),
        (
            Language::Zh,
            "text=那只+动物+没有+过+马路+因为+它+太+累了&heads=4&d_model=48&mask=causal",
        ),
    ];
    let mut found = Vec::new();
    for (language, link) in settings {
        let run = computed(link);
        for width in [42.0, 85.0, 170.0] {
            for (subject, figure) in figures(language, &run, width) {
                let faults = faults(&figure).into_iter();
                found.extend(
                    faults.map(|fault| format!("{subject:?}, {width} mm, {link}: {fault}")),
                );
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Cells that are pixels of an embedded picture have their colours in their middles, whatever smooths it, and hidden ones are hatched.
#[test]
fn a_large_map_is_drawn_cell_by_cell_and_hatched() {
    let words: Vec<String> = (0..101).map(|at| format!("w{at}")).collect();
    let run = computed(&format!(
        "text={}&weights=random&heads=1&d_model=16&mask=causal",
        words.join("+")
    ));
    let choices = Choices {
        has_words: false,
        ..CHOICES
    };
    let figure = composed_measured(Language::En, &run, None, &choices, &measured)
        .expect("a figure")
        .figure;
    assert!(figure.has_pixels);
    let file = svg::write(&figure, Unit::Px);
    let tree = tree(&file);
    let times = 4.0;
    let size = tree.size().to_int_size();
    let mut picture =
        Pixmap::new(times as u32 * size.width(), times as u32 * size.height()).expect("a size");
    resvg::render(
        &tree,
        Transform::from_scale(times, times),
        &mut picture.as_mut(),
    );
    let plot = flat(&figure.items)
        .into_iter()
        .find_map(|shape| match shape {
            Shape::Pixels { rect, .. } => Some(*rect),
            _ => None,
        });
    let plot = plot.expect("pixels");
    let place = figure.items.iter().find_map(|shape| match shape {
        Shape::Group { x, y, items }
            if items
                .iter()
                .any(|item| matches!(item, Shape::Pixels { .. })) =>
        {
            Some((*x, *y))
        }
        _ => None,
    });
    let (left, top) = place.expect("a group");
    let cell = plot.width / 101.0;
    let at = |row: f64, column: f64| {
        let x = f64::from(times) * (left + plot.x + column * cell);
        let y = f64::from(times) * (top + plot.y + row * cell);
        let pixel = picture
            .pixel(x as u32, y as u32)
            .expect("inside")
            .demultiply();
        [pixel.red(), pixel.green(), pixel.blue()]
    };
    let lut = Lut::new(run.state.colours, Background::Light);
    let scale = Scale::new(ColourScale::Linear, 1.0);
    let mut seen = std::collections::BTreeSet::new();
    for row in (0..101_usize).step_by(7) {
        for column in 0..101_usize {
            let (query, key) = (row as f64 + 0.5, column as f64 + 0.5);
            let found = at(query, key);
            if column > row {
                seen.insert(found);
                continue;
            }
            let [r, g, b, _] = lut.colour(scale.index(run.row(0, row)[column]));
            // Rounding while it is drawn.
            let near = found
                .iter()
                .zip([r, g, b])
                .all(|(found, wanted)| found.abs_diff(wanted) <= 2);
            assert!(
                near,
                "row {row}, column {column}: {found:?} for {:?}",
                [r, g, b]
            );
        }
    }
    let [ground, stroke, _] = Hatch::colours(Background::Light);
    assert!(
        seen.contains(&ground) && seen.contains(&stroke),
        "hidden cells: {seen:?}"
    );
}
