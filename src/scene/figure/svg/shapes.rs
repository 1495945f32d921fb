//! Writes all shapes but text.

use super::{Hex, Number, put};
use crate::scene::curves::Strand;
use crate::scene::figure::palette::Colour;
use crate::scene::figure::{Hatched, Stroke, png};
use crate::scene::layout::Rect;
use formats::encoding::base64;

/// Thickness of a hatching line over the distance of lines along a row, for lines at 45°.
const LINE: f64 = 0.16;

pub(super) fn rect(out: &mut String, rect: Rect, fill: Colour) {
    let [x, y, width, height] = [rect.x, rect.y, rect.width, rect.height].map(Number);
    put(
        out,
        format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n",
            Hex(fill)
        ),
    );
}

/// Cells have no soft edges, through which the ground would shine between them.
pub(super) fn cells(out: &mut String, cells: &[(Rect, Colour)]) {
    out.push_str("<g shape-rendering=\"crispEdges\">\n");
    for (place, colour) in cells {
        rect(out, *place, *colour);
    }
    out.push_str("</g>\n");
}

/// Many programs know a link to a picture by its old name only.
pub(super) fn pixels(out: &mut String, rect: Rect, (across, rgba): (u32, &[u8]), is_sharp: bool) {
    let [x, y, width, height] = [rect.x, rect.y, rect.width, rect.height].map(Number);
    let sharp = if is_sharp {
        " image-rendering=\"pixelated\""
    } else {
        ""
    };
    put(
        out,
        format_args!(
            "<image x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" preserveAspectRatio=\"none\"{sharp} xlink:href=\"data:image/png;base64,{}\"/>\n",
            base64::standard(&png::encode(across, rgba))
        ),
    );
}

/// The cells in one colour, and lines that are cut at their edges: shapes that every program knows, unlike patterns.
pub(super) fn hatched(out: &mut String, hatched: &Hatched, id: &str) {
    let Some(bounds) = bounds(&hatched.cells) else {
        return;
    };
    let mut region = String::new();
    for Rect {
        x,
        y,
        width,
        height,
    } in &hatched.cells
    {
        let [x, y, width, height] = [*x, *y, *width, *height].map(Number);
        put(
            &mut region,
            format_args!("M{x} {y}h{width}v{height}h-{width}z"),
        );
    }
    let [ground, stroke] = hatched.colours.map(Hex);
    let thickness = Number(LINE * hatched.period);
    let lines = lines(hatched, bounds);
    put(
        out,
        format_args!(
            "<clipPath id=\"{id}\"><path d=\"{region}\"/></clipPath>\n<path d=\"{region}\" fill=\"{ground}\" shape-rendering=\"crispEdges\"/>\n\
             <path clip-path=\"url(#{id})\" d=\"{lines}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{thickness}\"/>\n"
        ),
    );
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
        put(&mut path, format_args!("M{x} {y}l{way} {high}"));
    }
    path
}

pub(super) fn gradient(out: &mut String, place: Rect, stops: &[Colour], id: &str) {
    put(out, format_args!("<linearGradient id=\"{id}\">"));
    let last = stops.len().saturating_sub(1).max(1);
    for (at, stop) in stops.iter().enumerate() {
        let share = (at as f64 / last as f64 * 1e4).round() / 1e4;
        put(
            out,
            format_args!("<stop offset=\"{share}\" stop-color=\"{}\"/>", Hex(*stop)),
        );
    }
    let [x, y, width, height] = [place.x, place.y, place.width, place.height].map(Number);
    put(
        out,
        format_args!(
            "</linearGradient>\n<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"url(#{id})\"/>\n"
        ),
    );
}

pub(super) fn path(out: &mut String, path: &str, fill: Option<Colour>, stroke: Option<&Stroke>) {
    if path.is_empty() {
        return;
    }
    put(out, format_args!("<path d=\"{path}\""));
    match fill {
        Some(fill) => put(out, format_args!(" fill=\"{}\"", Hex(fill))),
        None => out.push_str(" fill=\"none\""),
    }
    if let Some(stroke) = stroke {
        line(out, stroke);
    }
    out.push_str("/>\n");
}

fn line(out: &mut String, stroke: &Stroke) {
    put(
        out,
        format_args!(
            " stroke=\"{}\" stroke-width=\"{}\"",
            Hex(stroke.colour),
            Number(stroke.width)
        ),
    );
    if !stroke.dashes.is_empty() {
        let dashes: Vec<String> = stroke.dashes.iter().map(f64::to_string).collect();
        put(
            out,
            format_args!(" stroke-dasharray=\"{}\"", dashes.join(" ")),
        );
    }
    if stroke.opacity < 1.0 {
        put(
            out,
            format_args!(" stroke-opacity=\"{}\"", Number(stroke.opacity)),
        );
    }
    if stroke.is_round {
        out.push_str(" stroke-linecap=\"round\"");
    }
}

pub(super) fn strands(
    out: &mut String,
    (x, y, width): (f64, f64, f64),
    strands: &[Strand],
    [from, to]: [Colour; 2],
    id: &str,
) {
    let [x, y, width] = [x, y, width].map(Number);
    put(
        out,
        format_args!(
            "<linearGradient id=\"{id}\" gradientUnits=\"userSpaceOnUse\" x1=\"0\" y1=\"0\" x2=\"{width}\" y2=\"0\">\
             <stop offset=\"0.15\" stop-color=\"{}\"/><stop offset=\"0.85\" stop-color=\"{}\"/></linearGradient>\n\
             <g transform=\"translate({x} {y})\" fill=\"none\" stroke=\"url(#{id})\">\n",
            Hex(from),
            Hex(to)
        ),
    );
    for Strand {
        path,
        opacity,
        thickness,
    } in strands
    {
        let [opacity, thickness] = [*opacity, *thickness].map(Number);
        put(
            out,
            format_args!(
                "<path d=\"{path}\" stroke-opacity=\"{opacity}\" stroke-width=\"{thickness}\"/>\n"
            ),
        );
    }
    out.push_str("</g>\n");
}
