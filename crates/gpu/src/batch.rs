//! Collects dispatches and copies, and submits them together, in as few passes as the copies leave.

use bytemuck::Pod;

use crate::bind_groups::GroupKey;
use crate::error_scopes::PendingErrors;
use crate::oneshot::Signal;
use crate::pool::{Buffer, Use};
use crate::results::Target;
use crate::tensor::Tensor;
use crate::{Gpu, GpuError, Kernel};

/// Uniforms begin at multiples of this: the largest alignment that a device may ask for.
const UNIFORM_STEP: usize = 256;
/// Workgroups along one axis at most.
const MOST_GROUPS: u32 = 65_535;

/// One submission: buffers are cleared, then dispatches run in order, then results are copied out.
pub(super) struct Batch {
    gpu: Gpu,
    clears: Vec<wgpu::Buffer>,
    orders: Vec<Order>,
    /// Copies for which it is enough to come at the end, where they interrupt no pass.
    copies: Vec<Copy>,
    uniforms: Vec<u8>,
    reads: Vec<Read>,
    /// Used by the orders; given back when these are submitted.
    kept: Vec<Buffer>,
}

enum Order {
    Dispatch(Dispatch),
    Copy(Copy),
}

struct Dispatch {
    kernel: Kernel,
    /// Where its uniform begins, and its size.
    uniform: (usize, usize),
    buffers: Vec<Bound>,
    groups: [u32; 3],
}

/// A buffer as it is bound: its beginning, or a part of it.
struct Bound {
    raw: wgpu::Buffer,
    id: u64,
    offset: u64,
    bytes: u64,
}

struct Copy {
    from: wgpu::Buffer,
    to: wgpu::Buffer,
    bytes: u64,
}

/// A result on its way back.
struct Read {
    target: Target,
    staging: Buffer,
    bytes: u64,
    mapped: Signal<Result<(), String>>,
}

/// A result that can be read.
pub(super) struct Arrived {
    staging: Buffer,
    bytes: u64,
}

impl Batch {
    pub(super) fn new(gpu: &Gpu) -> Self {
        Self {
            gpu: gpu.clone(),
            clears: Vec::new(),
            orders: Vec::new(),
            copies: Vec::new(),
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
        let kernel = kernel.fitted(self.gpu.tier(), extent);
        let groups = groups(kernel, self.gpu.tier(), extent)?;
        let start = self.uniforms.len().next_multiple_of(UNIFORM_STEP);
        self.uniforms.resize(start, 0);
        self.uniforms
            .extend_from_slice(bytemuck::bytes_of(&uniform));
        self.orders.push(Order::Dispatch(Dispatch {
            kernel,
            uniform: (start, size_of::<P>()),
            buffers: buffers
                .iter()
                .map(|buffer| bound(buffer, 0, buffer.bytes))
                .collect(),
            groups,
        }));
        Ok(())
    }

    /// Fills a buffer with zeros before anything else in the batch is done, as numbers from the host are written before it.
    pub(super) fn clear(&mut self, buffer: &Buffer) {
        self.clears.push(buffer.raw.clone());
    }

    /// Reads a tensor that is wanted and that nothing in the batch changes from here on; one without numbers brings none.
    pub(super) fn read_if(&mut self, is_wanted: bool, target: Target, tensor: &Tensor) {
        if is_wanted && tensor.bytes() > 0 {
            self.read(target, &tensor.buffer, tensor.bytes());
        }
    }

    /// Reads a tensor that is wanted as it is at this point.
    pub(super) fn read_now_if(&mut self, is_wanted: bool, target: Target, tensor: &Tensor) {
        if is_wanted && tensor.bytes() > 0 {
            let copy = self.copy(target, &tensor.buffer, tensor.bytes());
            self.orders.push(Order::Copy(copy));
        }
    }

    /// Reads the first `bytes` of `buffer`, which nothing in the batch changes from here on.
    pub(super) fn read(&mut self, target: Target, buffer: &Buffer, bytes: u64) {
        let copy = self.copy(target, buffer, bytes);
        self.copies.push(copy);
    }

    fn copy(&mut self, target: Target, buffer: &Buffer, bytes: u64) -> Copy {
        let mut staging = self.gpu.take(Use::Staging, bytes);
        staging.mark_mapped(true);
        let to = staging.raw.clone();
        self.reads.push(Read {
            target,
            staging,
            bytes,
            mapped: Signal::new(),
        });
        Copy {
            from: buffer.raw.clone(),
            to,
            bytes,
        }
    }

    /// Keeps a buffer until the batch is submitted.
    pub(super) fn hold_until_submit(&mut self, buffer: Buffer) {
        self.kept.push(buffer);
    }

    /// Hands everything to the device; results come through [`Submitted::arrive`].
    ///
    /// `close` ends the error scopes once everything is handed over.
    pub(super) fn submit(self, close: impl FnOnce() -> PendingErrors) -> Submitted {
        let (device, queue) = (self.gpu.device(), self.gpu.queue());
        let uniforms = self.gpu.take(Use::Uniform, self.uniforms.len() as u64);
        if !self.uniforms.is_empty() {
            queue.write_buffer(&uniforms.raw, 0, &self.uniforms);
        }
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for buffer in &self.clears {
            encoder.clear_buffer(buffer, 0, None);
        }
        self.encode(&uniforms, &mut encoder);
        self.copies
            .iter()
            .for_each(|copy| copy.encode(&mut encoder));
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
            errors: close(),
        }
    }

    /// Dispatches that follow one another share a pass.
    fn encode(&self, uniforms: &Buffer, encoder: &mut wgpu::CommandEncoder) {
        let is_dispatch = |order: &Order| matches!(order, Order::Dispatch(_));
        let runs = self
            .orders
            .chunk_by(|one, next| is_dispatch(one) && is_dispatch(next));
        for run in runs {
            if let [Order::Copy(copy)] = run {
                copy.encode(encoder);
                continue;
            }
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            self.gpu.count(|counts| counts.passes += 1);
            for order in run {
                if let Order::Dispatch(dispatch) = order {
                    self.encode_dispatch(dispatch, uniforms, &mut pass);
                }
            }
        }
    }

    fn encode_dispatch(
        &self,
        dispatch: &Dispatch,
        uniforms: &Buffer,
        pass: &mut wgpu::ComputePass<'_>,
    ) {
        let pipeline = self.gpu.pipeline(dispatch.kernel);
        let (start, size) = dispatch.uniform;
        let uniform = bound(uniforms, start as u64, size as u64);
        let buffers: Vec<_> = std::iter::once(&uniform).chain(&dispatch.buffers).collect();
        let key = GroupKey {
            kernel: (dispatch.kernel, self.gpu.tier()),
            buffers: buffers
                .iter()
                .map(|bound| (bound.id, bound.offset, bound.bytes))
                .collect(),
        };
        let group = self
            .gpu
            .pool()
            .group(key, || self.bind_group(&pipeline, &buffers));
        let [x, y, z] = dispatch.groups;
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(x, y, z);
    }

    fn bind_group(&self, pipeline: &wgpu::ComputePipeline, buffers: &[&Bound]) -> wgpu::BindGroup {
        self.gpu.count(|counts| counts.bind_groups += 1);
        let entries: Vec<_> = (0..)
            .zip(buffers)
            .map(|(binding, bound)| wgpu::BindGroupEntry {
                binding,
                resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer: &bound.raw,
                    offset: bound.offset,
                    size: std::num::NonZeroU64::new(bound.bytes),
                }),
            })
            .collect();
        let description = wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries,
        };
        self.gpu.device().create_bind_group(&description)
    }
}

impl Copy {
    fn encode(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.copy_buffer_to_buffer(&self.from, 0, &self.to, 0, self.bytes);
    }
}

fn bound(buffer: &Buffer, offset: u64, bytes: u64) -> Bound {
    Bound {
        raw: buffer.raw.clone(),
        id: buffer.id,
        offset,
        bytes,
    }
}

/// Workgroups for an extent. A long line of vectors is laid out in rows of groups.
pub(super) fn groups(
    kernel: Kernel,
    tier: crate::Tier,
    extent: [u64; 3],
) -> Result<[u32; 3], GpuError> {
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
    errors: PendingErrors,
}

impl Submitted {
    /// Waits for the results.
    ///
    /// # Errors
    /// [`GpuError::Lost`] if the device is lost, and errors that it raised during the work.
    pub(super) async fn arrive(self) -> Result<Vec<(Target, Arrived)>, GpuError> {
        if let Some(error) = self.errors.first().await {
            return Err(self.gpu.run_error(error));
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
