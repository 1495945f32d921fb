# shellcheck shell=bash
# For findings on PyTorch and transformers: a temporary folder to work in, and `$python` with the packages of torch.txt, in a new environment in that
# folder or in the one whose Python FINDINGS_PYTHON names: for Linux they are 4 GB, with CUDA, that a second script need not fetch again.
set -euo pipefail
pins=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/torch.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python=${FINDINGS_PYTHON:-}
if [ -z "$python" ]; then
  python3 -m venv env && env/bin/pip install --quiet --disable-pip-version-check --requirement "$pins"
  python=env/bin/python
fi
"$python" - "$pins" <<'PY'
import sys
from importlib.metadata import version
wrong = [pin for pin in open(sys.argv[1]).read().split() if version(pin.split("==")[0]) != pin.split("==")[1]]
sys.exit(f"not the pinned versions: {wrong}" if wrong else 0)
PY
export HF_HUB_OFFLINE=1
