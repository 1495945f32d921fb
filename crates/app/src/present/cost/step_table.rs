//! The cost of the setting at its own length: a table of its steps, and the sums.

use super::workload::Item;
use super::{CostSetting, operation};
use crate::i18n::{Key, Language, number, text};
use crate::state::Hiding;
use attention::complexity::{Count, Memory, cells, kv_cache_bytes, sum};
use attention::plan::Stage;

/// Table and sums.
#[derive(Clone, Debug, PartialEq)]
pub struct StepTable {
    pub summary: String,
    pub steps: Vec<StepCost>,
    /// Of all steps: multiply-adds, other arithmetic, FLOPs with every cell and with the visible ones alone.
    pub all: [Amount; 4],
    pub moved: Amount,
    /// FLOPs with every cell, and with the visible ones alone.
    pub work: [(Key, Amount); 2],
    pub visible: String,
    pub note: &'static str,
    pub memory: [(Key, Amount); 7],
    pub language: Language,
}

/// Cost of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct StepCost {
    pub name: &'static str,
    pub counts: [Amount; 4],
    /// Bytes of its result.
    pub made: Amount,
    pub moved: Amount,
    /// Its part of all FLOPs, in percent.
    pub percent: f64,
    pub share: String,
}

/// A count, rounded, and exactly.
#[derive(Clone, Debug, PartialEq)]
pub struct Amount {
    pub text: String,
    pub exact: u64,
}

impl Amount {
    fn new(exact: u64, unit: &str) -> Self {
        Self {
            text: number::si(exact as f64, unit).trim_end().to_owned(),
            exact,
        }
    }
}

impl StepTable {
    /// The costs of a setting whose hidden cells are treated like this.
    pub fn new(setting: &CostSetting, hiding: Hiding, language: Language) -> Self {
        let (plan, items) = (setting.plan(), setting.items());
        let all = sum(items.iter().map(|item| item.dense));
        let sparse = sum(items.iter().map(|item| item.sparse)).flops;
        let memory = Memory::from_plan(&plan);
        let bytes = |key, bytes| (key, Amount::new(bytes, "B"));
        let cells = cells(&plan);
        let attend = |item: &&Item| item.step.operation.stage() == Stage::Attend;
        let attended: f64 = items.iter().filter(attend).map(|item| item.share).sum();
        Self {
            summary: text::cost_summary(
                language,
                &number::si(all.flops as f64, "FLOP"),
                &percent(100.0 * attended),
                &cells,
                &number::si(memory.scores as f64, "B"),
            ),
            steps: items.iter().map(|item| step(item, language)).collect(),
            all: counts(&all, sparse),
            moved: Amount::new(all.bytes, "B"),
            work: [(Key::CostDense, all.flops), (Key::CostSparse, sparse)]
                .map(|(key, flops)| (key, Amount::new(flops, "FLOP"))),
            visible: text::cost_visible_value(language, &setting.visible, &cells),
            note: note(setting, hiding).text(language),
            memory: [
                bytes(Key::CostWeights, memory.weights),
                bytes(Key::CostInputs, memory.inputs + memory.activations),
                bytes(Key::CostMatrix, memory.scores),
                bytes(Key::CostTile, memory.tile),
                bytes(Key::CostPeak, memory.peak()),
                bytes(Key::CostNaive, memory.naive()),
                bytes(Key::CostCache, kv_cache_bytes(&setting.config.sizes)),
            ],
            language,
        }
    }
}

fn step(item: &Item, language: Language) -> StepCost {
    let share = 100.0 * item.share;
    StepCost {
        name: operation(item.step.operation).text(language),
        counts: counts(&item.dense, item.sparse.flops),
        made: Amount::new(item.made, "B"),
        moved: Amount::new(item.dense.bytes, "B"),
        percent: share,
        share: percent(share),
    }
}

/// Explains the cost of hidden cells.
fn note(setting: &CostSetting, hiding: Hiding) -> Key {
    match hiding {
        _ if setting.leaves_out_later => Key::CostCausalNote,
        _ if !setting.config.masked => Key::CostDenseNote,
        Hiding::LeftOut | Hiding::Added => Key::CostDenseNote,
        Hiding::Written => Key::CostWrittenNote,
        Hiding::AfterSoftmax => Key::CostAfterNote,
    }
}

/// Multiply-adds, other arithmetic and FLOPs with every cell, and FLOPs with the visible ones alone.
fn counts(dense: &Count, sparse: u64) -> [Amount; 4] {
    let counts = [dense.multiply_adds, dense.other(), dense.flops, sparse];
    counts.map(|count| Amount::new(count, ""))
}

/// Percentage with two digits; 0 only for exactly 0.
fn percent(share: f64) -> String {
    match share {
        0.0 => "0\u{202f}%".to_owned(),
        share if share < 0.1 => "<0.1\u{202f}%".to_owned(),
        share if share < 10.0 => format!("{share:.1}\u{202f}%"),
        share => format!("{share:.0}\u{202f}%"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::url;

    #[test]
    fn who_leaves_out_what_a_mask_hides_is_said_as_it_is() {
        for (link, said) in [
            ("mask=none", "skips blocks in which every cell is hidden"),
            ("mask=local", "skips blocks in which every cell is hidden"),
            ("mask=causal,local", "skips whole blocks above the diagonal"),
            ("mask=causal&hiding=after", "The softmax runs over all keys"),
        ] {
            let state = url::parse(link).0;
            let setting = CostSetting::from_state(&state, 11, 11);
            let table = StepTable::new(&setting, state.hiding, Language::En);
            assert!(table.note.contains(said), "{link}: {}", table.note);
        }
    }
}
