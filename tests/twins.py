"""Plain second definitions, written without a look at the first, to hold the fast code against.

Nothing here is clever: scores are found by crossing pegs out, codes by writing them all down.
"""

from __future__ import annotations

from itertools import combinations, permutations, product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mmsat.constraints.system import System
    from mmsat.game.board import Board
    from mmsat.game.facts import Claim, Facts
    from mmsat.game.game import Game

Code = tuple[int, ...]
Score = tuple[int | None, ...]


def cross_out(code: Sequence[int], guess: Sequence[int]) -> tuple[int, int]:
    """Black and white, with the pegs on the table: pairs are taken away until none is left."""
    black = white = 0
    hidden, asked = [], []
    for secret, peg in zip(code, guess, strict=True):
        if secret == peg:
            black += 1
        else:
            hidden.append(secret)
            asked.append(peg)
    for peg in asked:
        if peg in hidden:
            hidden.remove(peg)
            white += 1
    return black, white


def best_arrangement(code: Sequence[int], guess: Sequence[int]) -> int:
    """Black + white: the most blacks that the code's pegs could get in any order."""
    return max(
        sum(secret == peg for secret, peg in zip(order, guess, strict=True))
        for order in permutations(code)
    )


def score(kind: str, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
    """The score by the name of the kind of scoring."""
    black, white = cross_out(code, guess)
    return {"black-white": (black, white), "black": (black,), "color": (black + white,)}[kind]


def codes(game: Game) -> Iterator[Code]:
    """Every code of a game, in lexicographic order."""
    if game.space.name == "distinct":
        return permutations(range(game.colors), game.pegs)
    return product(range(game.colors), repeat=game.pegs)


def agrees(kind: str, code: Code, guess: Code, read: Score) -> bool:
    """Whether the parts of a score that were read are those of the code."""
    true = score(kind, code, guess)
    for part, number in enumerate(read):
        if number is not None and number != true[part]:
            return False
    return True


def consistent(board: Board) -> list[Code]:
    """The consistent codes, in lexicographic order, from a list of all codes."""
    left = list(codes(board.game))
    for guess, read in board.rows:
        left = [code for code in left if agrees(board.game.scoring.name, code, guess, read)]
    return left


def wrong_rows(board: Board, code: Code) -> list[int]:
    """The rows, from 0, whose scores the code does not get."""
    kind = board.game.scoring.name
    return [n for n, (guess, read) in enumerate(board.rows) if not agrees(kind, code, guess, read)]


def least_wrong(board: Board) -> int:
    """The fewest rows that must be changed to make a board consistent."""
    return min(len(wrong_rows(board, code)) for code in codes(board.game))


def holds(facts: Facts, fact: int, code: Code) -> bool:
    """Whether a fact or a denied one is true, read off a table of all of them."""
    table = [color == secret for secret in code for color in range(facts.colors)]
    for color in range(facts.colors):
        pegs = sum(secret == color for secret in code)
        table += [pegs >= count for count in range(1, facts.pegs + 1)]
    return table[fact - 1] if fact > 0 else not table[-fact - 1]


def satisfies(facts: Facts, claims: Iterable[Claim], code: Code) -> bool:
    """Whether all claims are true of a code."""
    return all(
        low <= len([fact for fact in numbers if holds(facts, fact, code)]) <= high
        for numbers, low, high in claims
    )


def solutions(system: System, slack: int = 0) -> list[tuple[Code, int]]:
    """The codes that break no claim of the ground and few rows, and how many, in order."""
    found = []
    for code in product(range(system.facts.colors), repeat=system.facts.pegs):
        if satisfies(system.facts, system.ground, code):
            broken = sum(not satisfies(system.facts, row, code) for row in system.rows)
            if broken <= slack:
                found.append((code, broken))
    return found


def minimal_conflicts(board: Board) -> set[tuple[int, ...]]:
    """Every set of rows, from 0, that no code satisfies while one satisfies each smaller set."""
    everything = range(len(board.rows))
    right = [set(everything) - set(wrong_rows(board, code)) for code in codes(board.game)]
    found: set[tuple[int, ...]] = set()
    for size in range(len(board.rows) + 1):
        for rows in combinations(everything, size):
            smaller = any(set(conflict) <= set(rows) for conflict in found)
            if not smaller and not any(set(rows) <= each for each in right):
                found.add(rows)
    return found


def cheapest_repairs(board: Board) -> dict[tuple[tuple[int, Score], ...], int]:
    """(row, true score) of the rows that a nearest code breaks -> how many codes say so."""
    kind = board.game.scoring.name
    least = least_wrong(board)
    found: dict[tuple[tuple[int, Score], ...], int] = {}
    for code in codes(board.game):
        rows = wrong_rows(board, code)
        if len(rows) == least:
            repair = []
            for row in rows:
                guess, read = board.rows[row]
                true = score(kind, code, guess)
                repair.append(
                    (row, tuple(None if read[n] is None else true[n] for n in range(len(true))))
                )
            found[tuple(repair)] = found.get(tuple(repair), 0) + 1
    return found
