"""Why a board has no code, found before any search."""

from dataclasses import dataclass

from mmsat.constraints.algebra.certificate import Certificate, Summable
from mmsat.constraints.presolve.domains import bits
from mmsat.english import noun_phrase

SHOWN = 12
"""How many rows are named in a sentence."""


@dataclass(frozen=True, slots=True)
class Infeasibility:
    """Rows that contradict each other, or the game; not always a minimal choice."""

    step: str
    """The step that found it."""
    rows: tuple[int, ...]
    """From 0, ascending; with none of them, the game itself has no code."""
    lines: tuple[str, ...]
    """The reason in sentences."""
    certificate: Certificate | None = None
    """Where equations were added up: their combination."""
    equations: Summable | None = None
    """And the equations, for `certificate.proves(equations)`."""

    def __str__(self) -> str:
        return "\n".join(self.lines)


def name_rows(rows: int) -> str:
    """Rows, as bits, in words and counted from 1: `rows 1 and 3`."""
    numbers = [str(row + 1) for row in bits(rows)]
    if not numbers:
        return "the rules of the game"
    if len(numbers) > SHOWN:
        numbers = [*numbers[:SHOWN], f"{len(numbers) - SHOWN} more"]
    return noun_phrase("row", numbers)


def explain_contradiction(step: str, rows: int, leaving: str) -> Infeasibility:
    """The refutation by rows, as bits, that do something impossible: `leave no color for peg 1`."""
    if rows.bit_count() == 1:
        verb, rest = leaving.split(" ", 1)
        leaving = f"{verb}s {rest}"
    sentence = f"{name_rows(rows)} {leaving}."
    return Infeasibility(step, tuple(bits(rows)), (sentence[0].upper() + sentence[1:],))
