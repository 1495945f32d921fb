//! Parts of the page that views write, and their events.

use std::ops::Range;
use std::str::FromStr;

use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, Node, NodeList};

use crate::browser::dom::{self, MissingPart, Root};
use crate::browser::event_listener::Listener;
use crate::browser::field_value;
use app::views::patch::{Edit, diff};
use app::views::{Markup, STYLED, VALUE};

/// An element whose content a view writes. Only what has changed is written, so focus and selection stay.
pub(super) struct View {
    element: Element,
    shown: Option<String>,
}

impl View {
    pub(super) fn new(element: Element) -> Self {
        Self {
            element,
            shown: None,
        }
    }

    pub(super) fn find(root: &Root, selector: &str) -> Result<Self, MissingPart> {
        root.find(selector).map(Self::new)
    }

    pub(super) fn update(&mut self, markup: Markup) {
        let markup = markup.into_string();
        if self.shown.as_ref() == Some(&markup) {
            return;
        }
        let edits = self.shown.as_deref().and_then(|shown| diff(shown, &markup));
        match edits {
            Some(edits) => apply(&self.element, edits),
            None => write(&self.element, &markup),
        }
        self.shown = Some(markup);
    }

    /// Every element inside that matches `selector`, in the order of the page.
    pub(super) fn all<T: JsCast>(&self, selector: &str) -> Vec<T> {
        Root::new(self.element.clone()).all(selector)
    }

    /// Calls `call` on each `event` inside an element with `attribute`, with the value of the nearest one.
    pub(super) fn on<T: FromStr>(
        &self,
        event: &'static str,
        attribute: &'static str,
        call: impl Fn(T) + 'static,
    ) -> Listener {
        Listener::new(&self.element, event, move |event| {
            if let Some(value) = nearest(&event, attribute) {
                call(value);
            }
        })
    }
}

/// The value of an attribute on the nearest element around an event that has it.
pub(super) fn nearest<T: FromStr>(event: &Event, attribute: &str) -> Option<T> {
    let target: Element = event.target()?.dyn_into().ok()?;
    let holder = target.closest(&format!("[{attribute}]")).ok()??;
    holder.get_attribute(attribute)?.parse().ok()
}

fn apply(element: &Element, edits: Vec<Edit>) {
    let nodes = element.child_nodes();
    for edit in edits {
        match edit {
            Edit::Text(place, text) => {
                if let Some(node) = nodes.get(place as u32) {
                    node.set_node_value(Some(&text));
                }
            }
            Edit::Attribute(place, name, value) => {
                if let Some(child) = child(&nodes, place) {
                    set(&child, &name, value.as_deref());
                }
            }
            Edit::Children(place, edits) => {
                if let Some(child) = child(&nodes, place) {
                    apply(&child, edits);
                }
            }
            Edit::Replace(gone, markup) => replace(element, &nodes, gone, &markup),
        }
    }
}

fn child(nodes: &NodeList, place: usize) -> Option<Element> {
    nodes.get(place as u32)?.dyn_into().ok()
}

fn replace(element: &Element, nodes: &NodeList, gone: Range<usize>, markup: &str) {
    let after = nodes.get(gone.end as u32);
    let gone: Vec<Node> = gone.filter_map(|place| nodes.get(place as u32)).collect();
    // Refused only for nodes that stand elsewhere by now.
    for node in gone {
        let _ = element.remove_child(&node);
    }
    // Read in an element of the same kind: parts of tables and pictures are nothing elsewhere.
    let Some(parser) = element
        .clone_node()
        .ok()
        .and_then(|node| node.dyn_into().ok())
    else {
        return;
    };
    write(&parser, markup);
    while let Some(node) = parser.first_child() {
        let _ = element.insert_before(&node, after.as_ref());
    }
}

fn write(element: &Element, markup: &str) {
    element.set_inner_html(markup);
    for (attribute, _) in STYLED {
        let Ok(all) = element.query_selector_all(&format!("[{attribute}]")) else {
            continue;
        };
        for styled in (0..all.length()).filter_map(|at| all.get(at)?.dyn_into::<Element>().ok()) {
            let value = styled.get_attribute(attribute).unwrap_or_default();
            style(&styled, attribute, &value);
        }
    }
    for field in Root::new(element.clone()).all(&format!("[{VALUE}]")) {
        field_value::write(&field);
    }
}

fn set(element: &Element, name: &str, value: Option<&str>) {
    dom::set_or_remove(element, name, value);
    style(element, name, value.unwrap_or_default());
    if name == VALUE {
        field_value::write(element);
    }
}

/// Passes the value of an attribute to the style sheet as a property; an empty one removes the
/// property.
fn style(element: &Element, name: &str, value: &str) {
    if let Some((_, property)) = STYLED.iter().find(|(attribute, _)| *attribute == name) {
        // Elements of SVG have a style as well.
        let element: &HtmlElement = element.unchecked_ref();
        let _ = element.style().set_property(property, value);
    }
}
