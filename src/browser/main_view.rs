//! The views of a run outside the panels: the map, the thumbnails, the reading pane.

use web_sys::Element;

use super::chunk_loader::ChunkLoader;
use super::dom::{self, MissingPart, Root, Text, not_inlined};
use super::map::{Map, Pointed, Room};
use super::panels::{
    Curves, Heads, Histogram, Inspector, Learning, Legend, MaskInfo, Player, RangeInForce, Reading,
    Readout, SentenceArc, Table, TokenTint,
};
use super::sender::Sender;
use app::Message;
use app::i18n::Language;
use app::message::LearningAction;
use app::present::colour_style::ColourStyle;
use app::present::displayed_matrix::DisplayedMatrix;
use app::present::held_range::HeldRange;
use app::present::run::Run;
use app::present::steps::explain::CellRef;
use app::present::token_curves::TokenCurves;
use app::present::token_tints::{link, tints};
use app::present::{map_text, names};
use app::scene::heatmap::Pooling;
use app::scene::layout::Viewport;
use app::state::{State, StepKind};
use engine::learned::LearnedStep;

/// The views of the page that are painted from a run.
pub(super) struct MainView {
    pub map: Map,
    /// How the cells of the map were pooled.
    pooling: Option<Pooling>,
    pub readout: Readout,
    pub table: Table,
    pub legend: Legend,
    range: RangeInForce,
    masking: MaskInfo,
    pub inspector: Inspector,
    pub player: Player,
    pub learning: Learning,
    curves: Curves,
    heads: Heads,
    reading: Reading,
    histogram: Histogram,
    shades: [TokenTint; 2],
    arc: SentenceArc,
    head_name: Text,
    numbers: Text,
    notes: Text,
}

/// Data that the panels show, and the settings for showing them.
pub(super) struct ViewContext<'a> {
    /// The state of the controls; the numbers of [`Run::state`] may still be older.
    pub state: &'a State,
    pub run: &'a Run,
    pub head: usize,
    /// Matrix on the large map.
    pub displayed: &'a DisplayedMatrix<'a>,
    pub colours: &'a ColourStyle,
    pub room: Room,
    /// Visible part of a zoomed map.
    pub viewport: Option<&'a Viewport>,
    /// Two corners of a frame that is being drawn on the map.
    pub frame: Option<[(usize, usize); 2]>,
    pub language: Language,
    pub pointed: Pointed,
    /// The query that the reading pane reads.
    pub row: usize,
    pub is_locked: bool,
    /// Cells of any steps that something on the page is made of.
    pub lit: &'a [CellRef],
    pub curves: &'a TokenCurves,
    /// Whether the walk goes on by itself.
    pub is_playing: bool,
    /// The steps that are known of the model on the map, and whether they are played.
    pub history: &'a [LearnedStep],
    pub is_watched: bool,
    /// Whether the chosen head is switched off.
    pub is_head_off: bool,
    /// Whether the user prefers reduced motion.
    pub is_motion_reduced: bool,
    /// Whether the hovered row is emphasized.
    pub stands_out: bool,
    pub chunks: &'a ChunkLoader,
}

impl ViewContext<'_> {
    /// The cell that is locked.
    pub(super) fn chosen(&self) -> Option<(usize, usize)> {
        let chosen = self.pointed.query.zip(self.pointed.key);
        chosen.filter(|_| self.is_locked)
    }

    /// The key that the row under the crosshair looks at most, on a map of weights.
    pub(super) fn link(&self) -> Option<usize> {
        let query = self
            .pointed
            .query
            .filter(|_| self.displayed.step == StepKind::Weights);
        query.and_then(|query| Some(link(self.run, self.head, query)?.0))
    }
}

impl MainView {
    pub(super) fn new(root: &Root, sender: &Sender) -> Result<Self, MissingPart> {
        Ok(Self {
            map: not_inlined(|| Map::new(root))?,
            pooling: None,
            readout: not_inlined(|| Readout::new(root))?,
            table: not_inlined(|| Table::new(root))?,
            legend: not_inlined(|| Legend::new(root, "#colour-bar"))?,
            range: RangeInForce::new(root)?,
            masking: not_inlined(|| MaskInfo::new(root))?,
            inspector: not_inlined(|| Inspector::new(root, sender.on(Message::Inspect)))?,
            player: not_inlined(|| Player::new(root, sender))?,
            learning: not_inlined(|| Learning::new(root, sender))?,
            curves: not_inlined(|| Curves::new(root, sender))?,
            heads: not_inlined(|| Heads::new(root, sender.on(Message::ChooseHead)))?,
            reading: not_inlined(|| {
                let switch = |_: usize| Message::Learning(LearningAction::SwitchHead);
                Reading::new(root, sender.on(Message::ChooseRow), sender.on(switch))
            })?,
            histogram: not_inlined(|| Histogram::new(root))?,
            shades: [
                not_inlined(|| TokenTint::new(root, "#text-shade"))?,
                not_inlined(|| TokenTint::new(root, "#second-shade"))?,
            ],
            arc: SentenceArc::new(root)?,
            head_name: Text::find(root, "#head-name")?,
            numbers: Text::find(root, "#numbers")?,
            notes: Text::find(root, "#map-notes")?,
        })
    }

    /// Copies both texts under their words; done with every key press, before anything is computed.
    pub(super) fn copy_texts(&mut self, texts: [(&str, &[String]); 2]) {
        for (shade, (text, tokens)) in self.shades.iter_mut().zip(texts) {
            shade.copy(text, tokens);
        }
    }

    /// The word at a place in the window, in the first text or in the second.
    pub(super) fn word_at(&self, text: usize, x: f64, y: f64) -> Option<usize> {
        self.shades.get(text)?.word_at(x, y)
    }

    /// The words of the sentences stand elsewhere.
    pub(super) fn resized(&mut self) {
        self.shades.iter_mut().for_each(TokenTint::forget_places);
    }

    /// Called with the first map: shows the parts that have waited for it, and keeps a change of
    /// language from restoring the placeholder text. Returns whether the opening picture was there
    /// before.
    pub(super) fn show_first(&self, root: &Root) -> bool {
        let mut was_drawn = false;
        if let Ok(name) = root.find::<Element>("#head-name") {
            dom::set_flag(&name, "data-t", false);
        }
        if let Ok(plate) = root.find::<Element>(".plate") {
            was_drawn = plate.has_attribute("data-drawn");
            dom::set_flag(&plate, "data-drawn", true);
        }
        was_drawn
    }

    /// Colours and fonts have changed.
    pub(super) fn restyle(&mut self) {
        self.map.restyle();
        self.legend.restyle();
        self.masking.restyle();
        self.inspector.restyle();
    }

    /// Draws on canvases: the map, where there is another picture, and what is pointed out on it. Before anything is
    /// written to the page: to set a font on a canvas, the browser works out the style of all that was written before.
    /// `picture` is there where there is another picture, and holds its range.
    pub(super) fn draw(&mut self, context: &ViewContext<'_>, picture: Option<&mut HeldRange>) {
        let ViewContext {
            run,
            head,
            displayed,
            colours,
            room,
            language,
            pointed,
            ..
        } = *context;
        if let Some(held_range) = picture {
            let own = colours.style(displayed.step, &displayed.matrix, &displayed.hidden);
            let style = own.scaled(held_range.hold(displayed.step, own.scale));
            self.pooling = self.map.paint(context, &style);
            self.legend.suit(style.kind, displayed.hidden.hides_some());
            self.legend.update(
                (style.lut, &style.scale),
                &colours.palette,
                room.dpr,
                language,
            );
        }
        self.map.point(context);
        self.map
            .stand_out(pointed.query.filter(|_| context.stands_out));
        self.map
            .describe(run, displayed, head, &map_text::label(displayed, language));
    }

    /// Updates everything beside the map that does not depend on the highlight.
    pub(super) fn show_picture(&mut self, context: &ViewContext<'_>) {
        let ViewContext {
            run,
            head,
            displayed,
            colours,
            language,
            ..
        } = *context;
        self.masking
            .update(run, head, displayed.step, colours, language);
        self.heads
            .update(run, (head, context.row), colours, language);
        if run.learned().is_some() {
            self.learning
                .update(context.history, run.state.trained, language);
            self.learning.show_playing(context.is_watched, language);
        }
        self.range.update(context);
        let title = names::map(run, displayed.step, head, language);
        self.head_name.set_text(&names::unparted(&title));
        self.numbers
            .set_text(&map_text::numbers(run, displayed.size(), language));
        self.notes
            .set_text(&map_text::notes(run, context.state, self.pooling, language));
        if let Some(counts) = run.histogram(head) {
            self.histogram.update(&counts);
        }
        self.table.outdate();
        self.table.update(displayed, language);
    }

    /// Updates everything beside the map that depends on the highlight.
    pub(super) fn show_pointed(&mut self, context: &ViewContext<'_>) {
        let ViewContext {
            run,
            head,
            displayed,
            language,
            pointed,
            row,
            is_locked,
            is_watched,
            ..
        } = *context;
        let how = (context.state.scale, language);
        self.readout.update(displayed, pointed, is_locked, how);
        self.reading.update(context);
        self.inspector.update(context);
        self.player.update(context);
        self.curves.update(context);
        for (shade, tints) in self.shades.iter_mut().zip(tints(run, head, row)) {
            shade.tint(tints);
        }
        self.arc
            .show(&mut self.shades[0], row, link(run, head, row), is_watched);
    }
}
