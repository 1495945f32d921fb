//! What is refused, by field.

use attention::Code;
use model::attribute::{By, ScoreCell};
use model::infer::Inference;
use model::{HiddenCells, ModelConfig};

use crate::configs::{model, words};

#[test]
fn cells_that_have_no_score_are_refused() {
    let config = ModelConfig {
        causal: true,
        ..ModelConfig::new(5, 6, 4, 3, 2)
    };
    let (own, words) = (model(config), words(&config, 1, 4));
    let how = Inference {
        hide: vec![HiddenCells {
            layer: 1,
            head: 1,
            cells: vec![(2, 1)],
        }],
        ..Inference::default()
    };
    let hidden = own.with_hidden(0, 0, &[(3, 3)]).expect("a cell");
    let cases = [
        ([3, 0, 0, 0], Code::ShapeMismatch, "layer", "3"),
        ([0, 2, 0, 0], Code::ShapeMismatch, "head", "2"),
        ([0, 0, 4, 0], Code::ShapeMismatch, "query", "4"),
        ([0, 0, 3, 4], Code::ShapeMismatch, "key", "4"),
        ([0, 0, 1, 2], Code::NotApplicable, "key", "2"),
        ([1, 1, 2, 1], Code::NotApplicable, "key", "1"),
        ([0, 0, 3, 3], Code::NotApplicable, "key", "3"),
    ];
    for ([layer, head, query, key], code, field, value) in cases {
        let cell = ScoreCell {
            layer,
            head,
            query,
            key,
        };
        let error = hidden
            .attribute_score(&words, &how, cell, By::Key)
            .expect_err(field);
        let found = (error.code, error.field.as_str(), error.value.as_str());
        assert_eq!(found, (code, field, value));
        assert_eq!(hidden.attribute_pairs(&words, &how, cell), Err(error));
    }
    let seen = ScoreCell {
        layer: 1,
        head: 0,
        query: 2,
        key: 1,
    };
    assert!(
        hidden
            .attribute_score(&words, &how, seen, By::Query)
            .is_ok()
    );
}

#[test]
fn more_than_one_sequence_and_none_are_refused() {
    let config = ModelConfig::new(5, 6, 4, 3, 2);
    let own = model(config);
    let cell = ScoreCell {
        layer: 0,
        head: 0,
        query: 0,
        key: 0,
    };
    for (batch, length, field) in [(2, 3, "tokens"), (0, 0, "tokens"), (1, 0, "query")] {
        let words = words(&config, batch, length);
        let how = Inference::default();
        let error = own
            .attribute_score(&words, &how, cell, By::Key)
            .expect_err(field);
        assert_eq!(
            (error.code, error.field.as_str()),
            (Code::ShapeMismatch, field)
        );
    }
}

#[test]
fn logits_that_are_not_there_are_refused() {
    let config = ModelConfig::new(5, 6, 4, 3, 2);
    let (own, one) = (model(config), words(&config, 1, 4));
    let how = Inference::default();
    let off = Inference {
        off: vec![(3, 0)],
        ..Inference::default()
    };
    let rows = model(ModelConfig {
        logits: false,
        ..config
    });
    let masked = model(ModelConfig {
        masked_head: true,
        ..config
    });
    let cases = [
        (
            masked.attribute_logit(&one, &how, 0, 0),
            Code::NotApplicable,
            "masked_head",
        ),
        (
            own.attribute_logit(&one, &how, 4, 0),
            Code::ShapeMismatch,
            "position",
        ),
        (
            own.attribute_logit(&one, &how, 0, 5),
            Code::UnknownOption,
            "token",
        ),
        (
            own.attribute_logit(&words(&config, 2, 3), &how, 0, 0),
            Code::ShapeMismatch,
            "tokens",
        ),
        (
            own.attribute_logit(&one, &off, 0, 0),
            Code::ShapeMismatch,
            "off",
        ),
        (
            rows.attribute_logit(&one, &how, 0, 0),
            Code::NotApplicable,
            "logits",
        ),
    ];
    for (found, code, field) in cases {
        let error = found.expect_err(field);
        assert_eq!((error.code, error.field.as_str()), (code, field));
    }
}
