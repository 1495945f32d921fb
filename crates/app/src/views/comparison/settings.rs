//! B's settings beside A's, and the actions on both.

use crate::i18n::{Key, Language};
use crate::present::comparison::value;
use crate::state::comparison::ComparisonPreset;
use crate::state::conditions::Conditions;
use crate::state::setting::ValueKind;
use crate::state::{Field, Part, State, Value};
use crate::views::{Markup, html};

/// Settings of the table, and when one is shown.
const ROWS: [(Field, &str); 21] = [
    (Field::Masks, ""),
    (Field::Valid, "mask=padding"),
    (Field::PadRows, "mask=padding&source=none"),
    (Field::Window, "mask=local"),
    (Field::Stride, "mask=strided"),
    (Field::First, "mask=first"),
    (Field::Rule, ""),
    (Field::Hiding, ""),
    (Field::Scoring, ""),
    (Field::Scaled, ""),
    (Field::Positions, ""),
    (Field::Alignment, "source=any"),
    (Field::Linformer, ""),
    (Field::Projected, "linformer=1"),
    (Field::Temperature, ""),
    (Field::Layers, "weights=learned"),
    (Field::Layer, "weights=learned"),
    (Field::Trained, "weights=learned"),
    (Field::Heads, ""),
    (Field::KvHeads, ""),
    (Field::DK, ""),
];

/// Why the comparison cannot be changed, if it cannot.
pub(super) fn lock(state: &State, language: Language) -> Option<&'static str> {
    let why = if state.is_locked(Part::Compare) {
        Key::RuleLocked
    } else if state.is_given(Part::Compare) {
        Key::RuleGiven
    } else {
        return None;
    };
    Some(why.text(language))
}

/// Comparisons that courses make.
pub(super) fn presets(state: &State, language: Language) -> Markup {
    let chosen = ComparisonPreset::shown(state).map_or("", ComparisonPreset::name);
    html! {
        div class="choice versus-set-ups" role="radiogroup" aria-label=(Key::VersusSetUp.text(language)) {
            @for preset in ComparisonPreset::ALL {
                label {
                    input type="radio" name="versus-set-up" value=(preset.name()) autocomplete="off" data-field="preset" data-value=(chosen);
                    (preset_name(preset, language))
                }
            }
        }
    }
}

fn preset_name(preset: ComparisonPreset, language: Language) -> Markup {
    let key = match preset {
        ComparisonPreset::Causal => Key::VersusCausal,
        ComparisonPreset::Scaled => {
            return html! { span { span { (Key::VersusScaled.text(language)) } " " var { "d" sub { "k" } } " = 128" } };
        }
        ComparisonPreset::Additive => Key::VersusAdditive,
        ComparisonPreset::Local => Key::VersusLocal,
        ComparisonPreset::Strided => Key::VersusStrided,
        ComparisonPreset::Linformer => Key::VersusLinformer,
        ComparisonPreset::MultiQuery => Key::VersusMultiQuery,
        ComparisonPreset::Positions => Key::VersusPositions,
    };
    html! { span { (key.text(language)) } }
}

/// A line for each setting: its name, what A has, and a control of B.
pub(super) fn table(a: &State, b: &State, language: Language) -> Markup {
    html! {
        table class="versus-settings" id="versus-settings" {
            caption { (Key::VersusSettings.text(language)) }
            thead { tr {
                th scope="col" { (Key::VersusSetting.text(language)) }
                th scope="col" translate="no" { "A" }
                th scope="col" id="versus-b-column" translate="no" { "B" }
            } }
            tbody { @for (field, when) in ROWS { (row(field, when, [a, b], language)) } }
        }
    }
}

fn row(field: Field, when: &str, [a, b]: [&State; 2], language: Language) -> Markup {
    let (key, own) = (field.key(), a.get(field));
    let differs = own != b.get(field);
    html! {
        tr data-setting=(key) class=(if differs { "is-other" } else { "" }) hidden[!Conditions::parse(when).hold(b)] {
            th scope="row" id={ "b-" (key) "-name" } { (name(field, language)) }
            td class="a" { (value(language, field, &own)) }
            td { (control(field, b, language)) }
        }
    }
}

fn name(field: Field, language: Language) -> Markup {
    match field {
        Field::Scaled => {
            html! { span { (Key::Scaled.text(language)) } " " var { "√d" sub { "k" } } }
        }
        Field::DK => html! { span { (Key::DK.text(language)) } " " var { "d" sub { "k" } } },
        _ => html! { (field.row().label.text(language)) },
    }
}

fn control(field: Field, b: &State, language: Language) -> Markup {
    let (key, value) = (field.key(), b.get(field));
    let id = format!("b-{key}");
    let name = format!("{id}-name versus-b-column");
    let options = |names: &'static [&'static str]| {
        let option =
            move |name: &&'static str| Some((*name, field.option_label(name)?.text(language)));
        names.iter().filter_map(option)
    };
    match (field.kind(), &value) {
        (ValueKind::Choice(names), _) => html! {
            select id=(id) autocomplete="off" aria-labelledby=(name) data-sets=(key) data-value=(value.to_param()) {
                @for (name, says) in options(names) { option value=(name) { (says) } }
            }
        },
        (ValueKind::Names(names), Value::Names(own)) => html! {
            div class="versus-masks" role="group" aria-labelledby=(name) {
                @for (name, says) in options(names) {
                    label class="tick" {
                        input type="checkbox" name=(id) value=(name) autocomplete="off" data-field={ (key) " " (name) } data-value=(own.contains(&name));
                        span { (says) }
                    }
                }
            }
        },
        (_, Value::Switch(is_on)) => html! {
            input type="checkbox" id=(id) autocomplete="off" aria-labelledby=(name) data-sets=(key) data-value=(is_on);
        },
        (_, Value::Text(own)) => html! {
            textarea id=(id) rows="1" spellcheck="false" autocomplete="off" aria-labelledby=(name) data-sets=(key) data-value=(own) {}
        },
        _ => {
            let limits = b
                .limits(field)
                .map(|(min, max)| [min, max].map(|end| field.of_amount(end).to_param()));
            let step = if matches!(field.kind(), ValueKind::Centi { .. }) {
                "0.05"
            } else {
                "1"
            };
            let [min, max] = limits.map_or([None, None], |ends| ends.map(Some));
            html! {
                input class="number" id=(id) type="number" min=[min] max=[max] step=(step) autocomplete="off" aria-labelledby=(name)
                    data-sets=(key) data-value=(value.to_param());
            }
        }
    }
}
