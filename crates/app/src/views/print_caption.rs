//! Caption of the picture on a printed page: the formulas, the settings that differ from the
//! standard ones, and the address.

use super::math::{Hue, math};
use super::{Markup, html};
use crate::export::figures::mechanism;
use crate::i18n::Language;
use crate::present::run::Run;
use crate::present::steps::formula;
use crate::state::{Hiding, StepKind, steps};

/// The steps whose formulas are printed: from the scores to the output.
const WITH_FORMULA: [StepKind; 7] = [
    StepKind::Scores,
    StepKind::Scaled,
    StepKind::Biased,
    StepKind::Masked,
    StepKind::Softmax,
    StepKind::Weights,
    StepKind::Context,
];

/// The lines below the map; a finished matrix has no formula, and an element of another page may have no address.
pub fn print_caption(run: &Run, address: Option<&str>, language: Language) -> Markup {
    let state = &run.state;
    let config = steps::config(state);
    let is_finished = state.imported.as_ref().is_some_and(|own| own.is_finished());
    html! {
        @if !is_finished {
            p class="formulas" {
                @for step in WITH_FORMULA.into_iter().filter(|step| steps::for_state(state).contains(step)) {
                    span { (math(&formula(step, &config, state.hiding == Hiding::Written), Hue::Shown)) }
                }
            }
        }
        p { (super::symbols(&mechanism(language, state))) }
        @if let Some(address) = address {
            p class="address" { (address) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::run::tests::computed;

    #[test]
    fn paper_has_the_formula_the_settings_and_the_address() {
        let run = computed("text=a+b&scaled=0&heads=2");
        let markup = print_caption(&run, Some("https://a.example/#v=1&x=<"), Language::En).0;
        assert!(
            markup.contains("<math>") && markup.contains("softmax"),
            "{markup}"
        );
        // Unscaled and unmasked: scores, weights and context.
        assert_eq!(markup.matches("<math>").count(), 3, "{markup}");
        assert!(markup.contains("heads"), "{markup}");
        assert!(markup.contains("#v=1&amp;x=&lt;"), "{markup}");
        assert!(
            !print_caption(&run, None, Language::En)
                .0
                .contains("address")
        );
    }
}
