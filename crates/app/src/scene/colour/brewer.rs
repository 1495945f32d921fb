//! ColorBrewer maps, interpolated between their classes in OKLab.
//!
//! Source: Cynthia Brewer, Mark Harrower and The Pennsylvania State University, <https://colorbrewer2.org>
//! (Apache 2.0). Colours are the published nine-class sequential schemes.

use super::oklab::{Lab, lab_from_srgb8};
use super::{Background, NIGHT};

/// `Blues`.
pub(super) const BLUES: [[u8; 3]; 9] = [
    [0xf7, 0xfb, 0xff],
    [0xde, 0xeb, 0xf7],
    [0xc6, 0xdb, 0xef],
    [0x9e, 0xca, 0xe1],
    [0x6b, 0xae, 0xd6],
    [0x42, 0x92, 0xc6],
    [0x21, 0x71, 0xb5],
    [0x08, 0x51, 0x9c],
    [0x08, 0x30, 0x6b],
];

/// `YlOrRd`.
pub(super) const YL_OR_RD: [[u8; 3]; 9] = [
    [0xff, 0xff, 0xcc],
    [0xff, 0xed, 0xa0],
    [0xfe, 0xd9, 0x76],
    [0xfe, 0xb2, 0x4c],
    [0xfd, 0x8d, 0x3c],
    [0xfc, 0x4e, 0x2a],
    [0xe3, 0x1a, 0x1c],
    [0xbd, 0x00, 0x26],
    [0x80, 0x00, 0x26],
];

/// `Greys` without its last class, black: the steps on the way there round to the same bytes.
pub(super) const GREYS: [[u8; 3]; 8] = [
    [0xff, 0xff, 0xff],
    [0xf0, 0xf0, 0xf0],
    [0xd9, 0xd9, 0xd9],
    [0xbd, 0xbd, 0xbd],
    [0x96, 0x96, 0x96],
    [0x73, 0x73, 0x73],
    [0x52, 0x52, 0x52],
    [0x25, 0x25, 0x25],
];

/// The stops of a scheme on `ground`, evenly spaced from 0 to 1.
///
/// On a light ground the published order, pale to deep. On a dark ground the order is turned round and begins at
/// the night colour; classes that are not lighter than the night are left out, so that lightness only rises.
pub(super) fn stops(classes: &[[u8; 3]], ground: Background) -> Vec<Lab> {
    let pale_to_deep = classes.iter().copied().map(lab_from_srgb8);
    match ground {
        Background::Light => pale_to_deep.collect(),
        Background::Dark => {
            let night = lab_from_srgb8(NIGHT);
            let bright = pale_to_deep.rev().filter(|lab| lab.l > night.l + 0.05);
            std::iter::once(night).chain(bright).collect()
        }
    }
}

/// The colour at fraction `t` of the straight pieces through `stops` (at least one).
pub(super) fn along(stops: &[Lab], t: f64) -> Lab {
    let last = stops.len() - 1;
    let place = t.clamp(0.0, 1.0) * last as f64;
    let from = (place as usize).min(last);
    stops[from].mix(stops[(from + 1).min(last)], place - from as f64)
}
