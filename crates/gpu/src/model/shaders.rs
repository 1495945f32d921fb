//! The shaders of models, which a page without any does not load.

use crate::kernels::{Access, Kernel, Shader, line_shader, on_lines, shader};

use Access::{Read, Write};

const EXP: &str = shader!("exp.wgsl");
const LINES: &str = line_shader!("lines.wgsl");
const REDUCE: &str = shader!("reduce.wgsl");
const EMBED: &str = shader!("embed.wgsl");
const EMBED_BACK: &str = shader!("embed_back.wgsl");
const NORM_OF_ROW: &str = shader!("norm_of_row.wgsl");
const NORM_ROWS: &str = shader!("norm_rows.wgsl");
const NORM_ROWS_BACK: &str = shader!("norm_rows_back.wgsl");
const ACTIVATION: &str = shader!("activation.wgsl");
const ACTIVATE: &str = shader!("activate.wgsl");
const ACTIVATE_BACK: &str = shader!("activate_back.wgsl");
const CAP: &str = shader!("cap.wgsl");
const CAP_BACK: &str = shader!("cap_back.wgsl");
const SUM_ROWS: &str = shader!("sum_rows.wgsl");
const SUM_GROUPS: &str = shader!("sum_groups.wgsl");
const TRANSPOSE: &str = shader!("transpose.wgsl");
const SPLIT_HEADS: &str = shader!("split_heads.wgsl");
const SOFTMAX_BACK: &str = shader!("softmax_back.wgsl");
const CROSS_ENTROPY: &str = shader!("cross_entropy.wgsl");
const SQUARE_SUMS: &str = shader!("square_sums.wgsl");
const UPDATE: &str = line_shader!("update.wgsl");
const ADAM: &str = shader!("adam.wgsl");
const DESCEND: &str = shader!("descend.wgsl");
const WIDEN: &str = shader!("widen.wgsl");

/// The body of a kernel that models alone use, for every kind of device.
#[inline(never)]
pub(crate) fn shader(kernel: Kernel) -> Shader {
    match kernel {
        Kernel::Embed => lines(
            "embed",
            &[LINES, EMBED],
            &[Read, Read, Read, Read, Write],
            64,
        ),
        Kernel::EmbedBack => lines("embed_back", &[LINES, EMBED_BACK], &[Read, Read, Write], 64),
        Kernel::NormRows => lines(
            "norm_rows",
            &[LINES, REDUCE, NORM_OF_ROW, NORM_ROWS],
            &[Read, Read, Read, Write],
            1,
        ),
        Kernel::NormRowsBack => lines(
            "norm_rows_back",
            &[LINES, REDUCE, NORM_OF_ROW, NORM_ROWS_BACK],
            &[Read, Read, Read, Write, Write],
            1,
        ),
        Kernel::Activate => lines(
            "activate",
            &[LINES, EXP, ACTIVATION, ACTIVATE],
            &[Read, Read, Write],
            64,
        ),
        Kernel::ActivateBack => lines(
            "activate_back",
            &[LINES, EXP, ACTIVATION, ACTIVATE_BACK],
            &[Read, Read, Read, Write, Write],
            64,
        ),
        Kernel::Cap => lines("cap", &[LINES, EXP, CAP], &[Read, Write], 64),
        Kernel::CapBack => lines("cap_back", &[LINES, CAP_BACK], &[Read, Write], 64),
        Kernel::SumRows => lines("sum_rows", &[LINES, REDUCE, SUM_ROWS], &[Read, Write], 1),
        Kernel::SumGroups => lines("sum_groups", &[LINES, SUM_GROUPS], &[Read, Write], 64),
        Kernel::Transpose => lines("transpose_slices", &[LINES, TRANSPOSE], &[Read, Write], 64),
        Kernel::SplitHeads => lines("split_heads", &[LINES, SPLIT_HEADS], &[Read, Write], 64),
        Kernel::JoinHeads => lines("join_heads", &[LINES, SPLIT_HEADS], &[Read, Write], 64),
        Kernel::SoftmaxBack => lines(
            "softmax_back",
            &[LINES, REDUCE, SOFTMAX_BACK],
            &[Read, Write],
            1,
        ),
        Kernel::CrossEntropy => lines(
            "cross_entropy",
            &[LINES, REDUCE, EXP, CROSS_ENTROPY],
            &[Read, Read, Write, Write],
            1,
        ),
        Kernel::SquareSums => lines(
            "square_sums",
            &[LINES, REDUCE, SQUARE_SUMS],
            &[Read, Write],
            1024,
        ),
        Kernel::Widen => lines("widen", &[LINES, WIDEN], &[Read, Write], 64),
        Kernel::Adam => update(
            "adam",
            &[UPDATE, ADAM],
            &[Read, Read, Read, Read, Write, Write, Write, Write],
        ),
        Kernel::Descend => update("descend", &[UPDATE, DESCEND], &[Read, Read, Write, Write]),
        other => unreachable!("{other:?} has a body for each kind of device"),
    }
}

const fn lines(
    entry: &'static str,
    sources: &'static [&'static str],
    bindings: &'static [Access],
    across: u32,
) -> Shader {
    on_lines("Lines", entry, sources, bindings, across)
}

const fn update(
    entry: &'static str,
    sources: &'static [&'static str],
    bindings: &'static [Access],
) -> Shader {
    on_lines("Update", entry, sources, bindings, 64)
}
