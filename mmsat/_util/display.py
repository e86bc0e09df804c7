"""Display of results: as the text that the command prints, and as a picture in notebooks.

The renderers are in mmsat.render, which is imported when a result is first shown.
"""

from dataclasses import MISSING, fields
from reprlib import Repr
from typing import Any

SHORT = Repr()
"""Formats the fields of a result in its repr, and cuts long ones."""
SHORT.maxlevel = 3
SHORT.maxtuple = SHORT.maxlist = SHORT.maxdict = 4
SHORT.maxstring = SHORT.maxother = 60


class Shown:
    """Base class of results that print as text and are drawn in notebooks."""

    __slots__ = ()

    def __str__(self) -> str:
        from mmsat.render.reports import text

        return text(self)

    def __repr__(self) -> str:
        return short_repr(self)

    def _repr_svg_(self) -> str:
        """Return an SVG image, for notebooks."""
        from mmsat.render.picture import svg

        return svg(self)


def short_repr(result: Any) -> str:
    """Return a repr without the fields that have their default values; long values are cut."""
    shown = []
    for part in fields(result):
        value = getattr(result, part.name)
        if part.repr and (part.default is MISSING or value != part.default):
            shown.append(f"{part.name}={SHORT.repr(value)}")
    return f"{type(result).__qualname__}({', '.join(shown)})"
