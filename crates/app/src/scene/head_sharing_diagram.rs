//! Which heads share keys and values, as a diagram: key/value heads above the query heads that read them.

/// Width of a query head's place.
const PITCH: f64 = 16.0;
/// Middle of the key/value heads, a square each.
const TOP: f64 = 7.0;
/// Middle of the query heads, a disc each.
const BOTTOM: f64 = 29.0;
const HALF: f64 = 4.5;

/// The parts of the drawing, as paths of SVG in a view box of `width` × 36.
#[derive(Clone, Debug, PartialEq)]
pub struct Sharing {
    /// Width of the view box.
    pub width: f64,
    /// From every query head to its key/value head.
    pub links: String,
    /// The key/value heads.
    pub kv_heads: String,
    /// The query heads.
    pub heads: String,
    /// The chosen query head and its way to its key/value head.
    pub chosen: String,
}

/// Draws `heads` query heads, which `kv_heads` divides, with the one chosen.
pub fn sharing(heads: usize, kv_heads: usize, chosen: usize) -> Sharing {
    let group = (heads / kv_heads.max(1)).max(1);
    let head_at = |head: usize| (head as f64 + 0.5) * PITCH;
    let kv_at = |kv: usize| (kv as f64 + 0.5) * PITCH * group as f64;
    let link = |head: usize| {
        let (from, to) = (head_at(head), kv_at(head / group));
        format!("M{from} {} {to} {}", BOTTOM - HALF, TOP + HALF)
    };
    Sharing {
        width: heads as f64 * PITCH,
        links: (0..heads).map(link).collect(),
        kv_heads: (0..kv_heads).map(|kv| square(kv_at(kv))).collect(),
        heads: (0..heads).map(|head| disc(head_at(head), HALF)).collect(),
        chosen: link(chosen.min(heads.saturating_sub(1))),
    }
}

fn square(middle: f64) -> String {
    let (left, top, side) = (middle - HALF, TOP - HALF, 2.0 * HALF);
    format!("M{left} {top}h{side}v{side}h-{side}z")
}

fn disc(middle: f64, radius: f64) -> String {
    let (left, side) = (middle - radius, 2.0 * radius);
    format!("M{left} {BOTTOM}a{radius} {radius} 0 1 0 {side} 0a{radius} {radius} 0 1 0-{side} 0z")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str) -> usize {
        path.matches('M').count()
    }

    #[test]
    fn every_head_is_there_once_and_linked_to_its_own() {
        for (heads, kv_heads) in [(1, 1), (6, 6), (6, 3), (6, 1), (16, 8)] {
            let drawn = sharing(heads, kv_heads, heads - 1);
            assert_eq!(
                (
                    count(&drawn.heads),
                    count(&drawn.kv_heads),
                    count(&drawn.links)
                ),
                (heads, kv_heads, heads)
            );
            assert!(drawn.links.ends_with(&drawn.chosen));
        }
        // The fourth of six heads reads the second of three pairs, which stands over the middle of heads three and four.
        assert_eq!(sharing(6, 3, 3).chosen, "M56 24.5 48 11.5");
    }
}
