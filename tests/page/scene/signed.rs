//! Matrices with numbers of both signs: their colours, their scale, their pixels, and what is written into cells.

use app::scene::axis::Axis;
use app::scene::colour::oklab::{Lab, lab_from_linear, lab_from_srgb8, linear_from_byte};
use app::scene::colour::{Background, Lut, NIGHT, PAPER, ZERO, contrast_ratio};
use app::scene::heatmap::{Grid, Hatch, Hidden, PoolBy, Style, paint, paint_small};
use app::scene::layout::{CellFormat, MapLayout, Request, Side};
use app::scene::marks::cell_values;
use app::scene::scale::Scale;
use app::scene::shape::{Shape, TextRun};
use proptest::prelude::*;

use super::{measure, tokens, weights};

const GROUNDS: [(Background, [u8; 3]); 2] = [(Background::Light, PAPER), (Background::Dark, NIGHT)];

fn rgb(lut: &Lut, index: u8) -> [u8; 3] {
    let [r, g, b, _] = lut.colour(index);
    [r, g, b]
}

fn lab(lut: &Lut, index: u8) -> Lab {
    lab_from_srgb8(rgb(lut, index))
}

#[test]
fn zero_is_the_ground_itself() {
    for (ground, own) in GROUNDS {
        let lut = Lut::diverging(ground);
        assert_eq!(rgb(&lut, ZERO), own, "{ground:?}");
        assert_eq!(lut.colour(0), lut.colour(1), "{ground:?}");
        assert_ne!(lut.colour(ZERO - 2), lut.colour(ZERO + 2), "{ground:?}");
    }
}

#[test]
fn both_arms_are_even_and_alike_as_painted() {
    for (ground, _) in GROUNDS {
        let lut = Lut::diverging(ground);
        let way = if ground == Background::Light {
            -1.0
        } else {
            1.0
        };
        let arm = |side: i32| -> Vec<Lab> {
            (0..=15)
                .map(|step| lab(&lut, (i32::from(ZERO) + side * 127 * step / 15) as u8))
                .collect()
        };
        let (below, above) = (arm(-1), arm(1));
        let whole = above[0].distance(above[15]);
        for arm in [&below, &above] {
            for pair in arm.windows(2) {
                let step = 15.0 * pair[0].distance(pair[1]) / whole;
                assert!((step - 1.0).abs() < 0.12, "{ground:?}: {step} at {pair:?}");
                assert!(way * (pair[1].l - pair[0].l) > 0.02, "{ground:?}: {pair:?}");
            }
        }
        for (low, high) in below.iter().zip(&above) {
            assert!(
                (low.l - high.l).abs() < 0.006,
                "{ground:?}: one sign looks stronger"
            );
        }
    }
}

/// Matrices that simulate the lack of one kind of cone. Source: Machado, Oliveira and Fernandes
/// 2009, severity 1.
const DEFICIENCIES: [(&str, [[f64; 3]; 3]); 3] = [
    (
        "protanopia",
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
    ),
    (
        "deuteranopia",
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_820, 0.042_940, 0.968_881],
        ],
    ),
    (
        "tritanopia",
        [
            [1.255_528, -0.076_749, -0.178_779],
            [-0.078_411, 0.930_809, 0.147_602],
            [0.004_733, 0.691_367, 0.303_900],
        ],
    ),
];

#[test]
fn signs_differ_for_every_kind_of_colour_vision() {
    for (ground, _) in GROUNDS {
        let lut = Lut::diverging(ground);
        for (name, rows) in DEFICIENCIES {
            let seen = |index: u8| {
                let [r, g, b] = rgb(&lut, index).map(linear_from_byte);
                lab_from_linear(rows.map(|[x, y, z]| (x * r + y * g + z * b).clamp(0.0, 1.0)))
            };
            for share in [40, 80, 127] {
                let apart = seen(ZERO - share).distance(seen(ZERO + share));
                let wanted = 0.1 * f64::from(share) / 127.0;
                assert!(apart > wanted, "{ground:?}, {name}, ±{share}: only {apart}");
            }
        }
    }
}

#[test]
fn values_can_be_read_on_every_colour_and_masks_stand_out() {
    for (ground, own) in GROUNDS {
        for lut in [Lut::diverging(ground), Lut::mask(ground)] {
            for index in 0..=255 {
                let ratio = contrast_ratio(lut.ink(index).rgb(), rgb(&lut, index));
                assert!(ratio >= 4.5, "{ground:?}: {ratio} on entry {index}");
            }
        }
        let lut = Lut::mask(ground);
        assert!((0..=255).all(|index| lut.colour(index) == lut.colour(0)));
        let apart = lab(&lut, 0).distance(lab_from_srgb8(own));
        assert!(
            apart > 0.15,
            "{ground:?}: visible cells are {apart} from the ground"
        );
    }
}

proptest! {
    #[test]
    fn zero_lies_in_the_middle_and_signs_mirror(largest in 1e-4_f32..1e4, share in 0.0_f32..=1.0) {
        let scale = Scale::symmetric(largest);
        prop_assert_eq!((scale.index(0.0), scale.index(-0.0)), (ZERO, ZERO));
        prop_assert!(scale.is_symmetric() && scale.floor() == -scale.top() && scale.top() >= largest * 0.994 && scale.top() <= largest * 1.11);
        let value = share * scale.top();
        prop_assert!((scale.fraction(value) + scale.fraction(-value) - 1.0).abs() < 1e-6);
        let (above, below) = (scale.index(value) - ZERO, ZERO - scale.index(-value));
        prop_assert!(above.abs_diff(below) <= 1, "{} and {}", above, below);
        prop_assert!((scale.value(scale.fraction(value)) - value).abs() <= 1e-5 * scale.top());
        prop_assert_eq!((scale.index(scale.top()), scale.index(-scale.top())), (255, 1));
    }

    #[test]
    fn ticks_have_zero_in_the_middle(largest in 1e-4_f32..1e4, most in 0_usize..12) {
        let ticks = Scale::symmetric(largest).ticks(most);
        prop_assert!(ticks.len() <= most.max(2), "{ticks:?}");
        prop_assert!(ticks.windows(2).all(|pair| pair[0].t < pair[1].t), "{:?}", ticks);
        prop_assert_eq!((ticks[0].t, ticks[ticks.len() - 1].t), (0.0, 1.0));
        prop_assert!(ticks[0].label.starts_with('\u{2212}'), "{:?}", ticks);
        if most >= 3 {
            let middle = &ticks[ticks.len() / 2];
            prop_assert_eq!((middle.t, middle.label.as_str()), (0.5, "0"));
        }
    }
}

#[test]
fn what_is_no_number_is_drawn_as_zero_and_infinities_as_the_ends() {
    let scale = Scale::symmetric(3.0);
    let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e9, -1e9];
    assert_eq!(odd.map(|value| scale.index(value)), [ZERO, 255, 1, 255, 1]);
    assert_eq!(Scale::symmetric(f32::NAN).top(), 1.0);
}

/// Numbers of both signs.
fn signed(count: usize) -> Vec<f32> {
    weights(count)
        .into_iter()
        .map(|weight| 4.0 * weight - 2.0)
        .collect()
}

#[test]
fn a_block_shows_the_number_furthest_from_zero() {
    let (lut, scale) = (Lut::diverging(Background::Light), Scale::symmetric(2.0));
    let hatch = Hatch::new(Background::Light, 1.0);
    let style = Style {
        lut: &lut,
        scale: &scale,
        hatch: &hatch,
        pool_by: PoolBy::Peak,
    };
    let hidden = Hidden::new(2, 4, |row, column| (row, column) == (0, 2));
    let values = [0.1, -1.5, 2.0, 0.3, 0.9, 1.0, -0.2, -0.4];
    let grid = Grid::new(&values, &hidden).expect("sizes agree");
    let mut bytes = Vec::new();
    let picture = paint_small(&grid, 2, &style, &mut bytes);
    assert_eq!((picture.width, picture.height), (2, 2));
    let [one, other, ..] = bytes.as_chunks::<4>().0 else {
        panic!("four pixels")
    };
    assert_eq!(*one, lut.colour(scale.index(-1.5)));
    assert_eq!(
        *other,
        lut.colour(scale.index(0.3)),
        "the hidden one does not count"
    );
    let mut large = Vec::new();
    paint(
        &grid,
        &Axis::new(2, 2),
        &Axis::new(4, 2),
        &style,
        &mut large,
    );
    assert_eq!(bytes, large);
}

#[test]
fn signed_values_are_written_where_they_fit() {
    let lay = |cells: usize, form: CellFormat| {
        MapLayout::new(&Request {
            width: 700.0,
            plot_height: f64::INFINITY,
            dpr: 2.0,
            queries: &tokens(cells),
            keys: &tokens(cells),
            query_title: "",
            key_title: "",
            sides: [Side::Queries, Side::Neither],
            form,
            corner: 0.0,
            measure: &measure,
        })
    };
    let (lut, scale) = (Lut::diverging(Background::Dark), Scale::symmetric(20.0));
    let values: Vec<f32> = signed(81).into_iter().map(|value| 7.0 * value).collect();
    let hidden = Hidden::none(9, 9);
    let grid = Grid::new(&values, &hidden).expect("sizes agree");
    let layout = lay(9, CellFormat::Signed { top: scale.top() });
    let across = layout.cell_size().0;
    let marks = cell_values(&layout, &grid, &lut, &scale);
    assert_eq!(marks.len(), 81);
    for mark in &marks {
        let Shape::Words(TextRun { text, size, .. }) = mark else {
            panic!("{mark:?}")
        };
        assert!(measure(text, *size) <= 0.75 * across, "{text} in {across}");
    }
    let far = [-1e9; 81];
    let grid = Grid::new(&far, &hidden).expect("sizes agree");
    let Shape::Words(TextRun { text, .. }) = &cell_values(&layout, &grid, &lut, &scale)[0] else {
        panic!("a text")
    };
    assert_eq!(text, "\u{2212}10⁹");
    let widest = |form: CellFormat| {
        (1..64)
            .filter(|&cells| lay(cells, form).values.is_some())
            .max()
    };
    assert!(widest(CellFormat::Signed { top: 500.0 }) < widest(CellFormat::Signed { top: 1.0 }));
    assert!(widest(CellFormat::Signed { top: 1.0 }) < widest(CellFormat::Weights));
    assert_eq!(widest(CellFormat::Unwritten), None);
}
