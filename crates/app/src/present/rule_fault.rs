//! Why a rule in words hides nothing, as a sentence.

use crate::i18n::{Key, Language, text};
use crate::state::request_builder::RuleFault;
use masks::Axis;
use masks::rule::{Expected, MOST_CHARACTERS, MaskError, Problem, RuleError};

/// The sentence.
pub fn sentence(language: Language, fault: &RuleFault) -> String {
    match fault {
        RuleFault::Text(error) => {
            let (place, problem) = (place(language, error), problem(language, &error.problem));
            text::rule_fault(language, &place, &problem)
        }
        RuleFault::Map(error) => misfit(language, error),
        RuleFault::Heads => Key::RuleHeads.text(language).to_owned(),
    }
}

/// Places count from 1.
fn place(language: Language, error: &RuleError) -> String {
    let (start, end) = (error.at.start, error.at.end);
    match end.saturating_sub(start) {
        0 => Key::RuleAtEnd.text(language).to_owned(),
        1 => text::rule_at(language, &end),
        _ => text::rule_from_to(language, &(start + 1), &end),
    }
}

fn problem(language: Language, problem: &Problem) -> String {
    let key = match problem {
        Problem::TooLong { .. } => return text::rule_too_long(language, &MOST_CHARACTERS),
        Problem::UnknownCharacter(character) => return text::rule_character(language, character),
        Problem::UnknownWord(word) => return text::rule_word(language, word),
        Problem::NumberTooLarge { most } => return text::rule_most(language, most),
        Problem::NumberTooSmall { least } => return text::rule_least(language, least),
        Problem::TooDeep => Key::RuleTooDeep,
        Problem::TooManyParts => Key::RuleTooMany,
        Problem::Expected(expected) => expected_key(*expected),
        Problem::Unclosed => Key::RuleUnclosed,
        Problem::JoinsNumbers => Key::RuleJoins,
        Problem::Fraction => Key::RuleFraction,
    };
    key.text(language).to_owned()
}

const fn expected_key(expected: Expected) -> Key {
    match expected {
        Expected::Operand => Key::RuleOperand,
        Expected::Operator => Key::RuleOperator,
        Expected::Number => Key::RuleWhole,
        Expected::Condition => Key::RuleCondition,
        Expected::Value => Key::RuleValue,
        Expected::Kernel => Key::RuleKernel,
        Expected::FourNames => Key::RuleNamesFour,
        Expected::Return => Key::RuleReturn,
    }
}

fn misfit(language: Language, error: &MaskError) -> String {
    let (sum, axis, length) = match error {
        MaskError::LengthsDoNotSum { sum, axis, length } => (*sum, axis, length),
        MaskError::PictureDoesNotFit {
            width,
            height,
            axis,
            length,
        } => (u64::from(*width) * u64::from(*height), axis, length),
        MaskError::TooManyCells { .. } | MaskError::TooManySteps { .. } => {
            return Key::RuleCells.text(language).to_owned();
        }
    };
    match axis {
        Axis::Queries => text::rule_lengths_queries(language, &sum, length),
        _ => text::rule_lengths_keys(language, &sum, length),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::request_builder::own_rule;

    fn said(rule: &str, language: Language) -> String {
        sentence(language, &own_rule(rule, (5, 7)).expect_err("a fault"))
    }

    #[test]
    fn a_fault_names_its_place_and_what_is_wrong_there() {
        let english = |rule| said(rule, Language::En);
        assert_eq!(
            english("causal and windw 3"),
            "Characters 12 to 16: “windw” is neither a rule nor a name."
        );
        assert_eq!(english("window"), "At the end: expected a whole number.");
        assert_eq!(
            english("documents 3, 4"),
            "The lengths add up to 7, but there are 5 queries."
        );
        assert!(english("h < 2").starts_with("One mask serves all heads"));
    }

    #[test]
    fn every_fault_is_a_whole_sentence_in_every_language() {
        for rule in [
            "windw",
            "q <",
            "q & 1 < 2",
            "q / 2 < 1",
            "(causal",
            "image 2×2",
            "$",
            "q",
        ] {
            for language in Language::ALL {
                let said = said(rule, language);
                assert!(
                    said.ends_with(['.', '。']) && !said.contains(['{', '}']),
                    "{said}"
                );
            }
        }
    }
}
