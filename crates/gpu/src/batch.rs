//! Collects dispatches and copies, and submits them together.

use bytemuck::Pod;

use crate::error_scopes::Raised;
use crate::oneshot::Signal;
use crate::pool::{Buffer, Use};
use crate::results::Target;
use crate::tensor::Tensor;
use crate::{Gpu, GpuError, Kernel};

/// Uniforms begin at multiples of this: the largest alignment that a device may ask for.
const UNIFORM_STEP: usize = 256;
/// Workgroups along one axis at most.
const MOST_GROUPS: u32 = 65_535;

/// Dispatches and copies in order.
pub(super) struct Batch {
    gpu: Gpu,
    orders: Vec<Order>,
    uniforms: Vec<u8>,
    reads: Vec<Read>,
    /// Used by the orders; given back when these are submitted.
    kept: Vec<Buffer>,
}

enum Order {
    Dispatch {
        kernel: Kernel,
        uniform: usize,
        size: usize,
        buffers: Vec<(wgpu::Buffer, u64)>,
        groups: [u32; 3],
    },
    Copy {
        from: wgpu::Buffer,
        to: wgpu::Buffer,
        bytes: u64,
    },
    Clear(wgpu::Buffer),
}

/// A result on its way back.
struct Read {
    target: Target,
    staging: Buffer,
    bytes: u64,
    mapped: Signal<Result<(), String>>,
}

/// A result that can be looked at.
pub(super) struct Arrived {
    staging: Buffer,
    bytes: u64,
}

impl Batch {
    pub(super) fn new(gpu: &Gpu) -> Self {
        Self {
            gpu: gpu.clone(),
            orders: Vec::new(),
            uniforms: Vec::new(),
            reads: Vec::new(),
            kept: Vec::new(),
        }
    }

    pub(super) fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Runs `kernel` over `extent` numbers: columns, rows and slices of a matrix, or a count of vectors. Nothing is done
    /// where one of them is 0.
    pub(super) fn dispatch<P: Pod>(
        &mut self,
        kernel: Kernel,
        uniform: P,
        buffers: &[&Buffer],
        extent: [u64; 3],
    ) -> Result<(), GpuError> {
        if extent.contains(&0) {
            return Ok(());
        }
        let groups = groups(kernel, self.gpu.tier(), extent)?;
        let start = self.uniforms.len().next_multiple_of(UNIFORM_STEP);
        self.uniforms.resize(start, 0);
        self.uniforms
            .extend_from_slice(bytemuck::bytes_of(&uniform));
        self.orders.push(Order::Dispatch {
            kernel,
            uniform: start,
            size: size_of::<P>(),
            buffers: buffers
                .iter()
                .map(|buffer| (buffer.raw.clone(), buffer.bytes))
                .collect(),
            groups,
        });
        Ok(())
    }

    /// Fills a buffer with zeros.
    pub(super) fn clear(&mut self, buffer: &Buffer) {
        self.orders.push(Order::Clear(buffer.raw.clone()));
    }

    /// Reads a tensor that is wanted, as it will be at this point; one without numbers brings none.
    pub(super) fn read_if(&mut self, is_wanted: bool, target: Target, tensor: &Tensor) {
        if is_wanted && tensor.bytes() > 0 {
            self.read(target, &tensor.buffer, tensor.bytes());
        }
    }

    /// Reads the first `bytes` of `buffer` as they will be at this point.
    pub(super) fn read(&mut self, target: Target, buffer: &Buffer, bytes: u64) {
        let mut staging = self.gpu.take(Use::Staging, bytes);
        staging.mark_mapped(true);
        self.orders.push(Order::Copy {
            from: buffer.raw.clone(),
            to: staging.raw.clone(),
            bytes,
        });
        self.reads.push(Read {
            target,
            staging,
            bytes,
            mapped: Signal::new(),
        });
    }

    /// Keeps a buffer until the batch is submitted.
    pub(super) fn hold_until_submit(&mut self, buffer: Buffer) {
        self.kept.push(buffer);
    }

    /// Hands everything to the device; results come through [`Submitted::arrive`].
    /// `close` ends the error scopes once everything is handed over.
    pub(super) fn submit(self, close: impl FnOnce() -> Raised) -> Submitted {
        let (device, queue) = (self.gpu.device(), self.gpu.queue());
        let uniforms = self.gpu.take(Use::Uniform, self.uniforms.len() as u64);
        if !self.uniforms.is_empty() {
            queue.write_buffer(&uniforms.raw, 0, &self.uniforms);
        }
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for order in &self.orders {
            self.encode(order, &uniforms, &mut encoder);
        }
        let index = queue.submit([encoder.finish()]);
        for read in &self.reads {
            let mapped = read.mapped.clone();
            read.staging
                .raw
                .map_async(wgpu::MapMode::Read, 0..read.bytes, move |result| {
                    mapped.set(result.map_err(|error| error.to_string()));
                });
        }
        Submitted {
            gpu: self.gpu,
            reads: self.reads,
            index,
            raised: close(),
        }
    }

    fn encode(&self, order: &Order, uniforms: &Buffer, encoder: &mut wgpu::CommandEncoder) {
        match order {
            Order::Copy { from, to, bytes } => {
                encoder.copy_buffer_to_buffer(from, 0, to, 0, *bytes);
            }
            Order::Clear(buffer) => encoder.clear_buffer(buffer, 0, None),
            Order::Dispatch {
                kernel,
                uniform,
                size,
                buffers,
                groups: [x, y, z],
            } => {
                let pipeline = self.gpu.pipeline(*kernel);
                let uniform = bound(&uniforms.raw, *uniform as u64, *size as u64);
                let rest = buffers
                    .iter()
                    .map(|(buffer, bytes)| bound(buffer, 0, *bytes));
                let entries: Vec<_> = std::iter::once(uniform)
                    .chain(rest)
                    .zip(0..)
                    .map(|(resource, binding)| wgpu::BindGroupEntry { binding, resource })
                    .collect();
                let group = self
                    .gpu
                    .device()
                    .create_bind_group(&wgpu::BindGroupDescriptor {
                        label: None,
                        layout: &pipeline.get_bind_group_layout(0),
                        entries: &entries,
                    });
                let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
                pass.set_pipeline(&pipeline);
                pass.set_bind_group(0, &group, &[]);
                pass.dispatch_workgroups(*x, *y, *z);
            }
        }
    }
}

fn bound(buffer: &wgpu::Buffer, offset: u64, bytes: u64) -> wgpu::BindingResource<'_> {
    wgpu::BindingResource::Buffer(wgpu::BufferBinding {
        buffer,
        offset,
        size: std::num::NonZeroU64::new(bytes),
    })
}

/// Workgroups for an extent. A long line of vectors is laid out in rows of groups.
fn groups(kernel: Kernel, tier: crate::Tier, extent: [u64; 3]) -> Result<[u32; 3], GpuError> {
    let [across, down] = kernel.shader(tier).block.map(u64::from);
    let mut groups = [
        extent[0].div_ceil(across),
        extent[1].div_ceil(down),
        extent[2],
    ];
    let most = u64::from(MOST_GROUPS);
    if groups[0] > most && extent[1..] == [1, 1] {
        groups = [most, groups[0].div_ceil(most), 1];
    }
    if groups.iter().any(|count| *count > most) {
        return Err(GpuError::TooLarge(format!(
            "{extent:?} numbers for one kernel"
        )));
    }
    Ok(groups.map(|count| count as u32))
}

/// Work that the device has been given.
pub(super) struct Submitted {
    gpu: Gpu,
    reads: Vec<Read>,
    index: wgpu::SubmissionIndex,
    raised: Raised,
}

impl Submitted {
    /// Waits for the results.
    ///
    /// # Errors
    /// [`GpuError::Lost`] where the device is gone, and what it raised over the work.
    pub(super) async fn arrive(self) -> Result<Vec<(Target, Arrived)>, GpuError> {
        if let Some(error) = self.raised.first().await {
            return Err(self.gpu.raised(error));
        }
        if let Some(words) = self.gpu.lost() {
            return Err(GpuError::Lost(words));
        }
        self.gpu.wait(self.index);
        let mut arrived = Vec::new();
        for read in self.reads {
            read.mapped.await.map_err(|words| self.gpu.lost_or(words))?;
            let result = Arrived {
                staging: read.staging,
                bytes: read.bytes,
            };
            arrived.push((read.target, result));
        }
        match self.gpu.lost() {
            Some(words) => Err(GpuError::Lost(words)),
            None => Ok(arrived),
        }
    }
}

impl Arrived {
    /// Shows the numbers and gives the buffer back.
    pub(super) fn take<T: Pod, R>(mut self, look: impl FnOnce(&[T]) -> R) -> Result<R, GpuError> {
        let view = self
            .staging
            .raw
            .get_mapped_range(0..self.bytes)
            .map_err(|error| GpuError::Invalid(error.to_string()))?;
        let result = match bytemuck::try_cast_slice(&view) {
            Ok(numbers) => look(numbers),
            Err(_) => look(&bytemuck::pod_collect_to_vec(&view)),
        };
        drop(view);
        self.staging.raw.unmap();
        self.staging.mark_mapped(false);
        Ok(result)
    }
}
