//! Texts that are no calls, and random ones.

use proptest::collection::vec;
use proptest::prelude::*;

use super::super::{CallProblem, Expectation, Raised, read, tensor};
use crate::rule::Problem;

/// The place that is marked with `⟨` and `⟩`, and the text without the marks.
fn marked(text: &str) -> (String, std::ops::Range<usize>) {
    let place = |mark| text.chars().position(|c| c == mark).expect("a mark");
    let at = place('⟨')..place('⟩') - 1;
    (text.replace(['⟨', '⟩'], ""), at)
}

#[test]
fn refusals_name_the_place_and_the_reason() {
    use CallProblem::{Expected, Raises, UnknownArgument, UnknownFunction, UnknownName};
    let name = |name: &str| name.to_owned();
    let refused = [
        ("⟨⟩", Expected(Expectation::Value)),
        ("⟨q⟩", Expected(Expectation::Call)),
        ("⟨softmax⟩(q)", UnknownFunction(name("softmax"))),
        (
            "⟨q.scaled_dot_product_attention⟩(k, v, is_causal=True)",
            UnknownFunction(name("q.scaled_dot_product_attention")),
        ),
        (
            "F.scaled_dot_product_attention(q, k, v⟨⟩",
            Expected(Expectation::Operator),
        ),
        (
            "F.scaled_dot_product_attention(q, k, v, is_causal=⟨2⟩)",
            Expected(Expectation::Flag),
        ),
        (
            "F.scaled_dot_product_attention(q, k, v, causal=⟨True⟩)",
            UnknownArgument(name("causal")),
        ),
        (
            "F.scaled_dot_product_attention(q, k, v, ⟨mask⟩, is_causal=True)",
            Raises(Raised::FlagBesideMask),
        ),
        (
            "⟨nn.MultiheadAttention(16, 2)(x, x, x, is_causal=True)⟩",
            Raises(Raised::FlagWithoutMask),
        ),
        (
            "F.scaled_dot_product_attention(q, k, v, attn_mask=~⟨mask⟩)",
            UnknownName(name("mask")),
        ),
        (
            "F.scaled_dot_product_attention(q, k, v, attn_mask=⟨torch.ones(2, 2).long()⟩)",
            Raises(Raised::IntegersAsMask),
        ),
        (
            "jax.nn.dot_product_attention(q, k, v, mask=⟨jnp.ones((2, 2))⟩)",
            Raises(Raised::NumbersAsMask),
        ),
        (
            "jax.nn.dot_product_attention(q, k, v, local_window_size=⟨(1, 2, 3)⟩)",
            Expected(Expectation::Window),
        ),
        (
            "create_block_mask(⟨causal_mask⟩, 1, 1, 5, 5)",
            Expected(Expectation::Lambda),
        ),
        (
            "create_block_mask(lambda b, h, q, k: ⟨document⟩[q] == 1, 1, 1, 5, 5)",
            CallProblem::Rule(Problem::UnknownWord(name("document"))),
        ),
        ("x = ⟨;⟩", CallProblem::UnknownCharacter(';')),
        ("f(⟨'a)⟩", CallProblem::UnclosedQuote),
        (
            "F.scaled_dot_product_attention(q, k, v, attn_mask=⟨torch.ones(2, 3) + torch.ones(3, 2)⟩)",
            CallProblem::ShapesDiffer {
                left: vec![2, 3],
                right: vec![3, 2],
            },
        ),
        (
            "F.scaled_dot_product_attention(q, k, v, attn_mask=⟨torch.ones(1000, 1000)⟩)",
            CallProblem::TooManyNumbers,
        ),
        (
            "mha(x, x, x, attn_mask=⟨0 <= torch.arange(3) < 2⟩)",
            Expected(Expectation::Tensor),
        ),
        ("sliding_window=⟨0⟩", Expected(Expectation::WholeNumber)),
    ];
    for (text, problem) in refused {
        let (text, at) = marked(text);
        let error = read(&text).expect_err(&text);
        assert_eq!((error.problem, error.at), (problem, at), "{text}");
    }
}

#[test]
fn limits_are_kept() {
    let problem = |text: &str| read(text).expect_err("too much").problem;
    let deep = |open: &str| open.repeat(1000);
    assert_eq!(problem(&deep("(")), CallProblem::TooDeep);
    assert_eq!(problem(&deep("f(")), CallProblem::TooDeep);
    assert_eq!(problem(&deep("-")), CallProblem::TooDeep);
    assert_eq!(problem(&deep("not ")), CallProblem::TooDeep);
    assert_eq!(problem(&format!("f{}", deep("()"))), CallProblem::TooDeep);
    let long = deep("lambda: ");
    assert_eq!(problem(&long), CallProblem::TooLong { characters: 8000 });
    let sum = |count: usize| format!("np.ones(2) + {}", vec!["1"; count].join("+"));
    assert!(tensor(&sum(32)).is_ok());
    assert_eq!(problem(&sum(33)), CallProblem::TooDeep);
    let huge = "np.ones((65536, 65536, 65536, 65536)) + np.zeros(99999999999999999999)";
    assert!(tensor(huge).is_err());
}

const PIECES: [&str; 56] = [
    "F.scaled_dot_product_attention",
    "mha",
    "layer",
    "jax.nn.dot_product_attention",
    "flash_attn_func",
    "create_block_mask",
    "torch.ones",
    "torch.tril",
    "np.triu",
    "torch.arange",
    "torch.full",
    "np.eye",
    "np.tri",
    "np.where",
    ".bool()",
    ".masked_fill",
    ".triu",
    ".to",
    "float",
    "torch.bool",
    "(",
    "(",
    ")",
    ")",
    "[",
    "]",
    ",",
    ",",
    "=",
    "==",
    "+",
    "-",
    "*",
    "/",
    "//",
    "%",
    "&",
    "~",
    "<",
    ":",
    "None",
    "True",
    "attn_mask=",
    "mask=",
    "is_causal=",
    "window_size=",
    "q",
    "k",
    "0",
    "1",
    "2",
    "4",
    "1e9",
    "'-inf'",
    "lambda b, h, q, k:",
    "from_seqlens",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    #[test]
    fn no_text_does_harm(text in "\\PC{0,60}") {
        let _ = (read(&text), tensor(&text));
    }

    #[test]
    fn no_text_of_known_words_does_harm(pieces in vec(proptest::sample::select(&PIECES[..]), 0..16)) {
        let text = pieces.concat();
        let _ = (read(&text), tensor(&text));
    }
}
