"""The widget without a page: its traits, what it answers to one, and the picture that a notebook keeps."""

import base64
import gzip
import re
import struct
import zlib
from io import BytesIO

import numpy as np
import pytest

import attention_playground as ap
from attention_playground import element, settings, still
from attention_playground.widget import HERE

WEIGHTS = np.array([[[1, 0], [0.25, 0.75]], [[0.5, 0.5], [0, 1]]], dtype=np.float32)


class Page:
    """Hears what a widget sends, and answers as the page does."""

    def __init__(self, widget):
        self.widget, self.heard = widget, []
        widget.send = lambda content, buffers=None: self.heard.append((content, buffers))

    def ask(self, **content):
        self.widget._hear(self.widget, content, [])
        return self.heard.pop()

    def draw(self, **arrays):
        shapes = {name: list(array.shape) for name, array in arrays.items()}
        svg = b'<svg xmlns="x" width="80mm" height="40mm" viewBox="0 0 8 4"></svg>'
        buffers = [svg, still.png_of(WEIGHTS[0]), *(array.astype("<f4").tobytes() for array in arrays.values())]
        content = {"type": "drawn", "fragment": "v=1&heads=2", "layer": 1, "arrays": shapes}
        self.widget._hear(self.widget, content, [memoryview(buffer) for buffer in buffers])


def pixels(png):
    """Width, height, and bytes of each line."""
    width, height, *_ = struct.unpack(">IIBBBBB", png[16:29])
    at = png.index(b"IDAT")
    (length,) = struct.unpack(">I", png[at - 4 : at])
    lines = np.frombuffer(zlib.decompress(png[at + 4 : at + 4 + length]), np.uint8).reshape(height, 1 + 3 * width)
    return lines[:, 1:].reshape(height, width, 3)


def test_settings_are_traits_by_their_names_in_links():
    widget = ap.show("the cat", heads=2, mask=["causal", "local"], scaled=False, temperature=0.5, controls=[])
    assert (widget.text, widget.heads, widget.mask, widget.scaled, widget.temperature, widget.controls) == ("the cat", 2, "causal,local", False, 0.5, "none")
    seen = []
    widget.observe(lambda change: seen.append((change.name, change.new)), ["heads", "head"])
    widget.heads = 4
    widget.head = 3
    assert seen == [("heads", 4), ("head", 3)]
    assert widget.source is None


def test_every_setting_of_the_element_is_a_trait():
    source = (HERE.parents[1] / "src/bindings/js/element.js").read_text(encoding="utf-8")
    keys = source.split("export const KEYS = [")[1].split("];")[0].replace("'", "").replace(",", " ").split()
    left_out = {"data", "before", "layer"}
    assert {settings.key(name) for name in settings.NAMES} == set(keys) - left_out


def test_a_page_gets_each_layer_as_a_file_when_it_asks():
    from io import BytesIO

    given = np.stack([WEIGHTS, WEIGHTS[::-1]])
    page = Page(ap.show(given, tokens=["a", "b"]))
    content, [file] = page.ask(type="numbers", layer=2)
    assert content == {"type": "numbers", "layer": 2}
    assert np.array_equal(np.load(BytesIO(file))["weights"], WEIGHTS[::-1])


def test_a_page_gets_the_element_s_files(monkeypatch):
    monkeypatch.setattr(element, "files", lambda: {"element.js": gzip.compress(b"code")})
    content, buffers = Page(ap.show("a")).ask(type="files")
    assert content == {"type": "files", "names": ["element.js"]}
    assert [gzip.decompress(buffer) for buffer in buffers] == [b"code"]


def test_what_the_page_computes_arrives_as_arrays():
    widget = ap.show("a b", heads=2)
    for read in [lambda: widget.weights, lambda: widget.output, lambda: widget.stats, widget.link, widget.figure]:
        with pytest.raises(RuntimeError, match="Nothing is computed yet"):
            read()
    output = np.arange(6, dtype=np.float32).reshape(2, 3)
    Page(widget).draw(weights=WEIGHTS, output=output)
    assert np.array_equal(widget.weights, WEIGHTS) and np.array_equal(widget.output, output)
    assert widget.stats["diagonal_mean"] == pytest.approx([0.875, 0.75])
    assert widget.link() == "v=1&heads=2"
    assert widget.link("https://example.org/ap/") == "https://example.org/ap/#v=1&heads=2"


def test_a_figure_is_as_wide_as_is_asked():
    widget = ap.show("a b")
    Page(widget).draw(weights=WEIGHTS)
    assert 'width="120mm" height="60mm" viewBox="0 0 8 4"' in widget.figure("svg", width_mm=120)
    png = widget.figure("png", width_mm=96)
    at = png.index(b"pHYs") + 4
    assert struct.unpack(">IIB", png[at : at + 9]) == (5000, 5000, 1) and png.count(b"pHYs") == 1
    assert np.array_equal(pixels(png), pixels(still.png_of(WEIGHTS[0])))
    for wrong, sentence in [({"kind": "pdf"}, "kind: 'pdf', but"), ({"width_mm": 5}, "width_mm: 5, but")]:
        with pytest.raises(ValueError, match=sentence):
            widget.figure(**wrong)


def test_the_picture_before_there_is_a_page_shows_the_weights_of_the_head():
    data = ap.show(WEIGHTS, head=1)._picture()
    assert data["text/plain"] == "Attention weights: head 1 of 2, 2 × 2."
    assert "<figcaption>Attention weights: head 1 of 2, 2 × 2.</figcaption>" in data["text/html"]
    drawn = pixels(still.png_of(WEIGHTS[0]))
    assert drawn.shape == (480, 480, 3)
    assert tuple(drawn[10, 10]) == (35, 15, 102), "weight 1"
    assert tuple(drawn[10, 300]) == (252, 251, 248), "weight 0"
    assert tuple(drawn[300, 10]) == (163, 206, 171), "a quarter"


ONE_FILE = '<title>Attention Playground</title><attention-playground data-link=""></attention-playground><!-- numbers --><!-- modules -->'


def test_one_file_has_setting_numbers_and_modules(monkeypatch, tmp_path):
    files = {"element.js": b"code", "engine.wasm": b"module", "one_file.html": ONE_FILE.encode()}
    monkeypatch.setattr(element, "_unpacked", lambda: files)
    element.files.cache_clear()
    path = tmp_path / "map.html"
    widget = ap.show(WEIGHTS, tokens=["<a>", "b"], head=2, controls=["map", "mask"], page="https://example.org/?a&b")
    widget.to_html(path)
    file = path.read_text(encoding="utf-8")
    assert '<title>Attention weights: head 2 of 2, 2 × 2.</title>' in file
    # The notebook's ground is none of the file's.
    assert '<attention-playground data-link="head=2&amp;show=map%2Cmask" data-layer="1" page="https://example.org/?a&amp;b">' in file
    blocks = {name: base64.b64decode(content) for name, content in re.findall(r'data-(?:module|numbers)="([^"]+)">([^<]*)<', file)}
    assert gzip.decompress(blocks.pop("element.js")) == b"code"
    assert gzip.decompress(blocks.pop("engine.wasm")) == b"module"
    numbers = np.load(BytesIO(blocks.pop("layer-1.npz")))
    assert np.array_equal(numbers["weights"], WEIGHTS)
    assert list(numbers["tokens"]) == ["<a>", "b"]
    assert blocks == {}
    # What a page has drawn comes first.
    Page(widget).draw()
    widget.to_html(path, page="")
    assert 'data-link="v=1&amp;heads=2" data-layer="1" page="https://example.org' in path.read_text(encoding="utf-8")
    ap.show("the cat", lang="zh").to_html(path)
    file = path.read_text(encoding="utf-8")
    assert 'data-link="text=the+cat&amp;lang=zh" data-layer="1" page="">' in file and "data-numbers" not in file


def test_one_file_of_another_version_is_not_written(monkeypatch, tmp_path):
    monkeypatch.setattr(element, "_unpacked", lambda: {"one_file.html": ONE_FILE.replace("<!-- numbers -->", "").encode()})
    element.files.cache_clear()
    with pytest.raises(ValueError, match="numbers"):
        ap.show("the cat").to_html(tmp_path / "map.html")


def test_the_picture_is_the_last_that_a_page_has_drawn_with_its_link():
    widget = ap.show(WEIGHTS, page="https://example.org/ap/")
    assert "<a " not in widget._picture()["text/html"]
    Page(widget).draw()
    data = widget._picture()
    assert '<a href="https://example.org/ap/#v=1&amp;heads=2">' in data["text/html"]
    assert "data:image/svg+xml;base64," in data["text/html"] and data["image/png"].startswith("iVBOR")


def test_a_text_with_markup_stays_text():
    data = ap.show("<b>a</b> & \"b\"")._picture()
    assert "&lt;b&gt;a&lt;/b&gt; &amp; &quot;b&quot;" in data["text/html"] and "<b>" not in data["text/html"]


def test_what_is_saved_of_a_widget_holds_no_numbers():
    state = ap.show(np.broadcast_to(np.float32(1 / 200), (4, 200, 200))).get_state()
    assert sum(len(str(value)) for value in state.values()) < 20_000
