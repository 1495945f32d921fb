"""The page as one HTML file that needs no server: the element's files, a setting, and its numbers."""

from base64 import b64encode
from html import escape

from . import element

# Each stands once in the file.
TITLE = "<title>Attention Playground</title>"
ELEMENT = '<attention-playground data-link="">'
NUMBERS = "<!-- numbers -->"
MODULES = "<!-- modules -->"
# These stand in its script.
BESIDE = {"in_memory.js", "layer_field.js"}


def _block(kind, name, content):
    return f'<script type="text/plain" data-{kind}="{escape(name)}">{b64encode(content).decode()}</script>'


def write(title, link, *, page=None, layer=1, numbers=()):
    """The file as a text. `link`: a setting, as in links; `numbers`: names and contents of files, one a layer; `layer`: that shown at first."""
    written = [
        (TITLE, f"<title>{escape(title)}</title>"),
        (ELEMENT, f'<attention-playground data-link="{escape(link)}" data-layer="{layer}" page="{escape(page or "")}">'),
        (NUMBERS, "\n".join(_block("numbers", name, content) for name, content in numbers)),
        (MODULES, "\n".join(_block("module", name, content) for name, content in element.files(level=9).items() if name not in BESIDE)),
    ]
    file = element.one_file()
    for place, by in written:
        if file.count(place) != 1:
            raise ValueError(f"one_file.html: {place} does not stand there once")
        file = file.replace(place, by)
    return file
