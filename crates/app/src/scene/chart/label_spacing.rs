//! Moves labels apart so that they do not overlap.

use attention::sort;

/// Places between `low` and `high`, each at least `gap` from the next, as near to the `wanted` ones as that allows
/// (least squares). Labels keep the order of what they name; equal ones keep the order in which they were given. Where
/// there is too little room for `gap` they share the room evenly.
pub(super) fn spread(wanted: &[f64], gap: f64, low: f64, high: f64) -> Vec<f64> {
    let count = wanted.len();
    let gap = gap.min((high - low).max(0.0) / count.saturating_sub(1).max(1) as f64);
    let order = sort::argsort(count, &mut |a, b| wanted[a].total_cmp(&wanted[b]));
    // Without the gaps that each one needs above it, places only have to rise: an isotonic regression, whose bounded
    // solution is the unbounded one, clamped.
    let bare: Vec<f64> = (order.iter().enumerate())
        .map(|(rank, at)| wanted[*at] - gap * rank as f64)
        .collect();
    let most = (high - gap * count.saturating_sub(1) as f64).max(low);
    let mut places = vec![0.0; count];
    for (rank, (at, place)) in order.iter().zip(rising(&bare)).enumerate() {
        places[*at] = place.clamp(low, most) + gap * rank as f64;
    }
    places
}

/// The rising sequence nearest to `values`: neighbours that fall are pooled into their mean.
fn rising(values: &[f64]) -> Vec<f64> {
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for value in values {
        blocks.push((*value, 1));
        while let [.., (before, many), (last, few)] = blocks[..] {
            if before <= last {
                break;
            }
            let count = many + few;
            let mean = (before * many as f64 + last * few as f64) / count as f64;
            blocks.truncate(blocks.len() - 2);
            blocks.push((mean, count));
        }
    }
    blocks
        .into_iter()
        .flat_map(|(mean, count)| std::iter::repeat_n(mean, count))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_with_room_stay_where_they_want_to_be() {
        assert_eq!(
            spread(&[80.0, 10.0, 40.0], 14.0, 0.0, 100.0),
            [80.0, 10.0, 40.0]
        );
        assert_eq!(spread(&[], 14.0, 0.0, 100.0), [0.0; 0]);
    }

    #[test]
    fn labels_at_one_place_are_centred_on_it_in_the_order_given() {
        assert_eq!(
            spread(&[50.0, 50.0, 50.0], 14.0, 0.0, 100.0),
            [36.0, 50.0, 64.0]
        );
        assert_eq!(spread(&[51.0, 49.0], 14.0, 0.0, 100.0), [57.0, 43.0]);
    }

    #[test]
    fn labels_stay_within_the_ends() {
        assert_eq!(
            spread(&[-5.0, 3.0, 99.0], 14.0, 0.0, 100.0),
            [0.0, 14.0, 99.0]
        );
        assert_eq!(spread(&[100.0, 100.0], 14.0, 0.0, 100.0), [86.0, 100.0]);
    }

    #[test]
    fn crowded_labels_share_the_room_evenly() {
        assert_eq!(spread(&[9.0, 9.0, 9.0], 14.0, 0.0, 20.0), [0.0, 10.0, 20.0]);
        assert_eq!(spread(&[9.0], 14.0, 0.0, 0.0), [0.0]);
    }

    #[test]
    fn any_labels_keep_order_and_distance() {
        let mut seed = 7_u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 40) as f64 / (1 << 24) as f64 * 320.0 - 10.0
        };
        for count in 1..20 {
            let wanted: Vec<f64> = (0..count).map(|_| next()).collect();
            let places = spread(&wanted, 14.0, 0.0, 300.0);
            for a in 0..count {
                assert!((0.0..=300.0 + 1e-9).contains(&places[a]));
                for b in (0..count).filter(|b| wanted[a] < wanted[*b]) {
                    assert!(
                        places[b] - places[a] >= 14.0 - 1e-9,
                        "{wanted:?} {places:?}"
                    );
                }
            }
        }
    }
}
