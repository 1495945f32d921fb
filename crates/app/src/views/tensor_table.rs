//! The table of tensors. A button saves its tensor.

wasm_chunks::chunk!("more");

use super::{Markup, html, symbols};
use crate::export::tensors::{Entry, bytes, fits};
use crate::i18n::number;
use crate::i18n::{Key, Language, text};
use formats::Kind;

/// The lines; `kind` is the format that single tensors are saved in.
pub fn tensor_table(entries: &[Entry], kind: Kind, language: Language) -> Markup {
    html! { @for entry in entries { (line(entry, kind, language)) } }
}

fn line(entry: &Entry, kind: Kind, language: Language) -> Markup {
    let name = entry.name.name();
    let fits = fits(kind, [entry]);
    let shape = entry.shape();
    let lengths: Vec<_> = shape.iter().map(usize::to_string).collect();
    let lengths = if shape.is_empty() {
        "1".to_owned()
    } else {
        lengths.join(" × ")
    };
    let save = if fits { Key::DataSave } else { Key::DataLarge }.text(language);
    let label = fits.then(|| text::data_save_one(language, &name, &kind.name()));
    html! {
        tr {
            th scope="row" { code translate="no" { (name) } }
            td class="meaning" { (symbols(entry.name.meaning(language))) }
            td class="shape" {
                span { (lengths) }
                span class="axes" translate="no" { (symbols(&entry.letters.join(" × "))) }
            }
            td { (number::bytes(bytes(kind, [entry]))) }
            td {
                button type="button" class="plain" data-tensor=(name) data-do={ "tensor " (name) } aria-label=(label.as_deref().unwrap_or(save)) disabled[!fits] {
                    (save)
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::tensors::Name;

    fn written(length: usize, kind: Kind) -> String {
        let entry = Entry {
            name: Name::Weights,
            axes: vec![("heads", 2), ("n", length), ("d_k", length)],
            letters: vec!["h", "n", "d_k"],
        };
        tensor_table(&[entry], kind, Language::En).into_string()
    }

    #[test]
    fn a_tensor_has_its_shape_its_axes_and_a_button_that_says_the_format() {
        let markup = written(3, Kind::Npy);
        let axes = "h × n × <var>d<span class=\"unseen\">_</span><sub>k</sub></var>";
        for part in ["<span>2 × 3 × 3</span>", axes, "data-tensor=\"weights\""] {
            assert!(markup.contains(part), "{part}: {markup}");
        }
        let label = markup.split_once("aria-label=\"").expect("a name").1;
        let label = label.split('"').next().expect("a name");
        assert!(
            label.contains("weights") && label.contains("NPY"),
            "{label}"
        );
        assert!(!markup.contains(" disabled"), "{markup}");
    }

    #[test]
    fn what_is_too_large_for_a_file_cannot_be_saved() {
        // Text takes three times the room.
        assert!(!written(2000, Kind::Npy).contains(" disabled"));
        assert!(written(2000, Kind::Csv).contains(" disabled"));
    }
}
