//! `attribute` and `patch` as calls give them: what they answer, and what they refuse by field.

use app::js_tree::JsTree;
use attention::Error;
use attention_playground::api::{ModelAnswer, StoredModel};

use crate::api::trees::{self, *};

fn number(number: usize) -> JsTree {
    JsTree::index(number)
}

fn made(logits: bool) -> StoredModel {
    let config = record([
        ("vocabulary", number(11)),
        ("length", number(9)),
        ("d_model", number(6)),
        ("layers", number(3)),
        ("heads", number(2)),
        ("mask", text("causal")),
        ("positions", text("alibi")),
        ("norm", text("layer")),
        ("mlp", number(5)),
        ("logits", JsTree::Flag(logits)),
    ]);
    let request = record([("config", config), ("seed", number(3))]);
    StoredModel::new(request, |_| String::new()).expect("a good request")
}

fn words(words: &[usize]) -> JsTree {
    let row = words.iter().map(|word| *word as f64).collect();
    list([JsTree::Doubles(row)])
}

fn called(name: &str, request: JsTree) -> Result<JsTree, Error> {
    match trees::called(&mut made(true), name, request)? {
        ModelAnswer::Tree(tree) => Ok(tree),
        ModelAnswer::Bytes(_) => Ok(JsTree::Absent),
    }
}

fn cell() -> JsTree {
    record([
        ("tokens", words(&[1, 4, 9, 2])),
        ("layer", number(2)),
        ("head", number(1)),
        ("query", number(3)),
        ("key", number(1)),
    ])
}

fn logit() -> JsTree {
    let tokens = ("tokens", words(&[1, 4, 9, 2]));
    record([tokens, ("position", number(3)), ("token", number(5))])
}

/// The number that is split, and the sources and values of its parts.
fn split(answer: &JsTree) -> (f64, Vec<(JsTree, f64)>) {
    let value = |tree: &JsTree| match tree {
        JsTree::Number(number) => *number,
        other => panic!("no number: {other:?}"),
    };
    let JsTree::List(parts) = answer.get("parts") else {
        panic!("no parts: {answer:?}")
    };
    let part = |part: &JsTree| (part.get("source").clone(), value(part.get("value")));
    (value(answer.get("score")), parts.iter().map(part).collect())
}

fn assert_sum(answer: &JsTree) -> Vec<JsTree> {
    let (score, parts) = split(answer);
    let largest = parts[0].1.abs();
    let sum: f64 = parts.iter().map(|(_, value)| value).sum();
    assert!((sum - score).abs() <= 1e-5 * largest, "{sum} for {score}");
    assert!(parts.iter().all(|(_, value)| value.abs() <= largest));
    parts.into_iter().map(|(source, _)| source).collect()
}

#[test]
fn a_score_is_split_by_key_unless_another_way_is_asked_for() {
    let by = |by| called("attribute", with(&cell(), "by", text(by))).expect(by);
    let by_key = by("key");
    assert_eq!(called("attribute", cell()), Ok(by_key.clone()));
    let sources = assert_sum(&by_key);
    let kind = |kind| ("kind", text(kind));
    let of_layer = |layer| ("layer", number(layer));
    for source in [
        record([kind("token")]),
        record([kind("bias")]),
        record([kind("distance")]),
        record([kind("mlp"), of_layer(1)]),
        record([kind("head"), of_layer(0), ("head", number(1))]),
    ] {
        assert!(sources.contains(&source), "{source:?}");
    }
    // Two layers of two heads and an MLP, the word, the shifts of norms and the distance.
    assert_eq!(sources.len(), 9);
    assert_eq!(assert_sum(&by("query")).len(), 9);
    let pairs = by("pairs");
    assert_eq!(split(&pairs).0, split(&by_key).0);
    let sources = assert_sum(&pairs);
    assert_eq!(sources.len(), 8 * 8 + 1);
    let distance = record([kind("distance")]);
    let both = record([("query", distance.clone()), ("key", distance)]);
    assert!(sources.contains(&both));
}

#[test]
fn a_logit_is_split_in_the_pass_that_is_changed() {
    let whole = called("attribute", logit()).expect("a logit");
    assert_eq!(whole.get("logit"), whole.get("score"));
    // Three layers of two heads and an MLP, and the word; nothing has biases.
    assert_eq!(assert_sum(&whole).len(), 10);
    let head = |of| record([("layer", number(0)), ("head", number(of))]);
    let off = with(&logit(), "off", list([head(0)]));
    let off = called("attribute", off).expect("a head");
    let own = with(&head(0), "tokens", words(&[1, 4, 9, 2]));
    let other = with(&head(0), "tokens", words(&[3, 3, 8, 10]));
    let [own, other] = [own, other].map(|patch| {
        let patched = with(&logit(), "patch", list([patch]));
        called("attribute", patched).expect("as many words")
    });
    assert_eq!(own, whole);
    assert_ne!(split(&off).0, split(&whole).0);
    assert_ne!(split(&other).0, split(&whole).0);
    assert_ne!(split(&other).0, split(&off).0);
}

#[test]
fn a_pass_takes_outputs_of_several_heads_from_several_texts() {
    let request = record([
        ("tokens", words(&[1, 4, 9, 2])),
        ("want", list([text("logits")])),
    ]);
    let patch = |layer, head, own: &[usize]| {
        let head = ("head", number(head));
        record([("layer", number(layer)), head, ("tokens", words(own))])
    };
    let logits = |patches: JsTree| {
        let answer = called("forward", with(&request, "patch", patches)).expect("a pass");
        answer.get("logits").clone()
    };
    let [a, b] = [[3, 3, 8, 10], [0, 7, 5, 6]];
    let both = logits(list([patch(0, 1, &a), patch(2, 0, &b)]));
    assert_eq!(both, logits(list([patch(2, 0, &b), patch(0, 1, &a)])));
    assert_ne!(both, logits(list([patch(0, 1, &a)])));
    assert_ne!(both, logits(list([patch(0, 1, &a), patch(2, 0, &a)])));
    let own = [1, 4, 9, 2];
    let unchanged = logits(list([patch(0, 0, &own), patch(0, 1, &own)]));
    assert_eq!(unchanged, logits(JsTree::Doubles(Vec::new())));
}

#[test]
fn what_does_not_fit_is_refused_by_field() {
    let patch = |field, value| {
        let own = record([("layer", number(0)), ("head", number(0))]);
        let own = with(&own, "tokens", words(&[1, 2, 3, 4]));
        with(&logit(), "patch", list([with(&own, field, value)]))
    };
    let cases = [
        (record([("tokens", words(&[1]))]), "missing_field", "layer"),
        (with(&cell(), "key", JsTree::Absent), "missing_field", "key"),
        (with(&cell(), "layer", number(3)), "shape_mismatch", "layer"),
        (with(&cell(), "head", number(2)), "shape_mismatch", "head"),
        (with(&cell(), "query", number(4)), "shape_mismatch", "query"),
        (with(&cell(), "query", number(0)), "not_applicable", "key"),
        (with(&cell(), "query", text("1")), "unknown_option", "query"),
        (with(&cell(), "by", text("value")), "unknown_option", "by"),
        (with(&cell(), "token", number(1)), "not_applicable", "layer"),
        (with(&cell(), "want", text("x")), "unknown_option", "want"),
        (
            with(&logit(), "position", JsTree::Absent),
            "missing_field",
            "position",
        ),
        (
            with(&logit(), "token", number(11)),
            "unknown_option",
            "token",
        ),
        (
            with(&logit(), "position", number(4)),
            "shape_mismatch",
            "position",
        ),
        (with(&logit(), "by", text("key")), "not_applicable", "by"),
        (
            with(&logit(), "patch", number(1)),
            "unknown_option",
            "patch",
        ),
        (patch("layer", number(3)), "shape_mismatch", "patch"),
        (
            patch("layer", JsTree::Absent),
            "missing_field",
            "patch.layer",
        ),
        (
            patch("tokens", words(&[1, 2])),
            "shape_mismatch",
            "patch.tokens",
        ),
        (
            patch("tokens", words(&[1, 2, 3, 11])),
            "unknown_option",
            "patch.tokens[0][3]",
        ),
        (
            patch("tokens", JsTree::Absent),
            "missing_field",
            "patch.tokens",
        ),
        (patch("text", text("a")), "not_applicable", "patch.text"),
    ];
    for (request, code, field) in cases {
        let error = called("attribute", request).expect_err(field);
        assert_eq!((error.code.name(), &*error.field), (code, field), "{error}");
    }
    let error = trees::called(&mut made(false), "attribute", logit());
    let error = error.expect_err("no logits");
    assert_eq!(
        (error.code.name(), &*error.field),
        ("not_applicable", "logits")
    );
}
