//! The metadata of a GGUF file of a person's own, for tests of real files: trusts the file.

use std::collections::HashMap;

use tokenizer::GgufVocabulary;

#[derive(Clone)]
enum Value {
    Number(u32),
    Float(f32),
    Text(String),
    List(Vec<Value>),
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (bytes, rest) = self.0.split_at(N);
        self.0 = rest;
        bytes.try_into().unwrap()
    }

    fn length(&mut self) -> usize {
        usize::try_from(u64::from_le_bytes(self.take())).unwrap()
    }

    fn text(&mut self) -> String {
        let length = self.length();
        let (bytes, rest) = self.0.split_at(length);
        self.0 = rest;
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    fn value(&mut self, kind: u32) -> Value {
        match kind {
            0 | 1 | 7 => Value::Number(self.take::<1>()[0].into()),
            2 | 3 => Value::Number(u16::from_le_bytes(self.take()).into()),
            4 | 5 => Value::Number(u32::from_le_bytes(self.take())),
            6 => Value::Float(f32::from_le_bytes(self.take())),
            8 => Value::Text(self.text()),
            9 => {
                let kind = u32::from_le_bytes(self.take());
                let count = self.length();
                Value::List((0..count).map(|_| self.value(kind)).collect())
            }
            10..=12 => {
                self.take::<8>();
                Value::Number(0)
            }
            other => panic!("type {other}"),
        }
    }
}

/// The vocabulary of a file.
pub(crate) fn vocabulary(file: &[u8]) -> GgufVocabulary {
    let mut reader = Reader(file);
    assert_eq!(&reader.take::<4>(), b"GGUF");
    reader.take::<4>();
    reader.length();
    let mut fields = HashMap::new();
    for _ in 0..reader.length() {
        let key = reader.text();
        let kind = u32::from_le_bytes(reader.take());
        let value = reader.value(kind);
        if let Some(key) = key.strip_prefix("tokenizer.ggml.") {
            fields.insert(key.to_owned(), value);
        }
    }
    Fields(fields).vocabulary()
}

struct Fields(HashMap<String, Value>);

impl Fields {
    fn vocabulary(mut self) -> GgufVocabulary {
        GgufVocabulary {
            model: self.text("model").unwrap(),
            pre: self.text("pre"),
            tokens: self.texts("tokens").unwrap(),
            scores: self.list("scores", |value| match value {
                Value::Float(score) => score,
                _ => panic!("scores"),
            }),
            token_types: self.list("token_type", |value| match value {
                Value::Number(kind) => kind.cast_signed(),
                _ => panic!("token_type"),
            }),
            merges: self.texts("merges"),
            bos: self.number("bos_token_id"),
            eos: self.number("eos_token_id"),
            unknown: self.number("unknown_token_id"),
            separator: self.number("seperator_token_id"),
            class: self.number("cls_token_id"),
            add_bos: self.number("add_bos_token").map(|flag| flag == 1),
            add_eos: self.number("add_eos_token").map(|flag| flag == 1),
            add_space_prefix: self.number("add_space_prefix").map(|flag| flag == 1),
            lowercase: self.number("normalizer.lowercase").map(|flag| flag == 1),
            strip_accents: self
                .number("normalizer.strip_accents")
                .map(|flag| flag == 1),
        }
    }

    fn text(&mut self, key: &str) -> Option<String> {
        match self.0.remove(key)? {
            Value::Text(text) => Some(text),
            _ => panic!("{key}"),
        }
    }

    fn number(&mut self, key: &str) -> Option<u32> {
        match self.0.remove(key)? {
            Value::Number(number) => Some(number),
            _ => panic!("{key}"),
        }
    }

    fn list<T>(&mut self, key: &str, item: impl Fn(Value) -> T) -> Option<Vec<T>> {
        match self.0.remove(key)? {
            Value::List(values) => Some(values.into_iter().map(item).collect()),
            _ => panic!("{key}"),
        }
    }

    fn texts(&mut self, key: &str) -> Option<Vec<String>> {
        self.list(key, |value| match value {
            Value::Text(text) => text,
            _ => panic!("list"),
        })
    }
}
