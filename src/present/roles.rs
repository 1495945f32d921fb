//! What a hand-built head is built for, whether the weights of this run show it, and what is said of the head.

use super::head_patterns::{Scene, label};
use super::run::Run;
use super::{learned, names};
use crate::i18n::{Key, Language, text};
use crate::state::{Origin, PositionKind, ScoringKind, State};
use attention::analysis::{EVEN, HALF, Mean, Places, Rows, entropy_share};
use attention::text::teaching::{Aim, ROLES, Role, Sentence};

/// Tokens from which on the encoding's fast frequencies nearly repeat.
const LONG: usize = 64;

/// What a head is built for; `None` where heads are not built by hand.
pub fn built(state: &State, head: usize) -> Option<Role> {
    let role = ROLES.get(head).filter(|_| head < state.heads)?;
    (state.origin == Origin::Teaching).then_some(*role)
}

/// What is said of a hand-built head: its role where its weights show it, otherwise what they show and what it is built for; and of a
/// learned one what it does on average.
pub fn caption(run: &Run, head: usize, language: Language) -> Option<String> {
    if let Some(layer) = run.learned() {
        return learned::role(layer, run.thumbnail(head), language);
    }
    let role = built(&run.state, head)?;
    if !run.shows_role(head) {
        return Some(missed(run, head, role, language));
    }
    let said = statement(role).text(language);
    let is_blurred = role.needs_positions() && run.keys.len() > LONG;
    Some(if is_blurred {
        text::role_repeats(language, &said)
    } else {
        said.to_owned()
    })
}

/// The same in a few words: "previous token", or what the weights show instead.
pub fn short(run: &Run, head: usize, language: Language) -> Option<String> {
    if let Some(layer) = run.learned() {
        return learned::role(layer, run.thumbnail(head), language);
    }
    let role = built(&run.state, head)?;
    Some(if run.shows_role(head) {
        names::role(role, language).to_owned()
    } else {
        shown_instead(run, head, language)
    })
}

fn missed(run: &Run, head: usize, role: Role, language: Language) -> String {
    let (shown, name) = (
        shown_instead(run, head, language),
        names::role(role, language),
    );
    match obstacle(run, head, role, language) {
        Some(why) => text::role_missed_why(language, &shown, &name, &why),
        None => text::role_missed(language, &shown, &name),
    }
}

fn shown_instead(run: &Run, head: usize, language: Language) -> String {
    label(language, run.reading(head), Scene::from_run(run))
}

/// What keeps a head from its work, where a setting does.
fn obstacle(run: &Run, head: usize, role: Role, language: Language) -> Option<String> {
    let state = &run.state;
    let owner = head - head % (state.heads / state.kv_heads.max(1)).max(1);
    let key = match state.positions {
        _ if state.linformer => Key::RoleWhyLinformer,
        _ if state.scoring == ScoringKind::Additive => Key::RoleWhyAdditive,
        _ if owner != head => return Some(text::role_why_shared(language, &(owner + 1))),
        PositionKind::Sinusoidal if role.needs_positions() && state.second.is_some() => {
            Key::RoleWhyPair
        }
        PositionKind::Sinusoidal => return None,
        _ if role.needs_positions() => Key::RoleWhyPositions,
        PositionKind::Rotary => Key::RoleWhyRotary,
        PositionKind::None | PositionKind::Alibi => return None,
    };
    Some(key.text(language).to_owned())
}

fn statement(role: Role) -> Key {
    match role {
        Role::PronounToNoun => Key::RolePronounToNoun,
        Role::Previous => Key::RolePrevious,
        Role::SameWord => Key::RoleSameWord,
        Role::First => Key::RoleFirst,
        Role::Next => Key::RoleNext,
        Role::Nouns => Key::RoleNouns,
        Role::Itself => Key::RoleItself,
        Role::ModifierToNoun => Key::RoleModifierToNoun,
    }
}

/// For each head whether its weights show what it is built for.
pub(super) fn shown(run: &Run) -> Vec<bool> {
    let is_pair = run.state.second.is_some();
    let queries = Sentence::new(&run.queries, is_pair);
    let other = is_pair.then(|| Sentence::new(&run.keys, is_pair));
    let has_words = run.places() != Places::None;
    let shows = |head| {
        let Some(role) = built(&run.state, head).filter(|_| has_words) else {
            return false;
        };
        let mut tally = Tally::default();
        run.with_rows(head, |rows| {
            for query in 0..rows.queries() {
                let aim = role.aim(&queries, other.as_ref(), query);
                tally.add(rows, query, &aim, role == Role::SameWord && !is_pair);
            }
        });
        tally.holds()
    };
    (0..run.heads()).map(shows).collect()
}

/// What a head does with the rows that have a choice.
#[derive(Default)]
struct Tally {
    /// Weight on the wanted keys, of rows that leave at least as many others to look at.
    keys: Mean,
    /// Weight on the first token, of rows that are to rest there.
    rest: Mean,
    /// Share of rows that are spread evenly, of those that should be.
    even: Mean,
}

impl Tally {
    /// Counts a row. `is_only_again` leaves out words that do not occur again.
    fn add(&mut self, rows: &Rows<'_>, query: usize, aim: &Aim, is_only_again: bool) {
        let (seen, total) = (rows.visible().count(query), rows.total(query));
        if seen < 2 || total <= 0.0 {
            return;
        }
        let weight = |key: &usize| rows.row(query).get(*key).copied().map_or(0.0, f64::from);
        let share = |keys: &[usize]| keys.iter().map(weight).sum::<f64>() / total;
        match aim {
            Aim::Keys(keys) if is_only_again && keys.len() < 2 => {}
            Aim::Keys(keys) if 2 * keys.len() > seen => {}
            Aim::Keys(keys) => self.keys.add(share(keys)),
            Aim::Rest => self.rest.add(share(&[0])),
            Aim::Evenly => {
                let is_even = entropy_share(rows, query).is_some_and(|share| share >= EVEN);
                self.even.add(f64::from(u8::from(is_even)));
            }
            Aim::Anything => {}
        }
    }

    /// Whether half of the weight is where it should be, and three quarters of the other rows do what they should.
    fn holds(&self) -> bool {
        self.keys.value().is_some_and(|share| share >= HALF)
            && self.rest.value().is_none_or(|share| share >= HALF)
            && self.even.value().is_none_or(|share| share >= 0.75)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::reading::{Look, look};
    use crate::present::run::tests::computed;
    use crate::state::presets;

    const ANGRY: &str = "text=Mary+kicked+the+ball+because+she+was+angry&heads=8&";

    /// What is said of a head of a link in English; the head counts from 1.
    fn said(link: &str, head: usize) -> String {
        let run = computed(link);
        caption(&run, head - 1, Language::En).expect("a hand-built head")
    }

    fn angry(settings: &str, head: usize) -> String {
        said(&format!("{ANGRY}{settings}"), head)
    }

    #[test]
    fn a_role_is_said_where_the_weights_show_it() {
        let statements = ROLES.map(|role| statement(role).text(Language::En).to_owned());
        let text = "text=The+big+animal+saw+the+street+because+it+was+tired&heads=8";
        let found = [1, 2, 3, 4, 5, 6, 7, 8].map(|head| said(text, head));
        assert_eq!(found, statements);
    }

    #[test]
    fn the_next_token_that_a_mask_hides_is_not_looked_at() {
        assert_eq!(
            angry("mask=causal", 5),
            "looks at itself (built for: next token)"
        );
    }

    #[test]
    fn a_mixture_is_no_token() {
        for head in 1..=8 {
            let found = angry("linformer=1", head);
            assert!(
                found.ends_with("; but columns are mixtures of tokens here)"),
                "{found}"
            );
        }
        assert!(angry("linformer=1", 4).starts_with("one key: “"));
    }

    #[test]
    fn a_head_without_room_is_not_said_to_do_its_work() {
        assert_eq!(
            angry("d_k=1&d_model=4", 2),
            "spread evenly (built for: previous token)"
        );
    }

    #[test]
    fn a_high_temperature_leaves_no_role() {
        assert_eq!(
            angry("temperature=10", 2),
            "no clear pattern (built for: previous token)"
        );
    }

    #[test]
    fn rotary_positions_spoil_what_is_compared() {
        let found = angry("positions=rotary", 8);
        assert!(
            found.ends_with("(built for: modifier → noun; needs sinusoidal positions)"),
            "{found}"
        );
        for head in [3, 6] {
            let run = computed(&format!("{ANGRY}positions=rotary"));
            let found = angry("positions=rotary", head);
            let why = Key::RoleWhyRotary.text(Language::En);
            assert_eq!(!run.shows_role(head - 1), found.contains(why), "{found}");
        }
    }

    #[test]
    fn what_is_said_holds_for_the_rows_that_a_role_is_not_made_for() {
        let run = computed(&format!("{ANGRY}head=8"));
        assert!(matches!(look(&run, 7, 3), Look::At(0, weight) if weight > 0.5));
        let found = angry("", 8);
        assert_eq!(found, Key::RoleModifierToNoun.text(Language::En));
        assert!(found.ends_with("other words rest on the first token."));
    }

    #[test]
    fn between_two_texts_no_token_is_before_another() {
        let found = angry("source=Mary+saw+the+ball+and+she+was+tired", 2);
        assert_eq!(
            found,
            "query i → key i − 1 (built for: previous token; needs one text)"
        );
    }

    #[test]
    fn a_long_text_says_that_places_repeat() {
        let words: Vec<String> = (0..238).map(|at| format!("w{at}")).collect();
        let link = format!("heads=8&text={}", words.join("+"));
        let run = computed(&link);
        for head in [2, 4, 5, 7] {
            let found = said(&link, head);
            let repeats = found.contains("nearly the same");
            assert_eq!(repeats, run.shows_role(head - 1), "{found}");
            assert!(repeats || found.contains("(built for: "), "{found}");
        }
        assert!(said(&link, 2).contains("nearly the same"));
    }

    #[test]
    fn a_head_that_shares_keys_says_whose() {
        assert!(
            angry("kv_heads=2", 2)
                .ends_with("(built for: previous token; but it shares the keys of head 1)")
        );
    }

    #[test]
    fn without_repeated_words_a_head_is_not_said_to_link_them() {
        assert_eq!(
            said("text=the+cat+sat+down", 3),
            "looks at itself (built for: same word)"
        );
        assert_eq!(
            said("text=the+cat+sat+down", 1),
            "spread evenly (built for: pronoun → noun)"
        );
    }

    #[test]
    fn only_hand_built_heads_have_a_role() {
        let random = computed("weights=random");
        assert_eq!(caption(&random, 0, Language::En), None);
        assert_eq!(short(&random, 0, Language::En), None);
        assert_eq!(built(&State::default(), 4), None, "no such head");
    }

    #[test]
    fn every_preset_opens_on_a_head_that_does_its_work_and_a_row_that_shows_it() {
        for preset in presets::all() {
            let mut link = format!("text={}&{}", preset.text, preset.settings);
            if let Some(source) = preset.source {
                link = format!("{link}&source={source}");
            }
            let run = computed(&link.replace(' ', "+"));
            let row = run.state.cell.expect("a row").query;
            let role = short(&run, run.state.head, Language::En);
            assert!(
                run.shows_role(run.state.head) || run.learned().is_some() && role.is_some(),
                "{}",
                preset.id
            );
            let keys = run.keys.len() as f32;
            assert!(
                matches!(look(&run, run.state.head, row), Look::At(_, weight) if weight * keys > 2.5),
                "{}: {:.2?}",
                preset.id,
                run.row(run.state.head, row)
            );
        }
    }
}
