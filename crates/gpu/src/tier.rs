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
    /// Most multiply-adds of one submission: long ones delay an abort, or drivers treat them as a hang.
    pub(super) const fn most_multiply_adds(self) -> u64 {
        match self {
            Self::Software => 1 << 28,
            Self::Hardware => 1 << 33,
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
