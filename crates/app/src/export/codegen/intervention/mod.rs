//! An intervention in an opened model as a program for PyTorch and transformers.
//!
//! It opens the same model with transformers, switches the same heads off and hides the same cells by hooks, and prints the ten likeliest
//! words with the probability of the answer, before and after. A head is off where its columns in front of the output projection are zero;
//! a cell is hidden by a score of −∞ in the mask of its layer, and a query that sees nothing adds nothing, as in
//! [`Model::with_hidden`](model::Model::with_hidden).
//!
//! The tests of exported programs have no transformers. An ignored test of this module runs the programs of every family with it:
//! transformers 5.24.0 finds the page's probabilities to 1e-4.

wasm_chunks::chunk!("model");

mod modules;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::{Program, python};
use crate::i18n::{Key, Language, text};
use crate::present::model_panel::Intervention;

use modules::Modules;

/// Name of the program's file.
pub const FILE: &str = "intervention.py";

/// The version of transformers that the hooks were tried with.
const TRANSFORMERS: &str = "5.24";
/// Numbers on a line.
const ON_A_LINE: usize = 16;

/// The program, with remarks in `language`; `None` for a family that is not known here.
pub fn program(intervention: &Intervention, language: Language) -> Option<Program> {
    let writer = Writer {
        modules: Modules::of_family(&intervention.family)?,
        own: intervention,
        language,
    };
    let cells = [
        Some(writer.opening()),
        Some(writer.model()),
        Some(writer.reading()),
        Some(writer.changes()),
        Some(writer.modules()),
        (!writer.own.change.off.is_empty())
            .then(|| writer.remarked(Key::InterventionOff, SWITCH_OFF)),
        (!writer.own.change.hide.is_empty())
            .then(|| writer.remarked(Key::InterventionHide, HIDE_CELLS)),
        Some(SAY.to_owned()),
        Some(writer.printed()),
    ];
    Some(Program {
        cells: cells.into_iter().flatten().collect(),
        beside: Vec::new(),
    })
}

const SWITCH_OFF: &str = r#"def switch_off(layer, of_layer):
    def hook(module, args):
        rows = args[0].unflatten(-1, (heads, -1)).clone()
        rows[:, :, of_layer] = 0
        return rows.flatten(-2)

    projection(layer).register_forward_pre_hook(hook)"#;

const HIDE_CELLS: &str = r#"def hide_cells(layer, of_heads, keys):
    hidden = torch.zeros(1, heads, n, n, dtype=torch.bool)
    for head in of_heads:
        for query, of_query in keys.items():
            hidden[0, head, query, of_query] = True
    is_blind = torch.zeros(1, n, heads, dtype=torch.bool)

    def mask_hook(module, args, kwargs):
        mask = kwargs.get("attention_mask")
        if mask is None:
            mask = torch.zeros(1, 1, n, n)
        mask = torch.where(hidden, -torch.inf, mask)
        is_blind.copy_((mask <= torch.finfo(mask.dtype).min).all(-1).transpose(1, 2))
        return args, {**kwargs, "attention_mask": mask}

    def blind_hook(module, args):
        rows = args[0].unflatten(-1, (heads, -1)).clone()
        rows[is_blind] = 0
        return rows.flatten(-2)

    scores(layer).register_forward_pre_hook(mask_hook, with_kwargs=True)
    projection(layer).register_forward_pre_hook(blind_hook)"#;

const SAY: &str = r#"def say(what):
    with torch.no_grad():
        p = model(torch.tensor([ids])).logits[0, place].double().softmax(-1)
    print(what)
    shares, words = p.topk(min(10, len(p)))
    for share, word in zip(shares.tolist(), words.tolist()):
        print(f"  {share:.6f} {tokenizer.decode([word])!r}")
    print(f"  {tokenizer.decode([answer])!r}: {p[answer]:.6f}")
    return p[answer].item()"#;

/// Data that the program is generated from.
struct Writer<'a> {
    modules: Modules,
    own: &'a Intervention,
    language: Language,
}

impl Writer<'_> {
    fn remark(&self, key: Key) -> String {
        format!("# {}", key.text(self.language))
    }

    /// Code under a remark.
    fn remarked(&self, key: Key, code: &str) -> String {
        format!("{}\n{code}", self.remark(key))
    }

    fn class(&self) -> &'static str {
        if self.own.is_causal {
            "AutoModelForCausalLM"
        } else {
            "AutoModelForMaskedLM"
        }
    }

    /// Remarks and imports.
    fn opening(&self) -> String {
        let name = python::text(&self.own.name);
        let title = text::intervention_title(self.language, &name, &TRANSFORMERS);
        let mut lines = vec![
            format!("# {title}"),
            format!("# {}", text::intervention_run(self.language, &FILE)),
        ];
        if !self.modules.opens_gguf {
            lines.push(self.remark(Key::InterventionNoGguf));
        }
        lines.extend([
            self.remark(Key::InterventionPrecision),
            "import sys\nfrom pathlib import Path\n\nimport torch".to_owned(),
            format!("from transformers import {}, AutoTokenizer", self.class()),
        ]);
        lines.join("\n")
    }

    /// Opens the model.
    fn model(&self) -> String {
        [
            "path = Path(sys.argv[1] if len(sys.argv) > 1 else \".\")",
            "if path.suffix.lower() == \".gguf\":",
            "    files = {\"pretrained_model_name_or_path\": str(path.parent), \"gguf_file\": path.name}",
            "else:",
            "    files = {\"pretrained_model_name_or_path\": str(path)}",
            "tokenizer = AutoTokenizer.from_pretrained(**files, local_files_only=True)",
            &format!("model = {}.from_pretrained(", self.class()),
            "    **files, local_files_only=True, dtype=torch.float32, attn_implementation=\"eager\"",
            ").eval()",
        ]
        .join("\n")
    }

    /// The text, its tokens, and the answer that is asked for.
    fn reading(&self) -> String {
        [
            self.remark(Key::InterventionTokens),
            format!("text = {}", python::text(&self.own.text)),
            format!("ids = {}", numbers(&self.own.tokens, "")),
            "n = len(ids)".to_owned(),
            "if tokenizer(text).input_ids != ids:".to_owned(),
            "    print(\"transformers makes other tokens of the text:\", tokenizer(text).input_ids)"
                .to_owned(),
            self.remark(Key::InterventionCounts),
            format!("place = {}", self.own.place),
            format!(
                "answer = {}  # {}",
                self.own.answer,
                python::text(&self.own.word)
            ),
        ]
        .join("\n")
    }

    /// What is changed.
    fn changes(&self) -> String {
        let mut lines = vec![format!("heads = {}", self.own.heads)];
        if !self.own.change.off.is_empty() {
            lines.push(self.remark(Key::InterventionOffHeads));
            lines.push(self.off());
        }
        if !self.own.change.hide.is_empty() {
            lines.push(self.remark(Key::InterventionHiddenCells));
            lines.push(self.hidden());
        }
        lines.join("\n")
    }

    /// Heads that are off, by layer.
    fn off(&self) -> String {
        let mut layers: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (layer, head) in &self.own.change.off {
            layers.entry(*layer).or_default().push(*head);
        }
        let layers = layers.iter();
        let layers: Vec<String> = layers
            .map(|(layer, heads)| format!("{layer}: {heads:?}"))
            .collect();
        format!("off = {{{}}}", layers.join(", "))
    }

    /// Hidden cells: heads of a layer that have the same ones stand together.
    fn hidden(&self) -> String {
        let mut groups = BTreeMap::<_, Vec<usize>>::new();
        for own in &self.own.change.hide {
            let heads = groups.entry((own.layer, own.cells.as_slice())).or_default();
            heads.push(own.head);
        }
        let mut lines = vec!["hide = [".to_owned()];
        for ((layer, cells), heads) in groups {
            lines.push(format!("    ({layer}, {heads:?}, {{"));
            lines.extend(keys_of_queries(cells));
            lines.push("    }),".to_owned());
        }
        lines.push("]".to_owned());
        lines.join("\n")
    }

    /// Functions that find the parts of a layer.
    fn modules(&self) -> String {
        let Modules {
            attention,
            scores,
            projection,
            ..
        } = self.modules;
        let function = |name: &str, part: &str| {
            format!("def {name}(layer):\n    return model.base_model.{attention}{part}")
        };
        let projection = function("projection", projection);
        if self.own.change.hide.is_empty() {
            return projection;
        }
        format!("{}\n\n\n{projection}", function("scores", scores))
    }

    /// Statements that print the answers.
    fn printed(&self) -> String {
        let page = |share: f64| {
            let share = format!("{share:.6}");
            format!("# {}", text::intervention_page(self.language, &share))
        };
        let mut lines = vec![page(self.own.before), "before = say(\"before\")".to_owned()];
        if !self.own.change.off.is_empty() {
            lines.push("for layer, of_layer in off.items():".to_owned());
            lines.push("    switch_off(layer, of_layer)".to_owned());
        }
        if !self.own.change.hide.is_empty() {
            lines.push("for layer, of_heads, keys in hide:".to_owned());
            lines.push("    hide_cells(layer, of_heads, keys)".to_owned());
        }
        lines.extend([page(self.own.after), "after = say(\"after\")".to_owned()]);
        lines.join("\n")
    }
}

/// Keys of each query, a line or more for each.
fn keys_of_queries(cells: &[(usize, usize)]) -> impl Iterator<Item = String> {
    let mut queries: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (query, key) in cells {
        queries.entry(*query).or_default().push(*key);
    }
    let queries = queries.into_iter();
    queries.map(|(query, keys)| format!("        {query}: {},", numbers(&keys, "        ")))
}

/// A list, on several lines where it is long.
fn numbers(all: &[usize], indent: &str) -> String {
    if all.len() <= ON_A_LINE {
        return format!("{all:?}");
    }
    let line = |some: &[usize]| {
        let some: Vec<String> = some.iter().map(usize::to_string).collect();
        format!("{indent}    {},\n", some.join(", "))
    };
    let lines: String = all.chunks(ON_A_LINE).map(line).collect();
    format!("[\n{lines}{indent}]")
}
