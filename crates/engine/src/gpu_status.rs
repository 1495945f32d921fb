//! Status of WebGPU, as the worker reports it.

use super::Reason;

/// State of WebGPU on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GpuState {
    /// It is being opened and checked.
    #[default]
    Checking,
    /// It passed the check and can be used.
    Ready,
    /// It is not there.
    Absent,
    /// It was there and was lost; one attempt to get it back will be made.
    Lost,
}

impl GpuState {
    /// Every state.
    pub const ALL: [Self; 4] = [Self::Checking, Self::Ready, Self::Absent, Self::Lost];

    /// The name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checking => "checking",
            Self::Ready => "ready",
            Self::Absent => "absent",
            Self::Lost => "lost",
        }
    }
}

/// Current WebGPU status.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GpuStatus {
    /// State of WebGPU on the page.
    pub state: GpuState,
    /// The adapter's name, if there is one and the browser reports it.
    pub adapter: Option<String>,
    /// Whether the adapter is only a software one.
    pub is_software: bool,
    /// Why it is not there, or was lost.
    pub reason: Option<Reason>,
}
