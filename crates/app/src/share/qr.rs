//! A link as a QR code.

use qrcodegen::{QrCode, QrCodeEcc};

/// The most bytes that a QR code holds: ISO/IEC 18004, version 40 with the weakest correction.
const MOST: usize = 2953;

/// The margin that readers need, in modules.
const QUIET: usize = 4;

/// A code as a drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Qr {
    /// Modules from edge to edge, the margin among them.
    pub side: usize,
    /// The dark modules as the `d` of an SVG path, one unit a module.
    pub path: String,
}

/// A link that no QR code can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong {
    /// Its bytes.
    pub bytes: usize,
    /// The most there can be.
    pub most: usize,
}

impl Qr {
    /// Encodes `link`. Characters beyond ASCII are percent-encoded, so that every scanner decodes
    /// them the same.
    ///
    /// # Errors
    /// [`TooLong`].
    pub fn encode(link: &str) -> Result<Self, TooLong> {
        let ascii = ascii(link);
        let too_long = TooLong {
            bytes: ascii.len(),
            most: MOST,
        };
        // Few large modules are seen from further away than strong correction; what fits in besides is taken by itself.
        let code = QrCode::encode_text(&ascii, QrCodeEcc::Low).map_err(|_| too_long)?;
        Ok(Self::drawn(&code))
    }

    fn drawn(code: &QrCode) -> Self {
        let size = code.size();
        let mut path = String::new();
        for y in 0..size {
            let mut x = 0;
            while x < size {
                let run = (x..size).take_while(|x| code.get_module(*x, y)).count();
                if run > 0 {
                    let (left, top) = (x as usize + QUIET, y as usize + QUIET);
                    path += &format!("M{left} {top}h{run}v1h-{run}z");
                }
                x += run as i32 + 1;
            }
        }
        Self {
            side: size as usize + 2 * QUIET,
            path,
        }
    }
}

fn ascii(link: &str) -> String {
    let mut written = String::with_capacity(link.len());
    let mut bytes = [0; 4];
    for c in link.chars() {
        if c.is_ascii() {
            written.push(c);
        } else {
            for byte in c.encode_utf8(&mut bytes).bytes() {
                written += &format!("%{byte:02X}");
            }
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes the drawing as a camera would, from grey pixels with a few per module.
    fn read(qr: &Qr) -> String {
        const SCALE: usize = 4;
        let mut dark = vec![false; qr.side * qr.side];
        for run in qr.path.split('M').skip(1) {
            let (place, rest) = run.split_once('h').expect("a run");
            let (x, y) = place.split_once(' ').expect("a place");
            let (x, y): (usize, usize) = (x.parse().expect("x"), y.parse().expect("y"));
            let length = rest.split_once('v').expect("a height").0;
            let length: usize = length.parse().expect("a length");
            dark[y * qr.side + x..][..length].fill(true);
        }
        let side = qr.side * SCALE;
        let pixel = |x: usize, y: usize| {
            if dark[y / SCALE * qr.side + x / SCALE] {
                0
            } else {
                255
            }
        };
        let mut image = rqrr::PreparedImage::prepare_from_greyscale(side, side, pixel);
        let grids = image.detect_grids();
        assert_eq!(grids.len(), 1, "one code is found");
        grids[0].decode().expect("it can be read").1
    }

    #[test]
    fn a_reader_reads_the_link() {
        let link = "https://a.example/lab/#v=1&text=the+cat&heads=2";
        let qr = Qr::encode(link).expect("short enough");
        assert_eq!((read(&qr), qr.side), (link.to_owned(), 29 + 2 * QUIET));
        let qr = Qr::encode("https://a.example/#v=1&text=小猫").expect("short enough");
        assert_eq!(read(&qr), "https://a.example/#v=1&text=%E5%B0%8F%E7%8C%AB");
    }

    #[test]
    fn the_margin_is_free() {
        let qr = Qr::encode("https://a.example/").expect("short enough");
        let places = qr.path.split('M').skip(1).map(|run| {
            let (place, rest) = run.split_once('h').expect("a run");
            let (x, y) = place.split_once(' ').expect("a place");
            let length = rest.split_once('v').expect("a height").0;
            let number = |text: &str| text.parse::<usize>().expect("a number");
            (number(x), number(x) + number(length), number(y))
        });
        let (mut from, mut to) = (usize::MAX, 0);
        for (left, right, y) in places {
            from = from.min(left).min(y);
            to = to.max(right).max(y + 1);
        }
        assert_eq!((from, to), (QUIET, qr.side - QUIET));
    }

    #[test]
    fn a_link_that_is_too_long_is_refused_with_its_length() {
        assert!(Qr::encode(&"x".repeat(MOST)).is_ok());
        let refused = |link: &str| Qr::encode(link).map(|qr| qr.side);
        assert_eq!(
            refused(&"x".repeat(MOST + 1)),
            Err(TooLong {
                bytes: MOST + 1,
                most: MOST
            })
        );
        assert_eq!(
            refused(&format!("x{}", "字".repeat(400))).map_err(|long| long.bytes),
            Err(3601)
        );
    }
}
