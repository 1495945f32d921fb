"""The widget: the page's element, its settings as traits, and what it computes as arrays."""

import hashlib
import re
from pathlib import Path
from uuid import uuid4

import anywidget
import numpy as np
import traitlets as t
from ipywidgets import Widget
from IPython import get_ipython
from IPython.display import display, update_display

from . import element, one_file, settings, still
from .arrays import refuse

HERE = Path(__file__).parent
NOT_YET = "Nothing is computed yet: the page computes it when the widget is shown, once this cell has ended."

Settings = t.MetaHasTraits("Settings", (t.HasTraits,), settings.traits())


class Parcel(Widget):
    """Files on their way to a page. Jupyter's servers drop messages of more than 3 MB, but not those that make a widget."""

    contents = t.List(t.Bytes()).tag(sync=True)


class Playground(Settings, anywidget.AnyWidget):
    """The element in a notebook. `show` makes one."""

    _esm = HERE / "widget.js"
    _names = t.Dict({name: settings.key(name) for name in settings.NAMES}).tag(sync=True)
    # Pages that have the same files share them.
    _element = t.Unicode().tag(sync=True)
    # How many layers of one's own numbers there are, 0 for none; and whether the page computes something from them.
    _layers = t.Int(0).tag(sync=True)
    _computes = t.Bool(True).tag(sync=True)
    # What the picture for the saved notebook is found by.
    _still = t.Unicode().tag(sync=True)
    layer = t.Int(None, allow_none=True, help="The layer that is shown, from 1.").tag(sync=True)
    refused = t.Unicode(help="Why the last setting was not taken as it was given; empty where it was.").tag(sync=True)

    def __init__(self, numbers=None, *, page=None, **given):
        self._numbers = numbers
        self._page = page
        self._drawn = {}
        self._arrays = {}
        self._is_displayed = False
        self._parcels = {}
        if numbers:
            given.setdefault("layer", 1)
        # The notebook's own ground shows.
        given.setdefault("theme", "host")
        unknown = sorted(set(given) - set(settings.NAMES) - {"layer"})
        if unknown:
            refuse(f"{unknown[0]}: no setting has this name; docs/element.md lists them")
        layers = len(numbers.layers) if numbers else 0
        try:
            super().__init__(_element=_fingerprint(), _still=uuid4().hex, _layers=layers, _computes=not layers or numbers.weights is None, **given)
        except t.TraitError as error:
            raise ValueError(str(error)) from None
        self.on_msg(self._hear)

    @t.validate("layer")
    def _check_layer(self, proposal):
        layers = self._numbers and len(self._numbers.layers)
        if layers and not 1 <= (proposal.value or 0) <= layers:
            refuse(f"layer: {proposal.value}, but there are layers 1 to {layers}")
        return proposal.value

    @property
    def weights(self):
        """Attention weights `[H, n, m]` of the layer that is shown."""
        if not self._computes:
            return self._numbers.layers[self.layer - 1]["weights"]
        return self._array("weights")

    @property
    def output(self):
        """The output `[n, d]`; `None` for finished weights, which have none."""
        return self._array("output") if self._computes else None

    @property
    def stats(self):
        """Measures of each head, as in the page's compute API: mean entropy in nats, means on and off the diagonal."""
        weights = self.weights
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = np.where(weights > 0, -weights * np.log(weights), 0)
        found = {"entropy_mean": terms.sum(axis=-1).mean(axis=-1)}
        heads, rows, columns = weights.shape
        if rows == columns:
            diagonal = np.trace(weights, axis1=1, axis2=2)
            found["diagonal_mean"] = diagonal / rows
            found["off_diagonal_mean"] = (weights.sum(axis=(1, 2)) - diagonal) / max(rows * rows - rows, 1)
        return found

    def figure(self, kind="svg", *, width_mm=85):
        """The map as it was drawn last: the text of an SVG file, or the bytes of a PNG file."""
        if kind not in ("svg", "png"):
            refuse(f"kind: {kind!r}, but a figure is 'svg' or 'png'")
        if not 10 <= width_mm <= 1000:
            refuse(f"width_mm: {width_mm}, but a figure is 10 to 1000 mm wide")
        if kind not in self._drawn:
            raise RuntimeError(NOT_YET)
        return _svg_as_wide(self._drawn["svg"], width_mm) if kind == "svg" else still.with_density(self._drawn["png"], width_mm)

    def link(self, page=None):
        """What is on screen as a link to `page`, the address of a playground; the settings alone without one."""
        fragment = self._drawn.get("fragment")
        if fragment is None:
            raise RuntimeError(NOT_YET)
        page = page or self._page
        return f"{page}#{fragment}" if page else fragment

    def to_html(self, path, page=None):
        """Writes what is on screen, with its numbers, as one HTML file that opens in any browser, without a server or a network.

        `page`: the address of a playground, for a link to it.
        """
        page = page or self._page
        numbers = [(f"layer-{layer}.npz", self._numbers.file(layer)) for layer in range(1, self._layers + 1)]
        file = one_file.write(self._caption(), self._fragment(), page=page, layer=self.layer or 1, numbers=numbers)
        Path(path).write_text(file, encoding="utf-8")

    def _fragment(self):
        """What is on screen as a link of a page, not of a part of a notebook; before that, what was given."""
        given = {settings.key(name): getattr(self, name) for name in settings.NAMES}
        link = self._drawn.get("fragment") or settings.fragment(given)
        of_notebook = {"theme=host"} | (set() if self.embed else {"embed"})
        return "&".join(part for part in link.split("&") if part not in of_notebook)

    def __repr__(self):
        return self._caption()

    def _array(self, name):
        if name not in self._arrays:
            raise RuntimeError(NOT_YET)
        return self._arrays[name]

    def _hear(self, _, content, buffers):
        kind = content.get("type")
        if kind == "files":
            files = element.files()
            self._deliver({"type": "files", "names": list(files)}, list(files.values()), content)
        elif kind == "numbers":
            layer = content["layer"]
            self._deliver({"type": "numbers", "layer": layer}, [self._numbers.file(layer)], content)
        elif kind == "taken":
            self._parcels.pop(content["parcel"]).close()
        elif kind == "drawn":
            self._take(content, [bytes(buffer) for buffer in buffers])

    def _deliver(self, content, files, request):
        """Files in a parcel, or with the message where the page cannot open parcels."""
        if not request.get("opens_parcels"):
            return self.send(content, files)
        parcel = Parcel(contents=files)
        self._parcels[parcel.model_id] = parcel
        return self.send({**content, "parcel": parcel.model_id})

    def _take(self, content, buffers):
        """What the page has drawn and computed."""
        svg, png, *arrays = buffers
        self._drawn = {"fragment": content["fragment"], "svg": svg.decode(), "png": png}
        shapes = content["arrays"].items()
        self._arrays = {name: np.frombuffer(data, "<f4").reshape(shape) for (name, shape), data in zip(shapes, arrays)}
        if self._is_displayed:
            update_display(self._picture(), raw=True, display_id=self._still)

    def _picture(self):
        png = self._drawn.get("png")
        if png is None and not self._computes:
            png = still.png_of(self.weights[min(max((self.head or 1) - 1, 0), len(self.weights) - 1)])
        link = self.link() if self._page and self._drawn else None
        return still.bundle(self._still, png, self._drawn.get("svg"), self._caption(), link)

    def _caption(self):
        of_layer = f", layer {self.layer} of {self._layers}" if self._layers > 1 else ""
        if not self._computes:
            heads, rows, columns = self.weights.shape
            return f"Attention weights{of_layer}: head {self.head or 1} of {heads}, {rows} × {columns}."
        if self._layers:
            return f"Attention from one's own numbers: head {self.head or 1}."
        return f"Attention of “{self.text}”: head {self.head or 1}." if self.text else "Attention Playground."

    def _ipython_display_(self, **_):
        """The widget, and its picture as an output of its own: an output has one form only where a widget can be shown, and that of a
        widget is empty without its kernel."""
        data, metadata = self._repr_mimebundle_()
        display(data, metadata=metadata, raw=True)
        self._is_displayed = get_ipython() is not None
        display(self._picture(), raw=True, display_id=self._still)


def _fingerprint():
    packed = HERE / "element.tar.xz"
    return hashlib.sha256(packed.read_bytes()).hexdigest()[:12] if packed.is_file() else "none"


def _svg_as_wide(svg, width_mm):
    """The same drawing in another size."""
    head = re.match(r'<svg[^>]*?\bwidth="([\d.]+)mm" height="([\d.]+)mm"', svg)
    width, height = float(head[1]), float(head[2])
    size = f'width="{width_mm:g}mm" height="{height * width_mm / width:.4g}mm"'
    return svg.replace(f'width="{head[1]}mm" height="{head[2]}mm"', size, 1)
