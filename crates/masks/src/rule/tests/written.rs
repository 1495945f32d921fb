//! What texts are read as.

use super::super::{
    Align, Arithmetic, Comparison, Expected, MOST_CHARACTERS, Problem, Rule, Value, Variable, parse,
};
use super::{picture, rule};

fn window(before: u32, after: u32, align: Align) -> Rule {
    Rule::Window {
        before,
        after,
        align,
    }
}

#[test]
fn words_are_read_in_each_of_their_forms() {
    let forms: [(&[&str], Rule); 17] = [
        (&["all", "FULL", "True"], Rule::All),
        (&["none", "False"], Rule::None),
        (
            &["causal", "Causal start", "causal upper left"],
            Rule::Causal(Align::Start),
        ),
        (
            &[
                "causal end",
                "causal lower right",
                "causal lower-right",
                "causal_lower_right",
                "causal bottom_right",
            ],
            Rule::Causal(Align::End),
        ),
        (
            &["window 128", "local=128", "window(128)", "window 128,128"],
            window(128, 128, Align::Start),
        ),
        (
            &[
                "window 2 left",
                "window 2, 0",
                "window=(2,0)",
                "sliding_window=3",
            ],
            window(2, 0, Align::Start),
        ),
        (&["window 2 right"], window(0, 2, Align::Start)),
        (
            &[
                "window 2, 0 end",
                "sliding_window 3 end",
                "window 2 left lower right",
            ],
            window(2, 0, Align::End),
        ),
        (&["prefix 5", "prefix_lm(5)"], Rule::Prefix { keys: 5 }),
        (
            &["documents 3,2,4", "documents 3 2 4", "documents=[3, 2, 4,]"],
            Rule::Documents {
                lengths: vec![3, 2, 4],
            },
        ),
        (&["dilated 2", "strided 2"], Rule::Dilated { stride: 2 }),
        (&["first 4", "sinks 4"], Rule::First { keys: 4 }),
        (&["padding 5", "padding=5"], Rule::Padding { valid: 5 }),
        (&["padding left 3"], Rule::PaddingLeft { padded: 3 }),
        (
            &[
                "image 6×6 kernel 3",
                "image 6x6 kernel 3",
                "image 6 x 6 kernel 3×3",
                "image(6, 6, kernel=3)",
                "image (6, 6) kernel=(3, 3)",
                "image 6 kernel 3",
            ],
            Rule::Image {
                width: 6,
                height: 6,
                kernel: (3, 3),
            },
        ),
        (
            &["image 7×5 kernel 3×5", "image (7×5, kernel 3x5)"],
            Rule::Image {
                width: 7,
                height: 5,
                kernel: (3, 5),
            },
        ),
        (
            &["global 0,8", "global [0, 8]"],
            Rule::Global {
                positions: vec![0, 8],
            },
        ),
    ];
    for (texts, wanted) in forms {
        for text in texts {
            assert_eq!(rule(text), wanted, "{text}");
        }
    }
}

#[test]
fn operators_bind_as_in_python() {
    let same = [
        (
            "causal and not first 1 or q - k < 3",
            "(causal and (not first 1)) or ((q - k) < 3)",
        ),
        ("not q < k and causal", "(not (q < k)) and causal"),
        (
            "~causal & window 2 | first 1",
            "((not causal) and window 2) or first 1",
        ),
        ("(h % 2 == 0) & (q >= kv)", "h % 2 == 0 and q >= kv"),
        (
            "q_idx >= kv_idx && !(b == 1) || none",
            "i >= j and not b == 1 or none",
        ),
        ("i - j - 1 < 2", "(i - j) - 1 < 2"),
        ("i - j * 2 // 3 % 4 < 2", "i - (((j * 2) // 3) % 4) < 2"),
        ("-3 % 2 == 1", "(-3) % 2 == 1"),
        ("0 <= q - k < 3", "0 <= q - k and q - k < 3"),
        ("0 ≤ q − k", "0 <= q - k"),
        ("min(i, j, 3) == 3", "min(min(i, j), 3) == 3"),
        ("lambda b, h, q_idx, kv_idx: q_idx >= kv_idx", "i >= j"),
        ("lambda batch, head, k, q: q <= k", "j <= i"),
        (
            "def mask_mod(b, h, q, k) -> bool:\n    # see\n    return q >= k",
            "i >= j",
        ),
        (
            "(q >= k) | (q < n) & (k < m)",
            "i >= j or (i < n and j < m)",
        ),
    ];
    for (text, other) in same {
        assert_eq!(rule(text), rule(other), "{text}");
    }
    assert_ne!(rule("i - (j - 1) < 2"), rule("i - j - 1 < 2"));
    assert_ne!(
        rule("causal and (first 1 or none)"),
        rule("causal and first 1 or none")
    );
}

#[test]
fn a_comparison_is_a_tree_of_numbers() {
    let variable = |variable| Box::new(Value::Variable(variable));
    assert_eq!(
        rule("abs(q - kv) <= -2"),
        Rule::Compare {
            left: Value::Absolute(Box::new(Value::Computed(
                Arithmetic::Subtract,
                variable(Variable::Query),
                variable(Variable::Key),
            ))),
            comparison: Comparison::AtMost,
            right: Value::Number(-2),
        }
    );
}

/// The place that is marked with `⟨` and `⟩`, and the text without the marks.
fn marked(text: &str) -> (String, std::ops::Range<usize>) {
    let place = |mark| text.chars().position(|c| c == mark).expect("a mark");
    let at = place('⟨')..place('⟩') - 1;
    (text.replace(['⟨', '⟩'], ""), at)
}

#[test]
fn refusals_name_the_place_and_the_rule() {
    use Expected::{Condition, FourNames, Kernel, Number, Operand, Operator, Return};
    let expected = Problem::Expected;
    let word = |word: &str| Problem::UnknownWord(word.to_owned());
    let too_large = |most| Problem::NumberTooLarge { most };
    let refused = [
        ("⟨⟩", expected(Operand)),
        ("causal and ⟨⟩", expected(Operand)),
        ("⟨and⟩ causal", expected(Operand)),
        ("causal ⟨window⟩ 3", expected(Operator)),
        ("causal⟨)⟩", expected(Operator)),
        ("⟨casual⟩", word("casual")),
        ("causal and ⟨看⟩", word("看")),
        ("⟨document_id⟩[q] == 1", word("document_id")),
        ("lambda b, h, q, k: ⟨i⟩ >= k", word("i")),
        ("q ⟨;⟩ k", Problem::UnknownCharacter(';')),
        ("window ⟨⟩", expected(Number)),
        ("window ⟨-⟩1", expected(Number)),
        ("window ⟨1.5⟩", expected(Number)),
        ("q < ⟨0.5⟩", expected(Number)),
        ("first ⟨4294967296⟩", too_large(u32::MAX)),
        ("q < ⟨99999999999999999999999⟩", too_large(u32::MAX)),
        ("dilated ⟨0⟩", Problem::NumberTooSmall { least: 1 }),
        ("sliding_window=⟨0⟩", Problem::NumberTooSmall { least: 1 }),
        ("image 6×6 ⟨⟩", expected(Kernel)),
        ("image 6×6 kernel ⟨7⟩", too_large(6)),
        ("image 6×4 kernel ⟨5⟩", too_large(4)),
        ("image 6×⟨0⟩ kernel 1", Problem::NumberTooSmall { least: 1 }),
        ("⟨(⟩causal", Problem::Unclosed),
        ("documents ⟨[⟩3, 2", Problem::Unclosed),
        ("⟨q - k⟩", expected(Condition)),
        ("⟨q⟩ and causal", expected(Condition)),
        ("q ⟨=⟩ k", expected(Operator)),
        ("⟨causal⟩ + 1 < 2", expected(Expected::Value)),
        ("q >= k ⟨&⟩ h == 0", Problem::JoinsNumbers),
        ("causal ⟨&⟩ q < k", Problem::JoinsNumbers),
        ("⟨~⟩q < k", Problem::JoinsNumbers),
        ("(q ⟨/⟩ 2) < k", Problem::Fraction),
        ("lambda b, h, q⟨:⟩ q > 1", expected(FourNames)),
        ("lambda b, h, q, ⟨q⟩: q > 1", expected(FourNames)),
        ("def f(b, h, q, k): ⟨x⟩ = 1", expected(Return)),
        ("def f(b, h, q, k⟨:⟩ return all", expected(FourNames)),
        ("min(⟨causal⟩, 1) < 2", expected(Expected::Value)),
        ("max(q⟨)⟩ < 2", expected(Number)),
    ];
    for (text, problem) in refused {
        let (text, at) = marked(text);
        let error = parse(&text).expect_err(&text);
        assert_eq!((error.problem, error.at), (problem, at), "{text}");
    }
}

#[test]
fn limits_are_kept() {
    let problem = |text: &str| parse(text).expect_err("too much").problem;
    let long = " ".repeat(MOST_CHARACTERS + 1);
    assert_eq!(problem(&long), Problem::TooLong { characters: 4097 });
    let nested = |depth: usize| format!("{}causal{}", "(".repeat(depth), ")".repeat(depth));
    assert!(parse(&nested(32)).is_ok());
    assert_eq!(problem(&nested(33)), Problem::TooDeep);
    assert_eq!(problem(&"not ".repeat(33)), Problem::TooDeep);
    assert_eq!(problem(&"(".repeat(4096)), Problem::TooDeep);
    let joined = |count: usize| vec!["all"; count].join(" or ");
    assert!(parse(&joined(128)).is_ok());
    assert_eq!(problem(&joined(129)), Problem::TooManyParts);
    let numbers = format!("global {}", "1,".repeat(257));
    assert_eq!(problem(&numbers), Problem::TooManyParts);
    let chain = vec!["i + j + i + j"; 30].join(" < ");
    assert_eq!(problem(&chain), Problem::TooManyParts);
}

#[test]
fn a_refusal_is_an_english_sentence() {
    let said = |text| parse(text).expect_err("no rule").to_string();
    assert_eq!(
        said("causal and wndow 3"),
        "characters 12 to 16: `wndow` is neither a rule nor a name"
    );
    assert_eq!(said("window"), "at the end: expected a whole number");
    assert_eq!(
        said("dilated 0"),
        "character 9: a number here is at least 1"
    );
}

#[test]
fn names_are_those_of_the_lambda() {
    // By place, as FlexAttention calls it: what is named `k` here is the query.
    assert_eq!(picture("lambda b, h, k, q: q <= k", 2, 2), ["1.", "11"]);
}
