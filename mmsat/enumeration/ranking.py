"""Rankings number the consistent codes of a board: from 0, in lexicographic order."""

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from mmsat.game.game import Game
from mmsat.game.row import Code


class Ranking(ABC):
    """Access to codes by rank, from 0 in lexicographic order, without a list of them."""

    game: Game
    """The game of the codes."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.game}>"

    @property
    @abstractmethod
    def count(self) -> int:
        """The number of codes."""

    @abstractmethod
    def unrank(self, number: int) -> Code:
        """Return the code with a rank.

        Parameters
        ----------
        number : int
            The rank, from 0 and below `count`.

        Returns
        -------
        tuple of int
            The code, with colors from 0.
        """

    @abstractmethod
    def rank(self, code: Code) -> int:
        """Return the rank of a consistent code.

        Parameters
        ----------
        code : tuple of int
            The code, with colors from 0. It is not checked.

        Returns
        -------
        int
            The rank, from 0.
        """

    @abstractmethod
    def codes(self, start: int) -> Iterator[Code]:
        """Return an iterator over the codes in order.

        Parameters
        ----------
        start : int
            The rank of the first code, from 0.

        Returns
        -------
        iterator of tuple of int
            The codes, with colors from 0.
        """

    @abstractmethod
    def table(self) -> list[list[int]]:
        """Return for each peg and color the number of codes that have the color there."""

    def draw(self, number: int) -> Code:
        """Return a code for a number, a different one for each number.

        The order is not specified, so that this may be faster than `unrank` for random samples.

        Parameters
        ----------
        number : int
            A number from 0 and below `count`.

        Returns
        -------
        tuple of int
            The code, with colors from 0.
        """
        return self.unrank(number)


class ListRanking(Ranking):
    """A ranking of codes that are few enough to list."""

    def __init__(self, game: Game, codes: Sequence[Code]) -> None:
        """Store all codes, which are in order."""
        self.game = game
        self.all = tuple(codes)

    @property
    def count(self) -> int:
        """The length of the list."""
        return len(self.all)

    def unrank(self, number: int) -> Code:
        """Return the code with this rank."""
        return self.all[number]

    def rank(self, code: Code) -> int:
        """Return the rank of a code by binary search."""
        return bisect_left(self.all, code)

    def codes(self, start: int) -> Iterator[Code]:
        """Yield the codes from the rank `start` on."""
        return iter(self.all[start:])

    def table(self) -> list[list[int]]:
        """Count the colors of all codes."""
        table = [[0] * self.game.colors for _ in range(self.game.pegs)]
        for code in self.all:
            for peg, color in enumerate(code):
                table[peg][color] += 1
        return table
