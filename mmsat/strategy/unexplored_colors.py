"""Consistent codes with few unexplored colors: early guesses of large games.

Such guesses tell about few colors each, and rows that share few colors hardly constrain each other:
until all colors have been asked, a code is found in a moment, and what is open then is a problem as
hard as that of a much smaller game. Guesses of many colors tell as much, but all about the same
colors and pegs. Measured: 30 pegs and 30 colors are played in seconds rather than in minutes, and
20 pegs and 6 colors with a guess less.
"""

from dataclasses import replace
from itertools import islice

from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.errors import SizeError
from mmsat.game.literals import CardinalityConstraint
from mmsat.game.row import Code
from mmsat.solving.anneal import AnnealWork
from mmsat.solving.engine import verify_witness
from mmsat.solving.portfolio import growing_budgets

MOST_NEW = 3
"""Unexplored colors in a guess, each in a stretch of its own."""
STEPS = 2
"""Steps of annealing, hundredths of a second; there may be no such code."""


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
