//! Marks: inside the picture, apart from each other, with the right meaning.

use app::scene::colour::{Background, Ink, Lut, contrast_ratio};
use app::scene::figure::palette::Inks;
use app::scene::heatmap::{Grid, Hidden};
use app::scene::hit::Pointed;
use app::scene::layout::{LabelRotation, MAP_MAX_WIDTH, MapLayout, Rect};
use app::scene::marks::{
    ColourBar, cell_values, colour_bar, crosshair, empty_rows, frame, labels, lit, pointed,
    selection, titles,
};
use app::scene::role::Role;
use app::scene::scale::Scale;
use app::scene::shape::{Anchor, Shape, TextRun};
use app::state::ColourMap;
use app::state::ColourScale;

use super::{lay_out, measure, weights};

/// The four corners of a text, from its width, the height of a capital and a descender.
fn corners(mark: &Shape) -> Vec<(f64, f64)> {
    match mark {
        Shape::Rect {
            rect:
                Rect {
                    x,
                    y,
                    width,
                    height,
                },
            ..
        } => vec![(*x, *y), (x + width, y + height)],
        Shape::Words(TextRun {
            x,
            y,
            text,
            anchor,
            degrees,
            size,
            ..
        }) => {
            let width = measure(text, *size);
            let start = match anchor {
                Anchor::Start => 0.0,
                Anchor::Middle => -width / 2.0,
                Anchor::End => -width,
            };
            let (sin, cos) = degrees.to_radians().sin_cos();
            let turned = |along: f64, down: f64| {
                (x + along * cos - down * sin, y + along * sin + down * cos)
            };
            let (up, down) = (-0.7 * size, 0.0);
            [
                (start, up),
                (start + width, up),
                (start, down),
                (start + width, down),
            ]
            .map(|(a, b)| turned(a, b))
            .into()
        }
        other => panic!("{other:?} is no mark"),
    }
}

fn role(mark: &Shape) -> Role {
    match mark {
        Shape::Rect { role, .. } | Shape::Words(TextRun { role, .. }) => *role,
        other => panic!("{other:?} is no mark"),
    }
}

fn with_role(marks: &[Shape], wanted: Role) -> usize {
    marks.iter().filter(|mark| role(mark) == wanted).count()
}

fn assert_inside(layout: &MapLayout, marks: &[Shape]) {
    for mark in marks {
        for (x, y) in corners(mark) {
            let inside =
                x >= -0.5 && x <= layout.width + 0.5 && y >= -0.5 && y <= layout.height + 0.5;
            assert!(
                inside,
                "({x}, {y}) of {mark:?} is outside {} × {}",
                layout.width, layout.height
            );
        }
    }
}

#[test]
fn labels_and_titles_stay_inside_the_picture() {
    for (width, queries, keys) in [
        (390.0, 12, 13),
        (MAP_MAX_WIDTH, 17, 16),
        (MAP_MAX_WIDTH, 9, 7),
        (500.0, 61, 64),
        (300.0, 1, 2),
        (700.0, 1024, 999),
        (400.0, 0, 0),
    ] {
        let layout = lay_out(width, 2.0, queries, keys);
        assert_inside(&layout, &labels(&layout, Some(0), Some(keys / 2)));
        assert_inside(&layout, &titles(&layout));
        assert_inside(&layout, &frame(&layout));
    }
}

#[test]
fn row_labels_do_not_touch_each_other_or_the_plot() {
    for (queries, chosen) in [(12, None), (61, Some(3)), (1024, Some(501))] {
        let layout = lay_out(700.0, 1.0, queries, queries);
        let marks = labels(&layout, chosen, None);
        let mut last = f64::NEG_INFINITY;
        for mark in &marks {
            let Shape::Words(TextRun {
                x,
                y,
                size,
                role: Role::QueryLabel | Role::QueryLabelChosen,
                ..
            }) = mark
            else {
                continue;
            };
            assert!(
                y - last >= *size,
                "{queries}: lines {last} and {y} are closer than {size}"
            );
            assert!(*x < layout.plot.x);
            last = *y;
        }
        assert_eq!(
            with_role(&marks, Role::QueryLabelChosen),
            usize::from(chosen.is_some())
        );
    }
}

#[test]
fn column_labels_point_at_the_middle_of_their_column() {
    for (keys, turn) in [
        (7, LabelRotation::Level),
        (17, LabelRotation::Slanted),
        (40, LabelRotation::Upright),
    ] {
        let layout = match turn {
            LabelRotation::Level => lay_out(MAP_MAX_WIDTH, 1.0, 3, 2),
            _ => lay_out(MAP_MAX_WIDTH, 1.0, keys, keys),
        };
        if turn != LabelRotation::Level {
            assert_eq!(layout.key_labels.turn, turn);
        }
        let marks = labels(&layout, None, Some(1));
        let chosen = marks
            .iter()
            .find(|mark| role(mark) == Role::KeyLabelChosen)
            .expect("drawn");
        let column = layout.column_rect(1);
        let all = corners(chosen);
        let (left, right) = match turn {
            LabelRotation::Slanted => (all[0].0.min(all[2].0), all[0].0.max(all[2].0)),
            _ => all
                .iter()
                .fold((f64::MAX, f64::MIN), |(low, high), &(x, _)| {
                    (low.min(x), high.max(x))
                }),
        };
        let off = (left + right) / 2.0 - (column.x + column.width / 2.0);
        assert!(off.abs() < 1.0, "{turn:?}: off by {off}");
        assert!(
            all.iter().all(|&(_, y)| y < layout.plot.y),
            "{turn:?}: reaches into the plot"
        );
    }
}

#[test]
fn an_even_row_has_one_number() {
    let (lut, scale) = (
        Lut::new(ColourMap::Tide, Background::Light),
        Scale::new(ColourScale::Linear, 1.0),
    );
    // About 1 / 8, on both sides of what two digits can hold.
    let weights = [0.1248, 0.1254, 0.1249, 0.1251, 0.1252, 0.1246];
    let hidden = Hidden::new(1, 6, |_, _| false);
    let grid = Grid::new(&weights, &hidden).expect("sizes agree");
    let marks = cell_values(&lay_out(600.0, 2.0, 1, 6), &grid, &lut, &scale);
    let texts: Vec<&str> = marks
        .iter()
        .map(|mark| match mark {
            Shape::Words(words) => &*words.text,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(texts, ["0.12"; 6]);
}

#[test]
fn values_are_written_in_visible_cells_in_the_ink_that_can_be_read() {
    let (lut, scale) = (
        Lut::new(ColourMap::YlOrRd, Background::Light),
        Scale::new(ColourScale::Linear, 1.0),
    );
    let hidden = Hidden::new(5, 7, |query, key| key > query);
    let weights = weights(35);
    let grid = Grid::new(&weights, &hidden).expect("sizes agree");
    let layout = lay_out(600.0, 2.0, 5, 7);
    let marks = cell_values(&layout, &grid, &lut, &scale);
    assert_eq!(marks.len(), 5 + 4 + 3 + 2 + 1);
    let Shape::Words(TextRun {
        text, role, x, y, ..
    }) = &marks[2]
    else {
        panic!("{:?}", marks[2])
    };
    assert_eq!(
        *text,
        format!("{:.2}", weights[7 + 1]),
        "the third visible cell is query 1, key 1"
    );
    let wanted = if lut.ink(scale.index(weights[8])) == Ink::Black {
        Role::ValueBlack
    } else {
        Role::ValueWhite
    };
    assert_eq!(*role, wanted);
    let cell = layout.cell_rect(1, 1);
    assert!(
        (x - cell.x - cell.width / 2.0).abs() < 1e-9
            && (y - cell.y - cell.height / 2.0).abs() < 6.0
    );
    assert!(with_role(&marks, Role::ValueBlack) > 0 && with_role(&marks, Role::ValueWhite) > 0);
    assert_eq!(
        cell_values(&lay_out(600.0, 2.0, 99, 98), &grid, &lut, &scale),
        [],
        "too small to write"
    );
}

#[test]
fn rows_without_a_visible_key_are_marked() {
    let layout = lay_out(600.0, 2.0, 5, 7);
    let hidden = Hidden::new(5, 7, |query, key| query == 3 || key == 2);
    let marks = empty_rows(&layout, &hidden);
    let [
        Shape::Rect {
            rect,
            role: Role::EmptyRow,
        },
    ] = &marks[..]
    else {
        panic!("{marks:?}")
    };
    assert_eq!(
        (rect.y, rect.height),
        (layout.row_rect(3).y, layout.row_rect(3).height)
    );
}

#[test]
fn a_row_marks_the_label_that_it_looks_at_and_lines_lead_down_to_it() {
    let layout = lay_out(500.0, 1.0, 5, 7);
    let row = Pointed {
        query: Some(2),
        key: None,
    };
    let marks = pointed(&layout, row, Some(3));
    let [labelled, lines] = [Role::KeyLabelChosen, Role::CrossKey].map(|role| {
        let is_of = move |shape: &&Shape| match shape {
            Shape::Words(text) => text.role == role,
            Shape::Rect { role: own, .. } => *own == role,
            _ => false,
        };
        marks.iter().filter(is_of).collect::<Vec<_>>()
    });
    assert_eq!(labelled.len(), 1);
    let column = layout.column_rect(3);
    let places: Vec<_> = lines.iter().map(|line| corners(line)).collect();
    let (top, bottom) = (layout.plot.y, layout.row_rect(2).y);
    let right = column.x + column.width;
    assert_eq!(
        places,
        [
            vec![(column.x - 1.0, top), (column.x, bottom)],
            vec![(right, top), (right + 1.0, bottom)],
        ]
    );
    // A cell has its crosshair instead, and a key that is not shown no lines.
    let cell = Pointed {
        query: Some(2),
        key: Some(1),
    };
    assert_eq!(
        pointed(&layout, cell, Some(3)),
        pointed(&layout, cell, None)
    );
    assert_eq!(pointed(&layout, row, Some(7)), pointed(&layout, row, None));
}

#[test]
fn crosshair_and_ring_leave_their_cell_free() {
    let layout = lay_out(600.0, 1.5, 5, 7);
    let cell = layout.cell_rect(2, 3);
    let marks = crosshair(&layout, Some(2), Some(3));
    assert_eq!(with_role(&marks, Role::CrossQuery), 2);
    assert_eq!(with_role(&marks, Role::CrossKey), 2);
    assert_eq!(with_role(&marks, Role::Ring), 4);
    for mark in &marks {
        let Shape::Rect { rect, .. } = mark else {
            panic!("{mark:?}")
        };
        let across = rect.x < cell.x + cell.width - 1e-6 && cell.x + 1e-6 < rect.x + rect.width;
        let down = rect.y < cell.y + cell.height - 1e-6 && cell.y + 1e-6 < rect.y + rect.height;
        assert!(!(across && down), "{mark:?} covers a part of the cell");
        for edge in [rect.x, rect.y, rect.x + rect.width, rect.y + rect.height] {
            assert!(
                (edge * 1.5 - (edge * 1.5).round()).abs() < 1e-6,
                "{mark:?} is not on whole device pixels"
            );
        }
    }
    assert_eq!(crosshair(&layout, Some(5), Some(7)), [], "outside");
    assert_eq!(selection(&layout, 5, None), [], "outside");
    assert_eq!(selection(&layout, 2, Some(7)), [], "outside");
    assert_eq!(selection(&layout, 2, None).len(), 12);
}

/// Of each cell but those that are chosen, a quarter at most lies under the ring, and never its middle.
#[test]
fn a_ring_covers_no_cell_at_any_number_of_tokens() {
    for dpr in [1.0, 1.5, 2.0, 4.0] {
        for count in [1, 2, 3, 11, 31, 64, 101, 120, 150, 300, 700] {
            let layout = lay_out(600.0, dpr, count, count);
            let (row, column) = (count / 2, count / 3);
            for key in [None, Some(column)] {
                let marks = selection(&layout, row, key);
                assert!(!marks.is_empty(), "{count} tokens at {dpr}");
                for other in (0..count).filter(|other| other.abs_diff(row) <= 3) {
                    let cells = layout.row_rect(other);
                    if layout.rows.pool() > 1 || (other == row && key.is_none()) {
                        continue;
                    }
                    let middle = cells.y + cells.height / 2.0;
                    for mark in &marks {
                        let Shape::Rect { rect, .. } = mark else {
                            panic!("{mark:?}")
                        };
                        let is_in_plot = rect.x < layout.plot.x + layout.plot.width - 1e-6
                            && rect.x + rect.width > layout.plot.x + 1e-6;
                        let is_over = rect.y < middle && middle < rect.y + rect.height;
                        let is_side =
                            key.is_some() && rect.width <= layout.cell_size().0 / 4.0 + 1e-6;
                        assert!(
                            !is_in_plot || !is_over || is_side,
                            "{count} tokens at {dpr}: {mark:?} covers row {other}"
                        );
                        if is_in_plot && !is_side {
                            let top = rect.y.max(cells.y);
                            let covered = (rect.y + rect.height).min(cells.y + cells.height) - top;
                            assert!(
                                covered <= cells.height / 4.0 + 1e-6,
                                "{count} tokens at {dpr}: {covered} of {}",
                                cells.height
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn lit_cells_have_a_line_each_or_one_ring_around_their_rectangle() {
    let layout = lay_out(600.0, 2.0, 5, 7);
    let row: Vec<(usize, usize)> = (0..7).map(|column| (3, column)).collect();
    assert_eq!(lit(&layout, &row), selection(&layout, 3, None));
    let apart = lit(&layout, &[(0, 0), (4, 6)]);
    assert_eq!(apart.len(), 8);
    assert_eq!(lit(&layout, &[(5, 0), (0, 7)]), [], "outside");
    assert_eq!(lit(&layout, &[]), []);
}

#[test]
fn numbers_of_the_colour_bar_do_not_touch() {
    let kinds = ColourScale::ALL;
    let cases = kinds
        .into_iter()
        .flat_map(|kind| [0.2, 0.7].map(|largest| Scale::new(kind, largest)));
    for (scale, width) in cases.flat_map(|scale| {
        (40..700)
            .step_by(11)
            .map(move |width| (scale, f64::from(width)))
    }) {
        let rect = Rect {
            x: 10.0,
            y: 5.0,
            width,
            height: 12.0,
        };
        let bar = ColourBar {
            rect,
            size: 12.0,
            dpr: 2.0,
            even: "even",
            measure: &measure,
        };
        let marks = colour_bar(&bar, &scale);
        let texts = marks.iter().filter(|mark| role(mark) == Role::TickLabel);
        let extents: Vec<(f64, f64)> = texts
            .map(|mark| (corners(mark)[0].0, corners(mark)[1].0))
            .collect();
        let [first, .., last] = extents[..] else {
            panic!("{width}: both ends are always there")
        };
        assert!(
            first.0 >= rect.x && last.1 <= rect.x + width + 1e-9,
            "{extents:?}"
        );
        let apart = extents.windows(2).all(|pair| pair[0].1 + 7.9 < pair[1].0);
        assert!(apart || extents.len() == 2, "{width}: {extents:?}");
    }
}

#[test]
fn small_numbers_and_those_of_an_even_row_are_soft_as_long_as_they_can_be_read() {
    let scale = Scale::new(ColourScale::Linear, 1.0);
    let hidden = Hidden::new(3, 4, |query, key| query == 1 && key > 1);
    let weights = [
        0.1, 0.1, 0.1, 0.1, 0.5, 0.5, 0.0, 0.0, 0.25, 0.25, 0.12, 0.38,
    ];
    let grid = Grid::new(&weights, &hidden).expect("sizes agree");
    let layout = lay_out(600.0, 2.0, 3, 4);
    for ground in [Background::Light, Background::Dark] {
        let lut = Lut::new(ColourMap::Tide, ground);
        let roles = |scale: &Scale| -> Vec<bool> {
            let marks = cell_values(&layout, &grid, &lut, scale);
            marks
                .iter()
                .map(|mark| role(mark) == Role::ValueSoft)
                .collect()
        };
        let soft = [
            true, true, true, true, false, false, false, false, true, false,
        ];
        assert_eq!(
            roles(&scale),
            soft,
            "{ground:?}: too deep at 0.5, one small in the third row"
        );
        assert_eq!(
            roles(&Scale::new(ColourScale::Log, 1.0)),
            [false; 10],
            "{ground:?}"
        );
        let inks = Inks::on(ground);
        for map in ColourMap::ALL {
            let lut = Lut::new(map, ground);
            let near = (0..=255).filter(|index| lut.is_near_ground(*index));
            for index in near {
                let [r, g, b, _] = lut.colour(index);
                assert!(
                    contrast_ratio(inks.soft, [r, g, b]) >= 4.5,
                    "{map:?} {index}"
                );
            }
            assert!(
                lut.is_near_ground(scale.index(0.09)),
                "{map:?}: a row of eleven"
            );
        }
    }
}

#[test]
fn weights_of_almost_nothing_are_faint_where_they_have_the_ground_s_colour() {
    let hidden = Hidden::none(1, 5);
    let grid = Grid::new(&[0.0, 0.04, 0.06, 0.19, 0.71], &hidden).expect("sizes agree");
    let layout = lay_out(600.0, 2.0, 1, 5);
    for ground in [Background::Light, Background::Dark] {
        let lut = Lut::new(ColourMap::Tide, ground);
        let roles = |scale: Scale| -> Vec<Role> {
            let marks = cell_values(&layout, &grid, &lut, &scale);
            marks.iter().map(role).collect()
        };
        let above = roles(Scale::new(ColourScale::Above, 1.0).over_keys(5));
        let soft = [Role::ValueSoft; 2];
        assert_eq!(above[..2], [Role::ValueFaint; 2], "{ground:?}");
        assert_eq!(above[2..4], soft, "{ground:?}");
        let linear = roles(Scale::new(ColourScale::Linear, 1.0));
        assert_eq!(
            linear[..2],
            [Role::ValueFaint, Role::ValueSoft],
            "{ground:?}: a tinted one is not"
        );
        let inks = Inks::on(ground);
        assert!(contrast_ratio(inks.faint, inks.paper) >= 4.5, "{ground:?}");
    }
}

#[test]
fn the_middle_of_a_bar_around_even_has_its_name() {
    let rect = Rect {
        x: 1.0,
        y: 1.0,
        width: 262.0,
        height: 10.0,
    };
    let bar = ColourBar {
        rect,
        size: 12.0,
        dpr: 1.0,
        even: "even",
        measure: &measure,
    };
    let texts = |kind| -> Vec<String> {
        let marks = colour_bar(&bar, &Scale::new(kind, 1.0));
        marks
            .into_iter()
            .filter_map(|mark| match mark {
                Shape::Words(TextRun { text, .. }) => Some(text),
                _ => None,
            })
            .collect()
    };
    assert_eq!(
        texts(ColourScale::Even),
        ["≤⅛×", "¼×", "½×", "even", "2×", "4×", "≥8×"]
    );
    assert!(texts(ColourScale::Linear).contains(&"1".to_owned()));
}
