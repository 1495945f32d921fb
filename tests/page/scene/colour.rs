//! The tables that are painted, byte by byte.

use app::scene::colour::oklab::{Lab, lab_from_linear, lab_from_srgb8, linear_from_byte};
use app::scene::colour::{Background, Lut, NIGHT, PAPER, contrast_ratio};
use app::state::ColourMap;

const GROUNDS: [Background; 2] = [Background::Light, Background::Dark];

/// Every map on every ground, with its 256 colours.
fn tables() -> impl Iterator<Item = (String, Background, Vec<[u8; 3]>, Lut)> {
    ColourMap::ALL
        .into_iter()
        .flat_map(|map| GROUNDS.map(|ground| (map, ground)))
        .map(|(map, ground)| {
            let lut = Lut::new(map, ground);
            let colours = (0..=255)
                .map(|index| lut.colour(index))
                .map(|[r, g, b, _]| [r, g, b])
                .collect();
            (format!("{map:?} on {ground:?}"), ground, colours, lut)
        })
}

/// Colour as seen with deuteranopia, in OKLab. Source: Machado, Oliveira and Fernandes 2009,
/// severity 1.
fn deuteranope(rgb: [u8; 3]) -> Lab {
    let [r, g, b] = rgb.map(linear_from_byte);
    let rows = [
        [0.367_322, 0.860_646, -0.227_968],
        [0.280_085, 0.672_501, 0.047_413],
        [-0.011_820, 0.042_940, 0.968_881],
    ];
    lab_from_linear(rows.map(|[x, y, z]| (x * r + y * g + z * b).clamp(0.0, 1.0)))
}

#[test]
fn lightness_runs_one_way_in_every_table() {
    for (name, ground, colours, _) in tables() {
        let way = if ground == Background::Light {
            -1.0
        } else {
            1.0
        };
        let lightness: Vec<f64> = colours
            .into_iter()
            .map(|colour| way * lab_from_srgb8(colour).l)
            .collect();
        // The pale classes of ColorBrewer are so close that neighbouring entries may round to the same bytes.
        let strict = if name.starts_with("Tide") { 1 } else { 3 };
        for (index, pair) in lightness.windows(2).enumerate() {
            assert!(
                pair[1] >= pair[0],
                "{name}: entry {index} goes the wrong way: {pair:?}"
            );
        }
        for (index, run) in lightness.windows(strict + 1).enumerate() {
            assert!(
                run[strict] > run[0],
                "{name}: nothing happens from entry {index}: {run:?}"
            );
        }
    }
}

#[test]
fn the_low_end_is_the_ground() {
    for map in ColourMap::ALL {
        assert_eq!(
            Lut::new(map, Background::Dark).colour(0)[..3],
            NIGHT,
            "{map:?}"
        );
        let pale = Lut::new(map, Background::Light).colour(0);
        assert!(
            lab_from_srgb8([pale[0], pale[1], pale[2]]).l > 0.97,
            "{map:?}: {pale:?}"
        );
    }
    assert_eq!(
        Lut::new(ColourMap::Tide, Background::Light).colour(0)[..3],
        PAPER
    );
    assert_eq!(
        Lut::new(ColourMap::YlOrRd, Background::Light).colour(255),
        [0x80, 0x00, 0x26, 255]
    );
    assert_eq!(
        Lut::new(ColourMap::Blues, Background::Dark).colour(255),
        [0xf7, 0xfb, 0xff, 255]
    );
}

#[test]
fn default_map_is_even_as_painted() {
    for ground in GROUNDS {
        let lut = Lut::new(ColourMap::default(), ground);
        let stops: Vec<Lab> = (0..=15)
            .map(|step| lut.colour(17 * step))
            .map(|[r, g, b, _]| lab_from_srgb8([r, g, b]))
            .collect();
        let steps: Vec<f64> = stops
            .windows(2)
            .map(|pair| pair[0].distance(pair[1]))
            .collect();
        let mean = steps.iter().sum::<f64>() / steps.len() as f64;
        assert!(
            steps.iter().all(|step| (step / mean - 1.0).abs() < 0.06),
            "{ground:?}: {steps:?}"
        );
        let rises: Vec<f64> = stops
            .windows(2)
            .map(|pair| (pair[1].l - pair[0].l).abs())
            .collect();
        let mean = rises.iter().sum::<f64>() / rises.len() as f64;
        assert!(
            rises.iter().all(|rise| (rise / mean - 1.0).abs() < 0.06),
            "{ground:?}: {rises:?}"
        );
    }
}

#[test]
fn default_map_keeps_its_order_for_deuteranopes() {
    for ground in GROUNDS {
        let lut = Lut::new(ColourMap::default(), ground);
        let seen: Vec<Lab> = (0..=31)
            .map(|step| lut.colour((255 * step / 31) as u8))
            .map(|[r, g, b, _]| deuteranope([r, g, b]))
            .collect();
        for pair in seen.windows(2) {
            let rise = (pair[1].l - pair[0].l)
                * if ground == Background::Light {
                    -1.0
                } else {
                    1.0
                };
            assert!(
                rise > 0.012,
                "{ground:?}: lightness alone must carry the order, {pair:?}"
            );
        }
    }
}

#[test]
fn values_can_be_read_on_every_colour() {
    for (name, _, colours, lut) in tables() {
        for (index, colour) in (0..=255).zip(colours) {
            let ratio = contrast_ratio(lut.ink(index).rgb(), colour);
            assert!(ratio >= 4.5, "{name}: {ratio} on entry {index}, {colour:?}");
        }
    }
}

#[test]
fn names_lead_back_to_their_map() {
    for map in ColourMap::ALL {
        assert_eq!(ColourMap::from_name(map.name()), Some(map));
    }
    for other in ["", "Tide", "viridis", "blues "] {
        assert_eq!(ColourMap::from_name(other), None, "{other:?}");
    }
}
