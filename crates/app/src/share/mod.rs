//! Links, snippets and QR codes for sharing.
//!
//! The user chooses what is shown, what is locked and how it looks ([`ShareOptions`]). This makes another state with the same numbers,
//! and every form is written from that state.

wasm_chunks::chunk!("more");
wasm_chunks::chunk!("engine": whole);

mod dialog;
mod labels;
mod one_file;
mod qr;
mod snippet;
mod written;

pub use dialog::{Frame, ShareDialog, ShareRequest, WIDTHS};
pub use labels::{GROUPS, label};
pub use one_file::{FILE_NAME, OneFile};
pub use qr::{Qr, TooLong};
pub use snippet::{ShareTarget, link, name, snippet};
pub use written::{Written, note, read_origins};

use crate::i18n::Language;
use crate::state::setting_enums::named;
use crate::state::{Origins, Panel, Panels, Part, Parts, State, Theme, url};

named! {
    /// The form to share.
    Form {
        /// An address.
        Link = "link",
        /// An `<iframe>`.
        Frame = "iframe",
        /// An `<attention-playground>`.
        Element = "element",
        /// A link in Markdown.
        Markdown = "markdown",
        /// The page itself as a file.
        File = "file",
    }
}

named! {
    /// How much of the page is shown.
    Extent {
        /// All of it.
        Whole = "whole",
        /// The sentence, the map, and how to read it.
        Compact = "compact",
        /// The map and chosen parts.
        Chosen = "chosen",
        /// The map and one panel.
        Panel = "panel",
        /// Nothing but the map.
        Map = "map",
    }
}

named! {
    /// Light or dark, or decided by the host or the system.
    ThemeChoice {
        /// The reader's browser.
        Reader = "reader",
        /// Light.
        Light = "light",
        /// Dark.
        Dark = "dark",
        /// The page around it.
        Host = "host",
    }
}

impl Form {
    /// Whether it stands inside another page.
    pub const fn is_inside(self) -> bool {
        matches!(self, Self::Frame | Self::Element)
    }
}

/// The options chosen in the Share dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShareOptions {
    /// As what.
    pub form: Form,
    /// How much is shown.
    pub extent: Extent,
    /// Beside the map, for [`Extent::Chosen`].
    pub parts: Parts,
    /// Beside the map, for [`Extent::Panel`].
    pub panel: Panel,
    /// Locked parts.
    pub lock: Parts,
    /// Its language; `None` for the visitor's.
    pub language: Option<Language>,
    /// Light or dark.
    pub theme: ThemeChoice,
    /// Origins of host pages that may change settings by message.
    pub origins: Origins,
}

impl ShareOptions {
    /// The state to share: the numbers of `state`, shown by these options.
    pub fn apply_to(&self, state: &State) -> State {
        let is_inside = self.form.is_inside();
        let theme = match self.theme {
            ThemeChoice::Light => Some(Theme::Light),
            ThemeChoice::Dark => Some(Theme::Dark),
            ThemeChoice::Reader | ThemeChoice::Host => None,
        };
        State {
            embed: is_inside,
            show: self.shown(),
            panels: match self.extent {
                Extent::Panel => Panels::EMPTY.with(self.panel, true),
                _ => state.panels,
            },
            lock: self.lock,
            language: self.language,
            theme,
            host_theme: is_inside && self.theme == ThemeChoice::Host,
            origins: if is_inside {
                self.origins.clone()
            } else {
                Origins::default()
            },
            ..state.clone()
        }
    }

    fn shown(&self) -> Option<Parts> {
        let is_inside = self.form.is_inside();
        match self.extent {
            Extent::Whole => is_inside.then(|| [Part::All].into_iter().collect()),
            Extent::Compact => (!is_inside).then(|| Part::COMPACT.into_iter().collect()),
            Extent::Panel => Some([Part::of_panel(self.panel)].into_iter().collect()),
            Extent::Chosen if !self.parts.is_empty() => Some(self.parts),
            Extent::Chosen | Extent::Map => Some([Part::Map].into_iter().collect()),
        }
    }
}

/// The fragment of the whole page with the numbers of `state`, for visitors who want more than an
/// embed permits.
pub fn whole(state: &State) -> String {
    url::to_fragment(&State {
        embed: false,
        show: None,
        lock: Parts::EMPTY,
        host_theme: false,
        origins: Origins::default(),
        ..state.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wishes(form: Form, extent: Extent) -> ShareOptions {
        ShareOptions {
            form,
            extent,
            parts: [Part::Heads, Part::Mask].into_iter().collect(),
            panel: Panel::Cost,
            lock: [Part::All].into_iter().collect(),
            language: Some(Language::Zh),
            theme: ThemeChoice::Host,
            origins: Origins::parse("https://a.example").expect("an origin"),
        }
    }

    #[test]
    fn the_link_says_what_was_wished() {
        let state = State {
            seed: 7,
            ..State::default()
        };
        let said = |form, extent| url::to_fragment(&wishes(form, extent).apply_to(&state));
        let end = "&lock=all&origins=https://a.example";
        let frame = |rest: &str| format!("embed&v=1&seed=7{rest}{end}");
        for (extent, rest) in [
            (Extent::Whole, "&lang=zh&theme=host&show=all"),
            (Extent::Compact, "&lang=zh&theme=host"),
            (Extent::Chosen, "&lang=zh&theme=host&show=heads,mask"),
            (Extent::Panel, "&open=cost&lang=zh&theme=host&show=cost"),
            (Extent::Map, "&lang=zh&theme=host&show=map"),
        ] {
            assert_eq!(said(Form::Frame, extent), frame(rest));
            assert_eq!(said(Form::Element, extent), frame(rest));
        }
        // A host there is only around an embed, and only it can be let in.
        assert_eq!(
            said(Form::Link, Extent::Whole),
            "v=1&seed=7&lang=zh&lock=all"
        );
        assert_eq!(
            said(Form::Markdown, Extent::Compact),
            "v=1&seed=7&lang=zh&show=sentence,small,legend,reading&lock=all"
        );
    }

    #[test]
    fn whatever_is_wished_the_numbers_stay() {
        let (state, _) =
            url::parse("text=a+b+c&seed=9&weights=random&mask=causal&paint=AAAA&d_k=3&cell=2,1");
        for (form, extent) in Form::ALL
            .into_iter()
            .flat_map(|form| Extent::ALL.map(|extent| (form, extent)))
        {
            let shared = wishes(form, extent).apply_to(&state);
            assert_eq!(shared.check_all(), Ok(()));
            assert_eq!(
                url::parse(&url::to_fragment(&shared)),
                (shared.clone(), vec![])
            );
            assert_eq!(
                shared.shown_as(&State::default()),
                state.shown_as(&State::default())
            );
            assert_eq!((shared.cell, shared.head), (state.cell, state.head));
        }
    }

    #[test]
    fn the_whole_page_is_free_of_what_an_embed_says() {
        let (state, _) =
            url::parse("embed&heads=2&show=map&lock=all&theme=host&origins=https://a.example");
        assert_eq!(whole(&state), "v=1&heads=2");
    }
}
