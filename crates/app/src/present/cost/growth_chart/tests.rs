use super::*;
use crate::present::cost::{CARDS, Load};
use crate::state::url;

fn measure(text: &str, size: f64) -> f64 {
    0.55 * size * text.chars().count() as f64
}

fn measured(backend: Backend, most: usize) -> Benchmark {
    let mut series = Benchmark::new(backend, most);
    while let Some(n) = series.next() {
        series.took(n as f64, |_| Load {
            bytes: 1,
            flops: 1.0,
        });
    }
    series
}

/// Does something with the chart of a text of `length` tokens with every layer.
fn with_chart(
    length: usize,
    measured: &[Benchmark],
    test: impl Fn(&GrowthChart, &GrowthSource<'_>),
) {
    let (state, _) = url::parse("v=1&d_model=512&d_k=128&heads=4");
    let choice = Choice {
        measure: Measure::Flops,
        layers: CARDS.iter().map(|card| card.layer).collect(),
        has_parts: false,
    };
    let source = GrowthSource {
        choice: &choice,
        setting: &CostSetting::from_state(&state, length, length),
        measured,
        length,
        language: Language::En,
    };
    test(
        &GrowthChart::new(&source, (900.0, 380.0), &measure),
        &source,
    );
}

fn with_role(shapes: &[Shape], wanted: Role) -> Vec<&Shape> {
    let is_own = |shape: &&Shape| match shape {
        Shape::Rect { role, .. } | Shape::Circle { role, .. } | Shape::Path { role, .. } => {
            *role == wanted
        }
        Shape::Words(words) => words.role == wanted,
        _ => false,
    };
    shapes.iter().filter(is_own).collect()
}

#[test]
fn every_line_has_its_curve_and_its_name() {
    with_chart(128, &[], |chart, source| {
        for card in &CARDS {
            let own = with_role(&chart.shapes, Role::Curve(card.curve));
            assert_eq!(own.len(), 1, "{}", card.id);
        }
        assert_eq!(with_role(&chart.shapes, Role::Curve(OWN)).len(), 1);
        let names: Vec<_> = chart
            .lines
            .iter()
            .map(|line| line.name(source.language))
            .collect();
        let written = with_role(&chart.shapes, Role::Name);
        let text = |shape: &&Shape| match shape {
            Shape::Words(words) => words.text.clone(),
            other => panic!("{other:?}"),
        };
        assert_eq!(written.iter().map(text).collect::<Vec<_>>(), names);
    });
}

#[test]
fn crossings_lie_on_both_of_their_curves() {
    with_chart(128, &[], |chart, source| {
        let drawn = with_role(&chart.shapes, Role::Crossing);
        assert!(!drawn.is_empty());
        assert_eq!(drawn.len(), chart.crossings.len());
        for (shape, (one, other, crossing)) in drawn.iter().zip(&chart.crossings) {
            let Shape::Circle { x, y, .. } = shape else {
                panic!("{shape:?}");
            };
            for line in [one, other] {
                let at = chart
                    .point_on(source, *line, crossing.n)
                    .expect("on the plot");
                assert!((at.x - x).abs() < 1e-6 && (at.y - y).abs() < 0.01);
            }
        }
    });
}

#[test]
fn times_are_discs_of_the_processor_and_squares_of_the_graphics_card() {
    let both = [measured(Backend::Cpu, 256), measured(Backend::WebGpu, 512)];
    with_chart(128, &both, |chart, _| {
        let discs = with_role(&chart.shapes, Role::ProcessorTime);
        let squares = with_role(&chart.shapes, Role::GraphicsTime);
        assert_eq!([discs.len(), squares.len()], [3, 4]);
        assert!(
            discs
                .iter()
                .all(|shape| matches!(shape, Shape::Circle { .. }))
        );
        assert!(
            squares
                .iter()
                .all(|shape| matches!(shape, Shape::Rect { .. }))
        );
    });
}

#[test]
fn the_text_of_the_page_is_marked_where_it_is_and_said_where_it_is_beside() {
    for (length, marks, said) in [(3, 1, "← n = 3 here"), (11, 2, "n = 11 here")] {
        with_chart(length, &[], |chart, _| {
            let here = with_role(&chart.shapes, Role::Here);
            assert_eq!(here.len(), marks, "{length}");
            let Some(Shape::Words(words)) = here.last() else {
                panic!("{here:?}");
            };
            assert_eq!(words.text, said);
            let is_at_edge = (words.x - chart.layout.plot.x - 6.0).abs() < 1e-9;
            assert_eq!(is_at_edge, length < 4);
        });
    }
}

#[test]
fn curves_are_read_at_one_line_with_a_point_on_each() {
    with_chart(128, &[measured(Backend::Cpu, 256)], |chart, source| {
        let shapes = chart.reading(source, 1024.0);
        let curves = chart
            .lines
            .iter()
            .filter(|line| !matches!(line, Line::Measured(_)));
        assert_eq!(shapes.len(), 1 + curves.count());
        let xs = shapes[1..].iter().map(|shape| match shape {
            Shape::Circle { x, .. } => *x,
            other => panic!("{other:?}"),
        });
        for x in xs {
            let n = chart.layout.x_at(x).expect("on the plot");
            assert!((n - 1024.0).abs() < 1e-6, "{n}");
        }
    });
}

#[test]
fn keys_lead_from_power_to_power_and_stay_on_the_axis() {
    let after = |n, key| reading_after(n, key).expect("a key that leads somewhere");
    assert_eq!(
        [after(1024.0, "ArrowRight"), after(1024.0, "ArrowLeft")],
        [2048.0, 512.0]
    );
    assert_eq!(
        [after(700.0, "ArrowUp"), after(700.0, "ArrowDown")],
        [1024.0, 512.0]
    );
    assert_eq!(
        [after(HIGH, "ArrowRight"), after(LOW, "ArrowLeft")],
        [HIGH, LOW]
    );
    assert_eq!([after(700.0, "Home"), after(700.0, "End")], [LOW, HIGH]);
    assert_eq!(reading_after(700.0, "Enter"), None);
}

#[test]
fn the_table_has_a_row_for_each_power_and_a_column_for_each_curve() {
    with_chart(128, &[measured(Backend::Cpu, 256)], |chart, source| {
        let table = chart.table(source);
        assert_eq!(table.rows.len(), 13);
        assert_eq!(table.names.len(), CARDS.len() + 1);
        assert!(
            table
                .rows
                .iter()
                .all(|(_, values)| values.len() == CARDS.len() + 1)
        );
        let own = source.setting.amount(Measure::Flops, HIGH);
        let (last, values) = table.rows.last().expect("rows");
        assert_eq!((*last, &values[0]), (HIGH, &written(Measure::Flops, own)));
    });
}
