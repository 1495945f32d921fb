//! Clips a curve to the plot.

use super::Point;
use crate::scene::layout::Rect;

/// The pieces of a polyline inside `plot`; a point without a place breaks the line.
pub(super) fn pieces(points: &[Option<Point>], plot: &Rect) -> Vec<Vec<Point>> {
    let mut pieces: Vec<Vec<Point>> = Vec::new();
    for pair in points.windows(2) {
        let [Some(from), Some(to)] = pair else {
            continue;
        };
        let Some([from, to]) = segment(*from, *to, plot) else {
            continue;
        };
        match pieces.last_mut() {
            Some(piece) if piece.last() == Some(&from) => piece.push(to),
            _ => pieces.push(vec![from, to]),
        }
    }
    pieces
}

/// The part of the segment inside `plot` (Liang and Barsky 1984).
fn segment(from: Point, to: Point, plot: &Rect) -> Option<[Point; 2]> {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let sides = [
        (-dx, from.x - plot.x),
        (dx, plot.x + plot.width - from.x),
        (-dy, from.y - plot.y),
        (dy, plot.y + plot.height - from.y),
    ];
    let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
    for (speed, room) in sides {
        if speed == 0.0 && room < 0.0 {
            return None;
        }
        if speed < 0.0 {
            enters = enters.max(room / speed);
        } else if speed > 0.0 {
            leaves = leaves.min(room / speed);
        }
    }
    let at = |t: f64| match t {
        0.0 => from,
        1.0 => to,
        t => Point {
            x: from.x + t * dx,
            y: from.y + t * dy,
        },
    };
    (enters <= leaves).then(|| [at(enters), at(leaves)])
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLOT: Rect = Rect {
        x: 10.0,
        y: 20.0,
        width: 100.0,
        height: 50.0,
    };

    fn point(x: f64, y: f64) -> Option<Point> {
        Some(Point { x, y })
    }

    #[test]
    fn a_line_inside_stays_one_piece() {
        let points = [point(10.0, 30.0), point(60.0, 70.0), point(110.0, 20.0)];
        assert_eq!(pieces(&points, &PLOT), [points.map(Option::unwrap)]);
    }

    #[test]
    fn a_line_that_leaves_is_cut_where_it_crosses_the_edge() {
        let found = pieces(&[point(60.0, 60.0), point(60.0, 100.0)], &PLOT);
        assert_eq!(
            found,
            [[Point { x: 60.0, y: 60.0 }, Point { x: 60.0, y: 70.0 }]]
        );
        let back = [point(20.0, 40.0), point(60.0, 0.0), point(100.0, 40.0)];
        assert_eq!(pieces(&back, &PLOT).len(), 2);
        assert_eq!(pieces(&[point(0.0, 0.0), point(9.0, 90.0)], &PLOT), [[]; 0]);
    }

    #[test]
    fn what_has_no_place_breaks_the_line() {
        let points = [
            point(20.0, 30.0),
            point(30.0, 30.0),
            None,
            point(50.0, 30.0),
            point(60.0, 30.0),
        ];
        assert_eq!(pieces(&points, &PLOT).len(), 2);
    }
}
