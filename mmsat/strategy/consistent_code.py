"""Consistent codes of boards of any size, and first guesses; the same ones for the same seed.

Guesses of few unexplored colors tell about few colors each, and rows that share few colors hardly
constrain each other: until all colors have been asked, a code is found in a moment, and what is
open then is a problem as hard as that of a much smaller game. Guesses of many colors tell as much,
but all about the same colors and pegs. Measured: 30 pegs and 30 colors are played in seconds rather
than in minutes, and 20 pegs and 6 colors with a guess less.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.errors import SizeError
from mmsat.game.game import Game
from mmsat.game.literals import CardinalityConstraint
from mmsat.game.row import Code
from mmsat.solving.anneal import AnnealWork
from mmsat.solving.cp import CpWork
from mmsat.solving.engine import verify_witness
from mmsat.solving.portfolio import Portfolio, Scaled, Work, finish, growing_budgets
from mmsat.solving.sat import SatWork

ALONE = 8
"""Steps of annealing before solvers are asked, each twice as long: a second in all. Near the end of
a game of 24 or 30 pegs they would take longer than the walk."""
MOST_NEW = 3
"""Unexplored colors in a guess, each in a stretch of its own."""
STEPS = 2
"""Steps of annealing, hundredths of a second; there may be no such code."""


def balanced_codes(game: Game) -> Iterator[Code]:
    """The codes AA..BB..CC.. of 1, 2, ... colors, each on as many pegs as the others, or one more.

    Only those that are codes of the game: where no color repeats there is one, and among words
    there may be none.
    """
    for colors in range(1, min(game.pegs, game.colors) + 1):
        guess = tuple(peg * colors // game.pegs for peg in range(game.pegs))
        if game.contains(guess):
            yield guess


def paired_code(game: Game) -> Code | None:
    """The balanced code with two pegs a color, or with the nearest number of colors."""
    wanted = (game.pegs + 1) // 2
    return min(balanced_codes(game), key=lambda code: abs(max(code) + 1 - wanted), default=None)


def find_code(board: Board, seed: int | None = None) -> Code | None:
    """A consistent code, or None if there is none.

    Annealing, which starts at the last guess, then SAT and CP-SAT as well; budgets are counted in
    work, and there is no deadline.
    """
    system = System.of(board)
    start = board.rows[-1].guess if board.rows else None
    solvers: list[Callable[[], Work]] = [lambda: SatWork(system), lambda: CpWork(system, seed)]
    try:
        walk = AnnealWork(system, seed, start)
        if any(map(walk.step, islice(growing_budgets(), ALONE))):
            return verify_witness(board, walk.code, walk.name).code
        done = finish(Portfolio(lambda: Scaled(walk, later), *solvers))
    except SizeError:
        done = finish(Portfolio(*solvers))
    return verify_witness(board, done.code, done.name).code


def later(budget: int) -> int:
    """The budget of a walk whose first steps are over."""
    return budget << ALONE


def explore_colors(board: Board, seed: int | None = None) -> Code | None:
    """A consistent code of colors guessed before and at most three others; None if none was found.

    The unexplored colors are the lowest ones, in this order: AAA..BBB..CCC.., between colors known
    before. None where that would be no code of the game, or where all colors have been guessed.
    """
    game, variables = board.game, board.game.variables
    used = {color for guess, _ in board.rows for color in guess}
    unexplored = [color for color in range(game.colors) if color not in used][:MOST_NEW]
    if not unexplored:
        return None
    stretches = tuple(unexplored[peg * len(unexplored) // game.pegs] for peg in range(game.pegs))
    if not game.contains(stretches):
        return None
    if not board.rows:
        return stretches
    elsewhere = tuple(
        variables.at(peg, color)
        for peg, own in enumerate(stretches)
        for color in range(game.colors)
        if color not in used and color != own
    )
    system = System.of(board)
    narrower = replace(system, hard=(*system.hard, CardinalityConstraint(elsewhere, 0, 0)))
    try:
        walk = AnnealWork(narrower, seed, stretches)
    except SizeError:
        return None
    if any(map(walk.step, islice(growing_budgets(), STEPS))):
        return verify_witness(board, walk.code, walk.name).code
    return None
