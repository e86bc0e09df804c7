"""Random boards of two colors, as boards of the permutation game."""

from __future__ import annotations

from mmsat.generators.families.random_two_color import RandomTwoColor
from mmsat.generators.reduced import FromBoards


class PermutationGame(FromBoards):
    """Twice as many pegs, as many colors as pegs, none twice."""

    name = "permutation-game"
    summary = "random boards of two colors, as permutations"
    size = 20
    smallest = 2
    inner = RandomTwoColor()
