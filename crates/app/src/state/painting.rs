//! Cells of the mask that were painted by hand.

wasm_chunks::chunk!("more");
wasm_chunks::chunk!("engine": impl Painting);

use std::ops::Range;

use attention::text::MAX_TOKENS;
use formats::encoding::base64;

/// The most stretches of cells that a painting holds, so that its link stays short enough for a browser.
pub const MOST_STRETCHES: usize = 4096;

/// Painted cells, each visible or hidden whatever the structured mask says. Cells beyond a text have no effect, so
/// that a painting outlives a change of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Painting {
    /// By query and key; neighbours that are alike are one stretch.
    stretches: Vec<RunLength>,
}

/// Neighbouring cells of a row that are painted alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RunLength {
    query: u16,
    start: u16,
    /// At least 1.
    length: u16,
    is_visible: bool,
}

impl RunLength {
    fn end(&self) -> u16 {
        self.start + self.length
    }

    fn place(&self) -> (u16, u16) {
        (self.query, self.start)
    }
}

impl Painting {
    /// Whether nothing is painted.
    pub fn is_empty(&self) -> bool {
        self.stretches.is_empty()
    }

    /// How many stretches of cells there are, which decides how long the link is.
    pub fn stretches(&self) -> usize {
        self.stretches.len()
    }

    /// Whether a cell is painted visible or hidden; `None` for one that is not painted.
    pub fn at(&self, query: usize, key: usize) -> Option<bool> {
        let place = (u16::try_from(query).ok()?, u16::try_from(key).ok()?);
        let after = self
            .stretches
            .partition_point(|stretch| stretch.place() <= place);
        let stretch = self.stretches.get(after.checked_sub(1)?)?;
        (stretch.query == place.0 && place.1 < stretch.end()).then_some(stretch.is_visible)
    }

    /// Every stretch: its query, its keys, and whether they are visible.
    pub fn iter(&self) -> impl Iterator<Item = (usize, Range<usize>, bool)> {
        self.stretches.iter().map(|stretch| {
            let keys = usize::from(stretch.start)..usize::from(stretch.end());
            (usize::from(stretch.query), keys, stretch.is_visible)
        })
    }

    /// Paints a cell visible or hidden, or takes its paint away. A cell beyond the longest text is left alone.
    pub fn set(&mut self, query: usize, key: usize, paint: Option<bool>) {
        if query >= MAX_TOKENS || key >= MAX_TOKENS || self.at(query, key) == paint {
            return;
        }
        let (query, key) = (query as u16, key as u16);
        let first = self.stretches.partition_point(|one| one.query < query);
        let last = self.stretches.partition_point(|one| one.query <= query);
        let new = paint.map(|is_visible| RunLength {
            query,
            start: key,
            length: 1,
            is_visible,
        });
        let row = repainted(&self.stretches[first..last], key, new);
        self.stretches.splice(first..last, row);
    }

    /// The painting as a link writes it; nothing for one that is empty.
    ///
    /// Numbers of seven bits a byte, the lowest first: for each stretch the rows since the one before, the keys left out
    /// since then in its row, and twice its length less 2, plus 1 where it is visible. The bytes are in base64url.
    pub fn to_param(&self) -> String {
        let (mut bytes, mut query, mut end) = (Vec::new(), 0, 0);
        for stretch in &self.stretches {
            if stretch.query != query {
                end = 0;
            }
            number(&mut bytes, stretch.query - query);
            number(&mut bytes, stretch.start - end);
            number(
                &mut bytes,
                (stretch.length - 1) * 2 + u16::from(stretch.is_visible),
            );
            (query, end) = (stretch.query, stretch.end());
        }
        base64::url(&bytes)
    }

    /// The painting that [`to_param`](Self::to_param) wrote; `None` for anything that it cannot have written.
    pub fn parse(written: &str) -> Option<Self> {
        let bytes = base64::from_url(written)?;
        let mut rest = bytes.as_slice();
        let (mut painting, mut query, mut end) = (Self::default(), 0, 0);
        while !rest.is_empty() {
            let (rows, gap, length) = (
                read_number(&mut rest)?,
                read_number(&mut rest)?,
                read_number(&mut rest)?,
            );
            if rows > 0 {
                end = 0;
            }
            query += rows;
            let start = end + gap;
            end = start + length / 2 + 1;
            if query >= MAX_TOKENS as u32 || end > MAX_TOKENS as u32 {
                return None;
            }
            painting.stretches.push(RunLength {
                query: query as u16,
                start: start as u16,
                length: (end - start) as u16,
                is_visible: length % 2 == 1,
            });
        }
        (painting.is_smallest() && painting.to_param() == written).then_some(painting)
    }

    /// Whether no two stretches could be one.
    fn is_smallest(&self) -> bool {
        self.stretches.windows(2).all(|pair| {
            (pair[0].query, pair[0].end(), pair[0].is_visible)
                != (pair[1].query, pair[1].start, pair[1].is_visible)
        })
    }
}

/// The stretches of a row with one cell painted anew.
fn repainted(row: &[RunLength], key: u16, new: Option<RunLength>) -> Vec<RunLength> {
    let before = row
        .iter()
        .filter(|one| one.start < key)
        .map(|one| RunLength {
            length: one.length.min(key - one.start),
            ..*one
        });
    let after = row
        .iter()
        .filter(|one| one.end() > key + 1)
        .map(|one| RunLength {
            start: one.start.max(key + 1),
            length: one.end() - one.start.max(key + 1),
            ..*one
        });
    let mut joined: Vec<RunLength> = Vec::with_capacity(row.len() + 2);
    for next in before.chain(new).chain(after) {
        match joined.last_mut() {
            Some(last) if last.end() == next.start && last.is_visible == next.is_visible => {
                last.length += next.length;
            }
            _ => joined.push(next),
        }
    }
    joined
}

fn number(bytes: &mut Vec<u8>, mut number: u16) {
    while number > 0x7F {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The next number, of three bytes at most.
fn read_number(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0;
    for place in 0..3 {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u32::from(first & 0x7F) << (7 * place);
        if first & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn painted(cells: &[(usize, usize, Option<bool>)]) -> Painting {
        let mut painting = Painting::default();
        for &(query, key, paint) in cells {
            painting.set(query, key, paint);
        }
        painting
    }

    #[test]
    fn cells_are_as_they_were_painted_last() {
        let mut painting = Painting::default();
        let mut wanted = std::collections::BTreeMap::new();
        for step in 0..4_000_usize {
            let (query, key) = (step * 7 % 5, step * step * 11 % 13);
            let paint = [None, Some(true), Some(false)][step * 31 % 97 % 3];
            painting.set(query, key, paint);
            wanted.insert((query, key), paint);
            assert!(painting.is_smallest());
        }
        for query in 0..6 {
            for key in 0..15 {
                let wanted = wanted.get(&(query, key)).copied().flatten();
                assert_eq!(painting.at(query, key), wanted, "{query},{key}");
            }
        }
        assert_eq!(Painting::parse(&painting.to_param()), Some(painting));
    }

    #[test]
    fn neighbours_become_one_stretch_and_part_again() {
        let row: Vec<_> = [3, 1, 2, 0].map(|key| (2, key, Some(false))).to_vec();
        let mut painting = painted(&row);
        assert_eq!(painting.iter().collect::<Vec<_>>(), [(2, 0..4, false)]);
        painting.set(2, 1, None);
        assert_eq!(painting.stretches(), 2);
        painting.set(2, 1, Some(true));
        assert_eq!(
            painting.iter().collect::<Vec<_>>(),
            [(2, 0..1, false), (2, 1..2, true), (2, 2..4, false)]
        );
    }

    #[test]
    fn links_are_short_and_only_our_own_are_read() {
        assert_eq!(Painting::default().to_param(), "");
        assert_eq!(painted(&[(0, 0, Some(false))]).to_param(), "AAAA");
        assert_eq!(painted(&[(7, 1, Some(true))]).to_param(), "BwEB");
        let wide: Vec<_> = (0..1024).map(|key| (1023, key, Some(true))).collect();
        assert_eq!(painted(&wide).to_param().len(), 7);
        // Padding, other alphabets, half a number, a number cut off, far rows, a stretch in two.
        for strange in [
            "AAA=", "A+AA", "A", "AA", "gA", "____", "_38AAA", "AAAAAAAA", "é",
        ] {
            assert_eq!(Painting::parse(strange), None, "{strange}");
        }
    }

    #[test]
    fn nothing_is_painted_beyond_the_longest_text() {
        let far = painted(&[
            (MAX_TOKENS, 0, Some(true)),
            (0, MAX_TOKENS, Some(true)),
            (MAX_TOKENS - 1, MAX_TOKENS - 1, Some(false)),
        ]);
        assert_eq!(far.stretches(), 1);
        assert_eq!(Painting::parse(&far.to_param()), Some(far.clone()));
        assert_eq!(far.at(usize::MAX, 0), None);
    }
}
