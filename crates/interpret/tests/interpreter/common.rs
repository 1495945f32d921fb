//! Texts, passes and the comparator that tests share.

use interpret::Interpreter;
use model::infer::{Inference, Inferred, WantedLogits};
use model::{Model, Words};

use crate::support::checkpoint;

/// Checkpoints with a text that each can read. The second half of them have windows, caps, divided heads or no order.
pub(crate) const CASES: [(&str, &str); 10] = [
    ("llama", "The animal didn't cross"),
    ("llama.gguf", "Unseen wörds: 我们"),
    ("gpt2", "The animal didn't"),
    ("bert", "The animal didn't cross the street"),
    ("gemma2", "the hi one end a, b the hi"),
    ("gemma3", "the hi one end a, b the hi"),
    ("gemma3_both_sides", "the hi one end a, b the hi"),
    ("qwen2_window", "the hi one end a, b the hi"),
    ("gpt_neox", "the hi one end a, b the"),
    ("distilbert", "the hi one end a"),
];

/// Those whose models give logits.
pub(crate) fn with_logits() -> impl Iterator<Item = (&'static str, &'static str, Interpreter)> {
    let opened = CASES.iter().map(|(name, text)| (*name, *text, open(name)));
    opened.filter(|(_, _, own)| own.model().config().logits)
}

pub(crate) fn open(name: &str) -> Interpreter {
    let (model, tokenizer) = checkpoint(name);
    Interpreter::new(model, tokenizer)
}

/// All heads of all layers.
pub(crate) fn heads(model: &Model) -> Vec<(usize, usize)> {
    let (layers, heads) = (model.config().layers, model.config().heads);
    (0..layers)
        .flat_map(|layer| (0..heads).map(move |head| (layer, head)))
        .collect()
}

/// The tokens of a text.
pub(crate) fn ids(name: &str, text: &str) -> Vec<usize> {
    let encoding = checkpoint(name).1.encode(text).expect("a text");
    encoding.ids.iter().map(|id| *id as usize).collect()
}

pub(crate) fn infer(model: &Model, ids: &[usize], how: &Inference) -> Inferred {
    let words = Words::new(model.config(), &[ids.to_vec()]).expect("tokens of the model");
    model.infer(&words, how).expect("finite")
}

/// Probabilities of all words at a place, in a pass that is changed as `how` says.
pub(crate) fn shares(model: &Model, ids: &[usize], place: usize, how: &Inference) -> Vec<f64> {
    let how = Inference {
        logits: WantedLogits::All,
        ..how.clone()
    };
    let logits = infer(model, ids, &how).logits;
    let vocabulary = model.config().vocabulary;
    softmax(logits[place * vocabulary..][..vocabulary].iter().copied())
}

pub(crate) fn softmax(scores: impl Iterator<Item = impl Into<f64>>) -> Vec<f64> {
    let scores: Vec<f64> = scores.map(Into::into).collect();
    let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let powers: Vec<f64> = scores.iter().map(|own| (own - largest).exp()).collect();
    let sum: f64 = powers.iter().sum();
    powers.iter().map(|own| own / sum).collect()
}

/// The place of the largest number, of equal ones the first.
pub(crate) fn largest(numbers: &[f64]) -> usize {
    let better = |best: usize, at: usize| {
        if numbers[at] > numbers[best] {
            at
        } else {
            best
        }
    };
    (0..numbers.len()).fold(0, better)
}

pub(crate) fn wide(numbers: &[f32]) -> Vec<f64> {
    numbers.iter().map(|own| f64::from(*own)).collect()
}

/// As many numbers, none of them farther than `most`; what is no number is far.
pub(crate) fn assert_close(what: &str, found: &[f64], wanted: &[f64], most: f64) {
    assert_eq!(found.len(), wanted.len(), "{what}: how many");
    for (at, (found, wanted)) in found.iter().zip(wanted).enumerate() {
        let far = (found - wanted).abs();
        assert!(far <= most, "{what}: {found} for {wanted} at {at}");
    }
}

pub(crate) fn bits(numbers: &[f32]) -> Vec<u32> {
    numbers.iter().map(|own| own.to_bits()).collect()
}
