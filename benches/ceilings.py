"""The most that a graphics card does in 32 bits, as PyTorch's libraries get it: a product (cuBLAS, without TF32), and copies.

`python benches/ceilings.py FILE [DEVICE]` prints a table and writes the product's FLOP/s to FILE, for `cargo bench --bench gpu -- --ceiling`.
"""

import statistics
import sys
import time

import torch

SIZE = 4096
BYTES = 1 << 29
PATIENCE_S = 1.0


def median_s(device, work):
    """Median time of `work` on the device, after one that does not count."""

    def once():
        begin = time.perf_counter()
        work()
        if device == "cuda":
            torch.cuda.synchronize()
        return time.perf_counter() - begin

    once()
    end = time.perf_counter() + PATIENCE_S
    times = [once() for _ in range(3)]
    while time.perf_counter() < end:
        times.append(once())
    return statistics.median(times)


def main(file, device="cuda"):
    torch.backends.cuda.matmul.allow_tf32 = False
    a, b = torch.randn(2, SIZE, SIZE, device=device)
    flops = 2 * SIZE**3 / median_s(device, lambda: a @ b)
    numbers = torch.zeros(BYTES // 4, device=device)
    on_device, on_host = torch.empty_like(numbers), torch.empty(numbers.shape, pin_memory=device == "cuda")
    # A copy reads and writes.
    beside = 2 * BYTES / median_s(device, lambda: on_device.copy_(numbers))
    back = BYTES / median_s(device, lambda: on_host.copy_(numbers))
    name = torch.cuda.get_device_name() if device == "cuda" else device
    print(f"Ceilings of {name}, PyTorch {torch.__version__}, 32 bits:\n")
    print(f"| product {SIZE}³ | copy on the device, read and written | copy to the host |")
    print("|---|---|---|")
    print(f"| {flops / 1e12:.1f} TFLOP/s | {beside / 1e9:.0f} GB/s | {back / 1e9:.1f} GB/s |\n")
    with open(file, "w", encoding="utf-8") as out:
        out.write(str(flops))


main(*sys.argv[1:])
