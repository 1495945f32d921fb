//! The products that are timed natively and in WebAssembly.

/// `[rows, inner, columns]`: projections, scores and weighted sums of a layer 512 wide with 8 heads, and a short sentence's.
pub(crate) const SHAPES: [[usize; 3]; 5] = [
    [512, 512, 512],
    [512, 512, 64],
    [32, 64, 2048],
    [32, 2048, 64],
    [11, 16, 11],
];
