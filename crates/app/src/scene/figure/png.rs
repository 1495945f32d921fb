//! Writes pixels as PNG, and sets the density of a PNG file.
//!
//! Source: Portable Network Graphics, third edition, W3C; RFC 1950 and 1951 for the stream inside.

use formats::encoding::{crc32, zlib};

/// Signature at the start of every PNG file.
const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
/// Bytes of the signature and of the header after it.
const HEADER: usize = 8 + 25;

/// RGBA pixels, `width` a row, as a file in which each is so many `times` across and down. A pixel is opaque or has no colour at all.
pub fn encode(width: u32, rgba: &[u8], times: u32) -> Vec<u8> {
    let pixels = rgba.as_chunks::<4>().0;
    let (width, times) = (width.max(1) as usize, times.max(1) as usize);
    let (colours, places) = palette(pixels);
    let is_indexed = !colours.is_empty();
    let is_clear = |pixel: &[u8; 4]| pixel[3] == 0;
    // Of the standard: colours by number, with alpha, without.
    let (kind, bytes) = if is_indexed {
        (3, 1)
    } else if pixels.iter().any(is_clear) {
        (6, 4)
    } else {
        (2, 3)
    };
    let rows = pixels.len() / width;
    let mut raw = Vec::with_capacity((width * times * bytes + 1) * rows * times);
    for row in 0..rows {
        let own = row * width..(row + 1) * width;
        let from = raw.len();
        // Each row says by which filter it was written: none.
        raw.push(0);
        for at in own {
            let written = if is_indexed {
                &places[at..=at]
            } else {
                &pixels[at][..bytes]
            };
            (0..times).for_each(|_| raw.extend_from_slice(written));
        }
        let end = raw.len();
        (1..times).for_each(|_| raw.extend_from_within(from..end));
    }
    let mut file = SIGNATURE.to_vec();
    let [w, h] = [width, rows].map(|side| ((side * times) as u32).to_be_bytes());
    chunk(
        &mut file,
        b"IHDR",
        &[&w[..], &h[..], &[8, kind, 0, 0, 0]].concat(),
    );
    if is_indexed {
        let own: Vec<u8> = colours
            .iter()
            .flat_map(|colour| &colour[..3])
            .copied()
            .collect();
        chunk(&mut file, b"PLTE", &own);
    }
    if is_indexed && colours.iter().any(is_clear) {
        let alphas: Vec<u8> = colours.iter().map(|colour| colour[3]).collect();
        chunk(&mut file, b"tRNS", &alphas);
    }
    chunk(&mut file, b"IDAT", &zlib(&raw));
    chunk(&mut file, b"IEND", &[]);
    file
}

/// The file with its density in pixels per metre; one that is no such file is given back as it is.
pub fn with_density(file: &[u8], per_metre: u32) -> Vec<u8> {
    if !file.starts_with(&SIGNATURE) || file.len() < HEADER {
        return file.to_vec();
    }
    let mut dense = file[..HEADER].to_vec();
    let per_metre = per_metre.to_be_bytes();
    chunk(
        &mut dense,
        b"pHYs",
        &[&per_metre[..], &per_metre[..], &[1]].concat(),
    );
    dense.extend_from_slice(&file[HEADER..]);
    dense
}

/// The colours and the place of each pixel among them; nothing where they are more than a byte can tell apart.
fn palette(pixels: &[[u8; 4]]) -> (Vec<[u8; 4]>, Vec<u8>) {
    let mut known = std::collections::BTreeMap::new();
    let mut colours = Vec::new();
    let mut places = Vec::with_capacity(pixels.len());
    for colour in pixels {
        let place = *known.entry(*colour).or_insert_with(|| {
            colours.push(*colour);
            colours.len() - 1
        });
        let Ok(place) = u8::try_from(place) else {
            return Default::default();
        };
        places.push(place);
    }
    (colours, places)
}

fn chunk(file: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    file.extend((data.len() as u32).to_be_bytes());
    let from = file.len();
    file.extend(name);
    file.extend(data);
    let check = crc32(&file[from..]);
    file.extend(check.to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_a_palette_and_many_are_not() {
        let kind = |colours: u32| {
            let pixel = |at: u32| [at as u8, (at >> 8) as u8, 7, 255];
            let rgba: Vec<u8> = (0..colours).flat_map(pixel).collect();
            encode(colours, &rgba, 1)[25]
        };
        assert_eq!([kind(1), kind(256), kind(257)], [3, 3, 2]);
        let mut rgba = [7, 7, 7, 0].repeat(2);
        assert_eq!(encode(1, &rgba, 1)[25], 3);
        (0..300).for_each(|at: u32| rgba.extend([at as u8, (at >> 8) as u8, 9, 255]));
        assert_eq!(encode(1, &rgba, 1)[25], 6);
    }

    #[test]
    fn the_density_stands_before_the_pixels_and_strangers_stay_as_they_are() {
        let file = encode(1, &[1, 2, 3, 255], 1);
        let dense = with_density(&file, 11_339);
        assert_eq!(dense.len(), file.len() + 21);
        assert_eq!(&dense[HEADER + 4..HEADER + 8], b"pHYs");
        assert_eq!(dense[HEADER + 8..HEADER + 12], 11_339_u32.to_be_bytes());
        assert_eq!(with_density(b"GIF89a", 1), b"GIF89a");
    }
}
