//! A mask that somebody pastes, as a rule, a call of a library, or a matrix: what it can mean, each with what the page would be set to.

wasm_chunks::chunk!("code");

pub mod file;

use super::conventions::empty_rows_key;
use super::rule_fault;
use crate::i18n::{Key, Language, number, text};
use crate::state::painting::MOST_STRETCHES;
use crate::state::request_builder::{self, RuleFault};
use crate::state::{Field, Hiding, Painting, State, Value};
use formats::Limits;
use masks::call::{self, Booleans, Call, Meaning, Numbers, Remark, Usage};
use masks::imported::{
    Content, Element, Hidden, ImportError, ImportedTensor, Kind, Reading, readings,
};
use masks::rule::{Align, Rule, Variable, parse};
use masks::{Axes, Inverted};
use ndarray::{Array4, ArrayView1, s};

/// Shares of a row that a sentence names.
const NAMED: usize = 4;

/// One meaning of what was pasted.
#[derive(Clone, Debug, PartialEq)]
pub struct MaskReading {
    /// What it means.
    pub said: String,
    /// What a reader should know besides.
    pub remarks: Vec<String>,
    /// The fields that make the page show it, and their values; empty where the page cannot.
    pub shown_by: Vec<(Field, Value)>,
}

/// A mask that was pasted or opened.
#[derive(Clone, Debug, PartialEq)]
pub struct PastedMask {
    /// Its text; empty where it has none.
    pub text: String,
    /// What it can mean, or why nothing.
    pub readings: Result<Vec<MaskReading>, String>,
}

impl Default for PastedMask {
    fn default() -> Self {
        Self {
            text: String::new(),
            readings: Ok(Vec::new()),
        }
    }
}

impl PastedMask {
    /// Of a text.
    pub fn read(text: String, state: &State, language: Language) -> Self {
        let readings = read(&text, state, language);
        Self { text, readings }
    }
}

/// All that a text can mean on the page's map; none for an empty text.
///
/// # Errors
/// Why it can mean nothing, in a sentence.
fn read(text: &str, state: &State, language: Language) -> Result<Vec<MaskReading>, String> {
    let reader = Reader::new(state, language);
    let text = text.trim();
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let fault = match parse(text) {
        Ok(rule) => return reader.rule(&rule),
        Err(fault) => fault,
    };
    if let Ok(call) = call::read(text) {
        return reader.call(&call);
    }
    if !text.contains(['[', '\n', ',']) {
        return Err(rule_fault::sentence(language, &RuleFault::Text(fault)));
    }
    reader.matrix(text)
}

struct Reader<'a> {
    state: &'a State,
    language: Language,
    axes: Axes,
}

impl<'a> Reader<'a> {
    fn new(state: &'a State, language: Language) -> Self {
        let (n, m) = request_builder::lengths(state);
        let axes = Axes {
            heads: state.heads,
            ..Axes::of_map(n, m)
        };
        Self {
            state,
            language,
            axes,
        }
    }

    fn rule(&self, rule: &Rule) -> Result<Vec<MaskReading>, String> {
        let fault = |fault| rule_fault::sentence(self.language, &fault);
        if rule.names(Variable::Head) || rule.names(Variable::Batch) {
            return Err(fault(RuleFault::Heads));
        }
        let cells = rule
            .cells(&self.axes)
            .map_err(|error| fault(RuleFault::Map(error)))?;
        Ok(vec![MaskReading {
            said: self.counted(Key::PastedRule, &cells),
            remarks: self.inverted(masks::looks_inverted(&cells)),
            shown_by: self.as_mask((Field::Rule, Value::Text(rule.to_string()))),
        }])
    }

    /// What a mask shows, after how it was read.
    fn counted(&self, read: Key, cells: &Array4<bool>) -> String {
        let seen = cells.iter().filter(|seen| **seen).count();
        let read = read.text(self.language);
        text::pasted_shows(self.language, &read, &seen, &cells.len())
    }

    fn call(&self, call: &Call) -> Result<Vec<MaskReading>, String> {
        let mut all = Array4::from_elem((1, 1, self.axes.n, self.axes.m), true);
        let (mut rules, mut others, mut are_rules) = (Vec::new(), Vec::new(), true);
        for meaning in &call.meanings {
            match meaning {
                Meaning::Rule(rule) => {
                    rules.push(rule.clone());
                    let cells = rule.cells(&self.axes).map_err(|error| {
                        rule_fault::sentence(self.language, &RuleFault::Map(error))
                    })?;
                    join(&mut all, &cells).ok_or_else(|| self.misfit(cells.shape()))?;
                }
                Meaning::Cells(cells) => {
                    are_rules = false;
                    join(&mut all, cells).ok_or_else(|| self.misfit(cells.shape()))?;
                }
                Meaning::Added(bias) => others.push(self.added(bias)?),
                Meaning::Tensor { name, usage } => others.push(self.used(name, usage)),
            }
        }
        let set = if !are_rules {
            self.painting(&all)
        } else if rules.is_empty() {
            Vec::new()
        } else {
            let words: Vec<String> = rules.iter().map(Rule::to_string).collect();
            self.as_mask((Field::Rule, Value::Text(words.join(" and "))))
        };
        let remarks = call.remarks.iter().map(|remark| self.remark(remark));
        let shown = MaskReading {
            said: self.counted(Key::PastedCall, &all),
            remarks: remarks.collect(),
            shown_by: set,
        };
        Ok(std::iter::once(shown).chain(others).collect())
    }

    /// A bias, with the shares that equal scores have in its first row.
    fn added(&self, bias: &Array4<f32>) -> Result<MaskReading, String> {
        let (batch, heads, n, m) = bias.dim();
        if m != self.axes.m || (n != 1 && n != self.axes.n) || batch * heads * n * m == 0 {
            return Err(self.misfit(bias.shape()));
        }
        let shares = shares(bias.slice(s![0, 0, 0, ..]));
        let named: Vec<String> = shares
            .iter()
            .take(NAMED)
            .map(|share| number::short(*share))
            .collect();
        let comma = Key::ListComma.text(self.language);
        Ok(MaskReading {
            said: text::pasted_added(self.language, &named.join(comma)),
            remarks: Vec::new(),
            shown_by: self.added_by(bias),
        })
    }

    /// What the numbers of a variable would mean.
    fn used(&self, name: &str, usage: &Usage) -> MaskReading {
        let word = |key: Key| key.text(self.language);
        let booleans = match usage.booleans {
            Booleans::Show => word(Key::MeansShows),
            Booleans::Hide => word(Key::MeansHides),
        };
        let numbers = |numbers| match numbers {
            Numbers::Added => word(Key::MeansAdded),
            Numbers::NonZeroShow => word(Key::MeansShows),
            Numbers::Refused => word(Key::MeansRefused),
        };
        let (floats, integers) = (numbers(usage.floats), numbers(usage.integers));
        MaskReading {
            said: text::pasted_variable(self.language, &name, &booleans, &floats, &integers),
            remarks: Vec::new(),
            shown_by: Vec::new(),
        }
    }

    fn matrix(&self, text: &str) -> Result<Vec<MaskReading>, String> {
        let written = call::tensor(text).ok().or_else(|| printed(text));
        self.tensor(&written.ok_or_else(|| self.unread())?)
    }

    fn unread(&self) -> String {
        Key::PastedUnread.text(self.language).to_owned()
    }

    fn tensor(&self, imported: &ImportedTensor) -> Result<Vec<MaskReading>, String> {
        let all = readings(imported, &self.axes).map_err(|error| match error {
            ImportError::NotReadable { .. } => self.unread(),
            _ => self.misfit(&imported.shape),
        })?;
        let overflows = imported.data.iter().any(|number| overflows(*number));
        let all = all.iter();
        all.map(|reading| self.reading(reading, overflows))
            .collect()
    }

    /// `overflows` where a number does.
    fn reading(&self, reading: &Reading, overflows: bool) -> Result<MaskReading, String> {
        let cells = match &reading.content {
            Content::Bias(bias) => return self.added(bias),
            Content::Mask(cells) => cells,
            Content::Both { mask, .. } => mask,
        };
        let read = match reading.kind {
            Kind::Mask { ones_show: true } => Key::PastedOnesShow,
            Kind::Mask { ones_show: false } => Key::PastedOnesHide,
            Kind::Additive(Hidden::Infinity | Hidden::Finite) => Key::PastedAdditive,
            Kind::BiasAndMask(_) | Kind::Bias => Key::PastedBoth,
            Kind::Lengths => Key::PastedLengths,
        };
        let own = self.mask(read, cells);
        let mut remarks = self.inverted(reading.inverted);
        let word = |key: Key| key.text(self.language).to_owned();
        if overflows && matches!(reading.kind, Kind::Additive(_) | Kind::BiasAndMask(_)) {
            remarks.push(word(Key::PastedOverflow));
        }
        if !is_for_all_heads(cells) {
            remarks.push(word(Key::RuleHeads));
        }
        Ok(MaskReading { remarks, ..own })
    }

    /// A mask of cells, which the page can show where it is the same for all heads.
    fn mask(&self, read: Key, cells: &Array4<bool>) -> MaskReading {
        let mut all = Array4::from_elem((1, 1, self.axes.n, self.axes.m), true);
        let shown_by = match is_for_all_heads(cells) && join(&mut all, cells).is_some() {
            true => self.painting(&all),
            false => Vec::new(),
        };
        MaskReading {
            said: self.counted(read, cells),
            remarks: Vec::new(),
            shown_by,
        }
    }

    /// A mask with what makes it hide, where what it hides was added before.
    fn as_mask(&self, mask: (Field, Value)) -> Vec<(Field, Value)> {
        let hides = (Field::Hiding, Value::Choice(Hiding::LeftOut.name()));
        let is_added = self.state.hiding == Hiding::Added;
        std::iter::once(mask)
            .chain(is_added.then_some(hides))
            .collect()
    }

    /// Zeros and ones of all heads as a mask that is added; empty for other numbers.
    fn added_by(&self, bias: &Array4<f32>) -> Vec<(Field, Value)> {
        let is_mask = bias.iter().all(|number| *number == 0.0 || *number == 1.0);
        let mut ones = Array4::from_elem((1, 1, self.axes.n, self.axes.m), true);
        if !is_mask || join(&mut ones, &bias.mapv(|number| number == 1.0)).is_none() {
            return Vec::new();
        }
        let painted = self.painting(&ones).into_iter().take(1);
        let added = (Field::Hiding, Value::Choice(Hiding::Added.name()));
        painted.flat_map(|paint| [paint, added.clone()]).collect()
    }

    /// The cells that differ from the rules of the page, as paint.
    fn painting(&self, cells: &Array4<bool>) -> Vec<(Field, Value)> {
        let rules = request_builder::ruled(self.state, (self.axes.n, self.axes.m));
        let mut painting = Painting::default();
        for ((_, _, query, key), seen) in cells.indexed_iter() {
            if *seen != request_builder::is_visible(&rules, query, key) {
                painting.set(query, key, Some(*seen));
            }
            if painting.stretches() > MOST_STRETCHES {
                return Vec::new();
            }
        }
        self.as_mask((Field::Paint, Value::Painting(painting)))
    }

    fn misfit(&self, shape: &[usize]) -> String {
        text::pasted_misfit(
            self.language,
            &format!("{shape:?}"),
            &self.axes.n,
            &self.axes.m,
        )
    }

    fn inverted(&self, inverted: Option<Inverted>) -> Vec<String> {
        let key = inverted.map(inverted_key);
        key.map(|key| key.text(self.language).to_owned())
            .into_iter()
            .collect()
    }

    fn remark(&self, remark: &Remark) -> String {
        let key = match remark {
            Remark::AlignedAt(Align::Start) => Key::PastedStart,
            Remark::AlignedAt(Align::End) => Key::PastedEnd,
            Remark::EndWithCache => Key::MeansEndWithCache,
            Remark::TrueHides => Key::PastedTrueHides,
            Remark::OnesAreAdded => Key::PastedOnesAdded,
            Remark::HidingNumbersShow => Key::PastedHidingShows,
            Remark::LooksInverted(inverted) => inverted_key(*inverted),
            Remark::FlagIsHint => Key::PastedHint,
            Remark::CausalCount => Key::PastedCount,
            Remark::EmptyRows { rows, library } => {
                let gives = empty_rows_key(*library).text(self.language);
                return text::pasted_rows(self.language, rows, &gives);
            }
        };
        key.text(self.language).to_owned()
    }
}

const fn inverted_key(inverted: Inverted) -> Key {
    match inverted {
        Inverted::FutureAlone => Key::PastedFuture,
        Inverted::OwnHidden => Key::PastedOwnHidden,
    }
}

fn is_for_all_heads(cells: &Array4<bool>) -> bool {
    cells.shape()[..2] == [1, 1]
}

/// Hides in `all` what `cells`, `[1, 1, n or 1, m]`, hide; `None` where they do not fit.
fn join(all: &mut Array4<bool>, cells: &Array4<bool>) -> Option<()> {
    let cells = cells.broadcast(all.raw_dim())?;
    all.zip_mut_with(&cells, |all, seen| *all &= *seen);
    Some(())
}

/// The softmax of numbers that are added to equal scores.
fn shares(bias: ArrayView1<'_, f32>) -> Vec<f32> {
    let most = bias.iter().copied().fold(f32::MIN, f32::max);
    let powers: Vec<f32> = bias.iter().map(|number| (number - most).exp()).collect();
    let sum: f32 = powers.iter().sum();
    powers.iter().map(|power| power / sum).collect()
}

/// Whether twice the number is below all of 32 bits, and not the number itself.
fn overflows(number: f64) -> bool {
    number.is_finite() && 2.0 * number < f32::MIN.into()
}

/// A tensor as it is printed without commas, as NumPy does. Files refuse what is infinite, so it is read as a number that stands for −∞.
fn printed(text: &str) -> Option<ImportedTensor> {
    const INFINITE: f32 = -3.3e38;
    let written = INFINITE.to_string();
    let finite = text
        .replace("-Infinity", &written)
        .replace("-inf", &written);
    let mut tensors = formats::read("mask.txt", finite.as_bytes(), &Limits::default()).ok()?;
    let tensor = tensors.pop().filter(|_| tensors.is_empty())?;
    let number = |number: &f32| match *number {
        INFINITE => f64::NEG_INFINITY,
        other => other.into(),
    };
    Some(ImportedTensor {
        shape: tensor.shape,
        data: tensor.data.iter().map(number).collect(),
        element: element(text),
    })
}

/// Of what kind the numbers of a print are.
fn element(text: &str) -> Element {
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if has(&["True", "False", "true", "false"]) {
        Element::Bool
    } else if has(&[".", "e-", "e+", "inf", "Infinity"]) {
        Element::Float
    } else {
        Element::Integer
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::state::url;

    fn of(link: &str, text: &str) -> Result<Vec<MaskReading>, String> {
        read(text, &url::parse(link).0, Language::En)
    }

    fn square(text: &str) -> Vec<MaskReading> {
        of("text=a+b+c", text).expect("it can be read")
    }

    pub(super) fn shows(reading: &MaskReading) -> Option<Vec<&'static str>> {
        let mut state = url::parse("text=a+b+c").0;
        for (field, value) in reading.shown_by.clone() {
            state.set(field, value).expect("a value of the page");
        }
        if reading.shown_by.is_empty() {
            return None;
        }
        let mask = request_builder::mask(&state, 3);
        let cell = |query, key| request_builder::is_visible(&mask, query, key);
        let row = |query| match [0, 1, 2].map(|key| cell(query, key)) {
            [true, false, false] => "1..",
            [true, true, false] => "11.",
            [true, true, true] => "111",
            [false, true, true] => ".11",
            [false, false, true] => "..1",
            _ => "...",
        };
        Some((0..3).map(row).collect())
    }

    #[test]
    fn a_rule_and_a_call_show_what_they_mean() {
        let causal = Some(vec!["1..", "11.", "111"]);
        assert_eq!(shows(&square("causal")[0]), causal);
        let call = "F.scaled_dot_product_attention(q, k, v, is_causal=True)";
        assert_eq!(shows(&square(call)[0]), causal);
        let hides = "nn.MultiheadAttention(8, 1)(x, x, x, attn_mask=torch.triu(torch.ones(3, 3), diagonal=1).bool())";
        let readings = square(hides);
        assert_eq!(shows(&readings[0]), causal);
        assert!(
            readings[0]
                .remarks
                .iter()
                .any(|said| said.contains("True hides"))
        );
    }

    #[test]
    fn prints_with_and_without_commas_are_the_same_mask() {
        let causal = Some(vec!["1..", "11.", "111"]);
        for print in [
            "array([[  0., -inf, -inf],\n       [  0.,   0., -inf],\n       [  0.,   0.,   0.]])",
            "[[  0. -inf -inf]\n [  0.   0. -inf]\n [  0.   0.   0.]]",
            "torch.triu(torch.full((3, 3), float('-inf')), diagonal=1)",
        ] {
            let readings = square(print);
            assert_eq!(readings.len(), 1, "{print}");
            assert_eq!(shows(&readings[0]), causal, "{print}");
        }
    }

    #[test]
    fn ones_and_zeros_are_asked_about() {
        let booleans = square("[[True, False, False], [True, True, False], [True, True, True]]");
        assert_eq!(booleans.len(), 2);
        assert_eq!(shows(&booleans[0]), Some(vec!["1..", "11.", "111"]));
        assert_eq!(shows(&booleans[1]), Some(vec![".11", "..1", "..."]));
        assert!(booleans[1].remarks[0].contains("exactly what it should hide"));
        let floats = square("tensor([[1., 0., 0.],\n        [1., 1., 0.],\n        [1., 1., 1.]])");
        assert!(
            floats
                .iter()
                .any(|reading| reading.said.contains("Added to the scores")
                    && shows(reading) == Some(vec!["1..", "11.", "111"])
                    && reading.shown_by[1] == (Field::Hiding, Value::Choice("added")))
        );
        let additive = square("tensor([[0., -inf, -inf], [0., 0., -inf], [0., 0., 0.]])");
        assert_eq!(additive.len(), 1);
        assert_eq!(shows(&additive[0]), Some(vec!["1..", "11.", "111"]));
    }

    #[test]
    fn a_mask_of_the_least_number_says_that_two_of_them_overflow() {
        let says = |hidden: &str| {
            let readings = square(&format!(
                "[[0. {hidden} {hidden}]\n [0. 0. {hidden}]\n [0. 0. 0.]]"
            ));
            assert_eq!(
                shows(&readings[0]),
                Some(vec!["1..", "11.", "111"]),
                "{hidden}"
            );
            let remarks = &readings[0].remarks;
            remarks.iter().any(|remark| remark.contains("overflows"))
        };
        assert!(says("-3.4028235e+38") && says("-1.8e38"));
        assert!(!says("-1.7e38") && !says("-1e9") && !says("-inf") && !says("-Infinity"));
        let commas =
            "tensor([[0., -3.4028e+38, -3.4028e+38], [0., 0., -3.4028e+38], [0., 0., 0.]])";
        assert!(square(commas)[0].remarks[0].contains("overflows"));
        let bias = square("[[0., 1., -1.8e38], [0., 0., 2.], [0., 0., 0.]]");
        assert!(bias[0].remarks[0].contains("overflows"));
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        let wrong = of("text=a+b+c", "[[1, 0], [1, 1]]").expect_err("it does not fit");
        assert!(
            wrong.contains("[2, 2]") && wrong.contains("3 queries"),
            "{wrong}"
        );
        assert!(
            of("text=a+b+c", "windw")
                .expect_err("no rule")
                .contains("windw")
        );
        assert!(of("text=a+b+c", "[[1, 0], [").is_err());
        assert_eq!(of("text=a+b+c", "  "), Ok(vec![]));
    }
}
