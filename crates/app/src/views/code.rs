//! The code panel: the library, the program, and buttons that take it along.

wasm_chunks::chunk!("code");

use super::mask_programs;
use super::program::program;
use super::{Markup, html};
use crate::export::codegen::about;
use crate::export::codegen::panel::CodePanel;
use crate::i18n::Key;
use crate::present::panel::PanelContext;
use crate::state::{Field, Library, State};

/// Libraries to choose from, as they write themselves.
const LIBRARIES: [(Library, &str); 3] = [
    (Library::NumPy, "NumPy"),
    (Library::PyTorch, "PyTorch"),
    (Library::Jax, "JAX"),
];

/// The body of the panel.
pub fn panel(panel: &CodePanel, state: &State, context: PanelContext<'_>) -> Markup {
    let language = context.language;
    let shown = panel.program();
    let has_file = shown.is_some_and(|program| !program.beside.is_empty());
    let button = |does: &str, name: Key, is_hidden| {
        html! {
            button type="button" class="plain" id={ "code-" (does) } data-do=(does) hidden[is_hidden] { (name.text(language)) }
        }
    };
    html! {
        p class="when-finished" { (Key::FinishedCode.text(language)) }
        p class="code-about" id="code-about" { (about(shown, language)) }
        div class="code-tools" {
            fieldset class="choice" aria-label=(Key::CodeLibrary.text(language)) {
                @for (library, name) in LIBRARIES {
                    label {
                        input type="radio" name="library" value=(library.name()) data-sets=(Field::Library.key())
                            data-value=[(library == state.library).then_some(library.name())];
                        span translate="no" { (name) }
                    }
                }
            }
            div class="code-deeds" id="code-deeds" hidden[shown.is_none()] {
                (button("copy", Key::CodeCopy, false))
                (button("save", Key::CodeSave, false))
                (button("notebook", Key::CodeNotebook, false))
                (button("numbers", Key::CodeNumbersFile, !has_file))
            }
            p id="code-said" role="status" { (panel.said()) }
        }
        pre class="program" id="code-text" tabindex="0" role="region" translate="no" aria-label=(Key::CodeText.text(language)) hidden[shown.is_none()] {
            @if let Some(shown) = shown { (program(shown)) }
        }
        (mask_programs::section(panel, state, language))
    }
}
