//! A map that stands alone in a frame is no higher than the frame allows.

use crate::scene::layout::{MapLayout, Request};

/// Tries to find a height: labels turn with the size of cells, so that the space above the plot depends on it.
const TRIES: usize = 4;

/// Height of the smallest plot, in CSS pixels.
const LEAST: f64 = 24.0;

/// A layout that is at most `most` high, labels included, and how much higher it would be otherwise.
pub fn fit(request: &Request<'_>, most: f64) -> (MapLayout, f64) {
    let natural = MapLayout::new(request);
    let full = natural.height;
    let mut layout = natural;
    let mut plot = request.plot_height.min(layout.plot.height);
    for _ in 0..TRIES {
        if layout.height <= most || plot <= LEAST {
            break;
        }
        plot = (plot - (layout.height - most)).max(LEAST);
        layout = MapLayout::new(&Request {
            plot_height: plot,
            ..*request
        });
    }
    let surplus = full - layout.height;
    (layout, surplus)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::layout::{CellFormat, Side};

    fn with(most: f64, test: impl Fn(MapLayout, f64)) {
        let words = "The animal didn't cross the street because it was too tired";
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        let request = Request {
            width: 616.0,
            plot_height: 560.0,
            dpr: 1.0,
            queries: &words,
            keys: &words,
            query_title: "query ↓",
            key_title: "key →",
            sides: [Side::Queries, Side::Keys],
            form: CellFormat::Weights,
            measure: &|text, size| text.chars().count() as f64 * size * 0.5,
        };
        let (layout, surplus) = fit(&request, most);
        assert_eq!(layout.height + surplus, MapLayout::new(&request).height);
        test(layout, surplus);
    }

    #[test]
    fn a_map_is_as_high_as_it_may_be_and_says_what_it_lacks() {
        with(f64::INFINITY, |_, surplus| assert_eq!(surplus, 0.0));
        for most in [500.0, 380.0, 200.0, 120.0] {
            with(most, |layout, surplus| {
                assert!(layout.height <= most, "{} of {most}", layout.height);
                assert!(layout.height > most - 60.0, "{} of {most}", layout.height);
                assert!(surplus > 0.0);
            });
        }
        with(0.0, |layout, _| assert!(layout.plot.height >= LEAST * 0.5));
    }
}
