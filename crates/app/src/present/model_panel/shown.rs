//! The layer of the model that is on the map.

wasm_chunks::chunk!("model");

use interpret::measure::Measure;
use interpret::{LayerOfText, Why};
use model::attribute::ScoreCell;

use super::{Choice, OpenModel};
use crate::Refusal;
use crate::present::panel::PanelRequest;
use crate::state::imported::{self, AxisLabels, ImportedTensors, entry_name};
use crate::state::{Cell, ImportedData, LayerOfModel, State};

/// Numbers that the page was given are remembered for *Undo*, so many of them.
const MOST_GIVEN: usize = 256;

/// Heads that complete random tokens best, of which the first one to be shown is chosen.
const COMPLETING: usize = 8;

/// The weight from which a head is said to complete what repeats.
const CLEARLY: f32 = 0.25;

impl OpenModel {
    /// Whether the map shows a layer of it.
    pub fn is_shown(&self, state: &State) -> bool {
        self.layer_shown(state).is_some()
    }

    /// The layer on the map.
    pub fn layer_shown(&self, state: &State) -> Option<usize> {
        self.given(state).map(|(_, layer)| layer)
    }

    /// The text and the layer of the numbers on the map.
    fn given(&self, state: &State) -> Option<(&str, usize)> {
        let hash = state.imported.as_ref()?.hash();
        let own = self.given.iter().rev().find(|(own, ..)| *own == hash)?;
        Some((&own.1, own.2))
    }

    /// The head on the map, counted on through the layers.
    pub fn chosen(&self, state: &State) -> Option<usize> {
        let layer = self.layer_shown(state)?;
        Some(layer * self.about.heads + state.head)
    }

    /// The cell that is chosen on the map, in the row that is chosen the one with the largest weight; `None` where the query does not see it.
    pub(super) fn cell(&self, state: &State) -> Option<ScoreCell> {
        let (head, own) = (self.chosen(state)?, state.cell?);
        let row = self.row(head, own.query)?;
        let key = own.key.or_else(|| Some(largest(row)?.0))?;
        let is_seen = row.get(key).is_some_and(|weight| *weight > 0.0);
        let (layer, head) = self.layer_and_head(head);
        is_seen.then_some(ScoreCell {
            layer,
            head,
            query: own.query,
            key,
        })
    }

    /// Weights of a row of a head, counted on through the layers.
    fn row(&self, head: usize, query: usize) -> Option<&[f32]> {
        let reading = self.reading.as_ref()?;
        let n = reading.tokens.len();
        reading.map(head)?.get(query * n..(query + 1) * n)
    }

    /// What the score of a cell is made of, where that is known.
    pub fn why_of(&self, cell: ScoreCell) -> Option<&Why> {
        let own = self.why.as_ref().filter(|(own, _)| *own == cell);
        own.map(|(_, why)| why)
    }

    /// The same of the cell that is chosen.
    pub fn why(&self, state: &State) -> Option<(ScoreCell, &Why)> {
        let cell = self.cell(state)?;
        Some((cell, self.why_of(cell)?))
    }

    /// The key that a head looks at most in a row, with its weight.
    pub fn looks_at(&self, head: usize, query: usize) -> Option<(usize, f32)> {
        largest(self.row(head, query)?)
    }

    /// The layer whose numbers are to come to the map: that of a chosen head, or of another text than that of the numbers there.
    pub(super) fn layer_wanted(&self, state: &State) -> Option<usize> {
        if let Some((head, _)) = self.wanted {
            return Some(self.layer_and_head(head).0);
        }
        let (text, layer) = self.given(state)?;
        (text != state.text).then_some(layer)
    }

    /// The state has changed.
    pub(super) fn follow(&mut self, state: &State) {
        if self
            .refused_text
            .as_ref()
            .is_some_and(|text| *text != state.text)
        {
            (self.refused_text, self.refusal) = (None, None);
        }
    }

    /// Has the model come back to the map.
    pub(super) fn show_again(&mut self) {
        self.wanted = Some((self.first_head(), true));
    }

    /// Chooses a head; the request where its layer is on the map already.
    pub(super) fn choose(&mut self, head: usize, state: &State) -> Option<PanelRequest> {
        self.pointed = None;
        let (layer, own) = self.layer_and_head(head);
        if self.layer_shown(state) == Some(layer) {
            self.wanted = None;
            return Some(PanelRequest::Head(own));
        }
        self.wanted = Some((head, true));
        None
    }

    /// The head that is shown first: in a text that repeats something, the one that completes it most decidedly of those that complete random tokens;
    /// else the one that looks at the previous token most.
    pub(super) fn first_head(&self) -> usize {
        let repeats = self.ranked(Choice::Measure(Measure::Repeats), COMPLETING);
        let completed = repeats
            .iter()
            .filter_map(|own| Some((own.head, self.completes(own.head)?)));
        let most = completed.reduce(|most, next| if next.1 > most.1 { next } else { most });
        let previous = || {
            self.ranked(Choice::Measure(Measure::Previous), 1)
                .first()
                .map(|own| own.head)
        };
        most.filter(|(_, weight)| *weight >= CLEARLY)
            .map(|(head, _)| head)
            .or_else(previous)
            .unwrap_or(0)
    }

    /// The largest weight that a head has on what followed an earlier place with the token of its row.
    fn completes(&self, head: usize) -> Option<f32> {
        let reading = self.reading.as_ref()?;
        let (tokens, map) = (&reading.tokens, reading.map(head)?);
        let n = tokens.len();
        let cells =
            (0..n).flat_map(|query| (0..query.saturating_sub(1)).map(move |key| (query, key)));
        let repeated = cells.filter(|(query, key)| tokens[*query].id == tokens[*key].id);
        repeated
            .map(|(query, key)| map[query * n + key + 1])
            .reduce(f32::max)
    }

    /// Gives the page the numbers of a layer: silently where only the text has changed.
    pub(super) fn show_layer(
        &mut self,
        text: String,
        layer: usize,
        own: LayerOfText,
        state: &State,
    ) -> Option<PanelRequest> {
        let is_causal = self.about.is_causal;
        let data = match self.data(layer, &own) {
            Ok(data) => data,
            Err(refusal) => {
                self.refused(unshown(&refusal), state);
                return None;
            }
        };
        self.given.push((data.hash(), text, layer));
        let old = self.given.len().saturating_sub(MOST_GIVEN);
        self.given.drain(..old);
        let wanted = self
            .wanted
            .take_if(|(head, _)| *head / self.about.heads.max(1) == layer);
        let head = wanted.map_or(layer * self.about.heads + state.head, |(head, _)| head);
        let n = own.tokens.len();
        let kept = state.cell.filter(|cell| self.has_begun && cell.query < n);
        let query = kept.map_or_else(|| self.telling_row(head), |cell| cell.query);
        self.has_begun = true;
        let shown = LayerOfModel {
            data,
            is_causal,
            window: own.window,
            head: head % self.about.heads.max(1),
            cell: Cell { query, key: None },
        };
        Some(match wanted {
            Some((_, true)) => PanelRequest::Layer(Box::new(shown)),
            _ => PanelRequest::Renew(Box::new(shown)),
        })
    }

    fn data(&self, layer: usize, own: &LayerOfText) -> Result<ImportedData, imported::Refusal> {
        let contents = match &own.weights {
            Some(weights) => ImportedTensors::Matrix(weights.clone()),
            None => ImportedTensors::Heads {
                q: own.inputs.q.clone(),
                k: own.inputs.k.clone(),
                v: own.inputs.v.clone(),
            },
        };
        let names = AxisLabels {
            rows: own.tokens.iter().map(|token| token.name.clone()).collect(),
            columns: Vec::new(),
        };
        let name = entry_name(&self.about.name, (layer + 1, self.about.layers));
        ImportedData::new(contents, names, &name)
    }

    /// The row in which a head looks most decidedly at another token than the first; the last one where it does not.
    fn telling_row(&self, head: usize) -> usize {
        let reading = self.reading.as_ref();
        let found = reading.and_then(|reading| {
            let (n, map) = (reading.tokens.len(), reading.map(head)?);
            let cells = map.iter().enumerate();
            let others = cells.filter(|(at, _)| at % n != 0 && at % n != at / n);
            let strongest = others.max_by(|one, other| one.1.total_cmp(other.1))?;
            (*strongest.1 > 0.1).then(|| strongest.0 / n)
        });
        let last = || reading.map_or(0, |reading| reading.tokens.len().saturating_sub(1));
        found.unwrap_or_else(last)
    }
}

/// The first of the largest weights, and its key.
fn largest(row: &[f32]) -> Option<(usize, f32)> {
    let keys = row.iter().copied().enumerate();
    keys.reduce(|most, next| if next.1 > most.1 { next } else { most })
}

fn unshown(refusal: &imported::Refusal) -> Refusal {
    Refusal {
        message: refusal.to_string(),
        ..Refusal::default()
    }
}
