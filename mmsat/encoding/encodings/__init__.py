"""The ways to count in clauses, by name.

A new encoding is one module, one line here and one folder of the catalogue.
"""

from mmsat.encoding.encodings.base import Encoding
from mmsat.encoding.encodings.cardinality_network import CardinalityNetwork
from mmsat.encoding.encodings.direct import Direct
from mmsat.encoding.encodings.modulo_totalizer import ModuloTotalizer
from mmsat.encoding.encodings.native import Native
from mmsat.encoding.encodings.sequential import Sequential
from mmsat.encoding.encodings.sorting_network import SortingNetwork
from mmsat.encoding.encodings.totalizer import Totalizer

ENCODINGS: dict[str, Encoding] = {
    each.name: each
    for each in (
        CardinalityNetwork(),
        Direct(),
        ModuloTotalizer(),
        Native(),
        Sequential(),
        SortingNetwork(),
        Totalizer(),
    )
}

__all__ = ["ENCODINGS", "Encoding"]
