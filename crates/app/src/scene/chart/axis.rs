//! One axis of a chart: positions of values and round ticks.

/// How values are spread along an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
enum AxisScale {
    Linear,
    Log { base: f64 },
}

/// A range of values along one side of a chart; place 0 is its low end, place 1 its high end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    kind: AxisScale,
    low: f64,
    high: f64,
}

impl Axis {
    /// Equal differences are equally far apart; the ends are `low` and `high`. Ends that are not finite or in the wrong
    /// order are taken as 0 and 1.
    pub fn linear(low: f64, high: f64) -> Self {
        let (low, high) = if low.is_finite() && high.is_finite() && low < high {
            (low, high)
        } else {
            (0.0, 1.0)
        };
        Self {
            kind: AxisScale::Linear,
            low,
            high,
        }
    }

    /// As [`linear`](Self::linear), with ends moved outwards to a multiple of the step of at most `most` ticks.
    pub fn round(low: f64, high: f64, most: usize) -> Self {
        let inner = Self::linear(low, high);
        let step = inner.step(most);
        let low = step * libm::floor(inner.low / step + 1e-9);
        Self::linear(low, step * libm::ceil(inner.high / step - 1e-9))
    }

    /// Equal ratios are equally far apart; the ends are `low` and `high`. Ends that are not above zero or in the wrong
    /// order are taken as 1 and `base`.
    pub fn log(base: f64, low: f64, high: f64) -> Self {
        let (low, high) = if low > 0.0 && low < high && high.is_finite() {
            (low, high)
        } else {
            (1.0, base)
        };
        Self {
            kind: AxisScale::Log { base },
            low,
            high,
        }
    }

    /// As [`log`](Self::log), with ends moved outwards to whole powers of `base`.
    pub fn powers(base: f64, low: f64, high: f64) -> Self {
        let inner = Self::log(base, low, high.max(low * (1.0 + 1e-6)));
        let power = |value: f64| libm::log(value) / libm::log(base);
        let low = libm::floor(power(inner.low) + 1e-9);
        let high = libm::ceil(power(inner.high) - 1e-9).max(low + 1.0);
        Self::log(base, libm::pow(base, low), libm::pow(base, high))
    }

    /// The low end.
    pub const fn low(&self) -> f64 {
        self.low
    }

    /// The high end.
    pub const fn high(&self) -> f64 {
        self.high
    }

    /// Place of `value`, beyond 0…1 for what lies beyond the ends; `None` for what has no place on the axis.
    pub fn place(&self, value: f64) -> Option<f64> {
        let place = match self.kind {
            AxisScale::Linear => (value - self.low) / (self.high - self.low),
            AxisScale::Log { .. } if value > 0.0 => {
                libm::log(value / self.low) / libm::log(self.high / self.low)
            }
            AxisScale::Log { .. } => f64::NAN,
        };
        place.is_finite().then_some(place)
    }

    /// The value at `place`: the inverse of [`place`](Self::place).
    pub fn value(&self, place: f64) -> f64 {
        match self.kind {
            AxisScale::Linear => self.low + place * (self.high - self.low),
            AxisScale::Log { .. } => self.low * libm::pow(self.high / self.low, place),
        }
    }

    /// Round values from low to high, at most `most`: multiples of 1, 2 or 5 · 10^e, or powers of the base, every
    /// second (third, …) of them where they would be too many.
    pub fn ticks(&self, most: usize) -> Vec<f64> {
        match self.kind {
            AxisScale::Linear => self.linear_ticks(most),
            AxisScale::Log { base } => self.powers_between(base, most),
        }
    }

    fn linear_ticks(&self, most: usize) -> Vec<f64> {
        let step = self.step(most);
        let first = libm::ceil(self.low / step - 1e-9);
        let last = libm::floor(self.high / step + 1e-9);
        let count = (last - first).clamp(0.0, 1e3) as usize;
        (0..=count)
            .map(|at| step * (first + at as f64))
            .filter(|value| *value <= self.high + 1e-9 * step)
            .collect()
    }

    /// The smallest of 1, 2, 5 · 10^e whose multiples are at most `most`.
    fn step(&self, most: usize) -> f64 {
        let span = self.high - self.low;
        let room = most.saturating_sub(1).max(1) as f64;
        let decade = libm::pow(10.0, libm::floor(libm::log10(span / room)));
        [1.0, 2.0, 5.0]
            .map(|factor| factor * decade)
            .into_iter()
            .find(|step| span / step <= room + 1e-9)
            .unwrap_or(10.0 * decade)
    }

    fn powers_between(&self, base: f64, most: usize) -> Vec<f64> {
        let power = |value: f64| libm::log(value) / libm::log(base);
        let first = libm::ceil(power(self.low) - 1e-9) as i32;
        let last = libm::floor(power(self.high) + 1e-9) as i32;
        let count = (last - first + 1).max(0) as usize;
        let stride = count.div_ceil(most.max(1)).max(1);
        (first..=last)
            .step_by(stride)
            .map(|power| libm::pow(base, f64::from(power)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_have_places_zero_and_one_and_values_come_back() {
        for axis in [
            Axis::linear(-3.0, 7.5),
            Axis::log(2.0, 64.0, 16_384.0),
            Axis::powers(10.0, 3.1e5, 9.9e9),
            Axis::round(0.13, 0.97, 6),
        ] {
            assert_eq!(axis.place(axis.low()), Some(0.0));
            assert!((axis.place(axis.high()).unwrap() - 1.0).abs() < 1e-12);
            for place in [0.0, 0.21, 0.5, 0.93, 1.0] {
                let back = axis.place(axis.value(place)).unwrap();
                assert!((back - place).abs() < 1e-12, "{axis:?} {place}");
            }
        }
    }

    #[test]
    fn equal_ratios_are_equally_far_apart_on_a_log_axis() {
        let axis = Axis::log(2.0, 64.0, 16_384.0);
        assert_eq!(axis.place(1024.0), Some(0.5));
        assert_eq!(axis.place(0.0), None);
        assert_eq!(axis.place(-1.0), None);
        assert_eq!(axis.place(f64::NAN), None);
    }

    #[test]
    fn ticks_are_powers_of_the_base() {
        let n = Axis::log(2.0, 64.0, 16_384.0);
        let all = [64., 128., 256., 512., 1024., 2048., 4096., 8192., 16384.];
        assert_eq!(n.ticks(9), all);
        assert_eq!(n.ticks(5), [64., 256., 1024., 4096., 16384.]);
        assert_eq!(n.ticks(3), [64., 512., 4096.]);
        let flops = Axis::powers(10.0, 3.1e5, 9.9e6);
        assert_eq!(flops.ticks(9), [1e5, 1e6, 1e7]);
    }

    #[test]
    fn linear_ticks_are_round_and_no_more_than_asked_for() {
        assert_eq!(
            Axis::linear(0.0, 1.0).ticks(6),
            [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]
        );
        assert_eq!(Axis::linear(0.0, 13.0).ticks(4), [0.0, 5.0, 10.0]);
        assert_eq!(Axis::linear(-1.0, 1.0).ticks(3), [-1.0, 0.0, 1.0]);
        for (low, high) in [(0.0, 7.3), (-12.4, 991.0), (1e-7, 3e-6), (5.0, 5.01)] {
            for most in 2..12 {
                let ticks = Axis::linear(low, high).ticks(most);
                assert!(ticks.len() <= most, "{low} {high} {most}: {ticks:?}");
                assert!(
                    ticks
                        .iter()
                        .all(|tick| (low - 1e-9..=high + 1e-9).contains(tick))
                );
            }
        }
    }

    #[test]
    fn rounded_axes_hold_what_they_were_made_for() {
        let axis = Axis::round(0.13, 0.97, 6);
        assert_eq!((axis.low(), axis.high()), (0.0, 1.0));
        let powers = Axis::powers(10.0, 100.0, 1000.0);
        assert_eq!((powers.low(), powers.high()), (100.0, 1000.0));
        let one = Axis::powers(10.0, 42.0, 42.0);
        assert!((one.low() - 10.0).abs() < 1e-9 && (one.high() - 100.0).abs() < 1e-9);
    }

    #[test]
    fn impossible_ends_give_an_axis_all_the_same() {
        for (low, high) in [
            (1.0, 1.0),
            (2.0, 1.0),
            (f64::NAN, 1.0),
            (0.0, f64::INFINITY),
        ] {
            assert_eq!(Axis::linear(low, high), Axis::linear(0.0, 1.0));
            assert!(Axis::powers(10.0, low, high).ticks(5).len() <= 5);
            assert!(Axis::round(low, high, 5).high().is_finite());
        }
        assert_eq!(Axis::log(2.0, 0.0, 8.0), Axis::log(2.0, 1.0, 2.0));
    }
}
