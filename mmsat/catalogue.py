"""Locate the catalogues: inside the package in a wheel, next to the package in a checkout.

`encodings` is also the name of a package of the standard library. Therefore the catalogues have no
Python files at their top level, and no code here adds the root of a checkout to `sys.path`.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from mmsat.errors import InternalError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def folder(name: str) -> Traversable:
    """Return the folder of a catalogue, "encodings" or "instances"."""
    inside = files("mmsat") / "data" / name
    if inside.is_dir():
        return inside
    beside = Path(__file__).resolve().parent.parent / name
    if beside.is_dir():
        return beside
    raise InternalError(f"the catalogue {name!r} is missing from this installation of mmsat")
