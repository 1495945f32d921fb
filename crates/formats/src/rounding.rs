//! How far the numbers of a file may be from those that were computed.

/// The largest distance of a number from what it was rounded from: `relative` of its size, and `absolute` besides.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rounding {
    /// Of the number's size: 2⁻¹¹ in 16-bit floats, 2⁻⁸ in bfloat16, 0 in types of 32 bit and more.
    pub relative: f32,
    /// Whatever its size: half of the last decimal that was written, of three to seven; 0 in binary files.
    pub absolute: f32,
}

impl Rounding {
    /// Half a unit of the last of `bits` bits of a number.
    pub(crate) fn of_bits(bits: i32) -> Self {
        Self {
            relative: libm::exp2f(-bits as f32),
            absolute: 0.0,
        }
    }
}

/// How many digits the numbers of a text have. Zeros at the end may have been left out, so the longest number says it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Digits {
    /// Behind the point, of numbers without an exponent; `None` without any.
    plain: Option<usize>,
    /// Behind the point, of numbers with one.
    scientific: Option<usize>,
}

impl Digits {
    /// Looks at a number; words for what is none, and whole numbers, say nothing.
    pub(crate) fn see(&mut self, word: &str) {
        let Some((_, behind)) = word.split_once(['.', ',']) else {
            return;
        };
        let (digits, kept) = match behind.find(['e', 'E']) {
            Some(end) => (end, &mut self.scientific),
            None => (behind.len(), &mut self.plain),
        };
        *kept = (*kept).max(Some(digits));
    }

    pub(crate) fn rounding(self) -> Rounding {
        // More digits than these tell 32-bit numbers apart; fewer are typed by people, whose sums are as they are.
        let half = |digits: Option<usize>| match digits {
            Some(digits @ 3..=7) => 0.5 * libm::powf(10.0, -(digits as f32)),
            _ => 0.0,
        };
        Rounding {
            relative: half(self.scientific),
            absolute: half(self.plain),
        }
    }
}
