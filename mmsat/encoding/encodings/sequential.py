"""Sequential counter (Sinz 2005), made bidirectional."""

from collections.abc import Sequence

from mmsat.encoding.encodings.encoding import Encoding
from mmsat.encoding.formula import Formula


class Sequential(Encoding):
    """One line of counters a literal."""

    name = "sequential"

    def count(self, literals: Sequence[int], bound: int, formula: Formula) -> list[int]:
        """Carry the counts from each literal to the next."""
        line = [literals[0]]
        for literal in literals[1:]:
            wider = []
            for t in range(1, min(len(line) + 1, bound) + 1):
                here = formula.new()
                wider.append(here)
                before = line[t - 1] if t <= len(line) else None  # at least t without this literal
                less = line[t - 2] if t > 1 else None  # at least t - 1 without it; always for t = 1
                if less is None:
                    formula.add(-literal, here)
                else:
                    formula.add(-literal, -less, here)
                    formula.add(-here, less)
                if before is None:
                    formula.add(-here, literal)
                else:
                    formula.add(-before, here)
                    formula.add(-here, literal, before)
            line = wider
        return line
