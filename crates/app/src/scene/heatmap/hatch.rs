//! Diagonal hatching for hidden cells.
//!
//! The pattern depends on the position on the map, not on the cell, so lines continue from cell to cell and a hidden region reads as one
//! area.

use super::super::colour::Background;

/// Distance between neighbouring lines along a row, in CSS pixels.
const PERIOD_CSS: f64 = 7.0;
/// Extent of one line along a row, in CSS pixels; about 1.4 times its thickness.
const LINE_CSS: f64 = 1.6;

/// Colours and size of the hatching.
#[derive(Clone, Debug, PartialEq)]
pub struct Hatch {
    /// Distance between lines along a row, in device pixels; at least 1.
    period: usize,
    /// Extent of a line along a row, in device pixels.
    line: f64,
    ground: [u8; 3],
    /// Line colour in cells that a mask hides.
    stroke: [u8; 3],
    /// Line colour in rows where nothing is visible.
    stroke_empty: [u8; 3],
    alpha: u8,
}

impl Hatch {
    /// Hatching for a map on `ground` at `dpr` device pixels per CSS pixel.
    ///
    /// Hidden cells have lines rising to the right in a neutral grey; rows where nothing is visible have lines falling to
    /// the right in a colour of warning.
    pub fn new(ground: Background, dpr: f64) -> Self {
        let dpr = if dpr.is_finite() {
            dpr.clamp(0.25, 16.0)
        } else {
            1.0
        };
        let [ground, stroke, stroke_empty] = Self::colours(ground);
        Self {
            period: (PERIOD_CSS * dpr).round().max(2.0) as usize,
            line: LINE_CSS * dpr,
            ground,
            stroke,
            stroke_empty,
            alpha: 255,
        }
    }

    /// The colours of hidden cells, of their lines, and of lines in rows where nothing is visible.
    pub const fn colours(ground: Background) -> [[u8; 3]; 3] {
        match ground {
            Background::Light => [[0xf2, 0xf0, 0xea], [0xb9, 0xb5, 0xaa], [0xcf, 0x86, 0x9c]],
            Background::Dark => [[0x23, 0x23, 0x27], [0x60, 0x5e, 0x5a], [0xa8, 0x5c, 0x76]],
        }
    }

    /// The same colours without lines, mixed in the proportion of their areas.
    pub(super) fn flat(&self) -> Self {
        let share = (self.line / self.period as f64).min(1.0);
        let [even, even_empty] =
            [self.stroke, self.stroke_empty].map(|stroke| mix(self.ground, stroke, share));
        Self {
            period: 1,
            line: 1.0,
            ground: even,
            stroke: even,
            stroke_empty: even_empty,
            alpha: 255,
        }
    }

    /// Nothing, so that what lies below hidden cells is seen.
    pub(super) const fn clear() -> Self {
        let none = [0; 3];
        Self {
            period: 1,
            line: 1.0,
            ground: none,
            stroke: none,
            stroke_empty: none,
            alpha: 0,
        }
    }

    /// Both patterns over `width` device pixels and a period more.
    pub(super) fn strips(&self, width: usize) -> Strips {
        let strip = |stroke| {
            let rgba = |[r, g, b]: [u8; 3]| [r, g, b, self.alpha];
            let pixel = |phase| rgba(mix(self.ground, stroke, self.coverage(phase)));
            let tile: Vec<[u8; 4]> = (0..self.period).map(pixel).collect();
            tile.iter()
                .copied()
                .cycle()
                .take(width + self.period)
                .collect()
        };
        Strips {
            period: self.period,
            hidden: strip(self.stroke),
            empty: strip(self.stroke_empty),
        }
    }

    /// Share of a pixel at `phase` (`x + y` modulo the period) that a line covers.
    ///
    /// `u + v` over the unit square is spread over 0…2 with the density of a triangle, whose integral is
    /// [`triangle`]; the line is the band from 0 to `line` of `x + y + u + v` modulo the period.
    fn coverage(&self, phase: usize) -> f64 {
        let band = |start: f64| triangle(start + self.line) - triangle(start);
        let (phase, period) = (phase as f64, self.period as f64);
        (band(-phase) + band(period - phase) + band(2.0 * period - phase)).clamp(0.0, 1.0)
    }
}

/// Share of the unit square where `u + v < s`.
fn triangle(s: f64) -> f64 {
    match s {
        s if s <= 0.0 => 0.0,
        s if s <= 1.0 => s * s / 2.0,
        s if s < 2.0 => 1.0 - (2.0 - s) * (2.0 - s) / 2.0,
        _ => 1.0,
    }
}

/// The colour `share` of the way from `from` to `to`.
fn mix(from: [u8; 3], to: [u8; 3], share: f64) -> [u8; 3] {
    let blend = |i: usize| f64::from(from[i]) + (f64::from(to[i]) - f64::from(from[i])) * share;
    [0, 1, 2].map(|i| blend(i).round() as u8)
}

/// Ready-made rows of both patterns: any piece of any row of the map is a piece of one of them.
pub(super) struct Strips {
    period: usize,
    hidden: Vec<[u8; 4]>,
    empty: Vec<[u8; 4]>,
}

impl Strips {
    /// The pattern of `length` pixels from `(x, y)` to the right.
    pub(super) fn at(&self, x: usize, y: usize, length: usize, empty: bool) -> &[[u8; 4]] {
        let down = y % self.period;
        let (strip, phase) = if empty {
            (&self.empty, x + self.period - down)
        } else {
            (&self.hidden, x + down)
        };
        let phase = phase % self.period;
        &strip[phase..phase + length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_cover_their_share_of_the_area() {
        for dpr in [1.0, 1.5, 2.0, 3.0] {
            let hatch = Hatch::new(Background::Light, dpr);
            let covered: f64 = (0..hatch.period).map(|phase| hatch.coverage(phase)).sum();
            assert!(
                (covered - hatch.line).abs() < 1e-9,
                "{dpr}: {covered} of {}",
                hatch.line
            );
        }
    }

    #[test]
    fn strange_densities_still_give_a_pattern() {
        for dpr in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
            let strips = Hatch::new(Background::Dark, dpr).strips(5);
            assert_eq!(strips.at(0, 12_345, 5, true).len(), 5, "{dpr}");
        }
    }
}
