//! Collects dispatches and reads of results, and submits them together.

use bytemuck::Pod;

use crate::bind_groups::GroupKey;
use crate::error_scopes::PendingErrors;
use crate::pool::{Buffer, Use};
use crate::results::Target;
use crate::staging::{Arrived, Staged};
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
    dispatches: Vec<Dispatch>,
    uniforms: Vec<u8>,
    reads: Vec<Read>,
    /// Used by the dispatches; given back when these are submitted.
    kept: Vec<Buffer>,
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

/// A result that is to be read.
pub(super) struct Read {
    target: Target,
    pub(super) from: wgpu::Buffer,
    pub(super) bytes: u64,
}

impl Batch {
    pub(super) fn new(gpu: &Gpu) -> Self {
        Self {
            gpu: gpu.clone(),
            clears: Vec::new(),
            dispatches: Vec::new(),
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
        self.dispatches.push(Dispatch {
            kernel,
            uniform: (start, size_of::<P>()),
            buffers: buffers
                .iter()
                .map(|buffer| bound(buffer, 0, buffer.bytes))
                .collect(),
            groups,
        });
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

    /// Reads the first `bytes` of `buffer`, which nothing in the batch changes from here on.
    pub(super) fn read(&mut self, target: Target, buffer: &Buffer, bytes: u64) {
        self.reads.push(Read {
            target,
            from: buffer.raw.clone(),
            bytes,
        });
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
        let staged = Staged::new(&self.gpu, &self.reads);
        self.encode(&uniforms, &mut encoder);
        staged.copy(&self.reads, &mut encoder);
        let index = queue.submit([encoder.finish()]);
        self.gpu.count(|counts| {
            counts.submissions += 1;
            counts.copies += self.reads.len() as u64;
            counts.bytes_read += self.reads.iter().map(|read| read.bytes).sum::<u64>();
        });
        staged.map(&self.gpu);
        Submitted {
            gpu: self.gpu,
            targets: self.reads.into_iter().map(|read| read.target).collect(),
            staged,
            index,
            errors: close(),
        }
    }

    /// All dispatches share a pass.
    fn encode(&self, uniforms: &Buffer, encoder: &mut wgpu::CommandEncoder) {
        if self.dispatches.is_empty() {
            return;
        }
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        self.gpu.count(|counts| counts.passes += 1);
        for dispatch in &self.dispatches {
            self.encode_dispatch(dispatch, uniforms, &mut pass);
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
        self.gpu.count(|counts| {
            counts.dispatches += 1;
            counts.workgroups += dispatch.groups.map(u64::from).iter().product::<u64>();
        });
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

fn bound(buffer: &Buffer, offset: u64, bytes: u64) -> Bound {
    Bound {
        raw: buffer.raw.clone(),
        id: buffer.id,
        offset,
        bytes,
    }
}

/// Workgroups for an extent. A long line of vectors is laid out in rows of groups, where the kernel is one for lines.
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
    if groups[0] > most && kernel.works_on_lines() {
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
    targets: Vec<Target>,
    staged: Staged,
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
        let arrived = self.staged.arrive().await;
        let arrived = arrived.map_err(|words| self.gpu.lost_or(words))?;
        match self.gpu.lost() {
            Some(words) => Err(GpuError::Lost(words)),
            None => Ok(self.targets.into_iter().zip(arrived).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tier;

    /// A product of one row would read the rows of groups as rows of its own.
    #[test]
    fn only_lines_are_laid_out_in_rows_of_groups() {
        let long = u64::from(MOST_GROUPS) * 64 + 1;
        let of = |kernel| groups(kernel, Tier::Hardware, [long, 1, 1]);
        assert_eq!(of(Kernel::MergeHeads), Ok([MOST_GROUPS, 2, 1]));
        assert_eq!(of(Kernel::Mask), Ok([MOST_GROUPS, 2, 1]));
        for kernel in [Kernel::ProductTransposed, Kernel::Pack, Kernel::Hide] {
            assert!(
                matches!(of(kernel), Err(GpuError::TooLarge(_))),
                "{kernel:?}"
            );
        }
    }
}
