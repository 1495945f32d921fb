//! Files: valid XML with all the words, nothing that runs, and pixels that can be read back.

use std::collections::BTreeSet;

use app::scene::colour::Background;
use app::scene::figure::Figure;
use app::scene::figure::figure_page::Output;
use app::scene::figure::png;
use app::scene::heatmap::{self, Hatch, PoolBy, Style};
use app::scene::svg::{self, Unit};
use resvg::tiny_skia::Pixmap;
use roxmltree::Document;

use super::{Drawing, setting, texts, tokens};

/// Tokens that would break a file that is written without care.
const HOSTILE: [&str; 12] = [
    "]]><script>alert(1)</script>",
    "&amp;&lt;",
    "\"quotes\" and 'apostrophes'",
    "<!--",
    "👩‍👩‍👧‍👦🏳️‍🌈",
    "שלום",
    "\u{202e}abc",
    "\u{301}\u{308}",
    "\u{0}\u{8}\u{1b}\u{7f}\u{85}",
    "\u{fffe}\u{ffff}",
    "a\tb\nc\rd",
    "--> -- ]]>",
];

fn hostile() -> Drawing {
    let words: Vec<String> = HOSTILE.map(str::to_owned).to_vec();
    Drawing::new(words.clone(), words, Background::Light)
}

/// Text as XML stores it: characters that XML cannot contain are replaced, white space becomes a
/// blank.
fn held(text: &str) -> String {
    let hold = |c: char| match c {
        '\t' | '\n' | '\r' => ' ',
        c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => '\u{fffd}',
        c => c,
    };
    text.chars().map(hold).collect()
}

fn expect_sound(figure: &Figure) -> String {
    let file = svg::write(figure, Unit::Mm);
    let document = Document::parse(&file).expect("valid XML");
    let root = document.root_element();
    assert_eq!(
        root.tag_name().namespace(),
        Some("http://www.w3.org/2000/svg")
    );
    let known = [
        "svg",
        "title",
        "desc",
        "rect",
        "g",
        "path",
        "clipPath",
        "linearGradient",
        "stop",
        "text",
        "image",
    ];
    let mut ids = BTreeSet::new();
    for node in root.descendants().filter(roxmltree::Node::is_element) {
        assert!(
            known.contains(&node.tag_name().name()),
            "{:?}",
            node.tag_name()
        );
        for attribute in node.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            assert!(!name.starts_with("on") && name != "style", "{name}");
            assert!(
                !value.contains("var(") && !value.contains("NaN") && !value.contains("inf"),
                "{value}"
            );
            if name == "href" {
                assert!(value.starts_with("data:image/png;base64,"));
            }
            if name == "id" {
                assert!(ids.insert(value.to_owned()), "{value} twice");
                assert!(value.starts_with(&figure.id), "{value}");
            }
        }
    }
    for node in root.descendants() {
        for attribute in node.attributes() {
            for part in attribute.value().split("url(#").skip(1) {
                let id = part.split(')').next().unwrap_or_default();
                assert!(ids.contains(id), "{id} is nowhere");
            }
        }
    }
    let written: Vec<String> = (root.descendants())
        .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")))
        .map(|node| node.text().unwrap_or_default().to_owned())
        .collect();
    let wanted: Vec<String> = texts(figure)
        .iter()
        .map(|words| held(&words.text))
        .collect();
    assert_eq!(written, wanted, "every word is text");
    file
}

#[test]
fn files_hold_every_word_whatever_it_is() {
    for width in [321.0, 2000.0] {
        let (drawing, setting) = (hostile(), setting(width, Output::Shapes, Background::Light));
        for figure in [drawing.figure(&setting), drawing.heads(3, &setting)] {
            let file = expect_sound(&figure);
            assert!(!file.contains("<script") && !file.contains("]]>"));
        }
    }
    let wide = setting(3000.0, Output::Shapes, Background::Light);
    let file = svg::write(&hostile().figure(&wide), Unit::Px);
    // A label is cut where it is too long, so that only its beginning is there.
    assert!(
        file.contains("]]&gt;&lt;script&gt;alert"),
        "the word itself is there"
    );
}

#[test]
fn names_and_descriptions_are_escaped_too() {
    let drawing = Drawing::new(tokens(4), tokens(4), Background::Light);
    let setting = setting(321.0, Output::Shapes, Background::Light);
    let figure = Figure {
        title: "</title><script>1</script>\u{1}".to_owned(),
        description: "a \"b\" & <c>".to_owned(),
        ..drawing.figure(&setting)
    };
    let file = expect_sound(&figure);
    let document = Document::parse(&file).expect("valid XML");
    let said = |tag| {
        let node = document
            .descendants()
            .find(|node| node.tag_name().name() == tag);
        node.and_then(|node| node.text())
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(said("title"), "</title><script>1</script>\u{fffd}");
    assert_eq!(said("desc"), "a \"b\" & <c>");
}

#[test]
fn sizes_are_those_of_paper_or_of_screens() {
    let drawing = Drawing::new(tokens(5), tokens(5), Background::Dark);
    let figure = drawing.figure(&setting(400.0, Output::Shapes, Background::Dark));
    let size = |unit| {
        let file = svg::write(&figure, unit);
        let document = Document::parse(&file).expect("valid XML");
        document
            .root_element()
            .attribute("width")
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(size(Unit::Px), figure.width.to_string());
    let mm = size(Unit::Mm);
    let mm: f64 = mm
        .strip_suffix("mm")
        .expect("a unit")
        .parse()
        .expect("a number");
    assert!((mm * 96.0 / 25.4 - figure.width).abs() < 0.05);
    let paper = svg::write(&figure, Unit::Px);
    assert!(paper.contains("fill=\"#14161c\""), "on its own dark ground");
}

#[test]
fn embedded_pixels_are_those_of_the_page() {
    let drawing = Drawing::new(tokens(101), tokens(103), Background::Light);
    let setting = setting(642.0, Output::Shapes, Background::Light);
    let file = expect_sound(&drawing.figure(&setting));
    let coded = file
        .split("base64,")
        .nth(1)
        .expect("a picture")
        .split('"')
        .next()
        .expect("its end");
    let cells = drawing.cells();
    let style = Style {
        lut: cells.lut,
        scale: cells.scale,
        hatch: &Hatch::new(Background::Light, 4.0),
        pool_by: PoolBy::Max,
    };
    let mut rgba = Vec::new();
    let picture = heatmap::paint_visible(&cells.grid, 4096, &style, &mut rgba);
    assert_eq!(
        (picture.width, picture.height),
        (103, 101),
        "a pixel for each cell"
    );
    assert_eq!(rgba[3..][4 * 3 * 103..][0], 255, "a visible cell");
    assert_eq!(rgba[3..][4 * 102..][0], 0, "a hidden one");
    let (width, pixels) = decoded(&from_base64(coded));
    assert_eq!(width, 8 * 103, "each of them eight wide and high");
    for (row, wanted) in rgba.chunks_exact(4 * 103).enumerate() {
        for (column, wanted) in wanted.chunks_exact(4).enumerate() {
            let wanted = match wanted {
                [_, _, _, 0] => [0; 4],
                _ => [wanted[0], wanted[1], wanted[2], 255],
            };
            let (top, left) = (8 * row, 8 * column);
            let corners = [(top, left), (top + 7, left + 7)].map(|(y, x)| pixels[y * width + x]);
            assert_eq!(corners, [wanted; 2], "{row}, {column}");
        }
    }
}

/// The width of a PNG file and its pixels, as another program reads them.
fn decoded(file: &[u8]) -> (usize, Vec<[u8; 4]>) {
    let picture = Pixmap::decode_png(file).expect("a PNG file");
    let pixels = picture.pixels().iter().map(|pixel| {
        let pixel = pixel.demultiply();
        [pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()]
    });
    (picture.width() as usize, pixels.collect())
}

fn from_base64(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => u32::from(c - b'A'),
        b'a'..=b'z' => u32::from(c - b'a') + 26,
        b'0'..=b'9' => u32::from(c - b'0') + 52,
        b'+' => 62,
        _ => 63,
    };
    let text = text.trim_end_matches('=').as_bytes();
    let part = |part: &[u8]| {
        let bits = part.iter().fold(0, |bits, c| bits << 6 | digit(*c)) << (6 * (4 - part.len()));
        bits.to_be_bytes()[1..part.len()].to_vec()
    };
    text.chunks(4).flat_map(part).collect()
}

#[test]
fn pixels_survive_a_file_of_each_kind() {
    for (count, width, is_clear) in [
        (35, 7, false),
        (600, 25, false),
        (35, 7, true),
        (600, 25, true),
    ] {
        let pixel = |at: u32| [at as u8, (at >> 8) as u8, 9, 255];
        let mut wanted: Vec<[u8; 4]> = (0..count).map(pixel).collect();
        if is_clear {
            wanted[3] = [0; 4];
        }
        assert_eq!(
            decoded(&png::encode(width, wanted.as_flattened(), 1)),
            (width as usize, wanted)
        );
    }
    let twice = decoded(&png::encode(2, &[1, 2, 3, 255, 4, 5, 6, 255], 2));
    let [one, two] = [[1, 2, 3, 255], [4, 5, 6, 255]];
    assert_eq!(twice, (4, [one, one, two, two].repeat(2)));
}
