//! The import dialog: how tensors were read, remarks on them, and the roles that they can have. Its buttons are pressed (`data-do`),
//! its fields changed (`data-field`).

wasm_chunks::chunk!("more");

use super::{Markup, html, sentence, symbols};
use crate::i18n::{Key, Language, text};
use crate::import::dialog::{AssignedFile, OpenedFile, Stage};
use crate::import::{self, Line, Role, axes, remark, role, shape};
use crate::present::imported_text;
use crate::state::imported::validate::MOST_HEADS;
use crate::state::imported::{ImportedKind, ImportedTensors, warnings};

/// So many lines of tensors that are not shown stand by themselves; more are folded.
const MOST_LINES: usize = 3;

/// Content of the dialog.
pub fn dialog(opened: &OpenedFile, language: Language) -> Markup {
    let file = match &opened.stage {
        Stage::Read(file) => Some(&**file),
        _ => None,
    };
    let result = file.map(|file| &file.result);
    let leave = match &opened.stage {
        Stage::Refused(_) => Key::ShareClose,
        _ => Key::ImportDialogLeave,
    };
    html! {
        h2 id="import-dialog-title" { (title(opened, language)) }
        p id="import-dialog-why" { @if let Some(file) = file { (why(file, language)) } }
        p class="refusal" id="import-dialog-refusal" role="status" { (message(&opened.stage, language)) }
        ul class="import-dialog-parts" id="import-dialog-parts" translate="no" { @if let Some(file) = file { (parts(file, language)) } }
        ul class="import-dialog-remarks" id="import-dialog-remarks" {
            @if let Some(Ok(result)) = result { (remarks(result.imported.contents(), language)) }
        }
        (questions(file, language))
        (form(file, language))
        p { (Key::ImportDialogNote.text(language)) }
        p class="import-dialog-tools" {
            button type="button" class="plain" id="import-dialog-take" data-do="take" hidden[!result.is_some_and(Result::is_ok)] {
                (Key::ImportDialogTake.text(language))
            }
            " "
            button type="button" class="plain" id="import-dialog-leave" data-do="leave" { (leave.text(language)) }
        }
    }
}

/// Which file it is, and what becomes of it.
fn title(OpenedFile { name, stage }: &OpenedFile, language: Language) -> String {
    if let Stage::Refused(_) = stage {
        return match &**name {
            "" => Key::ImportPastedRefused.text(language).to_owned(),
            name => text::import_dialog_refused(language, &name),
        };
    }
    let title = match &**name {
        "" => Key::ImportPastedTitle.text(language).to_owned(),
        name => text::import_dialog_title(language, &name),
    };
    match stage {
        Stage::Read(file) => {
            let kind = imported_text::kind(language, file.assignment.kind);
            text::import_dialog_as(language, &title, &kind)
        }
        _ => title,
    }
}

/// Detected format of a file, and the reason for the assignment of its tensors, on one line.
fn why(file: &AssignedFile, language: Language) -> String {
    let space = if language == Language::Zh { "" } else { " " };
    let mut said = file.notes.clone();
    said.push(import::why(language, &file.assignment, &file.tensors));
    said.join(space)
}

/// That files are being read, or why they or their tensors are refused.
fn message(stage: &Stage, language: Language) -> Markup {
    match stage {
        Stage::Reading => sentence(Key::ImportReading.text(language)),
        Stage::Refused(refusal) => sentence(refusal),
        Stage::Read(file) => match &file.result {
            Ok(_) => Markup::default(),
            Err(refusal) => symbols(&import::refusal(language, refusal)),
        },
    }
}

/// Fields for choices that the shapes leave open: which layer it is, how many heads there are, and which way round weights are.
fn questions(file: Option<&AssignedFile>, language: Language) -> Markup {
    let of = file.map(|file| (&file.assignment, &file.tensors[..]));
    let entries = of.map_or(0, |(own, tensors)| own.entries(tensors));
    let asked = of.and_then(|(own, tensors)| Some((own.asked_heads(tensors)?, tensors)));
    let group = asked.map_or(1, |(asked, _)| asked.group);
    let asks_transposed = of.is_some_and(|(own, tensors)| own.asks_transposed(tensors));
    html! {
        label class="import-dialog-heads" id="import-dialog-entry-row" hidden[entries < 2] {
            span id="import-dialog-entries" { (text::import_dialog_entries(language, &entries)) }
            " "
            input type="number" class="number" id="import-dialog-entry" min="1" max=(entries) autocomplete="off" data-field="entry"
                data-value=(of.map(|(own, _)| (own.entry + 1).to_string()).unwrap_or_default());
        }
        label class="import-dialog-heads" id="import-dialog-heads-row" hidden[asked.is_none()] {
            span { (Key::ImportDialogHeads.text(language)) }
            " "
            input type="number" class="number" id="import-dialog-heads" min=(group) max=(MOST_HEADS) step=(group) autocomplete="off" data-field="heads"
                data-value=(of.map(|(own, _)| own.heads.to_string()).unwrap_or_default());
            " "
            span id="import-dialog-heads-note" {
                @if let Some((asked, tensors)) = asked { (import::heads_note(language, asked, tensors)) }
            }
        }
        label class="tick" id="import-dialog-transposed-row" hidden[!asks_transposed] {
            input type="checkbox" id="import-dialog-transposed" autocomplete="off" data-field="transposed"
                data-value=(of.is_some_and(|(own, _)| own.is_transposed));
            span { (Key::ImportDialogTransposed.text(language)) }
        }
    }
}

/// The form in which a user assigns a role to each tensor.
fn form(file: Option<&AssignedFile>, language: Language) -> Markup {
    let is_open = file.is_some_and(|file| file.is_form_open);
    let is_empty = file.is_none_or(|file| file.tensors.is_empty());
    let assignment = file.map(|file| &file.assignment);
    let asks_order = file.is_some_and(|file| file.assignment.asks_rows_first(&file.tensors));
    html! {
        details id="import-dialog-form" data-field="form" hidden[is_empty] open[is_open] {
            summary { (Key::ImportDialogForm.text(language)) }
            fieldset {
                legend { (Key::ImportDialogKind.text(language)) }
                div class="choice" {
                    @for kind in ImportedKind::ALL {
                        label {
                            input type="radio" name="import-dialog-kind" value=(kind.name()) autocomplete="off" data-field="kind"
                                data-value=(assignment.map_or("", |own| own.kind.name()));
                            span { (imported_text::kind(language, kind)) }
                        }
                    }
                }
            }
            div class="import-dialog-roles" id="import-dialog-roles" translate="no" { @if let Some(file) = file { (roles(file, language)) } }
            label class="tick" id="import-dialog-rows-first-row" hidden[!asks_order] {
                input type="checkbox" id="import-dialog-rows-first" autocomplete="off" data-field="rows-first"
                    data-value=(assignment.is_some_and(|own| own.is_rows_first));
                span { (Key::ImportDialogRowsFirst.text(language)) }
            }
        }
    }
}

/// Each tensor with its role and how it was read, that it is of another layer, or that it is not used.
fn parts(file: &AssignedFile, language: Language) -> Markup {
    let tensors = &file.tensors;
    let lines = import::lines(tensors, &file.assignment, &file.result);
    let (mut shown, mut others, mut unused) = (Vec::new(), Vec::new(), Vec::new());
    let (mut other, mut not_used) = (0, 0);
    for line in &lines {
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
    let plain = |key: Key| html! { small { (key.text(language)) } };
    match line {
        Line::Part(part) => html! { var { (symbols(role(part.role))) } },
        Line::Role { role: own, .. } | Line::Other { role: own, .. } => {
            html! { var { (symbols(role(*own))) } }
        }
        Line::Setting { .. } => plain(Key::ListedSetting),
        Line::Unused { .. } => plain(Key::ListedUnused),
    }
}

/// Which of how many layers is shown; where the file is at hand, another can be chosen.
pub fn entry((at, of): (usize, usize), can_turn: bool, language: Language) -> Markup {
    if !can_turn {
        return html! { span { (text::imported_layer_of(language, &at, &of)) } };
    }
    html! {
        span class="imported-entry" role="group" aria-label=(Key::ImportedLayerName.text(language)) {
            label for="imported-entry-number" { (Key::ImportedLayerName.text(language)) }
            button type="button" class="bare" data-do="entry-previous" aria-label=(Key::ImportedLayerPrevious.text(language)) disabled[at == 1] { "‹" }
            input type="number" class="number" id="imported-entry-number" min="1" max=(of) autocomplete="off" data-field="imported-entry" data-value=(at);
            button type="button" class="bare" data-do="entry-next" aria-label=(Key::ImportedLayerNext.text(language)) disabled[at == of] { "›" }
            span { (text::imported_layer_count(language, &of)) }
        }
    }
}

/// Remarks on properties of the numbers that a user may not expect.
pub fn remarks(numbers: &ImportedTensors, language: Language) -> Markup {
    html! { @for own in warnings::remarks(numbers) { li { span { (symbols(&remark(language, own))) } } } }
}

/// A menu of tensors for each role, in the order of [`Role::for_kind`].
fn roles(file: &AssignedFile, language: Language) -> Markup {
    let kind = file.assignment.kind;
    html! {
        @for own in Role::for_kind(kind) {
            label {
                var { (symbols(role(*own))) }
                span { (symbols(axes(language, *own))) }
                select data-field=(own.name()) data-value=(chosen(file, *own)) {
                    option value="" { (none(*own, kind).text(language)) }
                    @for (at, tensor) in file.tensors.iter().enumerate() {
                        option value=(at) { (tensor.name) " " (shape(&tensor.shape)) }
                    }
                }
            }
        }
    }
}

fn chosen(file: &AssignedFile, role: Role) -> String {
    let tensor = file.assignment.plays(role);
    tensor.map(|tensor| tensor.to_string()).unwrap_or_default()
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
    use crate::import::ReadTensors;
    use crate::views::tests::between;
    use formats::Tensor;

    fn tensor(name: &str, shape: &[usize]) -> Tensor {
        let count = shape.iter().product();
        let values = (0..count).map(|at| at as f32 * 0.1).collect();
        Tensor::new(name, shape.to_vec(), values)
    }

    fn assigned(tensors: &[Tensor]) -> AssignedFile {
        let mut opened = OpenedFile {
            name: "file".to_owned(),
            stage: Stage::Reading,
        };
        opened.assign(ReadTensors {
            tensors: tensors.to_vec(),
            notes: Vec::new(),
        });
        match opened.stage {
            Stage::Read(file) => *file,
            _ => panic!("assigned"),
        }
    }

    #[test]
    fn names_of_tensors_are_text_and_a_role_is_told_with_its_tensor() {
        let tensors = [
            tensor("<b>", &[2, 3, 4]),
            tensor("k", &[2, 3, 4]),
            tensor("v", &[2, 3, 4]),
        ];
        let markup = parts(&assigned(&tensors), Language::En).into_string();
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
            let markup = parts(&assigned(&tensors), Language::En).into_string();
            (
                markup.matches("<span").count() + markup.matches("<small").count(),
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
        let mut file = assigned(&tensors);
        file.assignment = file
            .assignment
            .turned_to(ImportedKind::Embeddings, &tensors);
        let markup = roles(&file, Language::En).into_string();
        let menus = between(&markup, "<select", "</select>").into_iter();
        let menus: Vec<&str> = menus
            .filter_map(|menu| Some(menu.split_once('>')?.1))
            .collect();
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
