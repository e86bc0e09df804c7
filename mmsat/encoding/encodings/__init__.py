"""The encodings of cardinality constraints in clauses, by name.

A new encoding is a class in this package and a folder of the catalogue.
"""

from collections.abc import Mapping

from mmsat.encoding.encodings.encoding import Encoding
from mmsat.registry import Instances, Registry, module_names

SHARED = {
    "networks": ("cardinality-network", "sorting-network"),
    "plain": ("direct", "native", "sequential"),
    "totalizers": ("modulo-totalizer", "totalizer"),
}
_kinds = Registry(
    __name__,
    module_names(__path__),
    Encoding,  # type: ignore[type-abstract]
    shared=SHARED,
)
ENCODINGS: Mapping[str, Encoding] = Instances(_kinds)

__all__ = ["ENCODINGS", "Encoding"]
