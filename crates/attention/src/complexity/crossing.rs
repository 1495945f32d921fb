//! Where two curves cross.

/// Number of points at which a curve is evaluated between both ends.
const LOOKS: u32 = 512;
/// Bisections after which the crossing is exact to 64 bits.
const HALVINGS: u32 = 60;
/// Curves whose relative difference is below this count as equal.
const ALIKE: f64 = 1e-9;

/// A crossing of two curves over n.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crossing {
    /// Where they are equal.
    pub n: f64,
    /// Whether the first is the smaller one before it.
    pub first_is_smaller_before: bool,
}

/// Every n between `low` and `high` at which `f` and `g`, both above zero, cross; not where they
/// only touch or coincide. The curves are compared at 512 points, evenly on a log axis, and
/// crossings between two of them are found by bisection.
pub fn crossings(
    f: impl Fn(f64) -> f64,
    g: impl Fn(f64) -> f64,
    low: f64,
    high: f64,
) -> Vec<Crossing> {
    let at = |look: f64| low * libm::pow(high / low, look / f64::from(LOOKS));
    let side = |look: f64| side(f(at(look)), g(at(look)));
    let mut found = Vec::new();
    let mut before: Option<(f64, f64)> = None;
    for look in (0..=LOOKS).map(f64::from) {
        let here = side(look);
        if here == 0.0 {
            continue;
        }
        if let Some((from, sign)) = before
            && sign != here
        {
            found.push(Crossing {
                n: at(bisect(&side, from, look)),
                first_is_smaller_before: sign < 0.0,
            });
        }
        before = Some((look, here));
    }
    found
}

/// −1 where the first is smaller, 1 where it is larger, 0 where both are alike.
fn side(f: f64, g: f64) -> f64 {
    let apart = (f - g) / f.abs().max(g.abs());
    if apart.abs() > ALIKE {
        apart.signum()
    } else {
        0.0
    }
}

fn bisect(side: &impl Fn(f64) -> f64, mut from: f64, mut to: f64) -> f64 {
    let sign = side(from);
    for _ in 0..HALVINGS {
        let middle = (from + to) / 2.0;
        let here = side(middle);
        if here == 0.0 {
            return middle;
        }
        if here == sign {
            from = middle;
        } else {
            to = middle;
        }
    }
    (from + to) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_and_a_square_cross_once() {
        let found = crossings(|n| n * n, |n| 300.0 * n, 64.0, 16_384.0);
        assert_eq!(found.len(), 1);
        assert!((found[0].n - 300.0).abs() < 1e-5 && found[0].first_is_smaller_before);
        let turned = crossings(|n| 300.0 * n, |n| n * n, 64.0, 16_384.0);
        assert!(!turned[0].first_is_smaller_before);
    }

    #[test]
    fn curves_that_cross_twice_do_so_twice() {
        let found = crossings(|n| n * n + 100.0 * 1000.0, |n| 1100.0 * n, 64.0, 16_384.0);
        let at: Vec<f64> = found.iter().map(|crossing| crossing.n).collect();
        assert_eq!(at.len(), 2, "{at:?}");
        assert!(
            (at[0] - 100.0).abs() < 1e-5 && (at[1] - 1000.0).abs() < 1e-5,
            "{at:?}"
        );
    }

    #[test]
    fn equal_curves_and_ones_beside_each_other_do_not_cross() {
        assert_eq!(crossings(|n| n, |n| n, 64.0, 16_384.0), []);
        assert_eq!(crossings(|n| n, |n| 2.0 * n, 64.0, 16_384.0), []);
    }

    #[test]
    fn curves_that_part_after_being_the_same_have_not_crossed() {
        assert_eq!(crossings(|n| n, |n| n.min(500.0), 64.0, 16_384.0), []);
    }

    #[test]
    fn a_crossing_at_a_place_that_is_looked_at_is_found() {
        let found = crossings(|n| n, |_| 1024.0, 64.0, 16_384.0);
        assert_eq!(found.len(), 1);
        assert!((found[0].n - 1024.0).abs() < 1e-4, "{found:?}");
    }
}
