"""Packages that can be called.

`mmsat.explain(board)` explains a board, and `mmsat.explain` is also the package that does it. Since
importing anything from a package binds the package's name, a function of that name would come and
go; so the package itself is made callable, and calls the function of that name inside it.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class Face(ModuleType):
    """A package that is called like its main function."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:  # noqa: D102
        return self.__wrapped__(*args, **kwargs)

    @property
    def __wrapped__(self) -> Any:
        """The function, loaded when first needed; help() and inspect find it here."""
        name = self.__name__.rpartition(".")[2]
        return getattr(import_module(f"{self.__name__}.{name}"), name)


def make_callable(package: str) -> None:
    """Make the package PACKAGE call PACKAGE.NAME.NAME, where NAME is its last part."""
    sys.modules[package].__class__ = Face
