//! What a pass refuses, by field.

use attention::Code;
use model::infer::{Inference, WantedLogits};
use model::{HiddenCells, ModelConfig};

use crate::configs::{model, words};

#[test]
fn layers_heads_and_cells_that_are_not_there_are_refused() {
    let config = ModelConfig {
        logits: false,
        ..ModelConfig::new(5, 6, 4, 3, 2)
    };
    let own = model(config);
    let start = Inference::default;
    let hide = |layer, head, cell| {
        vec![HiddenCells {
            layer,
            head,
            cells: vec![cell],
        }]
    };
    let cases = [
        (
            "weights",
            "3",
            Inference {
                weights: vec![(0, 0), (3, 0)],
                ..start()
            },
        ),
        (
            "weights",
            "2",
            Inference {
                weights: vec![(0, 2)],
                ..start()
            },
        ),
        (
            "off",
            "2",
            Inference {
                off: vec![(1, 2)],
                ..start()
            },
        ),
        (
            "hide",
            "3",
            Inference {
                hide: hide(3, 0, (0, 0)),
                ..start()
            },
        ),
        (
            "hide",
            "[5, 6]",
            Inference {
                hide: hide(0, 0, (5, 6)),
                ..start()
            },
        ),
        (
            "hidden",
            "4",
            Inference {
                hidden: vec![3, 4],
                ..start()
            },
        ),
    ];
    for (field, value, how) in cases {
        let error = own.infer(&words(&config, 1, 2), &how).expect_err(field);
        let found = (error.code, error.field.as_str(), error.value.as_str());
        assert_eq!(found, (Code::ShapeMismatch, field, value));
    }
    for logits in [WantedLogits::Last, WantedLogits::All] {
        let how = Inference { logits, ..start() };
        let error = own
            .infer(&words(&config, 1, 2), &how)
            .expect_err("no logits");
        assert_eq!(
            (error.code, error.field.as_str()),
            (Code::NotApplicable, "logits")
        );
    }
}

#[test]
fn numbers_beyond_the_range_are_refused_where_they_arise() {
    let config = ModelConfig::new(5, 6, 4, 3, 2);
    let own = model(config);
    let place = |name: &str| {
        let spec = own.tensors().iter().find(|spec| spec.name == name);
        spec.expect("a tensor").range.clone()
    };
    for (tensor, field) in [("layers.0.w_v", "layers.1"), ("unembedding", "logits")] {
        let mut numbers = own.numbers().to_vec();
        numbers[place("tokens")].fill(3.0);
        numbers[place(tensor)].fill(f32::MAX);
        let broken = own.with_numbers(&numbers).expect("finite");
        let how = Inference {
            logits: WantedLogits::All,
            ..Inference::default()
        };
        let error = broken
            .infer(&words(&config, 1, 2), &how)
            .expect_err("beyond the range");
        assert_eq!((error.code, error.field.as_str()), (Code::NotFinite, field));
    }
}
