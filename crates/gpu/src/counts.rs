//! Counts of the work submitted to a device. Unlike times they do not differ between machines, so
//! tests can assert them.

/// Counts since the device was opened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Command buffers, each submitted by itself.
    pub submissions: u64,
    /// Compute passes in them.
    pub passes: u64,
    /// Bind groups that were made, rather than found.
    pub bind_groups: u64,
}
