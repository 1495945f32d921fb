//! B's settings beside A's, with the actions on both.

use web_sys::{Element, HtmlButtonElement, HtmlInputElement};

use crate::browser::controls::{Checkbox, CheckboxGroup, Control, Number, Select, When};
use crate::browser::dom::{Attribute, MissingPart, Root, Text};
use crate::browser::event_listener::Listener;
use crate::browser::sender::Sender;
use app::i18n::Language;
use app::present::address_history::Change;
use app::present::comparison::value;
use app::state::comparison::{ComparisonAction, ComparisonPreset};
use app::state::overrides::mechanism;
use app::state::setting::ValueKind;
use app::state::{Action, Field, State};

/// Buttons' identifiers, with their actions on both settings.
const BUTTONS: [(&str, ComparisonAction); 3] = [
    ("#versus-swap", ComparisonAction::Swap),
    ("#versus-take", ComparisonAction::Take),
    ("#versus-same", ComparisonAction::Same),
];

/// B's settings, and the menu of comparisons.
pub(super) struct Settings {
    controls: Vec<Box<dyn Control>>,
    rows: Vec<SettingRow>,
    set_ups: Vec<HtmlInputElement>,
    buttons: Vec<HtmlButtonElement>,
    _listeners: Vec<Listener>,
}

/// A setting with what A has.
struct SettingRow {
    field: Field,
    class: Attribute,
    a: Text,
}

impl Settings {
    pub(super) fn new(root: &Root, sender: &Sender) -> Result<Self, MissingPart> {
        let set_ups: Vec<HtmlInputElement> = root.all("input[name=\"versus-set-up\"]");
        let mut listeners: Vec<Listener> = set_ups.iter().map(|own| choose(own, sender)).collect();
        let mut buttons = Vec::new();
        for (selector, action) in BUTTONS {
            let button: HtmlButtonElement = root.find(selector)?;
            let sender = sender.clone();
            listeners.push(Listener::new(&button, "click", move |_| {
                sender.act(Action::Compare(action.clone()), Change::Commit);
            }));
            buttons.push(button);
        }
        let rows = root.all("#versus-settings [data-setting]");
        Ok(Self {
            controls: controls(root, sender)?,
            rows: rows
                .into_iter()
                .filter_map(SettingRow::from_element)
                .collect(),
            set_ups,
            buttons,
            _listeners: listeners,
        })
    }

    /// Shows what both have.
    pub(super) fn update(&mut self, a: &State, b: &State, language: Language) {
        for control in &mut self.controls {
            control.update(b);
        }
        for row in &mut self.rows {
            let own = a.get(row.field);
            let differs = own != b.get(row.field);
            row.class.set(if differs { "is-other" } else { "" });
            row.a.set_text(&value(language, row.field, &own));
        }
        let chosen = ComparisonPreset::shown(a).map_or("", ComparisonPreset::name);
        for own in &self.set_ups {
            own.set_checked(own.value() == chosen);
        }
        for button in &self.buttons {
            button.set_disabled(a.overrides.is_empty());
        }
    }
}

impl SettingRow {
    fn from_element(element: Element) -> Option<Self> {
        let field = Field::from_key(&element.get_attribute("data-setting")?)?;
        let a = element.query_selector(".a").ok()??;
        Some(Self {
            field,
            class: Attribute::new(element, "class"),
            a: Text::new(a),
        })
    }
}

/// Ordinary controls of the page, whose actions apply to B.
fn controls(root: &Root, sender: &Sender) -> Result<Vec<Box<dyn Control>>, MissingPart> {
    let sender = &sender.compared();
    let mut controls: Vec<Box<dyn Control>> = vec![Box::new(When::new(root, "data-b-when"))];
    for field in mechanism() {
        let id = format!("#b-{}", field.key());
        controls.push(match field.kind() {
            ValueKind::Number { .. } | ValueKind::Centi { .. } => {
                Box::new(Number::new(root, &id, field, sender)?)
            }
            ValueKind::Choice(_) => Box::new(Select::new(root, &id, field, sender)?),
            ValueKind::Names(_) => Box::new(CheckboxGroup::new(root, &id[1..], field, sender)),
            ValueKind::Switch => Box::new(Checkbox::new(root, &id, field, sender)?),
            // Cells are painted on the large map alone.
            _ => continue,
        });
    }
    Ok(controls)
}

fn choose(set_up: &HtmlInputElement, sender: &Sender) -> Listener {
    let (own, sender) = (set_up.clone(), sender.clone());
    Listener::new(set_up, "change", move |_| {
        if let Some(set_up) = ComparisonPreset::from_name(&own.value()) {
            sender.act(
                Action::Compare(ComparisonAction::Preset(set_up)),
                Change::Commit,
            );
        }
    })
}
