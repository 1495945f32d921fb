//! Texts about the large map: notes beside it, and its accessible description.

use super::displayed_matrix::DisplayedMatrix;
use super::names;
use super::notice_text;
use super::run::Run;
use crate::i18n::number;
use crate::i18n::{Key, Language, text};
use crate::scene::heatmap::{PoolBy, Pooling};
use crate::scene::layout::Viewport;
use crate::state::{Hiding, State, StepKind, steps};
use engine::Reason;

/// Accessible name of the map, with its keyboard commands.
pub fn label(displayed: &DisplayedMatrix<'_>, language: Language) -> String {
    let mut label = match displayed.step {
        StepKind::Weights => Key::MapKeysHelp.text(language).to_owned(),
        step => {
            let name = names::step(step, language);
            text::map_keys_help_step(language, &name)
        }
    };
    let (rows, columns) = displayed.size();
    if Viewport::whole(rows, columns).is_some() {
        label.push(' ');
        label.push_str(Key::MapKeysZoom.text(language));
    }
    label
}

/// "11 × 11 cells · 0.21 ms · 512 kFLOP".
pub fn numbers(run: &Run, (rows, columns): (usize, usize), language: Language) -> String {
    if run.reply.ran.reason == Some(Reason::Given) {
        return text::numbers_given(language, &rows, &columns);
    }
    let time = number::milliseconds(run.reply.elapsed_ms);
    let flops = number::si(run.reply.flops, "FLOP");
    text::numbers(language, &rows, &columns, &time, &flops)
}

/// Notes on what the map does not show: a step that the settings of `state` lack (its link keeps
/// it, as it keeps a mask with Linformer), rows without visible keys, pooled cells, omitted words.
pub fn notes(run: &Run, state: &State, pooling: Option<Pooling>, language: Language) -> String {
    let mut notes = Vec::new();
    let asked = steps::asked(state);
    if asked != steps::shown(state) {
        let step = names::step(asked, language);
        notes.push(text::note_no_step(language, &step));
    }
    if run.queries.is_empty() || run.keys.is_empty() {
        notes.push(Key::NoteNoTokens.text(language).to_owned());
    }
    if run.reply.empty_rows > 0 && run.state.hiding != Hiding::Written {
        notes.push(text::note_empty_rows(language, &run.reply.empty_rows));
    }
    notes.extend(pooling.map(|pooling| pooled(pooling, language)));
    notes.extend(notice_text::tokens_cut(language, &run.sides));
    notes.join(" ")
}

/// Explains how many cells a drawn cell pools, and how.
pub fn pooled(pooling: Pooling, language: Language) -> String {
    let sentence = match pooling.by {
        PoolBy::Peak => text::note_pooled_peak,
        PoolBy::Max | PoolBy::Mean => text::note_pooled,
    };
    sentence(language, &pooling.queries, &pooling.keys)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::run::tests::computed;
    use crate::state::url;

    #[test]
    fn keys_that_zoom_are_named_where_they_do() {
        let named = |words: usize| {
            let run = computed(&format!("text={}", vec!["a"; words].join("+")));
            let displayed = DisplayedMatrix::new(&run, StepKind::Weights, 0);
            label(&displayed, Language::En).contains(Key::MapKeysZoom.text(Language::En))
        };
        assert_eq!([named(32), named(33)], [false, true]);
    }

    #[test]
    fn notes_say_what_is_missing_from_the_picture() {
        let said = |link: &str| {
            let run = computed(link);
            notes(&run, &run.state, None, Language::En)
        };
        assert_eq!(said("text=a+b"), "");
        assert_eq!(said("text="), Key::NoteNoTokens.text(Language::En));
        let of_empty_rows = |way| said(&format!("text=a+b&mask=padding&valid=0&hiding={way}"));
        assert_eq!(
            of_empty_rows("out"),
            text::note_empty_rows(Language::En, &2)
        );
        assert_eq!(of_empty_rows("written"), "");
    }

    #[test]
    fn a_step_that_the_settings_lack_is_named() {
        let run = computed("text=a+b");
        let said = |link: &str| {
            let (state, warnings) = url::parse(&format!("text=a+b&{link}"));
            assert_eq!(
                (warnings, url::to_fragment(&state)),
                (vec![], format!("v=1&text=a+b&{link}"))
            );
            notes(&run, &state, None, Language::En)
        };
        assert_eq!(
            said("step=masked"),
            "There is no step “masked scores” with these settings, so the map shows the weights; it is kept for when there is one."
        );
        assert!(said("positions=rotary&step=scaled").is_empty());
        assert!(said("positions=alibi&step=q_rotated").contains("“rotated queries”"));
        // Curves are those of the weights, whatever step the map would show.
        assert_eq!(said("step=masked&view=curves"), "");
    }
}
