//! The arc below a sentence from a word to the word that it looks at.

/// Where a word stands, in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

/// Paths of an arc. Each has the same commands wherever its words stand, so that style sheets can
/// swing one into another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arc {
    pub line: String,
    /// The tip at the word that is looked at.
    pub tip: String,
    /// The end at the word that looks.
    pub foot: String,
}

/// Between words and arc.
const GAP: f64 = 3.0;
/// Depth of an arc below its line, from that of neighbours to that of the ends of a long line.
const DEPTH: [f64; 2] = [10.0, 22.0];
/// Depth for each pixel of length.
const SLOPE: f64 = 0.06;
/// Length and half width of the tip.
const TIP: [f64; 2] = [6.0, 5.0];
/// Thickness of an arc of weight 0, and what weight 1 adds to it, in CSS pixels.
const THICKNESS: [f32; 2] = [1.0, 2.5];

/// Thickness of the arc of a weight, in CSS pixels.
pub fn thickness(weight: f32) -> String {
    format!(
        "{:.1}",
        THICKNESS[0] + THICKNESS[1] * weight.clamp(0.0, 1.0)
    )
}

impl Place {
    fn middle(&self) -> f64 {
        self.left + self.width / 2.0
    }

    fn bottom(&self) -> f64 {
        self.top + self.height
    }
}

/// The arc between two words: below their line, or, where they stand on two lines, between those. Below `bottom`, that of the last
/// line, there is room; above it is the next line.
pub fn arc(from: Place, to: Place, bottom: f64) -> Arc {
    let [x, end] = [from, to].map(|place| place.middle());
    let is_up = to.bottom() <= from.top;
    let is_down = from.bottom() <= to.top;
    let [y, goal] = match (is_up, is_down) {
        (true, _) => [from.top + GAP, to.bottom() - GAP],
        (_, true) => [from.bottom() - GAP, to.top + GAP],
        _ => [from.bottom().max(to.bottom()) + GAP; 2],
    };
    // A cubic curve reaches three quarters of the way to its control points.
    let bend = match is_up || is_down {
        true => (goal - y) / 2.0,
        false if goal + to.height / 2.0 < bottom => DEPTH[0] * 4.0 / 3.0,
        false => ((end - x).abs() * SLOPE).clamp(DEPTH[0], DEPTH[1]) * 4.0 / 3.0,
    };
    let [one, other] = if is_up || is_down {
        [y + bend, goal - bend]
    } else {
        [y + bend, goal + bend]
    };
    let side = if is_down { -TIP[0] } else { TIP[0] };
    Arc {
        line: format!("M{x:.1} {y:.1}C{x:.1} {one:.1} {end:.1} {other:.1} {end:.1} {goal:.1}"),
        tip: format!(
            "M{:.1} {side_y:.1}L{end:.1} {goal:.1}L{:.1} {side_y:.1}",
            end - TIP[1],
            end + TIP[1],
            side_y = goal + side
        ),
        foot: format!("M{x:.1} {y:.1}L{x:.1} {y:.1}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn place(left: f64, top: f64) -> Place {
        Place {
            left,
            top,
            width: 20.0,
            height: 30.0,
        }
    }

    fn commands(path: &str) -> String {
        path.chars().filter(char::is_ascii_alphabetic).collect()
    }

    #[test]
    fn it_lies_below_the_line_of_both_words() {
        let own = arc(place(300.0, 0.0), place(100.0, 0.0), 30.0);
        assert_eq!(own.line, "M310.0 33.0C310.0 49.0 110.0 49.0 110.0 33.0");
        assert_eq!(own.tip, "M105.0 39.0L110.0 33.0L115.0 39.0");
        assert_eq!(own.foot, "M310.0 33.0L310.0 33.0");
    }

    #[test]
    fn above_a_next_line_it_is_flat() {
        let own = arc(place(900.0, 0.0), place(100.0, 0.0), 80.0);
        assert_eq!(own.line, "M910.0 33.0C910.0 46.3 110.0 46.3 110.0 33.0");
    }

    #[test]
    fn between_two_lines_it_goes_through_their_gap() {
        let up = arc(place(300.0, 50.0), place(100.0, 0.0), 80.0);
        assert_eq!(up.line, "M310.0 53.0C310.0 40.0 110.0 40.0 110.0 27.0");
        assert_eq!(up.tip, "M105.0 33.0L110.0 27.0L115.0 33.0");
        let down = arc(place(100.0, 0.0), place(300.0, 50.0), 80.0);
        assert_eq!(down.line, "M110.0 27.0C110.0 40.0 310.0 40.0 310.0 53.0");
        assert_eq!(down.tip, "M305.0 47.0L310.0 53.0L315.0 47.0");
    }

    #[test]
    fn one_swings_into_another() {
        let all = [
            arc(place(300.0, 0.0), place(100.0, 0.0), 30.0),
            arc(place(0.0, 50.0), place(100.0, 0.0), 80.0),
            arc(place(0.0, 0.0), place(0.0, 0.0), 80.0),
        ];
        for own in &all {
            assert_eq!(commands(&own.line), "MC");
            assert_eq!(commands(&own.tip), "MLL");
            assert_eq!(commands(&own.foot), "ML");
        }
    }
}
