"""content/conventions.toml, read and written."""

import json
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATH = ROOT / "content" / "conventions.toml"

TEXTS = ("id", "library", "package", "version", "function", "program", "output", "seen")
ALWAYS = {
    "alignment": ("start", "end", "end-with-cache", "start-last-row-open", "equal-lengths", "mask-only"),
    "empty_row": ("zero", "mean", "nan", "unmasked", "mean-with-padding"),
    "polarity": ("true-shows", "true-hides", "added"),
    "float_mask": ("added", "refused", "true-shows"),
    "int_mask": ("added", "shows", "refused"),
}
WINDOW = ("window_causal", "window_two_sided", "window_call")
ORDER = ("id", "library", "package", "version", "function", "alignment", *WINDOW, "empty_row", "polarity", "float_mask", "int_mask")
ORDER += ("hidden_score", "hidden_by", "seen", "note_en", "note_zh", "program", "output")
MEASURED = ("version", "alignment", *WINDOW[:2], "empty_row", "polarity", "float_mask", "int_mask", "hidden_score", "hidden_by", "output")


def read(path=PATH):
    return tomllib.loads(path.read_text(encoding="utf-8"))["row"]


def write(rows, path=PATH):
    """Keeps what stands above the first row; comments below it are lost."""
    head = path.read_text(encoding="utf-8").split("[[row]]")[0]
    path.write_text(head + "\n".join(map(as_toml, rows)), encoding="utf-8")


def as_toml(row):
    return "[[row]]\n" + "".join(f"{name} = {value_of(row[name])}\n" for name in ORDER if name in row)


def value_of(value):
    if isinstance(value, str) and "\n" in value:
        return f"'''\n{value.strip(chr(10))}\n'''"
    return json.dumps(value, ensure_ascii=False)


def faults(rows):
    """Sentences on fields that are missing, unknown or not of their values, and on the order of rows."""
    found = [fault for row in rows for fault in row_faults(row)]
    if len({row["id"] for row in rows}) < len(rows):
        found.append("id: two rows have the same")
    if [row["library"].casefold() for row in rows] != sorted(row["library"].casefold() for row in rows):
        found.append("rows: not in the order of their libraries")
    return found


def row_faults(row):
    name = row.get("id", "a row without id")
    for field in (*TEXTS, *ALWAYS):
        if not isinstance(row.get(field), str) or not row[field]:
            yield f"{name}: {field} is missing, or not a text"
    for field, values in ALWAYS.items():
        if field in row and row[field] not in values:
            yield f"{name}: {field} is {row[field]!r}, which is none of {', '.join(values)}"
    if 0 < sum(field in row for field in WINDOW) < len(WINDOW):
        yield f"{name}: {', '.join(WINDOW)} are given together or not at all"
    if unknown := set(row) - set(ORDER):
        yield f"{name}: unknown fields {', '.join(sorted(unknown))}"
    if ("note_en" in row) != ("note_zh" in row):
        yield f"{name}: a note is in both languages"
