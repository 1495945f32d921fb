//! Tide, the default map: even in lightness and even in colour difference.
//!
//! Lightness runs in a straight line from `from_l` to `to_l`. Hue and chroma follow a smooth curve in the plane of
//! OKLab's `a` and `b`, walked at constant speed. Constant steps in lightness and constant steps in the
//! plane together give constant colour differences, so equal changes of weight look equally large. The curve goes
//! through yellow-green and teal to blue: the yellow–blue axis is the one that deuteranopes and protanopes see.

use super::Ground;
use super::space::Lab;

/// Points into which the curve is cut to measure its length.
const PIECES: usize = 512;

/// A Bézier curve in the `(a, b)` plane and the lightness at its ends.
struct Course {
    from_l: f64,
    to_l: f64,
    control: [[f64; 2]; 4],
}

/// Paper to deep blue. Found by search: every colour is inside the sRGB gamut.
const LIGHT: Course = Course {
    from_l: 0.988,
    to_l: 0.27,
    control: [[0.0, 0.003], [-0.06, 0.13], [-0.15, -0.02], [0.025, -0.13]],
};

/// Night to pale yellow over the same hues.
const DARK: Course = Course {
    from_l: 0.2,
    to_l: 0.955,
    control: [[0.0, -0.012], [0.03, -0.17], [-0.18, -0.05], [-0.025, 0.1]],
};

/// A course with its length measured, ready to be walked at constant speed.
pub struct Path {
    course: &'static Course,
    /// Length from the start to each cut.
    walked: Vec<f64>,
}

impl Path {
    /// The path on `ground`.
    pub fn new(ground: Ground) -> Self {
        let course = match ground {
            Ground::Light => &LIGHT,
            Ground::Dark => &DARK,
        };
        let mut walked = vec![0.0];
        let mut length = 0.0;
        for piece in 1..=PIECES {
            let [from, to] =
                [piece - 1, piece].map(|cut| course.chroma(cut as f64 / PIECES as f64));
            length += libm::hypot(to[0] - from[0], to[1] - from[1]);
            walked.push(length);
        }
        Self { course, walked }
    }

    /// The colour after the fraction `t` of the way.
    pub fn at(&self, t: f64) -> Lab {
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
        let [a, b] = self
            .course
            .chroma((piece as f64 - 1.0 + within) / PIECES as f64);
        Lab {
            l: self.course.from_l + (self.course.to_l - self.course.from_l) * t,
            a,
            b,
        }
    }
}

impl Course {
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
