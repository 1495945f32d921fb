//! Numbers and examples in a program, and the functions that read them there.

use formats::encoding::{base64, zlib};
use model::Examples;

/// Functions that read a safetensors file, and examples.
pub(super) const READER: &str = r#"def tensors(file):
    start = 8 + struct.unpack("<Q", file[:8])[0]

    def tensor(shape, data_offsets, **_):
        first, end = data_offsets
        data = bytearray(file[start + first : start + end])
        return torch.frombuffer(data, dtype=torch.float32).reshape(shape).double()

    return {name: tensor(**entry) for name, entry in json.loads(file[8:start]).items()}


def integers(shape, text):
    data = bytearray(zlib.decompress(base64.b64decode(text)))
    return torch.frombuffer(data, dtype=torch.int16).reshape(shape).long()"#;

/// Examples as arguments of `integers`: `[steps, 2, batch, n]`, words and then targets, −1 for
/// none.
pub(super) fn integers(examples: &[Examples]) -> String {
    let [batch, n] = examples.first().map_or([0, 0], |first| {
        [first.words().batch(), first.words().length()]
    });
    let bytes: Vec<u8> = examples.iter().flat_map(numbers).collect();
    let text = base64::standard(&zlib(&bytes));
    format!("[{}, 2, {batch}, {n}], \"{text}\"", examples.len())
}

fn numbers(examples: &Examples) -> Vec<u8> {
    // No vocabulary of the lab reaches 2¹⁵: a text has 20,000 characters.
    let integer = |number: usize| i16::try_from(number).unwrap_or(i16::MAX);
    let words = examples.words().all().iter().map(|word| integer(*word));
    let targets = examples.targets().iter();
    let targets = targets.map(|target| target.map_or(-1, integer));
    words.chain(targets).flat_map(i16::to_le_bytes).collect()
}
