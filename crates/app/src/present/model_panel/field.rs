//! All heads of a model as one field, a row for each layer.

wasm_chunks::chunk!("model");

use super::{ModelPanel, OpenModel};
use crate::state::State;

/// Sizes of the field, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeadField {
    pub layers: usize,
    pub heads: usize,
    /// From one cell to the next.
    pub pitch: f64,
}

/// Room of the numbers of layers.
pub(crate) const LEFT: f64 = 30.0;
/// Room of the numbers of heads.
pub(crate) const TOP: f64 = 18.0;
const WIDTH: f64 = 190.0;
const HEIGHT: f64 = 640.0;
const LARGEST: f64 = 21.0;
const SMALLEST: f64 = 4.0;

impl HeadField {
    pub(crate) fn new(layers: usize, heads: usize) -> Self {
        let across = WIDTH / heads.max(1) as f64;
        let down = HEIGHT / layers.max(1) as f64;
        Self {
            layers,
            heads,
            pitch: across.min(down).clamp(SMALLEST, LARGEST),
        }
    }

    /// Width and height with the numbers.
    pub fn size(&self) -> (f64, f64) {
        let of = |count: usize| count as f64 * self.pitch;
        (LEFT + of(self.heads), TOP + of(self.layers))
    }

    /// The head at a place in shares of the size, counted on through the layers.
    pub(crate) fn hit(&self, (across, down): (f64, f64)) -> Option<usize> {
        let (width, height) = self.size();
        let cell = |share: f64, size: f64, before: f64, count: usize| {
            let at = ((share * size - before) / self.pitch).floor();
            (at >= 0.0 && at < count as f64).then_some(at as usize)
        };
        let head = cell(across, width, LEFT, self.heads)?;
        let layer = cell(down, height, TOP, self.layers)?;
        Some(layer * self.heads + head)
    }
}

impl OpenModel {
    /// The field of its heads.
    pub fn field(&self) -> HeadField {
        HeadField::new(self.about.layers, self.about.heads)
    }
}

impl ModelPanel {
    /// Points at a head of the field, or at none any more; returns whether that is another one.
    pub(super) fn point(&mut self, place: Option<(f64, f64)>) -> bool {
        let Some(open) = &mut self.open else {
            return false;
        };
        let pointed = place.and_then(|place| open.field().hit(place));
        std::mem::replace(&mut open.pointed, pointed) != pointed
    }

    pub(super) fn click(&mut self, place: (f64, f64), state: &State) {
        let open = self.open.as_ref();
        if let Some(head) = open.and_then(|open| open.field().hit(place)) {
            self.choose(head, state);
        }
    }

    /// Moves over the field; Enter and space choose.
    pub(super) fn key(&mut self, key: &str, state: &State) {
        let Some(open) = &mut self.open else { return };
        let HeadField { layers, heads, .. } = open.field();
        let at = open.pointed.or_else(|| open.chosen(state)).unwrap_or(0);
        let (layer, head) = (at / heads.max(1), at % heads.max(1));
        let (layer, head) = match key {
            "ArrowUp" => (layer.saturating_sub(1), head),
            "ArrowDown" => ((layer + 1).min(layers.saturating_sub(1)), head),
            "ArrowLeft" => (layer, head.saturating_sub(1)),
            "ArrowRight" => (layer, (head + 1).min(heads.saturating_sub(1))),
            "Home" => (layer, 0),
            "End" => (layer, heads.saturating_sub(1)),
            _ => return self.choose(at, state),
        };
        open.pointed = Some(layer * heads + head);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cell_is_hit_in_its_middle_and_nothing_beside() {
        for (layers, heads) in [(30, 9), (6, 12), (1, 1), (48, 25)] {
            let field = HeadField::new(layers, heads);
            let (width, height) = field.size();
            assert!(width <= LEFT + WIDTH + 0.001, "{layers} {heads}: {width}");
            for layer in 0..layers {
                for head in 0..heads {
                    let at = |count: usize| (count as f64 + 0.5) * field.pitch;
                    let place = ((LEFT + at(head)) / width, (TOP + at(layer)) / height);
                    assert_eq!(field.hit(place), Some(layer * heads + head));
                }
            }
            assert_eq!(field.hit((0.001, 0.5)), None);
            assert_eq!(field.hit((0.9, 0.0)), None);
            assert_eq!(field.hit((1.01, 0.5)), None);
        }
    }
}
