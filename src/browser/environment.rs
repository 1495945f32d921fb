//! Browser environment: language, theme, size, and stored preferences.

use web_sys::{Element, HtmlElement, MediaQueryList, Window};

use super::dom::Root;
use super::map::Room;
use super::mount_context::{self, MountContext};
use super::{language, storage};
use app::EnvironmentSnapshot;
use app::i18n::Language;
use app::scene::colour::Background;
use app::scene::layout::MAP_MAX_WIDTH;
use app::state::{MapView, State, Theme};

const LANGUAGE: &str = "attention-playground-language";
/// `boot.js` reads it too, before the first paint.
const THEME: &str = "attention-playground-theme";

/// Selector of the element that contains all visible content.
pub(super) const SHEET: &str = "#playground";

/// From this width on the settings are beside the map, as in `layout.css`, and the plot may take the window's height.
const WIDE: f64 = 900.0;
/// Height of what should be seen together with the plot, in CSS pixels: header, sentence, headline, labels, colour bar, readout, the
/// training and the names of the panels.
const AROUND_PLOT: f64 = 480.0;
/// The same where the map fills the screen: headline, walk, labels, readout, colour bar.
const AROUND_FULL: f64 = 290.0;
const LEAST_PLOT: f64 = 280.0;
/// The same beside the settings.
const LEAST_WIDE_PLOT: f64 = 390.0;
/// The most that the plot of a compact page is high.
const MOST_OF_EMBED: f64 = 560.0;
/// Height of the smallest map in a frame, labels included; a frame that leaves less scrolls.
const LEAST_IN_FRAME: f64 = 200.0;
/// From this width on the text of a lesson is beside the map, as in `lesson.css`.
const LECTURE: f64 = 1000.0;
/// Share of a narrow window's height for the plot, which stays in sight there while something below it is moved.
const MOST_OF_NARROW: f64 = 0.45;

/// The map on paper, as wide as its column in `print.css`: with what else is printed it fits one page of A4 and of US letter. It is
/// given, not measured: browsers tell a page that it is printed before they lay it out for paper, and frames of another site after that.
/// At a density of 3 Chromium prints labels 1.5 % smaller than the picture below them: it rounds a third.
const PAPER: Room = Room {
    width: 420.0,
    plot_height: 350.0,
    most_height: None,
    dpr: 2.0,
};

/// Matches where readers want nothing to move by itself.
pub(super) fn reduced_motion(window: &Window) -> Option<MediaQueryList> {
    let query = window.match_media("(prefers-reduced-motion: reduce)");
    query.ok().flatten()
}

/// The browser around the page.
pub(super) struct Environment {
    window: Window,
    root: Root,
    place: MountContext,
    pub dark: Option<MediaQueryList>,
    /// Whether nothing is to move by itself.
    still: Option<MediaQueryList>,
    /// Whether the default theme is dark, if none was chosen.
    is_dark: bool,
    language: Option<Language>,
    theme: Option<Theme>,
    /// Theme of the host page, as the host has reported it.
    theme_around: Option<Theme>,
    is_on_paper: bool,
}

impl Environment {
    pub(super) fn new(window: &Window, root: &Root, place: &MountContext) -> Self {
        let theme = |name: String| Theme::ALL.into_iter().find(|theme| theme.name() == name);
        let recall = |name| {
            let memory = place.has_memory();
            memory.then(|| storage::recall(window, name)).flatten()
        };
        let mut own = Self {
            is_dark: false,
            root: root.clone(),
            place: place.clone(),
            dark: window
                .match_media("(prefers-color-scheme: dark)")
                .ok()
                .flatten(),
            still: reduced_motion(window),
            language: recall(LANGUAGE).and_then(|tag| Language::from_tag(&tag)),
            theme: recall(THEME).and_then(theme),
            window: window.clone(),
            theme_around: None,
            is_on_paper: false,
        };
        own.refresh();
        own
    }

    /// Returns the environment for the app.
    pub(super) fn snapshot(&self) -> EnvironmentSnapshot {
        let around = self.place.is_element();
        let around = around.then(|| mount_context::language_around(&self.root));
        let of_browser = || language::of_browser(&self.window);
        EnvironmentSnapshot {
            remembered: self.language,
            language: around.flatten().unwrap_or_else(of_browser),
            has_memory: self.place.has_memory(),
            is_motion_reduced: self.still.as_ref().is_some_and(MediaQueryList::matches),
            is_printing: self.is_on_paper,
        }
    }

    /// Reads the `color-scheme` that an undecided theme follows: the host's for an element, or the system's.
    pub(super) fn refresh(&mut self) {
        self.is_dark = if self.place.is_element() {
            mount_context::is_dark_around(&self.root, &self.window)
        } else {
            self.dark.as_ref().is_some_and(MediaQueryList::matches)
        };
    }

    /// The theme that the user has chosen, now or on an earlier visit; the host's if it follows the
    /// host. Print is light.
    pub(super) fn theme(&self, state: &State) -> Option<Theme> {
        let paper = self.is_on_paper.then_some(Theme::Light);
        if state.host_theme {
            self.theme_around.or(paper)
        } else {
            paper.or(state.theme).or(self.theme)
        }
    }

    /// Takes notice of being printed, or of being on the screen again.
    pub(super) fn set_printing(&mut self, is_on_paper: bool) {
        self.is_on_paper = is_on_paper;
    }

    /// Takes notice of the theme of the page around.
    pub(super) fn follow(&mut self, theme: Option<Theme>) {
        self.theme_around = theme;
    }

    /// Whether the page is dark.
    pub(super) fn ground(&self, state: &State) -> Background {
        match self.theme(state) {
            Some(Theme::Dark) => Background::Dark,
            Some(Theme::Light) => Background::Light,
            None if self.is_dark => Background::Dark,
            None => Background::Light,
        }
    }

    /// The state with the language of the page and the theme as they are now, for controls to show.
    pub(super) fn fill_in(&self, state: &State, language: Language) -> State {
        State {
            language: Some(language),
            theme: self.theme(state),
            ..state.clone()
        }
    }

    /// Stores a language that the user chose.
    pub(super) fn remember_language(&mut self, language: Option<Language>) {
        if self.place.has_memory() {
            self.language = language;
            storage::remember(&self.window, LANGUAGE, language.map(Language::code));
        }
    }

    /// Stores a theme that the user chose, or that it follows the system.
    pub(super) fn remember_theme(&mut self, theme: Option<Theme>) {
        if self.place.has_memory() {
            self.theme = theme;
            storage::remember(&self.window, THEME, theme.map(Theme::name));
        }
    }

    /// Whether the map takes what the window leaves: in a frame of another page, and before an audience.
    pub(super) fn is_bounded(&self, state: &State, is_lecture: bool) -> bool {
        let is_frame = state.embed && self.place == MountContext::Frame;
        state.view == MapView::Map && (is_frame || self.is_wide_lecture(is_lecture))
    }

    fn is_wide_lecture(&self, is_lecture: bool) -> bool {
        is_lecture && side(self.window.inner_width()) >= LECTURE
    }

    /// The room that `element` has for the map. A page tells a host around it the height that it would have without a frame
    /// ([`Map::surplus`](super::map::Map::surplus)), so that a frame which is made as high becomes no higher for that. A map that fills
    /// the screen has all of it.
    pub(super) fn room(&self, element: &HtmlElement, state: &State, stage: Stage) -> Room {
        if self.is_on_paper {
            return PAPER;
        }
        let Stage {
            is_full,
            is_lecture,
        } = stage;
        let height = side(self.window.inner_height());
        let page_width = if self.place.is_element() {
            f64::from(self.root.element().client_width())
        } else {
            side(self.window.inner_width())
        };
        let is_large = self.is_wide_lecture(is_lecture);
        let most = if is_full || is_large {
            f64::INFINITY
        } else {
            MAP_MAX_WIDTH
        };
        let width = f64::from(element.client_width()).min(most);
        let plot_height = match page_width >= WIDE {
            _ if is_full => (height - AROUND_FULL).max(LEAST_PLOT),
            _ if is_large => height.max(LEAST_PLOT),
            _ if state.embed => width.clamp(LEAST_PLOT, MOST_OF_EMBED),
            true => (height - AROUND_PLOT).max(LEAST_WIDE_PLOT),
            false => (height * MOST_OF_NARROW).max(LEAST_PLOT),
        };
        let is_bounded = !is_full && self.is_bounded(state, is_lecture);
        Room {
            width,
            plot_height,
            most_height: is_bounded.then(|| {
                // Not rounded: the height that was asked for must be enough for the map as it is.
                (height - self.around(element).unwrap_or(0.0) + 0.01).max(LEAST_IN_FRAME)
            }),
            dpr: self.window.device_pixel_ratio(),
        }
    }

    /// Height of what stands above the map, of what belongs to it below, and of the foot of the page. What stands beside the map or
    /// further down is not counted.
    fn around(&self, element: &HtmlElement) -> Option<f64> {
        let sheet = self.root.find::<Element>(SHEET).ok()?;
        let section = element.closest(".map").ok().flatten()?;
        let foot = self.root.find::<Element>("footer").ok()?;
        let foot = foot.get_bounding_client_rect();
        let (map, page) = (
            element.get_bounding_client_rect(),
            sheet.get_bounding_client_rect(),
        );
        let below = section.get_bounding_client_rect().bottom() - map.bottom();
        // Before an audience there is no foot, and no place of one.
        let foot = if foot.height() > 0.0 {
            page.bottom() - foot.top()
        } else {
            0.0
        };
        Some(map.top() - page.top() + below + foot)
    }
}

/// How the map is shown: on all of the screen, or before an audience.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stage {
    pub is_full: bool,
    pub is_lecture: bool,
}

fn side(length: Result<wasm_bindgen::JsValue, wasm_bindgen::JsValue>) -> f64 {
    length.ok().and_then(|side| side.as_f64()).unwrap_or(0.0)
}
