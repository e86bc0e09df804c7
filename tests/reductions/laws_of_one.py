"""What every reduction must keep, for one source at a time."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from mmsat.board import Board
from mmsat.enumeration.listing import list_codes
from mmsat.game.game import Game
from mmsat.game.row import Row
from mmsat.game.scoring import SCORINGS
from mmsat.solving.deadline import Deadline

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from mmsat.game.row import Code
    from mmsat.reductions.reduction import Reduction


def holds(reduction: Reduction[Any, Any], candidates: Iterable[Any]) -> int:
    """Check one source against all candidates for a certificate; returns how many there are."""
    board = reduction.board
    game = board.game
    what = (reduction.name, str(board))
    assert reduction.sizes() == (game.pegs, game.colors, len(board.rows)), what
    gadgets = reduction.gadgets()
    assert (len(gadgets.pegs), len(gadgets.rows)) == (game.pegs, len(board.rows)), what
    certificates = [each for each in candidates if reduction.is_certificate(each)]
    encoded = {reduction.encode(certificate): certificate for certificate in certificates}
    assert len(encoded) == len(certificates), what
    for code, certificate in encoded.items():
        assert board.is_consistent(code), (what, certificate)
        assert reduction.decode(code) == certificate, (what, certificate)
    assert sorted(encoded) == codes_of(board), what
    if reduction.has_black_twin:
        assert sorted(encoded) == codes_of(black_twin(board)), what
    assert reduction.ratio == 1
    return len(certificates)


def codes_of(board: Board) -> list[Code]:
    """All consistent codes in order."""
    game = board.game
    if game.colors**game.pegs <= 256:
        return [code for code in all_codes(game) if board.is_consistent(code)]
    if game.colors == 2 and board.rows and board.rows[0] in zeros(board):
        return solutions(board)
    return list(list_codes(board, Deadline()))


def zeros(board: Board) -> list[Row]:
    """The first rows of two-color boards that tell the weight."""
    pegs, parts = board.game.pegs, len(board.game.parts)
    return [Row((0,) * pegs, (black, 0)[:parts]) for black in range(pegs + 1)]


def solutions(board: Board) -> list[Code]:
    """The codes of a two-color board whose first row tells the weight, by the equations it is.

    Boards of consistent play have hundreds of pegs, which only the difference of rows makes small.
    Each code found is scored.
    """
    pegs = board.game.pegs
    weight = pegs - board.rows[0].score[0]
    equations = [(tuple(range(pegs)), weight)]
    for guess, score in board.rows:
        named = tuple(peg for peg, color in enumerate(guess) if color)
        twice = score[0] + weight + len(named) - pegs
        equations.append((named, twice // 2 if twice % 2 == 0 else -1))
    holders = [[e for e, (named, _) in enumerate(equations) if peg in named] for peg in range(pegs)]
    found = [
        code
        for code in _search(equations, holders, [None] * pegs, range(len(equations)))
        if board.is_consistent(code)
    ]
    return sorted(found)


def _search(equations, holders, values, waiting) -> Iterator[Code]:
    """Go on from the values known so far, with the equations that may have changed."""
    values = list(values)
    waiting = set(waiting)
    while waiting:
        named, ones = equations[waiting.pop()]
        free = [peg for peg in named if values[peg] is None]
        owed = ones - sum(values[peg] or 0 for peg in named)
        if not 0 <= owed <= len(free):
            return
        if free and owed in {0, len(free)}:
            for peg in free:
                values[peg] = int(owed > 0)
                waiting.update(holders[peg])
    if None not in values:
        yield tuple(values)
        return
    peg = values.index(None)
    for value in range(2):
        values[peg] = value
        yield from _search(equations, holders, values, holders[peg])


def black_twin(board: Board) -> Board:
    """The same rows, scored with black only."""
    old = board.game
    game = Game(old.pegs, old.colors, old.space, SCORINGS["black"])
    return Board(game, tuple((row.guess, row.score[:1]) for row in board.rows))


def all_codes(game: Game) -> Iterator[Code]:
    """Every sequence of the game's colors."""
    return product(range(game.colors), repeat=game.pegs)


def is_consistent_play(board: Board) -> bool:
    """Whether every guess is consistent with all rows before it."""
    return all(
        board.game.scoring.agrees(row.guess, *before)
        for turn, row in enumerate(board.rows)
        for before in board.rows[:turn]
    )
