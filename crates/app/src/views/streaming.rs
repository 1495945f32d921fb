//! The panel on FlashAttention: buttons that go from tile to tile, and the table of tiles.

wasm_chunks::chunk!("more");

use super::tiles::tiles;
use super::{Markup, html};
use crate::i18n::{Key, text};
use crate::present::panel::PanelContext;
use crate::present::streaming::sentence;
use crate::present::streaming_panel::{MOST, StreamingPanel};

/// The body of the panel.
pub fn panel(panel: &StreamingPanel, context: PanelContext<'_>) -> Markup {
    let language = context.language;
    let text = |key: Key| key.text(language);
    let walk = panel.walk();
    let (done, last) = walk.map_or((0, 0), |(_, walk, done)| (done, walk.tiles().len()));
    let play = if panel.is_playing() {
        Key::PlayerPause
    } else {
        Key::PlayerPlay
    };
    let step = |name: &str, key: Key, sign: &str, is_end: bool| {
        html! {
            button type="button" class="plain" id={ "streaming-" (name) } data-do=(name) aria-label=(text(key)) aria-disabled=[is_end.then_some("true")] { (sign) }
        }
    };
    let says = walk.map(|(row, walk, done)| sentence(row, walk, done, language));
    html! {
        p class="when-finished" { (text(Key::FinishedNothing)) }
        p class="about" { (text(Key::StreamingAbout)) }
        p class="streaming-of" id="streaming-of" { (panel.about(language)) }
        div class="stepper" id="streaming-tools" role="group" aria-label=(text(Key::PanelStreaming)) hidden[walk.is_none()] {
            (step("previous", Key::StreamingPrevious, "‹", done == 0))
            button type="button" class="plain" id="streaming-play" data-do="play" hidden[context.is_motion_reduced] { (text(play)) }
            (step("next", Key::StreamingNext, "›", done >= last))
            span class="at" id="streaming-at" { (text::player_at(language, &done, &last)) }
            span class="tile-width" {
                label for="tile-width" { (text(Key::StreamingTileWidth)) }
                input class="number" id="tile-width" type="number" min="1" max=(MOST) step="1" autocomplete="off" data-field="width" data-value=(panel.typed());
            }
            p class="says" id="streaming-says" aria-live="polite" { (says.unwrap_or_default()) }
        }
        div class="wide" {
            table class="tiles" id="streaming-tiles" hidden[walk.is_none()] {
                @if let Some((row, walk, done)) = walk { (tiles(row, walk, done, language)) }
            }
        }
    }
}
