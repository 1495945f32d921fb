//! The set-up of the page as it opens: what differs in its controls from the standard settings, which `index.html` has.

use super::{Attribute, Markup, words};
use crate::present::slider_place::SliderPlace;
use crate::state::conditions::Conditions;
use crate::state::setting::{Control, ValueKind};
use crate::state::{Field, Named as _, Part, State};

/// Generated attributes of controls.
pub(super) fn attributes(state: &State) -> Vec<Attribute> {
    let standard = State::default();
    let differs = |field: &Field| {
        state.get(*field) != standard.get(*field) || shortened(state, *field).is_some()
    };
    let own = |field: Field| control(state, &standard, field);
    let controls = Field::ALL.into_iter().filter(differs).flat_map(own);
    controls.chain(given(state)).collect()
}

/// Controls that the model decides: they are written as plain text, which is narrower.
fn given(state: &State) -> impl Iterator<Item = Attribute> {
    let parts = Part::EVERY.iter().filter(|part| state.is_given(**part));
    parts.flat_map(|part| {
        let own = format!("[data-lock={}]", part.name());
        let inside = format!("{own} :is(input, select)");
        [
            Attribute::set(own, "data-locked", ""),
            Attribute::set(inside, "disabled", ""),
        ]
    })
}

/// The labels of sliders' ends.
pub(super) fn ends(state: &State) -> Vec<(String, Markup)> {
    let of_field = |field: Field| {
        let Control::Slider(id) = field.row().control else {
            return Vec::new();
        };
        let ends = shortened(state, field).map(|place| place.end_stops());
        let ends = ["min", "max"].into_iter().zip(ends.unwrap_or_default());
        let label = |(name, end): (_, Option<u32>)| {
            let selector = format!("[data-control={id}] [data-{name}]");
            Some((selector, words(&field.of_amount(end?).to_param())))
        };
        ends.filter_map(label).collect()
    };
    Field::ALL.into_iter().flat_map(of_field).collect()
}

/// The place of a slider with other ends than its own, which the page has.
fn shortened(state: &State, field: Field) -> Option<SliderPlace> {
    let (ValueKind::Number { min, max, stops } | ValueKind::Centi { min, max, stops }) =
        field.row().kind
    else {
        return None;
    };
    let ends = [stops.first().unwrap_or(&min), stops.last().unwrap_or(&max)];
    let place = SliderPlace::new(state, field)?;
    (place.end_stops() != ends.map(|end| Some(*end))).then_some(place)
}

/// Elements that are there only for certain settings, such as `data-when="weights=learned"`, where that is otherwise than in the page.
pub(super) fn visibility(state: &State, conditions: &[String]) -> Vec<Attribute> {
    let standard = State::default();
    let differing = conditions.iter().filter_map(|written| {
        let conditions = Conditions::parse(written);
        let selector = format!("[data-when=\"{written}\"]");
        match (conditions.hold(&standard), conditions.hold(state)) {
            (false, true) => Some(Attribute::removed(selector, "hidden")),
            (true, false) => Some(Attribute::set(selector, "hidden", "")),
            _ => None,
        }
    });
    differing.collect()
}

fn control(state: &State, standard: &State, field: Field) -> Vec<Attribute> {
    let value = state.get(field).to_param();
    match field.row().control {
        Control::Slider(id) => {
            let mut all = number(state, field, &format!("#{id}-number"));
            if let Some(place) = SliderPlace::new(state, field) {
                let [first, last] = place.ends().map(|end| end.to_string());
                let at = place.value().to_string();
                let own = [("min", first), ("max", last), ("value", at)];
                let slider = format!("#{id}");
                all.extend(own.map(|(name, value)| Attribute::set(&slider, name, value)));
                all.push(Attribute::set(slider, "--fill", place.fill()));
            }
            all
        }
        Control::Number(id) => number(state, field, &format!("#{id}")),
        Control::Radios(name) => {
            let radio = |value: &str| format!("input[name={name}][value={value}]");
            vec![Attribute::set(radio(&value), "checked", "")]
        }
        Control::Menu(id) => {
            let option = |value: &str| format!("#{id} option[value={value}]");
            vec![
                Attribute::removed(option(&standard.get(field).to_param()), "selected"),
                Attribute::set(option(&value), "selected", ""),
            ]
        }
        Control::Own | Control::Boxes(_) | Control::Box(_) | Control::Text(_) => Vec::new(),
    }
}

/// A number with its ends.
fn number(state: &State, field: Field, selector: &str) -> Vec<Attribute> {
    let set = |name, value: String| Attribute::set(selector, name, value);
    let ends = state.limits(field).map(|(min, max)| {
        let end = |amount| field.of_amount(amount).to_param();
        [set("min", end(min)), set("max", end(max))]
    });
    let mut all: Vec<Attribute> = ends.into_iter().flatten().collect();
    all.push(set("value", state.get(field).to_param()));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::url;

    fn value(all: &[Attribute], selector: &str, name: &str) -> Option<String> {
        let own = |own: &&Attribute| own.selector == selector && own.name == name;
        all.iter().find(own).and_then(|own| own.value.clone())
    }

    #[test]
    fn only_what_differs_is_written() {
        let state = url::parse("d_k=8&positions=none&seed=7&weights=learned").0;
        let all = attributes(&state);
        let value = |selector, name| value(&all, selector, name);
        assert_eq!(value("#d-k", "value").as_deref(), Some("3"));
        assert_eq!(value("#d-k-number", "value").as_deref(), Some("8"));
        assert_eq!(value("#seed", "value").as_deref(), Some("7"));
        let radio = "input[name=origin][value=learned]";
        assert_eq!(value(radio, "checked").as_deref(), Some(""));
        let option = "#positions option[value=none]";
        assert_eq!(value(option, "selected").as_deref(), Some(""));
        assert_eq!(value("#temperature", "value"), None);
        let locked = |part| value(part, "data-locked");
        assert_eq!(locked("[data-lock=positions]").as_deref(), Some(""));
        assert_eq!(locked("[data-lock=seed]"), None);
        let ends = ends(&state);
        let label = |selector| ends.iter().find(|(own, _)| own == selector);
        let last = label("[data-control=heads] [data-max]").expect("fewer than sixteen");
        assert_eq!(last.1.0, "8");
        assert!(label("[data-control=temperature] [data-max]").is_none());
    }

    #[test]
    fn parts_for_other_settings_come_and_go() {
        let state = url::parse("weights=learned").0;
        let conditions = ["weights=learned", "weights=teaching", "mask=causal"].map(str::to_owned);
        let all = visibility(&state, &conditions);
        let seen = |condition: &str| {
            let selector = format!("[data-when=\"{condition}\"]");
            all.iter()
                .find(|own| own.selector == selector)
                .map(|own| own.value.clone())
        };
        assert_eq!(seen("weights=learned"), Some(None));
        assert_eq!(seen("weights=teaching"), Some(Some(String::new())));
        assert_eq!(seen("mask=causal"), None);
    }
}
