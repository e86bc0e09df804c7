"""The languages of solvers that a board can be written in, by name: each has a module here."""

from collections.abc import Mapping

from mmsat.encoding.writers.writer import Writer
from mmsat.registry import Instances, Registry, module_names

_modules = module_names(__path__, helpers=("clauses", "score_parts"))
_kinds = Registry(__name__, _modules, Writer)  # type: ignore[type-abstract]
WRITERS: Mapping[str, Writer] = Instances(_kinds)

__all__ = ["WRITERS", "Writer"]
