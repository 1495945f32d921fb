#!/usr/bin/env bash
# Guess:  Knuth's sum of two floats with its error (six additions in a WGSL shader, no fast-math flag anywhere) gives that error.
# Seen:   wgpu-py 0.32.0 on lavapipe of Mesa 22.3.6, 2026-11-27: every error is 0, 58,385 of 65,536 sums are inexact. WGSL lets a compiler
#         reorder additions, and this one simplifies (a + b) − a to b. Other drivers, such as Chromium's SwiftShader, do not.
# So:     sums of twice the precision need their terms hidden from the compiler, and a test on every driver.
# Needs:  Python 3.10 or newer with venv; Mesa's lavapipe (Debian: mesa-vulkan-drivers, libvulkan1).
set -euo pipefail
driver=$(compgen -G '/usr/share/vulkan/icd.d/lvp_icd*.json' | head -n 1)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv env && env/bin/pip install --quiet --disable-pip-version-check wgpu==0.32.0 numpy==2.4.6
cat >sums.py <<'PY'
import numpy as np, wgpu
n = 1 << 16
rng = np.random.default_rng(21)
a = (rng.uniform(-1, 1, n) * 2.0 ** rng.integers(-12, 13, n)).astype(np.float32)
b = (rng.uniform(-1, 1, n) * 2.0 ** rng.integers(-12, 13, n)).astype(np.float32)
adapter = wgpu.gpu.request_adapter_sync(power_preference="high-performance")
device = adapter.request_device_sync()
shader = """
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> high: array<f32>;
@group(0) @binding(3) var<storage, read_write> low: array<f32>;
@compute @workgroup_size(64) fn two_sum(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x;
  let sum = a[i] + b[i];
  let b_part = sum - a[i];
  let a_part = sum - b_part;
  high[i] = sum;
  low[i] = (a[i] - a_part) + (b[i] - b_part);
}
"""
use = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC
buffers = [device.create_buffer_with_data(data=x, usage=use) for x in (a, b)]
buffers += [device.create_buffer(size=a.nbytes, usage=use) for _ in range(2)]
stage = {"module": device.create_shader_module(code=shader), "entry_point": "two_sum"}
pipeline = device.create_compute_pipeline(layout="auto", compute=stage)
entries = [{"binding": i, "resource": {"buffer": x, "offset": 0, "size": x.size}} for i, x in enumerate(buffers)]
encoder = device.create_command_encoder()
one = encoder.begin_compute_pass()
one.set_pipeline(pipeline)
one.set_bind_group(0, device.create_bind_group(layout=pipeline.get_bind_group_layout(0), entries=entries))
one.dispatch_workgroups(n // 64)
one.end()
device.queue.submit([encoder.finish()])
high, low = (np.frombuffer(device.queue.read_buffer(x), np.float32).astype(np.float64) for x in buffers[2:])
exact = a.astype(np.float64) + b.astype(np.float64)
print(f"inexact: {int((high + low != exact).sum())} of {n}, errors that are 0: {int((low == 0).sum())}")
PY
seen=$(VK_DRIVER_FILES=$driver VK_ICD_FILENAMES=$driver XDG_RUNTIME_DIR=$work env/bin/python sums.py)
echo "$seen"
[ "$seen" = "inexact: 58385 of 65536, errors that are 0: 65536" ] || { echo "This differs from what was seen on 2026-11-27." >&2 && exit 1; }
