//! The numbers that go in.

use crate::attention::{Linear, Request, Source};

/// The file that numbers stand in where they would make the text too long.
pub const FILE: &str = "attention.npz";

/// The longest text of numbers that stands in a program, in characters.
pub(super) const MOST_INLINE: usize = 256 * 1024;

/// Tensors of at most so many numbers are written so that they can be read.
const TINY: usize = 32;

/// A tensor that a program needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// Its letter in the program.
    pub name: &'static str,
    /// Its name in files, which is that of the public interface.
    pub file: &'static str,
    /// Its axes as the program writes them, with their lengths.
    pub shape: Vec<(&'static str, usize)>,
    /// Row by row.
    pub values: Vec<f32>,
}

impl Given {
    /// `[n, d_model]`.
    pub(super) fn axes(&self) -> String {
        let names: Vec<&str> = self.shape.iter().map(|(name, _)| *name).collect();
        format!("[{}]", names.join(", "))
    }

    pub(super) fn is_tiny(&self) -> bool {
        self.values.len() <= TINY && self.shape.len() <= 2
    }
}

/// How many characters the numbers take as text.
pub(super) fn length(given: &[Given]) -> usize {
    given
        .iter()
        .map(|given| given.values.len() * 4)
        .sum::<usize>()
        .div_ceil(3)
        * 4
}

/// Everything that goes in, in the order in which it is used.
pub(super) fn given(request: &Request) -> Vec<Given> {
    let s = request.sizes();
    let shared = s.kv_heads != s.heads;
    let d_v = if s.d_v == s.d_k { "d_k" } else { "d_v" };
    let g = if shared { "g" } else { "h" };
    let mut list = Vec::new();
    let mut give = |name, file, shape: &[(&'static str, usize)], values: Vec<f32>| {
        let shape = shape.to_vec();
        list.push(Given {
            name,
            file,
            shape,
            values,
        });
    };
    let keys = (key_width(shared), s.kv_heads * s.d_k);
    let values = (merged(g, d_v), s.kv_heads * s.d_v);
    match request.source() {
        Source::Layer {
            layer,
            queries,
            keys_values,
        } => {
            let width = ("d_model", s.d_model.unwrap_or(0));
            give(
                "X",
                "x",
                &[("n", s.n), width],
                queries.iter().copied().collect(),
            );
            if let Some(rows) = keys_values {
                give(
                    "Y",
                    "x_kv",
                    &[("m", s.m), width],
                    rows.iter().copied().collect(),
                );
            }
            let weights = &layer.weights;
            for (names, linear, columns) in [
                (
                    ["W_Q", "w_q", "b_Q", "b_q"],
                    &weights.query,
                    ("h * d_k", s.heads * s.d_k),
                ),
                (["W_K", "w_k", "b_K", "b_k"], &weights.key, keys),
                (["W_V", "w_v", "b_V", "b_v"], &weights.value, values),
            ] {
                both(&mut give, names, linear, [width, columns]);
            }
        }
        Source::Heads(inputs) => {
            give(
                "Q",
                "q",
                &[("h", s.heads), ("n", s.n), ("d_k", s.d_k)],
                inputs.q.iter().copied().collect(),
            );
            give(
                "K",
                "k",
                &[(g, s.kv_heads), ("m", s.m), ("d_k", s.d_k)],
                inputs.k.iter().copied().collect(),
            );
            give(
                "V",
                "v",
                &[(g, s.kv_heads), ("m", s.m), (d_v, s.d_v)],
                inputs.v.iter().copied().collect(),
            );
        }
    }
    if let Some(w_a) = request.additive() {
        give("w_a", "w_a", &[("d_k", s.d_k)], w_a.to_vec());
    }
    if let Some(linformer) = &request.call().linformer {
        let shape = [("k", s.keys), ("m", s.m)];
        give("E", "e", &shape, linformer.e.iter().copied().collect());
        give("F", "f", &shape, linformer.f.iter().copied().collect());
    }
    if let Some(output) = request.output() {
        let rows = (merged("h", d_v), s.heads * s.d_v);
        let columns = if s.d_model == Some(s.d_out) {
            "d_model"
        } else {
            "d_out"
        };
        both(
            &mut give,
            ["W_O", "w_o", "b_O", "b_o"],
            output,
            [rows, (columns, s.d_out)],
        );
    }
    list
}

/// A matrix and its bias, where it has one.
fn both(
    give: &mut impl FnMut(&'static str, &'static str, &[(&'static str, usize)], Vec<f32>),
    [w, w_file, b, b_file]: [&'static str; 4],
    linear: &Linear,
    shape: [(&'static str, usize); 2],
) {
    give(w, w_file, &shape, linear.w.iter().copied().collect());
    if let Some(bias) = &linear.b {
        give(b, b_file, &shape[1..], bias.to_vec());
    }
}

fn key_width(shared: bool) -> &'static str {
    if shared { "g * d_k" } else { "h * d_k" }
}

/// The width of all heads side by side.
fn merged(heads: &str, width: &str) -> &'static str {
    match (heads, width) {
        ("h", "d_k") => "h * d_k",
        ("h", _) => "h * d_v",
        (_, "d_k") => "g * d_k",
        _ => "g * d_v",
    }
}
