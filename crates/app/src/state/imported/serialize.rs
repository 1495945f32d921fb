//! Numbers to bytes and back: one form for the worker, for links, and for the hash.
//!
//! `version, kind, heads, kv_heads`, a byte each; then for every tensor its number in [`NAMES`], its axes and lengths, and its numbers;
//! then the names of rows and of columns. Integers and numbers are little-endian, 32 bit.

wasm_chunks::chunk!("more");

use ndarray::{Array1, Array2, Array3, ArrayBase, Data, Dimension};

use super::{AxisLabels, ImportedData, ImportedTensors, Inputs, Refusal};
use attention::{Linear, Weights};

const VERSION: u8 = 1;

/// Marks the end of the tensors.
const END: u8 = 0xFF;

/// Public names of the tensors that can be imported; the index is the packed code.
pub const NAMES: [&str; 15] = [
    "q",
    "k",
    "v",
    "queries",
    "keys_values",
    "w_q",
    "w_k",
    "w_v",
    "w_o",
    "b_q",
    "b_k",
    "b_v",
    "b_o",
    "w_a",
    "weights",
];

/// A tensor of [`ImportedTensors`].
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor<'a> {
    /// One of [`NAMES`].
    pub name: &'static str,
    /// Its lengths.
    pub shape: Vec<usize>,
    /// Its numbers, row by row.
    pub data: std::borrow::Cow<'a, [f32]>,
}

fn tensor<'a, S: Data<Elem = f32>, D: Dimension>(
    name: &'static str,
    array: &'a ArrayBase<S, D>,
) -> Tensor<'a> {
    Tensor {
        name,
        shape: array.shape().to_vec(),
        data: array.as_slice().map_or_else(
            || array.iter().copied().collect::<Vec<_>>().into(),
            Into::into,
        ),
    }
}

/// Every present tensor, in the order of [`NAMES`].
pub fn tensors(contents: &ImportedTensors) -> Vec<Tensor<'_>> {
    let mut list = Vec::new();
    match contents {
        ImportedTensors::Heads { q, k, v } => {
            list.extend([tensor("q", q), tensor("k", k), tensor("v", v)]);
        }
        ImportedTensors::Matrix(weights) => list.push(tensor("weights", weights)),
        ImportedTensors::Embeddings(_) | ImportedTensors::Layer { .. } => {}
    }
    if let Some(inputs) = contents.inputs() {
        list.push(tensor("queries", &inputs.queries));
        let source = inputs.keys_values.as_ref();
        list.extend(source.map(|rows| tensor("keys_values", rows)));
    }
    if let ImportedTensors::Layer { weights, .. } = contents {
        list.extend(of_layer(weights));
    }
    list
}

fn of_layer(weights: &Weights) -> impl Iterator<Item = Tensor<'_>> {
    let Weights {
        query, key, value, ..
    } = weights;
    let output = weights.output.as_ref();
    let all = [
        Some(tensor("w_q", &query.w)),
        Some(tensor("w_k", &key.w)),
        Some(tensor("w_v", &value.w)),
        output.map(|output| tensor("w_o", &output.w)),
        query.b.as_ref().map(|b| tensor("b_q", b)),
        key.b.as_ref().map(|b| tensor("b_k", b)),
        value.b.as_ref().map(|b| tensor("b_v", b)),
        output.and_then(|output| Some(tensor("b_o", output.b.as_ref()?))),
        weights.additive.as_ref().map(|w_a| tensor("w_a", w_a)),
    ];
    all.into_iter().flatten()
}

/// Numbers that are turned into bytes at once.
const PIECE: usize = 1024;

/// Numbers and names as bytes, a piece at a time.
fn write(contents: &ImportedTensors, names: &AxisLabels, out: &mut dyn FnMut(&[u8])) {
    let (heads, kv_heads) = match contents {
        ImportedTensors::Layer {
            heads, kv_heads, ..
        } => (*heads as u8, *kv_heads as u8),
        _ => (0, 0),
    };
    out(&[VERSION, contents.kind() as u8, heads, kv_heads]);
    for tensor in tensors(contents) {
        let place = NAMES.iter().position(|name| *name == tensor.name);
        out(&[place.unwrap_or(NAMES.len()) as u8, tensor.shape.len() as u8]);
        for length in &tensor.shape {
            out(&(*length as u32).to_le_bytes());
        }
        for numbers in tensor.data.chunks(PIECE) {
            let mut bytes = [[0; 4]; PIECE];
            for (bytes, number) in bytes.iter_mut().zip(numbers) {
                *bytes = number.to_le_bytes();
            }
            out(bytes[..numbers.len()].as_flattened());
        }
    }
    out(&[END]);
    for list in [&names.rows, &names.columns] {
        out(&(list.len() as u32).to_le_bytes());
        for name in list {
            out(&(name.len() as u32).to_le_bytes());
            out(name.as_bytes());
        }
    }
}

/// How many bytes [`pack`] makes.
pub fn size(contents: &ImportedTensors, names: &AxisLabels) -> usize {
    let numbers = tensors(contents).into_iter();
    let numbers = numbers.map(|tensor| 2 + 4 * (tensor.shape.len() + tensor.data.len()));
    let names = [&names.rows, &names.columns].map(|list| {
        let names = list.iter().map(|name| 4 + name.len());
        4 + names.sum::<usize>()
    });
    5 + numbers.sum::<usize>() + names.into_iter().sum::<usize>()
}

/// Numbers and names as bytes.
pub fn pack(contents: &ImportedTensors, names: &AxisLabels) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(size(contents, names));
    write(contents, names, &mut |piece| bytes.extend_from_slice(piece));
    bytes
}

/// Unpacks bytes that [`pack`] has written, with the same checks as for any other data.
///
/// # Errors
/// [`Refusal::Packed`] for bytes that were not packed here, and whatever [`ImportedData::new`] refuses.
pub fn unpack(bytes: &[u8], file: &str) -> Result<ImportedData, Refusal> {
    let mut bytes = Bytes(bytes);
    let read = read(&mut bytes).filter(|_| bytes.0.is_empty());
    let (contents, names) = read.ok_or(Refusal::Packed)?;
    ImportedData::new(contents, names, file)
}

/// The sum of FNV-1a (Fowler, Noll and Vo) over words of 64 bits of what [`pack`] makes, which is not made for it: cheap for megabytes,
/// and nothing hangs on it but which numbers a link means.
pub fn hash(contents: &ImportedTensors, names: &AxisLabels) -> u64 {
    let step = |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3);
    let mut sum = 0xcbf2_9ce4_8422_2325 ^ size(contents, names) as u64;
    let (mut word, mut filled) = ([0; 8], 0);
    write(contents, names, &mut |piece| {
        let mut rest = piece;
        while !rest.is_empty() {
            if filled == 0 && rest.len() >= 8 {
                let (words, end) = rest.as_chunks::<8>();
                for word in words {
                    sum = step(sum, u64::from_le_bytes(*word));
                }
                rest = end;
                continue;
            }
            let count = (8 - filled).min(rest.len());
            word[filled..filled + count].copy_from_slice(&rest[..count]);
            (filled, rest) = (filled + count, &rest[count..]);
            if filled == 8 {
                sum = step(sum, u64::from_le_bytes(word));
                filled = 0;
            }
        }
    });
    word[filled..].fill(0);
    sum = step(sum, u64::from_le_bytes(word));
    // The product carries upwards only: the high half is brought down once, so that every bit counts everywhere.
    step(sum ^ (sum >> 32), sum >> 32)
}

/// Reads bytes in order; `None` where they end too early.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    fn number(&mut self) -> Option<usize> {
        let bytes = self.take(4)?.try_into().ok()?;
        usize::try_from(u32::from_le_bytes(bytes)).ok()
    }

    fn floats(&mut self, count: usize) -> Option<Vec<f32>> {
        let bytes = self.take(count.checked_mul(4)?)?;
        let words = bytes.as_chunks::<4>().0.iter();
        Some(words.map(|word| f32::from_le_bytes(*word)).collect())
    }

    fn names(&mut self) -> Option<Vec<String>> {
        let count = self.number()?;
        let mut names = Vec::new();
        for _ in 0..count {
            let length = self.number()?;
            names.push(String::from_utf8(self.take(length)?.to_vec()).ok()?);
        }
        Some(names)
    }
}

/// The tensors that were read, by their places in [`NAMES`].
#[derive(Default)]
struct Parts([Option<(Vec<usize>, Vec<f32>)>; NAMES.len()]);

impl Parts {
    fn take(&mut self, name: &str) -> Option<(Vec<usize>, Vec<f32>)> {
        let place = NAMES.iter().position(|own| *own == name)?;
        self.0[place].take()
    }

    fn one(&mut self, name: &str) -> Option<Array1<f32>> {
        let (shape, data) = self.take(name)?;
        (shape == [data.len()]).then(|| Array1::from_vec(data))
    }

    fn two(&mut self, name: &str) -> Option<Array2<f32>> {
        let (shape, data) = self.take(name)?;
        let [rows, columns] = *shape else { return None };
        Array2::from_shape_vec((rows, columns), data).ok()
    }

    fn three(&mut self, name: &str) -> Option<Array3<f32>> {
        let (shape, data) = self.take(name)?;
        let [heads, rows, columns] = *shape else {
            return None;
        };
        Array3::from_shape_vec((heads, rows, columns), data).ok()
    }

    fn linear(&mut self, w: &str, b: &str) -> Option<Linear> {
        Some(Linear {
            w: self.two(w)?,
            b: self.one(b),
        })
    }

    fn inputs(&mut self) -> Option<Inputs> {
        Some(Inputs {
            queries: self.two("queries")?,
            keys_values: self.two("keys_values"),
        })
    }
}

fn read(bytes: &mut Bytes<'_>) -> Option<(ImportedTensors, AxisLabels)> {
    if bytes.byte()? != VERSION {
        return None;
    }
    let (kind, heads, kv_heads) = (bytes.byte()?, bytes.byte()?, bytes.byte()?);
    let mut parts = Parts::default();
    loop {
        let place = bytes.byte()?;
        if place == END {
            break;
        }
        let axes = bytes.byte()?;
        let shape = (0..axes.min(4))
            .map(|_| bytes.number())
            .collect::<Option<Vec<_>>>()?;
        let count = shape
            .iter()
            .try_fold(1_usize, |count, length| count.checked_mul(*length))?;
        let data = bytes.floats(count)?;
        *parts.0.get_mut(usize::from(place))? = Some((shape, data));
    }
    let contents = contents(kind, [heads, kv_heads].map(usize::from), &mut parts)?;
    let names = AxisLabels {
        rows: bytes.names()?,
        columns: bytes.names()?,
    };
    Some((contents, names))
}

fn contents(kind: u8, [heads, kv_heads]: [usize; 2], parts: &mut Parts) -> Option<ImportedTensors> {
    Some(match kind {
        0 => ImportedTensors::Heads {
            q: parts.three("q")?,
            k: parts.three("k")?,
            v: parts.three("v")?,
        },
        1 => ImportedTensors::Embeddings(parts.inputs()?),
        2 => ImportedTensors::Layer {
            weights: Weights {
                query: parts.linear("w_q", "b_q")?,
                key: parts.linear("w_k", "b_k")?,
                value: parts.linear("w_v", "b_v")?,
                output: parts.linear("w_o", "b_o"),
                additive: parts.one("w_a"),
            },
            heads,
            kv_heads,
            inputs: parts.inputs(),
        },
        3 => ImportedTensors::Matrix(parts.three("weights")?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum over bytes that are all there.
    fn of_bytes(bytes: &[u8]) -> u64 {
        let step = |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        let mut sum = 0xcbf2_9ce4_8422_2325 ^ bytes.len() as u64;
        let mut padded = bytes.to_vec();
        padded.resize(8 * (bytes.len() / 8 + 1), 0);
        for word in padded.as_chunks::<8>().0 {
            sum = step(sum, u64::from_le_bytes(*word));
        }
        step(sum ^ (sum >> 32), sum >> 32)
    }

    #[test]
    fn the_hash_is_that_of_the_bytes_which_are_not_made_for_it() {
        let names = |count: usize, length: usize| vec!["x".repeat(length); count];
        // Below, at and beyond a piece, and bytes that end anywhere in a word.
        for (rows, columns, length) in [(1, 1, 0), (3, 5, 1), (32, 32, 3), (37, 59, 6)] {
            let weights = Array3::from_shape_fn((2, rows, columns), |(head, row, column)| {
                (head + 3 * row + 7 * column) as f32 / 31.0
            });
            let contents = ImportedTensors::Matrix(weights);
            let names = AxisLabels {
                rows: names(rows, length),
                columns: names(columns, length / 2),
            };
            let bytes = pack(&contents, &names);
            assert_eq!(size(&contents, &names), bytes.len());
            assert_eq!(hash(&contents, &names), of_bytes(&bytes));
        }
    }
}
