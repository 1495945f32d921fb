"""The page's settings as traits, by their names in links."""

from urllib.parse import urlencode

import traitlets as t


class Names(t.TraitType):
    """Names with commas between them, as in links; a list of names becomes that."""

    info_text = "names as a list, or as a text with commas between them"

    def validate(self, obj, value):
        if value is None:
            return None
        if isinstance(value, str):
            value = value.replace(",", " ").split()
        if isinstance(value, (list, tuple)) and all(isinstance(name, str) for name in value):
            return ",".join(value) or "none"
        return self.error(obj, value)


def _number():
    return t.Union([t.Int(), t.Float()], default_value=None, allow_none=True)


def _text():
    return t.Unicode(default_value=None, allow_none=True)


def _switch():
    return t.Bool(default_value=None, allow_none=True)


def _names():
    return Names(default_value=None, allow_none=True)


# Names of links that ipywidgets has other uses for, or that say here what is computed.
ALIASES = {"weights": "weights_from", "open": "panel", "show": "controls"}

KINDS = {
    _text: "text source weights_from rule paint hiding scoring positions align cell step view against colours scale range code task task_text "
    "lesson lesson_text lang theme backend",
    _number: "seed layers trained d_model d_k heads kv_heads valid window stride first projected temperature head "
    "task_seed task_temperature task_step lesson_step",
    _switch: "pad_rows scaled linformer embed",
    _names: "mask panel controls lock",
}

NAMES = [name for names in KINDS.values() for name in names.split()]


def traits():
    """A trait for each; `None` leaves a setting to the page, which tells what it is."""
    return {name: make().tag(sync=True) for make, names in KINDS.items() for name in names.split()}


def key(name):
    """The name in links."""
    return next((own for own, alias in ALIASES.items() if alias == name), name)


def fragment(given):
    """Settings by their keys as a link."""
    written = {key: str(int(value)) if isinstance(value, bool) else str(value) for key, value in given.items() if value is not None}
    return urlencode(written)
