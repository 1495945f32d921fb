//! Thousands of hostile trees: good requests with parts swapped for nonsense. Nothing may panic, and what is taken runs.

use app::js_tree::JsTree;
use attention::{Code, Error};
use attention_playground::api::{self, Checked};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::api::trees::*;

const TREES: u64 = 20_000;

struct Chance(ChaCha8Rng);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0.next_u32() as usize % bound
    }

    fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    fn number(&mut self) -> f64 {
        let odd = [
            0.0,
            -0.0,
            1.0,
            2.0,
            3.0,
            0.5,
            -1.0,
            7.0,
            1e9,
            4294967295.0,
            1.8e19,
            1e300,
            f64::NAN,
            f64::INFINITY,
            f64::MIN_POSITIVE,
        ];
        *self.pick(&odd)
    }

    fn numbers(&mut self) -> Vec<f64> {
        (0..self.below(5)).map(|_| self.number()).collect()
    }

    fn nonsense(&mut self, depth: usize) -> JsTree {
        match self.below(if depth == 0 { 7 } else { 10 }) {
            0 => JsTree::Absent,
            1 => JsTree::Flag(self.one_in(2)),
            2 => JsTree::Number(self.number()),
            3 => text(self.pick::<&str>(&[
                "",
                "causal",
                "webgpu",
                "additive",
                "sinusoidal",
                "weights",
                "\u{0}\u{ffff}",
                "名",
            ])),
            4 => JsTree::Singles(
                self.numbers()
                    .into_iter()
                    .map(|number| number as f32)
                    .collect(),
            ),
            5 => JsTree::Doubles(self.numbers()),
            6 => JsTree::Other(self.pick::<&'static str>(&["a function", "a bigint", "a symbol"])),
            7 => record([
                ("shape", JsTree::Doubles(self.numbers())),
                ("data", self.nonsense(depth - 1)),
            ]),
            8 => self.mask(depth - 1),
            _ => JsTree::List(
                (0..self.below(4))
                    .map(|_| self.nonsense(depth - 1))
                    .collect(),
            ),
        }
    }

    fn mask(&mut self, depth: usize) -> JsTree {
        let name = *self.pick(&[
            "causal",
            "padding",
            "padded_queries",
            "local",
            "strided",
            "all",
        ]);
        let parameter = *self.pick(&["valid", "window", "stride", "kind"]);
        match self.below(if depth == 0 { 2 } else { 4 }) {
            0 => record([
                ("kind", text(name)),
                (parameter, JsTree::Number(self.number())),
            ]),
            1 => ones(&[self.below(7), self.below(7)]),
            2 => record([(
                "any",
                JsTree::List((0..self.below(4)).map(|_| self.mask(depth - 1)).collect()),
            )]),
            _ => JsTree::List((0..self.below(4)).map(|_| self.mask(depth - 1)).collect()),
        }
    }

    /// A field as it could be meant, wrong or right.
    fn field(&mut self) -> (&'static str, JsTree) {
        let name = *self.pick(&[
            "queries",
            "keys_values",
            "weights",
            "q",
            "k",
            "v",
            "heads",
            "kv_heads",
            "scoring",
            "scale",
            "mask",
            "masked_score",
            "linformer",
            "position",
            "want",
            "backend",
            "signal",
            "nonsense",
        ]);
        let value = match name {
            _ if self.one_in(3) => self.nonsense(3),
            "mask" => self.mask(3),
            "heads" | "kv_heads" | "scale" | "masked_score" => JsTree::Number(self.number()),
            "queries" | "keys_values" => {
                tensor(&[self.below(4), self.below(6), 8][self.below(2)..])
            }
            "backend" => text(self.pick::<&str>(&["webgpu", "cpu", "auto"])),
            "scoring" => text("additive"),
            "position" => text("sinusoidal"),
            "linformer" => record([
                ("e", tensor(&[self.below(4), 7])),
                ("f", tensor(&[self.below(4), 7])),
            ]),
            "want" => list([text(self.pick::<&str>(&["output", "stats", "scores", "q"]))]),
            _ => tensor(&[self.below(5), self.below(6), self.below(4)]),
        };
        (name, value)
    }

    fn spoiled(&mut self, tree: JsTree) -> JsTree {
        (0..self.below(4)).fold(tree, |tree, _| {
            let weights = ["w_q", "w_k", "w_v", "w_o", "b_q", "b_o", "w_a"];
            let has_weights = matches!(&tree, JsTree::Record(entries) if entries.iter().any(|(name, value)| name == "weights" && matches!(value, JsTree::Record(_))));
            if has_weights && self.one_in(3) {
                let shape = [self.below(14), self.below(19)];
                let value = if self.one_in(2) { self.nonsense(3) } else { tensor(&shape) };
                return with(&tree, &format!("weights.{}", self.pick(&weights)), value);
            }
            let (name, value) = self.field();
            with(&tree, name, value)
        })
    }
}

fn outcome(kind: usize, tree: JsTree) -> Result<Checked, Error> {
    match kind {
        0 => api::compute(tree),
        1 => api::layer(tree)
            .and_then(|layer| api::layer_compute(&layer, record([("queries", tensor(&[3, 8]))]))),
        _ => {
            let layer = record([
                ("weights", weights()),
                ("heads", JsTree::Number(6.0)),
                ("kv_heads", JsTree::Number(2.0)),
            ]);
            api::layer_compute(&api::layer(layer).expect("a good layer"), tree)
        }
    }
}

#[test]
fn nothing_panics_and_what_is_taken_runs() {
    let mut seen = std::collections::HashMap::<&str, u64>::new();
    for seed in 0..TREES {
        let mut chance = Chance(ChaCha8Rng::seed_from_u64(seed));
        let kind = chance.below(3);
        let layer = record([
            ("weights", weights()),
            ("heads", JsTree::Number(6.0)),
            ("kv_heads", JsTree::Number(2.0)),
        ]);
        let good = match (kind, chance.below(4)) {
            (1, _) => layer,
            (2, _) => record([("queries", tensor(&[5, 8]))]),
            (_, 0) => heads(),
            (_, 1) => batched(),
            (_, 2) => chance.nonsense(3),
            _ => inputs(),
        };
        let tree = if matches!(good, JsTree::Record(_)) {
            chance.spoiled(good)
        } else {
            good
        };
        let ended =
            outcome(kind, tree).and_then(|checked| engine::run(checked.request, checked.backend));
        let name = match &ended {
            Ok(outcome) => {
                let weights = outcome.trace.weights.iter().flatten();
                assert!(
                    weights.clone().all(|weight| weight.is_finite()),
                    "seed {seed}: a weight is not finite"
                );
                "taken"
            }
            Err(error) => {
                assert!(
                    !error.field.is_empty() && error.to_string().len() < 600,
                    "seed {seed}: {error}"
                );
                error.code.name()
            }
        };
        *seen.entry(name).or_default() += 1;
    }
    for code in [
        Code::ShapeMismatch,
        Code::NotFinite,
        Code::HeadsDoNotDivide,
        Code::KvHeadsDoNotDivide,
        Code::UnknownOption,
        Code::TooLarge,
        Code::BackendUnavailable,
        Code::NotApplicable,
        Code::MissingField,
    ] {
        assert!(
            seen.get(code.name()).is_some_and(|count| *count > 20),
            "{} is hardly reached: {seen:?}",
            code.name()
        );
    }
    assert!(seen["taken"] > TREES / 20, "{seen:?}");
}
