"""The ways to count in clauses, by name.

A new encoding is one module and one folder of the catalogue.
"""

from collections.abc import Mapping

from mmsat.encoding.encodings.encoding import Encoding
from mmsat.registry import Instances, Registry, module_names

_kinds = Registry(__name__, module_names(__path__), Encoding)  # type: ignore[type-abstract]
ENCODINGS: Mapping[str, Encoding] = Instances(_kinds)

__all__ = ["ENCODINGS", "Encoding"]
