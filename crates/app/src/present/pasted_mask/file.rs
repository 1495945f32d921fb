//! A mask from a file: numbers of NumPy and safetensors, a text, or a picture of it painted.

wasm_chunks::chunk!("code");

use super::{MaskReading, PastedMask, Reader};
use crate::i18n::file_messages::{refusal_of, refusal_of_amount, unreadable};
use crate::i18n::{Key, Language, text};
use crate::state::State;
use formats::{Limits, NumberKind, Numbers};
use masks::imported::{Element, ImportedTensor};
use ndarray::Array4;

/// The most pixels of a picture: 4096 across and down.
pub const MOST_PIXELS: u64 = 1 << 24;

/// A file that is to be a mask.
#[derive(Clone, Debug, PartialEq)]
pub enum MaskFile {
    /// Its bytes.
    Bytes(Vec<u8>),
    /// A picture, by the lightness of its pixels, row by row; what is transparent is light.
    Picture {
        /// Pixels across.
        width: usize,
        /// Pixels down.
        height: usize,
        /// 0 black to 255 white.
        light: Vec<u8>,
    },
    /// A picture that was not read, of more than [`MOST_PIXELS`].
    TooManyPixels {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
    /// One of so many bytes, which was not read.
    TooLarge(f64),
    /// The browser could not read it.
    Unreadable,
}

impl MaskFile {
    /// A picture from its pixels, red, green, blue and opacity of each.
    pub fn of_pixels(width: usize, height: usize, pixels: &[u8]) -> Self {
        let light = |pixel: &[u8; 4]| {
            let [red, green, blue, opacity] = pixel.map(u32::from);
            // The weights of luma, in thousandths (ITU-R BT.601).
            let luma = (299 * red + 587 * green + 114 * blue) / 1000;
            (255 - (255 - luma) * opacity / 255) as u8
        };
        Self::Picture {
            width,
            height,
            light: pixels.as_chunks().0.iter().map(light).collect(),
        }
    }
}

/// What the file of this name is on the page's map.
pub fn open(name: &str, file: &MaskFile, state: &State, language: Language) -> PastedMask {
    let reader = Reader::new(state, language);
    let readings = match file {
        MaskFile::Bytes(bytes) => match written(bytes) {
            Some(text) => return PastedMask::read(text.to_owned(), state, language),
            None => reader.numbers(name, bytes),
        },
        MaskFile::Picture {
            width,
            height,
            light,
        } => reader.picture([*width, *height], light),
        MaskFile::TooManyPixels { width, height } => {
            let size = format!("{width} × {height}");
            Err(text::pasted_pixels(language, &size, &MOST_PIXELS))
        }
        MaskFile::TooLarge(bytes) => {
            let refusal = refusal_of_amount(language, 1, *bytes);
            Err(refusal.unwrap_or_else(|| unreadable(language, None)))
        }
        MaskFile::Unreadable => Err(unreadable(language, None)),
    };
    PastedMask {
        text: String::new(),
        readings,
    }
}

/// The text of a file without a zero byte, which numbers rarely are without.
fn written(bytes: &[u8]) -> Option<&str> {
    let is_text = !bytes.contains(&0) && !bytes.starts_with(b"\x93NUMPY");
    let text = std::str::from_utf8(bytes).ok().filter(|_| is_text)?;
    // The mark that some editors write before a text.
    Some(text.strip_prefix('\u{feff}').unwrap_or(text))
}

impl Reader<'_> {
    fn numbers(&self, name: &str, bytes: &[u8]) -> Result<Vec<MaskReading>, String> {
        let mut all = formats::numbers(name, bytes, &Limits::default())
            .map_err(|error| refusal_of(self.language, None, &error))?;
        match all.pop() {
            Some(only) if all.is_empty() => self.tensor(&imported(only)),
            last => {
                let each = all.into_iter().chain(last);
                Ok(each.flat_map(|one| self.named(one)).collect())
            }
        }
    }

    /// The readings of one of several tensors, by its name; what fits no map says so.
    fn named(&self, numbers: Numbers) -> Vec<MaskReading> {
        let name = numbers.name.clone();
        let said = |said: &str| text::pasted_named(self.language, &name, &said);
        match self.tensor(&imported(numbers)) {
            Ok(readings) => {
                let named = |own: MaskReading| MaskReading {
                    said: said(&own.said),
                    ..own
                };
                readings.into_iter().map(named).collect()
            }
            Err(why) => vec![MaskReading {
                said: said(&why),
                remarks: Vec::new(),
                shown_by: Vec::new(),
            }],
        }
    }

    /// Cells of as many pixels across as down, dark or light by their mean.
    fn picture(
        &self,
        [width, height]: [usize; 2],
        light: &[u8],
    ) -> Result<Vec<MaskReading>, String> {
        let (n, m) = (self.axes.n, self.axes.m);
        let side = width.checked_div(m).unwrap_or(0);
        if side == 0 || (side * m, side * n) != (width, height) || light.len() != width * height {
            let sizes = (format!("{width} × {height}"), format!("{m} × {n}"));
            return Err(text::pasted_picture(self.language, &sizes.0, &sizes.1));
        }
        let is_light = |query: usize, key: usize| {
            let rows = (query * side..(query + 1) * side).map(|row| row * width + key * side);
            let sum: u64 = rows
                .flat_map(|from| &light[from..from + side])
                .map(|pixel| u64::from(*pixel))
                .sum();
            2 * sum > 255 * (side * side) as u64
        };
        let light = Array4::from_shape_fn((1, 1, n, m), |(_, _, query, key)| is_light(query, key));
        let dark = light.mapv(|is_light| !is_light);
        Ok(vec![
            self.mask(Key::PastedDark, &dark),
            self.mask(Key::PastedLight, &light),
        ])
    }
}

fn imported(numbers: Numbers) -> ImportedTensor {
    ImportedTensor {
        shape: numbers.shape,
        data: numbers.data,
        element: match numbers.kind {
            NumberKind::Bool => Element::Bool,
            NumberKind::Integer => Element::Integer,
            NumberKind::Float => Element::Float,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::pasted_mask::tests::shows;
    use crate::state::url;

    fn opened(name: &str, file: MaskFile) -> PastedMask {
        open(name, &file, &url::parse("text=a+b+c").0, Language::En)
    }

    fn readings(name: &str, bytes: &[u8]) -> Vec<MaskReading> {
        let file = opened(name, MaskFile::Bytes(bytes.to_vec()));
        file.readings.expect("it can be read")
    }

    fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
        let header =
            format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
        let length = (header.len() as u16).to_le_bytes();
        [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), data].concat()
    }

    const CAUSAL: [&str; 3] = ["1..", "11.", "111"];

    #[test]
    fn minus_infinity_hides_in_an_array_of_numpy() {
        let (seen, hidden) = (0.0_f32, f32::NEG_INFINITY);
        let cells = [seen, hidden, hidden, seen, seen, hidden, seen, seen, seen];
        let data: Vec<u8> = cells.iter().flat_map(|cell| cell.to_le_bytes()).collect();
        let all = readings("mask.npy", &npy("<f4", "(3, 3)", &data));
        assert_eq!(all.len(), 1);
        assert_eq!(shows(&all[0]), Some(CAUSAL.to_vec()));
    }

    #[test]
    fn booleans_are_asked_about_and_a_batch_is_taken_for_all_heads() {
        let cells = [1, 0, 0, 1, 1, 0, 1, 1, 1];
        let all = readings("mask.npy", &npy("|b1", "(1, 1, 3, 3)", &cells));
        assert_eq!(all.len(), 2);
        assert_eq!(shows(&all[0]), Some(CAUSAL.to_vec()));
    }

    #[test]
    fn tensors_of_safetensors_are_offered_by_name_and_misfits_say_why() {
        let header = r#"{"mask":{"dtype":"BOOL","shape":[3,3],"data_offsets":[0,9]},"other":{"dtype":"I8","shape":[2,2],"data_offsets":[9,13]}}"#;
        let length = (header.len() as u64).to_le_bytes();
        let cells = [1, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1];
        let all = readings(
            "masks.safetensors",
            &[&length, header.as_bytes(), &cells].concat(),
        );
        assert!(all[0].said.starts_with("“mask”: "), "{}", all[0].said);
        assert_eq!(shows(&all[0]), Some(CAUSAL.to_vec()));
        let other = all.last().expect("the other");
        assert!(other.said.starts_with("“other”: ") && other.said.contains("[2, 2]"));
        assert!(other.shown_by.is_empty());
    }

    #[test]
    fn a_text_is_read_as_if_it_were_pasted() {
        let file = opened("rule.txt", MaskFile::Bytes(b"causal\n".to_vec()));
        assert_eq!(file.text, "causal\n");
        assert_eq!(
            shows(&file.readings.expect("a rule")[0]),
            Some(CAUSAL.to_vec())
        );
        let marked = opened("rule.txt", MaskFile::Bytes("\u{feff}causal".into()));
        assert_eq!(marked.text, "causal");
    }

    #[test]
    fn a_picture_is_read_by_its_cells() {
        let picture = |width: usize, height: usize, light: Vec<u8>| {
            let file = MaskFile::Picture {
                width,
                height,
                light,
            };
            opened("mask.png", file).readings
        };
        // Two pixels a side; one of the four of a dark cell is light.
        let pixel = |row: usize, column: usize| match (column / 2 > row / 2, row % 2 + column % 2) {
            (true, _) | (_, 0) => 255,
            _ => 10,
        };
        let light = (0..36).map(|at| pixel(at / 6, at % 6)).collect();
        let all = picture(6, 6, light).expect("it fits");
        assert_eq!(shows(&all[0]), Some(CAUSAL.to_vec()));
        assert_eq!(shows(&all[1]), Some(vec![".11", "..1", "..."]));
        for (width, height) in [(6, 3), (7, 7), (2, 2), (0, 0)] {
            let why = picture(width, height, vec![0; width * height]).expect_err("no such map");
            assert!(why.contains(&format!("{width} × {height}")), "{why}");
        }
    }

    #[test]
    fn what_is_transparent_is_light() {
        let pixels = [
            [0, 0, 0, 255],
            [0, 0, 0, 0],
            [255, 255, 255, 255],
            [0, 255, 0, 255],
        ];
        let picture = MaskFile::of_pixels(2, 2, pixels.as_flattened());
        let MaskFile::Picture { light, .. } = picture else {
            panic!("a picture");
        };
        assert_eq!(light, [0, 255, 255, 149]);
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let why = |file| opened("mask.npy", file).readings.expect_err("no mask");
        let shape = why(MaskFile::Bytes(npy("|b1", "(2, 3)", &[1; 6])));
        assert!(shape.contains("[2, 3]"), "{shape}");
        let cut = why(MaskFile::Bytes(npy("|b1", "(3, 3)", &[1; 6])));
        assert!(!cut.is_empty());
        assert!(!why(MaskFile::TooLarge(1e10)).is_empty());
        let header = b"{}";
        let empty = [&(header.len() as u64).to_le_bytes()[..], header].concat();
        assert!(!why(MaskFile::Bytes(empty)).is_empty());
        let pixels = why(MaskFile::TooManyPixels {
            width: 5000,
            height: 4000,
        });
        assert!(pixels.contains("5000 × 4000"), "{pixels}");
        assert_ne!(why(MaskFile::Unreadable), why(MaskFile::TooLarge(1e10)));
    }
}
