//! One query's weights as a sorted list: the largest keys, and the sum of the rest.

use attention::sort;

/// Order of the bars.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Largest weight first; equal weights in the order of their keys, hidden keys last.
    #[default]
    Weight,
    /// In the order of the keys.
    Key,
}

/// One key's part of a query's attention.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    /// Key column.
    pub key: usize,
    /// Weight.
    pub weight: f32,
    /// Length of the bar, 0…1: the weight over the largest weight of the row.
    pub length: f32,
    /// Whether a mask hides this key from the query.
    pub hidden: bool,
}

/// Keys that the bars omit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rest {
    /// Number of keys.
    pub keys: usize,
    /// Sum of their weights.
    pub weight: f32,
}

/// The bars of one query.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    /// At most as many as asked for.
    pub bars: Vec<Bar>,
    /// The keys without a bar; `None` when there are none.
    pub rest: Option<Rest>,
}

/// Bars of one query for the `most` largest of `weights` (one per key), in `order`.
///
/// Which keys get a bar depends on the weights only, also in key order: visible keys before hidden ones, larger
/// before smaller, earlier before later. The rest is summed in 64 bits.
pub fn bars(weights: &[f32], is_hidden: impl Fn(usize) -> bool, order: Order, most: usize) -> Bars {
    let largest = weights.iter().copied().fold(0.0, f32::max);
    let bar = |(key, &weight): (usize, &f32)| {
        let length = if largest > 0.0 {
            (weight / largest).max(0.0)
        } else {
            0.0
        };
        Bar {
            key,
            weight,
            length,
            hidden: is_hidden(key),
        }
    };
    let mut bars: Vec<Bar> = weights.iter().enumerate().map(bar).collect();
    sort::sort(&mut bars, |a, b| {
        a.hidden.cmp(&b.hidden).then(b.weight.total_cmp(&a.weight))
    });
    let left_out = bars.split_off(most.min(bars.len()));
    let weight = left_out
        .iter()
        .map(|bar| f64::from(bar.weight))
        .sum::<f64>() as f32;
    let rest = (!left_out.is_empty()).then_some(Rest {
        keys: left_out.len(),
        weight,
    });
    if order == Order::Key {
        sort::sort(&mut bars, |a, b| a.key.cmp(&b.key));
    }
    Bars { bars, rest }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: [f32; 7] = [0.1, 0.3, 0.05, 0.3, 0.0, 0.2, 0.05];

    fn keys(bars: &Bars) -> Vec<usize> {
        bars.bars.iter().map(|bar| bar.key).collect()
    }

    #[test]
    fn sorted_by_weight_with_ties_in_key_order_and_hidden_last() {
        let all = bars(&ROW, |key| key == 4, Order::Weight, 99);
        assert_eq!(keys(&all), [1, 3, 5, 0, 2, 6, 4]);
        assert_eq!(all.rest, None);
        assert!(all.bars[6].hidden && !all.bars[5].hidden);
        assert_eq!((all.bars[0].length, all.bars[2].weight), (1.0, 0.2));
    }

    #[test]
    fn what_is_left_out_is_summed() {
        let some = bars(&ROW, |_| false, Order::Key, 3);
        assert_eq!(keys(&some), [1, 3, 5]);
        let rest = some.rest.expect("four keys are left");
        assert_eq!(rest.keys, 4);
        assert!((rest.weight - 0.2).abs() < 1e-6, "{rest:?}");
    }

    #[test]
    fn empty_zero_and_broken_rows_do_no_harm() {
        assert_eq!(
            bars(&[], |_| true, Order::Weight, 5),
            Bars {
                bars: vec![],
                rest: None
            }
        );
        let none = bars(&[0.0; 3], |_| true, Order::Weight, 0);
        assert_eq!(
            none.rest,
            Some(Rest {
                keys: 3,
                weight: 0.0
            })
        );
        let odd = bars(&[f32::NAN, 0.5], |_| false, Order::Weight, 2);
        assert!(odd.bars.iter().all(|bar| bar.length.is_finite()), "{odd:?}");
    }
}
