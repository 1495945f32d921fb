//! Writes all shapes but text.

use std::fmt::Write as _;

use super::{Hex, Number, Writer};
use crate::scene::curves::Strand;
use crate::scene::figure::png;
use crate::scene::layout::Rect;
use crate::scene::role::Role;
use crate::scene::shape::{Colour, Hatched};
use formats::encoding::base64;

/// Thickness of a hatching line over the distance of lines along a row, for lines at 45°.
const LINE: f64 = 0.16;

impl Writer {
    pub(super) fn rect(&mut self, rect: Rect, role: Role) {
        self.bare_rect(rect);
        self.look(role, true);
        self.out.push_str("/>\n");
    }

    pub(super) fn circle(&mut self, circle: [f64; 3], role: Role) {
        let [x, y, r] = circle.map(Number);
        self.put(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\""));
        self.look(role, true);
        self.out.push_str("/>\n");
    }

    pub(super) fn path(&mut self, path: &str, role: Role) {
        if path.is_empty() {
            return;
        }
        self.put(format_args!("<path d=\"{path}\""));
        self.look(role, false);
        self.out.push_str("/>\n");
    }

    /// A rectangle whose element is still open.
    fn bare_rect(&mut self, rect: Rect) {
        let [x, y, width, height] = [rect.x, rect.y, rect.width, rect.height].map(Number);
        self.put(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\""
        ));
    }

    /// Cells have no soft edges, through which the ground would shine between them.
    pub(super) fn cells(&mut self, cells: &[(Rect, Colour)]) {
        self.out.push_str("<g shape-rendering=\"crispEdges\">\n");
        for (place, colour) in cells {
            self.bare_rect(*place);
            self.put(format_args!(" fill=\"{}\"/>\n", Hex(*colour)));
        }
        self.out.push_str("</g>\n");
    }

    /// Many programs know a link to a picture by its old name only.
    pub(super) fn pixels(&mut self, rect: Rect, (across, rgba): (u32, &[u8]), times: u32) {
        let [x, y, width, height] = [rect.x, rect.y, rect.width, rect.height].map(Number);
        let data = base64::standard(&png::encode(across, rgba, times));
        self.put(format_args!(
            "<image x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" preserveAspectRatio=\"none\" xlink:href=\"data:image/png;base64,{data}\"/>\n"
        ));
    }

    /// The cells in one colour, and lines that are cut at their edges: shapes that every program knows, unlike patterns.
    pub(super) fn hatched(&mut self, hatched: &Hatched, id: &str) {
        let Some(bounds) = bounds(&hatched.cells) else {
            return;
        };
        let region: String = hatched.cells.iter().map(outline).collect();
        let [ground, stroke] = hatched.colours.map(Hex);
        let thickness = Number(LINE * hatched.period);
        let lines = lines(hatched, bounds);
        self.put(format_args!(
            "<clipPath id=\"{id}\"><path d=\"{region}\"/></clipPath>\n<path d=\"{region}\" fill=\"{ground}\" shape-rendering=\"crispEdges\"/>\n\
             <path clip-path=\"url(#{id})\" d=\"{lines}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{thickness}\"/>\n"
        ));
    }

    pub(super) fn gradient(&mut self, place: Rect, stops: &[Colour], id: &str) {
        self.put(format_args!("<linearGradient id=\"{id}\">"));
        let last = stops.len().saturating_sub(1).max(1);
        for (at, stop) in stops.iter().enumerate() {
            let share = (at as f64 / last as f64 * 1e4).round() / 1e4;
            self.stop(share, *stop);
        }
        self.out.push_str("</linearGradient>\n");
        self.bare_rect(place);
        self.put(format_args!(" fill=\"url(#{id})\"/>\n"));
    }

    fn stop(&mut self, share: f64, colour: Colour) {
        self.put(format_args!(
            "<stop offset=\"{share}\" stop-color=\"{}\"/>",
            Hex(colour)
        ));
    }

    /// On the page the element around them has their place and hues.
    pub(super) fn strands(&mut self, place: [f64; 3], strands: &[Strand], id: &str) {
        let Some(inks) = self.inks else {
            return self.strand_paths(strands);
        };
        let [x, y, width] = place.map(Number);
        self.put(format_args!(
            "<linearGradient id=\"{id}\" gradientUnits=\"userSpaceOnUse\" x1=\"0\" y1=\"0\" x2=\"{width}\" y2=\"0\">"
        ));
        self.stop(0.15, inks.query);
        self.stop(0.85, inks.key);
        self.put(format_args!(
            "</linearGradient>\n<g transform=\"translate({x} {y})\" fill=\"none\" stroke=\"url(#{id})\">\n"
        ));
        self.strand_paths(strands);
        self.out.push_str("</g>\n");
    }

    fn strand_paths(&mut self, strands: &[Strand]) {
        for strand in strands {
            let [opacity, thickness] = [strand.opacity, strand.thickness].map(Number);
            let path = &strand.path;
            self.put(format_args!(
                "<path d=\"{path}\" stroke-opacity=\"{opacity}\" stroke-width=\"{thickness}\"/>\n"
            ));
        }
    }
}

fn outline(rect: &Rect) -> String {
    let [x, y, width, height] = [rect.x, rect.y, rect.width, rect.height].map(Number);
    format!("M{x} {y}h{width}v{height}h-{width}z")
}

fn bounds(cells: &[Rect]) -> Option<Rect> {
    cells.iter().copied().reduce(|a, b| {
        let (x, y) = (a.x.min(b.x), a.y.min(b.y));
        Rect {
            x,
            y,
            width: (a.x + a.width).max(b.x + b.width) - x,
            height: (a.y + a.height).max(b.y + b.height) - y,
        }
    })
}

/// Lines at 45° through all of `bounds`, counted from the origin, so that they run on from cell to cell.
fn lines(hatched: &Hatched, bounds: Rect) -> String {
    let (period, high) = (hatched.period.max(0.5), bounds.height);
    let (left, right) = if hatched.is_falling {
        (bounds.x - high, bounds.x + bounds.width)
    } else {
        (bounds.x, bounds.x + bounds.width + high)
    };
    // Where the line through the origin meets the upper edge.
    let down = bounds.y - hatched.origin.1;
    let shift = hatched.origin.0 + if hatched.is_falling { down } else { -down };
    let first = ((left - shift) / period).floor() as i64;
    let last = ((right - shift) / period).ceil() as i64;
    let (mut path, way) = (String::new(), if hatched.is_falling { high } else { -high });
    for line in first..=last {
        let x = shift + line as f64 * period;
        let [x, y, way, high] = [x, bounds.y, way, high].map(Number);
        // A string takes everything.
        let _ = write!(path, "M{x} {y}l{way} {high}");
    }
    path
}
