//! The tier of a device, which selects the kernels: hardware or software.

/// Which bodies of the kernels run, and how much is given to the device at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tier {
    /// An adapter that is itself a program on the processor: blocks in registers, no barriers.
    Software,
    /// A graphics card: tiles in workgroup memory.
    Hardware,
}

impl Tier {
    /// Multiply-adds that every such device does in the time that a submission may take.
    pub(super) const fn least_multiply_adds(self) -> u64 {
        match self {
            Self::Software => 1 << 28,
            Self::Hardware => 1 << 33,
        }
    }

    /// Bytes of scores that go through at a time. A card has room, and too few workgroups where a tile is a part of a head.
    pub(super) const fn tile_bytes(self) -> u64 {
        match self {
            Self::Software => 64 << 20,
            Self::Hardware => 256 << 20,
        }
    }
}

/// The adapter in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adapter {
    /// The driver's name for it; empty where a browser hides it.
    pub name: String,
    /// Whether the CPU emulates it.
    pub is_software: bool,
}
