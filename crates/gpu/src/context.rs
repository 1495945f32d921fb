//! The GPU device, its error scopes, and its loss.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::rc::Rc;
use std::sync::Arc;

use crate::batch::{Batch, Submitted};
use crate::error_scopes::ErrorScopes;
use crate::kernels::Pipelines;
use crate::oneshot::Signal;
use crate::pool::{Buffer, Pool, Use};
use crate::weights::Layers;
use crate::{Adapter, Counts, GpuError, Kernel, OpenError, Tier};

/// Multiply-adds of a submission at most, on whatever device: what a measurement says of a short run need not hold for a long one.
const MOST_MULTIPLY_ADDS: u64 = 1 << 36;
/// How long a submission may take: longer ones delay an abort, or drivers treat them as a hang.
const SUBMISSION_MS: f64 = 250.0;

/// A device that can compute. Clones share it.
#[derive(Clone)]
pub struct Gpu {
    shared: Rc<Shared>,
    tier: Tier,
    /// Where it is not what the tier says.
    tile_bytes: Option<u64>,
    /// As measured on this device.
    multiply_adds_per_ms: f64,
    largest_tensor: u64,
}

struct Shared {
    device: wgpu::Device,
    queue: wgpu::Queue,
    adapter: Adapter,
    loss: Signal<String>,
    pool: Pool,
    pipelines: RefCell<Pipelines>,
    layers: RefCell<Layers>,
    counts: Cell<Counts>,
}

impl Gpu {
    /// Requests the fastest adapter and opens it with its largest memory limits.
    ///
    /// # Errors
    /// [`OpenError`] where there is none.
    pub async fn open() -> Result<Self, OpenError> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        };
        let adapter = instance
            .request_adapter(&options)
            .await
            .map_err(|_| OpenError::NoAdapter)?;
        let description = wgpu::DeviceDescriptor {
            required_limits: limits(&adapter.limits()),
            ..Default::default()
        };
        let (device, queue) = adapter
            .request_device(&description)
            .await
            .map_err(|error| OpenError::NoDevice(error.to_string()))?;
        let loss = Signal::new();
        let lost = loss.clone();
        device.set_device_lost_callback(move |reason, words| {
            lost.set(format!("{words} ({reason:?})").trim_start().to_owned());
        });
        // Errors that concern a run are caught where it submits; what comes outside of runs must not end the program.
        device.on_uncaptured_error(Arc::new(|_| {}));
        let info = adapter.get_info();
        let adapter = Adapter {
            is_software: info.device_type == wgpu::DeviceType::Cpu,
            name: info.name,
        };
        let tier = if adapter.is_software {
            Tier::Software
        } else {
            Tier::Hardware
        };
        let limits = device.limits();
        let shared = Shared {
            device,
            queue,
            adapter,
            loss,
            pool: Pool::default(),
            pipelines: RefCell::default(),
            layers: RefCell::default(),
            counts: Cell::default(),
        };
        Ok(Self {
            shared: Rc::new(shared),
            tier,
            tile_bytes: None,
            multiply_adds_per_ms: 0.0,
            largest_tensor: limits
                .max_buffer_size
                .min(limits.max_storage_buffer_binding_size),
        })
    }

    /// The same device with other kernels.
    pub fn with_tier(self, tier: Tier) -> Self {
        Self { tier, ..self }
    }

    /// The same device with other sizes of tiles: `bytes` of scores at most go through it at a time.
    pub fn with_tile_bytes(self, bytes: u64) -> Self {
        Self {
            tile_bytes: Some(bytes),
            ..self
        }
    }

    /// The same device, of which it is known how long an operation takes; a multiply-add is two of them. Submissions grow with it.
    pub fn with_pace(self, ms_per_flop: f64) -> Self {
        Self {
            multiply_adds_per_ms: 0.5 / ms_per_flop.max(f64::MIN_POSITIVE),
            ..self
        }
    }

    /// The same device as if it allowed no tensor larger than `bytes`; never more than it allows.
    pub fn with_largest_tensor(self, bytes: u64) -> Self {
        Self {
            largest_tensor: bytes.min(self.largest_tensor),
            ..self
        }
    }

    /// Which kernels run.
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// Whether a kernel has been used on this device, in the bodies of its tier.
    pub fn has_used(&self, kernel: Kernel) -> bool {
        let pipelines = self.shared.pipelines.borrow();
        pipelines.has(kernel, self.tier)
    }

    /// The adapter in words.
    pub fn adapter(&self) -> &Adapter {
        &self.shared.adapter
    }

    /// Why the device was lost, where it was.
    pub fn lost(&self) -> Option<String> {
        // Natively nobody hears of a loss who does not ask.
        #[cfg(not(target_arch = "wasm32"))]
        let _ = self.shared.device.poll(wgpu::PollType::Poll);
        self.shared.loss.get()
    }

    /// Buffers that the driver holds memory for; `None` where it does not tell. Their bytes would differ by chance, as a buffer may be
    /// given a gap that is larger than it.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn allocated_buffers(&self) -> Option<usize> {
        // Memory of destroyed buffers is given back once nothing is under way with them.
        let _ = self.shared.device.poll(wgpu::PollType::wait_indefinitely());
        let report = self.shared.device.generate_allocator_report()?;
        Some(report.allocations.len())
    }

    /// Waits until the device is lost; the reason in the driver's words. Does not keep the device alive.
    pub fn until_lost(&self) -> impl Future<Output = String> + 'static {
        self.shared.loss.clone()
    }

    /// Destroys the device: its pending work fails as lost.
    pub fn destroy(&self) {
        self.shared.pool.clear();
        self.shared.device.destroy();
    }

    pub(super) fn device(&self) -> &wgpu::Device {
        &self.shared.device
    }

    pub(super) fn queue(&self) -> &wgpu::Queue {
        &self.shared.queue
    }

    pub(super) fn layers(&self) -> &RefCell<Layers> {
        &self.shared.layers
    }

    pub(super) fn pipeline(&self, kernel: Kernel) -> wgpu::ComputePipeline {
        let mut pipelines = self.shared.pipelines.borrow_mut();
        pipelines.get(&self.shared.device, kernel, self.tier)
    }

    pub(super) fn pool(&self) -> &Pool {
        &self.shared.pool
    }

    pub(super) fn take(&self, kind: Use, bytes: u64) -> Buffer {
        self.shared.pool.take(&self.shared.device, kind, bytes)
    }

    /// Fills a buffer from the host, before anything that is submitted later.
    pub(super) fn write<T: bytemuck::Pod>(&self, buffer: &Buffer, numbers: &[T]) {
        if !numbers.is_empty() {
            let bytes = bytemuck::cast_slice(numbers);
            self.shared.queue.write_buffer(&buffer.raw, 0, bytes);
        }
    }

    /// The same from byte `offset` on.
    pub(super) fn write_at<T: bytemuck::Pod>(&self, buffer: &Buffer, offset: u64, numbers: &[T]) {
        let bytes = bytemuck::cast_slice(numbers);
        self.shared.queue.write_buffer(&buffer.raw, offset, bytes);
    }

    /// The largest tensor that kernels can be given, in bytes.
    pub(super) fn largest_tensor(&self) -> u64 {
        self.largest_tensor
    }

    /// The largest buffer of any use, in bytes.
    pub(super) fn largest_buffer(&self) -> u64 {
        self.device().limits().max_buffer_size
    }

    /// Bytes of scores that go through the device at a time.
    pub(super) fn tile_bytes(&self) -> u64 {
        let bytes = self.tile_bytes.unwrap_or(self.tier.tile_bytes());
        bytes.min(self.largest_tensor())
    }

    /// Multiply-adds of one submission at most; never fewer than every device of the tier does in time.
    pub(super) fn most_multiply_adds(&self) -> u64 {
        let measured = (SUBMISSION_MS * self.multiply_adds_per_ms) as u64;
        measured
            .min(MOST_MULTIPLY_ADDS)
            .max(self.tier.least_multiply_adds())
    }

    /// Waits for a submission. Natively the device works while it is waited for; a browser needs no waiting.
    #[cfg_attr(
        target_arch = "wasm32",
        allow(unused_variables, reason = "a browser waits by itself")
    )]
    pub(super) fn wait(&self, submission: wgpu::SubmissionIndex) {
        #[cfg(not(target_arch = "wasm32"))]
        let _ = self.shared.device.poll(wgpu::PollType::Wait {
            submission_index: Some(submission),
            timeout: None,
        });
    }

    /// Error of a missing result that nothing explains: the device is lost, and its own message may
    /// still be pending.
    pub(super) fn lost_or(&self, words: String) -> GpuError {
        GpuError::Lost(self.lost().unwrap_or(words))
    }

    /// Submits what `fill` orders, in error scopes of its own.
    ///
    /// # Errors
    /// [`GpuError::Lost`] if the device is lost already, and errors of `fill`. The device's own
    /// errors are returned with the results.
    pub(super) fn submit(
        &self,
        fill: impl FnOnce(&mut Batch) -> Result<(), GpuError>,
    ) -> Result<Submitted, GpuError> {
        if let Some(words) = self.lost() {
            return Err(GpuError::Lost(words));
        }
        let scopes = ErrorScopes::open(&self.shared.device);
        let mut batch = Batch::new(self);
        fill(&mut batch)?;
        Ok(batch.submit(|| scopes.close()))
    }

    /// Returns the counts of work submitted to the device.
    pub fn counts(&self) -> Counts {
        self.shared.counts.get()
    }

    pub(super) fn count(&self, add: impl FnOnce(&mut Counts)) {
        let mut counts = self.counts();
        add(&mut counts);
        self.shared.counts.set(counts);
    }

    /// Outcome of a run for which the device raised `error`.
    pub(super) fn run_error(&self, error: wgpu::Error) -> GpuError {
        match (self.lost(), error) {
            (Some(words), _) => GpuError::Lost(words),
            (None, error @ wgpu::Error::OutOfMemory { .. }) => {
                GpuError::OutOfMemory(error.to_string())
            }
            (None, error) => GpuError::Invalid(error.to_string()),
        }
    }
}

/// The defaults, which every device grants, with the sizes of buffers as large as this one allows.
fn limits(offered: &wgpu::Limits) -> wgpu::Limits {
    wgpu::Limits {
        max_buffer_size: offered.max_buffer_size,
        max_storage_buffer_binding_size: offered.max_storage_buffer_binding_size,
        ..wgpu::Limits::default()
    }
}
