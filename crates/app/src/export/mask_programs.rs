//! The mask of a setting as a rule in words, and as a program in each library's own way.

wasm_chunks::chunk!("code");

use crate::state::request_builder::{self, pads_rows};
use crate::state::{MaskPart, State};
use attention::Mask;
use masks::Axes;
use masks::dialect::{Program, Source, programs};
use masks::rule::parse;
use ndarray::Array4;

/// More cells than this are not written out.
const MOST_CELLS: usize = 1 << 16;

/// A mask in words and in programs.
#[derive(Clone, Debug, PartialEq)]
pub struct MaskPrograms {
    /// The rule in words; `None` where cells are painted, which no rule says.
    pub rule: Option<String>,
    /// A program for each library; none where the mask is too long to write.
    pub programs: Vec<Program>,
}

/// The mask of a state over so many queries and keys.
pub fn of_state(state: &State, (n, m): (usize, usize)) -> MaskPrograms {
    let axes = Axes {
        heads: state.heads,
        ..Axes::of_map(n, m)
    };
    let rule = state.paint.is_empty().then(|| words(state, (n, m)));
    let parsed = rule.as_deref().and_then(|rule| parse(rule).ok());
    let written = match &parsed {
        Some(rule) => programs(Source::Rule(rule), &axes),
        None if n * m > MOST_CELLS => {
            return MaskPrograms {
                rule,
                programs: Vec::new(),
            };
        }
        None => {
            let mask = request_builder::mask(state, m);
            programs(Source::Cells(&cells(&mask, n, m)), &axes)
        }
    };
    MaskPrograms {
        rule,
        programs: written.unwrap_or_default(),
    }
}

fn cells(mask: &Mask, n: usize, m: usize) -> Array4<bool> {
    Array4::from_shape_fn((1, 1, n, m), |(_, _, query, key)| {
        request_builder::is_visible(mask, query, key)
    })
}

/// The mask's parts as a rule, as it would be typed.
fn words(state: &State, shape: (usize, usize)) -> String {
    let is_on = |part| state.masks.contains(part);
    let shows = |part| match part {
        MaskPart::Local => Some(format!("window {}", state.window)),
        MaskPart::Strided => Some(format!("dilated {}", state.stride)),
        MaskPart::First => Some(format!("first {}", state.first)),
        MaskPart::Causal | MaskPart::Padding => None,
    };
    let is_sparse = is_on(MaskPart::Local) || is_on(MaskPart::Strided);
    let any: Vec<String> = state.masks.iter().filter_map(shows).collect();
    let own = request_builder::own_rule(&state.rule, shape).is_ok_and(|mask| !mask.is_full());
    let all = [
        is_on(MaskPart::Causal).then(|| "causal".to_owned()),
        is_on(MaskPart::Padding).then(|| format!("padding {}", state.valid)),
        pads_rows(state).then(|| format!("q < {}", state.valid)),
        is_sparse.then(|| in_brackets(&any, " or ")),
        own.then(|| format!("({})", state.rule.trim())),
    ];
    let all: Vec<String> = all.into_iter().flatten().collect();
    if all.is_empty() {
        return "all".to_owned();
    }
    all.join(" and ")
}

/// One as it is, several in brackets.
fn in_brackets(parts: &[String], by: &str) -> String {
    match parts {
        [only] => only.clone(),
        _ => format!("({})", parts.join(by)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::url;

    fn programs(link: &str) -> MaskPrograms {
        let state = url::parse(link).0;
        let shape = request_builder::lengths(&state);
        of_state(&state, shape)
    }

    #[test]
    fn the_words_of_a_setting_make_its_mask_again() {
        for link in [
            "text=a+b+c+d+e+f+g",
            "text=a+b+c+d+e+f+g&mask=causal,padding,local,strided,first&window=1&stride=3&first=2&valid=5",
            "text=a+b+c+d+e+f+g&mask=padding&valid=4&pad_rows=1",
            "text=a+b+c+d+e+f+g&mask=local&window=2&rule=not+first+1+or+q+%3D%3D+k",
            "text=a+b&source=a+b+c+d&rule=causal+end",
        ] {
            let state = url::parse(link).0;
            let (n, m) = request_builder::lengths(&state);
            let words = words(&state, (n, m));
            let rule = parse(&words).unwrap_or_else(|error| panic!("{words}: {error}"));
            let again = rule.mask(&Axes::of_map(n, m)).expect("it fits");
            let mask = request_builder::mask(&state, m);
            for (query, key) in (0..n).flat_map(|query| (0..m).map(move |key| (query, key))) {
                let is_seen = |mask: &Mask| request_builder::is_visible(mask, query, key);
                assert_eq!(is_seen(&again), is_seen(&mask), "{words}: {query}, {key}");
            }
        }
    }

    #[test]
    fn every_library_has_a_program_or_says_that_it_has_no_call() {
        let causal = programs("text=a+b+c&mask=causal");
        assert_eq!(causal.rule.as_deref(), Some("causal"));
        assert_eq!(causal.programs.len(), masks::dialect::Library::ALL.len());
        let mut state = url::parse("text=a+b+c&mask=causal").0;
        state.paint.set(0, 2, Some(true));
        let painted = of_state(&state, (3, 3));
        assert_eq!(painted.rule, None);
        let numpy = painted.programs[0].code.as_deref().unwrap_or_default();
        assert!(numpy.contains("(0, 2, 3)"), "{numpy}");
    }
}
