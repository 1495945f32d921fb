//! Checks requests against the limits of the device.

use crate::tensor::bytes;
use crate::{Gpu, GpuError};
use attention::Request;

/// Refuses tensors that no splitting makes small enough: everything but scores and weights lies on the device whole.
pub(super) fn check_limits(gpu: &Gpu, request: &Request) -> Result<(), GpuError> {
    let s = request.sizes();
    let linformer_columns = request.call().linformer.as_ref().map_or(0, |_| s.m);
    let d_model = s.d_model.unwrap_or(0);
    let bias = request
        .call()
        .bias
        .as_ref()
        .map(|bias| bias.numbers().dim());
    let bias_rows = bias.map_or(0, |(batches, heads, n, _)| batches * heads * n);
    let tensors = [
        ("queries", s.batch * s.n, d_model),
        ("keys_values", s.batch * s.m, d_model),
        ("w_q", d_model, s.heads * s.d_k.next_multiple_of(4)),
        ("w_k", d_model, s.kv_heads * s.d_k.next_multiple_of(4)),
        ("w_v", d_model, s.kv_heads * s.d_v.next_multiple_of(4)),
        ("w_o", s.heads * s.d_v.next_multiple_of(4), s.d_out),
        ("q", s.batch * s.heads * s.n, s.d_k),
        ("k", s.batch * s.kv_heads * s.m.max(s.keys), s.d_k),
        ("v", s.batch * s.kv_heads * s.m.max(s.keys), s.d_v),
        ("linformer", s.keys, linformer_columns),
        ("context", s.batch * s.heads * s.n, s.d_v),
        ("output", s.batch * s.n, s.d_out),
        ("bias", bias_rows, s.keys),
        ("a row of scores", 1, s.keys),
    ];
    let most = gpu.largest_tensor();
    for (name, rows, width) in tensors {
        let needs = bytes(rows, width);
        if needs > most {
            let words =
                format!("{name} needs {needs} bytes in one piece, the device allows {most}");
            return Err(GpuError::TooLarge(words));
        }
    }
    Ok(())
}
