"""Weighing: find the pegs of a few colors, two colors at a time, by independent guesses.

Of two colors, the first is guessed on some of the open pegs, and the second on the others. If the
second color has also been guessed on all open pegs, the score shows how many more of the former
pegs have the first color than the second: a peg counts 1, -1, or 0 if it has neither. So the pegs
are coins of three weights, or of two weights for the last two colors, and a detecting matrix
determines them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.errors import InputError
from mmsat.strategy.detecting import counted_matrix, solve_counted
from mmsat.strategy.planned import ContradictionError, Plan, Planned

if TYPE_CHECKING:
    import random

    from mmsat.game.game import Game

MAX_COLORS = 16
"""Maximum number of colors. Beyond it, halving is better for any number of pegs."""


class Weighing(Planned):
    """Two colors: for t 2^(t-1) pegs 2^t + 1 guesses, so about 2 n / log2 n for n pegs.

    No strategy that guesses without looking at scores needs fewer by more than a vanishing fraction
    (Erdos and Renyi 1963). For k colors, (2 + o(1)) n (1 + 2 log2 k) / log2 (n / k) random guesses
    determine any code (Chvatal 1983), but no efficient way to find the code from them is known. One
    thing differs here: the guesses are Lindstroem's (1964), for two colors at a time. So their
    number grows with k rather than log k, and stays within Chvatal's bound up to 16 colors and
    1,000 pegs.
    """

    name = "weighing"
    summary = (
        "two colors at a time, each peg a coin that is weighed; black pegs, few colors, any size"
    )
    source = "Erdos and Renyi 1963; Lindstroem 1964; Chvatal 1983"

    def plan(self, game: Game, source: random.Random) -> Plan:
        """Determine the pegs of two colors at a time until each peg has a color."""
        open_pegs, colors = [*range(game.pegs)], [*range(game.colors)]
        source.shuffle(open_pegs)
        source.shuffle(colors)
        code = [0] * game.pegs
        while open_pegs and len(colors) > 1:
            first, second = colors.pop(), colors.pop()
            answers = 3 if colors else 2
            for peg in open_pegs:
                code[peg] = second
            num_solved = game.pegs - len(open_pegs)
            num_second = (yield tuple(code)) - num_solved
            matrix = counted_matrix(len(open_pegs), answers)
            sums = []
            for row in range(1, matrix[-1].group + 1):
                guess, chosen = [*code], 0
                for peg, (group, cells) in zip(open_pegs, matrix, strict=True):
                    if row & group in cells:
                        guess[peg] = first
                        chosen += 1
                sums.append((yield tuple(guess)) - num_solved - num_second + chosen)
            if not colors:
                if any(weight % 2 for weight in sums):
                    raise ContradictionError
                sums = [weight // 2 for weight in sums]
            weights = solve_counted(matrix, answers, sums)
            if not set(weights) <= set(range(answers)):
                raise ContradictionError
            still_open = []
            for peg, weight in zip(open_pegs, weights, strict=True):
                if weight == answers - 1:
                    code[peg] = first
                elif weight:
                    still_open.append(peg)
            open_pegs = still_open
        for peg in open_pegs:
            (code[peg],) = colors
        return tuple(code)

    def check(self, game: Game) -> None:
        """Raise InputError as the base class does, and for more than 16 colors."""
        super().check(game)
        if game.colors > MAX_COLORS:
            write = f"a game of up to {MAX_COLORS} colors for {self.name}"
            rule = "parallel-halving supports more colors"
            raise InputError.of("the game", write, str(game), rule)
