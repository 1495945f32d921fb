//! Memory that the host can read: the results of a submission lie in one buffer, one behind the other, which is mapped once.

use std::rc::Rc;

use bytemuck::Pod;

use crate::batch::Read;
use crate::oneshot::Signal;
use crate::pool::{Buffer, Use};
use crate::writer::MappedNumbers;
use crate::{Gpu, GpuError};

/// Results begin at multiples of this: what a mapped range may begin at.
const STEP: u64 = wgpu::MAP_ALIGNMENT;

/// The results of a submission on their way back.
pub(super) struct Staged {
    /// One, but where results are larger together than a buffer may be.
    buffers: Vec<Pending>,
    /// For each result its buffer, and where it begins there.
    places: Vec<Place>,
}

struct Pending {
    staging: Buffer,
    bytes: u64,
    mapped: Signal<Result<(), String>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    buffer: usize,
    offset: u64,
    bytes: u64,
}

/// A result that can be read.
pub(super) struct Arrived {
    mapped: Rc<Mapped>,
    place: Place,
}

/// A mapped buffer, which goes back to the pool when its last result has been read.
struct Mapped(Buffer);

impl Staged {
    /// Room for the results of `reads`.
    pub(super) fn new(gpu: &Gpu, reads: &[Read]) -> Self {
        let (places, sizes) = placed(reads.iter().map(|read| read.bytes), gpu.largest_buffer());
        let buffers = sizes.into_iter().map(|bytes| {
            let mut staging = gpu.take(Use::Staging, bytes);
            staging.mark_mapped(true);
            Pending {
                staging,
                bytes,
                mapped: Signal::new(),
            }
        });
        Self {
            buffers: buffers.collect(),
            places,
        }
    }

    /// Copies the results of `reads`.
    pub(super) fn copy(&self, reads: &[Read], encoder: &mut wgpu::CommandEncoder) {
        for (read, place) in reads.iter().zip(&self.places) {
            let to = &self.buffers[place.buffer].staging.raw;
            encoder.copy_buffer_to_buffer(&read.from, 0, to, place.offset, place.bytes);
        }
    }

    /// Asks for the results, once the copies have been submitted.
    pub(super) fn map(&self, gpu: &Gpu) {
        gpu.count(|counts| counts.maps += self.buffers.len() as u64);
        for Pending {
            staging,
            bytes,
            mapped,
        } in &self.buffers
        {
            let mapped = mapped.clone();
            let done = move |result: Result<(), wgpu::BufferAsyncError>| {
                mapped.set(result.map_err(|error| error.to_string()));
            };
            staging.raw.map_async(wgpu::MapMode::Read, 0..*bytes, done);
        }
    }

    /// The results in order, when all are there; what the device says where one does not come.
    pub(super) async fn arrive(self) -> Result<Vec<Arrived>, String> {
        let mut mapped = Vec::with_capacity(self.buffers.len());
        for pending in self.buffers {
            pending.mapped.await?;
            mapped.push(Rc::new(Mapped(pending.staging)));
        }
        let arrived = self.places.into_iter().map(|place| Arrived {
            mapped: mapped[place.buffer].clone(),
            place,
        });
        Ok(arrived.collect())
    }
}

/// Where results of these sizes lie, and the sizes of the buffers that they lie in, none larger than `largest` if it need not be.
fn placed(results: impl Iterator<Item = u64>, largest: u64) -> (Vec<Place>, Vec<u64>) {
    let mut sizes: Vec<u64> = Vec::new();
    let place = |bytes: u64| {
        let offset = sizes.last().map_or(0, |size| size.next_multiple_of(STEP));
        let is_full = sizes.is_empty() || offset + bytes > largest;
        if is_full {
            sizes.push(0);
        }
        let offset = if is_full { 0 } else { offset };
        let buffer = sizes.len() - 1;
        sizes[buffer] = offset + bytes;
        Place {
            buffer,
            offset,
            bytes,
        }
    };
    let places = results.map(place).collect();
    (places, sizes)
}

impl Arrived {
    /// Shows the numbers.
    ///
    /// # Errors
    /// [`GpuError::Invalid`] where the device does not show them.
    pub(super) fn take<T: Pod, R>(self, look: impl FnOnce(&[T]) -> R) -> Result<R, GpuError> {
        let view = self.view()?;
        Ok(match bytemuck::try_cast_slice(&view) {
            Ok(numbers) => look(numbers),
            Err(_) => look(&bytemuck::pod_collect_to_vec(&view)),
        })
    }

    /// Shows the numbers where they are mapped.
    ///
    /// # Errors
    /// As [`take`](Self::take).
    pub(super) fn show<R>(self, look: impl FnOnce(MappedNumbers<'_>) -> R) -> Result<R, GpuError> {
        let view = self.view()?;
        Ok(look(MappedNumbers(&view)))
    }

    fn view(&self) -> Result<wgpu::BufferView, GpuError> {
        let Place { offset, bytes, .. } = self.place;
        let range = offset..offset + bytes;
        let view = self.mapped.0.raw.get_mapped_range(range);
        view.map_err(|error| GpuError::Invalid(error.to_string()))
    }
}

impl Drop for Mapped {
    fn drop(&mut self) {
        self.0.raw.unmap();
        self.0.mark_mapped(false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(buffer: usize, offset: u64, bytes: u64) -> Place {
        Place {
            buffer,
            offset,
            bytes,
        }
    }

    #[test]
    fn results_share_a_buffer_as_long_as_one_can_be_that_large() {
        let few = placed([16, 4, 32].into_iter(), 1000);
        let wanted = vec![place(0, 0, 16), place(0, 16, 4), place(0, 24, 32)];
        assert_eq!(few, (wanted, vec![56]));
        let many = placed([48, 48, 200, 8].into_iter(), 100);
        let wanted = vec![
            place(0, 0, 48),
            place(0, 48, 48),
            place(1, 0, 200),
            place(2, 0, 8),
        ];
        assert_eq!(many, (wanted, vec![96, 200, 8]));
        assert_eq!(placed(std::iter::empty(), 100), (vec![], vec![]));
    }
}
