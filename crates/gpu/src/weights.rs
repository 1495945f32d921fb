//! Weights on the device; those of a layer stay there while the layer lives.

use std::rc::Rc;
use std::sync::{Arc, Weak};

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, s};

use crate::Gpu;
use crate::tensor::{Tensor, vectors};
use attention::{Layer, Linear, Request, Source};

/// A linear map. The columns of each head begin at a whole vector of four.
pub(super) struct Projection {
    /// `[in, heads·vectors]`.
    pub(super) w: Tensor,
    /// `[heads·vectors]`.
    pub(super) b: Option<Tensor>,
}

/// The maps of a layer, or those that come with given heads.
#[derive(Default)]
pub(super) struct DeviceWeights {
    /// Of queries, keys and values; absent where heads are given.
    pub(super) inputs: Option<[Projection; 3]>,
    pub(super) output: Option<Projection>,
    pub(super) additive: Option<Tensor>,
}

/// Layers whose weights are on the device.
#[derive(Default)]
pub(super) struct Layers(Vec<(Weak<Layer>, Rc<DeviceWeights>)>);

impl DeviceWeights {
    /// The weights of a request, from the layers that are there already where possible.
    pub(super) fn cached(gpu: &Gpu, request: &Request) -> Rc<Self> {
        let Source::Layer { layer, .. } = request.source() else {
            return Rc::new(Self::upload(gpu, request));
        };
        let mut layers = gpu.layers().borrow_mut();
        layers.0.retain(|(layer, _)| layer.strong_count() > 0);
        let known = layers
            .0
            .iter()
            .find(|(known, _)| std::ptr::eq(known.as_ptr(), Arc::as_ptr(layer)));
        if let Some((_, weights)) = known {
            return weights.clone();
        }
        let weights = Rc::new(Self::upload(gpu, request));
        layers.0.push((Arc::downgrade(layer), weights.clone()));
        weights
    }

    fn upload(gpu: &Gpu, request: &Request) -> Self {
        let sizes = request.sizes();
        let inputs = match request.source() {
            Source::Heads(_) => None,
            Source::Layer { layer, .. } => {
                let weights = layer.weights();
                Some([
                    Projection::of_heads(gpu, &weights.query, sizes.heads),
                    Projection::of_heads(gpu, &weights.key, sizes.kv_heads),
                    Projection::of_heads(gpu, &weights.value, sizes.kv_heads),
                ])
            }
        };
        let additive = request.additive();
        Self {
            inputs,
            output: request
                .output()
                .map(|output| Projection::of_merged(gpu, output, sizes.heads)),
            additive: additive.map(|w_a| vector(gpu, w_a.view())),
        }
    }
}

impl Projection {
    /// A map whose columns are those of `heads` heads.
    fn of_heads(gpu: &Gpu, linear: &Linear, heads: usize) -> Self {
        let w = padded_columns(linear.w.view(), heads);
        let row = |b: &Array1<f32>| padded_columns(b.view().insert_axis(ndarray::Axis(0)), heads);
        Self {
            w: Tensor::of_matrix(gpu, w.view()),
            b: linear
                .b
                .as_ref()
                .map(|b| Tensor::of_matrix(gpu, row(b).view())),
        }
    }

    /// A map whose rows are those of the heads side by side, each padded to whole vectors of four.
    fn of_merged(gpu: &Gpu, linear: &Linear, heads: usize) -> Self {
        let w = padded_columns(linear.w.t(), heads);
        Self {
            w: Tensor::of_matrix(gpu, w.t()),
            b: linear.b.as_ref().map(|b| vector(gpu, b.view())),
        }
    }
}

/// Zeros between the columns of one head and the next, so that each head begins at a whole vector of four.
fn padded_columns(w: ArrayView2<f32>, heads: usize) -> Array2<f32> {
    let width = w.ncols() / heads;
    let stride = 4 * vectors(width);
    if width == stride {
        return w.to_owned();
    }
    let mut padded = Array2::zeros((w.nrows(), heads * stride));
    for head in 0..heads {
        let columns = head * stride..head * stride + width;
        padded
            .slice_mut(s![.., columns])
            .assign(&w.slice(s![.., head * width..(head + 1) * width]));
    }
    padded
}

fn vector(gpu: &Gpu, b: ArrayView1<f32>) -> Tensor {
    Tensor::of_matrix(gpu, b.insert_axis(ndarray::Axis(0)))
}
