"""What people read of a result: its text is what the command prints, in a notebook it is a picture.

What a result looks like is told in mmsat.render.reports, which loads when it is first shown.
"""

from dataclasses import MISSING, fields
from reprlib import Repr
from typing import Any

from mmsat.registry import load

TEXT, PICTURE = "mmsat.render.reports:text", "mmsat.render.picture:svg"
"""By name, as whoever asks for a result need not look at it."""
SHORT = Repr()
"""How the parts of a result are shown in its repr: cut where they are long."""
SHORT.maxlevel = 3
SHORT.maxtuple = SHORT.maxlist = SHORT.maxdict = 4
SHORT.maxstring = SHORT.maxother = 60


class Shown:
    """A result that prints in words, and draws itself in notebooks."""

    __slots__ = ()

    def __str__(self) -> str:
        return str(load(TEXT)(self))

    def __repr__(self) -> str:
        return short_repr(self)

    def _repr_svg_(self) -> str:
        """Draw it, for notebooks."""
        return str(load(PICTURE)(self))


def short_repr(result: Any) -> str:
    """The fields of a record that are not what they are by default, long ones cut."""
    shown = []
    for part in fields(result):
        value = getattr(result, part.name)
        if part.repr and (part.default is MISSING or value != part.default):
            shown.append(f"{part.name}={SHORT.repr(value)}")
    return f"{type(result).__qualname__}({', '.join(shown)})"
