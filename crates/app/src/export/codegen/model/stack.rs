//! Functions that compute a model: its steps in order, and their helpers.

use model::{Activation, Model, ModelConfig, ModelOperation, ModelPositions, Norm};

use super::APART;
use attention::{Pairs, Slopes};

/// All functions, `forward` and `score` last.
pub(super) fn functions(model: &Model) -> String {
    let config = model.config();
    let parts = [
        norm(config),
        linear(config),
        rotate(config),
        Some(attention(config)),
        mlp(config),
        Some(forward(model)),
        Some(SCORE.to_owned()),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    parts.join(APART)
}

/// Mean cross-entropy in nats, and the share of targets that have the largest logit.
const SCORE: &str = "def score(logits, targets):
    is_asked = targets >= 0
    logits, targets = logits[is_asked], targets[is_asked]
    right = (logits.argmax(-1) == targets).double().mean()
    return F.cross_entropy(logits, targets), right";

fn norm(config: &ModelConfig) -> Option<String> {
    let epsilon = config.epsilon;
    match config.norm {
        Norm::None => None,
        Norm::Layer => Some(format!(
            "def norm(x, name):
    return F.layer_norm(x, [d_model], w[f\"{{name}}.scale\"], w[f\"{{name}}.shift\"], {epsilon:?})"
        )),
        Norm::Rms => Some(format!(
            "def norm(x, name):
    return x / ((x * x).mean(-1, keepdim=True) + {epsilon:?}).sqrt() * w[f\"{{name}}.scale\"]"
        )),
    }
}

/// Helper function for linear maps; `None` without biases, where they are written inline.
fn linear(config: &ModelConfig) -> Option<String> {
    config.biases.then(|| {
        "def linear(x, layer, letter):
    return x @ w[f\"layers.{layer}.w_{letter}\"] + w[f\"layers.{layer}.b_{letter}\"]"
            .to_owned()
    })
}

/// Rows through a linear map of a layer.
fn mapped(config: &ModelConfig, rows: &str, letter: &str) -> String {
    if config.biases {
        format!("linear({rows}, layer, \"{letter}\")")
    } else {
        format!("{rows} @ w[f\"layers.{{layer}}.w_{letter}\"]")
    }
}

/// The columns of each pair are rotated together; an odd last column stays as it is.
fn rotate(config: &ModelConfig) -> Option<String> {
    let ModelPositions::Rotary { base } = config.positions else {
        return None;
    };
    let (x, y, whole) = match config.rotary_pairs {
        Pairs::Halves => (
            "rows[..., :half]",
            "rows[..., half : 2 * half]",
            "torch.cat(turned, -1)",
        ),
        Pairs::Neighbours => (
            "rows[..., 0 : 2 * half : 2]",
            "rows[..., 1 : 2 * half : 2]",
            "torch.stack(turned, -1).flatten(-2)",
        ),
    };
    Some(format!(
        "def rotate(rows):  # [batch, heads, n, d_k]
    half = d_k // 2
    pos, pair = torch.arange(rows.shape[2])[:, None], torch.arange(half)
    angle = pos / {base:?} ** (2 * pair / d_k)
    x, y = {x}, {y}
    turned = [x * angle.cos() - y * angle.sin(), x * angle.sin() + y * angle.cos()]
    return torch.cat([{whole}, rows[..., 2 * half :]], -1)"
    ))
}

/// The output of a layer's attention, and its weights, `[batch, h, n, n]`.
fn attention(config: &ModelConfig) -> String {
    let is_shared = config.kv_heads != config.heads;
    let keys = if is_shared { "g" } else { "h" };
    let split = |letter: &str, heads: &str| {
        let rows = mapped(config, "x", letter);
        format!("({rows}).reshape(batch, n, {heads}, d_k).transpose(1, 2)")
    };
    let mut lines = vec![
        "def attention(x, layer):  # [batch, n, d_model]".to_owned(),
        "batch, n, _ = x.shape".to_owned(),
        format!("Q = {}  # [batch, h, n, d_k]", split("q", "h")),
        format!("K = {}", split("k", keys)),
        format!("V = {}", split("v", keys)),
    ];
    if matches!(config.positions, ModelPositions::Rotary { .. }) {
        lines.push("Q, K = rotate(Q), rotate(K)".to_owned());
    }
    if is_shared {
        lines.push(
            "K, V = K.repeat_interleave(h // g, 1), V.repeat_interleave(h // g, 1)".to_owned(),
        );
    }
    let scale = if config.scaled { " / d_k**0.5" } else { "" };
    lines.push(format!("S = Q @ K.transpose(2, 3){scale}"));
    if config.positions == ModelPositions::Alibi {
        lines.extend([
            "pos = torch.arange(n)".to_owned(),
            slopes(config),
            "S = S - slope[:, None, None] * abs(pos[:, None] - pos)".to_owned(),
        ]);
    }
    if config.causal {
        lines.push("M = torch.ones(n, n, dtype=torch.bool).tril()".to_owned());
        lines.push("S = S.masked_fill(~M, -torch.inf)".to_owned());
    }
    lines.push("A = torch.softmax(S, -1)".to_owned());
    lines.push("C = (A @ V).transpose(1, 2).reshape(batch, n, h * d_k)".to_owned());
    lines.push(format!("return {}, A", mapped(config, "C", "o")));
    lines.join("\n    ")
}

/// Slopes by their formula where it gives them, otherwise one by one.
fn slopes(config: &ModelConfig) -> String {
    let heads = config.heads;
    if heads.is_power_of_two() || config.alibi_slopes == Slopes::Power {
        return "slope = 2.0 ** (-8 * torch.arange(1, h + 1) / h)".to_owned();
    }
    let each = (0..heads).map(|head| format!("{:?}", config.alibi_slopes.of(head, heads)));
    format!(
        "slope = torch.tensor([{}])",
        each.collect::<Vec<_>>().join(", ")
    )
}

fn mlp(config: &ModelConfig) -> Option<String> {
    if config.mlp == 0 {
        return None;
    }
    let name = match config.activation {
        Activation::Relu => "F.relu({})",
        Activation::Gelu => "F.gelu({})",
        Activation::GeluTanh => "F.gelu({}, approximate=\"tanh\")",
        Activation::Silu => "F.silu({})",
    };
    let [up, gate] = ["up", "gate"].map(|letter| mapped(config, "x", letter));
    let hidden = if config.gated {
        format!("{} * ({up})", name.replace("{}", &gate))
    } else {
        name.replace("{}", &up)
    };
    Some(format!(
        "def mlp(x, layer):\n    hidden = {hidden}\n    return {}",
        mapped(config, "hidden", "down")
    ))
}

/// Logits, and the weights of every layer.
fn forward(model: &Model) -> String {
    let config = model.config();
    let operations: Vec<ModelOperation> = model.operations().collect();
    // After the embedding each layer has the same steps; what follows the last one has none of its own.
    let tail = 1 + usize::from(config.final_norm && config.norm != Norm::None);
    let end = operations.len() - tail;
    let layer = &operations[1..1 + (end - 1) / config.layers];
    let mut lines = vec!["def forward(tokens):  # [batch, n]".to_owned()];
    lines.extend(
        embedding(config)
            .into_iter()
            .map(|line| format!("    {line}")),
    );
    lines.push("    weights = []".to_owned());
    lines.push("    for layer in range(layers):".to_owned());
    lines.extend(steps(layer).map(|line| format!("        {line}")));
    for operation in &operations[end..] {
        lines.push(match operation {
            ModelOperation::Norm => "    x = norm(x, \"norm\")".to_owned(),
            _ if config.tied => "    return x @ w[\"tokens\"].T, weights".to_owned(),
            _ => "    return x @ w[\"unembedding\"], weights".to_owned(),
        });
    }
    lines.join("\n")
}

fn embedding(config: &ModelConfig) -> Vec<String> {
    let lines: &[&str] = match config.positions {
        ModelPositions::Learned => {
            &["x = w[\"tokens\"][tokens] + w[\"positions\"][: tokens.shape[1]]"]
        }
        ModelPositions::Sinusoidal => &[
            "pos, c = torch.arange(tokens.shape[1])[:, None], torch.arange(d_model)",
            "angle = pos / 10_000 ** (c // 2 * 2 / d_model)",
            "x = w[\"tokens\"][tokens] + torch.where(c % 2 == 0, angle.sin(), angle.cos())",
        ],
        ModelPositions::None | ModelPositions::Rotary { .. } | ModelPositions::Alibi => {
            &["x = w[\"tokens\"][tokens]"]
        }
    };
    lines.iter().map(|line| (*line).to_owned()).collect()
}

/// The steps of a layer. Its norms have the numbers of its parts, attention and MLP.
fn steps(layer: &[ModelOperation]) -> impl Iterator<Item = String> {
    let mut part = 0;
    layer.iter().flat_map(move |operation| {
        if matches!(
            operation,
            ModelOperation::Branch | ModelOperation::BranchNorm
        ) {
            part += 1;
        }
        let lines: Vec<String> = match operation {
            ModelOperation::Branch => vec!["b = x".to_owned()],
            ModelOperation::BranchNorm => {
                vec![format!("b = norm(x, f\"layers.{{layer}}.norm_{part}\")")]
            }
            ModelOperation::Attention(_) => vec![
                "b, A = attention(b, layer)".to_owned(),
                "weights.append(A)".to_owned(),
            ],
            ModelOperation::Mlp(_) => vec!["b = mlp(b, layer)".to_owned()],
            ModelOperation::NormBranch => vec![format!(
                "b = norm(b, f\"layers.{{layer}}.norm_{part}_after\")"
            )],
            ModelOperation::Hold => vec!["held = b".to_owned()],
            ModelOperation::AddHeld => vec!["b = b + held".to_owned()],
            ModelOperation::AddBranch => vec!["x = x + b".to_owned()],
            ModelOperation::TakeBranch => vec!["x = b".to_owned()],
            ModelOperation::Norm => {
                vec![format!("x = norm(x, f\"layers.{{layer}}.norm_{part}\")")]
            }
            // They stand before the first layer and after the last.
            ModelOperation::Embed
            | ModelOperation::HeadMap
            | ModelOperation::Unembed
            | ModelOperation::AddLogitBias
            | ModelOperation::CapLogits => Vec::new(),
        };
        lines
    })
}
