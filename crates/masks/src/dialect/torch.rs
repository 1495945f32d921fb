//! Programs of PyTorch and of libraries on it.

use super::arrays::Arrays;
use super::writer::{Names, Writer};
use super::{Draft, Library, Note, ProgramError, Task, line, lines};
use crate::axes::to_i64;
use crate::rule::Align;

const LENGTHS: &str = "q.shape[-2], k.shape[-2]";
const BY_HEAD: &str =
    "# q: [batch, heads, n, d], k and v: [batch, heads, m, d]; True in mask is visible";
const IDENTITY: &str =
    "identity = torch.eye(k.shape[-2], dtype=q.dtype, device=q.device).expand(*k.shape[:-1], -1)";

impl Task<'_> {
    pub(super) fn torch_sdpa(&self) -> Result<Draft, ProgramError> {
        let mut code = lines([
            "import torch",
            "from torch.nn.functional import scaled_dot_product_attention",
        ]);
        let (mut made, mut note) = (Vec::new(), None);
        let given = if self.cells.are_all_visible() {
            ""
        } else if self.is_flag(Library::TorchSdpa) {
            ", is_causal=True"
        } else if self.cells.is_causal(Align::End) && self.cells.empty_rows() == 0 {
            code.splice(
                1..1,
                lines(["from torch.nn.attention.bias import causal_lower_right"]),
            );
            made.push(format!("mask = causal_lower_right({LENGTHS})"));
            ", attn_mask=mask"
        } else {
            let mask = self.mask(Arrays::Torch, LENGTHS)?;
            made = mask.lines;
            note = mask.note;
            ", attn_mask=mask"
        };
        code.extend(lines(["", BY_HEAD]));
        code.extend(made);
        code.push(format!(
            "out = scaled_dot_product_attention(q, k, v{given})"
        ));
        code.extend(lines([super::IDENTITY, IDENTITY]));
        code.push(format!(
            "weights = scaled_dot_product_attention(q, k, identity{given})"
        ));
        Ok(Draft::new(code).with_all(note))
    }

    pub(super) fn torch_multihead(&self) -> Result<Draft, ProgramError> {
        let mut code = lines([
            "import torch",
            "",
            "# q: [batch, n, width], k and v: [batch, m, width]; attention has batch_first=True and does not train",
        ]);
        if self.cells.are_all_visible() {
            code.push(line(
                "out, weights = attention(q, k, v, average_attn_weights=False)",
            ));
            return Ok(Draft::new(code));
        }
        let mask = self.mask(Arrays::Torch, LENGTHS)?;
        code.extend(mask.lines);
        code.push(line("# True hides here."));
        code.push(match mask.axes {
            2 => line("hidden = ~mask"),
            _ => line("hidden = ~mask.expand(len(q), attention.num_heads, n, m).reshape(-1, n, m)"),
        });
        if self.cells.empty_rows() == 0 {
            let call =
                "out, weights = attention(q, k, v, attn_mask=hidden, average_attn_weights=False)";
            code.push(line(call));
        } else {
            code.extend(lines([
                "# A row without a key is NaN in the weights, and in the output of the fast path.",
                "torch.backends.mha.set_fastpath_enabled(False)",
                "out, _ = attention(q, k, v, attn_mask=hidden, need_weights=False)",
                "_, weights = attention(q, k, v, attn_mask=hidden, average_attn_weights=False)",
                "weights = weights.masked_fill(~mask.any(-1, keepdim=True), 0)",
            ]));
        }
        let draft = Draft::new(code).with_all(mask.note);
        Ok(draft.with(Note::TrueHides))
    }

    pub(super) fn flex_attention(&self) -> Result<Draft, ProgramError> {
        let layout = "# q: [batch, heads, n, d], k and v: [batch, heads, m, d]";
        let mut code = lines(["import torch"]);
        let (mut made, mut note, mut given) = (Vec::new(), None, "");
        if self.cells.are_all_visible() {
            code.push(line(
                "from torch.nn.attention.flex_attention import flex_attention",
            ));
        } else {
            code.push(line(
                "from torch.nn.attention.flex_attention import create_block_mask, flex_attention",
            ));
            (made, note) = self.mask_mod()?;
            given = ", block_mask=block_mask";
        }
        code.extend(lines(["", layout]));
        code.extend(made);
        code.push(format!("out = flex_attention(q, k, v{given})"));
        code.extend(lines([super::IDENTITY, IDENTITY]));
        code.push(format!("weights = flex_attention(q, k, identity{given})"));
        Ok(Draft::new(code).with_all(note))
    }

    /// A function of a cell, and the block mask made of it.
    fn mask_mod(&self) -> Result<(Vec<String>, Option<Note>), ProgramError> {
        let mut code;
        let (mut inner, returned, note);
        if let Some(rule) = self.rule {
            let mut writer = Writer::new(Arrays::Torch, Names::OF_FUNCTION);
            returned = writer.rule(rule);
            code = vec![format!("n, m = {LENGTHS}")];
            code.extend(writer.lines);
            inner = writer.inner;
            note = None;
        } else {
            let mask = self.mask(Arrays::Torch, LENGTHS)?;
            (code, note, inner) = (mask.lines, mask.note, Vec::new());
            returned = line(self.listed_cell(mask.axes));
        }
        inner.push(format!("return {returned}"));
        code.push(String::new());
        code.push(line("def mask_mod(b, h, q_idx, kv_idx):"));
        code.extend(inner.iter().map(|line| format!("    {line}")));
        code.push(String::new());
        let [batch, heads, ..] = self.cells.shape();
        let own = |length: usize| {
            if length > 1 {
                length.to_string()
            } else {
                line("None")
            }
        };
        code.push(format!(
            "block_mask = create_block_mask(mask_mod, {}, {}, n, m, device=q.device)",
            own(batch),
            own(heads)
        ));
        Ok((code, note))
    }

    fn listed_cell(&self, axes: usize) -> &'static str {
        match (axes, self.cells.shape()) {
            (2, _) => "mask[q_idx, kv_idx]",
            (_, [1, ..]) => "mask[0, h, q_idx, kv_idx]",
            (_, [_, 1, ..]) => "mask[b, 0, q_idx, kv_idx]",
            _ => "mask[b, h, q_idx, kv_idx]",
        }
    }

    /// A model's mask has four axes and is added: eager attention, which alone returns weights, would add booleans as 0 and 1.
    pub(super) fn transformers(&self) -> Result<Draft, ProgramError> {
        if self.axes.n != self.axes.m {
            // Other lengths come from a cache, of which the model makes the mask itself.
            return Ok(Draft::without_call());
        }
        let mask = self.mask(Arrays::Torch, "q.shape[-1], q.shape[-1]")?;
        let mut code = lines([
            "import torch",
            "",
            "# q: [batch, n], the ids of the tokens; True in mask is visible",
        ]);
        let four_axes = mask.with_four_axes();
        code.extend(mask.lines);
        code.push(format!("mask = {four_axes}"));
        code.extend(lines([
            "added = torch.zeros(mask.shape, dtype=model.dtype, device=q.device)",
            "added = added.masked_fill(~mask, torch.finfo(model.dtype).min)",
            "outputs = model(q, attention_mask=added, output_attentions=True)",
            "out = outputs[0]",
        ]));
        code.push(if self.cells.empty_rows() == 0 {
            line("weights = outputs.attentions[0]")
        } else {
            line("weights = outputs.attentions[0] * mask.any(-1, keepdim=True)")
        });
        let draft = Draft::new(code).with_all(mask.note);
        Ok(draft.with(Note::AddedNumbers).with(Note::LoadEager))
    }

    pub(super) fn flash_attention(&self) -> Result<Draft, ProgramError> {
        let layout =
            "# q: [batch, n, heads, d], k and v: [batch, m, heads, d], in 16 bits on a GPU";
        let call = if self.cells.are_all_visible() {
            Some(line(""))
        } else if self.cells.is_causal(Align::End) {
            Some(line(", causal=True"))
        } else {
            self.flash_window()
        };
        let code = match call {
            Some(given) => {
                let mut code = lines(["from flash_attn import flash_attn_func", "", layout]);
                code.push(format!("out = flash_attn_func(q, k, v{given})"));
                code
            }
            None => match self.cells.documents() {
                Some((lengths, is_causal)) => packed(&lengths, is_causal),
                None => return Ok(Draft::without_call()),
            },
        };
        Ok(Draft::new(code).with(Note::NoWeights))
    }

    /// A reach that leaves out no key is written as −1.
    fn flash_window(&self) -> Option<String> {
        let [before, after] = self.cells.window(Align::End)?;
        let reach = |reach: i64, furthest: usize| {
            if reach >= to_i64(furthest) - 1 {
                -1
            } else {
                reach
            }
        };
        let (before, after) = (reach(before, self.axes.m), reach(after, self.axes.n));
        Some(format!(", window_size=({before}, {after})"))
    }
}

/// Documents behind one another without a batch axis.
fn packed(lengths: &[usize], is_causal: bool) -> Vec<String> {
    let mut end = 0;
    let ends = lengths.iter().map(|length| {
        end += length;
        format!(", {end}")
    });
    let ends: String = ends.collect();
    let longest = lengths.iter().max().copied().unwrap_or_default();
    let causal = if is_causal { ", causal=True" } else { "" };
    let mut code = lines([
        "import torch",
        "from flash_attn import flash_attn_varlen_func",
        "",
        "# q, k and v: [tokens, heads, d], in 16 bits on a GPU",
    ]);
    code.push(format!(
        "ends = torch.tensor([0{ends}], dtype=torch.int32, device=q.device)"
    ));
    code.push(format!(
        "out = flash_attn_varlen_func(q, k, v, ends, ends, {longest}, {longest}{causal})"
    ));
    code
}
