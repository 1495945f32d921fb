//! Orders the work of a model's pass in submissions of bounded length.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::batch::{Batch, Submitted};
use crate::error_scopes::ErrorScopes;
use crate::pool::{Buffer, Use};
use crate::results::Target;
use crate::run::IN_FLIGHT;
use crate::staging::Arrived;
use crate::tensor::{Tensor, bytes};
use crate::uniforms::{Lines, Product};
use crate::{Gpu, GpuError, Kernel};

/// Rows on the device, used by several steps.
pub(super) type Rows = Rc<Tensor>;

/// The work of a pass. What is uploaded arrives before all that is ordered, so nothing may be once a buffer that is ordered work uses
/// has been given back to the pool.
pub(super) struct Recorder {
    gpu: Gpu,
    open: Option<(ErrorScopes, Batch)>,
    multiply_adds: u64,
    in_flight: VecDeque<Submitted>,
    /// Saved until what reads them is submitted.
    read: Vec<Rows>,
    results: usize,
    arrived: Vec<(Target, Arrived)>,
}

/// A result that will have arrived when everything has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Awaited {
    place: usize,
    rows: usize,
    width: usize,
}

impl Recorder {
    pub(super) fn new(gpu: &Gpu) -> Self {
        Self {
            gpu: gpu.clone(),
            open: None,
            multiply_adds: 0,
            in_flight: VecDeque::new(),
            read: Vec::new(),
            results: 0,
            arrived: Vec::new(),
        }
    }

    pub(super) fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// What the next submission is made of.
    pub(super) fn batch(&mut self) -> &mut Batch {
        let gpu = &self.gpu;
        let new = || (ErrorScopes::open(gpu.device()), Batch::new(gpu));
        &mut self.open.get_or_insert_with(new).1
    }

    /// Room for rows.
    ///
    /// # Errors
    /// [`GpuError::TooLarge`] beyond what kernels can be given.
    pub(super) fn rows(&self, rows: usize, width: usize) -> Result<Rows, GpuError> {
        let buffer = self.storage(bytes(rows, width))?;
        Ok(Rc::new(Tensor {
            buffer,
            rows,
            width,
        }))
    }

    /// Room for so many bytes.
    ///
    /// # Errors
    /// As [`rows`](Self::rows).
    pub(super) fn storage(&self, needs: u64) -> Result<Buffer, GpuError> {
        let most = self.gpu.largest_tensor();
        if needs > most {
            let words =
                format!("a tensor needs {needs} bytes in one piece, the device allows {most}");
            return Err(GpuError::TooLarge(words));
        }
        Ok(self.gpu.take(Use::Storage, needs))
    }

    /// Runs a kernel of models over `count` rows or vectors.
    pub(super) fn lines(
        &mut self,
        kernel: Kernel,
        uniform: Lines,
        buffers: &[&Tensor],
        count: usize,
    ) -> Result<(), GpuError> {
        let buffers: Vec<&Buffer> = buffers.iter().map(|tensor| &tensor.buffer).collect();
        let extent = [count as u64, 1, 1];
        self.batch().dispatch(kernel, uniform, &buffers, extent)
    }

    /// A product of `slices` pairs of matrices; `bias` is read where the uniform says so.
    pub(super) fn product(
        &mut self,
        kernel: Kernel,
        uniform: Product,
        [a, b, bias, c]: [&Tensor; 4],
        slices: usize,
    ) -> Result<(), GpuError> {
        let sizes = [uniform.rows, uniform.inner, uniform.columns].map(u64::from);
        self.multiply_adds += sizes.iter().product::<u64>() * slices as u64;
        let buffers = [&a.buffer, &b.buffer, &bias.buffer, &c.buffer];
        let extent = uniform.extent(slices);
        self.batch().dispatch(kernel, uniform, &buffers, extent)
    }

    /// Reads rows that nothing changes from here on.
    pub(super) fn read(&mut self, rows: &Rows) -> Awaited {
        let place = self.results;
        self.results += 1;
        self.read.push(rows.clone());
        self.batch().read_if(true, Target::OfModel(place), rows);
        Awaited {
            place,
            rows: rows.rows,
            width: rows.width,
        }
    }

    /// Submits what has been ordered if that is enough, and waits where much is under way: between two steps.
    pub(super) async fn rest(&mut self) -> Result<(), GpuError> {
        if self.multiply_adds >= self.gpu.most_multiply_adds() {
            self.submit()?;
        }
        while self.in_flight.len() > IN_FLIGHT {
            self.arrive().await?;
        }
        Ok(())
    }

    /// Everything that is read, once all is done.
    pub(super) async fn finish(mut self) -> Result<Results, GpuError> {
        self.submit()?;
        while !self.in_flight.is_empty() {
            self.arrive().await?;
        }
        let mut results: Vec<_> = (0..self.results).map(|_| None).collect();
        for (target, arrived) in self.arrived {
            if let Target::OfModel(place) = target {
                results[place] = Some(arrived);
            }
        }
        Ok(Results(results))
    }

    fn submit(&mut self) -> Result<(), GpuError> {
        if let Some(words) = self.gpu.lost() {
            return Err(GpuError::Lost(words));
        }
        if let Some((scopes, batch)) = self.open.take() {
            self.in_flight.push_back(batch.submit(|| scopes.close()));
        }
        self.multiply_adds = 0;
        self.read.clear();
        Ok(())
    }

    async fn arrive(&mut self) -> Result<(), GpuError> {
        if let Some(submitted) = self.in_flight.pop_front() {
            self.arrived.extend(submitted.arrive().await?);
        }
        Ok(())
    }
}

/// What has come back.
pub(super) struct Results(Vec<Option<Arrived>>);

impl Results {
    /// The numbers of a result without padding; each can be taken once.
    pub(super) fn take(&mut self, awaited: Awaited) -> Result<Vec<f32>, GpuError> {
        let Awaited { place, rows, width } = awaited;
        let mut numbers = vec![0.0; rows * width];
        match self.0[place].take() {
            Some(arrived) => crate::tensor::unpad(arrived, width, &mut numbers)?,
            None if numbers.is_empty() => {}
            None => return Err(GpuError::Invalid("a result was taken twice".to_owned())),
        }
        Ok(numbers)
    }
}
