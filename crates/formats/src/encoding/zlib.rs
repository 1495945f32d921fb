//! Compression in the format of zlib (RFC 1950).

/// How hard the compressor looks for what repeats, of 10: the largest gain for the time, as in zlib itself.
const LEVEL: u8 = 6;

/// Bytes as zlib's `decompress` reads them, in Python for one.
pub fn zlib(bytes: &[u8]) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec_zlib(bytes, LEVEL)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inflate::inflate;

    #[test]
    fn what_is_compressed_comes_back() {
        let repeats: Vec<u8> = (0..20_011_u32).map(|at| (at % 97) as u8).collect();
        for bytes in [&[][..], b"a", &repeats] {
            let packed = zlib(bytes);
            // Two bytes of header before the deflate data, four of a check sum after them.
            let inner = &packed[2..packed.len() - 4];
            assert_eq!(inflate("test", inner, bytes.len()).as_deref(), Ok(bytes));
        }
        assert!(zlib(&repeats).len() < 500);
    }
}
