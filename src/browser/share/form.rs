//! Reads the share options from the dialog.

use web_sys::{Element, HtmlInputElement, HtmlSelectElement};

use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::view::View;
use app::i18n::{Key, Language};
use app::share::{Extent, Form, ShareOptions, ThemeChoice, read_origins};
use app::state::{Origins, Panel, Part, Parts, State};
use app::views::share_parts::share_parts;

/// The controls of the dialog.
pub(super) struct ShareForm {
    root: Root,
    dialog: Element,
    forms: Vec<HtmlInputElement>,
    extents: Vec<HtmlInputElement>,
    panels: HtmlSelectElement,
    lock_all: HtmlInputElement,
    parts: View,
    language: HtmlSelectElement,
    theme: HtmlSelectElement,
    origins: HtmlInputElement,
    origins_note: Text,
    was_inside: bool,
}

impl ShareForm {
    pub(super) fn new(root: &Root) -> Result<Self, MissingPart> {
        Ok(Self {
            root: root.clone(),
            dialog: root.find("#share")?,
            forms: root.all("input[name=share-form]"),
            extents: root.all("input[name=share-extent]"),
            panels: root.find("#share-panel")?,
            lock_all: root.find("#share-lock-all")?,
            parts: View::find(root, "#share-parts")?,
            language: root.find("#share-language")?,
            theme: root.find("#share-theme")?,
            origins: root.find("#share-origins")?,
            origins_note: Text::find(root, "#share-origins-note")?,
            was_inside: false,
        })
    }

    /// Begins with how the page is shown now.
    pub(super) fn reset(&mut self, state: &State, language: Language) {
        let options = ShareOptions::from_state(state);
        self.parts.update(share_parts(language));
        check(&self.extents, options.extent.name());
        self.lock_all.set_checked(options.lock.contains(Part::All));
        for (class, ticked) in [("shown", options.parts), ("locked", options.lock)] {
            for (part, tick) in self.boxes(class) {
                tick.set_checked(ticked.contains(part));
            }
        }
        let code = options.language.map_or("", Language::code);
        self.language.set_value(code);
        self.theme.set_value(options.theme.name());
        self.origins.set_value(&options.origins.to_param());
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
            parts: self.ticked("shown"),
            panel: panel.unwrap_or(Panel::Steps),
            lock: if self.lock_all.checked() {
                [Part::All].into_iter().collect()
            } else {
                self.ticked("locked")
            },
            language: Language::from_tag(&self.language.value()),
            theme: ThemeChoice::from_name(&self.theme.value()).unwrap_or(ThemeChoice::Reader),
            origins: self.read_origins(language),
        }
    }

    /// Offers what only an embed has where it is one, and suggests what suits it where one begins or ends.
    fn suit(&mut self, form: Form) {
        let is_inside = form.is_inside();
        dom::set(&self.dialog, "data-form", form.name());
        if self.was_inside != is_inside {
            self.was_inside = is_inside;
            let extent = chosen(&self.extents).and_then(|name| Extent::from_name(&name));
            if let Some(extent) = extent {
                check(&self.extents, extent.suited(is_inside).name());
            }
        }
        let all = self.lock_all.checked();
        for (_, locked) in self.boxes("locked") {
            dom::set_flag(&locked, "disabled", all);
        }
    }

    fn ticked(&self, class: &str) -> Parts {
        let ticked = self.boxes(class).filter(|(_, tick)| tick.checked());
        ticked.map(|(part, _)| part).collect()
    }

    /// The boxes of the parts that can be shown, or of those that can be locked.
    fn boxes(&self, class: &str) -> impl Iterator<Item = (Part, HtmlInputElement)> + use<> {
        let boxes: Vec<HtmlInputElement> = self.root.all(&format!("#share-parts .{class} input"));
        let part = |tick: HtmlInputElement| Some((Part::from_name(&tick.value())?, tick));
        boxes.into_iter().filter_map(part)
    }

    fn read_origins(&mut self, language: Language) -> Origins {
        let read = read_origins(&self.origins.value());
        let key = read.as_ref().err().unwrap_or(&Key::ShareOriginsNote);
        self.origins_note.set_text(key.text(language));
        let is_wrong = if read.is_err() { "true" } else { "false" };
        dom::set(&self.origins, "aria-invalid", is_wrong);
        read.unwrap_or_default()
    }
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
