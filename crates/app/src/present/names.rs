//! Names of heads, steps and tokens.

use super::roles;
use super::run::Run;
use crate::i18n::{Key, Language, beginning, text};
use crate::state::HeadScope;
use crate::state::steps::is_part;
use crate::state::{ColourRange, State, StepKind};
use attention::analysis::Pattern;
use attention::text::teaching::Role;

/// Characters of a token that are shown: a browser takes seconds to lay out a word of thousands.
const LONGEST_TOKEN: usize = 60;

/// Most groups of heads that a sentence lists.
const MOST_GROUPS: usize = 4;

/// Display name of a token; long ones are truncated.
pub fn token(token: &str) -> String {
    beginning(token, LONGEST_TOKEN)
}

/// The same of several.
pub fn tokens(tokens: &[String]) -> Vec<String> {
    tokens.iter().map(|own| token(own)).collect()
}

/// "head 1 · pronoun → noun", or "head 1" where its weights show no role; "layer 2, head 1" in a model of several layers.
pub fn head(run: &Run, head: usize, language: Language) -> String {
    if run.learned().is_some() && run.state.layers > 1 {
        return text::learned_head(language, &run.state.layer, &(head + 1));
    }
    let imported = run.state.imported.as_ref();
    if let Some((layer, _)) = imported.and_then(|own| own.source().1) {
        return text::learned_head(language, &layer, &(head + 1));
    }
    let number = number(head, language);
    match roles::built(&run.state, head).filter(|_| run.shows_role(head)) {
        Some(own) => format!("{number} · {}", role(own, language)),
        None => number,
    }
}

/// A name for a narrow place: no line of it ends with what leads on to the next.
pub fn unparted(name: &str) -> String {
    name.replace(" · ", "\u{a0}·\u{a0}")
        .replace("→ ", "→\u{a0}")
}

/// "head 1".
pub fn number(head: usize, language: Language) -> String {
    text::head_number(language, &(head + 1))
}

/// "pronoun → noun".
pub fn role(role: Role, language: Language) -> &'static str {
    let key = match role {
        Role::PronounToNoun => Key::NamePronounToNoun,
        Role::Previous => Key::NamePrevious,
        Role::SameWord => Key::NameSameWord,
        Role::First => Key::NameFirst,
        Role::Next => Key::NameNext,
        Role::Nouns => Key::NameNouns,
        Role::Itself => Key::NameItself,
        Role::ModifierToNoun => Key::NameModifierToNoun,
    };
    key.text(language)
}

/// Name of a pattern, if it is the same in every text: "previous token".
pub fn pattern(pattern: &Pattern) -> Option<Key> {
    Some(match *pattern {
        Pattern::Nothing => Key::ReadingNothing,
        Pattern::NoChoice => Key::ReadingNoChoice,
        Pattern::Evenly => Key::ReadingEvenly,
        Pattern::ITSELF => Key::ReadingItself,
        Pattern::PREVIOUS => Key::NamePrevious,
        Pattern::NEXT => Key::NameNext,
        Pattern::FIRST => Key::NameFirst,
        Pattern::SameWord => Key::NameSameWord,
        Pattern::Induction => Key::TrainingInduction,
        _ => return None,
    })
}

/// Which heads share keys and values.
pub fn sharing(state: &State, language: Language) -> String {
    match (state.heads, state.kv_heads) {
        (1, _) => Key::SharingOne.text(language).to_owned(),
        (heads, kv_heads) if heads == kv_heads => Key::SharingNone.text(language).to_owned(),
        (_, 1) => Key::SharingAll.text(language).to_owned(),
        (heads, kv_heads) => {
            let count = heads / kv_heads.max(1);
            text::sharing_groups(language, &count, &groups(kv_heads, count, language))
        }
    }
}

/// The numbers of the heads in each group of so many: "1–2, 3–4", with those between left out where there are many.
fn groups(groups: usize, count: usize, language: Language) -> String {
    let one = |group: usize| format!("{}–{}", group * count + 1, (group + 1) * count);
    let comma = Key::ListComma.text(language);
    if groups <= MOST_GROUPS {
        return (0..groups).map(one).collect::<Vec<_>>().join(comma);
    }
    [one(0), one(1), "…".to_owned(), one(groups - 1)].join(comma)
}

/// The range of colours that "auto" stands for, as a mark and as it is said; both empty where another one is chosen.
pub fn range_in_force(
    run: &Run,
    chosen: ColourRange,
    language: Language,
) -> (&'static str, String) {
    let (range, name) = match run.range_in_force(chosen) {
        _ if chosen != ColourRange::Auto => return ("", String::new()),
        ColourRange::Head => (ColourRange::Head, Key::RangeHead),
        _ => (ColourRange::All, Key::RangeAll),
    };
    (range.name(), format!(" ({})", name.text(language)))
}

/// Name of a step's matrix.
pub fn step(step: StepKind, language: Language) -> &'static str {
    step.key().text(language)
}

/// The title of the large map: the step, and the head's name where it is not the same for every head.
pub fn map(run: &Run, shown: StepKind, of: usize, language: Language) -> String {
    match shown {
        shared if shared.scope() == HeadScope::Same => step(shared, language).to_owned(),
        _ => {
            let (name, head) = (step(shown, language), head(run, of, language));
            if is_part(shown, &run.state) {
                text::map_title(language, &text::step_part(language, &name), &head)
            } else {
                text::map_title(language, &name, &head)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::run::tests::computed;
    use crate::present::steps::Walk;
    use attention::text::teaching::ROLES;

    #[test]
    fn a_head_is_named_by_its_role_where_its_weights_show_it() {
        let name = |link: &str| head(&computed(link), 0, Language::En);
        assert_eq!(name("weights=teaching"), "head 1 · pronoun → noun");
        assert_eq!(name("weights=teaching&text=no+pronoun+here"), "head 1");
        assert_eq!(name("weights=random"), "head 1");
        let learned = "weights=learned&trained=1&text=the+fox&d_model=8";
        assert_eq!(name(&format!("{learned}&layer=1")), "layer 1, head 1");
        assert_eq!(name(&format!("{learned}&layers=1")), "head 1");
    }

    #[test]
    fn heads_that_share_keys_and_values_are_listed() {
        let said = |heads, kv_heads| {
            let state = State {
                heads,
                kv_heads,
                ..State::default()
            };
            sharing(&state, Language::En)
        };
        assert_eq!(
            said(6, 3),
            "grouped-query (GQA): 2 heads share each set: 1–2, 3–4, 5–6"
        );
        assert!(said(16, 4).ends_with(": 1–4, 5–8, 9–12, 13–16"));
        assert!(said(16, 8).ends_with(": 1–2, 3–4, …, 15–16"));
        assert!(!said(6, 6).contains('–') && !said(6, 1).contains('–'));
    }

    #[test]
    fn a_gradient_of_shared_keys_and_values_is_called_the_part_of_one_head() {
        let text = "The+animal+didn't+cross+the+street+because+it+was+too+tired.";
        let link = format!("weights=learned&trained=1&text={text}&d_model=8&heads=4");
        let [shared, own] = [2, 4].map(|kv_heads| computed(&format!("{link}&kv_heads={kv_heads}")));
        let others = Key::WhyPart.text(Language::En);
        let parts: Vec<StepKind> = (shared.steps.iter().copied())
            .filter(|kind| {
                let is_part = map(&shared, *kind, 1, Language::En).contains("this head’s part");
                assert_eq!(
                    Walk::new(&shared, *kind, 0, Language::En)
                        .says
                        .ends_with(others),
                    is_part
                );
                is_part
            })
            .collect();
        let expected = [
            StepKind::ValuesGradient,
            StepKind::KeysGradient,
            StepKind::KeyWeightsGradient,
            StepKind::ValueWeightsGradient,
        ];
        assert_eq!(parts, expected);
        for kind in expected {
            assert!(!map(&own, kind, 1, Language::En).contains("part"));
            assert!(!Walk::new(&own, kind, 0, Language::En).says.contains(others));
        }
    }

    #[test]
    fn no_line_of_a_narrow_name_ends_with_what_leads_on() {
        for language in Language::ALL {
            for own in ROLES {
                let name = format!("{} · {}", number(3, language), role(own, language));
                let narrow = unparted(&name);
                let lines: Vec<_> = narrow.split(' ').collect();
                assert!(
                    lines.iter().all(|line| !line.ends_with(['·', '→'])),
                    "{narrow}"
                );
                assert_eq!(narrow.replace('\u{a0}', " "), name);
            }
        }
    }

    #[test]
    fn the_map_of_a_step_that_all_heads_share_names_no_head() {
        let run = computed("");
        for kind in StepKind::ALL {
            for language in Language::ALL {
                let title = map(&run, kind, 2, language);
                let names_head = title.contains(&number(2, language));
                assert_eq!(names_head, kind.scope() != HeadScope::Same, "{title}");
                assert!(title.contains(step(kind, language)), "{title}");
            }
        }
    }
}
