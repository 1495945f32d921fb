//! The icons as pixels, which browsers want of a page that is installed, are the drawings beside them.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// File of the drawing, and those of its pixels with their sides.
const ICONS: [(&str, &[(&str, u32)]); 2] = [
    ("icon.svg", &[("icon-192.png", 192), ("icon-512.png", 512)]),
    ("icon-maskable.svg", &[("icon-maskable.png", 512)]),
];

fn path(name: &str) -> String {
    format!("{}/docs/icons/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn drawn(tree: &Tree, side: u32) -> Pixmap {
    let mut pixels = Pixmap::new(side, side).expect("a picture with pixels");
    let scale = side as f32 / tree.size().width();
    resvg::render(
        tree,
        Transform::from_scale(scale, scale),
        &mut pixels.as_mut(),
    );
    pixels
}

#[test]
fn icons_as_pixels_are_those_of_the_drawings() {
    for (drawing, files) in ICONS {
        let text = std::fs::read(path(drawing)).expect("the drawing");
        let tree = Tree::from_data(&text, &Options::default()).expect("a drawing in SVG");
        for (file, side) in files {
            let kept = Pixmap::load_png(path(file)).expect("a picture in PNG");
            let drawn = drawn(&tree, *side);
            assert_eq!((kept.width(), kept.height()), (*side, *side), "{file}");
            let differences = kept.data().iter().zip(drawn.data());
            let largest = differences.map(|(own, other)| own.abs_diff(*other)).max();
            // Each renderer has its own way to smooth an edge.
            assert!(
                largest <= Some(8),
                "{file} differs by {largest:?}: draw it anew"
            );
        }
    }
}
