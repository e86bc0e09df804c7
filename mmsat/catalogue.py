"""Where the catalogues lie: inside the package of a wheel, beside it in a checkout.

`encodings` is also the name of a standard-library package, so neither catalogue holds Python files
at its top, and nothing here ever puts the root of a checkout on the path.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from mmsat.errors import InternalError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def folder(name: str) -> Traversable:
    """The folder of a catalogue: "encodings" or "instances"."""
    inside = files("mmsat") / "data" / name
    if inside.is_dir():
        return inside
    beside = Path(__file__).resolve().parent.parent / name
    if beside.is_dir():
        return beside
    raise InternalError(f"the catalogue {name!r} is missing from this installation of mmsat")
