"""SMT-LIB 2 in the logic QF_LIA: a Boolean a peg and color, and sums of them as integers.

The rules are stated afresh, not taken from the constraints of other languages: black counts equal
pegs, the pegs in common are the sum over colors of the smaller of two counts, and a mark says what
the peg is. So this is an independent check of them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from mmsat.board import Board
from mmsat.encoding.writers.score_parts import (
    ScoreParts,
    has_one_key,
    may_repeat,
    score_parts,
    shapes,
    words,
)
from mmsat.game.game import Game
from mmsat.game.row import Row


def write_smtlib(board: Board) -> Iterator[str]:
    """Declarations, assertions, and at the end the questions."""
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
    if codes := words(board.game):
        yield "; one of the words\n"
        yield f"(assert {_any(map(_spell, codes))})\n"
    for number, (row, score) in enumerate(zip(board.rows, score_parts(board), strict=True), 1):
        yield f"; row {number}\n"
        yield from _counts(board.game, row, score)
        yield from _marks(board.game, row, score)
    yield "(check-sat)\n"
    yield f"(get-value ({' '.join(_at(peg, color) for peg in pegs for color in colors)}))\n"


def _counts(game: Game, row: Row, score: ScoreParts) -> Iterator[str]:
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
    if score.blue is not None:
        yield f"(assert (= {_count(_blues(game, row))} {score.blue}))\n"


def _marks(game: Game, row: Row, score: ScoreParts) -> Iterator[str]:
    guess = [color + 1 for color in row.guess]
    for peg, mark in enumerate(score.places, 1):
        if mark is not None:
            yield f"(assert {_place(guess, peg, mark)})\n"
    for peg, mark in enumerate(score.order, 1):
        if mark is not None:
            asked = guess[peg - 1]
            left = {0: range(1, asked), 1: range(asked + 1, game.colors + 1), 2: (asked,)}[mark]
            yield f"(assert {_any(_at(peg, color) for color in left)})\n"


def _place(guess: list[int], peg: int, mark: int) -> str:
    """That a peg of the guess is right in place, elsewhere or absent."""
    right, elsewhere = _at(peg, guess[peg - 1]), _elsewhere(guess, peg)
    return {0: f"(not (or {right} {elsewhere}))", 1: elsewhere, 2: right}[mark]


def _blues(game: Game, row: Row) -> Iterator[str]:
    """For each peg, that it is blue: half right, and not white where that rules it out."""
    guess = [color + 1 for color in row.guess]
    many = shapes(game) or 1
    for peg, asked in enumerate(guess, 1):
        half_right = _any(
            _at(peg, color)
            for color in range(1, game.colors + 1)
            if _are_half_equal(color - 1, asked - 1, many)
        )
        if has_one_key(game):
            yield f"(and {half_right} (not {_elsewhere(guess, peg)}))"
        else:
            yield half_right


def _are_half_equal(color: int, other: int, shapes: int) -> bool:
    """Whether two colors, counted from 0, agree in just one of hue and shape."""
    return (color // shapes == other // shapes) != (color % shapes == other % shapes)


def _elsewhere(guess: list[int], peg: int) -> str:
    """That a peg of the guess is not right in place, and its color is elsewhere in the code.

    The copies of a color that the code has elsewhere go to the guess's pegs from the left, but not
    to those that are right in place.
    """
    asked = guess[peg - 1]
    wrong = f"(not {_at(peg, asked)})"
    copies = _count(_at(p, asked) for p, color in enumerate(guess, 1) if color != asked)
    taken = _count(
        f"(not {_at(p, asked)})" for p, color in enumerate(guess[: peg - 1], 1) if color == asked
    )
    return f"(and {wrong} (< {taken} {copies}))"


def _spell(code: Iterable[int]) -> str:
    """That the code is this one, of colors counted from 0."""
    pegs = [_at(peg, color + 1) for peg, color in enumerate(code, 1)]
    return pegs[0] if len(pegs) == 1 else f"(and {' '.join(pegs)})"


def _at(peg: int, color: int) -> str:
    return f"peg{peg}color{color}"


def _count(names: Iterable[str]) -> str:
    """How many Booleans are true."""
    return _sum(f"(ite {name} 1 0)" for name in names)


def _any(terms: Iterable[str]) -> str:
    """That one of these is true at least; `or` takes two at least."""
    every = list(terms)
    return f"(or {' '.join(every)})" if len(every) > 1 else every[0] if every else "false"


def _sum(terms: Iterable[str]) -> str:
    """A sum; `+` takes two at least."""
    every = list(terms)
    return f"(+ {' '.join(every)})" if len(every) > 1 else every[0] if every else "0"
