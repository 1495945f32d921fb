//! Files: valid XML with all the words, nothing that runs, and pixels that can be read back.

use std::collections::BTreeSet;

use attention_playground::scene::colour::Background;
use attention_playground::scene::figure::Figure;
use attention_playground::scene::figure::figure_page::Output;
use attention_playground::scene::figure::png;
use attention_playground::scene::heatmap::{self, Hatch, PoolBy, Style};
use attention_playground::scene::svg::{self, Unit};
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

/// What text becomes in a file: characters that XML cannot hold are replaced, white space is a blank.
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
    let picture = heatmap::paint_small(&cells.grid, 4096, &style, &mut rgba);
    assert_eq!(
        (picture.width, picture.height),
        (103, 101),
        "a pixel for each cell"
    );
    let opaque = rgba
        .as_chunks::<4>()
        .0
        .iter()
        .map(|[r, g, b, _]| [*r, *g, *b]);
    assert_eq!(
        decoded(&from_base64(coded), 103),
        opaque.collect::<Vec<_>>()
    );
}

/// The pixels of a PNG file whose rows are not filtered and whose stream is not compressed.
fn decoded(file: &[u8], width: usize) -> Vec<[u8; 3]> {
    let (mut at, mut palette, mut stream) = (8, Vec::new(), Vec::new());
    while at + 12 <= file.len() {
        let length = u32::from_be_bytes(file[at..at + 4].try_into().expect("four bytes")) as usize;
        let data = &file[at + 8..at + 8 + length];
        match &file[at + 4..at + 8] {
            b"PLTE" => palette = data.as_chunks::<3>().0.to_vec(),
            b"IDAT" => stream.extend_from_slice(data),
            _ => {}
        }
        at += 12 + length;
    }
    let (mut raw, mut at) = (Vec::new(), 2);
    loop {
        let length = usize::from(u16::from_le_bytes([stream[at + 1], stream[at + 2]]));
        raw.extend_from_slice(&stream[at + 5..at + 5 + length]);
        if stream[at] == 1 {
            break;
        }
        at += 5 + length;
    }
    let bytes = if palette.is_empty() { 3 } else { 1 };
    let rows = raw.chunks_exact(bytes * width + 1).map(|row| &row[1..]);
    rows.flat_map(|row| match bytes {
        1 => row
            .iter()
            .map(|place| palette[usize::from(*place)])
            .collect::<Vec<_>>(),
        _ => row.as_chunks::<3>().0.to_vec(),
    })
    .collect()
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
fn pixels_survive_a_file_in_both_kinds() {
    let colours = |count: u32| -> Vec<u8> {
        (0..count)
            .flat_map(|at| [at as u8, (at >> 8) as u8, 9, 255])
            .collect()
    };
    for (count, width) in [(35, 7), (600, 25)] {
        let rgba = colours(count);
        let wanted = rgba
            .as_chunks::<4>()
            .0
            .iter()
            .map(|[r, g, b, _]| [*r, *g, *b]);
        let wanted: Vec<_> = wanted.collect();
        assert_eq!(decoded(&png::encode(width, &rgba), width as usize), wanted);
    }
}
