"""Consistent codes for boards of any size, and first guesses; the same seed gives the same code.

A guess with few unexplored colors gives information about few colors, and rows that share few
colors hardly constrain each other. Until all colors have been guessed, a code is therefore found in
a moment, and the remaining problem is as hard as that of a much smaller game. Guesses with many
colors give as much information, but all about the same colors and pegs. Measured: games of 30 pegs
and 30 colors are played in seconds rather than in minutes, and games of 20 pegs and 6 colors with
one guess less.
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

ANNEALING_ONLY_STEPS = 8
"""Number of annealing steps before solvers take part, each with twice the budget of the step
before: a second in total. Near the end of a game of 24 or 30 pegs, solvers would take longer than
the walk."""
MAX_NEW_COLORS = 3
"""Maximum number of unexplored colors in a guess; each fills a stretch of adjacent pegs."""
EXPLORATION_STEPS = 2
"""Number of annealing steps for such a guess, hundredths of a second in total. The number is small
because such a code need not exist."""


def balanced_codes(game: Game) -> Iterator[Code]:
    """Iterate over the codes AA..BB..CC.. of 1, 2, ... colors, with equally many pegs per color.

    The numbers of pegs may differ by one. Only codes of the game are returned: if colors cannot
    repeat, only one is; in a list of words, perhaps none.
    """
    for colors in range(1, min(game.pegs, game.colors) + 1):
        guess = tuple(peg * colors // game.pegs for peg in range(game.pegs))
        if game.contains(guess):
            yield guess


def paired_code(game: Game) -> Code | None:
    """Return the balanced code with two pegs per color, or with the nearest number of colors."""
    target_colors = (game.pegs + 1) // 2
    return min(
        balanced_codes(game), key=lambda code: abs(max(code) + 1 - target_colors), default=None
    )


def find_code(board: Board, seed: int | None = None) -> Code | None:
    """Return a consistent code, or None if the board is inconsistent.

    Uses annealing that starts at the last guess; after a while, SAT and CP-SAT take turns with it.
    Budgets are measured in work, and there is no time limit.
    """
    system = System.of(board)
    start = board.rows[-1].guess if board.rows else None
    solvers: list[Callable[[], Work]] = [lambda: SatWork(system), lambda: CpWork(system, seed)]
    try:
        walk = AnnealWork(system, seed, start)
        if any(map(walk.step, islice(growing_budgets(), ANNEALING_ONLY_STEPS))):
            return verify_witness(board, walk.code, walk.name).code
        winner = finish(Portfolio(lambda: Scaled(walk, scale_budget), *solvers))
    except SizeError:
        winner = finish(Portfolio(*solvers))
    return verify_witness(board, winner.code, winner.name).code


def scale_budget(budget: int) -> int:
    """Return the budget of a walk whose first ANNEALING_ONLY_STEPS steps are over."""
    return budget << ANNEALING_ONLY_STEPS


def explore_colors(board: Board, seed: int | None = None) -> Code | None:
    """Return a consistent code of previously guessed colors and at most three others.

    The unexplored colors are the lowest ones, in this order: AAA..BBB..CCC.., with previously
    guessed colors in between. Returns None if no such code was found in the budget, if
    AAA..BBB..CCC.. is not a code of the game, or if all colors have been guessed.
    """
    game, variables = board.game, board.game.variables
    used = {color for guess, _ in board.rows for color in guess}
    unexplored = [color for color in range(game.colors) if color not in used][:MAX_NEW_COLORS]
    if not unexplored:
        return None
    stretches = tuple(unexplored[peg * len(unexplored) // game.pegs] for peg in range(game.pegs))
    if not game.contains(stretches):
        return None
    if not board.rows:
        return stretches
    # An unexplored color may only be in its own stretch; the other ones are not used at all.
    forbidden = tuple(
        variables.at(peg, color)
        for peg, stretch_color in enumerate(stretches)
        for color in range(game.colors)
        if color not in used and color != stretch_color
    )
    system = System.of(board)
    restricted = replace(system, hard=(*system.hard, CardinalityConstraint(forbidden, 0, 0)))
    try:
        walk = AnnealWork(restricted, seed, stretches)
    except SizeError:
        return None
    if any(map(walk.step, islice(growing_budgets(), EXPLORATION_STEPS))):
        return verify_witness(board, walk.code, walk.name).code
    return None
