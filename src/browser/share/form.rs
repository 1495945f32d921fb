//! Reads the share options from the dialog.

use web_sys::{Element, HtmlElement, HtmlInputElement, HtmlSelectElement};

use crate::browser::dom::{self, MissingPart, Root, Symbols, Text};
use crate::browser::language;
use crate::i18n::{Key, Language};
use crate::share::{Extent, Form, GROUPS, ShareOptions, ThemeChoice, label};
use crate::state::{Origins, Panel, Part, Parts, SettingError, State, Theme};

/// The controls of the dialog.
pub(super) struct ShareForm {
    dialog: Element,
    forms: Vec<HtmlInputElement>,
    extents: Vec<HtmlInputElement>,
    panels: HtmlSelectElement,
    lock_all: HtmlInputElement,
    list: Element,
    rows: Vec<Row>,
    language: HtmlSelectElement,
    look: HtmlSelectElement,
    origins: HtmlInputElement,
    origins_note: Text,
    was_inside: bool,
}

/// A part that is chosen, or locked, or both.
struct Row {
    part: Part,
    name: Symbols,
    key: Key,
    shown: HtmlInputElement,
    locked: Option<HtmlInputElement>,
}

impl ShareForm {
    pub(super) fn new(root: &Root) -> Result<Self, MissingPart> {
        Ok(Self {
            dialog: root.find("#share")?,
            forms: root.all("input[name=share-form]"),
            extents: root.all("input[name=share-extent]"),
            panels: root.find("#share-panel")?,
            lock_all: root.find("#share-lock-all")?,
            list: root.find("#share-parts")?,
            rows: Vec::new(),
            language: root.find("#share-language")?,
            look: root.find("#share-theme")?,
            origins: root.find("#share-origins")?,
            origins_note: Text::find(root, "#share-origins-note")?,
            was_inside: false,
        })
    }

    /// Begins with how the page is shown now.
    pub(super) fn take(&mut self, state: &State, language: Language) {
        if self.rows.is_empty() {
            let groups = GROUPS.iter();
            let made = groups.filter_map(|(key, parts)| group(&self.list, *key, parts, language));
            self.rows = made.flatten().collect();
        }
        let extent = match state.show {
            None if state.embed => Extent::Compact,
            None => Extent::Whole,
            Some(shown) if shown.contains(Part::All) => Extent::Whole,
            Some(shown) if shown == Parts::from_iter([Part::Map]) => Extent::Map,
            Some(_) => Extent::Chosen,
        };
        check(&self.extents, extent.name());
        self.lock_all.set_checked(state.lock.contains(Part::All));
        let chosen = state.show.unwrap_or_else(suggested);
        for row in &mut self.rows {
            row.name.set_text(row.key.text(language));
            row.shown.set_checked(chosen.contains(row.part));
            if let Some(locked) = &row.locked {
                locked.set_checked(state.lock.contains(row.part));
            }
        }
        let code = state.language.map_or("", Language::code);
        self.language.set_value(code);
        let look = match state.theme {
            Some(Theme::Light) => ThemeChoice::Light,
            Some(Theme::Dark) => ThemeChoice::Dark,
            None if state.host_theme => ThemeChoice::Host,
            None => ThemeChoice::Reader,
        };
        self.look.set_value(look.name());
        self.origins.set_value(&state.origins.to_param());
    }

    /// The options of the form. Invalid ones are reported beside it and left out.
    pub(super) fn read(&mut self, language: Language) -> ShareOptions {
        let form = chosen(&self.forms).and_then(|name| Form::from_name(&name));
        let form = form.unwrap_or(Form::Link);
        self.suit(form);
        let extent = chosen(&self.extents).and_then(|name| Extent::from_name(&name));
        let extent = extent.unwrap_or(Extent::Whole);
        let panel = self.panels.value();
        let panel = Panel::ALL.into_iter().find(|one| one.name() == panel);
        dom::set(&self.dialog, "data-extent", extent.name());
        ShareOptions {
            form,
            extent,
            parts: self.ticked(|row| Some(&row.shown)),
            panel: panel.unwrap_or(Panel::Steps),
            lock: if self.lock_all.checked() {
                [Part::All].into_iter().collect()
            } else {
                self.ticked(|row| row.locked.as_ref())
            },
            language: Language::from_tag(&self.language.value()),
            look: ThemeChoice::from_name(&self.look.value()).unwrap_or(ThemeChoice::Reader),
            origins: self.read_origins(language),
        }
    }

    /// Offers what only an embed has where it is one, and suggests what suits it where one begins or ends.
    fn suit(&mut self, form: Form) {
        let is_inside = form.is_inside();
        dom::set(&self.dialog, "data-form", form.name());
        if self.was_inside != is_inside {
            self.was_inside = is_inside;
            let (from, to) = if is_inside {
                (Extent::Whole, Extent::Compact)
            } else {
                (Extent::Compact, Extent::Whole)
            };
            if chosen(&self.extents).as_deref() == Some(from.name()) {
                check(&self.extents, to.name());
            }
        }
        let all = self.lock_all.checked();
        for locked in self.rows.iter().filter_map(|row| row.locked.as_ref()) {
            dom::set_flag(locked, "disabled", all);
        }
    }

    fn ticked(&self, which: impl Fn(&Row) -> Option<&HtmlInputElement>) -> Parts {
        let is_ticked = |row: &&Row| which(row).is_some_and(HtmlInputElement::checked);
        let rows = self.rows.iter().filter(is_ticked);
        rows.map(|row| row.part).collect()
    }

    fn read_origins(&mut self, language: Language) -> Origins {
        let written = self.origins.value();
        let read = match written.trim() {
            "" => Ok(Origins::default()),
            written => Origins::parse(written),
        };
        let key = match &read {
            Ok(_) => Key::ShareOriginsNote,
            Err(SettingError::Many { .. }) => Key::ShareOriginsMany,
            Err(_) => Key::RuleOrigins,
        };
        self.origins_note.set_text(key.text(language));
        let is_wrong = if read.is_err() { "true" } else { "false" };
        dom::set(&self.origins, "aria-invalid", is_wrong);
        read.unwrap_or_default()
    }
}

/// What is ticked where nothing was chosen before: what a first lesson is about.
fn suggested() -> Parts {
    [
        Part::Sentence,
        Part::Heads,
        Part::Mask,
        Part::Legend,
        Part::Reading,
    ]
    .into_iter()
    .collect()
}

/// The parts of a group below its name.
fn group(list: &Element, key: Key, parts: &[Part], words: Language) -> Option<Vec<Row>> {
    let group: Element = dom::append(list, "section", "")?;
    let name: HtmlElement = dom::append(&group, "h3", "")?;
    language::bind(&name, key, words);
    let row = |part: &Part| Row::new(&group, *part, label(*part)?, words);
    Some(parts.iter().filter_map(row).collect())
}

impl Row {
    fn new(list: &Element, part: Part, key: Key, words: Language) -> Option<Self> {
        let row: Element = dom::append(list, "div", "")?;
        let id = format!("share-part-{}", part.name());
        dom::set(&row, "role", "group");
        dom::set(&row, "aria-labelledby", &id);
        dom::set_flag(&row, "data-compact", Part::COMPACT.contains(&part));
        let name: Element = dom::append(&row, "span", "")?;
        dom::set(&name, "id", &id);
        let shown = tick(&row, "shown", Key::ShareShown, words)?;
        let locked = part
            .is_control()
            .then(|| tick(&row, "locked", Key::ShareLocked, words));
        Some(Self {
            part,
            name: Symbols::new(name),
            key,
            shown,
            locked: locked.flatten(),
        })
    }
}

fn tick(row: &Element, class: &str, key: Key, words: Language) -> Option<HtmlInputElement> {
    let label: Element = dom::append(row, "label", class)?;
    let input: HtmlInputElement = dom::append(&label, "input", "")?;
    input.set_type("checkbox");
    dom::set(&input, "autocomplete", "off");
    let word: HtmlElement = dom::append(&label, "span", "")?;
    language::bind(&word, key, words);
    Some(input)
}

fn chosen(radios: &[HtmlInputElement]) -> Option<String> {
    let radio = radios.iter().find(|radio| radio.checked());
    radio.map(HtmlInputElement::value)
}

fn check(radios: &[HtmlInputElement], value: &str) {
    for radio in radios {
        radio.set_checked(radio.value() == value);
    }
}
