//! Texts about tensors: how they were read, and why not.

use super::{AxisTransform, Part, Role};
use crate::i18n::number;
use crate::i18n::{Key, Language, fill, say};
use crate::state::imported::Refusal;
use crate::state::imported::warnings::Remark;
use formats::Tensor;

/// What a role is called: its letter.
pub const fn role(role: Role) -> &'static str {
    match role {
        Role::Q => "Q",
        Role::K => "K",
        Role::V => "V",
        Role::Queries => "X",
        Role::KeysValues => "Y",
        Role::WQ => "W_Q",
        Role::WK => "W_K",
        Role::WV => "W_V",
        Role::WO => "W_O",
        Role::Fused => "W_QKV",
        Role::BQ => "b_Q",
        Role::BK => "b_K",
        Role::BV => "b_V",
        Role::BO => "b_O",
        Role::FusedBias => "b_QKV",
        Role::WA => "w_a",
        Role::Weights => "A",
    }
}

/// What the axes of a role are, e.g. "heads × queries × d_k".
pub fn axes(language: Language, role: Role) -> &'static str {
    say(
        language,
        match role {
            Role::Q => Key::AxesQ,
            Role::K => Key::AxesK,
            Role::V => Key::AxesV,
            Role::Queries => Key::AxesX,
            Role::KeysValues => Key::AxesY,
            Role::WQ => Key::AxesWQ,
            Role::WK => Key::AxesWK,
            Role::WV => Key::AxesWV,
            Role::WO => Key::AxesWO,
            Role::Fused => Key::AxesWQkv,
            Role::WA => Key::AxesWA,
            Role::Weights => Key::AxesA,
            Role::BQ | Role::BK | Role::BV | Role::BO | Role::FusedBias => Key::AxesBias,
        },
    )
}

/// A shape as it is read: "[4, 11, 16]".
pub fn shape(shape: &[usize]) -> String {
    let lengths: Vec<String> = shape.iter().map(usize::to_string).collect();
    format!("[{}]", lengths.join(", "))
}

/// What was done to a tensor.
pub fn how(language: Language, how: AxisTransform) -> String {
    let with = |key, count: usize| fill(language, key, &[("heads", &count.to_string())]);
    match how {
        AxisTransform::Batch => say(language, Key::HowBatch).to_owned(),
        AxisTransform::Turned => say(language, Key::HowTurned).to_owned(),
        AxisTransform::RowsFirst => say(language, Key::HowRowsFirst).to_owned(),
        AxisTransform::Thirds => say(language, Key::HowThirds).to_owned(),
        AxisTransform::Split(heads) => with(Key::HowSplit, heads),
        AxisTransform::Joined(heads) => with(Key::HowJoined, heads),
    }
}

/// "“queries” [1, 4, 11, 16]; its batch of one was opened: [4, 11, 16] = heads × queries × d_k".
pub fn part(language: Language, part: &Part, tensors: &[Tensor]) -> String {
    let Some(tensor) = tensors.get(part.tensor) else {
        return String::new();
    };
    let found = shape(&tensor.shape);
    let values = [("name", tensor.name.as_str()), ("shape", &found)];
    let said = fill(language, Key::OpenedName, &values);
    let said = part.how.iter().fold(said, |said, one| {
        let how = how(language, *one);
        fill(language, Key::OpenedHow, &[("said", &said), ("how", &how)])
    });
    let becomes = shape(&part.shape);
    let axes = axes(language, part.role);
    let values = [("said", said.as_str()), ("shape", &becomes), ("axes", axes)];
    if becomes == found {
        fill(language, Key::OpenedIs, &[values[0], values[2]])
    } else {
        fill(language, Key::OpenedBecomes, &values)
    }
}

/// Why numbers were refused, and what to do about it.
pub fn refusal(language: Language, refusal: &Refusal) -> String {
    let (key, values) = told(refusal);
    let values: Vec<(&str, &str)> = values
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    fill(language, key, &values)
}

/// The sentence of a refusal, and what stands in it.
fn told(refusal: &Refusal) -> (Key, Vec<(&'static str, String)>) {
    let name = |tensor: &String| ("name", tensor.clone());
    let found = |lengths: &[usize]| ("found", shape(lengths));
    let letters = |axes: &str| ("axes", axes.to_owned());
    match refusal {
        Refusal::Empty { tensor } => (Key::RefusedEmpty, vec![name(tensor)]),
        Refusal::TooLong {
            tensor,
            axis,
            length,
            most,
        } => {
            let axis = ("axis", (*axis).to_owned());
            let lengths = [("length", length.to_string()), ("most", most.to_string())];
            let values = [name(tensor), axis].into_iter().chain(lengths);
            (Key::RefusedLong, values.collect())
        }
        Refusal::TooMany { numbers, most } => {
            let values = vec![("count", numbers.to_string()), ("most", most.to_string())];
            (Key::RefusedMany, values)
        }
        Refusal::NotFinite { tensor, at } => (
            Key::RefusedNotFinite,
            vec![name(tensor), ("place", shape(at))],
        ),
        Refusal::Shape {
            tensor,
            found: lengths,
            wanted,
            axes,
        } => {
            let wanted = ("wanted", shape(wanted));
            let values = vec![name(tensor), found(lengths), wanted, letters(axes)];
            (Key::RefusedShape, values)
        }
        Refusal::Axes {
            tensor,
            found: lengths,
            axes,
        } => {
            let values = vec![name(tensor), found(lengths), letters(axes)];
            (Key::RefusedAxes, values)
        }
        Refusal::Batch {
            tensor,
            found: lengths,
            entries,
        } => {
            let values = vec![name(tensor), found(lengths), ("count", entries.to_string())];
            (Key::RefusedBatch, values)
        }
        Refusal::Heads {
            tensor,
            heads,
            width,
        } => {
            let heads = ("heads", heads.to_string());
            let values = vec![name(tensor), heads, ("width", width.to_string())];
            (Key::RefusedHeads, values)
        }
        Refusal::KvHeads { heads, kv_heads } => {
            let values = [("heads", heads), ("count", kv_heads)];
            let values = values.map(|(name, count)| (name, count.to_string()));
            (Key::RefusedKvHeads, values.into())
        }
        Refusal::Missing { letter } => (Key::RefusedMissing, vec![("name", letter.to_string())]),
        Refusal::Packed => (Key::RefusedPacked, Vec::new()),
    }
}

/// Something that is worth saying of finished weights.
pub fn remark(language: Language, remark: Remark) -> String {
    let (key, count, worst) = match remark {
        Remark::Sums { rows: 1, worst } => (Key::RemarkSumsOne, 1, worst),
        Remark::Sums { rows, worst } => (Key::RemarkSums, rows, worst),
        Remark::Negative { cells: 1 } => (Key::RemarkNegativeOne, 1, 0.0),
        Remark::Negative { cells } => (Key::RemarkNegative, cells, 0.0),
        Remark::Empty { rows: 1 } => (Key::RemarkEmptyOne, 1, 0.0),
        Remark::Empty { rows } => (Key::RemarkEmpty, rows, 0.0),
        Remark::Causal => return say(language, Key::RemarkCausal).to_owned(),
    };
    let (count, worst) = (count.to_string(), number::short(worst as f32));
    let values = [("count", count.as_str()), ("worst", &worst)];
    match remark {
        Remark::Sums { .. } => fill(language, key, &values),
        _ => fill(language, key, &values[..1]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sentence_is_whole_in_every_language() {
        let tensor = || "w_q".to_owned();
        let refusals = [
            Refusal::Empty { tensor: tensor() },
            Refusal::TooLong {
                tensor: tensor(),
                axis: "n",
                length: 2000,
                most: 1024,
            },
            Refusal::TooMany {
                numbers: 9,
                most: 8,
            },
            Refusal::NotFinite {
                tensor: tensor(),
                at: vec![1, 2],
            },
            Refusal::Shape {
                tensor: tensor(),
                found: vec![1, 2],
                wanted: vec![3],
                axes: "n, m",
            },
            Refusal::Axes {
                tensor: tensor(),
                found: vec![1],
                axes: "n, m",
            },
            Refusal::Batch {
                tensor: tensor(),
                found: vec![7, 1, 1, 1],
                entries: 7,
            },
            Refusal::Heads {
                tensor: tensor(),
                heads: 3,
                width: 8,
            },
            Refusal::KvHeads {
                heads: 3,
                kv_heads: 2,
            },
            Refusal::Missing { letter: "W_Q" },
            Refusal::Packed,
        ];
        let hows = [
            AxisTransform::Batch,
            AxisTransform::Turned,
            AxisTransform::RowsFirst,
            AxisTransform::Split(4),
            AxisTransform::Joined(4),
            AxisTransform::Thirds,
        ];
        let remarks = [
            Remark::Sums {
                rows: 3,
                worst: 1.5,
            },
            Remark::Sums {
                rows: 1,
                worst: 1.5,
            },
            Remark::Negative { cells: 1 },
            Remark::Negative { cells: 2 },
            Remark::Empty { rows: 1 },
            Remark::Empty { rows: 2 },
            Remark::Causal,
        ];
        for language in Language::ALL {
            let tensors = [Tensor::new("q", vec![1, 2], vec![0.0; 2])];
            let mut said: Vec<String> = refusals.iter().map(|one| refusal(language, one)).collect();
            said.extend(remarks.map(|one| remark(language, one)));
            said.extend(Role::ALL.map(|role| {
                let (tensor, how) = (0, hows.to_vec());
                let shape = vec![2];
                let part = Part {
                    role,
                    tensor,
                    how,
                    shape,
                };
                super::part(language, &part, &tensors)
            }));
            for said in said {
                assert!(!said.is_empty() && !said.contains(['{', '}']), "{said}");
            }
        }
    }
}
