//! The same run on both backends, compared.

/// How far the weights of two backends are apart, and where most.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The largest difference of two weights.
    pub difference: f64,
    /// The largest difference that the promised accuracy of both allows.
    pub allowed: f64,
    /// The head of that weight.
    pub head: usize,
    /// Its query.
    pub row: usize,
    /// Its key.
    pub column: usize,
    /// The CPU's value there.
    pub cpu: f32,
    /// WebGPU's value there.
    pub webgpu: f32,
    /// Milliseconds on the processor.
    pub cpu_ms: f64,
    /// Milliseconds on WebGPU.
    pub webgpu_ms: f64,
}
