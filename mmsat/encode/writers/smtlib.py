"""SMT-LIB 2 in the logic QF_LIA: a Boolean a peg and color, and sums of them as integers.

The rules are stated afresh, not taken from the constraints of other languages: black counts equal
pegs, and the pegs in common are the sum over colors of the smaller of two counts. So this is an
independent check of them.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from mmsat.encode.cnf import DEFAULT
from mmsat.encode.writers.base import Writer
from mmsat.encode.writers.told import may_repeat, told

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mmsat.encode.writers.told import Told
    from mmsat.game.board import Board, Row


class SmtLib(Writer):
    """Booleans and integer sums."""

    name = "smtlib"
    suffix = ".smt2"
    summary = "SMT-LIB 2 (QF_LIA), for SMT solvers"

    def write(self, board: Board, encoding: str = DEFAULT) -> Iterator[str]:  # noqa: ARG002
        """Declarations, assertions, and at the end the questions."""
        return _lines(board)


def _lines(board: Board) -> Iterator[str]:
    pegs, colors = range(1, board.game.pegs + 1), range(1, board.game.colors + 1)
    yield f"; mmsat {board}\n"
    yield "(set-option :produce-models true)\n"
    yield "(set-logic QF_LIA)\n"
    for peg in pegs:
        for color in colors:
            yield f"(declare-fun {_at(peg, color)} () Bool)\n"
    yield "; how many pegs have each color\n"
    for color in colors:
        yield f"(define-fun color{color} () Int {_count(_at(peg, color) for peg in pegs)})\n"
    yield "; one color a peg\n"
    for peg in pegs:
        yield f"(assert (= {_count(_at(peg, color) for color in colors)} 1))\n"
    if not may_repeat(board.game):
        yield "; no color repeats\n"
        for color in colors:
            yield f"(assert (<= color{color} 1))\n"
    for number, (row, score) in enumerate(zip(board.rows, told(board), strict=True), 1):
        yield f"; row {number}\n"
        yield from _row(row, score)
    yield "(check-sat)\n"
    yield f"(get-value ({' '.join(_at(peg, color) for peg in pegs for color in colors)}))\n"


def _row(row: Row, score: Told) -> Iterator[str]:
    guess = [color + 1 for color in row.guess]
    black = _count(_at(peg, color) for peg, color in enumerate(guess, 1))
    common = _sum(
        f"(ite (< color{color} {times}) color{color} {times})"
        for color, times in sorted(Counter(guess).items())
    )
    if score.black is not None:
        yield f"(assert (= {black} {score.black}))\n"
    if score.white is not None:
        yield f"(assert (= (- {common} {black}) {score.white}))\n"
    if score.color is not None:
        yield f"(assert (= {common} {score.color}))\n"


def _at(peg: int, color: int) -> str:
    return f"peg{peg}color{color}"


def _count(names: Iterable[str]) -> str:
    """How many Booleans are true."""
    return _sum(f"(ite {name} 1 0)" for name in names)


def _sum(terms: Iterable[str]) -> str:
    """A sum; of one term it is that term, as `+` takes two at least."""
    every = list(terms)
    return every[0] if len(every) == 1 else f"(+ {' '.join(every)})"
