//! The panel on FlashAttention: the softmax of the chosen row tile by tile.

wasm_chunks::chunk!("more");

use std::num::NonZeroUsize;

use super::panel::{PageOfPanel, PanelEvent, PanelRequest, PanelState};
use super::streaming::{Row, TileWalk};
use crate::i18n::{Key, Language, text};
use crate::present::address_history::Change;

/// Time of a tile while playing.
const PACE_MS: i32 = 1600;
/// Keys up to which the tiles of a row can be followed.
pub const MOST: usize = 128;
/// Keys in a tile at first.
const WIDTH: &str = "4";

/// The panel. It walks by itself, apart from any picture of the page.
pub struct StreamingPanel {
    /// What stands in the field of the width.
    typed: String,
    /// How many keys the row on the page has.
    keys: usize,
    row: Option<Row>,
    walk: Option<TileWalk>,
    /// Tiles that are done.
    done: usize,
    is_playing: bool,
    requests: Vec<PanelRequest>,
}

impl PanelState for StreamingPanel {
    fn new(_: &PageOfPanel<'_>) -> Self {
        Self {
            typed: WIDTH.to_owned(),
            keys: 0,
            row: None,
            walk: None,
            done: 0,
            is_playing: false,
            requests: Vec::new(),
        }
    }

    fn update(&mut self, event: PanelEvent, page: &PageOfPanel<'_>) -> Vec<PanelRequest> {
        self.is_playing &= !page.is_motion_reduced;
        match event {
            PanelEvent::Follow | PanelEvent::Pointed => self.follow(page),
            PanelEvent::Close => self.is_playing = false,
            PanelEvent::Press(name) => self.press(&name),
            PanelEvent::Enter(_, typed, change) => {
                self.typed = typed;
                if change == Change::Commit {
                    self.typed = self.width().to_string();
                }
                self.begin();
            }
            PanelEvent::Tick => self.go_to(self.done + 1),
            _ => return Vec::new(),
        }
        self.requests.push(PanelRequest::Show);
        std::mem::take(&mut self.requests)
    }

    fn interval(&self) -> Option<i32> {
        self.is_playing.then_some(PACE_MS)
    }
}

impl StreamingPanel {
    /// The row with its tiles, and how many of them are done; `None` where it cannot be followed.
    pub fn walk(&self) -> Option<(&Row, &TileWalk, usize)> {
        Some((self.row.as_ref()?, self.walk.as_ref()?, self.done))
    }

    /// The row, or why it cannot be followed.
    pub fn about(&self, language: Language) -> String {
        match &self.row {
            Some(row) => text::streaming_of(language, &format_args!("“{}”", row.query)),
            None if self.keys > MOST => text::streaming_too_many(language, &MOST, &self.keys),
            None => Key::NoteNoTokens.text(language).to_owned(),
        }
    }

    /// What stands in the field of the width.
    pub fn typed(&self) -> &str {
        &self.typed
    }

    /// Whether tiles are played.
    pub fn is_playing(&self) -> bool {
        self.is_playing
    }

    /// Takes the row that the page reads; begins anew where it is another one.
    fn follow(&mut self, page: &PageOfPanel<'_>) {
        let Some(run) = page.run else { return };
        let keys = run.keys.len();
        let row = match keys {
            1..=MOST => match Row::from_run(run, page.head, page.row) {
                Some(row) => Some(row),
                // Its scores are on their way.
                None if !run.queries.is_empty() => return,
                None => None,
            },
            _ => None,
        };
        self.keys = keys;
        if self.row != row {
            self.row = row;
            self.begin();
        }
    }

    /// Lays out the tiles and moves behind the last one, where the weights equal those of the map.
    fn begin(&mut self) {
        self.is_playing = false;
        let width = self.width();
        self.walk = self.row.as_ref().map(|row| row.walk(width));
        self.done = self.tiles();
    }

    /// Keys in a tile, as typed, or the nearest possible.
    fn width(&self) -> NonZeroUsize {
        let typed = self.typed.parse().unwrap_or(0);
        NonZeroUsize::new(typed.min(MOST)).unwrap_or(NonZeroUsize::MIN)
    }

    fn tiles(&self) -> usize {
        self.walk.as_ref().map_or(0, |walk| walk.tiles().len())
    }

    fn press(&mut self, name: &str) {
        match name {
            "play" => {
                if self.done == self.tiles() && !self.is_playing {
                    self.done = 0;
                }
                self.is_playing = !self.is_playing && self.done < self.tiles();
            }
            "previous" => {
                self.is_playing = false;
                self.done = self.done.saturating_sub(1);
            }
            _ => {
                self.is_playing = false;
                self.go_to(self.done + 1);
            }
        }
    }

    fn go_to(&mut self, done: usize) {
        self.done = done.min(self.tiles());
        self.is_playing &= self.done < self.tiles();
    }
}
