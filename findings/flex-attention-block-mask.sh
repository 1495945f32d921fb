#!/usr/bin/env bash
# Guess:  `create_block_mask(…).to_dense()` is the mask, n × m, and printing it shows which query sees which key.
# Seen:   torch 2.15.0, 2026-11-28: both show blocks of 128 × 128, with 1 for a block of which a single cell is visible. Causal over 5 tokens is [[1]] with a
#         sparsity of 0 %; a window of 2 to each side over 256 tokens is [[1, 1], [1, 1]], 0 %, where 98 % of the cells are hidden. `.shape` says
#         256 × 256 beside it.
# So:     a picture of a mask comes from `create_mask`, not from the BlockMask.
# Needs:  Python 3.11 or newer with venv; PyTorch's 4 GB, or FINDINGS_PYTHON (see README.md).
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib/torch.sh
. "$(dirname "$0")/lib/torch.sh"
cat >block_mask.py <<'PY'
import torch
from torch.nn.attention.flex_attention import create_block_mask, create_mask
causal = lambda batch, head, query, key: query >= key
window = lambda batch, head, query, key: (query - key).abs() <= 2
seen = []
for name, rule, n in [("causal", causal, 5), ("window", window, 256)]:
    block = create_block_mask(rule, None, None, n, n, device="cpu")
    cells = create_mask(rule, None, None, n, n, device="cpu").float().mean().item()
    seen.append((tuple(block.shape), block.to_dense()[0, 0].tolist(), block.sparsity(), round(cells, 2)))
    print(f"{name} over {n}: shape {seen[-1][0]}, to_dense {seen[-1][1]}, sparsity {seen[-1][2]} %, share of visible cells {seen[-1][3]}")
assert seen == [((1, 1, 5, 5), [[1]], 0.0, 0.6), ((1, 1, 256, 256), [[1, 1], [1, 1]], 0.0, 0.02)], "this differs from what was seen"
print("ok: as seen on 2026-11-28")
PY
"$python" block_mask.py
