//! What is asked next: first what the map needs, last what takes longest.

wasm_chunks::chunk!("model");

use interpret::{Change, Question};

use super::OpenModel;
use crate::present::panel::PageOfPanel;
use crate::state::State;

impl OpenModel {
    /// The next question; `None` where everything that is shown is known.
    pub(super) fn question(&self, page: &PageOfPanel<'_>) -> Option<Question> {
        let state = page.state;
        if !self.is_active(state) || self.refused_text.as_ref() == Some(&state.text) {
            return None;
        }
        self.question_of_map(state)
            .or_else(|| self.question_of_answer(state))
    }

    /// Whether the model is on the map, or to come there.
    fn is_active(&self, state: &State) -> bool {
        !self.has_begun || self.wanted.is_some() || self.is_shown(state)
    }

    fn question_of_map(&self, state: &State) -> Option<Question> {
        let text = state.text.clone();
        if self.reading.is_none() || self.text != text {
            return Some(Question::Read { text });
        }
        if let Some(layer) = self.layer_wanted(state) {
            return Some(Question::Layer { text, layer });
        }
        if self.about.is_causal && self.repeats.is_none() {
            return Some(Question::Repeats);
        }
        let cell = self.cell(state).filter(|_| self.writing == 0)?;
        let is_known = self.why_of(cell).is_some();
        (!is_known).then_some(Question::Why { text, cell })
    }

    fn question_of_answer(&self, state: &State) -> Option<Question> {
        if !self.about.has_logits {
            return None;
        }
        let (text, place) = (state.text.clone(), self.answer_place());
        let next = |asked, change| Question::Next {
            text: text.clone(),
            place,
            asked,
            change,
        };
        let Some(asked) = self.answer_word() else {
            return Some(next(None, Change::default()));
        };
        let change = self.change(state);
        if change != Change::default() && self.changed(state).is_none() {
            return Some(next(Some(asked), change));
        }
        if self.writing > 0 {
            return Some(Question::Write {
                text,
                temperature: self.temperature,
                // Each word has a draw of its own.
                seed: self.writing as u32,
            });
        }
        if !self.lens.contains_key(&place) {
            return Some(Question::Lens { text, place });
        }
        // No sum goes through the activation of an encoder's head.
        if self.about.is_causal && self.parts.is_none() {
            return Some(Question::Parts { text, place, asked });
        }
        if let Some(place) = self.place_to_read() {
            return Some(Question::Lens { text, place });
        }
        let off = self.layer_and_head(self.head_to_try()?);
        Some(Question::Without {
            text,
            place,
            asked,
            off,
        })
    }

    /// The next place of the table of what each layer would say.
    fn place_to_read(&self) -> Option<usize> {
        let is_unknown = |place: &usize| !self.lens.contains_key(place);
        let mut places = self.places_of_lens();
        places.find(is_unknown).filter(|_| self.wants_table)
    }

    /// The next head that the answer is to be tried without: from the last layer on, where a pass is shortest.
    fn head_to_try(&self) -> Option<usize> {
        let is_unknown = |head: &usize| self.without.get(*head).copied().flatten().is_none();
        let mut heads = (0..self.heads()).rev();
        heads.find(is_unknown).filter(|_| self.wants_needs)
    }
}
