//! Texts about tensors: how they were read, and why not.

use super::{
    AssignedTensor, AxisTransform, FileSetting, HeadsAsked, Line, Role, TensorAssignment, Why,
};
use crate::i18n::number;
use crate::i18n::{Key, Language, text};
use crate::state::PositionKind;
use crate::state::imported::Refusal;
use crate::state::imported::warnings::Remark;
use formats::Tensor;

/// Name of a role: its letter.
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
        Role::FusedKV => "W_KV",
        Role::BQ => "b_Q",
        Role::BK => "b_K",
        Role::BV => "b_V",
        Role::BO => "b_O",
        Role::FusedBias => "b_QKV",
        Role::FusedKVBias => "b_KV",
        Role::WA => "w_a",
        Role::Weights => "A",
    }
}

/// Axes of a role, e.g. "heads × queries × d_k".
pub fn axes(language: Language, role: Role) -> &'static str {
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
        Role::FusedKV => Key::AxesWKv,
        Role::WA => Key::AxesWA,
        Role::Weights => Key::AxesA,
        Role::BQ | Role::BK | Role::BV | Role::BO | Role::FusedBias | Role::FusedKVBias => {
            Key::AxesBias
        }
    }
    .text(language)
}

/// Axes that a refusal names by their letters, in words: "n, m" as "queries × keys". Letters of sizes stay.
fn axes_in_words(language: Language, letters: &str) -> String {
    let word = |letter| match letter {
        "h" | "heads" => Key::RefusedAxisHeads.text(language),
        "kv_heads" => Key::RefusedAxisKvHeads.text(language),
        "n" => Key::RefusedAxisQueries.text(language),
        "m" => Key::RefusedAxisKeys.text(language),
        size => size,
    };
    let words: Vec<&str> = letters.split(", ").map(word).collect();
    words.join(" × ")
}

/// A shape as it is read: "[4, 11, 16]".
pub fn shape(shape: &[usize]) -> String {
    let lengths: Vec<String> = shape.iter().map(usize::to_string).collect();
    format!("[{}]", lengths.join(", "))
}

/// Describes a transform of a tensor.
pub fn how(language: Language, how: AxisTransform) -> String {
    match how {
        AxisTransform::Batch => Key::HowBatch.text(language).to_owned(),
        AxisTransform::Entry { at, of } => text::how_entry(language, &(at + 1), &of),
        AxisTransform::Turned => Key::HowTurned.text(language).to_owned(),
        AxisTransform::RowsFirst => Key::HowRowsFirst.text(language).to_owned(),
        AxisTransform::Thirds => Key::HowThirds.text(language).to_owned(),
        AxisTransform::ThirdsByHead(heads) => text::how_thirds_by_head(language, &heads),
        AxisTransform::Halves => Key::HowHalves.text(language).to_owned(),
        AxisTransform::Emptied(1) => Key::HowEmptiedOne.text(language).to_owned(),
        AxisTransform::Emptied(rows) => text::how_emptied(language, &rows),
        AxisTransform::Split(heads) => text::how_split(language, &heads),
        AxisTransform::Joined(heads) => text::how_joined(language, &heads),
    }
}

/// "“queries” [1, 4, 11, 16]; its batch of one was opened: [4, 11, 16] = heads × queries × d_k".
pub fn part(language: Language, part: &AssignedTensor, tensors: &[Tensor]) -> String {
    let Some(tensor) = tensors.get(part.tensor) else {
        return String::new();
    };
    let found = shape(&tensor.shape);
    let said = text::opened_name(language, &tensor.name, &found);
    let said = part.how.iter().fold(said, |said, one| {
        let how = how(language, *one);
        text::opened_how(language, &said, &how)
    });
    let becomes = shape(&part.shape);
    let axes = axes(language, part.role);
    if becomes == found {
        text::opened_is(language, &said, &axes)
    } else {
        text::opened_becomes(language, &said, &becomes, &axes)
    }
}

/// Describes the use of a tensor: how it is read, or why it is not shown.
pub fn line(language: Language, line: &Line, tensors: &[Tensor]) -> String {
    let named = |tensor: usize, count: usize| {
        let Some(own) = tensors.get(tensor) else {
            return String::new();
        };
        let named = text::opened_name(language, &own.name, &shape(&own.shape));
        match count {
            0 | 1 => named,
            _ => text::listed_more(language, &named, &(count - 1)),
        }
    };
    match line {
        Line::Part(own) => part(language, own, tensors),
        Line::Role { role, tensor } => {
            text::opened_is(language, &named(*tensor, 1), &axes(language, *role))
        }
        Line::Other { tensor, count, .. } => text::listed_other(language, &named(*tensor, *count)),
        Line::Setting { setting, tensor } => {
            let becomes = match setting {
                FileSetting::Causal => Key::ListedCausal,
                FileSetting::Mask(_) => Key::ListedMask,
                FileSetting::Positions(PositionKind::Rotary | PositionKind::RotaryHalves) => {
                    Key::ListedRotary
                }
                FileSetting::Positions(PositionKind::Alibi) => Key::ListedAlibi,
                FileSetting::Positions(_) => Key::ListedSinusoidal,
                FileSetting::AlignedLast => Key::ListedAligned,
                FileSetting::Unscaled => Key::ListedUnscaled,
                FileSetting::Temperature(_) => Key::ListedTemperature,
                FileSetting::Hiding(_) => Key::ListedHiding,
                FileSetting::Linformer { .. } => Key::ListedLinformer,
                FileSetting::Additive => Key::ListedAdditive,
            };
            text::opened_how(language, &named(*tensor, 1), &becomes.text(language))
        }
        Line::Unused { tensor, count } => named(*tensor, *count),
    }
}

/// Explains the assignment of the tensors.
pub fn why(language: Language, reading: &TensorAssignment, tensors: &[Tensor]) -> String {
    let key = match reading.why {
        Why::Name(tensor) => {
            let name = tensors.get(tensor).map_or("", |own| &own.name);
            return text::why_name(language, &name);
        }
        Why::Saved => Key::WhySaved,
        Why::Sums => Key::WhySums,
        Why::Fractions => Key::WhyFractions,
        Why::Axes => Key::WhyAxes,
        Why::Alike => Key::WhyAlike,
        Why::Rows => Key::WhyRows,
        Why::Chosen => Key::WhyChosen,
    };
    key.text(language).to_owned()
}

/// Source of the number of heads, or that the user has to enter it.
pub fn heads_note(language: Language, asked: HeadsAsked, tensors: &[Tensor]) -> String {
    let said = asked.said.and_then(|(_, tensor)| tensors.get(tensor));
    match (said, asked.group) {
        (Some(tensor), _) => text::heads_said(language, &tensor.name),
        (None, 1) => Key::HeadsUnsaid.text(language).to_owned(),
        (None, group) => text::heads_grouped(language, &group),
    }
}

/// Why numbers were refused, and what to do about it.
pub fn refusal(language: Language, refusal: &Refusal) -> String {
    match refusal {
        Refusal::Empty { tensor } => text::refused_empty(language, tensor),
        Refusal::TooLong {
            tensor,
            axis,
            length,
            most,
        } => {
            let axis = axes_in_words(language, axis);
            text::refused_long(language, tensor, length, &axis, most)
        }
        Refusal::TooMany { numbers, most } => text::refused_many(language, numbers, most),
        Refusal::NotFinite { tensor, at } => text::refused_not_finite(language, tensor, &shape(at)),
        Refusal::Shape {
            tensor,
            found,
            wanted,
            axes,
        } => {
            let axes = axes_in_words(language, axes);
            text::refused_shape(language, tensor, &shape(found), &shape(wanted), &axes)
        }
        Refusal::Axes {
            tensor,
            found,
            axes,
        } => {
            let axes = axes_in_words(language, axes);
            text::refused_axes(language, tensor, &shape(found), &axes)
        }
        Refusal::Batch {
            tensor,
            found,
            entries,
        } => text::refused_batch(language, tensor, &shape(found), entries),
        Refusal::Heads {
            tensor,
            heads,
            width,
        } => text::refused_heads(language, heads, width, tensor),
        Refusal::KvHeads { heads, kv_heads } => text::refused_kv_heads(language, kv_heads, heads),
        Refusal::Missing { letter } => text::refused_missing(language, letter),
        Refusal::Packed => Key::RefusedPacked.text(language).to_owned(),
    }
}

/// The most decimals of a sum that is not quite 1.
const MOST_DECIMALS: i32 = 7;

/// A sum that is not 1, with two of the digits in which it differs: 1.0015.
fn sum(worst: f64) -> String {
    let differs = -(worst - 1.0).abs().log10().floor() as i32;
    if !(1..MOST_DECIMALS).contains(&differs) {
        return number::short(worst as f32);
    }
    let digits = format!("{worst:.*}", differs as usize + 1);
    digits.trim_end_matches('0').to_owned()
}

/// Something that is worth saying of finished weights.
pub fn remark(language: Language, remark: Remark) -> String {
    let plain = |key: Key| key.text(language).to_owned();
    match remark {
        Remark::Sums { rows, worst } => {
            let worst = sum(worst);
            match rows {
                1 => text::remark_sums_one(language, &worst),
                _ => text::remark_sums(language, &rows, &worst),
            }
        }
        Remark::Negative { cells: 1 } => plain(Key::RemarkNegativeOne),
        Remark::Negative { cells } => text::remark_negative(language, &cells),
        Remark::Empty { rows: 1 } => plain(Key::RemarkEmptyOne),
        Remark::Empty { rows } => text::remark_empty(language, &rows),
        Remark::Columns => plain(Key::RemarkColumns),
        Remark::Dropout => plain(Key::RemarkDropout),
        Remark::AveragedDropout => plain(Key::RemarkAveragedDropout),
        Remark::Sink => plain(Key::RemarkSink),
        Remark::Causal => plain(Key::RemarkCausal),
        Remark::NearlyCausal {
            cells,
            worst,
            query,
            key,
        } => {
            let (worst, row, column) = (number::short(worst), query + 1, key + 1);
            match cells {
                1 => text::remark_nearly_causal_one(language, &worst, &row, &column),
                _ => text::remark_nearly_causal(language, &cells, &worst, &row, &column),
            }
        }
        Remark::SoftmaxTwice => plain(Key::RemarkSoftmaxTwice),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_that_is_not_1_is_told_with_the_digits_that_differ() {
        let told = [1.0015, 0.9985, 1.1, 0.95, 1.00012, 2.25, 0.25].map(sum);
        assert_eq!(
            told,
            ["1.0015", "0.9985", "1.1", "0.95", "1.00012", "2.25", "0.25"]
        );
    }

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
            AxisTransform::ThirdsByHead(4),
            AxisTransform::Halves,
            AxisTransform::Emptied(1),
            AxisTransform::Emptied(2),
        ];
        let nearly = |cells| Remark::NearlyCausal {
            cells,
            worst: 0.25,
            query: 0,
            key: 1,
        };
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
            Remark::Columns,
            Remark::Dropout,
            Remark::AveragedDropout,
            Remark::Sink,
            Remark::Causal,
            nearly(1),
            nearly(2),
            Remark::SoftmaxTwice,
        ];
        for language in Language::ALL {
            let tensors = [Tensor::new("q", vec![1, 2], vec![0.0; 2])];
            let mut said: Vec<String> = refusals.iter().map(|one| refusal(language, one)).collect();
            said.extend(remarks.map(|one| remark(language, one)));
            said.extend(Role::ALL.map(|role| {
                let (tensor, how) = (0, hows.to_vec());
                let shape = vec![2];
                let part = AssignedTensor {
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
