//! Writes pixels as PNG, and sets the density of a PNG file.
//!
//! Source: Portable Network Graphics, third edition, W3C; RFC 1950 and 1951 for the stream inside.

use formats::encoding::crc32;

/// What every file begins with.
const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
/// Bytes of the signature and of the header after it.
const HEADER: usize = 8 + 25;
/// Most bytes of one stored block.
const BLOCK: usize = 0xffff;

/// RGBA pixels, `width` a row, as a file. Every pixel has to be opaque: alpha is left out.
pub fn encode(width: u32, rgba: &[u8]) -> Vec<u8> {
    let pixels = rgba.as_chunks::<4>().0;
    let rows = pixels.chunks_exact(width.max(1) as usize);
    let height = rows.len() as u32;
    let (colours, places) = palette(pixels);
    let is_indexed = !colours.is_empty();
    let mut raw = Vec::with_capacity(pixels.len() * if is_indexed { 1 } else { 3 });
    for (at, row) in rows.enumerate() {
        // Each row says by which filter it was written: none.
        raw.push(0);
        let first = at * row.len();
        if is_indexed {
            raw.extend_from_slice(&places[first..first + row.len()])
        } else {
            raw.extend(row.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]))
        }
    }
    let mut file = SIGNATURE.to_vec();
    let kind = if is_indexed { 3 } else { 2 };
    let [w, h] = [width, height].map(u32::to_be_bytes);
    chunk(
        &mut file,
        b"IHDR",
        &[&w[..], &h[..], &[8, kind, 0, 0, 0]].concat(),
    );
    if is_indexed {
        chunk(&mut file, b"PLTE", &colours.concat());
    }
    chunk(&mut file, b"IDAT", &stored(&raw));
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
fn palette(pixels: &[[u8; 4]]) -> (Vec<[u8; 3]>, Vec<u8>) {
    let mut known = std::collections::BTreeMap::new();
    let mut colours = Vec::new();
    let mut places = Vec::with_capacity(pixels.len());
    for [r, g, b, _] in pixels {
        let colour = [*r, *g, *b];
        let place = *known.entry(colour).or_insert_with(|| {
            colours.push(colour);
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

/// The bytes as a stream that compresses nothing: maps of noise would not get smaller, and small ones need not.
fn stored(raw: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 0x01];
    let blocks = raw.len().div_ceil(BLOCK).max(1);
    for at in 0..blocks {
        let block = &raw[at * BLOCK..raw.len().min((at + 1) * BLOCK)];
        let length = block.len() as u16;
        stream.push(u8::from(at + 1 == blocks));
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend(block);
    }
    stream.extend(adler(raw).to_be_bytes());
    stream
}

fn adler(bytes: &[u8]) -> u32 {
    let (mut low, mut high) = (1_u32, 0_u32);
    // As many as may be added before the sums leave 32 bits.
    for part in bytes.chunks(5552) {
        for byte in part {
            low += u32::from(*byte);
            high += low;
        }
        (low, high) = (low % 65_521, high % 65_521);
    }
    high << 16 | low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_that_of_the_standard() {
        assert_eq!(adler(b"Wikipedia"), 0x11e6_0398);
    }

    #[test]
    fn few_colours_are_a_palette_and_many_are_not() {
        let kind = |colours: u32| {
            let pixel = |at: u32| [at as u8, (at >> 8) as u8, 7, 255];
            let rgba: Vec<u8> = (0..colours).flat_map(pixel).collect();
            encode(colours, &rgba)[25]
        };
        assert_eq!([kind(1), kind(256), kind(257)], [3, 3, 2]);
    }

    #[test]
    fn the_density_stands_before_the_pixels_and_strangers_stay_as_they_are() {
        let file = encode(1, &[1, 2, 3, 255]);
        let dense = with_density(&file, 11_339);
        assert_eq!(dense.len(), file.len() + 21);
        assert_eq!(&dense[HEADER + 4..HEADER + 8], b"pHYs");
        assert_eq!(dense[HEADER + 8..HEADER + 12], 11_339_u32.to_be_bytes());
        assert_eq!(with_density(b"GIF89a", 1), b"GIF89a");
    }
}
