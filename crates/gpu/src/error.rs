//! Errors of the GPU. All but [`GpuError::Refused`] leave open that the same request can be computed on the CPU.

use attention::Error;

/// Why there is no GPU to compute on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The system or browser offers no adapter.
    #[error("no adapter")]
    NoAdapter,
    /// There is an adapter, but it gave no device; with its words.
    #[error("no device: {0}")]
    NoDevice(String),
}

/// Why a run did not come to its end. Each carries the driver's or browser's own words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GpuError {
    /// The device is lost: unplugged, reset, or destroyed.
    #[error("the device was lost: {0}")]
    Lost(String),
    /// The device has too little memory.
    #[error("out of memory: {0}")]
    OutOfMemory(String),
    /// The device rejected a command.
    #[error("refused by the device: {0}")]
    Invalid(String),
    /// Something that cannot be split is larger than the device allows.
    #[error("too large for the device: {0}")]
    TooLarge(String),
    /// The request itself cannot be met, here or anywhere.
    #[error(transparent)]
    Refused(#[from] Error),
}
