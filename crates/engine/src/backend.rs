//! The backends that compute attention.

/// A backend that computed something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// 32-bit SIMD kernels on the processor.
    Cpu,
    /// The same plan as shaders on WebGPU.
    WebGpu,
}

impl Backend {
    /// The name in the public API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::WebGpu => "webgpu",
        }
    }

    /// The backend of that name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Cpu, Self::WebGpu]
            .into_iter()
            .find(|backend| backend.name() == name)
    }
}

/// The backend that a caller requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BackendChoice {
    /// Whatever finishes first.
    #[default]
    Auto,
    /// The processor.
    Cpu,
    /// WebGPU, or a refusal with the reason; never something else instead.
    WebGpu,
}

impl BackendChoice {
    /// Every choice.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Cpu, Self::WebGpu];

    /// The name in the public API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Cpu => "cpu",
            Self::WebGpu => "webgpu",
        }
    }
}
