//! Marks of the colour bar.

use super::{frame_around, whole_line};
use crate::scene::layout::Rect;
use crate::scene::role::Role;
use crate::scene::scale::{Scale, Tick};
use crate::scene::shape::{Anchor, Shape, Type};
use crate::state::ColourScale;

/// Length of a tick in CSS pixels, and space between it and its number.
const TICK: f64 = 4.0;
const GAP: f64 = 2.0;
/// Least space between two numbers.
const APART: f64 = 8.0;
/// Width that one number needs at least: how many ticks are tried.
const ROOM: f64 = 36.0;

/// A colour bar that runs from left to right, and its type.
#[derive(Clone, Copy)]
pub struct ColourBar<'a> {
    /// The coloured part.
    pub rect: Rect,
    /// Text size of the numbers below it.
    pub size: f64,
    /// Device pixels per CSS pixel.
    pub dpr: f64,
    /// Label of the middle of a scale relative to an even row.
    pub even: &'a str,
    /// Width in CSS pixels of a text set in a size in CSS pixels.
    pub measure: &'a dyn Fn(&str, f64) -> f64,
}

/// Frame, ticks and numbers of a colour bar. Numbers that would touch are left out, the ends never.
///
/// The numbers reach `rect.height + 6 + 1.2 · size` below the upper edge; the first begins and the last ends with the bar.
pub fn colour_bar(bar: &ColourBar<'_>, scale: &Scale) -> Vec<Shape> {
    let hairline = whole_line(1.0, bar.dpr);
    let mut ticks = scale.ticks((bar.rect.width / ROOM).clamp(2.0, 64.0) as usize);
    let middle = ticks.iter_mut().find(|tick| tick.value == 1.0);
    if let Some(even) = middle.filter(|_| scale.kind() == ColourScale::Even) {
        even.label = bar.even.to_owned();
    }
    let mut marks: Vec<Shape> = frame_around(bar.rect, hairline, Role::Frame).into();
    for (tick, place) in roomy(bar, &ticks) {
        let at = bar.rect.x + f64::from(tick.t) * (bar.rect.width - hairline);
        let rect = Rect {
            x: at,
            y: bar.rect.y + bar.rect.height,
            width: hairline,
            height: TICK,
        };
        let style = Type::new(bar.size, Role::TickLabel).anchor(place.0);
        let below = rect.y + TICK + GAP + 0.6 * bar.size;
        marks.push(Shape::Rect {
            rect,
            role: Role::Tick,
        });
        marks.push(style.centred(place.1, below, tick.label.clone()));
    }
    marks
}

/// The ticks whose numbers do not touch, each with its anchor and the place of the anchor.
fn roomy<'a>(bar: &ColourBar<'_>, ticks: &'a [Tick]) -> Vec<(&'a Tick, (Anchor, f64))> {
    let (left, right) = (bar.rect.x, bar.rect.x + bar.rect.width);
    let width = |tick: &Tick| (bar.measure)(&tick.label, bar.size);
    let [first, between @ .., last] = ticks else {
        return Vec::new();
    };
    let mut kept = vec![(first, (Anchor::Start, left))];
    let mut taken = left + width(first) + APART;
    let end = right - width(last) - APART;
    for tick in between {
        let (centre, half) = (left + f64::from(tick.t) * bar.rect.width, width(tick) / 2.0);
        if centre - half >= taken && centre + half <= end {
            kept.push((tick, (Anchor::Middle, centre)));
            taken = centre + half + APART;
        }
    }
    kept.push((last, (Anchor::End, right)));
    kept
}
