//! Visible cells of a mask, in words and in numbers.

use crate::i18n::number;
use crate::i18n::{Key, Language, text};
use crate::state::request_builder::pads_rows;
use crate::state::{Alignment, Hiding, MaskPart, State};

/// How many rows a sentence names before it counts the rest.
const NAMED: usize = 5;

/// Weight that softmax gave to hidden keys before it was set to zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leak {
    /// Mean over the rows of the weight that is missing from their sums.
    pub mean: f64,
    /// The row which sees something and has the least left.
    pub row: usize,
    /// Weight left in that row; `1 − left` would lose all digits where nearly all is lost.
    pub left: f64,
}

/// The leak of weights `[rows, keys]`, of which `visible` says how many keys each row sees; `None` where no row sees any.
pub fn leak(weights: &[f32], keys: usize, visible: &[usize]) -> Option<Leak> {
    let sum = |row: &[f32]| row.iter().map(|weight| f64::from(*weight)).sum::<f64>();
    let left: Vec<f64> = weights
        .chunks_exact(keys.max(1))
        .map(|row| sum(row).clamp(0.0, 1.0))
        .collect();
    let seeing = (0..left.len()).filter(|row| visible.get(*row).is_some_and(|seen| *seen > 0));
    let row = seeing.reduce(
        |least, row| {
            if left[row] < left[least] { row } else { least }
        },
    )?;
    Some(Leak {
        mean: 1.0 - left.iter().sum::<f64>() / left.len() as f64,
        row,
        left: left[row],
    })
}

/// The rule that is in force over so many `keys`, in a few sentences; `painted` counts the cells of the map that are
/// shown and hidden by hand, and `hides_by_words` is whether the rule in words hides any.
pub fn rule(
    language: Language,
    state: &State,
    keys: usize,
    painted: (usize, usize),
    hides_by_words: bool,
) -> String {
    if state.linformer {
        return Key::MaskLinformer.text(language).to_owned();
    }
    let what = joined(language, shown(language, state));
    let not = joined(language, hidden(language, state, keys));
    let what = what.as_deref().unwrap_or(Key::MaskEvery.text(language));
    let is_causal_alone = state.masks.iter().eq([MaskPart::Causal]) && state.second.is_none();
    let mut said = match not {
        _ if is_causal_alone => Key::MaskRuleCausal.text(language).to_owned(),
        None => text::mask_rule(language, &what),
        Some(not) => text::mask_rule_but(language, &what, &not),
    };
    if is_first_idle(state) {
        said = sentences(language, &said, Key::MaskFirstIdle.text(language));
    }
    if is_padding_idle(state, keys) {
        let idle = text::mask_padding_idle(language, &state.valid, &keys);
        said = sentences(language, &said, &idle);
    }
    if pads_rows(state) && !is_padding_idle(state, keys) {
        said = sentences(language, &said, Key::MaskPaddedRows.text(language));
    }
    if has_places(state) && state.second.is_some() {
        let places = match state.alignment {
            Alignment::First => Key::MaskPlaces,
            Alignment::Last => Key::MaskPlacesLast,
        };
        said = sentences(language, &said, places.text(language));
    }
    if hides_by_words {
        said = sentences(language, &said, Key::MaskOwnRule.text(language));
    }
    if painted != (0, 0) {
        let (shown, hidden) = painted;
        said = sentences(
            language,
            &said,
            &text::mask_painted(language, &shown, &hidden),
        );
    }
    said
}

/// "66 of 121 cells are visible, 54.5 %."
pub fn count(language: Language, visible: usize, all: usize) -> String {
    let share = share(visible as f64 / all.max(1) as f64);
    text::mask_count(language, &visible, &all, &share)
}

/// Which rows see nothing, by their tokens, and what becomes of them; nothing where there are none.
pub fn empty_rows(language: Language, hiding: Hiding, rows: &[&str]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let names = rows[..rows.len().min(NAMED)].join(Key::ListComma.text(language));
    let named = match rows.len().saturating_sub(NAMED) {
        0 => text::mask_unseen(language, &names),
        more => text::mask_unseen_more(language, &names, &more),
    };
    let gives = match hiding {
        Hiding::Written | Hiding::Added => return named,
        Hiding::LeftOut | Hiding::AfterSoftmax if rows.len() == 1 => Key::MaskUnseenGivesOne,
        Hiding::LeftOut | Hiding::AfterSoftmax => Key::MaskUnseenGives,
    };
    sentences(language, &named, gives.text(language))
}

/// How far the local mask reaches; empty where it is off.
pub fn local_window(language: Language, state: &State) -> String {
    if !state.masks.contains(MaskPart::Local) {
        return String::new();
    }
    let before = state.window as u64;
    let is_causal = state.masks.contains(MaskPart::Causal);
    window(language, before, if is_causal { 0 } else { before })
}

/// "2 before, 3 with itself", as a sentence.
pub fn window(language: Language, before: u64, after: u64) -> String {
    let all = before + after + 1;
    match after {
        0 => text::mask_window_back(language, &before, &all),
        _ => text::mask_window(language, &before, &after, &all),
    }
}

/// Effect of the chosen hiding on these weights; `has_empty_rows` where a row has no visible key,
/// `leak` with the token of its row.
pub fn hiding(
    language: Language,
    hiding: Hiding,
    has_empty_rows: bool,
    leak: Option<(Leak, &str)>,
) -> String {
    let key = match (hiding, leak) {
        (Hiding::LeftOut, _) => Key::HidingOutNote,
        (Hiding::Written, _) if has_empty_rows => Key::HidingWrittenRows,
        (Hiding::Written, _) => Key::HidingWrittenNote,
        (Hiding::Added, None) => Key::HidingAddedNote,
        (Hiding::Added, Some((leak, row))) => return adding(language, &leak, row),
        (Hiding::AfterSoftmax, None) => Key::HidingAfterNote,
        (Hiding::AfterSoftmax, Some((leak, row))) => return leaking(language, &leak, row),
    };
    key.text(language).to_owned()
}

fn adding(language: Language, leak: &Leak, row: &str) -> String {
    let (mean, worst) = (share(leak.mean), share(1.0 - leak.left));
    let numbers = text::hiding_added_leak(language, &mean, &worst, &row);
    sentences(language, Key::HidingAddedNote.text(language), &numbers)
}

fn leaking(language: Language, leak: &Leak, row: &str) -> String {
    let (mean, worst) = (share(leak.mean), share(1.0 - leak.left));
    let factor = (1.0 / leak.left) as f32;
    let numbers = if factor.is_finite() {
        text::hiding_after_leak(language, &mean, &worst, &row, &number::short(factor))
    } else {
        text::hiding_after_all(language, &mean, &row)
    };
    sentences(language, Key::HidingAfterNote.text(language), &numbers)
}

/// Cells made visible by the local, strided and first-token parts, where these apply.
fn shown(language: Language, state: &State) -> Vec<String> {
    let part = |part| match part {
        MaskPart::Local => Some(match state.window {
            0 => Key::MaskSeesLocalOwn.text(language).to_owned(),
            1 => Key::MaskSeesLocalOne.text(language).to_owned(),
            window => text::mask_sees_local(language, &window),
        }),
        MaskPart::Strided => Some(match state.stride {
            1 => Key::MaskSeesStridedOne.text(language).to_owned(),
            stride => text::mask_sees_strided(language, &stride),
        }),
        MaskPart::First if !is_first_idle(state) => Some(match state.first {
            1 => Key::MaskSeesFirstOne.text(language).to_owned(),
            first => text::mask_sees_first(language, &first),
        }),
        MaskPart::First | MaskPart::Causal | MaskPart::Padding => None,
    };
    state.masks.iter().filter_map(part).collect()
}

/// Keys hidden by the causal and padding parts, of `keys` in all.
fn hidden(language: Language, state: &State, keys: usize) -> Vec<String> {
    let plain = |key: Key| Some(key.text(language).to_owned());
    let part = |part| match part {
        MaskPart::Causal if state.second.is_some() => plain(Key::MaskNotCausalCross),
        MaskPart::Causal => plain(Key::MaskNotCausal),
        MaskPart::Padding if is_padding_idle(state, keys) => None,
        MaskPart::Padding if state.valid == 0 => plain(Key::MaskNotPaddingAll),
        MaskPart::Padding => Some(text::mask_not_padding(language, &state.valid)),
        MaskPart::Local | MaskPart::Strided | MaskPart::First => None,
    };
    state.masks.iter().filter_map(part).collect()
}

/// Whether padding is on where no key is any.
fn is_padding_idle(state: &State, keys: usize) -> bool {
    state.masks.contains(MaskPart::Padding) && keys > 0 && state.valid >= keys
}

/// Whether a rule compares the place of a query with that of a key.
fn has_places(state: &State) -> bool {
    let parts = [MaskPart::Causal, MaskPart::Local, MaskPart::Strided];
    parts.into_iter().any(|part| state.masks.contains(part))
}

/// Whether first tokens are on where nothing needs them.
fn is_first_idle(state: &State) -> bool {
    let is_on = |part| state.masks.contains(part);
    is_on(MaskPart::First) && !is_on(MaskPart::Local) && !is_on(MaskPart::Strided)
}

fn joined(language: Language, parts: Vec<String>) -> Option<String> {
    parts
        .into_iter()
        .reduce(|one, other| text::list_and(language, &one, &other))
}

/// Two sentences after one another, as the language sets them.
pub fn sentences(language: Language, one: &str, other: &str) -> String {
    text::list_sentences(language, &one, &other)
}

fn share(share: f64) -> String {
    format!("{:.1}\u{202F}%", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Masks;

    fn with(masks: &[MaskPart]) -> State {
        State {
            masks: masks.iter().copied().collect::<Masks>(),
            window: 2,
            first: 1,
            valid: 6,
            ..State::default()
        }
    }

    fn said(masks: &[MaskPart]) -> String {
        rule(Language::En, &with(masks), 11, (0, 0), false)
    }

    #[test]
    fn the_rule_in_force_is_said_for_any_combination() {
        use MaskPart::{Causal, First, Local, Padding, Strided};
        assert_eq!(said(&[]), "Each word sees every word.");
        assert_eq!(
            said(&[Causal]),
            "Each word sees itself and the words before it."
        );
        assert_eq!(
            said(&[Causal, Padding, Local, Strided, First]),
            "Each word sees the words at most 2 places away and the words at multiples of 2 places and the first word, \
             but nothing after itself and no padding, which begins after word 6."
        );
        assert_eq!(
            said(&[First]),
            "Each word sees every word. “First tokens” has an effect only together with local or strided."
        );
    }

    #[test]
    fn a_rule_that_hides_nothing_or_everything_says_so() {
        use MaskPart::{Causal, Local, Padding, Strided};
        let words = |masks: &[MaskPart], change: fn(&mut State), keys| {
            let mut state = with(masks);
            change(&mut state);
            rule(Language::En, &state, keys, (0, 0), false)
        };
        assert_eq!(
            words(&[Padding], |_| (), 6),
            "Each word sees every word. No key is padding: the valid length is 6, and there are 6 keys."
        );
        assert_eq!(
            words(&[Padding], |state| state.valid = 0, 6),
            "Each word sees every word, but no padding, and all the words are padding."
        );
        assert_eq!(
            words(&[Local], |state| state.window = 0, 6),
            "Each word sees the word at its own place."
        );
        let near = |state: &mut State| (state.window, state.stride) = (1, 1);
        assert_eq!(
            words(&[Local, Strided], near, 6),
            "Each word sees the words at most 1 place away and the words at any distance."
        );
        assert_eq!(
            words(&[Padding], |state| state.pad_rows = true, 11),
            "Each word sees every word, but no padding, which begins after word 6. Padded queries see no key."
        );
        let cross = |state: &mut State| state.second = Some("five red birds".to_owned());
        assert_eq!(
            words(&[Causal, Padding], cross, 3),
            "Each word sees every word, but nothing at a later place than its own. No key is padding: the valid length \
             is 6, and there are 3 keys. Positions are counted from the beginning of each text."
        );
        assert_eq!(words(&[], cross, 3), "Each word sees every word.");
    }

    #[test]
    fn every_rule_is_whole_in_every_language() {
        for bits in 0..1 << MaskPart::ALL.len() {
            let masks = MaskPart::ALL
                .into_iter()
                .filter(|part| bits >> *part as usize & 1 == 1);
            let mut state = with(&masks.collect::<Vec<_>>());
            for language in Language::ALL {
                let mut words = vec![
                    rule(language, &state, 11, (0, 0), false),
                    rule(language, &state, 5, (3, 4), false),
                ];
                state.second = Some("five red birds".to_owned());
                words.push(rule(language, &state, 3, (0, 0), false));
                state.linformer = !state.linformer;
                words.push(rule(language, &state, 4, (0, 0), false));
                for said in words {
                    assert!(
                        said.ends_with(['.', '。']) && !said.contains(['{', '}']),
                        "{said}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_leak_is_what_is_missing_from_rows_that_see_something() {
        let weights = [0.5, 0.25, 0.0, 0.0, 0.1, 0.3];
        let leak = leak(&weights, 2, &[2, 0, 1]).expect("two rows see something");
        assert!((leak.mean - (0.25 + 1.0 + 0.6) / 3.0).abs() < 1e-7);
        assert!((leak.left - 0.4).abs() < 1e-7);
        assert_eq!(leak.row, 2);
        assert_eq!(super::leak(&weights, 2, &[0, 0, 0]), None);
        assert_eq!(super::leak(&[], 0, &[]), None);
        let said = hiding(
            Language::En,
            Hiding::AfterSoftmax,
            false,
            Some((leak, "tired")),
        );
        assert!(
            said.contains("61.7\u{202F}%") && said.contains("“tired”"),
            "{said}"
        );
        assert!(said.contains("are 2.5 times"), "{said}");
    }

    #[test]
    fn a_row_that_loses_nearly_everything_keeps_its_factor() {
        let said = |left: f32| {
            let leak = leak(&[left, 0.0], 2, &[1]).expect("the row sees something");
            hiding(
                Language::En,
                Hiding::AfterSoftmax,
                false,
                Some((leak, "cat")),
            )
        };
        let nearly = said(2.5e-9);
        assert!(nearly.contains("are 4×10⁸ times too small"), "{nearly}");
        for left in [0.0, f32::from_bits(1)] {
            let all = said(left);
            assert!(
                all.ends_with("all of it in the row “cat”.") && !all.contains("times"),
                "{all}"
            );
        }
    }

    #[test]
    fn counts_and_rows_are_named() {
        assert_eq!(
            count(Language::En, 66, 121),
            "66 of 121 cells are visible, 54.5\u{202F}%."
        );
        assert_eq!(empty_rows(Language::En, Hiding::LeftOut, &[]), "");
        assert_eq!(
            empty_rows(Language::En, Hiding::LeftOut, &["a", "b"]),
            "No visible key for: a, b. These rows are 0 here; PyTorch’s need_weights gives NaN, and −10⁹ spreads them evenly."
        );
        let many = ["a", "b", "c", "d", "e", "f", "g"];
        assert_eq!(
            empty_rows(Language::En, Hiding::Written, &many),
            "No visible key for: a, b, c, d, e and 2 more."
        );
    }
}
