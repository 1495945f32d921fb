//! One picture in two dresses: by classes on the page, with colours written out in a file.

use app::present::cost::{CARDS, OWN};
use app::scene::colour::Background;
use app::scene::figure::Figure;
use app::scene::layout::Rect;
use app::scene::role::Role;
use app::scene::shape::{Anchor, Shape, TextRun};
use app::scene::svg::{self, Unit};
use roxmltree::{Document, Node};

/// Roles of lines that are drawn on the page.
fn lines() -> Vec<Role> {
    let curves = CARDS.iter().map(|card| Role::Curve(card.curve));
    let others = [
        Role::Curve(OWN),
        Role::Grid,
        Role::Axis,
        Role::Leader,
        Role::Here,
        Role::Reading,
    ];
    curves.chain(others).collect()
}

fn shapes() -> Vec<Shape> {
    let line = |role| Shape::Path {
        path: "M0 0h9".to_owned(),
        role,
    };
    let words = |role| {
        Shape::Words(TextRun {
            x: 1.0,
            y: 2.0,
            text: "a < b & c".to_owned(),
            anchor: Anchor::End,
            degrees: 0.0,
            size: 12.0,
            role,
        })
    };
    let rect = Rect {
        x: 0.0,
        y: 0.0,
        width: 8.0,
        height: 8.0,
    };
    let dot = |role| Shape::Circle {
        x: 4.0,
        y: 4.0,
        r: 4.0,
        role,
    };
    let mut all: Vec<Shape> = lines().into_iter().map(line).collect();
    all.extend([Role::Crossing, Role::ProcessorTime].map(dot));
    all.push(Shape::Rect {
        rect,
        role: Role::GraphicsTime,
    });
    all.extend([Role::Name, Role::XLabel, Role::YLabel, Role::AxisLetter].map(words));
    all
}

fn file() -> String {
    let figure = Figure {
        width: 100.0,
        height: 50.0,
        ground: Background::Light,
        id: "both".to_owned(),
        language: "en",
        title: String::new(),
        description: String::new(),
        has_pixels: false,
        items: shapes(),
    };
    svg::write(&figure, Unit::Px)
}

fn page() -> String {
    svg::element((100.0, 50.0), &svg::on_page(&shapes()))
}

fn drawn<'a>(document: &'a Document<'a>) -> Vec<Node<'a, 'a>> {
    let known = ["path", "circle", "rect", "text"];
    let all = document.descendants();
    all.filter(|node| known.contains(&node.tag_name().name()))
        .collect()
}

/// Attributes that page and file styles must share: positions, widths, dashes, caps, opacity, text
/// sizes.
fn common(node: &Node<'_, '_>) -> Vec<(String, String)> {
    let dress = ["class", "fill", "stroke", "font-family", "font-style"];
    let attributes = node.attributes();
    attributes
        .filter(|attribute| !dress.contains(&attribute.name()))
        .map(|attribute| (attribute.name().to_owned(), attribute.value().to_owned()))
        .collect()
}

#[test]
fn page_and_file_differ_in_colours_and_faces_alone() {
    let (page, file) = (page(), file());
    let [page, file] = [&page, &file].map(|text| Document::parse(text).expect("valid XML"));
    let (on_page, in_file) = (drawn(&page), drawn(&file));
    // The file has its ground as well.
    assert_eq!(on_page.len() + 1, in_file.len());
    for (one, other) in on_page.iter().zip(&in_file[1..]) {
        assert_eq!(one.tag_name().name(), other.tag_name().name());
        assert_eq!(common(one), common(other));
        assert_eq!(one.text(), other.text());
        assert!(one.attribute("fill").is_none() && one.attribute("stroke").is_none());
        assert!(other.attribute("class").is_none(), "{other:?}");
        let paint = [other.attribute("fill"), other.attribute("stroke")];
        let is_painted = |paint: &Option<&str>| paint.is_some_and(|it| it.starts_with('#'));
        assert!(paint.iter().any(is_painted), "{other:?}");
    }
}

#[test]
fn curves_are_told_apart_without_colours() {
    let mut seen = Vec::new();
    for role in lines() {
        if let Role::Curve(style) = role {
            let stroke = style.stroke;
            let look = (stroke.dashes, stroke.width.to_bits(), stroke.is_round);
            assert!(!seen.contains(&look), "{} is drawn twice", style.class);
            seen.push(look);
        }
    }
    assert_eq!(seen.len(), CARDS.len() + 1);
}

#[test]
fn the_style_sheet_has_every_class_and_leaves_lines_to_the_scene() {
    let sheet = include_str!("../../../style/cost.css");
    for role in shapes().iter().map(role) {
        for class in role.class().split(' ').filter(|class| !class.is_empty()) {
            let is_curve = CARDS.iter().any(|card| card.id == class);
            // A kind of layer has dashes of its own and the colour of every curve; numbers have that of all text.
            let is_plain = is_curve || ["x", "y"].contains(&class);
            assert!(is_plain || sheet.contains(&format!(".{class}")), "{class}");
        }
    }
    assert!(!sheet.contains("stroke-dasharray") && !sheet.contains("stroke-opacity"));
}

fn role(shape: &Shape) -> Role {
    match shape {
        Shape::Rect { role, .. } | Shape::Circle { role, .. } | Shape::Path { role, .. } => *role,
        Shape::Words(words) => words.role,
        other => panic!("{other:?}"),
    }
}
