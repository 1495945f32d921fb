"""The picture that stands for a widget where no page draws it: in a saved notebook, in an export, in print."""

import base64
import struct
import zlib
from html import escape

import numpy as np

# The page's colours on a light ground, from no weight to the largest.
COLOURS = np.array(
    [[252, 251, 248], [214, 228, 202], [163, 206, 171], [111, 180, 164], [78, 150, 158], [59, 119, 148], [48, 87, 135], [41, 54, 119], [35, 15, 102]],
    dtype=np.float32,
)
# About so many pixels across.
SIDE = 480


def png_of(weights):
    """A map of weights `[n, m]` as a PNG file."""
    rows, columns = weights.shape
    shares = np.clip(weights / max(float(weights.max()), 1e-9), 0, 1) * (len(COLOURS) - 1)
    low = np.minimum(shares.astype(int), len(COLOURS) - 2)
    pixels = COLOURS[low] + (COLOURS[low + 1] - COLOURS[low]) * (shares - low)[..., None]
    scale = max(1, SIDE // max(rows, columns))
    pixels = pixels.round().astype(np.uint8).repeat(scale, axis=0).repeat(scale, axis=1)
    height, width = pixels.shape[:2]
    # Each line begins with how it is filtered: not at all.
    lines = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], axis=1)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(lines.tobytes(), 9)) + _chunk(b"IEND", b"")


def _chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def with_density(png, width_mm):
    """A PNG file that is printed so many millimetres wide."""
    (width,) = struct.unpack(">I", png[16:20])
    per_metre = round(width / width_mm * 1000)
    kept, at = [png[:8]], 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        kind, end = png[at + 4 : at + 8], at + 12 + length
        if kind != b"pHYs":
            kept.append(png[at:end])
        if kind == b"IHDR":
            kept.append(_chunk(b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1)))
        at = end
    return b"".join(kept)


def _base64(file):
    return base64.b64encode(file).decode()


def bundle(name, png, svg, caption, link):
    """What a notebook keeps, beside the widget's own output; the widget hides it where it is alive."""
    words = escape(caption)
    if link:
        words += f' <a href="{escape(link)}">Open it</a>'
    picture = ""
    data = {"text/plain": caption}
    if png:
        # Small maps are smaller as shapes.
        kind, file = ("svg+xml", svg.encode()) if svg and len(svg) < len(png) else ("png", png)
        picture = f'<img alt="{escape(caption)}" src="data:image/{kind};base64,{_base64(file)}" style="max-width: 100%">'
        data["image/png"] = _base64(png)
    data["text/html"] = f'<figure data-attention-playground="{name}" style="margin: 0">{picture}<figcaption>{words}</figcaption></figure>'
    return data
