//! An open model with all that is known of it and of the text.

wasm_chunks::chunk!("model");

use std::collections::BTreeMap;
use std::ops::Range;

use interpret::lens::Said;
use interpret::measure::Measure;
use interpret::{Answer, Change, Next, PatchFrom, Question, Reading, Token, Why};
use model::HiddenCells;
use model::attribute::{Attribution, ScoreCell};

use super::{AboutModel, Choice};
use crate::Refusal;
use crate::present::panel::{PageOfPanel, PanelRequest};
use crate::state::State;

/// Words that are written one after the other.
const WRITTEN: usize = 16;
/// Places of a table.
const MOST_PLACES: usize = 32;

/// The model.
pub struct OpenModel {
    pub about: AboutModel,
    pub choice: Choice,
    /// The head of the field that is pointed at, counted on through the layers.
    pub pointed: Option<usize>,
    /// The text of `reading`, and of all that follows.
    pub(super) text: String,
    pub reading: Option<Reading>,
    pub(super) repeats: Option<Vec<f32>>,
    /// The place whose next word is looked at; the last one where none was chosen.
    pub(super) place: Option<usize>,
    pub next: Option<Next>,
    /// What each layer would say, by place.
    pub lens: BTreeMap<usize, Vec<Said>>,
    /// It is wanted at [every place](Self::places_of_lens).
    pub wants_table: bool,
    /// A cell of a head with what its score is made of.
    pub(super) why: Option<(ScoreCell, Why)>,
    /// What the logit of the answer is made of.
    pub parts: Option<Attribution>,
    /// Heads that are switched off.
    pub off: Vec<(usize, usize)>,
    /// A head whose output comes from another text.
    pub patch: Option<PatchFrom>,
    /// What is said with something changed.
    pub(super) changed: Option<(Change, Next)>,
    /// How likely the answer is without each head, as far as it is known.
    pub(super) without: Vec<Option<f64>>,
    /// The shares of `without` are wanted.
    pub wants_needs: bool,
    /// Words that are still to be written.
    pub writing: usize,
    /// Temperature of the words that are written, in hundredths; 0 takes the likeliest.
    pub temperature: u32,
    /// A head that is to be shown on the map, and whether that is a step of its own for *Undo*.
    pub(super) wanted: Option<(usize, bool)>,
    /// Hashes of numbers that the page was given, with their texts and layers.
    pub(super) given: Vec<(u64, String, usize)>,
    /// A first head was chosen.
    pub(super) has_begun: bool,
    pub refusal: Option<Refusal>,
    /// The text that was refused: nothing more is asked about it.
    pub(super) refused_text: Option<String>,
}

impl OpenModel {
    pub(super) fn new(about: AboutModel) -> Self {
        let choice = if about.is_causal {
            Choice::Measure(Measure::Repeats)
        } else {
            Choice::Measure(Measure::Previous)
        };
        Self {
            about,
            choice,
            pointed: None,
            text: String::new(),
            reading: None,
            repeats: None,
            place: None,
            next: None,
            lens: BTreeMap::new(),
            wants_table: false,
            why: None,
            parts: None,
            off: Vec::new(),
            patch: None,
            changed: None,
            without: Vec::new(),
            wants_needs: false,
            writing: 0,
            temperature: 0,
            wanted: None,
            given: Vec::new(),
            has_begun: false,
            refusal: None,
            refused_text: None,
        }
    }

    /// Heads of all layers.
    pub fn heads(&self) -> usize {
        self.about.layers * self.about.heads
    }

    /// Layer and head of one that is counted on through the layers.
    pub fn layer_and_head(&self, head: usize) -> (usize, usize) {
        let heads = self.about.heads.max(1);
        (head / heads, head % heads)
    }

    /// The place whose next word is looked at.
    pub fn answer_place(&self) -> usize {
        let reading = self.reading.as_ref();
        let tokens = reading.map_or(&[][..], |reading| &reading.tokens);
        let last = tokens.len().saturating_sub(1);
        let place = self.place.or_else(|| self.masked_place(tokens));
        place.map_or(last, |place| place.min(last))
    }

    /// Places of the table of what each layer would say: the last ones, where there are many.
    pub fn places_of_lens(&self) -> Range<usize> {
        let reading = self.reading.as_ref();
        let n = reading.map_or(0, |reading| reading.tokens.len());
        n.saturating_sub(MOST_PLACES)..n
    }

    /// In an encoder the first token that is masked, else the last that stands for text.
    fn masked_place(&self, tokens: &[Token]) -> Option<usize> {
        if self.about.is_causal {
            return None;
        }
        let is_written = |own: &Token| own.place[0] < own.place[1];
        let masked = tokens
            .iter()
            .position(|own| own.is_control && is_written(own));
        masked.or_else(|| tokens.iter().rposition(is_written))
    }

    /// How likely the answer is.
    pub fn answer_share(&self) -> Option<f64> {
        Some(self.next.as_ref()?.likeliest.first()?.share)
    }

    pub(super) fn answer_word(&self) -> Option<usize> {
        Some(self.next.as_ref()?.likeliest.first()?.id)
    }

    /// What is said with what is changed now, where something is.
    pub fn changed(&self, state: &State) -> Option<&Next> {
        let change = self.change(state);
        let own = self.changed.as_ref().filter(|(own, _)| *own == change);
        own.map(|(_, next)| next)
    }

    /// Whether cells of the layer on the map are hidden by hand.
    pub fn hides_cells(&self, state: &State) -> bool {
        !self.change(state).hide.is_empty()
    }

    /// Heads that are off, and cells that are painted out of the layer on the map.
    pub(super) fn change(&self, state: &State) -> Change {
        let painted = state.paint.iter().flat_map(|(query, keys, _)| {
            let hidden = keys.filter(move |key| state.paint.at(query, *key) == Some(false));
            hidden.map(move |key| (query, key))
        });
        let n = self
            .reading
            .as_ref()
            .map_or(0, |reading| reading.tokens.len());
        let cells: Vec<(usize, usize)> =
            painted.filter(|(query, key)| query.max(key) < &n).collect();
        let layer = self.layer_shown(state).filter(|_| !cells.is_empty());
        let hide = layer.into_iter().flat_map(|layer| {
            let cells = &cells;
            (0..self.about.heads).map(move |head| HiddenCells {
                layer,
                head,
                cells: cells.clone(),
            })
        });
        Change {
            off: self.off.clone(),
            hide: hide.collect(),
            // A head that is off gives nothing, whatever it would give elsewhere.
            patch: self
                .patch
                .clone()
                .filter(|own| !self.off.contains(&(own.layer, own.head))),
        }
    }

    /// Looks at what comes after a place.
    pub(super) fn look_at(&mut self, place: usize) {
        if self.answer_place() != place {
            self.place = Some(place);
            self.forget_answers();
        }
    }

    /// Switches the head on the map off, or on again.
    pub(super) fn switch(&mut self, page: &PageOfPanel<'_>) {
        let Some(chosen) = self.chosen(page.state) else {
            return;
        };
        let own = self.layer_and_head(chosen);
        match self.off.iter().position(|off| *off == own) {
            Some(at) => drop(self.off.remove(at)),
            None => self.off.push(own),
        }
    }

    /// Takes the output of the head on the map from another text; from none where that is empty.
    pub(super) fn patch_from(&mut self, text: &str, state: &State) {
        let chosen = self.chosen(state).filter(|_| !text.trim().is_empty());
        self.patch = chosen.map(|chosen| {
            let (layer, head) = self.layer_and_head(chosen);
            let text = text.to_owned();
            PatchFrom { layer, head, text }
        });
        self.refusal = None;
    }

    pub(super) fn ask_needs(&mut self) {
        self.wants_needs = true;
        self.choice = Choice::Need;
    }

    /// Begins or ends to write.
    pub(super) fn write(&mut self) {
        self.writing = if self.writing == 0 { WRITTEN } else { 0 };
    }

    pub(super) fn forget_answers(&mut self) {
        (self.next, self.changed, self.parts) = (None, None, None);
        self.without.clear();
    }

    /// Takes an answer; the numbers that the page is to show, where it is a layer.
    pub(super) fn answered(
        &mut self,
        question: Question,
        answer: Answer,
        page: &PageOfPanel<'_>,
    ) -> Option<PanelRequest> {
        if !self.still_asks(&question) {
            return None;
        }
        match (question, answer) {
            (Question::Read { text }, Answer::Read(reading)) => self.take_reading(text, reading),
            (_, Answer::Repeats(repeats)) => {
                self.repeats = Some(repeats);
                self.begin();
            }
            (Question::Layer { text, layer }, Answer::Layer(own)) => {
                return self.show_layer(text, layer, *own, page.state);
            }
            (Question::Next { change, .. }, Answer::Next(next)) => self.take_next(change, next),
            (Question::Without { off, .. }, Answer::Without(share)) => {
                self.without.resize(self.heads(), None);
                self.without[off.0 * self.about.heads + off.1] = Some(share);
            }
            (Question::Lens { place, .. }, Answer::Lens(said)) => {
                self.lens.insert(place, said);
            }
            (Question::Why { cell, .. }, Answer::Why(why)) => self.why = Some((cell, why)),
            (_, Answer::Parts(parts)) => self.parts = Some(parts),
            (Question::Write { text, .. }, Answer::Written(word)) => {
                self.writing = self.writing.saturating_sub(1);
                let is_whole = !word.written.contains('\u{FFFD}');
                if text == page.state.text && is_whole && self.writing > 0 {
                    return Some(PanelRequest::go_on_with(&text, &word.written));
                }
                self.writing = 0;
            }
            _ => {}
        }
        None
    }

    /// Whether the answer to a question is of the text, and the place, that are shown now.
    fn still_asks(&self, question: &Question) -> bool {
        match question {
            Question::Next { text, place, .. }
            | Question::Without { text, place, .. }
            | Question::Parts { text, place, .. } => {
                (text.as_str(), *place) == (&*self.text, self.answer_place())
            }
            Question::Why { text, .. } | Question::Lens { text, .. } => *text == self.text,
            _ => true,
        }
    }

    fn take_reading(&mut self, text: String, reading: Reading) {
        self.refusal = None;
        self.text = text;
        self.reading = Some(reading);
        (self.place, self.why) = (None, None);
        self.lens.clear();
        self.forget_answers();
        self.begin();
    }

    /// Chooses the first head, once what it is chosen by is known.
    fn begin(&mut self) {
        let has_measures = self.repeats.is_some() || !self.about.is_causal;
        if has_measures && !self.has_begun && self.wanted.is_none() {
            self.wanted = Some((self.first_head(), true));
        }
    }

    fn take_next(&mut self, change: Change, next: Next) {
        if change == Change::default() {
            self.next = Some(next);
        } else {
            self.changed = Some((change, next));
        }
    }

    /// A text or a layer was refused: it is not asked for again.
    pub(super) fn refused(&mut self, refusal: Refusal, state: &State) {
        let is_of_patch = refusal.field == "patch";
        self.refusal = Some(refusal);
        if is_of_patch {
            self.patch = None;
            return;
        }
        (self.writing, self.wants_needs, self.wanted) = (0, false, None);
        self.refused_text = Some(state.text.clone());
    }
}
