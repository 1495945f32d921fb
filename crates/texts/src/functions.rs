//! What the build makes of the texts of a language: Rust functions for those with placeholders, which are the parameters, and one file with
//! a line for each text, those of the keys before the templates.

use super::tables::{Table, placeholders};

/// `mask-rule-but` → `mask_rule_but`: the name of a text with placeholders as a Rust function.
pub fn function(key: &str) -> String {
    key.replace('-', "_")
}

/// The functions in key order.
///
/// The tables must agree (see `tables::disagreements`). The first one decides on the order of the parameters.
pub fn rust(languages: &[Table]) -> String {
    let Some(first) = languages.first() else {
        return String::new();
    };
    let mut out = String::new();
    for (index, (key, text)) in first.templates().enumerate() {
        out.push_str(&definition(index, key, text));
    }
    out
}

fn definition(index: usize, key: &str, text: &str) -> String {
    let (name, values) = (function(key), placeholders(text));
    let parameters: String = (values.iter())
        .map(|value| format!(", {value}: &dyn Display"))
        .collect();
    let values = values.join(", ");
    format!(
        "#[doc = {text:?}]\n#[must_use]\npub fn {name}(language: Language{parameters}) -> String {{\n    \
         self::format(language, {index}, &[{values}])\n}}\n"
    )
}

/// A text with the place of each parameter instead of its name.
fn numbered(text: &str, parameters: &[&str]) -> String {
    let mut out = text.to_owned();
    for (place, name) in parameters.iter().enumerate() {
        out = out.replace(&format!("{{{name}}}"), &format!("{{{place}}}"));
    }
    out
}

/// The file of `table`, whose templates take their values in the order of `first`.
pub fn file(table: &Table, first: &Table) -> String {
    let constant = table.constant().map(|(_, text)| text.to_owned());
    let templates = table
        .templates()
        .map(|(key, text)| numbered(text, &placeholders(&first.texts[key])));
    let lines: Vec<_> = constant.chain(templates).collect();
    lines.join("\n")
}
