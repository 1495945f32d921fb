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
/// Overlap of two texts, in CSS pixels, that counts as rounding.
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

/// Layout faults of a figure's texts.
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

/// How many pixels of a drawn picture a pixel of the figure becomes.
const TIMES: f32 = 4.0;

/// A map of 101 words under the causal mask, whose cells are pixels of an embedded picture.
fn large_map() -> (Run, Figure) {
    let words: Vec<String> = (0..101).map(|at| format!("w{at}")).collect();
    let run = computed(&format!(
        "text={}&weights=random&heads=1&d_model=16&mask=causal",
        words.join("+")
    ));
    let choices = Choices {
        has_words: false,
        ..CHOICES
    };
    let named = composed_measured(Language::En, &run, None, &choices, &measured);
    let figure = named.expect("a figure").figure;
    assert!(figure.has_pixels);
    (run, figure)
}

/// Where the cells of the embedded picture stand: the left and upper end, and the size of each.
fn cells(figure: &Figure) -> (f64, f64, f64) {
    let of_pixels = |shape: &Shape| match shape {
        Shape::Pixels { rect, .. } => Some(*rect),
        _ => None,
    };
    let place = figure.items.iter().find_map(|shape| match shape {
        Shape::Group { x, y, items } => {
            let plot = items.iter().find_map(of_pixels)?;
            Some((x + plot.x, y + plot.y, plot.width / 101.0))
        }
        _ => None,
    });
    place.expect("a group with pixels")
}

/// Holds that visible cells have their colours in their middles, whatever smooths the picture, and that hidden ones are hatched.
fn check_cells(run: &Run, figure: &Figure, picture: &Pixmap, program: &str) {
    let (left, top, cell) = cells(figure);
    let at = |row: f64, column: f64| {
        let x = f64::from(TIMES) * (left + column * cell);
        let y = f64::from(TIMES) * (top + row * cell);
        let pixel = picture.pixel(x as u32, y as u32).expect("inside");
        let pixel = pixel.demultiply();
        [pixel.red(), pixel.green(), pixel.blue()]
    };
    let lut = Lut::new(run.state.colours, Background::Light);
    let scale = Scale::new(ColourScale::Linear, 1.0);
    let mut seen = std::collections::BTreeSet::new();
    for row in (0..101_usize).step_by(7) {
        for column in 0..101_usize {
            let found = at(row as f64 + 0.5, column as f64 + 0.5);
            if column > row {
                seen.insert(found);
                continue;
            }
            let [r, g, b, _] = lut.colour(scale.index(run.row(0, row)[column]));
            // Rounding while it is drawn.
            let mut pairs = found.iter().zip([r, g, b]);
            let near = pairs.all(|(found, wanted)| found.abs_diff(wanted) <= 2);
            assert!(
                near,
                "{program}: row {row}, column {column}: {found:?} for {:?}",
                [r, g, b]
            );
        }
    }
    let [ground, stroke, _] = Hatch::colours(Background::Light);
    assert!(
        seen.contains(&ground) && seen.contains(&stroke),
        "{program}: hidden cells: {seen:?}"
    );
}

#[test]
fn a_large_map_is_drawn_cell_by_cell_and_hatched() {
    let (run, figure) = large_map();
    let tree = tree(&svg::write(&figure, Unit::Px));
    let size = tree.size().to_int_size();
    let mut picture =
        Pixmap::new(TIMES as u32 * size.width(), TIMES as u32 * size.height()).expect("a size");
    resvg::render(
        &tree,
        Transform::from_scale(TIMES, TIMES),
        &mut picture.as_mut(),
    );
    check_cells(&run, &figure, &picture, "resvg");
}

/// The same by programs that are installed: `./dev soak` runs it.
#[test]
#[ignore = "it needs other programs"]
fn other_programs_draw_a_large_map_cell_by_cell() {
    let (run, figure) = large_map();
    let folder = std::env::temp_dir().join(format!("figures-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let [file, picture] = ["map.svg", "map.png"].map(|name| folder.join(name));
    let path = |path: &std::path::Path| path.display().to_string();
    std::fs::write(&file, svg::write(&figure, Unit::Px)).expect("room for a file");
    let zoom = TIMES.to_string();
    let dots = (96.0 * TIMES).to_string();
    let (file, picture) = (path(&file), path(&picture));
    let programs: [(&str, &[&str]); 2] = [
        ("rsvg-convert", &["-z", &zoom, "-o", &picture, &file]),
        ("inkscape", &["-d", &dots, "-o", &picture, &file]),
    ];
    for (program, arguments) in programs {
        let Ok(done) = std::process::Command::new(program).args(arguments).output() else {
            eprintln!("{program} is not installed");
            continue;
        };
        assert!(done.status.success(), "{program}: {done:?}");
        let drawn = std::fs::read(&picture).expect("it has written one");
        let drawn = Pixmap::decode_png(&drawn).expect("a picture");
        check_cells(&run, &figure, &drawn, program);
        std::fs::remove_file(&picture).expect("it is there");
        eprintln!("{program}: as it should be");
    }
    std::fs::remove_dir_all(&folder).expect("it is there");
}
