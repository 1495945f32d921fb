//! Scales: order, ends, inverse, ticks.

use app::scene::colour::ZERO;
use app::scene::scale::Scale;
use app::state::ColourScale;
use proptest::prelude::*;

fn kind() -> impl Strategy<Value = ColourScale> {
    prop_oneof![
        Just(ColourScale::Linear),
        Just(ColourScale::Log),
        Just(ColourScale::Even)
    ]
}

proptest! {
    #[test]
    fn larger_weights_are_never_paler(kind in kind(), largest in 1e-4_f32..2.0, a in 0.0_f32..2.0, b in 0.0_f32..2.0) {
        let scale = Scale::new(kind, largest);
        prop_assert!(scale.fraction(a.min(b)) <= scale.fraction(a.max(b)));
        prop_assert!(scale.index(a.min(b)) <= scale.index(a.max(b)));
    }

    #[test]
    fn the_largest_weight_fits_and_uses_the_colours(largest in 1e-4_f32..3.0) {
        let scale = Scale::new(ColourScale::Linear, largest);
        prop_assert!(scale.top() >= largest * 0.999_98, "{} for {largest}", scale.top());
        prop_assert!(scale.fraction(largest) >= 0.399, "at most 2.5 times too high");
    }

    #[test]
    fn value_undoes_fraction(kind in kind(), largest in 1e-3_f32..1.0, t in 0.0_f32..=1.0) {
        let scale = Scale::new(kind, largest);
        prop_assert!((scale.fraction(scale.value(t)) - t).abs() < 1e-4);
    }

    #[test]
    fn ticks_rise_from_end_to_end(kind in kind(), largest in 1e-6_f32..10.0, most in 0_usize..12) {
        let scale = Scale::new(kind, largest);
        let ticks = scale.ticks(most);
        prop_assert!(ticks.len() <= most.max(2), "{ticks:?}");
        prop_assert_eq!(ticks[0].t, 0.0);
        prop_assert!((ticks[ticks.len() - 1].t - 1.0).abs() < 1e-5);
        prop_assert!(ticks.windows(2).all(|pair| pair[0].t < pair[1].t && pair[0].label != pair[1].label), "{:?}", ticks);
    }
}

#[test]
fn a_scale_does_not_flicker_with_the_weights() {
    let tops: Vec<f32> = [0.51, 0.6, 0.77, 0.999, 1.0, 1.000_000_1]
        .map(|largest| Scale::new(ColourScale::Log, largest).top())
        .into();
    assert_eq!(tops, [1.0; 6]);
}

#[test]
fn tick_labels_of_the_usual_scales() {
    let labels = |kind, largest, most| -> Vec<String> {
        Scale::new(kind, largest)
            .ticks(most)
            .into_iter()
            .map(|tick| tick.label)
            .collect()
    };
    assert_eq!(
        labels(ColourScale::Linear, 1.0, 6),
        ["0", "0.2", "0.4", "0.6", "0.8", "1"]
    );
    assert_eq!(
        labels(ColourScale::Linear, 0.13, 9),
        ["0", "0.05", "0.1", "0.15", "0.2"]
    );
    assert_eq!(labels(ColourScale::Linear, 0.4, 3), ["0", "0.25", "0.5"]);
    assert_eq!(
        labels(ColourScale::Log, 0.9, 9),
        ["≤10⁻⁴", "10⁻³", "0.01", "0.1", "1"]
    );
    assert_eq!(
        labels(ColourScale::Log, 0.4, 9),
        ["≤10⁻⁴", "10⁻³", "0.01", "0.1", "0.5"]
    );
    assert_eq!(labels(ColourScale::Log, 0.9, 3), ["≤10⁻⁴", "0.01", "1"]);
}

#[test]
fn what_cannot_happen_is_drawn_as_zero_or_as_the_top() {
    for kind in ColourScale::ALL {
        let scale = Scale::new(kind, 0.3);
        for low in [f32::NAN, -0.1, -0.0, 0.0, f32::NEG_INFINITY] {
            assert_eq!(
                (scale.fraction(low), scale.index(low)),
                (0.0, u8::from(scale.is_diverging())),
                "{kind:?} {low}"
            );
        }
        assert_eq!(scale.index(f32::INFINITY), 255, "{kind:?}");
        assert_eq!(scale.index(scale.top()), 255, "{kind:?}");
    }
}

#[test]
fn names_lead_back_to_their_scale() {
    for scale in ColourScale::ALL {
        assert_eq!(ColourScale::from_name(scale.name()), Some(scale));
    }
    assert_eq!(ColourScale::from_name("logarithmic"), None);
}

#[test]
fn even_is_the_middle_and_doublings_are_equally_far_apart() {
    let scale = Scale::new(ColourScale::Even, 0.3);
    assert_eq!(
        scale,
        Scale::new(ColourScale::Even, 0.001),
        "no weights decide its ends"
    );
    let places = [0.125, 0.5, 1.0, 2.0, 8.0].map(|times| scale.fraction(times));
    for (place, wanted) in places
        .into_iter()
        .zip([0.0, 1.0 / 3.0, 0.5, 2.0 / 3.0, 1.0])
    {
        assert!((place - wanted).abs() < 1e-5, "{place}, not {wanted}");
    }
    assert_eq!(scale.index(1.0), ZERO);
    let labels = |most| -> Vec<String> {
        scale
            .ticks(most)
            .into_iter()
            .map(|tick| tick.label)
            .collect()
    };
    assert_eq!(labels(7), ["≤⅛×", "¼×", "½×", "1×", "2×", "4×", "≥8×"]);
    assert_eq!(labels(6), ["≤⅛×", "1×", "≥8×"]);
}
