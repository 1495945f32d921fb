//! A map in a frame is no higher than the frame allows.

use std::rc::Rc;

use super::{CellFormat, MapLayout, Request, Side};

/// Tries to find a height: labels turn with the size of cells, so that the space above the plot depends on it.
const TRIES: usize = 4;

/// Height of the smallest plot, in CSS pixels.
const LEAST: f64 = 24.0;

/// How many times as wide as high cells become where a frame bounds the height alone.
const STRETCH: f64 = 4.0;

/// The room that a map may take, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Room {
    pub width: f64,
    pub plot_height: f64,
    /// Height of the whole map where a frame bounds it.
    pub most_height: Option<f64>,
    pub dpr: f64,
}

/// Layout of a map with labels, kept while nothing changes that it depends on.
#[derive(Debug, Default)]
pub struct LayoutCache(Option<Kept>);

#[derive(Debug)]
struct Kept {
    lengths: [f64; 4],
    names: [Vec<String>; 2],
    titles: [String; 2],
    sides: [Side; 2],
    form: CellFormat,
    font: String,
    layout: Rc<MapLayout>,
    surplus: f64,
}

impl LayoutCache {
    /// Lays out a map that is at most `most` high, labels included, with texts in `font`.
    pub fn lay_out(&mut self, request: &Request<'_>, most: f64, font: &str) -> Rc<MapLayout> {
        let lengths = [request.width, request.plot_height, request.dpr, most];
        let titles = [request.query_title, request.key_title];
        let is_same = |kept: &&mut Kept| {
            (kept.lengths, kept.sides, kept.form) == (lengths, request.sides, request.form)
                && kept.names == [request.queries, request.keys]
                && kept.titles == titles
                && kept.font == font
        };
        if let Some(kept) = self.0.as_mut().filter(is_same) {
            return Rc::clone(&kept.layout);
        }
        let (layout, surplus) = fit(request, most);
        let layout = Rc::new(layout);
        self.0 = Some(Kept {
            lengths,
            names: [request.queries, request.keys].map(<[String]>::to_vec),
            titles: titles.map(str::to_owned),
            sides: request.sides,
            form: request.form,
            font: font.to_owned(),
            layout: Rc::clone(&layout),
            surplus,
        });
        layout
    }

    /// How much higher the map would be without a bound.
    pub fn surplus(&self) -> f64 {
        self.0.as_ref().map_or(0.0, |kept| kept.surplus)
    }
}

/// A layout that is at most `most` high, labels included, and how much higher it would be otherwise.
fn fit(request: &Request<'_>, most: f64) -> (MapLayout, f64) {
    let natural = MapLayout::new(request);
    let full = natural.height;
    if full <= most {
        return (natural, 0.0);
    }
    let around = |layout: &MapLayout| layout.height - layout.plot.height;
    let highest = request.plot_height.min(natural.plot.height);
    let within = |plot| {
        let request = Request {
            plot_height: plot,
            ..*request
        };
        MapLayout::stretched(&request, STRETCH)
    };
    let mut layout = natural;
    let mut best: Option<MapLayout> = None;
    for _ in 0..TRIES {
        layout = within((most - around(&layout)).clamp(LEAST.min(highest), highest));
        let is_higher = |best: &MapLayout| best.plot.height < layout.plot.height;
        if layout.height <= most && best.as_ref().is_none_or(is_higher) {
            best = Some(layout.clone());
        }
    }
    let layout = best.unwrap_or(layout);
    let surplus = full - layout.height;
    (layout, surplus)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A map of words with themselves.
    fn request(words: &[String], (width, plot_height): (f64, f64)) -> Request<'_> {
        Request {
            width,
            plot_height,
            dpr: 1.0,
            queries: words,
            keys: words,
            query_title: "query ↓",
            key_title: "key →",
            sides: [Side::Queries, Side::Keys],
            form: CellFormat::Weights,
            corner: 0.0,
            measure: &|text, size| text.chars().count() as f64 * size * 0.5,
        }
    }

    fn with(most: f64, test: impl Fn(MapLayout, f64)) {
        let words = "The animal didn't cross the street because it was too tired";
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        let request = request(&words, (616.0, 560.0));
        let (layout, surplus) = fit(&request, most);
        assert_eq!(layout.height + surplus, MapLayout::new(&request).height);
        test(layout, surplus);
    }

    #[test]
    fn a_map_is_as_high_as_it_may_be_and_says_what_it_lacks() {
        with(f64::INFINITY, |_, surplus| assert_eq!(surplus, 0.0));
        for (most, width) in [
            (500.0, 600.0),
            (380.0, 600.0),
            (260.0, 560.0),
            (200.0, 480.0),
        ] {
            with(most, |layout, surplus| {
                assert!(layout.height <= most, "{} of {most}", layout.height);
                assert!(layout.height > most - 20.0, "{} of {most}", layout.height);
                assert!(
                    layout.width > width && layout.width <= 617.0,
                    "{} wide at {most}",
                    layout.width
                );
                assert!(surplus > 0.0);
            });
        }
        with(120.0, |layout, _| assert!(layout.height <= 120.0));
        with(0.0, |layout, _| assert!(layout.plot.height >= LEAST * 0.5));
    }

    #[test]
    fn a_layout_is_kept_until_something_changes_that_it_depends_on() {
        let words = ["a".to_owned(), "b".to_owned()];
        let other = ["a".to_owned(), "c".to_owned()];
        let request = request(&words, (300.0, 200.0));
        let most = f64::INFINITY;
        let mut cache = LayoutCache::default();
        let first = cache.lay_out(&request, most, "sans");
        assert!(Rc::ptr_eq(&first, &cache.lay_out(&request, most, "sans")));
        type Change<'a> = fn(&mut Request<'a>, &'a [String]);
        let changes: [Change<'_>; 9] = [
            |request, _| request.width = 310.0,
            |request, _| request.plot_height = 100.0,
            |request, _| request.dpr = 2.0,
            |request, other| request.queries = other,
            |request, other| request.keys = other,
            |request, _| request.query_title = "key ↓",
            |request, _| request.key_title = "query →",
            |request, _| request.sides = [Side::Keys, Side::Keys],
            |request, _| request.form = CellFormat::Unwritten,
        ];
        for (at, change) in changes.into_iter().enumerate() {
            let mut changed = request;
            change(&mut changed, &other);
            let first = cache.lay_out(&request, most, "sans");
            let second = cache.lay_out(&changed, most, "sans");
            assert!(!Rc::ptr_eq(&first, &second), "{at}");
            assert_eq!(*second, fit(&changed, most).0, "{at}");
        }
        for (most, font) in [(100.0, "sans"), (most, "serif")] {
            let first = cache.lay_out(&request, f64::INFINITY, "sans");
            assert!(!Rc::ptr_eq(&first, &cache.lay_out(&request, most, font)));
        }
    }
}
