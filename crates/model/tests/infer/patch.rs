//! Outputs of heads that are kept, and put in the place of others.

use attention::Code;
use model::ModelConfig;
use model::infer::{Inference, KeyValues, Patch};

use crate::configs::{all, heads, model, words};
use crate::laws::everything;

/// Everything, and the outputs of every head.
pub(crate) fn with_contexts(config: &ModelConfig) -> Inference {
    Inference {
        contexts: heads(config),
        ..everything(config)
    }
}

fn patches(config: &ModelConfig, contexts: &[Vec<f32>]) -> Vec<Patch> {
    let heads = heads(config).into_iter().zip(contexts);
    let patch = |((layer, head), rows): ((usize, usize), &Vec<f32>)| Patch {
        layer,
        head,
        rows: rows.clone(),
    };
    heads.map(patch).collect()
}

#[test]
fn a_head_that_is_given_its_own_output_changes_nothing() {
    for (name, config) in all() {
        let (model, words) = (model(config), words(&config, 2, 7));
        let how = with_contexts(&config);
        let whole = model.infer(&words, &how).expect("finite");
        let patches = patches(&config, &whole.contexts);
        for patch in patches
            .iter()
            .map(|patch| vec![patch.clone()])
            .chain([patches.clone()])
        {
            let how = Inference {
                patch,
                ..how.clone()
            };
            assert!(
                model.infer(&words, &how).expect("finite") == whole,
                "{name}"
            );
        }
        let nothing = Inference {
            contexts: vec![(1, 2)],
            ..Inference::default()
        };
        let found = model.infer(&words, &nothing).expect("finite");
        let place = config.heads + 2;
        assert_eq!(found.contexts, [whole.contexts[place].clone()], "{name}");
    }
}

#[test]
fn a_head_that_is_given_zeros_is_off() {
    for (name, config) in all() {
        let (model, words) = (model(config), words(&config, 2, 7));
        let heads = vec![(0, 2), (1, 0), (1, 1)];
        let off = Inference {
            off: heads.clone(),
            ..with_contexts(&config)
        };
        let zero = |(layer, head)| Patch {
            layer,
            head,
            rows: vec![0.0; 14 * config.d_k],
        };
        let patched = Inference {
            patch: heads.into_iter().map(zero).collect(),
            ..with_contexts(&config)
        };
        let found = model.infer(&words, &patched).expect("finite");
        assert!(
            found == model.infer(&words, &off).expect("finite"),
            "{name}"
        );
        assert!(found.contexts[2].iter().all(|x| *x == 0.0), "{name}");
    }
}

/// With the outputs of all heads of a layer from another text, its maps stay and those after it change; of all layers, the rows after them
/// differ by what the words themselves give.
#[test]
fn outputs_from_other_words_are_used() {
    for (name, config) in all() {
        let model = model(config);
        let (one, two) = (words(&config, 1, 7), words(&config, 2, 7));
        let other = model::Words::new(&config, &[two.all()[7..].to_vec()]).expect("words");
        let how = with_contexts(&config);
        let [own, foreign] = [&one, &other].map(|own| model.infer(own, &how).expect("finite"));
        let patch = patches(&config, &foreign.contexts)[1].clone();
        let patched = Inference {
            patch: vec![patch],
            ..how
        };
        let found = model.infer(&one, &patched).expect("finite");
        assert_eq!(found.contexts[1], foreign.contexts[1], "{name}");
        assert_eq!(found.contexts[0], own.contexts[0], "{name}");
        assert_eq!(found.weights[1], own.weights[1], "{name}");
        assert_ne!(found.hidden[1], own.hidden[1], "{name}");
    }
}

#[test]
fn patches_that_do_not_fit_are_refused() {
    let config = ModelConfig {
        causal: true,
        ..ModelConfig::new(5, 6, 4, 3, 2)
    };
    let (model, words) = (model(config), words(&config, 1, 3));
    let patch = |layer, head, rows| Inference {
        patch: vec![Patch { layer, head, rows }],
        ..Inference::default()
    };
    let off = Inference {
        off: vec![(1, 1)],
        ..patch(1, 1, vec![0.0; 6])
    };
    let cases = [
        (patch(3, 0, vec![0.0; 6]), Code::ShapeMismatch, "patch"),
        (patch(0, 2, vec![0.0; 6]), Code::ShapeMismatch, "patch"),
        (patch(0, 0, vec![0.0; 5]), Code::ShapeMismatch, "patch"),
        (patch(0, 0, vec![]), Code::ShapeMismatch, "patch"),
        (patch(0, 0, vec![f32::NAN; 6]), Code::NotFinite, "patch"),
        (off, Code::NotApplicable, "patch"),
    ];
    for (how, code, field) in cases {
        let error = model.infer(&words, &how).expect_err("it does not fit");
        assert_eq!(
            (error.code, &error.field[..field.len()]),
            (code, field),
            "{error}"
        );
    }
    let contexts = Inference {
        contexts: vec![(0, 2)],
        ..Inference::default()
    };
    assert_eq!(
        model.infer(&words, &contexts).expect_err("no head").field,
        "contexts"
    );
    let how = patch(0, 0, vec![0.0; 6]);
    let mut kept = KeyValues::new(&model, &how).expect("causal");
    let error = model
        .infer_next(&words, &how, &mut kept)
        .expect_err("no whole sequence");
    assert_eq!(
        (error.code, error.field.as_str()),
        (Code::NotApplicable, "patch")
    );
}
