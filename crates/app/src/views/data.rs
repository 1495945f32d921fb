//! The data panel: files of all tensors and of single ones.

wasm_chunks::chunk!("more");

use super::tensor_table::tensor_table;
use super::{Markup, columns, html, scrolled};
use crate::export::tensors::panel::DataPanel;
use crate::export::tensors::{fits, sum};
use crate::i18n::{Key, Language};
use formats::Kind;

/// Formats of all tensors together, and of a single one.
const ALL: [Kind; 3] = [Kind::Npz, Kind::Safetensors, Kind::Json];
pub(super) const ONE: [Kind; 5] = [
    Kind::Csv,
    Kind::Json,
    Kind::Npy,
    Kind::Npz,
    Kind::Safetensors,
];

/// What can be saved, once a setting is shown.
pub fn panel(panel: &DataPanel, language: Language) -> Option<Markup> {
    let entries = panel.entries()?;
    let text = |key: Key| key.text(language);
    let [one, all] = panel.kinds();
    let status = panel.status().map(|status| status.sentence(language));
    Some(html! {
        h3 { (text(Key::DataTensors)) }
        p class="about" { (text(Key::DataAbout)) }
        p class="data-tools" {
            label { span { (text(Key::DataAllAs)) } " " (kind_menu("data-all-kind", "all", all, &ALL)) }
            button type="button" class="plain" id="data-all" data-do="all" disabled[!fits(all, entries)] { (text(Key::DataSaveAll)) }
            span id="data-all-size" { (sum(entries, all, language)) }
            label class="data-one" { span { (text(Key::DataOneAs)) } " " (kind_menu("data-one-kind", "one", one, &ONE)) }
        }
        p class="data-said" {
            span id="data-said" role="status" { (status.unwrap_or_default()) }
            button type="button" class="plain" id="data-stop" data-do="stop" data-next-focus="data-all" hidden[!panel.is_working()] { (text(Key::DataStop)) }
        }
        (scrolled(text(Key::DataTensors), html! {
            table class="data-table" {
                thead { tr { (columns([Key::DataName, Key::DataMeaning, Key::DataShape, Key::DataSize, Key::DataFile].map(text))) } }
                tbody id="data-tensors" { (tensor_table(entries, one, language)) }
            }
        }))
    })
}

/// Formats to choose from.
pub(super) fn kind_menu(id: &str, field: &str, chosen: Kind, kinds: &[Kind]) -> Markup {
    html! {
        select id=(id) autocomplete="off" translate="no" data-field=(field) data-value=(chosen.extension()) {
            @for kind in kinds { option translate="no" value=(kind.extension()) { (kind.name()) } }
        }
    }
}
