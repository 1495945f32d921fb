//! Pixels, against a slow painter that looks up each one by itself.

use app::scene::axis::Axis;
use app::scene::colour::oklab::lab_from_srgb8;
use app::scene::colour::{Background, Lut};
use app::scene::heatmap::{
    Grid, GridError, Hatch, Hidden, PoolBy, Pooling, Style, paint, paint_colour_bar, paint_small,
};
use app::scene::scale::Scale;
use app::state::ColourMap;
use app::state::ColourScale;
use proptest::prelude::*;

use super::weights;

/// Everything that a picture needs besides its weights.
struct Kit {
    lut: Lut,
    scale: Scale,
    hatch: Hatch,
}

impl Kit {
    fn new(kind: ColourScale, dpr: f64) -> Self {
        let lut = Lut::new(ColourMap::Tide, Background::Light);
        Self {
            lut,
            scale: Scale::new(kind, 0.8),
            hatch: Hatch::new(Background::Light, dpr),
        }
    }

    fn style(&self, pool_by: PoolBy) -> Style<'_> {
        Style {
            lut: &self.lut,
            scale: &self.scale,
            hatch: &self.hatch,
            pool_by,
        }
    }
}

/// Pixel `(x, y)` of a picture `width` pixels wide.
fn pixel(bytes: &[u8], width: u32, x: u32, y: u32) -> [u8; 4] {
    let at = 4 * (y as usize * width as usize + x as usize);
    [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]
}

/// Pooled value of a block of `cells` on both axes; `None` if all of it is hidden.
fn pooled(
    grid: &Grid<'_>,
    hidden: &Hidden,
    rows: &Axis,
    columns: &Axis,
    at: (usize, usize),
    by: PoolBy,
) -> Option<f32> {
    let block = |axis: &Axis, at: usize| {
        let (shown, pool) = (axis.range(), axis.pool());
        let start = shown.start + at * pool;
        start..(start + pool).min(shown.end)
    };
    let (queries, keys) = (block(rows, at.0), block(columns, at.1));
    let cells = queries.flat_map(|query| keys.clone().map(move |key| (query, key)));
    let seen: Vec<f32> = cells
        .filter(|&(q, k)| !hidden.is_hidden(q, k))
        .filter_map(|(q, k)| grid.weight(q, k))
        .collect();
    let value = match by {
        PoolBy::Max => seen.iter().copied().fold(0.0, f32::max),
        PoolBy::Mean => seen.iter().sum::<f32>() / seen.len() as f32,
        PoolBy::Peak => seen.iter().copied().fold(0.0, |peak, value| {
            if value.abs() > f32::abs(peak) {
                value
            } else {
                peak
            }
        }),
    };
    (!seen.is_empty()).then_some(value)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_visible_pixel_has_the_colour_of_its_weight(
        (queries, keys) in (1_usize..40, 1_usize..90),
        (height, width) in (1_u32..60, 1_u32..140),
        (step, log, mean) in (2_usize..9, any::<bool>(), any::<bool>()),
        part in (0.0_f64..1.0, 0.0_f64..1.0),
    ) {
        let kit = Kit::new(if log { ColourScale::Log } else { ColourScale::Linear }, 1.0);
        let by = if mean { PoolBy::Mean } else { PoolBy::Max };
        let hidden = Hidden::new(queries, keys, |query, key| (query * 5 + key) % step == 0);
        let weights = weights(queries * keys);
        let grid = Grid::new(&weights, &hidden).expect("sizes agree");
        // Some of the rows and columns, up to the last.
        let from = |cells: usize, share: f64| (cells as f64 * share) as usize..cells;
        let (rows, columns) = (Axis::part(from(queries, part.0), height), Axis::part(from(keys, part.1), width));
        let mut bytes = vec![7; 11];
        let picture = paint(&grid, &rows, &columns, &kit.style(by), &mut bytes);
        prop_assert_eq!((picture.width, picture.height), (width, height));
        prop_assert_eq!(bytes.len(), 4 * (width * height) as usize);
        for y in 0..height {
            for x in 0..width {
                let at = (rows.block_at(y).expect("inside"), columns.block_at(x).expect("inside"));
                let found = pixel(&bytes, width, x, y);
                prop_assert_eq!(found[3], 255);
                if let Some(value) = pooled(&grid, &hidden, &rows, &columns, at, by) {
                    let [found, wanted] = [found, kit.lut.colour(kit.scale.index(value))].map(|[r, g, b, _]| [r, g, b]);
                    // A mean may be rounded differently when it is summed in another order.
                    let off = lab_from_srgb8(found).distance(lab_from_srgb8(wanted));
                    prop_assert!(off == 0.0 || by == PoolBy::Mean && off < 0.01, "pixel {x}, {y}: {found:?}, not {wanted:?}");
                }
            }
        }
    }
}

#[test]
fn hidden_cells_are_one_hatched_area_that_is_not_zero() {
    let kit = Kit::new(ColourScale::Linear, 2.0);
    let hidden = Hidden::new(5, 7, |query, key| key > query + 1);
    let weights = vec![0.0; 35];
    let grid = Grid::new(&weights, &hidden).expect("sizes agree");
    let (rows, columns) = (Axis::new(5, 103), Axis::new(7, 151));
    let mut bytes = Vec::new();
    paint(&grid, &rows, &columns, &kit.style(PoolBy::Max), &mut bytes);
    let is_hidden = |x, y| {
        hidden.is_hidden(
            rows.block_at(y).expect("inside"),
            columns.block_at(x).expect("inside"),
        )
    };
    let zero = kit.lut.colour(0);
    let mut tones = std::collections::BTreeSet::new();
    for (x, y) in (0..103).flat_map(|y| (0..151).map(move |x| (x, y))) {
        let here = pixel(&bytes, 151, x, y);
        assert_eq!(is_hidden(x, y), here != zero, "pixel {x}, {y}");
        if is_hidden(x, y) {
            tones.insert(here);
            if x > 0 && y < 102 && is_hidden(x - 1, y + 1) {
                assert_eq!(
                    here,
                    pixel(&bytes, 151, x - 1, y + 1),
                    "lines rise to the right and cross cell edges: {x}, {y}"
                );
            }
        }
    }
    assert!(
        tones.len() > 2,
        "lines with soft edges on a ground: {tones:?}"
    );
}

#[test]
fn rows_where_nothing_is_visible_are_hatched_the_other_way() {
    let kit = Kit::new(ColourScale::Linear, 1.0);
    let hidden = Hidden::new(3, 70, |query, key| query == 1 || key > 65);
    let weights = vec![0.0; 210];
    let grid = Grid::new(&weights, &hidden).expect("sizes agree");
    let (rows, columns) = (Axis::new(3, 60), Axis::new(70, 140));
    let mut bytes = Vec::new();
    paint(&grid, &rows, &columns, &kit.style(PoolBy::Max), &mut bytes);
    let row = |y| {
        (0..140)
            .map(|x| pixel(&bytes, 140, x, y))
            .collect::<Vec<_>>()
    };
    assert_eq!(row(30)[..139], row(31)[1..], "lines fall to the right");
    assert_ne!(row(30)[1..], row(31)[..139], "and do not rise");
    assert!(
        row(10)[135..]
            .iter()
            .all(|tone| !row(30).contains(tone) || *tone == row(10)[139]),
        "with another line colour"
    );
    assert_eq!(hidden.empty_rows().collect::<Vec<_>>(), [1]);
    assert_eq!(hidden.count(), 70 + 2 * 4);
}

#[test]
fn pooling_is_reported_and_keeps_peaks() {
    let kit = Kit::new(ColourScale::Linear, 1.0);
    let hidden = Hidden::none(33, 101);
    let mut weights = vec![0.0; 33 * 101];
    weights[17 * 101 + 58] = 0.8;
    let grid = Grid::new(&weights, &hidden).expect("sizes agree");
    let (rows, columns) = (Axis::new(33, 10), Axis::new(101, 50));
    let mut bytes = Vec::new();
    let picture = paint(&grid, &rows, &columns, &kit.style(PoolBy::Max), &mut bytes);
    assert_eq!(
        picture.pooling,
        Some(Pooling {
            queries: 4,
            keys: 3,
            by: PoolBy::Max
        })
    );
    let peak = kit.lut.colour(kit.scale.index(0.8));
    assert!(
        bytes.chunks_exact(4).any(|pixel| pixel == peak),
        "the only peak is gone"
    );
    let picture = paint(
        &grid,
        &Axis::new(33, 33),
        &Axis::new(101, 202),
        &kit.style(PoolBy::Max),
        &mut bytes,
    );
    assert_eq!(picture.pooling, None);
}

#[test]
fn a_buffer_may_be_reused_for_another_size() {
    let kit = Kit::new(ColourScale::Log, 1.5);
    let (mut reused, mut fresh) = (Vec::new(), Vec::new());
    for (queries, keys, height, width) in [(9, 11, 90, 121), (2, 3, 31, 17), (13, 5, 64, 44)] {
        let hidden = Hidden::new(queries, keys, |query, key| query == 1 || key == 4);
        let weights = weights(queries * keys);
        let grid = Grid::new(&weights, &hidden).expect("sizes agree");
        fresh.clear();
        for bytes in [&mut reused, &mut fresh] {
            paint(
                &grid,
                &Axis::new(queries, height),
                &Axis::new(keys, width),
                &kit.style(PoolBy::Max),
                bytes,
            );
        }
        assert_eq!(reused, fresh);
    }
}

#[test]
fn thumbnails_have_one_pixel_per_cell_and_a_flat_tone_for_hidden_ones() {
    let kit = Kit::new(ColourScale::Linear, 2.0);
    let hidden = Hidden::new(5, 7, |query, key| key > query + 1);
    let weights = weights(35);
    let grid = Grid::new(&weights, &hidden).expect("sizes agree");
    let mut bytes = Vec::new();
    let picture = paint_small(&grid, 64, &kit.style(PoolBy::Max), &mut bytes);
    assert_eq!(
        (picture.width, picture.height, picture.pooling),
        (7, 5, None)
    );
    let flat = pixel(&bytes, 7, 6, 0);
    for (query, key) in (0..5).flat_map(|query| (0..7).map(move |key| (query, key))) {
        let here = pixel(&bytes, 7, key as u32, query as u32);
        if hidden.is_hidden(query, key) {
            assert_eq!(here, flat);
        } else {
            assert_eq!(
                here,
                kit.lut.colour(kit.scale.index(weights[query * 7 + key]))
            );
        }
    }
    assert_ne!(flat, kit.lut.colour(0));
    let picture = paint_small(&grid, 3, &kit.style(PoolBy::Mean), &mut bytes);
    assert_eq!((picture.width, picture.height), (3, 3));
    assert_eq!(
        picture.pooling,
        Some(Pooling {
            queries: 2,
            keys: 3,
            by: PoolBy::Mean
        })
    );
}

#[test]
fn the_colour_bar_runs_from_end_to_end() {
    let lut = Lut::new(ColourMap::Blues, Background::Dark);
    let mut bytes = Vec::new();
    for (width, height) in [(1, 1), (2, 3), (256, 2), (611, 7), (0, 5), (5, 0)] {
        paint_colour_bar(&lut, width, height, &mut bytes);
        assert_eq!(bytes.len(), 4 * (width * height) as usize);
        if width > 1 && height > 0 {
            assert_eq!(pixel(&bytes, width, 0, height - 1), lut.colour(0));
            assert_eq!(pixel(&bytes, width, width - 1, height - 1), lut.colour(255));
        }
    }
    paint_colour_bar(&lut, 256, 2, &mut bytes);
    assert!((0..=255).all(|x: u8| pixel(&bytes, 256, x.into(), 1) == lut.colour(x)));
}

#[test]
fn weights_of_another_size_are_refused() {
    let hidden = Hidden::none(3, 5);
    let refused = Grid::new(&[0.0; 14], &hidden).expect_err("one value is missing");
    assert_eq!(
        refused,
        GridError {
            found: 14,
            queries: 3,
            keys: 5
        }
    );
    assert_eq!(
        refused.to_string(),
        "weights: 14 values, but 3 queries × 5 keys are to be drawn"
    );
}

#[test]
fn empty_maps_broken_weights_and_foreign_axes_do_no_harm() {
    let kit = Kit::new(ColourScale::Log, 1.0);
    let mut bytes = Vec::new();
    for (queries, keys) in [(0, 0), (0, 5), (3, 0), (3, 5)] {
        let hidden = Hidden::new(queries, keys, |_, _| true);
        let weights = vec![f32::NAN; queries * keys];
        let grid = Grid::new(&weights, &hidden).expect("sizes agree");
        for (height, width) in [(0, 0), (0, 9), (7, 0), (7, 9)] {
            for cells in [0, 1, 4, 100] {
                paint(
                    &grid,
                    &Axis::new(cells, height),
                    &Axis::new(cells + 1, width),
                    &kit.style(PoolBy::Mean),
                    &mut bytes,
                );
                assert_eq!(bytes.len(), 4 * (width * height) as usize);
            }
        }
        paint_small(&grid, 0, &kit.style(PoolBy::Max), &mut bytes);
    }
}

#[test]
fn around_even_each_row_is_measured_by_the_keys_it_sees() {
    let lut = Lut::diverging(Background::Light);
    let (scale, hatch) = (
        Scale::new(ColourScale::Even, 1.0),
        Hatch::new(Background::Light, 1.0),
    );
    let style = Style {
        lut: &lut,
        scale: &scale,
        hatch: &hatch,
        pool_by: PoolBy::Max,
    };
    let hidden = Hidden::new(3, 4, |query, key| key > query + 1);
    let weights = [
        0.5,
        0.5,
        0.0,
        0.0,
        1.0 / 3.0,
        1.0 / 3.0,
        1.0 / 3.0,
        0.0,
        0.5,
        0.25,
        0.125,
        0.125,
    ];
    let grid = Grid::new(&weights, &hidden).expect("sizes agree");
    let place = |times| lut.colour(scale.index(times));
    let mut bytes = Vec::new();
    let paint_in = |[height, width]: [u32; 2], bytes: &mut Vec<u8>| {
        let (rows, columns) = (Axis::new(3, height), Axis::new(4, width));
        paint(&grid, &rows, &columns, &style, bytes);
    };
    paint_in([3, 4], &mut bytes);
    for (x, y, times) in [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (2, 1, 1.0),
        (0, 2, 2.0),
        (1, 2, 1.0),
        (3, 2, 0.5),
    ] {
        assert_eq!(pixel(&bytes, 4, x, y), place(times), "{x}, {y}");
    }
    paint_in([1, 2], &mut bytes);
    assert_eq!(
        pixel(&bytes, 2, 0, 0),
        place(2.0),
        "the largest multiple of a block"
    );
    assert_eq!(pixel(&bytes, 2, 1, 0), place(1.0));
}
