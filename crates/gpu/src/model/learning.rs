//! Steps of an optimizer on the device.

use super::DeviceModel;
use super::back::DeviceGradients;
use super::numbers::uploaded;
use super::recorder::{Recorder, Rows};
use crate::tensor::Tensor;
use crate::uniforms::Update as Uniform;
use crate::{GpuError, Kernel};
use attention::Error;
use model::{Examples, Model, Optimizer, OptimizerKind, StepReport, Update};

impl DeviceModel {
    /// Begins where an optimizer of the host is.
    pub fn take_moments(&mut self, optimizer: &Optimizer) {
        let is_adam = optimizer.options().kind == OptimizerKind::AdamW;
        self.moments = is_adam.then(|| {
            let moments = optimizer.moments().each_ref();
            moments.map(|moments| uploaded(&self.gpu, self.numbers.all(), moments))
        });
    }

    /// Computes the gradients of `examples` and takes a step along them; the numbers and moments of `model` and `optimizer` themselves
    /// stay as they were.
    ///
    /// # Errors
    /// As [`gradients`](Self::gradients); [`GpuError::Refused`] where numbers leave the range of 32 bits. Everything is then as before.
    pub async fn step(
        &mut self,
        model: &Model,
        optimizer: &mut Optimizer,
        examples: &Examples,
    ) -> Result<StepReport, GpuError> {
        let gradients = self.gradients(model, examples).await?;
        let mut next = optimizer.clone();
        let (report, update) = next.advance(gradients.score, gradients.norm);
        self.update(&gradients, update).await?;
        *optimizer = next;
        Ok(report)
    }

    /// The numbers, and Adam's moments where it has made some.
    ///
    /// # Errors
    /// Those of the device.
    pub async fn learned(&mut self) -> Result<(Vec<f32>, Option<[Vec<f32>; 2]>), GpuError> {
        let numbers = self.read_all(self.numbers.all()).await?;
        let moments = match &self.moments {
            None => None,
            Some([first, second]) => Some([
                self.read_all(first.iter()).await?,
                self.read_all(second.iter()).await?,
            ]),
        };
        self.is_dirty = false;
        Ok((numbers, moments))
    }

    async fn update(
        &mut self,
        gradients: &DeviceGradients,
        update: Update,
    ) -> Result<(), GpuError> {
        let mut recorder = Recorder::new(&self.gpu);
        let beyond = recorder.rows(1, 1)?;
        recorder.batch().clear(&beyond.buffer);
        let mut next: [Vec<Rows>; 3] = Default::default();
        for (tensor, (w, g)) in self.numbers.all().zip(&gradients.tensors).enumerate() {
            // A weight, and what it has of moments.
            let (kernel, old) = match &self.moments {
                Some([first, second]) => (Kernel::Adam, vec![w, &first[tensor], &second[tensor]]),
                None => (Kernel::Descend, vec![w]),
            };
            let new = old.iter().map(|_| recorder.rows(w.rows, w.width));
            let new = new.collect::<Result<Vec<_>, _>>()?;
            let tensors = [g].into_iter().chain(old).chain(&new).chain([&beyond]);
            let buffers: Vec<_> = tensors.map(|tensor| &tensor.buffer).collect();
            let uniform = uniform(w, update);
            let extent = [u64::from(uniform.count), 1, 1];
            let batch = recorder.batch();
            batch.dispatch(kernel, uniform, &buffers, extent)?;
            let all = next.iter_mut().zip(new);
            all.for_each(|(all, tensor)| all.push(tensor));
        }
        let beyond = recorder.read(&beyond);
        let found = recorder.finish().await?.take(beyond)?;
        if found.iter().any(|found| found.to_bits() != 0) {
            return Err(Error::beyond_range("tensors", f32::INFINITY).into());
        }
        let [numbers, first, second] = next;
        self.numbers.set(numbers);
        self.is_dirty = true;
        if let Some(moments) = &mut self.moments {
            *moments = [first, second];
        }
        Ok(())
    }
}

fn uniform(w: &Tensor, update: Update) -> Uniform {
    let Update {
        clip,
        betas: [first_keep, second_keep],
        rests: [first_rest, second_rest],
        pace,
        root,
        epsilon,
        keep,
    } = update;
    Uniform {
        count: (w.rows * w.stride()) as u32,
        columns: w.width as u32,
        stride: w.stride() as u32,
        clip,
        first_keep,
        first_rest,
        second_keep,
        second_rest,
        pace,
        root,
        epsilon,
        keep,
    }
}
