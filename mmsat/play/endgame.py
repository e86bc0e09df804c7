"""The end of a game: of few codes, the one to guess that takes the fewest guesses in all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mmsat.play.kernel import packed_scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mmsat.answers import Code
    from mmsat.game.game import Game

Group = tuple[int, ...]
"""Codes by their numbers."""
WORK = 3_000_000
"""Scores looked up at most: some tenths of a second."""


class TooLongError(Exception):
    """The search takes more work than it may."""


class Endgame:
    """All that may come where only guesses are made that can be the code.

    Exact, by depth-first search over parts with their totals kept; a part of n codes takes at least
    2n - 1 guesses. Mostly below a tenth of a second for 150 codes.
    """

    def __init__(self, game: Game, codes: NDArray[Any]) -> None:
        """Score all codes against each other; shape (codes, pegs)."""
        self.codes: list[Code] = [tuple(code) for code in codes.tolist()]
        # Scores as whole numbers; only which ones are equal matters.
        self.scores = [packed_scores(game, codes, code)[1].tolist() for code in self.codes]
        self.totals: dict[Group, tuple[int, int]] = {}
        self.work = WORK

    def best(self) -> tuple[int, Code]:
        """The guesses over all codes, and the one to make; raises TooLongError."""
        total, guess = self.solved(tuple(range(len(self.codes))))
        return total, self.codes[guess]

    def solved(self, group: Group) -> tuple[int, int]:
        """The guesses over all codes of a group, and the number of the code to guess."""
        many = len(group)
        if many <= 2:
            return 2 * many - 1, group[0]
        known = self.totals.get(group)
        if known is None:
            known = self.totals[group] = self.searched(group)
        return known

    def searched(self, group: Group) -> tuple[int, int]:
        """The same, where it is not known yet."""
        many = len(group)
        self.work -= many * many
        if self.work < 0:
            raise TooLongError
        tried = []
        for guess in group:
            parts = self.parts(group, guess)
            least = many + sum(2 * len(part) - 1 for part in parts)
            tried.append((least, guess, parts))
        tried.sort()
        best = (many * many, group[0])  # one code a guess takes fewer
        for least, guess, parts in tried:
            if least >= best[0]:
                break
            total = least
            for part in parts:
                total += self.solved(part)[0] - (2 * len(part) - 1)
                if total >= best[0]:
                    break
            best = min(best, (total, guess))
        return best

    def parts(self, group: Group, guess: int) -> Sequence[Group]:
        """What is left after each score but the code's own."""
        scores = self.scores[guess]
        parts: dict[int, list[int]] = {}
        for code in group:
            if code != guess:
                parts.setdefault(scores[code], []).append(code)
        return sorted(map(tuple, parts.values()))
