//! Tide, the default map: even in lightness and even in colour difference.
//!
//! Lightness runs in a straight line from the ground to `to_l`. Hue and chroma follow a smooth curve in the plane of
//! OKLab's `a` and `b`, walked at constant speed. Constant steps in lightness and constant steps in the
//! plane together give constant colour differences, so equal changes of weight look equally large. The curve goes
//! through yellow-green and teal to blue: the yellow–blue axis is the one that deuteranopes and protanopes see.

use super::oklab::{Lab, lab_from_srgb8};
use super::{Background, NIGHT, PAPER};

/// Points into which the curve is cut to measure its length.
const PIECES: usize = 512;

/// A Bézier curve in the `(a, b)` plane from the ground's own colour, and the lightness at its end.
struct Course {
    start: [u8; 3],
    to_l: f64,
    control: [[f64; 2]; 3],
}

/// Paper to deep blue. Found by search: every colour is inside the sRGB gamut.
const LIGHT: Course = Course {
    start: PAPER,
    to_l: 0.27,
    control: [[-0.055, 0.085], [-0.15, 0.0], [0.03, -0.135]],
};

/// Night to pale yellow over the same hues.
const DARK: Course = Course {
    start: NIGHT,
    to_l: 0.955,
    control: [[0.05, -0.19], [-0.17, -0.04], [-0.02, 0.09]],
};

/// A course with its length measured, ready to be walked at constant speed.
pub(super) struct Path {
    from_l: f64,
    to_l: f64,
    control: [[f64; 2]; 4],
    /// Length from the start to each cut.
    walked: Vec<f64>,
}

impl Path {
    /// The path on `ground`.
    pub(super) fn new(ground: Background) -> Self {
        let course = match ground {
            Background::Light => &LIGHT,
            Background::Dark => &DARK,
        };
        let Lab { l: from_l, a, b } = lab_from_srgb8(course.start);
        let [second, third, end] = course.control;
        let mut path = Self {
            from_l,
            to_l: course.to_l,
            control: [[a, b], second, third, end],
            walked: Vec::new(),
        };
        path.walked = path.measured();
        path
    }

    /// Length from the start to each of the cuts.
    fn measured(&self) -> Vec<f64> {
        let at = |cut: usize| self.chroma(cut as f64 / PIECES as f64);
        let piece = |cut: usize| {
            let ([a0, b0], [a1, b1]) = (at(cut - 1), at(cut));
            libm::hypot(a1 - a0, b1 - b0)
        };
        let lengths = (1..=PIECES).map(piece).scan(0.0, |sum, length| {
            *sum += length;
            Some(*sum)
        });
        std::iter::once(0.0).chain(lengths).collect()
    }

    /// The colour after the fraction `t` of the way.
    pub(super) fn at(&self, t: f64) -> Lab {
        let t = t.clamp(0.0, 1.0);
        let goal = t * self.walked[PIECES];
        let piece = self
            .walked
            .partition_point(|&length| length < goal)
            .clamp(1, PIECES);
        let (before, after) = (self.walked[piece - 1], self.walked[piece]);
        let within = if after > before {
            (goal - before) / (after - before)
        } else {
            0.0
        };
        let [a, b] = self.chroma((piece as f64 - 1.0 + within) / PIECES as f64);
        Lab {
            l: self.from_l + (self.to_l - self.from_l) * t,
            a,
            b,
        }
    }

    /// Point of the cubic Bézier curve at parameter `u`.
    fn chroma(&self, u: f64) -> [f64; 2] {
        let v = 1.0 - u;
        let share = [v * v * v, 3.0 * v * v * u, 3.0 * v * u * u, u * u * u];
        let sum = |side: usize| {
            share
                .iter()
                .zip(&self.control)
                .map(|(w, point)| w * point[side])
                .sum()
        };
        [sum(0), sum(1)]
    }
}
