//! Which call is written for which mask, and what is said of it. `tests/python` runs them.

use ndarray::Array4;
use proptest::prelude::*;

use super::*;
use crate::rule::parse;
use crate::rule::tests::random::rules;

fn written(text: &str, axes: Axes, library: Library) -> Program {
    let rule = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    program(Source::Rule(&rule), &axes, library).expect("it fits")
}

fn code(text: &str, axes: Axes, library: Library) -> String {
    let program = written(text, axes, library);
    program.code.unwrap_or_default()
}

/// The line that makes `out`.
fn call(text: &str, [n, m]: [usize; 2], library: Library) -> String {
    let code = code(text, Axes::of_map(n, m), library);
    let mut lines = code.lines();
    let line = lines
        .find(|line| line.starts_with("out"))
        .unwrap_or_default();
    line.split_once("(q, ")
        .map_or("", |(_, given)| given)
        .to_owned()
}

#[test]
fn flags_are_written_where_they_mean_the_mask() {
    use Library::{FlashAttention, Jax, Keras, Mlx, TorchMultihead, TorchSdpa};
    let square = [5, 5];
    let calls = [
        ("all", square, TorchSdpa, "k, v)"),
        ("causal", square, TorchSdpa, "k, v, is_causal=True)"),
        ("q >= k", [2, 5], TorchSdpa, "k, v, is_causal=True)"),
        ("causal end", square, TorchSdpa, "k, v, is_causal=True)"),
        ("causal end", [2, 5], TorchSdpa, "k, v, attn_mask=mask)"),
        (
            "causal and padding 4",
            square,
            TorchSdpa,
            "k, v, attn_mask=mask)",
        ),
        (
            "causal",
            square,
            TorchMultihead,
            "k, v, attn_mask=hidden, average_attn_weights=False)",
        ),
        ("causal", square, FlashAttention, "k, v, causal=True)"),
        (
            "causal",
            [5, 2],
            FlashAttention,
            "k, v, window_size=(-1, 3))",
        ),
        ("causal end", [5, 2], FlashAttention, "k, v, causal=True)"),
        (
            "window 2",
            [9, 9],
            FlashAttention,
            "k, v, window_size=(2, 2))",
        ),
        (
            "window 2, 0 end",
            [3, 7],
            FlashAttention,
            "k, v, window_size=(2, 0))",
        ),
        ("window 2, 0", [3, 7], FlashAttention, ""),
        (
            "i - j <= 2",
            [9, 9],
            FlashAttention,
            "k, v, window_size=(2, -1))",
        ),
        (
            "documents 3, 1",
            [4, 4],
            FlashAttention,
            "k, v, ends, ends, 3, 3)",
        ),
        (
            "causal and documents 1, 3",
            [4, 4],
            FlashAttention,
            "k, v, ends, ends, 3, 3, causal=True)",
        ),
        ("dilated 2", square, FlashAttention, ""),
        ("causal", [2, 5], Jax, "k, v, is_causal=True)"),
        (
            "window 2, 1",
            [6, 7],
            Jax,
            "k, v, local_window_size=(2, 1))",
        ),
        ("causal end", [2, 5], Jax, "k, v, mask=mask[None, None])"),
        (
            "causal and padding 4",
            square,
            Jax,
            "k, v, mask=mask[None, None])",
        ),
        (
            "causal",
            [2, 5],
            Keras,
            "v, k, use_causal_mask=True, return_attention_scores=True)",
        ),
        (
            "causal end",
            [2, 5],
            Keras,
            "v, k, attention_mask=mask, return_attention_scores=True)",
        ),
        (
            "causal end",
            [2, 5],
            Mlx,
            "k, v, scale=q.shape[-1] ** -0.5, mask=\"causal\")",
        ),
        (
            "causal end",
            [5, 2],
            Mlx,
            "k, v, scale=q.shape[-1] ** -0.5, mask=mask)",
        ),
        (
            "causal",
            [2, 5],
            Mlx,
            "k, v, scale=q.shape[-1] ** -0.5, mask=mask)",
        ),
    ];
    for (text, lengths, library, wanted) in calls {
        assert_eq!(
            call(text, lengths, library),
            wanted,
            "{text}, {lengths:?}, {library}"
        );
    }
}

#[test]
fn conditions_are_written_over_positions() {
    let axes = Axes {
        batch: 2,
        heads: 3,
        n: 6,
        m: 6,
    };
    let mask = |text: &str| {
        let code = code(text, axes, Library::NumPy);
        let line = code.lines().find(|line| line.starts_with("mask = "));
        line.unwrap_or_default().to_owned()
    };
    assert_eq!(
        mask("causal and window 2"),
        "mask = (j <= i) & (abs(i - j) <= 2)"
    );
    assert_eq!(
        mask("window 2, 0 end"),
        "mask = (i + m - n - j <= 2) & (i + m - n - j >= 0)"
    );
    assert_eq!(mask("causal or first 1 and not dilated 2"), {
        "mask = (j <= i) | (j < 1) & ~((i - j) % 2 == 0)"
    });
    assert_eq!(mask("(causal or first 1) and all"), {
        "mask = ((j <= i) | (j < 1)) & (j >= 0)"
    });
    assert_eq!(mask("padding 4"), "mask = np.broadcast_to(j < 4, (n, m))");
    assert_eq!(
        mask("h == 1 or k < 2"),
        "mask = np.broadcast_to((h == 1) | (j < 2), (3, n, m))"
    );
    assert_eq!(
        mask("(i - (j - 1)) * 2 > -i"),
        "mask = (i - (j - 1)) * 2 > -i"
    );
    assert_eq!(mask("max(2, i) < j"), "mask = np.maximum(i, 2) < j");
    let documents = code("documents 4, 2 and not documents 2, 4", axes, Library::Jax);
    assert!(documents.contains("document_2 = jnp.repeat(jnp.arange(2), jnp.array([2, 4]))"));
}

#[test]
fn notes_say_what_one_would_not_expect() {
    let notes =
        |text: &str, [n, m]: [usize; 2], library| written(text, Axes::of_map(n, m), library).notes;
    use Library::{FlashAttention, Jax, Mlx, TorchMultihead, TorchSdpa, Transformers};
    let at_start = Note::FlagAlignedAt(Align::Start);
    let at_end = Note::FlagAlignedAt(Align::End);
    assert_eq!(notes("causal", [5, 5], TorchSdpa), []);
    assert_eq!(notes("causal end", [2, 5], TorchSdpa), [at_start]);
    assert_eq!(
        notes("causal", [2, 5], FlashAttention),
        [Note::NoCall, at_end]
    );
    assert_eq!(notes("causal", [2, 5], Mlx), [at_end]);
    assert_eq!(notes("causal", [2, 2], TorchMultihead), [Note::TrueHides]);
    assert_eq!(notes("causal", [2, 5], Transformers), [Note::NoCall]);
    let rows = |library| Note::EmptyRows { rows: 3, library };
    let text = "causal and padding left 3";
    assert_eq!(notes(text, [5, 5], TorchSdpa), [rows(EmptyRows::Zero)]);
    assert_eq!(notes(text, [5, 5], Jax), [rows(EmptyRows::Mean)]);
    assert_eq!(notes(text, [5, 5], TorchMultihead), {
        [Note::TrueHides, rows(EmptyRows::NotANumber)]
    });
    assert_eq!(notes("6 // k == 3", [2, 4], TorchSdpa), [Note::CellsListed]);
}

#[test]
fn what_arrays_would_compute_otherwise_is_listed() {
    let is_listed = |text: &str| {
        let notes = written(text, Axes::of_map(4, 5), Library::NumPy).notes;
        notes.contains(&Note::CellsListed)
    };
    for text in [
        "q // k < 1",
        "1 < 2 and causal",
        "n > m or causal",
        "q * 3000000000 > k",
    ] {
        assert!(is_listed(text), "{text}");
    }
    assert!(is_listed("q * 50000 * 50000 >= k and q >= k"));
    assert!(is_listed("causal and first 3000000000"));
    for text in ["q // 2 < k", "q % -3 < k", "q * 50000 > k", "q < n - m + 3"] {
        assert!(!is_listed(text), "{text}");
    }
}

#[test]
fn cells_are_listed_by_stretches() {
    let axes = Axes {
        batch: 2,
        heads: 3,
        n: 2,
        m: 4,
    };
    let cells = Array4::from_shape_fn((1, 3, 2, 4), |(_, h, i, j)| h == 1 && (j > i + 1 || j == 0));
    let program = program(Source::Cells(&cells), &axes, Library::FlexAttention);
    let code = program.expect("it fits").code.expect("there is a call");
    assert!(
        code.contains("    (0, 1, 0, 0, 1), (0, 1, 0, 2, 4), (0, 1, 1, 0, 1), (0, 1, 1, 3, 4),\n")
    );
    assert!(code.contains("    return mask[0, h, q_idx, kv_idx]\n"));
    assert!(code.contains("create_block_mask(mask_mod, None, 3, n, m, "));
}

#[test]
fn what_does_not_fit_is_refused() {
    let refused = |cells: &Array4<bool>, axes| {
        let refused = programs(Source::Cells(cells), &axes);
        refused.expect_err("it does not fit").to_string()
    };
    let axes = Axes::of_map(2, 3);
    let cells = |shape| Array4::from_elem(shape, true);
    assert_eq!(
        refused(&cells((1, 1, 2, 4)), axes),
        "keys: 4, but the map has 3"
    );
    assert_eq!(
        refused(&cells((1, 2, 2, 3)), axes),
        "heads: 2, but the map has 1"
    );
    let grid = Array4::from_shape_fn((1, 1, 200, 200), |(_, _, i, j)| (i * j + j) % 2 == 0);
    let runs = refused(&grid, Axes::of_map(200, 200));
    assert!(
        runs.ends_with("stretches of visible cells are more than 8192"),
        "{runs}"
    );
    let rule = parse("documents 3").expect("a rule");
    let error = programs(Source::Rule(&rule), &axes).expect_err("it does not fit");
    assert!(matches!(
        error,
        ProgramError::Mask(MaskError::LengthsDoNotSum { .. })
    ));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn every_rule_has_programs(rule in rules()) {
        let axes = Axes { batch: 2, heads: 3, n: 5, m: 4 };
        if let Ok(programs) = programs(Source::Rule(&rule), &axes) {
            for program in programs {
                prop_assert_eq!(program.code.is_none(), program.notes.contains(&Note::NoCall));
            }
        }
    }
}
