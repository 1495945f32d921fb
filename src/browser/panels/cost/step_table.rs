//! The cost of the setting at its own length: a table of its steps, and the sums.

use web_sys::Element;

use super::Shown;
use super::amount::Amount;
use crate::browser::dom::{self, MissingPart, Property, Root, Text};
use crate::browser::panels::keyed_list::{Row, Rows};
use crate::i18n::number;
use crate::i18n::{Key, text};
use crate::present::cost::{Item, operation};
use crate::state::Hiding;
use attention::complexity::{Count, Memory, cells, kv_cache_bytes, sum};
use attention::plan::Stage;

/// The sums beside the table, by the ends of their identifiers.
const MEMORY: [&str; 7] = [
    "weights", "inputs", "matrix", "tile", "peak", "naive", "cache",
];

/// Table and sums.
pub(super) struct Now {
    summary: Text,
    rows: Rows<StepRow>,
    all: [Amount; 4],
    moved: Amount,
    work: [Amount; 2],
    visible: Text,
    note: Text,
    memory: Vec<Amount>,
}

struct StepRow {
    element: Element,
    name: Text,
    amounts: [Amount; 6],
    bar: Property,
    share: Text,
}

impl Row for StepRow {
    fn make(parent: &Element, _: usize) -> Option<Self> {
        let element: Element = dom::append(parent, "tr", "")?;
        let name: Element = dom::append(&element, "th", "")?;
        dom::set(&name, "scope", "row");
        let amount = || dom::append(&element, "td", "").map(Amount::new);
        let amounts = [
            amount()?,
            amount()?,
            amount()?,
            amount()?,
            amount()?,
            amount()?,
        ];
        let share: Element = dom::append(&element, "td", "portion")?;
        let bar: Element = dom::append(&share, "i", "")?;
        let share: Element = dom::append(&share, "span", "")?;
        Some(Self {
            name: Text::new(name),
            amounts,
            bar: Property::new(bar, "--share"),
            share: Text::new(share),
            element,
        })
    }

    fn element(&self) -> &Element {
        &self.element
    }
}

impl StepRow {
    fn update(&mut self, item: &Item, name: &str) {
        self.name.set_text(name);
        let [counts @ .., made, moved] = &mut self.amounts;
        say_counts(counts, &item.dense, item.sparse.flops);
        made.say(item.made, "B");
        moved.say(item.dense.bytes, "B");
        let share = 100.0 * item.share;
        self.bar.set(&format!("{share:.2}%"));
        self.share.set_text(&percent(share));
    }
}

impl Now {
    pub(super) fn new(root: &Root) -> Result<Self, MissingPart> {
        let amount = |name: &str| Amount::find(root, &format!("#cost-{name}"));
        Ok(Self {
            summary: Text::find(root, "#cost-summary")?,
            rows: Rows::new(root.find("#cost-steps")?),
            all: [
                amount("all-multiply-adds")?,
                amount("all-other")?,
                amount("all-flops")?,
                amount("all-sparse")?,
            ],
            moved: amount("all-bytes")?,
            work: [amount("dense")?, amount("sparse")?],
            visible: Text::find(root, "#cost-visible")?,
            note: Text::find(root, "#cost-dense-note")?,
            memory: MEMORY.into_iter().map(amount).collect::<Result<_, _>>()?,
        })
    }

    pub(super) fn update(&mut self, shown: &Shown) {
        let (setting, language) = (&shown.setting, shown.language);
        let (plan, items) = (setting.plan(), setting.items());
        for (row, item) in self.rows.take(items.len()).iter_mut().zip(&items) {
            row.update(item, operation(item.step.operation).text(language));
        }
        let all = sum(items.iter().map(|item| item.dense));
        let sparse = sum(items.iter().map(|item| item.sparse)).flops;
        say_counts(&mut self.all, &all, sparse);
        self.moved.say(all.bytes, "B");
        for (amount, flops) in self.work.iter_mut().zip([all.flops, sparse]) {
            amount.say(flops, "FLOP");
        }
        let note = match shown.state.hiding {
            _ if setting.leaves_out_later => Key::CostCausalNote,
            _ if !setting.config.masked => Key::CostDenseNote,
            Hiding::LeftOut => Key::CostDenseNote,
            Hiding::Written => Key::CostWrittenNote,
            Hiding::AfterSoftmax => Key::CostAfterNote,
        };
        self.note.set_text(note.text(language));
        let memory = Memory::from_plan(&plan);
        let bytes = [
            memory.weights,
            memory.inputs + memory.activations,
            memory.scores,
            memory.tile,
            memory.peak(),
            memory.naive(),
            kv_cache_bytes(&setting.config.sizes),
        ];
        for (amount, bytes) in self.memory.iter_mut().zip(bytes) {
            amount.say(bytes, "B");
        }
        let cells = cells(&plan);
        self.visible.set_text(&text::cost_visible_value(
            language,
            &setting.visible,
            &cells,
        ));
        let scores = items
            .iter()
            .filter(|item| item.step.operation.stage() == Stage::Attend);
        self.summary.set_text(&text::cost_summary(
            language,
            &number::si(all.flops as f64, "FLOP"),
            &percent(100.0 * scores.map(|item| item.share).sum::<f64>()),
            &cells,
            &number::si(memory.scores as f64, "B"),
        ));
    }
}

/// Multiply-adds, other arithmetic and FLOPs with every cell, and FLOPs with the visible ones alone.
fn say_counts(amounts: &mut [Amount; 4], dense: &Count, sparse: u64) {
    let counts = [dense.multiply_adds, dense.other(), dense.flops, sparse];
    for (amount, count) in amounts.iter_mut().zip(counts) {
        amount.say(count, "");
    }
}

/// Two digits, and no zero for what is not nothing.
fn percent(share: f64) -> String {
    match share {
        0.0 => "0\u{202f}%".to_owned(),
        share if share < 0.1 => "<0.1\u{202f}%".to_owned(),
        share if share < 10.0 => format!("{share:.1}\u{202f}%"),
        share => format!("{share:.0}\u{202f}%"),
    }
}
