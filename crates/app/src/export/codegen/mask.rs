//! The mask as a condition on the positions `i` of a query and `j` of a key.

use std::ops::Range;

use super::Source;
use crate::i18n::Key;
use crate::state::request_builder;
use attention::{Documents, Mask};

/// The lines that make `M`, `[n, m]`.
pub(super) fn lines(source: &Source<'_>) -> Vec<String> {
    let sizes = source.request.sizes();
    let shape = (sizes.n, sizes.m);
    let own = request_builder::own_rule(&source.state.rule, shape).unwrap_or_default();
    let start = request_builder::query_start(source.state, shape);
    let rule = request_builder::structured(source.state).from_place(start);
    let (own, listed) = match own {
        Mask::Full => (None, None),
        own if is_condition(&own) => (Some(own), None),
        own => (None, Some(own)),
    };
    let rules = [Some(rule).filter(|rule| !rule.is_full()), own];
    let rules: Vec<Mask> = rules.into_iter().flatten().collect();
    let condition = match &rules[..] {
        [] => format!(
            "{}.ones((n, m), dtype={})",
            source.dialect.module(),
            source.dialect.pick("bool", "torch.bool", "bool")
        ),
        [only] => condition(only, "i"),
        all => joined(all, "i", " & "),
    };
    let mut lines = vec![format!("M = {condition}  # [n, m]")];
    if let Some(own) = listed {
        let remark = format!("# {}", source.text(Key::CodeRule));
        // Any white space but a blank could end the comment.
        let words: Vec<&str> = source.state.rule.split_whitespace().collect();
        let rule = format!("# {}", words.join(" "));
        lines.extend([remark, rule]);
        lines.extend(stretches(source, "hidden", &hidden_stretches(&own, shape)));
    }
    let painted = painted(source);
    if !painted.is_empty() {
        lines.push(format!("# {}", source.text(Key::CodePainted)));
        lines.extend(stretches(source, "painted", &painted));
    }
    lines
}

/// A loop that writes stretches of cells.
fn stretches(source: &Source<'_>, name: &str, list: &[String]) -> Vec<String> {
    let set = source.dialect.pick(
        "    M[query, first:end] = visible",
        "    M[query, first:end] = visible",
        "    M = M.at[query, first:end].set(visible)",
    );
    vec![
        format!("{name} = [{}]", list.join(", ")),
        format!("for query, first, end, visible in {name}:"),
        set.to_owned(),
    ]
}

/// Whether a mask is a condition on positions alone.
fn is_condition(mask: &Mask) -> bool {
    match mask {
        Mask::Painted(_) => false,
        Mask::All(masks) | Mask::Any(masks) => !masks.is_empty() && masks.iter().all(is_condition),
        Mask::Offset { mask, .. } => is_condition(mask),
        _ => true,
    }
}

/// Stretches of cells that a mask hides.
fn hidden_stretches(mask: &Mask, (n, m): (usize, usize)) -> Vec<String> {
    let mut all = Vec::new();
    for query in 0..n {
        let mut first = None;
        for key in 0..=m {
            let is_hidden = key < m && !request_builder::is_visible(mask, query, key);
            match (first, is_hidden) {
                (None, true) => first = Some(key),
                (Some(start), false) => {
                    all.push(format!("({query}, {start}, {key}, False)"));
                    first = None;
                }
                _ => {}
            }
        }
    }
    all
}

/// Where a key is visible to the query at `place`.
fn condition(mask: &Mask, place: &str) -> String {
    match mask {
        Mask::Causal => format!("j <= {place}"),
        Mask::Padding { valid } => format!("j < {valid}"),
        Mask::LeftPadding { padded } => format!("j >= {padded}"),
        Mask::PaddedQueries { valid } => format!("i < {valid}"),
        Mask::Local { window } => format!("abs({place} - j) <= {window}"),
        Mask::Strided { stride } => format!("({place} - j) % {stride} == 0"),
        Mask::Prefix { length } => format!("(j < {length}) | (j <= {place})"),
        Mask::Documents(documents) => same_document(documents, place),
        Mask::Offset { queries, mask } => condition(mask, &format!("({place} + {queries})")),
        Mask::All(masks) => joined(masks, place, " & "),
        Mask::Any(masks) => joined(masks, place, " | "),
        // A rule has neither: without any there is no condition, and cells are painted over it.
        Mask::Full | Mask::Painted(_) => "j >= 0".to_owned(),
    }
}

fn joined(masks: &[Mask], place: &str, by: &str) -> String {
    let all: Vec<String> = masks
        .iter()
        .map(|mask| format!("({})", condition(mask, place)))
        .collect();
    all.join(by)
}

/// Both lie between the same two ends.
fn same_document(documents: &Documents, place: &str) -> String {
    let each = documents.ranges().map(|Range { start, end }| {
        format!("(({place} >= {start}) & ({place} < {end}) & (j >= {start}) & (j < {end}))")
    });
    let all: Vec<String> = each.collect();
    all.join(" | ")
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
