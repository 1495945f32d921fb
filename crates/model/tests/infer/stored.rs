//! Models whose numbers stay where they are.

use std::ops::Range;
use std::sync::{Arc, Mutex};

use attention::Code;
use model::infer::{Inference, WantedLogits};
use model::{Examples, Model, Optimizer, OptimizerOptions, StoredNumbers};

use crate::configs::{all, heads, model, words};
use crate::laws::everything;

/// The numbers of a model, with a list of what was read of them.
#[derive(Debug)]
pub(crate) struct Lines {
    of: Model,
    pub(crate) read: Mutex<Vec<(usize, Range<usize>)>>,
}

impl StoredNumbers for Lines {
    fn lines(&self, tensor: usize, which: Range<usize>, out: &mut [f32]) {
        let spec = &self.of.tensors()[tensor];
        let numbers = &self.of.numbers()[spec.range.clone()];
        let is_table = ["tokens", "positions", "token_types"].contains(&spec.name.as_str());
        let lines: Vec<f32> = match spec.shape[..] {
            [inputs, outputs] if !is_table => {
                let column = |j| (0..inputs).map(move |c| numbers[c * outputs + j]);
                which.clone().flat_map(column).collect()
            }
            [_, width] => numbers[which.start * width..which.end * width].to_vec(),
            _ => {
                assert_eq!(which, 0..1, "{}", spec.name);
                numbers.to_vec()
            }
        };
        out.copy_from_slice(&lines);
        self.read.lock().expect("one thread").push((tensor, which));
    }
}

pub(crate) fn stored(of: &Model) -> (Model, Arc<Lines>) {
    let lines = Arc::new(Lines {
        of: of.clone(),
        read: Mutex::default(),
    });
    let model = Model::stored(*of.config(), lines.clone()).expect("a valid config");
    (model, lines)
}

#[test]
fn stored_numbers_give_the_bits_of_widened_ones() {
    for (name, config) in all() {
        let (widened, words) = (model(config), words(&config, 2, 7));
        let (stored, _) = stored(&widened);
        assert!(stored.is_stored() && stored.numbers().is_empty() && !widened.is_stored());
        let how = Inference {
            off: vec![(1, 0)],
            ..everything(&config)
        };
        let found = stored.infer(&words, &how).expect("finite");
        assert!(
            found == widened.infer(&words, &how).expect("finite"),
            "{name}"
        );
    }
}

#[test]
fn only_what_is_needed_is_read() {
    for (name, config) in all().into_iter().filter(|(_, config)| config.layers > 1) {
        let (stored, lines) = stored(&model(config));
        let words = words(&config, 1, 3);
        let how = Inference {
            weights: heads(&config)[..1].to_vec(),
            ..Inference::default()
        };
        stored.infer(&words, &how).expect("finite");
        let read: Vec<_> = std::mem::take(&mut *lines.read.lock().expect("one thread"));
        let names = stored.tensors();
        for (tensor, which) in read {
            let own = names[tensor].name.as_str();
            let is_early = ["tokens", "positions", "token_types", "rotary_divisors"].contains(&own)
                || own.starts_with("embedding_norm.")
                || ["norm_1.", "w_q", "b_q", "w_k", "b_k", "q_norm.", "k_norm."]
                    .iter()
                    .any(|part| own.starts_with(&format!("layers.0.{part}")));
            assert!(is_early, "{name}: {own}");
            if own == "tokens" {
                assert!(
                    words.all().contains(&which.start) && which.len() == 1,
                    "{name}"
                );
            }
        }
        if !config.logits {
            continue;
        }
        let how = Inference {
            logits: WantedLogits::Last,
            ..Inference::default()
        };
        stored.infer(&words, &how).expect("finite");
        let read = lines.read.lock().expect("one thread");
        assert!(
            read.iter()
                .any(|(tensor, _)| names[*tensor].name.contains("w_down") || config.mlp == 0),
            "{name}"
        );
    }
}

#[test]
fn what_needs_all_numbers_is_refused() {
    let config = all()[0].1;
    let whole = model(config);
    let (mut stored, _) = stored(&whole);
    let words = words(&config, 1, 3);
    let examples = Examples::new(&config, words.clone(), &[vec![Some(1); 3]]).expect("examples");
    let mut optimizer = Optimizer::new(OptimizerOptions::default(), &stored).expect("options");
    let errors = [
        stored.forward(&words).err(),
        stored.weights(&words).err(),
        stored.gradients(&examples).err(),
        stored.layer(0).err(),
        stored.without_head(0, 0).err(),
        optimizer.step(&mut stored, &examples).err(),
    ];
    for (at, error) in errors.into_iter().enumerate() {
        let error = error.unwrap_or_else(|| panic!("{at} is not refused"));
        assert_eq!(
            (error.code, error.field.as_str()),
            (Code::NotApplicable, "model")
        );
    }
    // A loss does not.
    let [found, wanted] = [&stored, &whole].map(|model| model.score(&examples).expect("finite"));
    assert!((found.loss - wanted.loss).abs() <= 1e-6);
    assert_eq!(found.accuracy, wanted.accuracy);
}
