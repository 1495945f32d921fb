//! The form in which a user assigns a role to each tensor.

use web_sys::{
    Element, HtmlDetailsElement, HtmlInputElement, HtmlOptionElement, HtmlSelectElement,
};

use crate::browser::dom::{self, MissingPart, Root};
use crate::i18n::{Key, Language};
use crate::import::{Role, TensorAssignment, axes, role, shape};
use crate::state::imported::Kind;
use formats::Tensor;

/// The form.
pub(super) struct Form {
    element: HtmlDetailsElement,
    kinds: Vec<HtmlInputElement>,
    roles: Element,
    selects: Vec<(Role, HtmlSelectElement)>,
    heads_row: Element,
    heads: HtmlInputElement,
    rows_first_row: Element,
    rows_first: HtmlInputElement,
    /// What the selects were made for.
    made: Option<(Kind, Language)>,
}

impl Form {
    pub(super) fn new(root: &Root) -> Result<Self, MissingPart> {
        Ok(Self {
            element: root.find("#bringing-form")?,
            kinds: root.all("input[type=radio][name=bringing-kind]"),
            roles: root.find("#bringing-roles")?,
            selects: Vec::new(),
            heads_row: root.find("#bringing-heads-row")?,
            heads: root.find("#bringing-heads")?,
            rows_first_row: root.find("#bringing-rows-first-row")?,
            rows_first: root.find("#bringing-rows-first")?,
            made: None,
        })
    }

    pub(super) fn hide(&mut self) {
        dom::set_flag(&self.element, "hidden", true);
        self.made = None;
    }

    /// The form; open if the user has to decide something.
    pub(super) fn offer(&mut self, tensors: &[Tensor], is_needed: bool) {
        dom::set_flag(&self.element, "hidden", tensors.is_empty());
        self.element.set_open(is_needed);
    }

    /// Shows a reading.
    pub(super) fn update(
        &mut self,
        reading: &TensorAssignment,
        tensors: &[Tensor],
        language: Language,
    ) {
        for radio in &self.kinds {
            radio.set_checked(radio.value() == reading.kind.name());
        }
        if self.made != Some((reading.kind, language)) {
            self.make(reading.kind, tensors, language);
        }
        for (role, select) in &self.selects {
            let tensor = reading.plays(*role).map(|tensor| tensor.to_string());
            select.set_value(&tensor.unwrap_or_default());
        }
        let has_flat = |roles: &[Role]| {
            let axes = |role: &Role| {
                let tensor = tensors.get(reading.plays(*role)?)?;
                Some(tensor.shape.iter().filter(|length| **length > 1).count())
            };
            roles.iter().filter_map(axes).collect::<Vec<_>>()
        };
        let axes = has_flat(&[Role::Q, Role::K, Role::V]);
        let is_heads = reading.kind == Kind::Heads;
        let asks_heads =
            reading.kind == Kind::Layer || (is_heads && axes.iter().any(|axes| *axes < 3));
        dom::set_flag(&self.heads_row, "hidden", !asks_heads);
        dom::set_flag(
            &self.rows_first_row,
            "hidden",
            !(is_heads && axes.iter().any(|axes| *axes > 2)),
        );
        self.heads.set_value(&reading.heads.to_string());
        self.rows_first.set_checked(reading.is_rows_first);
    }

    /// Its present assignment.
    pub(super) fn read(&self, before: &TensorAssignment, tensors: &[Tensor]) -> TensorAssignment {
        let chosen = self.kinds.iter().find(|radio| radio.checked());
        let kind = chosen.and_then(|radio| {
            let kinds = Kind::ALL.into_iter();
            kinds.into_iter().find(|kind| kind.name() == radio.value())
        });
        if let Some(kind) = kind.filter(|kind| *kind != before.kind) {
            return before.turned_to(kind, tensors);
        }
        let mut reading = before.clone();
        for (role, select) in &self.selects {
            reading.cast(*role, select.value().parse().ok());
        }
        reading.heads = self.heads.value().parse().unwrap_or(before.heads);
        reading.is_rows_first = self.rows_first.checked();
        reading
    }

    fn make(&mut self, kind: Kind, tensors: &[Tensor], language: Language) {
        self.roles.set_text_content(None);
        self.made = Some((kind, language));
        let select = |own: &Role| Some((*own, self.select(*own, kind, tensors, language)?));
        self.selects = Role::for_kind(kind).iter().filter_map(select).collect();
    }

    fn select(
        &self,
        own: Role,
        kind: Kind,
        tensors: &[Tensor],
        language: Language,
    ) -> Option<HtmlSelectElement> {
        let label: Element = dom::append(&self.roles, "label", "")?;
        let letter: Element = dom::append(&label, "var", "")?;
        dom::set_symbols(&letter, role(own));
        let about: Element = dom::append(&label, "span", "note")?;
        dom::set_symbols(&about, axes(language, own));
        let select: HtmlSelectElement = dom::append(&label, "select", "")?;
        let none = if own.is_needed(kind) {
            Key::BringingChoose
        } else {
            Key::BringingNone
        };
        let option = |value: &str, text: &str| {
            let option: Option<HtmlOptionElement> = dom::append(&select, "option", "");
            if let Some(option) = option {
                option.set_value(value);
                option.set_text(text);
            }
        };
        option("", none.text(language));
        for (at, tensor) in tensors.iter().enumerate() {
            option(
                &at.to_string(),
                &format!("{} {}", tensor.name, shape(&tensor.shape)),
            );
        }
        Some(select)
    }
}
