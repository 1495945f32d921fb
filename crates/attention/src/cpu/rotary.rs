//! Rotary positions: rotates pairs of columns of each row.

use std::ops::IndexMut;

use ndarray::Array4;

use crate::plan::Side;
use crate::{Position, Request, Rotation};

/// Rotates every pair of columns of each row as the layer says: `[batch, heads, rows, d_k]` in place, rounded once.
pub(super) fn turn(rows: &mut Array4<f32>, request: &Request, side: Side) {
    let (position, divisors) = (request.config().position, request.rotary_divisors());
    let (_, heads, length, width) = rows.dim();
    let places = request.call().places.all(side, length);
    let turns = Turns::new(position, divisors, places.concat(), width);
    let Some(turns) = turns.filter(|_| heads > 0 && length > 0) else {
        return;
    };
    for (at, mut row) in rows.rows_mut().into_iter().enumerate() {
        let entry = (at / (heads * length)).min(places.len() - 1);
        turns.turn_by(entry * length + at % length, &mut row, 1.0);
    }
}

/// Rotates every pair of columns back, `[batch, heads, rows, d_k]` in place, as gradients of rotated rows go: the inverse of a
/// rotation is its transpose. For layers without divisors of the angles, and rows that count from 0.
pub fn turn_back(rows: &mut Array4<f32>, position: Position) {
    let (_, _, length, width) = rows.dim();
    let Some(turns) = Turns::new(position, None, 0..length as i64, width) else {
        return;
    };
    for (at, mut row) in rows.rows_mut().into_iter().enumerate() {
        turns.turn_by(at % length, &mut row, -1.0);
    }
}

/// How rows of heads are rotated, each at a place of its own.
pub struct Turns {
    rotation: Rotation,
    width: usize,
    /// Sine and cosine, `[places, pairs]`.
    angles: Vec<(f64, f64)>,
}

impl Turns {
    /// Those of rows `[d_k]` at `places`; `None` where nothing is rotated. There is a divisor of the angles for each pair, if any.
    pub fn new(
        position: Position,
        divisors: Option<&[f32]>,
        places: impl IntoIterator<Item = i64>,
        d_k: usize,
    ) -> Option<Self> {
        let rotation = position.rotation().filter(|own| own.pair_count(d_k) > 0)?;
        Some(Self {
            rotation,
            width: d_k,
            angles: turns(rotation, divisors, places, d_k),
        })
    }

    /// Rotates the row at one of the places, counted from the first of them; rounded once.
    pub fn turn(&self, at: usize, row: &mut [f32]) {
        self.turn_by(at, row, 1.0);
    }

    /// The same in 64 bits.
    pub fn turn_wide(&self, at: usize, row: &mut [f64]) {
        for (columns, turn) in self.pairs(at) {
            let [first, second] = columns;
            [row[first], row[second]] = turned([row[first], row[second]], turn);
        }
    }

    /// The columns of each pair at a place, and the sine and cosine of its angle.
    fn pairs(&self, at: usize) -> impl Iterator<Item = ([usize; 2], (f64, f64))> {
        let pairs = self.rotation.pair_count(self.width);
        let angles = self.angles[at * pairs..][..pairs].iter().enumerate();
        angles.map(|(pair, turn)| (self.rotation.columns_of(pair, self.width), *turn))
    }

    fn turn_by<R: IndexMut<usize, Output = f32> + ?Sized>(
        &self,
        at: usize,
        row: &mut R,
        direction: f64,
    ) {
        for ([first, second], (sin, cos)) in self.pairs(at) {
            let pair = [first, second].map(|column| f64::from(row[column]));
            let [x, y] = turned(pair, (sin * direction, cos));
            row[first] = x as f32;
            row[second] = y as f32;
        }
    }
}

/// A pair rotated by an angle with this sine and cosine.
fn turned([x, y]: [f64; 2], (sin, cos): (f64, f64)) -> [f64; 2] {
    [x * cos - y * sin, x * sin + y * cos]
}

/// Sine and cosine of every angle, row by row: `[places, pairs]`.
pub(super) fn turns(
    rotation: Rotation,
    divisors: Option<&[f32]>,
    places: impl IntoIterator<Item = i64>,
    width: usize,
) -> Vec<(f64, f64)> {
    let of_row = |place| (0..rotation.pair_count(width)).map(move |pair| (place, pair));
    let angle = |(place, pair)| match divisors {
        Some(divisors) => rotation.angle(place, pair, width) / f64::from(divisors[pair]),
        None => rotation.angle(place, pair, width),
    };
    let pairs = places.into_iter().flat_map(of_row);
    pairs.map(|at| libm::sincos(angle(at))).collect()
}
