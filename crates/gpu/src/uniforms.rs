//! The uniform structs of the shaders, field by field.

use bytemuck::{Pod, Zeroable};

/// A uniform struct as both sides must see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The struct's name, here and in WGSL.
    pub name: &'static str,
    /// Fields with their offsets in bytes.
    pub fields: Vec<(&'static str, usize)>,
    /// Size in bytes.
    pub size: usize,
}

macro_rules! uniform {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $kind:ty,)* }) => {
        $(#[$doc])*
        #[repr(C)]
        #[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
        pub(super) struct $name { $($(#[$field_doc])* pub(super) $field: $kind,)* }

        impl $name {
            fn layout() -> Layout {
                Layout {
                    name: stringify!($name),
                    fields: vec![$((stringify!($field), std::mem::offset_of!($name, $field)),)*],
                    size: size_of::<$name>(),
                }
            }
        }
    };
}

uniform! {
    /// `c = factor·a·b + bias` for slices `first_slice …`, one per batch entry and head. Offsets and strides count
    /// vectors of four; `*_base` may be negative, wrapped around.
    Product {
        rows: u32,
        inner: u32,
        columns: u32,
        heads: u32,
        a_base: u32,
        a_outer: u32,
        a_inner: u32,
        a_stride: u32,
        b_base: u32,
        b_outer: u32,
        b_inner: u32,
        b_stride: u32,
        c_base: u32,
        c_outer: u32,
        c_inner: u32,
        c_stride: u32,
        a_group: u32,
        b_group: u32,
        first_slice: u32,
        bias_inner: u32,
        factor: f32,
        flags: u32,
        first_row: u32,
        zero: u32,
    }
}

impl Product {
    /// There is a bias to add.
    pub(super) const BIAS: u32 = 1;
    /// Cells beyond the diagonal are never read.
    pub(super) const CAUSAL_COLUMNS: u32 = 2;
    /// `a` is zero beyond the diagonal.
    pub(super) const CAUSAL_INNER: u32 = 4;
    /// `a` has a low part, or what is worked on in place.
    pub(super) const A_LOW: u32 = 8;
    /// `b` has a low part.
    pub(super) const B_LOW: u32 = 16;
}

uniform! {
    /// Rows of scores that become weights.
    Rows {
        rows: u32,
        keys: u32,
        stride: u32,
        masked: u32,
        words: u32,
        mask_slice: u32,
        wide: u32,
        fill: f32,
        causal: u32,
        first_row: u32,
        sharpness: f32,
        least: f32,
        zero: u32,
    }
}

impl Rows {
    pub(super) const UNMASKED: u32 = 0;
    /// Hidden keys are left out.
    pub(super) const LEFT_OUT: u32 = 1;
    /// Hidden keys have the score `fill`.
    pub(super) const FILLED: u32 = 2;
}

uniform! {
    /// A tile of attention in one dispatch. `inner` and `across` count vectors of four.
    Fused {
        rows: u32,
        keys: u32,
        n: u32,
        heads: u32,
        group: u32,
        kv_heads: u32,
        first_slice: u32,
        first_row: u32,
        inner: u32,
        across: u32,
        words: u32,
        mask_slice: u32,
        masked: u32,
        causal: u32,
        factor: f32,
        sharpness: f32,
        least: f32,
        /// A power of two by which weights are scaled.
        share: f32,
    }
}

uniform! {
    /// Rows of a tile on their way back. `stride` and `packed` count vectors of four: of a row, and of a slice when packed.
    Pack {
        rows: u32,
        stride: u32,
        packed: u32,
        first_slice: u32,
        slot: u32,
    }
}

uniform! {
    /// Rows of weights that are measured.
    Measure {
        rows: u32,
        keys: u32,
        stride: u32,
        first_row: u32,
        causal: u32,
    }
}

uniform! {
    /// Cells of a mask, 32 to a word.
    Cells {
        rows: u32,
        keys: u32,
        words: u32,
        slices: u32,
        heads: u32,
        first_row: u32,
        first_slice: u32,
        operations: u32,
    }
}

uniform! {
    /// Vectors of four that are worked on one by one.
    Vectors {
        count: u32,
        rows: u32,
        heads: u32,
        width: u32,
        zero: u32,
    }
}

uniform! {
    /// What a kernel of models is told; each uses its own part.
    Lines {
        count: u32,
        rows: u32,
        columns: u32,
        stride: u32,
        heads: u32,
        kind: u32,
        first: u32,
        other: u32,
        factor: f32,
        limit: f32,
    }
}

uniform! {
    /// A step of an optimizer.
    Update {
        count: u32,
        columns: u32,
        stride: u32,
        clip: f32,
        first_keep: f32,
        first_rest: f32,
        second_keep: f32,
        second_rest: f32,
        pace: f32,
        root: f32,
        epsilon: f32,
        keep: f32,
    }
}

/// Every uniform struct.
pub fn layouts() -> Vec<Layout> {
    vec![
        Product::layout(),
        Rows::layout(),
        Cells::layout(),
        Fused::layout(),
        Pack::layout(),
        Measure::layout(),
        Vectors::layout(),
        Lines::layout(),
        Update::layout(),
    ]
}
