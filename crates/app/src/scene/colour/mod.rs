//! Colour maps: a fraction between 0 and 1 becomes a colour, through a table of 256 entries.
//!
//! The maps that readers choose from are sequential: lightness changes in one direction only, so order survives in greyscale print
//! and for every kind of colour vision. The low end is the background (pale on light, near-black on dark), so that zero is
//! inconspicuous in both themes. Signed numbers use [`Lut::diverging`], with the background in its middle.

mod brewer;
mod contrast;
mod diverging;
pub mod oklab;
mod tide;

use crate::state::ColourMap;

pub use contrast::{Ink, contrast_ratio};
pub use diverging::ZERO;

/// Number of entries in a [`Lut`].
pub const STEPS: usize = 256;

/// Colour of the page on a light ground, as sRGB; the low end of [`ColourMap::Tide`].
pub const PAPER: [u8; 3] = [0xfc, 0xfb, 0xf8];
/// Colour of the page on a dark ground, as sRGB; the low end of every map there.
pub const NIGHT: [u8; 3] = [0x17, 0x17, 0x1a];

/// Background of a map; decides which end of the colour scale is pale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Background {
    /// Paper: zero is the palest colour, large weights are deep.
    #[default]
    Light,
    /// Night: zero is near-black, large weights are bright.
    Dark,
}

impl ColourMap {
    /// The colour of each fraction between 0 and 1 in OKLab, before it is rounded to bytes.
    fn course(self, ground: Background) -> Box<dyn Fn(f64) -> oklab::Lab> {
        let classes = match self {
            Self::Tide => {
                let path = tide::Path::new(ground);
                return Box::new(move |t| path.at(t));
            }
            Self::Blues => &brewer::BLUES[..],
            Self::YlOrRd => &brewer::YL_OR_RD[..],
            Self::Greys => &brewer::GREYS[..],
        };
        let stops = brewer::stops(classes, ground);
        Box::new(move |t| brewer::along(&stops, t))
    }
}

/// A colour map ready for painting: 256 opaque RGBA colours and the text colour that can be read on each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lut {
    colours: [[u8; 4]; STEPS],
    inks: [Ink; STEPS],
    /// The entry that is the ground.
    ground: u8,
}

impl Lut {
    /// The table of `map` on `ground`; entry `i` stands for the fraction `i / 255`.
    ///
    /// The arithmetic is the same on every platform, so two machines draw the same bytes.
    pub fn new(map: ColourMap, ground: Background) -> Self {
        let course = map.course(ground);
        Self::from_course(0, |step| course(step as f64 / (STEPS - 1) as f64))
    }

    /// The table for signed numbers on `ground`: entry [`ZERO`] is the ground itself, entries down to 1 are below zero,
    /// entries up to 255 above. Equal distances from zero look equally strong.
    pub fn diverging(ground: Background) -> Self {
        let arms = diverging::Arms::new(ground);
        Self::from_course(ZERO, |step| arms.entry(step))
    }

    /// The table of a picture that only says "visible": every entry is the same colour. What is hidden is hatched, as on
    /// every map.
    pub fn mask(ground: Background) -> Self {
        Self::from_course(0, |_| diverging::visible(ground))
    }

    fn from_course(ground: u8, colour: impl Fn(usize) -> oklab::Lab) -> Self {
        let colours = std::array::from_fn(|step| {
            let [r, g, b] = oklab::srgb8_from_lab(colour(step));
            [r, g, b, 255]
        });
        let inks = colours.map(|[r, g, b, _]| Ink::on([r, g, b]));
        Self {
            colours,
            inks,
            ground,
        }
    }

    /// RGBA colour of entry `index`.
    pub const fn colour(&self, index: u8) -> [u8; 4] {
        self.colours[index as usize]
    }

    /// The text colour that reads best on entry `index`.
    pub const fn ink(&self, index: u8) -> Ink {
        self.inks[index as usize]
    }

    /// Whether entry `index` has the colour of the ground.
    pub fn is_ground(&self, index: u8) -> bool {
        self.colour(index) == self.colour(self.ground)
    }

    /// Whether entry `index` is so close to the ground that the soft ink of the page's labels can be read on it: that has a
    /// contrast of 4.5 (WCAG level AA) from these contrasts of the loud ink on.
    pub fn is_near_ground(&self, index: u8) -> bool {
        let ([r, g, b, _], ink) = (self.colour(index), self.ink(index));
        let least = if ink == Ink::Black { 11.2 } else { 9.0 };
        ink == self.ink(self.ground) && contrast_ratio(ink.rgb(), [r, g, b]) >= least
    }
}

#[cfg(test)]
mod tests {
    use super::oklab::{lab_from_srgb8, srgb_from_lab};
    use super::*;

    const GROUNDS: [Background; 2] = [Background::Light, Background::Dark];

    #[test]
    fn tide_needs_no_clipping() {
        for ground in GROUNDS {
            let course = ColourMap::Tide.course(ground);
            for step in 0..=1000 {
                let rgb = srgb_from_lab(course(f64::from(step) / 1000.0));
                assert!(
                    rgb.iter().all(|x| (0.0..=1.0).contains(x)),
                    "{ground:?} {step}: {rgb:?}"
                );
            }
        }
    }

    #[test]
    fn tide_steps_are_even_in_lightness_and_in_difference() {
        for ground in GROUNDS {
            let course = ColourMap::Tide.course(ground);
            let stops: Vec<_> = (0..=100)
                .map(|step| course(f64::from(step) / 100.0))
                .collect();
            let rise = (stops[100].l - stops[0].l) / 100.0;
            let whole: f64 = stops.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
            for pair in stops.windows(2) {
                assert!(
                    (pair[1].l - pair[0].l - rise).abs() < 1e-9,
                    "{ground:?} lightness {pair:?}"
                );
                let ratio = pair[0].distance(pair[1]) * 100.0 / whole;
                assert!(
                    (ratio - 1.0).abs() < 0.01,
                    "{ground:?} difference {ratio} at {pair:?}"
                );
            }
        }
    }

    #[test]
    fn brewer_classes_stand_at_every_eighth_on_light() {
        for (map, classes) in [
            (ColourMap::Blues, brewer::BLUES),
            (ColourMap::YlOrRd, brewer::YL_OR_RD),
        ] {
            let course = map.course(Background::Light);
            for (place, class) in classes.into_iter().enumerate() {
                let there = course(place as f64 / 8.0);
                assert!(
                    there.distance(lab_from_srgb8(class)) < 1e-12,
                    "{map:?} class {place}"
                );
            }
        }
    }
}
