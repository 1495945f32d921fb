//! The terms of a number as a table.

use super::{Markup, backward, html, number_of, written};
use crate::i18n::{Key, Language, text};
use crate::present::run::Run;
use crate::present::steps::explain::{Derivation, Explanation, Name, Operand, Term, What};
use crate::state::StepKind;
use crate::state::steps::Axis;
use crate::views::raw;

/// Terms that there is room for.
const MOST: usize = 8;

/// The table; nothing where there are no terms.
pub(super) fn table(
    explanation: &Explanation,
    run: &Run,
    language: Language,
    is_unfolded: bool,
) -> Markup {
    let symbols = heads(explanation);
    if explanation.terms.is_empty() || only(explanation).is_some() || symbols.is_empty() {
        return Markup::default();
    }
    let (largest, _) = explanation.shown(MOST);
    let shown = if is_unfolded {
        explanation.in_sequence()
    } else {
        largest.iter().collect()
    };
    html! {
        // There in any case: the button inside would lose the focus with it.
        div class=[is_unfolded.then_some("all-terms")] {
            table {
                thead { tr {
                    th scope="col" { (name_of_terms(explanation, run, language)) }
                    @for symbol in symbols { th scope="col" { (raw(symbol)) } }
                } }
                tbody { @for term in shown { (row(explanation, term, symbols.len() - 1, run, language)) } }
                @if explanation.terms.len() > 1 {
                    tfoot { (sums(explanation, symbols.len(), language, is_unfolded)) }
                }
            }
        }
    }
}

/// The number that a cell takes over as it is, where nothing is done with it.
pub(super) fn only(explanation: &Explanation) -> Option<&Operand> {
    match explanation.terms.as_slice() {
        [term] if term.name == Name::Plain => match term.operands.as_slice() {
            [operand] => Some(operand),
            _ => None,
        },
        _ => None,
    }
}

fn row(
    explanation: &Explanation,
    term: &Term,
    operands: usize,
    run: &Run,
    language: Language,
) -> Markup {
    // Of a softmax, the term of the cell itself.
    let is_own =
        explanation.way == Derivation::Softmax && term.name == Name::Key(explanation.place.column);
    html! {
        tr class=[is_own.then_some("is-own")] {
            th scope="row" { (name(term.name, run, language)) }
            @for at in 0..operands {
                td { @if let Some(operand) = term.operands.get(at) { (number_of(operand)) } }
            }
            td { (written(term.value)) }
        }
    }
}

/// The sum of the terms that are not shown, and that of all.
fn sums(
    explanation: &Explanation,
    columns: usize,
    language: Language,
    is_unfolded: bool,
) -> Markup {
    let (_, rest) = explanation.shown(MOST);
    let shown_rest = rest.filter(|_| !is_unfolded);
    let unfold = rest.map(|_| unfold(explanation.terms.len(), language, is_unfolded));
    let (beside_rest, beside_sum) = if shown_rest.is_some() {
        (unfold, None)
    } else {
        (None, unfold)
    };
    let line = |name: &str, button: Option<Markup>, value: f64| {
        html! {
            tr {
                th scope="row" colspan=(columns) { (name) @if let Some(button) = button { " " (button) } }
                td { (written(value)) }
            }
        }
    };
    html! {
        @if let Some(rest) = shown_rest {
            (line(&text::terms_rest(language, &rest.count), beside_rest, rest.sum))
        }
        (line(Key::TermsSum.text(language), beside_sum, explanation.sum()))
    }
}

fn unfold(count: usize, language: Language, is_unfolded: bool) -> Markup {
    let name = if is_unfolded {
        Key::TermsFold.text(language).to_owned()
    } else {
        text::terms_unfold(language, &count)
    };
    html! { button type="button" data-unfold aria-expanded=(is_unfolded) { (name) } }
}

fn name(name: Name, run: &Run, language: Language) -> Markup {
    let key = |tokens: &[String], at: usize| {
        let token = tokens.get(at).map(String::as_str).unwrap_or_default();
        html! { span class="is-key-text" translate="no" { (token) } }
    };
    match name {
        Name::Column(at) => html! { (at + 1) },
        Name::Key(at) => key(&run.keys, at),
        Name::Query(at) => html! {
            span class="is-query-text" translate="no" { (run.query(at)) }
        },
        Name::Row(at) => key(&run.tokens(Axis::M).unwrap_or_default(), at),
        Name::Word(at) => html! { span translate="no" { (run.word(at)) } },
        Name::Component(of, at) => html! { (raw(backward::sent_back(of))) " " (at + 1) },
        Name::OtherHeads => html! { (Key::TermsOtherHeads.text(language)) },
        Name::Past => html! { (Key::TermsPast.text(language)) },
        Name::Through => html! { (Key::TermsThrough.text(language)) },
        Name::Bias => html! { var { "b" } },
        Name::Plain => Markup::default(),
    }
}

/// Header of the first column.
fn name_of_terms(explanation: &Explanation, run: &Run, language: Language) -> &'static str {
    match explanation.terms.first().map(|term| term.name) {
        Some(Name::Column(_) | Name::Bias | Name::OtherHeads | Name::Component(..)) => {
            Key::TermsColumn.text(language)
        }
        Some(Name::Word(_)) => Key::TermsWord.text(language),
        Some(Name::Key(_)) if run.state.linformer => Key::TermsMixture.text(language),
        Some(Name::Key(_) | Name::Row(_)) => Key::TermsKey.text(language),
        Some(Name::Query(_)) => Key::TermsQuery.text(language),
        _ => "",
    }
}

const Q: &str = "<var class=\"is-query-text\">q</var>";
const K: &str = "<var class=\"is-key-text\">k</var>";

/// The symbols above the operands and, last, above the term.
fn heads(explanation: &Explanation) -> &'static [&'static str] {
    let (way, step) = (explanation.way, explanation.place.step);
    let is_warm = || {
        explanation
            .before
            .iter()
            .any(|line| line.what == What::Temperature)
    };
    const X: &str = "<var>x</var>";
    const W: &str = "<var>w</var>";
    const S: &str = "<var>s</var>";
    const V: &str = "<var>v</var>";
    match way {
        Derivation::Projected => &[X, W, "<var>x</var>×<var>w</var>"],
        Derivation::ProjectedPositions => &[
            X,
            "<var>PE</var>",
            W,
            "(<var>x</var>+<var>PE</var>)×<var>w</var>",
        ],
        Derivation::TurnedFirst if step == StepKind::RotatedQueries => &[Q, "cos θ, −sin θ", "="],
        Derivation::TurnedSecond if step == StepKind::RotatedQueries => &[Q, "sin θ, cos θ", "="],
        Derivation::TurnedFirst => &[K, "cos θ, −sin θ", "="],
        Derivation::TurnedSecond => &[K, "sin θ, cos θ", "="],
        Derivation::Shortened if step == StepKind::ShortKeys => &["<var>E</var>", K, "="],
        Derivation::Shortened => &["<var>F</var>", V, "="],
        Derivation::Dot => &[
            Q,
            K,
            "<var class=\"is-query-text\">q</var>×<var class=\"is-key-text\">k</var>",
        ],
        Derivation::Additive => &[Q, K, "tanh", "<var>w<sub>a</sub></var>", "="],
        Derivation::Scaled => &[S, "1/√<var>d<sub>k</sub></var>", "="],
        Derivation::Biased => &[
            "<var>s</var>, −<var>m</var>",
            "|<var>i</var>−<var>j</var>|",
            "=",
        ],
        Derivation::Softmax if is_warm() => &[
            S,
            "(<var>s</var>−max)/<var>T</var>",
            "<var>e</var><sup>…</sup>",
        ],
        Derivation::Softmax => &[S, "<var>s</var>−max", "<var>e</var><sup>…</sup>"],
        Derivation::Weighted => &["<var>a</var>", V, "<var>a</var>×<var>v</var>"],
        Derivation::Output => &["<var>c</var>", W, "<var>c</var>×<var>w</var>"],
        Derivation::HiddenAfter => &["<var>a</var>", "0, 1", "="],
        Derivation::Summed => &["<var>h</var>, <var>o</var>", "="],
        Derivation::Unembedded => &[
            "<var>h</var>+<var>o</var>",
            "<var>u</var>",
            "(<var>h</var>+<var>o</var>)×<var>u</var>",
        ],
        Derivation::Backward => backward::symbols(step),
        _ => &[],
    }
}
