"""The ways to count in clauses, by name.

A new encoding is one module, one line here and one folder of the catalogue.
"""

from mmsat.encode.encodings.base import Encoding
from mmsat.encode.encodings.cardinality_network import CardinalityNetwork
from mmsat.encode.encodings.direct import Direct
from mmsat.encode.encodings.modulo_totalizer import ModuloTotalizer
from mmsat.encode.encodings.native import Native
from mmsat.encode.encodings.sequential import Sequential
from mmsat.encode.encodings.sorting_network import SortingNetwork
from mmsat.encode.encodings.totalizer import Totalizer

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
