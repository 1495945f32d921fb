//! What functions of attention in Python libraries mean by a causal flag, a window and a mask, as measured: `content/conventions.toml`.

wasm_chunks::chunk!("code");

use crate::i18n::{Key, Language};
use attention::complexity::visible_cells;
use attention::{Mask, Sizes};
use masks::dialect::EmptyRows;

/// One function of one library. Names of values are those of the file, which explains them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    missing_docs,
    reason = "each is a field of the file and explained there"
)]
pub struct Convention {
    pub id: &'static str,
    pub library: &'static str,
    pub version: &'static str,
    pub function: &'static str,
    pub alignment: &'static str,
    pub empty_row: &'static str,
    pub polarity: &'static str,
    pub float_mask: &'static str,
    pub int_mask: &'static str,
    /// Keys that a window written as 2 shows with causal and without, and how it is written.
    pub window: Option<(usize, usize, &'static str)>,
    pub program: &'static str,
    pub output: &'static str,
    /// What the names do not say, in English and in Chinese; empty if there is nothing.
    pub notes: [&'static str; 2],
}

/// Every row, in the order of the file.
pub const CONVENTIONS: &[Convention] = include!(concat!(env!("OUT_DIR"), "/conventions.rs"));

impl Convention {
    /// What its names do not say; empty if there is nothing.
    pub const fn note(&self, language: Language) -> &'static str {
        match language {
            Language::En => self.notes[0],
            Language::Zh => self.notes[1],
        }
    }

    /// How many cells its causal flag alone shows of a map of `n` queries and `m` keys; `None` where it has none, or none for these
    /// lengths.
    pub fn causal_cells(&self, n: usize, m: usize) -> Option<u64> {
        let last_row_open = match self.alignment {
            "start" | "end-with-cache" => 0,
            "end" => return Some(causal(n, m, m as i64 - n as i64)),
            "start-last-row-open" => m.saturating_sub(n) as u64,
            "equal-lengths" if n == m => 0,
            _ => return None,
        };
        Some(causal(n, m, 0) + last_row_open)
    }
}

/// What a library makes of a row without a visible key, in words.
pub const fn empty_rows_key(rows: EmptyRows) -> Key {
    match rows {
        EmptyRows::Zero => Key::MeansRowZero,
        EmptyRows::Mean => Key::MeansRowMean,
        EmptyRows::NotANumber => Key::MeansRowNan,
    }
}

/// Cells of a causal mask whose first query stands at key `start`.
fn causal(n: usize, m: usize, start: i64) -> u64 {
    let sizes = Sizes {
        batch: 1,
        heads: 1,
        kv_heads: 1,
        n,
        m,
        keys: m,
        d_model: None,
        d_k: 1,
        d_v: 1,
        d_out: 1,
    };
    visible_cells(&Mask::Causal.from_place(start), &sizes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aligned(alignment: &'static str) -> Convention {
        Convention {
            alignment,
            ..CONVENTIONS[0]
        }
    }

    #[test]
    fn a_causal_flag_shows_as_many_cells_as_its_alignment_says() {
        let cells = |alignment, n, m| aligned(alignment).causal_cells(n, m);
        assert_eq!(cells("start", 2, 5), Some(3));
        assert_eq!(cells("end", 2, 5), Some(9));
        assert_eq!(cells("end", 5, 2), Some(3));
        assert_eq!(cells("start-last-row-open", 2, 5), Some(6));
        assert_eq!(cells("start-last-row-open", 5, 2), cells("start", 5, 2));
        assert_eq!(cells("equal-lengths", 3, 3), Some(6));
        assert_eq!(cells("equal-lengths", 2, 3), None);
        assert_eq!(cells("mask-only", 2, 3), None);
    }
}
