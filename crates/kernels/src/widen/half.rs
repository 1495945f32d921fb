//! IEEE 754 binary16.

/// The number with these bits, exactly. NaN keeps its sign and its bits, the quiet one set.
#[inline(always)]
pub fn half(bits: u16) -> f32 {
    const INFINITE: u32 = 31 << 10;
    let magnitude = u32::from(bits & 0x7fff);
    // The fields in their places make a number that is 2⁻¹¹² times as large, subnormals among them.
    let scaled = f32::from_bits(magnitude << 13) * f32::from_bits((127 + 112) << 23);
    let quiet = u32::from(magnitude > INFINITE) << 22;
    let special = f32::INFINITY.to_bits() | magnitude << 13 | quiet;
    let magnitude = if magnitude < INFINITE {
        scaled.to_bits()
    } else {
        special
    };
    f32::from_bits(u32::from(bits >> 15) << 31 | magnitude)
}
