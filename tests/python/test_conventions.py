"""content/conventions.toml and its pages; and that measuring finds the conventions of functions that are known, and made here."""

import re

import conventions
import document
import measure
import numpy as np
import pytest
import table
from case import Case, Function

FLOAT32_MIN = np.finfo(np.float32).min


def softmax(scores, empty):
    """Row by row; `empty` is the weight in a row whose scores are all −inf."""
    with np.errstate(invalid="ignore", over="ignore"):
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        weights = weights / weights.sum(-1, keepdims=True)
    return np.where(np.isneginf(scores).all(-1, keepdims=True), empty, weights)


def scores_of(case, divide_last):
    q, k, _ = case.arrays()
    root = np.sqrt(np.float32(case.keys))
    with np.errstate(over="ignore", invalid="ignore"):
        return np.float32(q[:, :1] * k[:, 0] / root if divide_last else q[:, :1] / root * k[:, 0])


def out(scores):
    return np.full_like(scores, -np.inf)


def made(hide=out, at_end=False, true_shows=True, empty=0.0, width=0, refuse=(), divide_last=False):
    """Attention that writes hide(scores) at hidden cells; a window shows `width` keys before the diagonal, and without causal after it too.
    Products are divided by √width after they are formed with `divide_last`, and so overflow sooner."""

    def rows(case):
        offset = case.keys - case.queries if at_end or case.past else 0
        behind = np.arange(case.queries)[:, None] + offset - np.arange(case.keys)
        shows = behind >= 0 if case.causal else np.ones(behind.shape, bool)
        if case.window is not None:
            shows = shows & (behind <= width) & (behind >= -width)
        scores = scores_of(case, divide_last)
        if case.mask is not None:
            if case.mask.dtype in refuse:
                raise TypeError
            if case.mask.dtype == np.bool_:
                shows = shows & (case.mask if true_shows else ~case.mask)
            else:
                scores = scores + case.mask
        with np.errstate(over="ignore"):
            hidden = hide(scores)
        return softmax(np.where(shows, scores, hidden).astype(np.float32), empty)

    return rows


def fields(function=None, **more):
    return conventions.fields(Function(function or made(**more.pop("made", {})), **more))


def test_rows_have_their_fields_and_order():
    assert table.faults(table.read()) == []


@pytest.mark.parametrize("field, value, fault", [
    ("alignment", "middle", "none of"), ("output", "", "missing"), ("colour", "red", "unknown"), ("note_en", "only English", "both languages"),
    ("window_causal", 3, "together"), ("id", "torch-sdpa", "two rows"), ("library", "AAA", "order"),
])
def test_a_wrong_field_is_told(field, value, fault):
    rows = table.read()
    row = next(row for row in rows if row["id"] == "tinygrad-sdpa")
    row.pop("note_zh")
    row.pop("note_en")
    row[field] = value
    assert any(fault in told for told in table.faults(rows))


def test_pages_are_made_of_the_rows():
    assert document.stale(table.read()) == {}, "run scripts/conventions/document.py"


@pytest.mark.parametrize("field, value", [("empty_row", "nan"), ("version", "0.0.1"), ("output", "[0 0]"), ("program", "print(1)")])
def test_pages_are_stale_after_a_change(field, value):
    rows = table.read()
    next(row for row in rows if row[field] != value)[field] = value
    assert len(document.stale(rows)) == len(document.PAGES)


def test_reading_what_was_written_gives_the_same(tmp_path):
    path = tmp_path / "conventions.toml"
    path.write_bytes(table.PATH.read_bytes())
    table.write(table.read(), path)
    assert path.read_bytes() == table.PATH.read_bytes()


@pytest.mark.parametrize("row", table.read(), ids=lambda row: row["id"])
def test_versions_are_those_of_the_requirements(row):
    """A pin that is moved without measuring, or the other way round."""
    requirements = measure.HERE / "requirements" / f"{measure.environment_of(row['package'])}.txt"
    assert re.search(rf"^{row['package']}(\[\w+\])?=={re.escape(row['version'])}$", requirements.read_text(), re.M)


def test_a_change_is_told_field_by_field():
    row = table.read()[0]
    found = {name: row[name] for name in table.MEASURED if name in row}
    assert measure.differences(row, found) == []
    assert measure.differences(row, {**found, "alignment": "end"}) == [f"alignment: {row['alignment']} → end"]


def test_a_missing_environment_is_not_a_change(tmp_path, capsys):
    row = table.read()[0]
    assert measure.report(row, tmp_path) == (row, False)
    assert capsys.readouterr().out == f"{row['id']}: not installed\n"


def test_alignment():
    assert fields()["alignment"] == "start"
    assert fields(made={"at_end": True})["alignment"] == "end"
    assert fields(cache=True)["alignment"] == "end-with-cache"
    assert fields(flag=False)["alignment"] == "mask-only"
    assert fields(equal_lengths=True)["alignment"] == "equal-lengths"


@pytest.mark.parametrize("width, causal, two_sided", [(2, 3, 5), (1, 2, 3)])
def test_windows(width, causal, two_sided):
    found = fields(made={"width": width}, windows=("causal", "two-sided"))
    assert (found["window_causal"], found["window_two_sided"]) == (causal, two_sided)
    assert fields(made={"width": width}, windows=("causal",))["window_two_sided"] == 0
    assert "window_causal" not in fields()


@pytest.mark.parametrize("empty, name", [(0.0, "zero"), (np.nan, "nan")])
def test_empty_rows(empty, name):
    assert fields(made={"empty": empty})["empty_row"] == name


def test_polarity_and_types():
    found = fields(made={"true_shows": False, "refuse": [np.dtype(np.int32)]})
    assert (found["polarity"], found["float_mask"], found["int_mask"]) == ("true-hides", "added", "refused")
    assert fields(made={"refuse": [np.dtype(bool)]})["polarity"] == "added"
    shows = lambda case: made()(Case(case.queries, case.scores, None if case.mask is None else case.mask.astype(bool), case.causal))
    assert (fields(shows)["float_mask"], fields(shows)["int_mask"]) == ("true-shows", "shows")


@pytest.mark.parametrize("hide, score, how, empty", [
    (out, "-inf", None, "zero"),
    (lambda scores: np.full_like(scores, FLOAT32_MIN), "finfo.min", "written", "mean"),
    (lambda scores: np.full_like(scores, 0.7 * FLOAT32_MIN), "-2.38e38", "written", "mean"),
    (lambda scores: np.full_like(scores, -1e30), "-1e30", "written", "mean"),
    (lambda scores: scores + FLOAT32_MIN, "finfo.min", "added", "mean"),
    (lambda scores: scores - np.float32(1e9), "-1e9", "added", "mean"),
    (lambda scores: scores - np.float32(1e4), "-1e4", "added", "unmasked"),
])
def test_hidden_scores(hide, score, how, empty):
    found = fields(made={"hide": hide})
    assert (found["hidden_score"], found.get("hidden_by"), found["empty_row"]) == (score, how, empty)


def test_a_hidden_score_beyond_half_of_the_largest_number_is_found_although_products_overflow():
    found = fields(made={"hide": lambda scores: np.full_like(scores, 0.7 * FLOAT32_MIN), "divide_last": True})
    assert (found["hidden_score"], found["hidden_by"]) == ("-2.38e38", "written")
