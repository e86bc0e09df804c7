"""Why a board is inconsistent: minimal conflicts, cheapest corrections, and their words.

Called, it is `mmsat.explain.explain.explain`.
"""

from importlib import import_module
from typing import Any

from mmsat.face import make_callable

make_callable(__name__)


def __getattr__(name: str) -> Any:
    if name != "steps":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")
