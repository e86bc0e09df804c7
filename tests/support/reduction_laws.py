"""Properties of every reduction, checked for one source at a time."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import TYPE_CHECKING

from mmsat.constraints import System
from mmsat.counting.listing import codes_after
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS
from mmsat.solving.searches import SlicedSearch
from tests.support import tiny_sources

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from mmsat.game import Code
    from mmsat.reductions.reduction import Reduction


def holds(reduction: Reduction[Any, Any], candidates: Iterable[Any] | None = None) -> int:
    """Check all laws on one source, and return its number of certificates.

    By default, the candidates are all objects that have the form of a certificate.
    """
    board = reduction.board
    game = board.game
    what = f"{reduction.name} {reduction.settings} of {reduction.source}: {board}"
    assert reduction.sizes() == (game.pegs, game.colors, len(board.rows)), what
    gadgets = reduction.gadgets()
    assert (len(gadgets.pegs), len(gadgets.rows)) == (game.pegs, len(board.rows)), what
    forms = tiny_sources.candidates(reduction) if candidates is None else candidates
    certificates = [form for form in forms if reduction.is_certificate(form)]
    for certificate in certificates:
        code = reduction.encode(certificate)
        assert board.is_consistent(code), what
        assert reduction.decode(code) == certificate, what
    codes = codes_of(board)
    known_codes = set(reduction.known)
    assert len(board.known) == (
        reduction.settings["k"]
        if reduction.name == "another-solution"
        else len(getattr(reduction.source, "known", ()))
    )
    assert known_codes <= set(codes), what
    decoded = Counter(reduction.decode(code) for code in codes if code not in known_codes)
    assert decoded == dict.fromkeys(certificates, reduction.ratio), what
    assert len(codes) == reduction.count(len(certificates)), what
    assert reduction.is_parsimonious == (reduction.ratio == 1 and not known_codes)
    if reduction.black_suffices:
        assert codes_of(black_twin(board)) == codes, what
    return len(certificates)


def codes_of(board: Board) -> list[Code]:
    """Return all consistent codes in order.

    Small boards, and boards of two colors whose first row determines the weight of the code (its
    number of pegs of the second color), are searched without mmsat's solvers.
    """
    game = board.game
    if game.colors**game.pegs <= 256:
        return [code for code in all_codes(game) if board.is_consistent(code)]
    if game.colors == 2 and board.rows and board.rows[0] in zeros(board):
        return solutions(board)
    system = System.of(board)
    search = SlicedSearch(system, slices=16)
    codes = list(search)
    if not search.is_exhausted:
        codes += codes_after([system], codes[-1] if codes else None)
    return codes


def zeros(board: Board) -> list[Row]:
    """Return the rows that determine the weight of a code of two colors.

    Their guess has the first color at all pegs.
    """
    pegs, parts = board.game.pegs, len(board.game.parts)
    return [Row((0,) * pegs, (black, 0)[:parts]) for black in range(pegs + 1)]


def solutions(board: Board) -> list[Code]:
    """Return the codes of a two-color board whose first row determines the weight.

    Each row is an equation: a number of pegs of the second color among the pegs where the guess has
    this color. The solutions of the equations are found by propagation, and are scored.
    """
    pegs = board.game.pegs
    weight = pegs - board.rows[0].score[0]
    equations = [(tuple(range(pegs)), weight)]
    for guess, score in board.rows:
        named = tuple(peg for peg, color in enumerate(guess) if color)
        twice = score[0] + weight + len(named) - pegs
        equations.append((named, twice // 2 if twice % 2 == 0 else -1))
    holders = [[e for e, (named, _) in enumerate(equations) if peg in named] for peg in range(pegs)]
    results = [
        code
        for code in _search(equations, holders, [None] * pegs, range(len(equations)))
        if board.is_consistent(code)
    ]
    return sorted(results)


def _search(equations, holders, values, waiting) -> Iterator[Code]:
    """Yield the solutions that extend `values`.

    An equation has pegs, and the number of ones among them. `holders` has the indices of the
    equations of each peg, `values` the value of each peg (None if unknown), and `waiting` the
    indices of the equations to propagate.
    """
    values = list(values)
    waiting = set(waiting)
    while waiting:
        named, ones = equations[waiting.pop()]
        free = [peg for peg in named if values[peg] is None]
        missing_ones = ones - sum(values[peg] or 0 for peg in named)
        if not 0 <= missing_ones <= len(free):
            return
        if free and missing_ones in {0, len(free)}:
            for peg in free:
                values[peg] = int(missing_ones > 0)
                waiting.update(holders[peg])
    if None not in values:
        yield tuple(values)
        return
    peg = values.index(None)
    for value in range(2):
        values[peg] = value
        yield from _search(equations, holders, values, holders[peg])


def black_twin(board: Board) -> Board:
    """Return the board with the same guesses, scored with black only."""
    old = board.game
    game = Game(old.pegs, old.colors, old.space, SCORINGS["black"])
    return Board(game, tuple((row.guess, row.score[:1]) for row in board.rows), board.known)


def all_codes(game: Game) -> Iterator[Code]:
    """Return all sequences of the colors of a game."""
    return product(range(game.colors), repeat=game.pegs)


def is_consistent_play(board: Board) -> bool:
    """Return whether every guess is consistent with all rows before it."""
    return all(
        board.game.scoring.agrees(row.guess, *before)
        for turn, row in enumerate(board.rows)
        for before in board.rows[:turn]
    )
