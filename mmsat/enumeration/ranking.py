"""What numbers the consistent codes of a board: from 0, in lexicographic order."""

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from mmsat.game.game import Game
from mmsat.game.row import Code


class Ranking(ABC):
    """Codes by number, without a list of them."""

    game: Game

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.game}>"

    @property
    @abstractmethod
    def count(self) -> int:
        """How many there are."""

    @abstractmethod
    def unrank(self, number: int) -> Code:
        """The code of a number below the count."""

    @abstractmethod
    def rank(self, code: Code) -> int:
        """The number of a consistent code."""

    @abstractmethod
    def codes(self, start: int) -> Iterator[Code]:
        """The codes in order, from a number on."""

    @abstractmethod
    def table(self) -> list[list[int]]:
        """By peg and color, the codes that have this color there."""

    def draw(self, number: int) -> Code:
        """Some code, another for each number: as good as `code` where numbers are drawn."""
        return self.unrank(number)


class ListRanking(Ranking):
    """Codes that are few enough to be written down."""

    def __init__(self, game: Game, codes: Sequence[Code]) -> None:
        """All of them, in order."""
        self.game = game
        self.all = tuple(codes)

    @property
    def count(self) -> int:
        """The length of the list."""
        return len(self.all)

    def unrank(self, number: int) -> Code:
        """The entry."""
        return self.all[number]

    def rank(self, code: Code) -> int:
        """By halving."""
        return bisect_left(self.all, code)

    def codes(self, start: int) -> Iterator[Code]:
        """The rest of the list."""
        return iter(self.all[start:])

    def table(self) -> list[list[int]]:
        """Counted one by one."""
        table = [[0] * self.game.colors for _ in range(self.game.pegs)]
        for code in self.all:
            for peg, color in enumerate(code):
                table[peg][color] += 1
        return table
