"""Weighing: few colors, two at a time, by guesses that do not depend on each other.

Of two colors one is guessed on some of the pegs that are open and the other one on the rest of
them. The score tells by how much the former pegs have more of the first color than of the second,
once the second has been guessed on all; and a peg counts 1, -1, or 0 where it has neither. So the
pegs are coins of three weights, or two for the last two colors, and a detecting matrix tells them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.errors import InputError
from mmsat.strategy.detecting import counted_matrix, solve_counted
from mmsat.strategy.planned import ContradictionError, Plan, Planned

if TYPE_CHECKING:
    import random

    from mmsat.game.game import Game

FEW = 16
"""Colors beyond which halves are the better way, whatever the pegs."""


class Weighing(Planned):
    """Two colors: for t 2^(t-1) pegs 2^t + 1 guesses, so about 2 n / log2 n for n pegs.

    No strategy that guesses without looking at scores takes fewer by more than a vanishing part
    (Erdos and Renyi 1963). For k colors, (2 + o(1)) n (1 + 2 log2 k) / log2 (n / k) random guesses
    tell any code (Chvatal 1983), which nobody knows how to solve for it. What is changed: the
    guesses are Lindstroem's (1964), two colors at a time. So they grow with k rather than log k,
    and stay within Chvatal's bound up to 16 colors and 1,000 pegs.
    """

    name = "weighing"
    summary = (
        "two colors at a time, each peg a coin that is weighed; black pegs, few colors, any size"
    )
    source = "Erdos and Renyi 1963; Lindstroem 1964; Chvatal 1983"

    def plan(self, game: Game, source: random.Random) -> Plan:
        """Weigh colors by twos until each peg has one."""
        open_pegs, colors = [*range(game.pegs)], [*range(game.colors)]
        source.shuffle(open_pegs)
        source.shuffle(colors)
        code = [0] * game.pegs
        while open_pegs and len(colors) > 1:
            heavy, light = colors.pop(), colors.pop()
            answers = 3 if colors else 2
            for peg in open_pegs:
                code[peg] = light
            known = game.pegs - len(open_pegs)
            lights = (yield tuple(code)) - known
            matrix = counted_matrix(len(open_pegs), answers)
            sums = []
            for row in range(1, matrix[-1].group + 1):
                guess, chosen = [*code], 0
                for peg, (group, cells) in zip(open_pegs, matrix, strict=True):
                    if row & group in cells:
                        guess[peg] = heavy
                        chosen += 1
                sums.append((yield tuple(guess)) - known - lights + chosen)
            if not colors:
                if any(weight % 2 for weight in sums):
                    raise ContradictionError
                sums = [weight // 2 for weight in sums]
            weights = solve_counted(matrix, answers, sums)
            if not set(weights) <= set(range(answers)):
                raise ContradictionError
            neither = []
            for peg, weight in zip(open_pegs, weights, strict=True):
                if weight == answers - 1:
                    code[peg] = heavy
                elif weight:
                    neither.append(peg)
            open_pegs = neither
        for peg in open_pegs:
            (code[peg],) = colors
        return tuple(code)

    def check(self, game: Game) -> None:
        """Raise InputError for more than 16 colors, too."""
        super().check(game)
        if game.colors > FEW:
            rule = f"{self.name} is for few colors"
            write = f"up to {FEW} colors, or parallel-halving"
            raise InputError.of("the strategy", write, str(game), rule)
