#!/usr/bin/env bash
# Guess:  a table that pandas writes as JSON with orient="index" and reads again is the same table, or is refused.
# Seen:   pandas 3.1.1, 2026-11-27: it comes back transposed without a word, since an object of rows looks like an object of columns,
#         the default; only orient="split", "table" and "columns" itself come back. Row names that are digits come back as numbers,
#         and 0.7 as 0.7000000000000001 (precise_float is off).
# So:     JSON of pandas by name is ambiguous for every square map: a reader has to decide by something else and say so.
# Needs:  Python 3.11 or newer with venv.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv env && env/bin/pip install --quiet --disable-pip-version-check pandas==3.1.1 numpy==2.4.6
cat >orient.py <<'PY'
import io, pandas as pd
names = ["the", "cat"]
frame = pd.DataFrame([[0.7, 0.3], [0.4, 0.6]], index=names, columns=names)
seen = {}
for orient in ("columns", "index", "split"):
    back = pd.read_json(io.StringIO(frame.to_json(orient=orient)), **({} if orient != "split" else {"orient": "split"}))
    seen[orient] = back.values.round(9).tolist()
    print(orient, frame.to_json(orient=orient), "->", seen[orient])
digits = pd.DataFrame([[1.0]], index=["7"], columns=["a"])
exact = pd.read_json(io.StringIO(frame.to_json()))["the"]["the"] == 0.7
print("0.7 comes back as itself:", exact)
kind = type(pd.read_json(io.StringIO(digits.to_json())).index[0]).__name__
print('a row named "7" comes back as', kind)
plain, turned = frame.values.tolist(), frame.values.T.tolist()
assert seen == {"columns": plain, "index": turned, "split": plain} and kind != "str" and not exact, "this differs from what was seen"
PY
env/bin/python orient.py
