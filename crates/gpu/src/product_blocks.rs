//! Which blocks a product is computed in on a card.

use crate::{Kernel, Tier};

/// Workgroups from which on higher blocks pay: with fewer, most of a large card's multiprocessors have none.
const ENOUGH_WORKGROUPS: u64 = 64;

impl Kernel {
    /// The same kernel, or the one that computes the same product in lower blocks, where the higher ones would be few or
    /// mostly beyond the last row. `extent`: columns, rows and slices.
    ///
    /// Both add up in the same order, so results are equal to the bit.
    pub(super) fn fitted(self, tier: Tier, extent: [u64; 3]) -> Self {
        let small = match (self, tier) {
            (Self::Product, Tier::Hardware) => Self::SmallProduct,
            (Self::ProductTransposed, Tier::Hardware) => Self::SmallProductTransposed,
            _ => return self,
        };
        let [across, down] = self.shader(tier).block.map(u64::from);
        let [columns, rows, slices] = extent;
        let workgroups = columns.div_ceil(across) * rows.div_ceil(down) * slices;
        let fills_half = 2 * rows > down;
        if fills_half && workgroups >= ENOUGH_WORKGROUPS {
            self
        } else {
            small
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::groups;

    /// Workgroups of a product of so many columns, rows and slices.
    fn workgroups(kernel: Kernel, extent: [u64; 3]) -> [u32; 3] {
        let tier = Tier::Hardware;
        groups(kernel.fitted(tier, extent), tier, extent).expect("within every limit")
    }

    /// A layer of width 512 with 8 heads.
    #[test]
    fn few_rows_make_many_workgroups_and_many_rows_make_large_blocks() {
        let products = [
            ([512, 128, 1], [8, 4, 1]),
            ([64, 128, 8], [1, 4, 8]),
            ([512, 512, 1], [8, 16, 1]),
            ([64, 512, 8], [1, 16, 8]),
            ([512, 1024, 1], [8, 8, 1]),
            ([512, 2048, 1], [8, 16, 1]),
            ([64, 2048, 8], [1, 16, 8]),
            // The weighted sum in tiles that are read back.
            ([64, 2048, 2], [1, 64, 2]),
            ([64, 2048, 1], [1, 64, 1]),
        ];
        let scores = [
            ([11, 11, 4], [1, 1, 4]),
            ([128, 128, 8], [2, 4, 8]),
            ([512, 512, 8], [8, 4, 8]),
            ([2048, 2048, 2], [32, 16, 2]),
        ];
        let kernels = [
            (Kernel::Product, &products[..]),
            (Kernel::ProductTransposed, &scores),
        ];
        for (kernel, cases) in kernels {
            for (extent, wanted) in cases {
                assert_eq!(workgroups(kernel, *extent), *wanted, "{extent:?}");
            }
        }
    }

    #[test]
    fn a_block_that_would_be_more_than_half_empty_is_not_made_however_many_there_are() {
        let of = |rows| Kernel::Product.fitted(Tier::Hardware, [64, rows, 1000]);
        assert_eq!(of(64), Kernel::SmallProduct);
        assert_eq!(of(65), Kernel::Product);
    }

    #[test]
    fn sixty_four_large_blocks_are_enough() {
        let of = |slices| Kernel::ProductTransposed.fitted(Tier::Hardware, [65, 129, slices]);
        assert_eq!(of(15), Kernel::SmallProductTransposed);
        assert_eq!(of(16), Kernel::ProductTransposed);
    }

    #[test]
    fn software_adapters_and_other_kernels_have_one_size() {
        for kernel in Kernel::ALL {
            let is_other = !matches!(kernel, Kernel::Product | Kernel::ProductTransposed);
            for tier in [Tier::Software, Tier::Hardware] {
                if is_other || tier == Tier::Software {
                    assert_eq!(kernel.fitted(tier, [1, 1, 1]), kernel, "{tier:?}");
                }
            }
        }
    }
}
