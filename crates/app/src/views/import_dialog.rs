//! Tensors in the import dialog: how they were read, remarks on them, and the roles that they can
//! have.

wasm_chunks::chunk!("more");

use super::{Markup, html, symbols};
use crate::i18n::{Key, Language, text};
use crate::import::{self, Line, Role, axes, remark, role, shape};
use crate::state::imported::warnings;
use crate::state::imported::{ImportedKind, ImportedTensors};
use formats::Tensor;

/// So many lines of tensors that are not shown stand by themselves; more are folded.
const MOST_LINES: usize = 3;

/// Each tensor with its role and how it was read, that it is of another layer, or that it is not used.
pub fn parts(lines: &[Line], tensors: &[Tensor], language: Language) -> Markup {
    let (mut shown, mut others, mut unused) = (Vec::new(), Vec::new(), Vec::new());
    let (mut other, mut not_used) = (0, 0);
    for line in lines {
        let one = html! { li { (label(line, language)) span { (symbols(&import::line(language, line, tensors))) } } };
        match line {
            Line::Other { count, .. } => {
                other += count;
                others.push(one);
            }
            Line::Unused { count, .. } => {
                not_used += count;
                unused.push(one);
            }
            _ => shown.push(one),
        }
    }
    html! {
        @for one in shown { (one) }
        (folded(others, &text::listed_others(language, &other)))
        (folded(unused, &text::listed_unused_many(language, &not_used)))
    }
}

/// A few lines, or many inside a `details` element with `summary`.
fn folded(lines: Vec<Markup>, summary: &str) -> Markup {
    if lines.len() <= MOST_LINES {
        return html! { @for one in lines { (one) } };
    }
    html! { li class="folded" { details { summary { (summary) } ul { @for one in lines { (one) } } } } }
}

/// The letter of a role, or what else becomes of a tensor.
fn label(line: &Line, language: Language) -> Markup {
    let plain = |key: Key| html! { span class="note" { (key.text(language)) } };
    match line {
        Line::Part(part) => html! { var { (symbols(role(part.role))) } },
        Line::Role { role: own, .. } | Line::Other { role: own, .. } => {
            html! { var { (symbols(role(*own))) } }
        }
        Line::Setting { .. } => plain(Key::ListedSetting),
        Line::Unused { .. } => plain(Key::ListedUnused),
    }
}

/// Remarks on properties of the numbers that a user may not expect.
pub fn remarks(numbers: &ImportedTensors, language: Language) -> Markup {
    html! { @for own in warnings::remarks(numbers) { li { span { (symbols(&remark(language, own))) } } } }
}

/// A menu of tensors for each role, in the order of [`Role::for_kind`]. What is chosen in it is not markup.
pub fn roles(kind: ImportedKind, tensors: &[Tensor], language: Language) -> Markup {
    html! {
        @for own in Role::for_kind(kind) {
            label {
                var { (symbols(role(*own))) }
                span class="note" { (symbols(axes(language, *own))) }
                select {
                    option value="" { (none(*own, kind).text(language)) }
                    @for (at, tensor) in tensors.iter().enumerate() {
                        option value=(at) { (tensor.name) " " (shape(&tensor.shape)) }
                    }
                }
            }
        }
    }
}

fn none(role: Role, kind: ImportedKind) -> Key {
    if role.is_needed(kind) {
        Key::ImportDialogChoose
    } else {
        Key::ImportDialogNone
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::{TensorAssignment, lines, open};

    fn tensor(name: &str, shape: &[usize]) -> Tensor {
        let count = shape.iter().product();
        let values = (0..count).map(|at| at as f32 * 0.1).collect();
        Tensor::new(name, shape.to_vec(), values)
    }

    #[test]
    fn names_of_tensors_are_text_and_a_role_is_told_with_its_tensor() {
        let tensors = [
            tensor("<b>", &[2, 3, 4]),
            tensor("k", &[2, 3, 4]),
            tensor("v", &[2, 3, 4]),
        ];
        let mut reading = TensorAssignment::guess(&tensors);
        for (at, role) in [Role::Q, Role::K, Role::V].into_iter().enumerate() {
            reading.assign(role, Some(at));
        }
        let opened = open(&tensors, &reading, "file");
        let lines = lines(&tensors, &reading, &opened);
        let markup = parts(&lines, &tensors, Language::En).into_string();
        assert!(!markup.contains("<b>"), "{markup}");
        let first = markup.split("</li>").next().expect("a line");
        assert!(first.starts_with("<li><var>Q</var>"), "{markup}");
        assert!(first.contains("&lt;b&gt;"), "{markup}");
        assert_eq!(markup.matches("<li>").count(), 3);
    }

    #[test]
    fn many_tensors_that_are_not_shown_are_folded_and_counted() {
        let panels = |count: usize| {
            let mut tensors = vec![tensor("attn", &[2, 2])];
            tensors.extend((0..count).map(|at| tensor(&"abcdef"[at..=at], &[at + 1])));
            let reading = TensorAssignment::guess(&tensors);
            let lines = lines(&tensors, &reading, &open(&tensors, &reading, ""));
            let markup = parts(&lines, &tensors, Language::En).into_string();
            (
                markup.matches("<span").count(),
                markup.contains("<summary>"),
                markup,
            )
        };
        let (few, many) = (panels(3), panels(6));
        assert!(!few.1, "{}", few.2);
        assert!(
            many.1 && many.2.contains("6 tensors are not used"),
            "{}",
            many.2
        );
        assert_eq!(many.0 - few.0, 6, "each has its line and its label");
    }

    #[test]
    fn every_role_of_a_kind_offers_every_tensor_and_what_is_not_needed_offers_none() {
        let tensors = [tensor("a", &[3, 4]), tensor("b", &[2])];
        let markup = roles(ImportedKind::Embeddings, &tensors, Language::En).into_string();
        let menus: Vec<&str> = markup.split("<select>").skip(1).collect();
        let choices = "<option value=\"0\">a [3, 4]</option><option value=\"1\">b [2]</option>";
        assert!(menus.len() == 2 && menus.iter().all(|menu| menu.contains(choices)));
        let first = |key: Key| format!("<option value=\"\">{}</option>", key.text(Language::En));
        assert!(
            menus[0].starts_with(&first(Key::ImportDialogChoose)),
            "{markup}"
        );
        assert!(
            menus[1].starts_with(&first(Key::ImportDialogNone)),
            "{markup}"
        );
    }

    #[test]
    fn remarks_are_told_one_by_one() {
        let matrix = |values: [f32; 4]| {
            let weights = ndarray::Array3::from_shape_vec((1, 2, 2), values.to_vec());
            ImportedTensors::Matrix(weights.expect("a matrix"))
        };
        let lines = |values| {
            let markup = remarks(&matrix(values), Language::En).into_string();
            markup.matches("<li><span>").count()
        };
        assert_eq!(lines([0.5, 0.5, 0.25, 0.75]), 0);
        assert!(lines([0.5, 0.1, -0.25, 0.75]) > 1);
    }
}
