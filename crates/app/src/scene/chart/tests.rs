use super::*;

fn room(width: f64, height: f64) -> Room<'static> {
    Room {
        width,
        height,
        size: 12.0,
        measure: &|text, size| 0.5 * size * text.chars().count() as f64,
        x_label: &|n| n.to_string(),
        y_label: &|flops| format!("{flops:e}"),
    }
}

fn series(name: &str, points: &[(f64, f64)]) -> Series {
    Series {
        name: name.to_owned(),
        points: points.to_vec(),
    }
}

fn chart(series: Vec<Series>) -> Chart {
    Chart {
        x: Axis::log(2.0, 64.0, 16_384.0),
        y: Axis::powers(10.0, 1e3, 1e9),
        series,
    }
}

fn powers() -> Chart {
    let curve = |exponent: i32| {
        let points: Vec<_> = (6..=14)
            .map(|power| f64::from(1 << power))
            .map(|n| (n, 1e3 * (n / 64.0).powi(exponent)))
            .collect();
        series(&format!("n to the {exponent}"), &points)
    };
    chart(vec![curve(1), curve(2), curve(1)])
}

#[test]
fn powers_of_n_are_straight_and_their_slopes_are_the_exponents() {
    let layout = powers().layout(&room(700.0, 400.0));
    let slope = |curve: &Curve| {
        let at = |place: usize| curve.points[place].unwrap();
        let steps: Vec<f64> = (0..8)
            .map(|place| (at(place).y - at(place + 1).y) / (at(place + 1).x - at(place).x))
            .collect();
        assert!(
            steps.iter().all(|step| (step - steps[0]).abs() < 1e-9),
            "{steps:?}"
        );
        steps[0]
    };
    let [one, two] = [0, 1].map(|at| slope(&layout.curves[at]));
    assert!((two / one - 2.0).abs() < 1e-9);
}

#[test]
fn everything_lies_within_the_room() {
    for (width, height) in [(350.0, 240.0), (700.0, 400.0), (1200.0, 300.0)] {
        let layout = powers().layout(&room(width, height));
        let plot = layout.plot;
        assert!(plot.x > 0.0 && plot.x + plot.width < width, "{plot:?}");
        assert!(
            plot.y > 0.0 && plot.y + plot.height + 12.0 < height,
            "{plot:?}"
        );
        for tick in &layout.x_ticks {
            assert!((plot.x..=plot.x + plot.width + 1e-6).contains(&tick.at));
        }
        for pair in layout.x_ticks.windows(2) {
            let half = |tick: &Tick| 3.0 * tick.label.len() as f64;
            assert!(
                pair[1].at - pair[0].at > half(&pair[0]) + half(&pair[1]),
                "{width}"
            );
        }
    }
}

#[test]
fn names_stand_at_the_ends_of_their_lines_and_do_not_touch() {
    let layout = powers().layout(&room(700.0, 400.0));
    let labels: Vec<Label> = layout
        .curves
        .iter()
        .map(|curve| curve.label.clone().unwrap())
        .collect();
    for label in &labels {
        assert!((label.end.unwrap().x - layout.plot.x - layout.plot.width).abs() < 1e-6);
    }
    assert_eq!(labels[0].end, labels[2].end, "both are the same line");
    assert!((labels[2].at.y - labels[0].at.y - 15.0).abs() < 1e-9);
    assert!((labels[1].at.y - labels[1].end.unwrap().y).abs() < 8.0);
}

#[test]
fn a_series_without_a_name_takes_no_room_for_one() {
    let points = [(64.0, 1e4), (16_384.0, 1e8)];
    let [named, bare] = ["a long name", ""]
        .map(|name| chart(vec![series(name, &points)]).layout(&room(500.0, 300.0)));
    assert!(bare.plot.width > named.plot.width + 40.0);
    assert_eq!(bare.curves[0].label, None);
}

#[test]
fn pointing_finds_the_nearest_point_and_the_value_below() {
    let layout = powers().layout(&room(700.0, 400.0));
    let place = layout.curves[1].points[3].unwrap();
    let near = Point {
        x: place.x + 3.0,
        y: place.y - 2.0,
    };
    assert_eq!(
        layout.nearest(near, 8.0),
        Some(Hit {
            series: 1,
            point: 3
        })
    );
    assert_eq!(layout.nearest(near, 3.0), None);
    let n = layout.x_at(place.x).unwrap();
    assert!((n - 512.0).abs() < 1e-6, "{n}");
    assert_eq!(layout.x_at(layout.plot.x - 1.0), None);
}

#[test]
fn what_has_no_place_is_left_out() {
    let odd = [
        (64.0, 0.0),
        (128.0, f64::NAN),
        (256.0, 1e5),
        (512.0, 1e6),
        (1024.0, 1e30),
    ];
    let layout =
        chart(vec![series("odd", &odd), series("nowhere", &[])]).layout(&room(500.0, 300.0));
    let inside: Vec<bool> = layout.curves[0]
        .points
        .iter()
        .map(Option::is_some)
        .collect();
    assert_eq!(inside, [false, false, true, true, false]);
    let top = layout.curves[0].label.clone().unwrap().end.unwrap().y;
    assert!(
        (top - layout.plot.y).abs() < 1e-9,
        "the line leaves through the upper edge"
    );
    assert_eq!(layout.curves[1], Curve::default());
}

#[test]
fn no_room_at_all_is_no_reason_to_panic() {
    for (width, height) in [(0.0, 0.0), (20.0, 5.0), (1.0, 900.0)] {
        let layout = powers().layout(&room(width, height));
        assert!(layout.plot.width >= 1.0 && layout.plot.height >= 1.0);
    }
}
