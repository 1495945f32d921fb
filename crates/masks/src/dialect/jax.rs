//! The program of JAX.

use super::arrays::Arrays;
use super::{Draft, Library, ProgramError, Task, line, lines};
use crate::axes::to_i64;
use crate::rule::Align;

/// How weights are had: values have to be as wide as queries and keys.
const WIDE: [&str; 4] = [
    "# The call returns no weights: they are its output where the values are the identity, and q and k as wide.",
    "width = max(q.shape[-1], k.shape[1])",
    "wide = lambda x: jnp.pad(x, ((0, 0),) * 3 + ((0, width - x.shape[-1]),))",
    "identity = wide(jnp.broadcast_to(jnp.eye(k.shape[1], dtype=q.dtype)[:, None], (*k.shape[:3], k.shape[1])))",
];

impl Task<'_> {
    pub(super) fn jax(&self) -> Result<Draft, ProgramError> {
        let layout =
            "# q: [batch, n, heads, d], k and v: [batch, m, heads, d]; True in mask is visible";
        let mut code = lines(["import jax", "import jax.numpy as jnp"]);
        let (mut made, mut note) = (Vec::new(), None);
        let given = if self.cells.are_all_visible() {
            String::new()
        } else if self.is_flag(Library::Jax) {
            line(", is_causal=True")
        } else if let Some([before, after]) = self.jax_window() {
            format!(", local_window_size=({before}, {after})")
        } else {
            let mask = self.mask(Arrays::Jax, "q.shape[1], k.shape[1]")?;
            let given = format!(", mask={}", mask.with_four_axes());
            if mask.note.is_some() {
                code.push(line("import numpy as np"));
            }
            if self.cells.empty_rows() > 0 {
                made.push(format!(
                    "rows = {}.any(-1).swapaxes(1, 2)[..., None]",
                    mask.with_four_axes()
                ));
            }
            made.splice(0..0, mask.lines);
            note = mask.note;
            given
        };
        code.extend(lines(["", layout]));
        code.extend(made);
        code.push(format!(
            "out = jax.nn.dot_product_attention(q, k, v{given})"
        ));
        code.extend(lines(WIDE));
        code.push(format!(
            "weights = jax.nn.dot_product_attention(wide(q), wide(k), identity, scale=q.shape[-1] ** -0.5{given})"
        ));
        code.push(line("weights = weights[..., :k.shape[1]]"));
        if self.cells.empty_rows() > 0 {
            code.push(line("out, weights = out * rows, weights * rows"));
        }
        code.push(line("weights = weights.swapaxes(1, 2)"));
        Ok(Draft::new(code).with_all(note))
    }

    /// The window, where it leaves no row without a key, for which JAX gives the mean, and does not end with the map, which would be a window of
    /// these lengths alone.
    fn jax_window(&self) -> Option<[i64; 2]> {
        let ends = [to_i64(self.axes.n) - 1, to_i64(self.axes.m) - 1];
        let window = self.cells.window(Align::Start)?;
        let is_inside = window.iter().zip(ends).all(|(reach, end)| *reach < end);
        (is_inside && self.cells.empty_rows() == 0).then_some(window)
    }
}
