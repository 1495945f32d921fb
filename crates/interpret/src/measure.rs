//! Measures of heads over one text, or over what repeats.
//!
//! Each is a mean over rows of the weights `A`, `[n, n]`; rows that see one key alone have no choice and do not count where that matters.

use attention::analysis::{Rows, Visible, entropy_share, mean_distance, shifted_share};

use crate::Token;

/// What is measured of a head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// `A[i, j + 1]` where token `j` is the last one before `i` that equals token `i`, over random tokens that stand there twice: whether the head
    /// completes what repeats (Olsson et al. 2022, "prefix matching").
    Repeats,
    /// `A[i, i − 1]` (Clark et al. 2019, section 3.1).
    Previous,
    /// `Σ_j A[i, j]` over other places with the token of `i`.
    SameToken,
    /// `A[i, 0]` for `i > 0`: the sink (Xiao et al. 2024).
    First,
    /// `Σ_j A[i, j]` over control tokens and tokens without letters or digits (Clark et al. 2019, section 3.2).
    Delimiter,
    /// The entropy of a row over the largest that its keys allow.
    Entropy,
    /// `Σ_j A[i, j]·|i − j|`, in tokens (Dosovitskiy et al. 2021, appendix D.7).
    Reach,
}

impl Measure {
    /// Those of the text itself.
    pub const OF_TEXT: [Self; 6] = [
        Self::Previous,
        Self::SameToken,
        Self::First,
        Self::Delimiter,
        Self::Entropy,
        Self::Reach,
    ];

    fn of(self, tokens: &[Token], rows: &Rows<'_>) -> Option<f64> {
        match self {
            Self::Repeats => None,
            Self::Previous => shifted_share(rows, -1),
            Self::SameToken => mean(rows, |query, key| {
                key != query && tokens[key].id == tokens[query].id
            }),
            Self::First => mean(rows, |query, key| key == 0 && query > 0),
            Self::Delimiter => mean(rows, |_, key| is_delimiter(&tokens[key])),
            Self::Entropy => {
                let shares = (0..rows.queries()).filter_map(|query| entropy_share(rows, query));
                let (count, sum) =
                    shares.fold((0.0, 0.0), |(count, sum), own| (count + 1.0, sum + own));
                (count > 0.0).then(|| sum / count)
            }
            Self::Reach => mean_distance(rows),
        }
    }
}

/// The mean, over the rows that see keys of a kind, of the weight on them.
fn mean(rows: &Rows<'_>, is_of_kind: impl Fn(usize, usize) -> bool) -> Option<f64> {
    let visible = rows.visible();
    let (mut count, mut sum) = (0.0, 0.0);
    for query in 0..rows.queries() {
        let keys =
            (0..visible.keys()).filter(|key| visible.sees(query, *key) && is_of_kind(query, *key));
        let weights: Vec<f64> = keys.map(|key| f64::from(rows.row(query)[key])).collect();
        if !weights.is_empty() {
            (count, sum) = (count + 1.0, sum + weights.iter().sum::<f64>());
        }
    }
    (count > 0.0).then(|| sum / count)
}

fn is_delimiter(token: &Token) -> bool {
    token.is_control || !token.name.chars().any(char::is_alphanumeric)
}

/// `[measures, heads]` of the maps of all heads, NaN where there is nothing to measure.
pub(crate) fn measures(tokens: &[Token], maps: &[Vec<f32>], is_causal: bool) -> Vec<f32> {
    let n = tokens.len();
    let visible = Visible::new(n, n, |query, key| !is_causal || key <= query);
    let of = |measure: Measure| {
        let heads = maps.iter();
        let visible = &visible;
        heads.map(move |map| {
            let found = measure.of(tokens, &Rows::new(map, visible));
            found.map_or(f32::NAN, |own| own as f32)
        })
    };
    Measure::OF_TEXT.into_iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(id: usize, name: &str) -> Token {
        Token {
            id,
            name: name.to_owned(),
            place: [0, 0],
            is_control: false,
        }
    }

    /// a b a , – causal weights worked out by hand.
    #[test]
    fn known_values() {
        let tokens = [token(1, "a"), token(2, "b"), token(1, "a"), token(3, ",")];
        let map = vec![
            1.0, 0.0, 0.0, 0.0, //
            0.75, 0.25, 0.0, 0.0, //
            0.5, 0.375, 0.125, 0.0, //
            0.25, 0.25, 0.25, 0.25,
        ];
        let found = measures(&tokens, &[map], true);
        let limit = |n: f64| libm::log(n);
        let entropy = |row: &[f64]| -row.iter().map(|w| w * libm::log(*w)).sum::<f64>();
        let shares = [
            entropy(&[0.75, 0.25]) / limit(2.0),
            entropy(&[0.5, 0.375, 0.125]) / limit(3.0),
            1.0,
        ];
        let wanted = [
            (0.75 + 0.375 + 0.25) / 3.0,
            0.5,
            (0.75 + 0.5 + 0.25) / 3.0,
            0.25,
            shares.iter().sum::<f64>() / 3.0,
            (0.0 + 0.75 + (1.0 + 0.375) + (0.75 + 0.5 + 0.25)) / 4.0,
        ];
        for ((found, wanted), measure) in found.iter().zip(wanted).zip(Measure::OF_TEXT) {
            assert!(
                (f64::from(*found) - wanted).abs() < 1e-6,
                "{measure:?}: {found} for {wanted}"
            );
        }
    }

    #[test]
    fn what_a_text_does_not_have_is_no_number() {
        let found = measures(&[token(1, "a")], &[vec![1.0]], true);
        let are_numbers: Vec<bool> = found.iter().map(|own| !own.is_nan()).collect();
        // Reach alone: it looks nowhere else.
        assert_eq!(are_numbers, [false, false, false, false, false, true]);
    }

    /// Where nothing is hidden the rows before count as well.
    #[test]
    fn later_places_count_where_they_are_seen() {
        let tokens = [token(1, "a"), token(1, "a")];
        let found = measures(&tokens, &[vec![0.25, 0.75, 0.5, 0.5]], false);
        assert!((found[1] - (0.75 + 0.5) / 2.0).abs() < 1e-6, "{found:?}");
    }
}
