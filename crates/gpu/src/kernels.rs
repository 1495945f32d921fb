//! The shaders and their pipelines; each pipeline is built when it is first used, and cached.

use std::collections::HashMap;

use crate::Tier;

/// Access of a shader to a binding after the uniform at binding 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reads it.
    Read,
    /// Reads and writes it.
    Write,
}

/// All kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kernel {
    /// `c = factor·a·b + bias`.
    Product,
    /// `c = factor·a·bᵀ`.
    ProductTransposed,
    /// [`Product`](Self::Product) in lower blocks; [`Hardware`](Tier::Hardware) alone.
    SmallProduct,
    /// [`ProductTransposed`](Self::ProductTransposed) in lower blocks; [`Hardware`](Tier::Hardware) alone.
    SmallProductTransposed,
    /// Additive scores.
    Additive,
    /// Which cells are visible.
    Mask,
    /// Scores to weights.
    Softmax,
    /// Hidden weights to zero.
    Hide,
    /// Rows of scores or weights on their way back.
    Pack,
    /// What the measures of a head take from rows of weights.
    Measure,
    /// Scores, weights and the weighted sum at once, where only the sum is wanted; [`Hardware`](Tier::Hardware) alone.
    FusedAttention,
    /// Subtracts ALiBi's penalties from scores.
    Bias,
    /// Adds a bias that was given.
    AddBias,
    /// Positions added to inputs.
    AddPositions,
    /// Rotates queries or keys by their positions.
    Rotate,
    /// The same with a column of each pair in either half.
    RotateHalves,
    /// The heads side by side.
    MergeHeads,
    /// The length of the longest row.
    LongestRow,
    /// Marked rows of one matrix to another.
    CopyRows,
    /// [`Product`](Self::Product) in twice the precision.
    WideProduct,
    /// [`ProductTransposed`](Self::ProductTransposed) in twice the precision.
    WideProductTransposed,
    /// [`Additive`](Self::Additive) in twice the precision.
    WideAdditive,
    /// [`AddPositions`](Self::AddPositions) in twice the precision.
    WideAddPositions,
    /// [`Rotate`](Self::Rotate) in twice the precision.
    WideRotate,
    /// [`RotateHalves`](Self::RotateHalves) in twice the precision.
    WideRotateHalves,
    /// Vectors of words and places; models alone use this and those after it.
    Embed,
    /// Its gradient for the words.
    EmbedBack,
    /// Rows of mean 0 and variance 1, or of mean square 1.
    NormRows,
    /// Its gradient.
    NormRowsBack,
    /// Hidden rows of an MLP.
    Activate,
    /// Its gradient.
    ActivateBack,
    /// A soft cap.
    Cap,
    /// Its gradient.
    CapBack,
    /// The sum of rows.
    SumRows,
    /// Sums of blocks of rows.
    SumGroups,
    /// Matrices with their axes exchanged.
    Transpose,
    /// Heads that lie side by side one below the other.
    SplitHeads,
    /// The reverse.
    JoinHeads,
    /// The gradient of scores from that of weights.
    SoftmaxBack,
    /// What the loss is made of, and its gradient.
    CrossEntropy,
    /// Sums of squares.
    SquareSums,
    /// A step of Adam.
    Adam,
    /// A step of plain gradient descent.
    Descend,
    /// Numbers of blocks.
    Widen,
}

/// A shader as it is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shader {
    /// The entry point.
    pub entry: &'static str,
    /// Parts of the source in order.
    pub sources: &'static [&'static str],
    /// The uniform struct.
    pub uniform: &'static str,
    /// Bindings from binding 1 on.
    pub bindings: &'static [Access],
    /// Rows and columns, or vectors, that one workgroup makes: `[columns, rows]`.
    pub block: [u32; 2],
}

/// A shader without its comments, as the build script wrote it.
macro_rules! shader {
    ($file:literal) => {
        include_str!(concat!(env!("OUT_DIR"), "/", $file))
    };
}

/// A shader after `index.wgsl`, which it calls.
macro_rules! line_shader {
    ($file:literal) => {
        concat!(shader!("index.wgsl"), shader!($file))
    };
}

pub(super) use {line_shader, shader};

const PRODUCT: &str = shader!("product.wgsl");
const VECTORS: &str = line_shader!("vectors.wgsl");
const EXP: &str = shader!("exp.wgsl");
const DOUBLE: &str = shader!("double.wgsl");
const KEPT: &str = shader!("kept.wgsl");
const OUTER: &str = shader!("outer.wgsl");
const MATMUL: &str = shader!("matmul.wgsl");
const MATMUL_TALL: &str = shader!("matmul_tall.wgsl");
const MATMUL_SMALL: &str = shader!("matmul_small.wgsl");
const MATMUL_DIRECT: &str = shader!("matmul_direct.wgsl");
const SCORE: &str = shader!("score.wgsl");
const MASK: &str = line_shader!("mask.wgsl");
const SOFTMAX: &str = shader!("softmax.wgsl");
const FUSED: &str = shader!("fused.wgsl");
const LOG: &str = shader!("log.wgsl");
const PACK: &str = shader!("pack.wgsl");
const MEASURE: &str = shader!("measure.wgsl");
const POSITION: &str = shader!("position.wgsl");
const ROTARY: &str = shader!("rotary.wgsl");
const ROTARY_HALVES: &str = shader!("rotary_halves.wgsl");
const BIAS: &str = shader!("bias.wgsl");
const ADD_BIAS: &str = shader!("add_bias.wgsl");
const HEADS: &str = shader!("heads.wgsl");
const LONGEST: &str = shader!("longest.wgsl");
const ROWS: &str = shader!("rows.wgsl");
const WIDE: &str = shader!("wide.wgsl");
const WIDE_SCORE: &str = shader!("wide_score.wgsl");
const WIDE_POSITION: &str = shader!("wide_position.wgsl");
const WIDE_ROTARY: &str = shader!("wide_rotary.wgsl");
const WIDE_ROTARY_HALVES: &str = shader!("wide_rotary_halves.wgsl");

use Access::{Read, Write};

impl Kernel {
    /// Every kernel.
    pub const ALL: [Self; 44] = [
        Self::Product,
        Self::ProductTransposed,
        Self::SmallProduct,
        Self::SmallProductTransposed,
        Self::Additive,
        Self::Mask,
        Self::Softmax,
        Self::Hide,
        Self::Pack,
        Self::Measure,
        Self::FusedAttention,
        Self::Bias,
        Self::AddBias,
        Self::AddPositions,
        Self::Rotate,
        Self::RotateHalves,
        Self::MergeHeads,
        Self::LongestRow,
        Self::CopyRows,
        Self::WideProduct,
        Self::WideProductTransposed,
        Self::WideAdditive,
        Self::WideAddPositions,
        Self::WideRotate,
        Self::WideRotateHalves,
        Self::Embed,
        Self::EmbedBack,
        Self::NormRows,
        Self::NormRowsBack,
        Self::Activate,
        Self::ActivateBack,
        Self::Cap,
        Self::CapBack,
        Self::SumRows,
        Self::SumGroups,
        Self::Transpose,
        Self::SplitHeads,
        Self::JoinHeads,
        Self::SoftmaxBack,
        Self::CrossEntropy,
        Self::SquareSums,
        Self::Adam,
        Self::Descend,
        Self::Widen,
    ];

    /// Whether runs on such a device use it. Barriers and workgroup memory cost a software adapter more than the scores do
    /// that a fused kernel does not store, and its products have one size of blocks.
    pub fn is_used(self, tier: Tier) -> bool {
        tier == Tier::Hardware
            || !matches!(
                self,
                Self::FusedAttention | Self::SmallProduct | Self::SmallProductTransposed
            )
    }

    /// Whether it works on one line of vectors or words, and finds its place in it by rows of groups too.
    pub(super) fn works_on_lines(self) -> bool {
        // Each of them has these uniforms on every kind of device.
        let uniform = self.shader(Tier::Hardware).uniform;
        matches!(uniform, "Vectors" | "Cells" | "Lines" | "Update")
    }

    /// The body that suits a kind of device.
    pub fn shader(self, tier: Tier) -> Shader {
        match self {
            Self::Product => matmul(tier, "product"),
            Self::ProductTransposed => matmul(tier, "product_transposed"),
            Self::SmallProduct => small_matmul("product"),
            Self::SmallProductTransposed => small_matmul("product_transposed"),
            Self::Softmax => match tier {
                Tier::Software => softmax("softmax_row", 16),
                Tier::Hardware => softmax("softmax_workgroup", 1),
            },
            Self::Hide => softmax("hide", 64),
            Self::Pack => Shader {
                entry: "pack",
                sources: &[PACK],
                uniform: "Pack",
                bindings: &[Read, Read, Write, Write],
                block: [64, 1],
            },
            Self::Measure => match tier {
                Tier::Software => measure("measure_row", 16),
                Tier::Hardware => measure("measure_workgroup", 1),
            },
            Self::FusedAttention => Shader {
                entry: "fused_attention",
                sources: &[EXP, OUTER, FUSED],
                uniform: "Fused",
                bindings: &[Read, Read, Read, Read, Write],
                block: [64, 64],
            },
            Self::Bias => Shader {
                entry: "bias",
                sources: &[PRODUCT, KEPT, DOUBLE, BIAS],
                uniform: "Product",
                bindings: &[Read, Write, Write],
                block: [32, 8],
            },
            Self::AddBias => Shader {
                entry: "add_bias",
                sources: &[PRODUCT, KEPT, DOUBLE, ADD_BIAS],
                uniform: "Product",
                bindings: &[Read, Write, Write],
                block: [32, 8],
            },
            Self::Additive => Shader {
                entry: "additive",
                sources: &[PRODUCT, EXP, SCORE],
                uniform: "Product",
                bindings: &[Read, Read, Read, Write],
                block: [32, 8],
            },
            Self::Mask => Shader {
                entry: "mask",
                sources: &[MASK],
                uniform: "Cells",
                bindings: &[Read, Read, Write],
                block: [64, 1],
            },
            Self::AddPositions => {
                vectors("add_positions", &[VECTORS, POSITION], &[Read, Read, Write])
            }
            Self::Rotate => vectors("rotate", &[VECTORS, ROTARY], &[Write, Read]),
            Self::RotateHalves => {
                vectors("rotate_halves", &[VECTORS, ROTARY_HALVES], &[Write, Read])
            }
            Self::MergeHeads => vectors("merge_heads", &[VECTORS, HEADS], &[Read, Write]),
            Self::LongestRow => vectors("longest_row", &[VECTORS, LONGEST], &[Read, Write]),
            Self::CopyRows => vectors("copy_rows", &[VECTORS, ROWS], &[Read, Read, Write]),
            Self::WideAddPositions => vectors(
                "wide_add_positions",
                &[VECTORS, KEPT, DOUBLE, WIDE_POSITION],
                &[Read, Read, Read, Write, Write],
            ),
            Self::WideRotate => vectors(
                "wide_rotate",
                &[VECTORS, KEPT, DOUBLE, WIDE_ROTARY],
                &[Write, Write, Read, Read],
            ),
            Self::WideRotateHalves => vectors(
                "wide_rotate_halves",
                &[VECTORS, KEPT, DOUBLE, WIDE_ROTARY_HALVES],
                &[Write, Write, Read, Read],
            ),
            Self::WideProduct => wide("wide_product", &[PRODUCT, KEPT, DOUBLE, WIDE]),
            Self::WideProductTransposed => {
                wide("wide_product_transposed", &[PRODUCT, KEPT, DOUBLE, WIDE])
            }
            Self::WideAdditive => wide("wide_additive", &[PRODUCT, KEPT, DOUBLE, WIDE, WIDE_SCORE]),
            _ => crate::model::shader(self),
        }
    }
}

const fn matmul(tier: Tier, entry: &'static str) -> Shader {
    match tier {
        Tier::Software => product(entry, &[PRODUCT, MATMUL_DIRECT], [64, 16]),
        Tier::Hardware => product(entry, &[PRODUCT, OUTER, MATMUL_TALL, MATMUL], [64, 128]),
    }
}

const fn small_matmul(entry: &'static str) -> Shader {
    product(entry, &[PRODUCT, OUTER, MATMUL_SMALL, MATMUL], [64, 32])
}

const fn product(entry: &'static str, sources: &'static [&'static str], block: [u32; 2]) -> Shader {
    Shader {
        entry,
        sources,
        uniform: "Product",
        bindings: &[Read, Read, Read, Write],
        block,
    }
}

const fn softmax(entry: &'static str, across: u32) -> Shader {
    Shader {
        entry,
        sources: &[EXP, KEPT, SOFTMAX],
        uniform: "Rows",
        bindings: &[Write, Read, Read],
        block: [across, 1],
    }
}

const fn measure(entry: &'static str, across: u32) -> Shader {
    Shader {
        entry,
        sources: &[LOG, MEASURE],
        uniform: "Measure",
        bindings: &[Read, Write],
        block: [across, 1],
    }
}

const fn wide(entry: &'static str, sources: &'static [&'static str]) -> Shader {
    Shader {
        entry,
        sources,
        uniform: "Product",
        bindings: &[Read, Read, Read, Read, Read, Write, Write],
        block: [32, 8],
    }
}

const fn vectors(
    entry: &'static str,
    sources: &'static [&'static str],
    bindings: &'static [Access],
) -> Shader {
    on_lines("Vectors", entry, sources, bindings, 64)
}

/// A shader whose workgroups make so many numbers, vectors or rows of one line each.
pub(super) const fn on_lines(
    uniform: &'static str,
    entry: &'static str,
    sources: &'static [&'static str],
    bindings: &'static [Access],
    across: u32,
) -> Shader {
    Shader {
        entry,
        sources,
        uniform,
        bindings,
        block: [across, 1],
    }
}

/// Pipelines that were built.
#[derive(Default)]
pub(super) struct Pipelines(HashMap<(Kernel, Tier), wgpu::ComputePipeline>);

impl Pipelines {
    pub(super) fn get(
        &mut self,
        device: &wgpu::Device,
        kernel: Kernel,
        tier: Tier,
    ) -> wgpu::ComputePipeline {
        let built = self.0.entry((kernel, tier));
        built
            .or_insert_with(|| build(device, &kernel.shader(tier)))
            .clone()
    }

    pub(super) fn has(&self, kernel: Kernel, tier: Tier) -> bool {
        self.0.contains_key(&(kernel, tier))
    }
}

fn build(device: &wgpu::Device, shader: &Shader) -> wgpu::ComputePipeline {
    let label = Some(shader.entry);
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label,
        source: wgpu::ShaderSource::Wgsl(shader.sources.concat().into()),
    });
    let storage = shader
        .bindings
        .iter()
        .map(|access| wgpu::BufferBindingType::Storage {
            read_only: *access == Read,
        });
    let entries: Vec<_> = std::iter::once(wgpu::BufferBindingType::Uniform)
        .chain(storage)
        .zip(0..)
        .map(|(kind, binding)| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: kind,
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        })
        .collect();
    let bindings = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label,
        entries: &entries,
    });
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label,
        bind_group_layouts: &[Some(&bindings)],
        immediate_size: 0,
    });
    device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label,
        layout: Some(&layout),
        module: &module,
        entry_point: Some(shader.entry),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    })
}
