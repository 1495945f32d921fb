//! The link from a compact page to the full one, with the same setting.

use web_sys::{Element, Window};

use super::dom::{self, Attribute, MissingPart, Root};
use super::mount_context::MountContext;
use app::share;
use app::state::State;

/// The link; it and the Share button are hidden if the address of the full page is unknown.
pub(super) struct FullPageLink {
    link: Attribute,
    page: Option<String>,
}

impl FullPageLink {
    pub(super) fn new(
        root: &Root,
        window: &Window,
        place: &MountContext,
    ) -> Result<Self, MissingPart> {
        let link: Element = root.find("#whole")?;
        let page = place.page_base(window);
        dom::set_flag(&link, "hidden", page.is_none());
        // A link to nowhere is nothing to hand on.
        let share: Element = root.find("#share-open")?;
        dom::set_flag(&share, "hidden", page.is_none());
        Ok(Self {
            link: Attribute::new(link, "href"),
            page,
        })
    }

    /// Leads to the whole page in this state.
    pub(super) fn update(&mut self, state: &State) {
        if let Some(address) = self.address(state).filter(|_| state.embed) {
            self.link.set(&address);
        }
    }

    /// The address of the whole page in this state.
    pub(super) fn address(&self, state: &State) -> Option<String> {
        let page = self.page.as_ref()?;
        Some(format!("{page}#{}", share::whole(state)))
    }
}
