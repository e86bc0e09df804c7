"""SMT-LIB 2 in the logic QF_LIA: a Boolean for each peg and color, and sums of them as integers.

The rules are stated independently of the constraints that other languages use: black counts equal
pegs, the pegs in common are the sum over colors of the smaller of two counts, and a mark gives the
state of its peg. So this is an independent check of those constraints.
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
    """Yield declarations, assertions and, at the end, the queries."""
    pegs, colors = range(1, board.game.pegs + 1), range(1, board.game.colors + 1)
    yield f"; mmsat {board}\n"
    yield "(set-option :produce-models true)\n"
    yield "(set-logic QF_LIA)\n"
    for peg in pegs:
        for color in colors:
            yield f"(declare-fun {_at(peg, color)} () Bool)\n"
    yield "; the number of pegs of each color\n"
    for color in colors:
        yield f"(define-fun color{color} () Int {_count(_at(peg, color) for peg in pegs)})\n"
    yield "; one color per peg\n"
    for peg in pegs:
        yield f"(assert (= {_count(_at(peg, color) for color in colors)} 1))\n"
    if not may_repeat(board.game):
        yield "; no color repeats\n"
        for color in colors:
            yield f"(assert (<= color{color} 1))\n"
    if codes := words(board.game):
        yield "; one of the words\n"
        yield f"(assert {_any(map(_equals, codes))})\n"
    for number, (row, score) in enumerate(zip(board.rows, score_parts(board), strict=True), 1):
        yield f"; row {number}\n"
        yield from _counts(board.game, row, score)
        yield from _marks(board.game, row, score)
    yield "(check-sat)\n"
    yield f"(get-value ({' '.join(_at(peg, color) for peg in pegs for color in colors)}))\n"


def _counts(game: Game, row: Row, score: ScoreParts) -> Iterator[str]:
    """Yield the assertions that state the numbers of a score."""
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
    """Yield the assertions that state the marks of a score."""
    guess = [color + 1 for color in row.guess]
    for peg, mark in enumerate(score.places, 1):
        if mark is not None:
            yield f"(assert {_place(guess, peg, mark)})\n"
    for peg, mark in enumerate(score.order, 1):
        if mark is not None:
            guessed_color = guess[peg - 1]
            possible_colors = {
                0: range(1, guessed_color),
                1: range(guessed_color + 1, game.colors + 1),
                2: (guessed_color,),
            }[mark]
            yield f"(assert {_any(_at(peg, color) for color in possible_colors)})\n"


def _place(guess: list[int], peg: int, mark: int) -> str:
    """Return the formula that a peg of the guess is right in place, elsewhere or absent."""
    right, elsewhere = _at(peg, guess[peg - 1]), _elsewhere(guess, peg)
    return {0: f"(not (or {right} {elsewhere}))", 1: elsewhere, 2: right}[mark]


def _blues(game: Game, row: Row) -> Iterator[str]:
    """Yield for each peg the formula that it is blue: half right and, with one key, not white."""
    guess = [color + 1 for color in row.guess]
    number_of_shapes = shapes(game) or 1
    for peg, guessed_color in enumerate(guess, 1):
        half_right = _any(
            _at(peg, color)
            for color in range(1, game.colors + 1)
            if _are_half_equal(color - 1, guessed_color - 1, number_of_shapes)
        )
        if has_one_key(game):
            yield f"(and {half_right} (not {_elsewhere(guess, peg)}))"
        else:
            yield half_right


def _are_half_equal(color: int, other: int, shapes: int) -> bool:
    """Return whether two colors (from 0) agree in exactly one of hue and shape."""
    return (color // shapes == other // shapes) != (color % shapes == other % shapes)


def _elsewhere(guess: list[int], peg: int) -> str:
    """Return the formula that a peg of the guess is not right in place but its color is elsewhere.

    The copies of a color that the code has elsewhere are assigned to the guess's pegs of this color
    from left to right, except to those that are right in place.
    """
    asked = guess[peg - 1]
    wrong = f"(not {_at(peg, asked)})"
    copies = _count(_at(p, asked) for p, color in enumerate(guess, 1) if color != asked)
    taken = _count(
        f"(not {_at(p, asked)})" for p, color in enumerate(guess[: peg - 1], 1) if color == asked
    )
    return f"(and {wrong} (< {taken} {copies}))"


def _equals(code: Iterable[int]) -> str:
    """Return the formula that the code equals `code`, of colors from 0."""
    pegs = [_at(peg, color + 1) for peg, color in enumerate(code, 1)]
    return pegs[0] if len(pegs) == 1 else f"(and {' '.join(pegs)})"


def _at(peg: int, color: int) -> str:
    return f"peg{peg}color{color}"


def _count(names: Iterable[str]) -> str:
    """Return the number of true Booleans."""
    return _sum(f"(ite {name} 1 0)" for name in names)


def _any(terms: Iterable[str]) -> str:
    """Return the disjunction of the terms; `or` needs at least two."""
    parts = list(terms)
    return f"(or {' '.join(parts)})" if len(parts) > 1 else parts[0] if parts else "false"


def _sum(terms: Iterable[str]) -> str:
    """Return the sum of the terms; `+` needs at least two."""
    parts = list(terms)
    return f"(+ {' '.join(parts)})" if len(parts) > 1 else parts[0] if parts else "0"
