//! Description of the chosen head, beside its charts.

wasm_chunks::chunk!("more");

use super::{Markup, html};
use crate::i18n::Language;
use crate::present::head_patterns::{Scene, label, why};
use crate::present::names;
use crate::present::run::Run;

/// Pattern of a head, and the reason for it.
pub fn reading(run: &Run, head: usize, language: Language) -> Markup {
    let scene = Scene::from_run(run);
    let found = run.findings().heads.get(head).map(|found| &found.reading);
    html! {
        b { (names::unparted(&names::head(run, head, language))) }
        @if let Some(found) = found {
            " " strong { (label(language, found, scene)) }
            " " span { (why(language, found, scene)) }
        }
    }
}

/// A name below each bar of a chart.
pub fn bar_labels(labels: &[String]) -> Markup {
    html! { @for label in labels { li { span { (label) } } } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::run::tests::computed;

    #[test]
    fn a_head_is_named_with_what_it_does_and_why() {
        let run = computed("text=a+%3C+c&heads=2");
        let markup = reading(&run, 1, Language::En).0;
        let name = names::unparted(&names::head(&run, 1, Language::En));
        assert!(
            markup.starts_with(&format!("<b>{name}</b> <strong>")),
            "{markup}"
        );
        assert!(
            !markup.contains("<strong></strong>") && !markup.contains("<span></span>"),
            "{markup}"
        );
        assert!(reading(&run, 2, Language::En).0.ends_with("</b>"));
    }
}
