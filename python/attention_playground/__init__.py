"""Attention in a notebook: `show(outputs.attentions, tokens=tokens)`."""

from .show import show
from .widget import Playground

__all__ = ["Playground", "show"]
