//! The mask as a condition on the positions `i` of a query and `j` of a key.

use super::Source;
use crate::i18n::Key;
use crate::state::request_builder;
use attention::Mask;

/// The lines that make `M`, `[n, m]`.
pub(super) fn lines(source: &Source<'_>) -> Vec<String> {
    let rule = request_builder::structured(source.state);
    let condition = match rule {
        Mask::Full => format!(
            "{}.ones((n, m), dtype={})",
            source.dialect.module(),
            source.dialect.pick("bool", "torch.bool", "bool")
        ),
        rule => condition(&rule),
    };
    let mut lines = vec![format!("M = {condition}  # [n, m]")];
    let painted = painted(source);
    if !painted.is_empty() {
        let set = source.dialect.pick(
            "    M[query, first:end] = visible",
            "    M[query, first:end] = visible",
            "    M = M.at[query, first:end].set(visible)",
        );
        lines.push(format!("# {}", source.text(Key::CodePainted)));
        lines.push(format!("painted = [{}]", painted.join(", ")));
        lines.push("for query, first, end, visible in painted:".to_owned());
        lines.push(set.to_owned());
    }
    lines
}

/// Where a key is visible.
fn condition(mask: &Mask) -> String {
    match mask {
        Mask::Causal => "j <= i".to_owned(),
        Mask::Padding { valid } => format!("j < {valid}"),
        Mask::PaddedQueries { valid } => format!("i < {valid}"),
        Mask::Local { window } => format!("abs(i - j) <= {window}"),
        Mask::Strided { stride } => format!("(i - j) % {stride} == 0"),
        Mask::All(masks) => joined(masks, " & "),
        Mask::Any(masks) => joined(masks, " | "),
        // A rule has neither: without any there is no condition, and cells are painted over it.
        Mask::Full | Mask::Painted(_) => "j >= 0".to_owned(),
    }
}

fn joined(masks: &[Mask], by: &str) -> String {
    let all: Vec<String> = masks
        .iter()
        .map(|mask| format!("({})", condition(mask)))
        .collect();
    all.join(by)
}

/// Stretches of cells that are painted, as far as they are on the map.
fn painted(source: &Source<'_>) -> Vec<String> {
    let sizes = source.request.sizes();
    let on_map = source
        .state
        .paint
        .iter()
        .filter(|(query, keys, _)| *query < sizes.n && keys.start < sizes.m);
    on_map
        .map(|(query, keys, is_visible)| {
            let visible = if is_visible { "True" } else { "False" };
            format!(
                "({query}, {}, {}, {visible})",
                keys.start,
                keys.end.min(sizes.m)
            )
        })
        .collect()
}
