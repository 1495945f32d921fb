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
    /// Dispatches in the passes.
    pub dispatches: u64,
    /// Workgroups in the dispatches.
    pub workgroups: u64,
    /// Copies of results to memory that the host can read.
    pub copies: u64,
    /// Bytes of these results.
    pub bytes_read: u64,
    /// Buffers that were mapped for the host; in a browser each costs a message to another process and back.
    pub maps: u64,
}
