//! Programs of libraries that take NumPy's arrays: NumPy itself, Keras, ONNX and MLX.

use super::arrays::{Arrays, MaskLines};
use super::{Draft, Library, Note, ProgramError, Task, line, lines};

const LENGTHS: &str = "q.shape[-2], k.shape[-2]";
const BY_HEAD: &str =
    "# q: [batch, heads, n, d], k and v: [batch, heads, m, d]; True in mask is visible";

impl Task<'_> {
    fn numpy_mask(&self) -> Result<MaskLines, ProgramError> {
        self.mask(Arrays::NumPy, LENGTHS)
    }

    pub(super) fn numpy(&self) -> Result<Draft, ProgramError> {
        let mut code = lines(["import numpy as np", "", BY_HEAD]);
        let scores = line("scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])");
        let exponentials = line("weights = np.exp(scores - scores.max(-1, keepdims=True))");
        let normalized = line("weights = weights / weights.sum(-1, keepdims=True)");
        let out = line("out = weights @ v");
        if self.cells.are_all_visible() {
            code.extend([scores, exponentials, normalized, out]);
            return Ok(Draft::new(code));
        }
        let mask = self.numpy_mask()?;
        code.extend(mask.lines);
        code.push(scores);
        if self.cells.empty_rows() > 0 {
            // The largest score of such a row would be −∞.
            code.push(line(
                "scores = np.where(mask, scores, np.finfo(scores.dtype).min)",
            ));
            code.extend([exponentials, normalized]);
            code.push(line("weights = weights * mask.any(-1, keepdims=True)"));
        } else {
            code.push(line("scores = np.where(mask, scores, -np.inf)"));
            code.extend([exponentials, normalized]);
        }
        code.push(out);
        Ok(Draft::new(code).with_all(mask.note))
    }

    pub(super) fn keras(&self) -> Result<Draft, ProgramError> {
        let layout = "# q: [batch, n, width], k and v: [batch, m, width]; True in mask is visible";
        let call = |more: &str| {
            format!("out, weights = layer(q, v, k{more}, return_attention_scores=True)")
        };
        let mut code = lines([layout]);
        if self.cells.are_all_visible() {
            code.push(call(""));
            return Ok(Draft::new(code));
        }
        if self.is_flag(Library::Keras) {
            code.push(call(", use_causal_mask=True"));
            return Ok(Draft::new(code));
        }
        let mask = self.numpy_mask()?;
        code.splice(0..0, lines(["import numpy as np", ""]));
        // Keras would read [batch, m] as [n, m], so all axes are given.
        let shape = match mask.axes {
            2 => line("(len(q), n, m)"),
            _ => format!("(len(q), {}, n, m)", self.axes.heads),
        };
        code.extend(mask.lines);
        code.push(format!("mask = np.broadcast_to(mask, {shape})"));
        code.push(call(", attention_mask=mask"));
        let draft = Draft::new(code).with_all(mask.note);
        Ok(draft.with(Note::TwoPaths))
    }

    pub(super) fn onnx(&self) -> Result<Draft, ProgramError> {
        let mut code = lines([
            "import numpy as np",
            "from onnx import helper",
            "from onnx.reference import ReferenceEvaluator",
            "",
            BY_HEAD,
        ]);
        let is_flag = self.is_flag(Library::Onnx);
        let has_mask = !is_flag && !self.cells.are_all_visible();
        let mut note = None;
        if has_mask {
            let mask = self.numpy_mask()?;
            code.extend(mask.lines);
            note = mask.note;
        }
        let named = if has_mask { ", \"mask\"" } else { "" };
        let flag = if is_flag { ", is_causal=1" } else { "" };
        let given = if has_mask { ", \"mask\": mask" } else { "" };
        code.extend([
            line("# The fourth output has the weights where its mode is 3."),
            format!("names = [\"q\", \"k\", \"v\"{named}], [\"out\", \"\", \"\", \"weights\"]"),
            format!("node = helper.make_node(\"Attention\", *names, qk_matmul_output_mode=3{flag})"),
            format!("inputs = {{\"q\": q, \"k\": k, \"v\": v{given}}}"),
            line("out, _, _, weights = ReferenceEvaluator(node, opsets={\"\": 23}).run(None, inputs)"),
        ]);
        Ok(Draft::new(code).with_all(note))
    }

    pub(super) fn mlx(&self) -> Result<Draft, ProgramError> {
        let is_flag = self.is_flag(Library::Mlx);
        let has_mask = !is_flag && !self.cells.are_all_visible();
        let mut code = lines(["import mlx.core as mx"]);
        if has_mask {
            code.push(line("import numpy as np"));
        }
        code.extend(lines(["", BY_HEAD]));
        let mut note = None;
        let given = if has_mask {
            let mask = self.numpy_mask()?;
            code.extend(mask.lines);
            code.push(line("mask = mx.array(mask)"));
            note = mask.note;
            ", mask=mask"
        } else if is_flag {
            ", mask=\"causal\""
        } else {
            ""
        };
        let call = |values: &str| {
            format!(
                "mx.fast.scaled_dot_product_attention(q, k, {values}, scale=q.shape[-1] ** -0.5{given})"
            )
        };
        code.push(format!("out = {}", call("v")));
        code.push(line(super::IDENTITY));
        code.push(line("identity = mx.broadcast_to(mx.eye(k.shape[-2], dtype=q.dtype), (*k.shape[:-1], k.shape[-2]))"));
        code.push(format!("weights = {}", call("identity")));
        if self.cells.empty_rows() > 0 {
            code.extend(lines([
                "rows = mask.any(-1, keepdims=True)",
                "out, weights = out * rows, weights * rows",
            ]));
        }
        Ok(Draft::new(code).with_all(note))
    }
}
