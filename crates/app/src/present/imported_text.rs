//! Texts about imported numbers.

wasm_chunks::chunk!("more": labelling);

use crate::i18n::{Key, Language, text};
use crate::state::imported::url::MissingData;
use crate::state::imported::{ImportedData, ImportedKind};
use crate::state::{State, request_builder};
use attention::text::tokenize;

/// Name of a kind of imported data.
pub fn kind(language: Language, kind: ImportedKind) -> &'static str {
    let key = match kind {
        ImportedKind::Heads => Key::ImportedHeads,
        ImportedKind::Embeddings => Key::ImportedEmbeddings,
        ImportedKind::Layer => Key::ImportedLayer,
        ImportedKind::Matrix => Key::ImportedMatrix,
    };
    key.text(language)
}

/// Describes the imported data: kind, shape and file.
pub fn what(language: Language, imported: &ImportedData) -> String {
    let shape: Vec<String> = imported
        .contents()
        .shape()
        .iter()
        .map(usize::to_string)
        .collect();
    let (what, shape) = (kind(language, imported.kind()), shape.join(" × "));
    match imported.source().0 {
        "" => text::imported_strip(language, &what, &shape),
        file => text::imported_strip_file(language, &what, &shape, &file),
    }
}

/// Explains why rows are unnamed: the data have no names, and the sentence has another number of
/// words than there are rows.
pub fn labelling(language: Language, state: &State) -> String {
    let imported = state.imported.as_ref();
    let lengths = imported.and_then(|own| own.lengths().filter(|_| own.names().rows.is_empty()));
    match lengths {
        Some((rows, _)) if !request_builder::rows_are_tokens(state) => {
            let words = tokenize(&state.text).words.len();
            text::imported_names(language, &rows, &words)
        }
        _ => String::new(),
    }
}

/// Whether a bar built for `shown` is valid for `now`: equal data may come from another file, whose
/// name it shows.
pub fn is_same(shown: Option<&ImportedData>, now: Option<&ImportedData>) -> bool {
    shown == now && shown.map(ImportedData::file) == now.map(ImportedData::file)
}

/// Which numbers a link names and does not hold, and what to do about it.
pub fn missing(language: Language, missing: &MissingData) -> String {
    let name = ImportedKind::ALL
        .into_iter()
        .find(|kind| kind.name() == missing.kind);
    let what = name.map_or("", |name| kind(language, name));
    if missing.file.is_empty() {
        text::data_missing(language, &what, &missing.shape)
    } else {
        text::data_missing_file(language, &what, &missing.shape, &missing.file)
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array3;

    use super::*;
    use crate::state::imported::{AxisLabels, ImportedTensors};

    #[test]
    fn equal_numbers_of_another_file_are_named_by_it() {
        let from = |file: &str| {
            let weights = ImportedTensors::Matrix(Array3::from_elem((1, 2, 2), 0.5));
            ImportedData::new(weights, AxisLabels::default(), file).expect("weights")
        };
        let (first, second) = (from("first.npy"), from("second.npy"));
        assert!(!is_same(Some(&first), Some(&second)));
        assert!(what(Language::En, &second).contains("second.npy"));
        assert!(is_same(Some(&first), Some(&from("first.npy"))));
        assert!(!is_same(None, Some(&first)) && is_same(None, None));
    }
}
