//! The inputs of a program.

use attention::{Linear, Request, Sizes, Source, Weights};

/// The file that numbers stand in where they would make the text too long.
pub const FILE: &str = "attention.npz";

/// Longest encoded numbers in a program, in characters.
pub(super) const MOST_INLINE: usize = 256 * 1024;

/// Tensors of at most so many numbers are written so that they can be read.
const TINY: usize = 32;

/// A tensor that a program needs.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramInputs {
    /// Its letter in the program.
    pub name: &'static str,
    /// Its name in files, which is that of the public interface.
    pub file: &'static str,
    /// Its axes as the program writes them, with their lengths.
    pub shape: Vec<(&'static str, usize)>,
    /// Row by row.
    pub values: Vec<f32>,
}

impl ProgramInputs {
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
pub(super) fn length(given: &[ProgramInputs]) -> usize {
    given
        .iter()
        .map(|given| given.values.len() * 4)
        .sum::<usize>()
        .div_ceil(3)
        * 4
}

/// Everything that goes in, in the order in which it is used.
pub(super) fn given(request: &Request) -> Vec<ProgramInputs> {
    let s = *request.sizes();
    let mut list = List {
        given: Vec::new(),
        sizes: s,
    };
    list.sources(request.source());
    if let Some(w_a) = request.additive() {
        list.push_tensor(["w_a", "w_a"], &[("d_k", s.d_k)], w_a);
    }
    if let Some(linformer) = &request.call().linformer {
        let shape = [("k", s.keys), ("m", s.m)];
        list.push_tensor(["E", "e"], &shape, &linformer.e);
        list.push_tensor(["F", "f"], &shape, &linformer.f);
    }
    if let Some(output) = request.output() {
        let rows = (merged("h", list.value_width()), s.heads * s.d_v);
        let is_model = s.d_model == Some(s.d_out);
        let columns = if is_model { "d_model" } else { "d_out" };
        list.both(
            ["W_O", "w_o", "b_O", "b_o"],
            output,
            [rows, (columns, s.d_out)],
        );
    }
    list.given
}

/// Inputs collected so far, and the sizes of all of them.
struct List {
    given: Vec<ProgramInputs>,
    sizes: Sizes,
}

impl List {
    /// The number of key/value heads, by its letter.
    fn kv_heads(&self) -> &'static str {
        if self.sizes.kv_heads == self.sizes.heads {
            "h"
        } else {
            "g"
        }
    }

    fn value_width(&self) -> &'static str {
        if self.sizes.d_v == self.sizes.d_k {
            "d_k"
        } else {
            "d_v"
        }
    }

    /// A tensor by its letter and its name in files.
    fn push_tensor<'v>(
        &mut self,
        [name, file]: [&'static str; 2],
        shape: &[(&'static str, usize)],
        values: impl IntoIterator<Item = &'v f32>,
    ) {
        self.given.push(ProgramInputs {
            name,
            file,
            shape: shape.to_vec(),
            values: values.into_iter().copied().collect(),
        });
    }

    /// A matrix and its bias, where it has one.
    fn both(
        &mut self,
        [w, w_file, b, b_file]: [&'static str; 4],
        linear: &Linear,
        shape: [(&'static str, usize); 2],
    ) {
        self.push_tensor([w, w_file], &shape, &linear.w);
        if let Some(bias) = &linear.b {
            self.push_tensor([b, b_file], &shape[1..], bias);
        }
    }

    /// Where queries, keys and values come from.
    fn sources(&mut self, source: &Source) {
        let (s, g, d_v) = (self.sizes, self.kv_heads(), self.value_width());
        match source {
            Source::Layer {
                layer,
                queries,
                keys_values,
            } => {
                let width = ("d_model", s.d_model.unwrap_or(0));
                self.push_tensor(["X", "x"], &[("n", s.n), width], queries);
                if let Some(rows) = keys_values {
                    self.push_tensor(["Y", "x_kv"], &[("m", s.m), width], rows);
                }
                self.projections(layer.weights(), width);
            }
            Source::Heads(inputs) => {
                let [heads, kv_heads] = [("h", s.heads), (g, s.kv_heads)];
                let d_k = ("d_k", s.d_k);
                self.push_tensor(["Q", "q"], &[heads, ("n", s.n), d_k], &inputs.q);
                self.push_tensor(["K", "k"], &[kv_heads, ("m", s.m), d_k], &inputs.k);
                let shape = [kv_heads, ("m", s.m), (d_v, s.d_v)];
                self.push_tensor(["V", "v"], &shape, &inputs.v);
            }
        }
    }

    fn projections(&mut self, weights: &Weights, width: (&'static str, usize)) {
        let (s, g, d_v) = (self.sizes, self.kv_heads(), self.value_width());
        let queries = (merged("h", "d_k"), s.heads * s.d_k);
        let keys = (merged(g, "d_k"), s.kv_heads * s.d_k);
        let values = (merged(g, d_v), s.kv_heads * s.d_v);
        for (names, linear, columns) in [
            (["W_Q", "w_q", "b_Q", "b_q"], &weights.query, queries),
            (["W_K", "w_k", "b_K", "b_k"], &weights.key, keys),
            (["W_V", "w_v", "b_V", "b_v"], &weights.value, values),
        ] {
            self.both(names, linear, [width, columns]);
        }
    }
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
