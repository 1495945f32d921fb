//! A pool of buffers for reuse, with the bind groups that are made of them: making one costs more than many a kernel.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::bind_groups::{BindGroups, GroupKey};

/// Use of a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Use {
    /// Kernels read and write it.
    Storage,
    /// Uniforms.
    Uniform,
    /// Results wait in it to be read.
    Staging,
}

impl Use {
    const fn usages(self) -> wgpu::BufferUsages {
        use wgpu::BufferUsages as U;
        match self {
            Self::Storage => U::STORAGE.union(U::COPY_SRC).union(U::COPY_DST),
            Self::Uniform => U::UNIFORM.union(U::COPY_DST),
            Self::Staging => U::MAP_READ.union(U::COPY_DST),
        }
    }
}

/// Unused buffers are kept up to this many bytes in all.
const MOST_KEPT: u64 = 256 << 20;
const SMALLEST: u64 = 256;
/// A binding must not be empty: one vector of four.
const SMALLEST_BINDING: u64 = 16;
/// From here on buffers are not rounded up to powers of two, but to whole multiples.
const COARSE: u64 = 16 << 20;

/// Buffers that are free at the moment. Clones share them.
#[derive(Clone, Default)]
pub(super) struct Pool(Rc<RefCell<Free>>);

#[derive(Default)]
struct Free {
    buffers: HashMap<(Use, u64), Vec<(wgpu::Buffer, u64)>>,
    bytes: u64,
    /// Buffers that were made so far, of which each has the number as its name.
    made: u64,
    groups: BindGroups<wgpu::BindGroup>,
}

impl Pool {
    /// A buffer of at least `bytes`, whose contents are whatever they are.
    pub(super) fn take(&self, device: &wgpu::Device, kind: Use, bytes: u64) -> Buffer {
        let size = rounded(bytes).min(device.limits().max_buffer_size.max(bytes));
        let mut free = self.0.borrow_mut();
        let found = free.buffers.get_mut(&(kind, size)).and_then(Vec::pop);
        if found.is_some() {
            free.bytes -= size;
        }
        let (raw, id) = found.unwrap_or_else(|| {
            free.made += 1;
            let raw = device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size,
                usage: kind.usages(),
                mapped_at_creation: false,
            });
            (raw, free.made)
        });
        Buffer {
            raw,
            id,
            kind,
            size,
            bytes: bytes.max(SMALLEST_BINDING),
            is_spoilt: false,
            pool: self.clone(),
        }
    }

    /// The bind group of these buffers, made by `make` where there is none.
    pub(super) fn group(
        &self,
        key: GroupKey,
        make: impl FnOnce() -> wgpu::BindGroup,
    ) -> wgpu::BindGroup {
        self.0.borrow_mut().groups.get(key, make)
    }

    /// Destroys the free buffers.
    pub(super) fn clear(&self) {
        let mut free = self.0.borrow_mut();
        free.buffers
            .drain()
            .flat_map(|(_, buffers)| buffers)
            .for_each(|(buffer, _)| buffer.destroy());
        free.bytes = 0;
        free.groups = BindGroups::default();
    }

    fn give_back(&self, buffer: &Buffer) {
        let mut free = self.0.borrow_mut();
        if buffer.is_spoilt || free.bytes + buffer.size > MOST_KEPT {
            free.groups.forget(buffer.id);
            return buffer.raw.destroy();
        }
        free.bytes += buffer.size;
        let same = free.buffers.entry((buffer.kind, buffer.size)).or_default();
        same.push((buffer.raw.clone(), buffer.id));
    }
}

fn rounded(bytes: u64) -> u64 {
    if bytes >= COARSE {
        return bytes.next_multiple_of(COARSE);
    }
    bytes.max(SMALLEST).next_power_of_two()
}

/// A pooled buffer, which returns to its pool when it is dropped. The queue preserves order, so
/// pending work on it is done before that of a later user.
pub(super) struct Buffer {
    pub(super) raw: wgpu::Buffer,
    /// Requested size; the buffer itself may be larger.
    pub(super) bytes: u64,
    /// No other buffer of the device has it, now or later.
    pub(super) id: u64,
    kind: Use,
    size: u64,
    is_spoilt: bool,
    pool: Pool,
}

impl Buffer {
    /// Whether it must not be used again, because it is mapped or about to be.
    pub(super) fn mark_mapped(&mut self, is_spoilt: bool) {
        self.is_spoilt = is_spoilt;
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.pool.clone().give_back(self);
    }
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn sizes_are_few_and_never_too_small() {
        let sizes = [
            0,
            1,
            256,
            257,
            5000,
            (16 << 20) - 1,
            16 << 20,
            (16 << 20) + 1,
        ];
        let wanted = [256, 256, 256, 512, 8192, 16 << 20, 16 << 20, 32 << 20];
        assert_eq!(sizes.map(rounded), wanted);
    }
}
