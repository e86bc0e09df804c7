"""The ways to count in clauses, by name. A new encoding is one module, one line here and one
folder of the catalogue.
"""

from mmsat.encode.encodings.base import Encoding
from mmsat.encode.encodings.sequential import Sequential
from mmsat.encode.encodings.totalizer import Totalizer

ENCODINGS: dict[str, Encoding] = {each.name: each for each in (Sequential(), Totalizer())}

__all__ = ["ENCODINGS", "Encoding"]
