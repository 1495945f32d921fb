//! The controls of `index.html` are those of the table of settings: ids, ends, steps, options, locks.

use app::state::setting::{Control, Limit, ValueKind};
use app::state::{Field, State, Value};

const PAGE: &str = include_str!("../../index.html");

/// Names that are followed rather than chosen: a browser's language, and a host's theme.
const UNCHOSEN: [(Field, &str); 2] = [(Field::Language, "auto"), (Field::Theme, "host")];

/// A tag of the page, and where it begins.
#[derive(Clone, Copy)]
struct Tag {
    at: usize,
    text: &'static str,
}

impl Tag {
    fn attribute(self, name: &str) -> Option<&'static str> {
        let (_, rest) = self.text.split_once(&format!(" {name}=\""))?;
        rest.split_once('"').map(|(value, _)| value)
    }

    fn has(self, word: &str) -> bool {
        self.text.split([' ', '>']).any(|own| own == word)
    }

    /// The part that locks it: what stands in one of these has no other inside.
    fn lock(self) -> Option<&'static str> {
        let (_, rest) = PAGE[..self.at + self.text.len()].rsplit_once("data-lock=\"")?;
        rest.split_once('"').map(|(part, _)| part)
    }
}

/// Every tag that begins with `start` and holds `attribute`.
fn tags(start: &str, attribute: &str) -> Vec<Tag> {
    let found = PAGE.match_indices(start).map(|(at, _)| {
        let length = PAGE[at..].find('>').expect("a tag ends");
        let text = &PAGE[at..=at + length];
        Tag { at, text }
    });
    found.filter(|tag| tag.text.contains(attribute)).collect()
}

fn one(start: &str, attribute: &str) -> Tag {
    let all = tags(start, attribute);
    assert_eq!(all.len(), 1, "{start} {attribute}");
    all[0]
}

/// The control of a field: one tag, or one for each name, and of a menu its options.
fn control(field: Field) -> Vec<Tag> {
    let id = |id: &str| format!(" id=\"{id}\"");
    match field.row().control {
        Control::Own => vec![],
        Control::Slider(slider) => {
            let number = one("<input", &id(&format!("{slider}-number")));
            vec![one("<input", &id(slider)), number]
        }
        Control::Number(number) => vec![one("<input", &id(number))],
        Control::Radios(name) => tags("<input type=\"radio\"", &format!(" name=\"{name}\"")),
        Control::Boxes(name) => tags("<input type=\"checkbox\"", &format!(" name=\"{name}\"")),
        Control::Box(name) => vec![one("<input type=\"checkbox\"", &id(name))],
        Control::Text(name) => vec![one("<textarea", &id(name))],
        Control::Menu(name) => vec![one("<select", &id(name))],
    }
}

fn options(menu: Tag) -> Vec<Tag> {
    let end = menu.at + PAGE[menu.at..].find("</select>").expect("a menu ends");
    let inside = |tag: &Tag| (menu.at..end).contains(&tag.at);
    tags("<option", "").into_iter().filter(inside).collect()
}

#[test]
fn every_control_stands_in_the_part_that_locks_it() {
    for field in Field::ALL {
        for tag in control(field) {
            // Nobody locks which view of the map is shown.
            if let Some(part) = field.part() {
                assert_eq!(tag.lock(), Some(part.name()), "{field:?} {}", tag.text);
            }
        }
    }
}

#[test]
fn numbers_have_the_ends_and_steps_of_their_settings() {
    let all = Field::ALL.into_iter();
    let own = all.flat_map(|field| control(field).into_iter().map(move |tag| (field, tag)));
    let mut count = 0;
    for (field, tag) in own {
        let (ValueKind::Number { min, max, .. } | ValueKind::Centi { min, max, .. }) = field.kind()
        else {
            continue;
        };
        if tag.attribute("type") != Some("number") {
            continue;
        }
        count += 1;
        let written = |amount| field.of_amount(amount).to_param();
        let (_, now) = State::default().limits(field).expect("a number");
        assert_eq!(tag.attribute("min"), Some(&*written(min)), "{}", tag.text);
        // Heads bound others, and there are more of them than a first visit has.
        let end = tag.attribute("max").unwrap_or_default();
        assert!(
            [written(max), written(now)].contains(&end.to_owned()),
            "{}",
            tag.text
        );
        let is_whole = matches!(field.kind(), ValueKind::Number { .. });
        assert_eq!(tag.attribute("step") == Some("1"), is_whole, "{}", tag.text);
    }
    assert_eq!(count, 13);
}

#[test]
fn sliders_have_the_ends_of_their_settings() {
    for field in Field::ALL {
        let (
            Control::Slider(_),
            ValueKind::Number { min, stops, .. } | ValueKind::Centi { min, stops, .. },
        ) = (field.row().control, field.kind())
        else {
            continue;
        };
        let slider = control(field)[0];
        let end = |name| slider.attribute(name).and_then(|end| end.parse().ok());
        match stops {
            // Places are counted where stops are not every number.
            [_, ..] => assert_eq!((end("min"), end("max")), (Some(0), Some(stops.len() - 1))),
            [] if field.row().limit == Limit::DividesHeads => assert_eq!(end("min"), Some(0)),
            [] => assert_eq!(end("min"), Some(min as usize)),
        }
        assert_eq!(slider.attribute("step"), Some("1"), "{}", slider.text);
    }
}

#[test]
fn choices_have_every_name_of_their_settings_and_begin_with_the_default() {
    let state = State::default();
    for field in Field::ALL {
        let tags = match field.row().control {
            Control::Menu(_) => options(control(field)[0]),
            Control::Radios(_) | Control::Boxes(_) => control(field),
            _ => continue,
        };
        let (ValueKind::Choice(names) | ValueKind::Names(names)) = field.kind() else {
            panic!("{field:?} has no names");
        };
        let mut names = names.to_vec();
        names.retain(|name| !UNCHOSEN.contains(&(field, *name)));
        if matches!(field.kind(), ValueKind::Names(_)) {
            names.push("none");
        }
        let mut values: Vec<&str> = tags
            .iter()
            .filter_map(|tag| tag.attribute("value"))
            .collect();
        values.sort_unstable();
        names.sort_unstable();
        assert_eq!(values, names, "{field:?}");
        let chosen = tags
            .iter()
            .find(|tag| tag.has("checked") || tag.has("selected"));
        let chosen = chosen
            .or(tags.first())
            .and_then(|tag| tag.attribute("value"));
        // The page is English until a browser says otherwise.
        if field != Field::Language {
            assert_eq!(chosen, Some(&*state.get(field).to_param()), "{field:?}");
        }
    }
}

#[test]
fn boxes_begin_as_their_settings_do() {
    for field in Field::ALL {
        if matches!(field.row().control, Control::Box(_)) {
            let is_on = State::default().get(field) == Value::Switch(true);
            assert_eq!(control(field)[0].has("checked"), is_on, "{field:?}");
        }
    }
}

/// Beside sliders, which have ids of their own: choices, ticks and what is painted.
const OTHERS_WITH_HELP: [&str; 10] = [
    "mask",
    "hiding",
    "paint",
    "scaled",
    "positions",
    "scoring",
    "linformer",
    "weights",
    "scale",
    "range",
];

#[test]
fn every_control_of_the_computation_has_a_question_mark() {
    let sliders = tags("<div", " data-control=\"");
    let sliders = sliders
        .iter()
        .filter_map(|tag| tag.attribute("data-control"));
    let named: Vec<_> = sliders.chain(OTHERS_WITH_HELP).collect();
    assert!(named.len() > OTHERS_WITH_HELP.len() + 8, "{named:?}");
    for name in named {
        let mark = one("<button", &format!(" popovertarget=\"help-{name}\""));
        let text = one("<p", &format!(" id=\"help-{name}\""));
        assert!(mark.at < text.at, "{name}: the text follows its mark");
        let labels = mark.attribute("aria-labelledby").unwrap_or_default();
        for id in labels.split(' ') {
            let holders = PAGE.matches(&format!(" id=\"{id}\"")).count();
            assert_eq!(holders, 1, "{name}: the mark is named after #{id}");
        }
    }
}
