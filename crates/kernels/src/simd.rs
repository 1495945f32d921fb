//! A vector of four 32-bit floats, and one of sixteen bytes that become floats.
//!
//! The wasm build with `simd128` uses its vector instructions; every other build uses the portable body, which compilers
//! vectorise themselves. Both do the same operations in the same order and use no fused multiply-add, so they give the same bits.
//! Everything here is always inlined, because the page is built for size.

/// Numbers in one vector.
pub(crate) const LANES: usize = 4;

pub(crate) use body::{F32x4, U8x16};

/// 1.5·2²³. Adding it rounds a number of magnitude below 2²² to an integer, ties to even, which the lowest bits of the sum then hold.
pub(crate) const ROUNDING: f32 = 12_582_912.0;

/// The bits of `√½`.
const HALF_ROOT: i32 = 0x3f35_04f3;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod body {
    use std::arch::wasm32::*;

    use super::HALF_ROOT;

    /// Four 32-bit floats.
    #[derive(Clone, Copy)]
    pub(crate) struct F32x4(v128);

    impl F32x4 {
        #[inline(always)]
        pub(crate) fn splat(value: f32) -> Self {
            Self(f32x4_splat(value))
        }

        #[inline(always)]
        #[expect(unsafe_code, reason = "no safe intrinsic loads a whole vector")]
        pub(crate) fn new(values: [f32; 4]) -> Self {
            // SAFETY: `values` is 16 readable bytes, and `v128_load` needs no alignment. Built lane by lane it would be four loads.
            Self(unsafe { v128_load(values.as_ptr().cast()) })
        }

        #[inline(always)]
        pub(crate) fn to_array(self) -> [f32; 4] {
            let lanes = self.0;
            [
                f32x4_extract_lane::<0>(lanes),
                f32x4_extract_lane::<1>(lanes),
                f32x4_extract_lane::<2>(lanes),
                f32x4_extract_lane::<3>(lanes),
            ]
        }

        #[inline(always)]
        pub(crate) fn add(self, other: Self) -> Self {
            Self(f32x4_add(self.0, other.0))
        }

        #[inline(always)]
        pub(crate) fn sub(self, other: Self) -> Self {
            Self(f32x4_sub(self.0, other.0))
        }

        #[inline(always)]
        pub(crate) fn mul(self, other: Self) -> Self {
            Self(f32x4_mul(self.0, other.0))
        }

        #[inline(always)]
        pub(crate) fn div(self, other: Self) -> Self {
            Self(f32x4_div(self.0, other.0))
        }

        /// The larger of each pair; `other` where the two are equal.
        #[inline(always)]
        pub(crate) fn max(self, other: Self) -> Self {
            Self(f32x4_pmax(other.0, self.0))
        }

        #[inline(always)]
        pub(crate) fn abs(self) -> Self {
            Self(f32x4_abs(self.0))
        }

        /// Each lane with the sign of `sign`.
        #[inline(always)]
        pub(crate) fn with_sign_of(self, sign: Self) -> Self {
            Self(v128_bitselect(sign.0, self.0, i32x4_splat(i32::MIN)))
        }

        /// `2^n` for `ROUNDING + n`, `n` being whole and in −126 … 127.
        #[inline(always)]
        pub(crate) fn exp2_of_rounded(self) -> Self {
            Self(i32x4_shl(i32x4_add(self.0, i32x4_splat(127)), 23))
        }

        /// Whether every lane lies below `bound`.
        #[inline(always)]
        pub(crate) fn is_below(self, bound: f32) -> bool {
            i32x4_all_true(f32x4_lt(self.0, f32x4_splat(bound)))
        }

        /// Positive normal numbers as `m·2^e` with `m` in ½·√2 … √2 and `e` whole: `(m, e)`.
        #[inline(always)]
        pub(crate) fn split_power(self) -> (Self, Self) {
            let offset = i32x4_sub(self.0, i32x4_splat(HALF_ROOT));
            let exponent = i32x4_shr(offset, 23);
            let mantissa = i32x4_sub(self.0, i32x4_shl(exponent, 23));
            (Self(mantissa), Self(f32x4_convert_i32x4(exponent)))
        }

        /// Each lane where `self ≥ bound`, 0 elsewhere.
        #[inline(always)]
        pub(crate) fn zero_below(self, at: Self, bound: f32) -> Self {
            Self(v128_and(self.0, f32x4_ge(at.0, f32x4_splat(bound))))
        }
    }

    /// Sixteen bytes.
    #[derive(Clone, Copy)]
    pub(crate) struct U8x16(v128);

    impl U8x16 {
        #[inline(always)]
        #[expect(unsafe_code, reason = "no safe intrinsic loads a whole vector")]
        pub(crate) fn new(values: &[u8; 16]) -> Self {
            // SAFETY: `values` is 16 readable bytes, and `v128_load` needs no alignment.
            Self(unsafe { v128_load(values.as_ptr().cast()) })
        }

        /// Each byte shifted to the right by less than eight bits.
        #[inline(always)]
        pub(crate) fn shr(self, bits: u32) -> Self {
            Self(u8x16_shr(self.0, bits))
        }

        /// Each byte shifted to the left by less than eight bits.
        #[inline(always)]
        pub(crate) fn shl(self, bits: u32) -> Self {
            Self(u8x16_shl(self.0, bits))
        }

        #[inline(always)]
        pub(crate) fn and(self, mask: u8) -> Self {
            Self(v128_and(self.0, u8x16_splat(mask)))
        }

        #[inline(always)]
        pub(crate) fn or(self, other: Self) -> Self {
            Self(v128_or(self.0, other.0))
        }

        /// The bytes as numbers from 0 to 255.
        #[inline(always)]
        pub(crate) fn unsigned(self) -> [F32x4; 4] {
            let (low, high) = (
                u16x8_extend_low_u8x16(self.0),
                u16x8_extend_high_u8x16(self.0),
            );
            [
                u32x4_extend_low_u16x8(low),
                u32x4_extend_high_u16x8(low),
                u32x4_extend_low_u16x8(high),
                u32x4_extend_high_u16x8(high),
            ]
            .map(|lanes| F32x4(f32x4_convert_i32x4(lanes)))
        }

        /// The bytes as numbers from −128 to 127.
        #[inline(always)]
        pub(crate) fn signed(self) -> [F32x4; 4] {
            let (low, high) = (
                i16x8_extend_low_i8x16(self.0),
                i16x8_extend_high_i8x16(self.0),
            );
            [
                i32x4_extend_low_i16x8(low),
                i32x4_extend_high_i16x8(low),
                i32x4_extend_low_i16x8(high),
                i32x4_extend_high_i16x8(high),
            ]
            .map(|lanes| F32x4(f32x4_convert_i32x4(lanes)))
        }
    }
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod body {
    use super::HALF_ROOT;

    /// Four 32-bit floats.
    #[derive(Clone, Copy)]
    pub(crate) struct F32x4([f32; 4]);

    impl F32x4 {
        #[inline(always)]
        pub(crate) fn splat(value: f32) -> Self {
            Self([value; 4])
        }

        #[inline(always)]
        pub(crate) fn new(values: [f32; 4]) -> Self {
            Self(values)
        }

        #[inline(always)]
        pub(crate) fn to_array(self) -> [f32; 4] {
            self.0
        }

        #[inline(always)]
        pub(crate) fn add(self, other: Self) -> Self {
            self.with(other, |a, b| a + b)
        }

        #[inline(always)]
        pub(crate) fn sub(self, other: Self) -> Self {
            self.with(other, |a, b| a - b)
        }

        #[inline(always)]
        pub(crate) fn mul(self, other: Self) -> Self {
            self.with(other, |a, b| a * b)
        }

        #[inline(always)]
        pub(crate) fn div(self, other: Self) -> Self {
            self.with(other, |a, b| a / b)
        }

        /// The larger of each pair; `other` where the two are equal.
        #[inline(always)]
        pub(crate) fn max(self, other: Self) -> Self {
            self.with(other, |a, b| if a > b { a } else { b })
        }

        #[inline(always)]
        pub(crate) fn abs(self) -> Self {
            Self(self.0.map(f32::abs))
        }

        /// Each lane with the sign of `sign`.
        #[inline(always)]
        pub(crate) fn with_sign_of(self, sign: Self) -> Self {
            self.with(sign, f32::copysign)
        }

        /// `2^n` for `ROUNDING + n`, `n` being whole and in −126 … 127.
        #[inline(always)]
        pub(crate) fn exp2_of_rounded(self) -> Self {
            Self(
                self.0
                    .map(|x| f32::from_bits(x.to_bits().wrapping_add(127) << 23)),
            )
        }

        /// Whether every lane lies below `bound`.
        #[inline(always)]
        pub(crate) fn is_below(self, bound: f32) -> bool {
            self.0.iter().all(|lane| *lane < bound)
        }

        /// Positive normal numbers as `m·2^e` with `m` in ½·√2 … √2 and `e` whole: `(m, e)`.
        #[inline(always)]
        pub(crate) fn split_power(self) -> (Self, Self) {
            let bits = self.0.map(|x| x.to_bits() as i32);
            let exponents = bits.map(|bits| bits.wrapping_sub(HALF_ROOT) >> 23);
            let mantissas = std::array::from_fn(|lane| {
                f32::from_bits(bits[lane].wrapping_sub(exponents[lane] << 23) as u32)
            });
            (Self(mantissas), Self(exponents.map(|e| e as f32)))
        }

        /// Each lane where `at ≥ bound`, 0 elsewhere.
        #[inline(always)]
        pub(crate) fn zero_below(self, at: Self, bound: f32) -> Self {
            self.with(at, |value, at| if at >= bound { value } else { 0.0 })
        }

        #[inline(always)]
        fn with(self, other: Self, operation: impl Fn(f32, f32) -> f32) -> Self {
            Self(std::array::from_fn(|lane| {
                operation(self.0[lane], other.0[lane])
            }))
        }
    }

    /// Sixteen bytes.
    #[derive(Clone, Copy)]
    pub(crate) struct U8x16([u8; 16]);

    impl U8x16 {
        #[inline(always)]
        pub(crate) fn new(values: &[u8; 16]) -> Self {
            Self(*values)
        }

        /// Each byte shifted to the right by less than eight bits.
        #[inline(always)]
        pub(crate) fn shr(self, bits: u32) -> Self {
            Self(self.0.map(|byte| byte >> bits))
        }

        /// Each byte shifted to the left by less than eight bits.
        #[inline(always)]
        pub(crate) fn shl(self, bits: u32) -> Self {
            Self(self.0.map(|byte| byte << bits))
        }

        #[inline(always)]
        pub(crate) fn and(self, mask: u8) -> Self {
            Self(self.0.map(|byte| byte & mask))
        }

        #[inline(always)]
        pub(crate) fn or(self, other: Self) -> Self {
            Self(std::array::from_fn(|lane| self.0[lane] | other.0[lane]))
        }

        /// The bytes as numbers from 0 to 255.
        #[inline(always)]
        pub(crate) fn unsigned(self) -> [F32x4; 4] {
            self.floats(f32::from)
        }

        /// The bytes as numbers from −128 to 127.
        #[inline(always)]
        pub(crate) fn signed(self) -> [F32x4; 4] {
            self.floats(|byte| f32::from(byte as i8))
        }

        #[inline(always)]
        fn floats(self, float: impl Fn(u8) -> f32) -> [F32x4; 4] {
            std::array::from_fn(|part| {
                F32x4(std::array::from_fn(|lane| float(self.0[4 * part + lane])))
            })
        }
    }
}

impl F32x4 {
    /// The sum of the four lanes, pairwise.
    #[inline(always)]
    pub(crate) fn sum(self) -> f32 {
        let [a, b, c, d] = self.to_array();
        (a + c) + (b + d)
    }

    /// The largest lane.
    #[inline(always)]
    pub(crate) fn largest(self) -> f32 {
        let [a, b, c, d] = self.to_array();
        larger(larger(a, c), larger(b, d))
    }
}

/// The larger number; `b` where one is NaN. `f32::max`, which never gives a NaN, is a call on wasm.
#[inline(always)]
pub(crate) fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Cuts a slice into whole vectors and the rest. Every kernel has this one tail path.
#[inline(always)]
pub(crate) fn vectors(values: &[f32]) -> (impl Iterator<Item = F32x4> + '_, &[f32]) {
    let (whole, rest) = values.as_chunks::<LANES>();
    (whole.iter().map(|chunk| F32x4::new(*chunk)), rest)
}

/// Folds a slice into four accumulators, so that a step does not wait for the result of the step before; also returns the numbers after the last
/// whole block of four vectors. Only for operations whose order does not matter.
#[inline(always)]
pub(crate) fn fold_unordered(
    values: &[f32],
    start: F32x4,
    step: impl Fn(F32x4, F32x4) -> F32x4,
) -> ([F32x4; 4], &[f32]) {
    let (blocks, rest) = values.as_chunks::<{ 4 * LANES }>();
    let mut accumulators = [start; 4];
    for block in blocks {
        let (vectors, _) = block.as_chunks::<LANES>();
        accumulators = std::array::from_fn(|at| step(accumulators[at], F32x4::new(vectors[at])));
    }
    (accumulators, rest)
}

/// The largest number, or `least` where all are below it.
#[inline(always)]
pub(crate) fn largest_of(values: &[f32], least: f32) -> f32 {
    let (maxima, rest) = fold_unordered(values, F32x4::splat(least), |max, x| x.max(max));
    let [a, b, c, d] = maxima.map(F32x4::largest);
    let max = larger(larger(a, b), larger(c, d));
    rest.iter().copied().fold(max, larger)
}
