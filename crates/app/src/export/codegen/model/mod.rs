//! A model of the training lab as programs for PyTorch.
//!
//! One opens the model's file and prints its weights, its answer and its loss; the other trains the same model from its first numbers,
//! on the same examples. Both write the stack by following the steps of the model, with the names of its tensors.
//!
//! | module | holds |
//! |---|---|
//! | this one | the two programs |
//! | `stack` | the functions that compute a model |
//! | `data` | numbers and examples, and how they are read |
//! | `config` | what JavaScript opens the file with |

wasm_chunks::chunk!("models");

mod config;
mod data;
mod stack;

use super::dialect::{TORCH_DOUBLE, TORCH_PRINTS};
use super::{Program, python};
use crate::i18n::{Key, Language, text};
use crate::present::model_export::ModelExport;
use crate::present::training::variant;
use formats::encoding::base64;
use model::{OptimizerKind, OptimizerOptions};

pub use config::javascript;

/// Two empty lines, as PEP 8 has them around functions.
const APART: &str = "\n\n\n";

/// Opens the model's file beside it, and prints the attention weights of every head, the answer, and the loss on what training does not
/// draw.
pub fn opening(export: &ModelExport, language: Language) -> Program {
    let writer = Writer { export, language };
    let file = format!("{}.safetensors", export.name());
    let (task, seed, step) = (export.task, export.seed, export.step);
    let title = text::model_code_opens(language, &task, &seed, &step);
    let javascript = text::model_code_javascript(language, &file);
    let config = javascript_line(export);
    let reads = format!(
        "{}\n\n\nwith open({}, \"rb\") as file:\n    w = tensors(file.read())",
        data::READER,
        python::text(&file)
    );
    writer.program(vec![
        writer.imports(&title, &[javascript, config]),
        writer.sizes(),
        writer.remarked(Key::ModelCodeFile, &reads),
        stack::functions(&export.model),
        writer.reading(),
        writer.held_out(),
        writer.printed(),
    ])
}

/// Trains the model from its first numbers, on the examples that the page draws, and prints the loss of each step beside the page's.
pub fn training(export: &ModelExport, language: Language) -> Program {
    let writer = Writer { export, language };
    let title = text::model_code_trains(language, &export.task, &export.seed);
    let rounding = Key::ModelCodeRounding.text(language).to_owned();
    let first = format!(
        "{}\n\n\nw = tensors(base64.b64decode(\"{}\"))",
        data::READER,
        base64::standard(&export.first_file())
    );
    writer.program(vec![
        writer.imports(&title, &[rounding]),
        writer.sizes(),
        writer.remarked(Key::ModelCodeFirst, &first),
        stack::functions(&export.model),
        writer.examples(),
        writer.losses(),
        writer.steps(),
        writer.held_out(),
        SCORED.to_owned(),
    ])
}

fn javascript_line(export: &ModelExport) -> String {
    format!(
        "await attentionPlayground.model({{ config: {}, tensors: bytes }})",
        javascript(export.model.config())
    )
}

/// Loss and share of right answers in `held_out`.
const SCORED: &str = "tokens, targets = held_out\n\
    with torch.no_grad():\n    \
        loss, right = score(forward(tokens)[0], targets)\n\
    print(f\"{len(tokens)}: loss = {loss:.6f}, right = {right:.4f}\")";

/// Data that both programs are generated from.
struct Writer<'a> {
    export: &'a ModelExport,
    language: Language,
}

impl Writer<'_> {
    fn program(&self, cells: Vec<String>) -> Program {
        Program {
            cells,
            beside: Vec::new(),
        }
    }

    fn text(&self, key: Key) -> &'static str {
        key.text(self.language)
    }

    /// Code under a remark.
    fn remarked(&self, key: Key, code: &str) -> String {
        format!("# {}\n{code}", self.text(key))
    }

    fn imports(&self, title: &str, remarks: &[String]) -> String {
        let other = self
            .export
            .variant
            .map(|own| text::model_code_practice(self.language, &self.text(variant(own))));
        let precision = self.text(Key::CodePrecision).to_owned();
        let remarks = [title.to_owned()]
            .into_iter()
            .chain(other)
            .chain([precision])
            .chain(remarks.iter().cloned());
        let remarks: String = remarks.map(|remark| format!("# {remark}\n")).collect();
        format!(
            "{remarks}import base64\nimport json\nimport struct\nimport zlib\n\nimport torch\nimport torch.nn.functional as F\n\n{TORCH_DOUBLE}\n{TORCH_PRINTS}"
        )
    }

    fn sizes(&self) -> String {
        let config = self.export.model.config();
        let line = |name: &str, value: &dyn std::fmt::Display, key: Key| {
            format!("{name} = {value}  # {}", self.text(key))
        };
        let mut lines = vec![
            line("layers", &config.layers, Key::ModelCodeLayers),
            line("h", &config.heads, Key::CodeHeads),
        ];
        if config.kv_heads != config.heads {
            lines.push(line("g", &config.kv_heads, Key::CodeKvHeads));
        }
        lines.push(line("d_k", &config.d_k, Key::CodeHeadWidth));
        lines.push(line("d_model", &config.d_model, Key::CodeModelWidth));
        lines.push(self.remarked(
            Key::ModelCodeWords,
            &format!("words = {}", python::list(&self.export.words)),
        ));
        lines.join("\n")
    }

    /// Code that runs the model on the input and keeps the weights of every head.
    fn reading(&self) -> String {
        let code = format!(
            "tokens = torch.tensor([{:?}])\nrow = {}\nwith torch.no_grad():\n    logits, weights = forward(tokens)\nfor layer, A in enumerate(weights):\n    for head in range(h):\n        print(f\"A[{{layer}}][{{head}}] =\\n{{A[0, head]}}\")\np = logits[0, row].softmax(-1)\nprint(f\"{{words[tokens[0, row]]}}: {{words[p.argmax()]}} {{p.max():.4f}}\")",
            self.export.reads, self.export.row
        );
        self.remarked(Key::ModelCodeReads, &code)
    }

    /// The examples that are held out, as far as the task can keep any from training.
    fn held_out(&self) -> String {
        let remark = match self.export.task {
            "text" => Key::ModelCodePieces,
            _ => Key::ModelCodeHeldOut,
        };
        let examples = data::integers(std::slice::from_ref(&self.export.held_out));
        self.remarked(remark, &format!("held_out = integers({examples})[0]"))
    }

    fn printed(&self) -> String {
        let score = self.export.score;
        let [loss, right] = [
            format!("{:.6}", score.loss),
            format!("{:.4}", score.accuracy),
        ];
        let remark = text::model_code_page(self.language, &loss, &right);
        format!("# {remark}\n{SCORED}")
    }

    fn examples(&self) -> String {
        let examples = data::integers(&self.export.examples);
        self.remarked(
            Key::ModelCodeExamples,
            &format!("examples = integers({examples})"),
        )
    }

    /// The page's own losses.
    fn losses(&self) -> String {
        let losses = self.export.losses.iter().map(|loss| format!("{loss:.6}"));
        let losses: Vec<String> = losses.collect();
        self.remarked(
            Key::ModelCodeHistory,
            &format!("page = [{}]", losses.join(", ")),
        )
    }

    /// All training steps.
    fn steps(&self) -> String {
        let options = &self.export.optimizer;
        let mut lines = vec![
            "for tensor in w.values():".to_owned(),
            "    tensor.requires_grad_()".to_owned(),
            format!("optimizer = {}", optimizer(options)),
            "losses = []".to_owned(),
            "for step, (tokens, targets) in enumerate(examples, start=1):".to_owned(),
        ];
        if options.warmup > 1 {
            lines.push(format!("    # {}", self.text(Key::ModelCodeWarmUp)));
            lines.push(format!(
                "    optimizer.param_groups[0][\"lr\"] = {:?} * min(1, step / {})",
                options.rate, options.warmup
            ));
        }
        lines.extend(
            [
                "    loss, right = score(forward(tokens)[0], targets)",
                "    optimizer.zero_grad()",
                "    loss.backward()",
            ]
            .map(str::to_owned),
        );
        if let Some(clip) = options.clip {
            lines.push(format!(
                "    torch.nn.utils.clip_grad_norm_(list(w.values()), {clip:?})"
            ));
        }
        lines.extend(
            [
                "    optimizer.step()",
                "    losses.append(loss.item())",
                "    beside = f\" ({page[step - 1]:.6f})\" if step <= len(page) else \"\"",
                "    print(f\"{step}: loss = {loss.item():.6f}{beside}, right = {right:.4f}\")",
            ]
            .map(str::to_owned),
        );
        lines.join("\n")
    }
}

fn optimizer(options: &OptimizerOptions) -> String {
    let OptimizerOptions {
        rate,
        betas: [b1, b2],
        epsilon,
        weight_decay,
        ..
    } = options;
    match options.kind {
        OptimizerKind::Sgd => format!("torch.optim.SGD(list(w.values()), lr={rate:?})"),
        OptimizerKind::AdamW => format!(
            "torch.optim.AdamW(list(w.values()), lr={rate:?}, betas=({b1:?}, {b2:?}), eps={epsilon:?}, weight_decay={weight_decay:?})"
        ),
    }
}
