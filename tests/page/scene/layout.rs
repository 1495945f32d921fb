//! Layout, and the way back from a pixel to a cell.

use app::scene::hit::{Pointed, Target};
use app::scene::layout::{
    CellFormat, LabelRotation, MAP_MAX_WIDTH, MapLayout, Request, Side, Viewport,
};
use app::scene::marks::{pointed, selection};
use app::scene::shape::Shape;
use proptest::prelude::*;

use super::{lay_out, measure};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_middle_of_a_cell_is_that_cell(
        width in 200.0_f64..900.0,
        dpr in prop_oneof![Just(1.0), Just(1.25), Just(1.5), Just(2.0), Just(2.625), Just(3.0)],
        (queries, keys) in (1_usize..70, 1_usize..70),
        place in (0.0_f64..1.0, 0.0_f64..1.0),
    ) {
        let layout = lay_out(width, dpr, queries, keys);
        let (query, key) = ((place.0 * queries as f64) as usize, (place.1 * keys as f64) as usize);
        let rect = layout.cell_rect(query, key);
        let middle = layout.target(rect.x + rect.width / 2.0, rect.y + rect.height / 2.0);
        prop_assert_eq!(middle, Some(Target::Cell { query, key }));
        let corner = layout.target(rect.x + 0.01 / dpr, rect.y + 0.01 / dpr);
        prop_assert_eq!(corner, Some(Target::Cell { query, key }));
        let label = layout.target(layout.plot.x / 2.0, rect.y + rect.height / 2.0);
        prop_assert_eq!(label, Some(Target::Query(query)));
        let label = layout.target(rect.x + rect.width / 2.0, layout.plot.y - 1.0);
        prop_assert_eq!(label, Some(Target::Key(key)));
    }

    #[test]
    fn pooled_cells_are_hit_in_their_block(cell in 0_usize..1024, dpr in 1.0_f64..1.2) {
        let layout = lay_out(390.0, dpr, 1024, 1023);
        prop_assert!(layout.rows.pool() > 1 && layout.columns.pool() > 1);
        let key = cell.min(1022);
        let rect = layout.cell_rect(cell, key);
        let hit = layout.target(rect.x + rect.width / 2.0, rect.y + rect.height / 2.0);
        let Some(Target::Cell { query, key: hit_key }) = hit else { panic!("{hit:?}") };
        prop_assert_eq!(layout.rows.block_of(query), layout.rows.block_of(cell));
        prop_assert_eq!(layout.columns.block_of(hit_key), layout.columns.block_of(key));
    }

    #[test]
    fn any_room_any_density_any_point(
        width in prop::num::f64::ANY, dpr in prop::num::f64::ANY, plot_height in prop::num::f64::ANY,
        (queries, keys) in (0_usize..9, 0_usize..9),
        at in (prop::num::f64::ANY, prop::num::f64::ANY),
    ) {
        let (queries, keys) = (&super::tokens(queries)[..], &super::tokens(keys)[..]);
        let layout = MapLayout::new(&Request {
            width, plot_height, dpr, queries, keys, query_title: "", key_title: "→", sides: [Side::Queries, Side::Keys], form: CellFormat::Weights, corner: 72.0, measure: &measure,
        });
        prop_assert!(layout.width.is_finite() && layout.height.is_finite() && layout.dpr > 0.0);
        let _ = layout.target(at.0, at.1);
        let _ = layout.size_device();
    }
}

#[test]
fn cells_are_square_bounded_and_equally_large() {
    for (width, dpr, cells) in [
        (MAP_MAX_WIDTH, 1.0, 13),
        (MAP_MAX_WIDTH, 2.0, 5),
        (390.0, 3.0, 17),
        (640.0, 1.25, 64),
    ] {
        let layout = lay_out(width, dpr, cells, cells);
        let (across, down) = layout.cell_size();
        assert_eq!(across, down);
        assert!(across <= 72.0);
        let sizes: Vec<u32> = (0..cells)
            .map(|cell| layout.columns.span(cell).len() as u32)
            .collect();
        assert!(
            sizes.iter().all(|&size| size == sizes[0]),
            "{cells} cells at {dpr}: {sizes:?}"
        );
    }
}

#[test]
fn the_map_uses_the_room() {
    for (width, cells) in [(390.0, 12), (MAP_MAX_WIDTH, 14), (MAP_MAX_WIDTH, 100)] {
        let layout = lay_out(width, 2.0, cells, cells);
        assert!(
            layout.width > 0.9 * width,
            "{cells} cells in {width}: only {}",
            layout.width
        );
    }
}

#[test]
fn long_thin_maps_stay_visible() {
    for (queries, keys) in [(1, 1000), (1000, 1), (3, 511)] {
        let layout = lay_out(700.0, 1.0, queries, keys);
        let short = layout.plot.width.min(layout.plot.height);
        assert!(short >= 15.0, "{queries} × {keys}: {:?}", layout.plot);
    }
}

#[test]
fn single_characters_stand_upright_in_columns_as_narrow_as_they_are() {
    let characters: Vec<String> = "这只动物没有过马路因为它太累"
        .chars()
        .map(String::from)
        .collect();
    let layout = MapLayout::new(&Request {
        width: 250.0,
        plot_height: f64::INFINITY,
        dpr: 2.0,
        queries: &characters,
        keys: &characters,
        query_title: "查询 ↓",
        key_title: "键 →",
        sides: [Side::Queries, Side::Keys],
        form: CellFormat::Weights,
        corner: 0.0,
        measure: &|text, size| text.chars().count() as f64 * size,
    });
    assert!(layout.cell_size().0 < 16.0, "{:?}", layout.cell_size());
    assert_eq!(layout.key_labels.turn, LabelRotation::Level);
}

#[test]
fn labels_turn_when_columns_become_narrow() {
    let turn = |cells: usize| {
        let tokens: Vec<String> = ["street", "animal", "it"]
            .into_iter()
            .cycle()
            .take(cells)
            .map(str::to_owned)
            .collect();
        let (queries, keys, measure) = (&tokens[..], &tokens[..], &measure);
        let request = Request {
            width: 700.0,
            plot_height: 640.0,
            dpr: 2.0,
            queries,
            keys,
            query_title: "q",
            key_title: "k",
            sides: [Side::Queries, Side::Keys],
            form: CellFormat::Weights,
            corner: 0.0,
            measure,
        };
        let layout = MapLayout::new(&request);
        (layout.key_labels.turn, layout.key_labels.stride)
    };
    assert_eq!(turn(7), (LabelRotation::Level, 1));
    assert_eq!(turn(17), (LabelRotation::Slanted, 1));
    assert_eq!(turn(37), (LabelRotation::Upright, 1));
    assert_eq!(turn(111), (LabelRotation::Upright, 5));
}

#[test]
fn values_are_written_as_long_as_they_fit() {
    let digits = |cells| {
        lay_out(700.0, 2.0, cells, cells)
            .values
            .map(|values| values.style.width())
    };
    assert_eq!(
        [9, 17, 20, 33, 64].map(digits),
        [Some(4), Some(3), Some(3), Some(2), None]
    );
    for cells in [9, 20, 33] {
        let layout = lay_out(700.0, 2.0, cells, cells);
        let values = layout.values.expect("fits");
        assert!(measure(&values.style.write(0.62), values.size) < layout.cell_size().0);
    }
}

#[test]
fn slanted_labels_are_hit_along_their_slope() {
    let layout = lay_out(MAP_MAX_WIDTH, 1.0, 17, 16);
    assert_eq!(layout.key_labels.turn, LabelRotation::Slanted);
    let column = layout.column_rect(4);
    let (x, y) = (column.x + column.width / 2.0, layout.plot.y - 6.0);
    assert_eq!(layout.target(x + 40.0, y - 40.0), Some(Target::Key(4)));
    let (title, first) = (layout.plot.x - 20.0, layout.plot.y - 10.0);
    assert_eq!(layout.target(title, first), None, "a title is not a label");
    assert_eq!(layout.target(-1.0, layout.plot.y + 1.0), None);
    assert_eq!(
        layout.target(x, layout.plot.y + layout.plot.height + 1.0),
        None
    );
}

#[test]
fn a_zoomed_map_reads_as_it_is_drawn_and_moves_nothing() {
    for dpr in [1.0, 1.5, 2.0] {
        let whole = lay_out(500.0, dpr, 64, 64);
        let frame = Viewport::whole(64, 64)
            .expect("large")
            .framed((11, 2), (29, 20));
        let layout = whole.zoomed(&frame, CellFormat::Weights, &measure);
        assert_eq!(
            (layout.plot, layout.width, layout.height),
            (whole.plot, whole.width, whole.height)
        );
        for (row, column) in [(11, 2), (29, 20), (17, 9)] {
            let cell = layout.cell_rect(row, column);
            let (x, y) = (cell.x + cell.width / 2.0, cell.y + cell.height / 2.0);
            let found = layout.target(x, y);
            assert_eq!(
                found,
                Some(Target::Cell {
                    query: row,
                    key: column
                })
            );
            assert_eq!(layout.nearest_cell(x, y), Some((row, column)));
        }
        assert_eq!(layout.nearest_cell(-99.0, 9999.0), Some((29, 2)));
        let drawn = (
            layout.query_labels.drawn(Some(63)),
            layout.key_labels.drawn(None),
        );
        assert_eq!(
            drawn,
            ((11..30).collect(), (2..21).collect()),
            "every label has room"
        );
        assert!(
            pointed(
                &layout,
                Pointed {
                    query: Some(3),
                    key: Some(40)
                },
                None
            )
            .iter()
            .all(|shape| matches!(shape, Shape::Words(_)))
        );
        assert_eq!(selection(&layout, 30, Some(5)), [], "below what is shown");
    }
}

#[test]
fn the_overview_leaves_every_cell_within_reach() {
    let whole = lay_out(500.0, 1.0, 64, 64);
    let near = Viewport::whole(64, 64)
        .expect("large")
        .framed((0, 0), (15, 15));
    for (down, across) in [(0.0, 0.0), (0.5, 1.0), (1.0, 0.5), (1.0, 1.0)] {
        let shown = near.panned(down, across);
        let rect = whole.overview(&shown, None);
        let plot = whole.plot;
        assert!(rect.x >= plot.x && rect.x + rect.width <= plot.x + plot.width);
        assert!(rect.y >= plot.y && rect.y + rect.height <= plot.y + plot.height);
        assert_eq!(
            rect.x < plot.x + 50.0,
            (down, across) == (1.0, 1.0),
            "{down} {across}"
        );
    }
    let shown = near.panned(0.5, 0.5);
    let of = |cell| whole.overview(&shown, Some(cell));
    assert_ne!(of((38, 38)), of((25, 38)), "not over the chosen cell");
}
