//! CRC-32, the checksum of ZIP and PNG.

/// CRC-32 of ISO 3309, with the polynomial `0xEDB88320`, lowest bit first.
pub fn crc32(bytes: &[u8]) -> u32 {
    let mut sum = Crc32::default();
    sum.add(bytes);
    sum.sum()
}

/// The same of bytes that come in pieces.
#[derive(Clone, Copy)]
pub struct Crc32(u32);

impl Default for Crc32 {
    fn default() -> Self {
        Self(!0)
    }
}

impl Crc32 {
    /// Takes the next piece.
    pub fn add(&mut self, bytes: &[u8]) {
        const TABLE: [u32; 256] = table();
        self.0 = bytes.iter().fold(self.0, |crc, byte| {
            TABLE[usize::from(crc as u8 ^ byte)] ^ (crc >> 8)
        });
    }

    /// The sum of all pieces so far.
    pub fn sum(self) -> u32 {
        !self.0
    }
}

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 {
        let (mut crc, mut bit) = (at as u32, 0);
        while bit < 8 {
            crc = (crc >> 1) ^ (0xedb8_8320 * (crc & 1));
            bit += 1;
        }
        table[at] = crc;
        at += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::{Crc32, crc32};

    #[test]
    fn the_sum_is_that_of_the_standard() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32(b""), 0);
        let mut sum = Crc32::default();
        for piece in ["1234", "", "56789"] {
            sum.add(piece.as_bytes());
        }
        assert_eq!(sum.sum(), crc32(b"123456789"));
    }
}
