"""The consistent codes of a board as a lazy, immutable sequence in lexicographic order."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import index
from typing import Annotated, Any, NotRequired, overload

from mmsat._util.arguments import check_arguments, check_constructor
from mmsat._util.results import BoardLine, CodeText, ColorList, Schema
from mmsat._util.text import quantity, whole_range
from mmsat.counting.count import MEMORY, count
from mmsat.counting.listing import Odds, WeighedCodes, list_codes, verify_listed_code, weigh_codes
from mmsat.counting.ranking import Ranking
from mmsat.errors import InputError, describe_found
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.tolerance import STRICT, Tolerance, ToleranceJson
from mmsat.game.weights import Weights
from mmsat.solving.deadline import Deadline, run_within


class ListJson(ToleranceJson):
    """A list of consistent codes."""

    board: BoardLine
    listed: Annotated[list[ColorList], Schema(uniqueItems=True)]
    """The codes in lexicographic order; with --sample, in the order in which they were drawn."""
    listed_text: NotRequired[list[CodeText]]
    """The same codes as texts, in games of words or with custom symbols."""
    complete: bool
    """Whether these are known to be all codes."""


@check_constructor
@dataclass(frozen=True)
class Codes:
    """The consistent codes of a board, as tuples of colors from 0, computed on first use.

    Codes support `in`, iteration, `reversed`, indexing and slices like a sequence. They are not a
    `collections.abc.Sequence`, because `count` is the number of codes, an int of any size. `len()`
    works up to `sys.maxsize`.

    Notes
    -----
    Codes by rank, odds and samples need a ranking: a list, or a decision diagram within `memory`.
    If there are too many codes for both, they raise SizeError. Iteration needs no ranking.

    Examples
    --------
    >>> codes = mmsat.codes("4x6/1122=1.1/3345=0.2")
    >>> list(codes[:2])
    [(0, 1, 2, 2), (0, 1, 2, 3)]
    """

    board: Board
    """The board of the codes."""
    memory: int = MEMORY
    """The memory limit of the ranking in bytes."""
    tolerance: Tolerance = STRICT
    """The number of scores, or of their key pegs, that may be wrong."""
    weights: Weights | None = None
    """The weights of the codes for `odds` and `weight`; None if all are equally likely."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "board", Board.of(self.board))

    @cached_property
    def count(self) -> int:
        """The number of codes: an exact int of any size. Use `mmsat.count` to set a time limit."""
        if "ranking" in self.__dict__:  # it was computed before
            return self.ranking.count
        lies, by = self.tolerance.lies, self.tolerance.by
        return count(self.board, memory=self.memory, lies=lies, by=by).count

    @cached_property
    def ranking(self) -> Ranking:
        """The ranking of the codes, in lexicographic order from 0."""
        from mmsat.counting.diagrams import select_ranking

        return select_ranking(self.board, self.memory, self.tolerance)

    def __len__(self) -> int:
        return self.count

    @overload
    def __getitem__(self, rank: int) -> Code: ...
    @overload
    def __getitem__(self, rank: slice) -> Slice: ...
    def __getitem__(self, rank: int | slice) -> Code | Slice:
        """Return the code at a rank, which may be negative, or a lazy slice."""
        total = self.ranking.count
        if isinstance(rank, slice):
            return Slice(self, range(*rank.indices(total)))
        signed_rank = index(rank)
        if not -total <= signed_rank < total:
            raise IndexError(f"index {signed_rank:,} is out of range for {quantity(total, 'code')}")
        return self.ranking.unrank(signed_rank % total)

    def index(self, code: Sequence[int] | str) -> int:
        """Return the rank of a code, from 0.

        Parameters
        ----------
        code : sequence of int or str
            One color from 0 for each peg, or text such as "1122".

        Returns
        -------
        int
            The rank in lexicographic order.

        Raises
        ------
        ValueError
            If the code is not consistent.
        InputError
            If `code` is not a code; this is a ValueError, too.
        SizeError
            If there are too many codes for a ranking.
        """
        colors = self.board.game.read_code(code, conventions=self.board.conventions)
        if colors not in self:
            raise ValueError(f"{describe_found(code)} is not among the codes")
        return self.ranking.rank(colors)

    def __iter__(self) -> Iterator[Code]:
        return list_codes(self.board, Deadline(), tolerance=self.tolerance)

    def __reversed__(self) -> Iterator[Code]:
        return (self.ranking.unrank(rank) for rank in reversed(range(self.ranking.count)))

    def __contains__(self, code: Sequence[int] | str) -> bool:
        """Return whether a code, as text or as colors from 0, is one of these.

        Raises InputError for objects that are not codes.
        """
        return self.tolerance.allows(self.board, code)

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    @check_arguments
    def sample(self, number: int, *, seed: int | None = None) -> list[Code]:
        """Return different codes in random order. Every selection is equally likely.

        Parameters
        ----------
        number : int
            Number of codes. If there are fewer, all of them are returned.
        seed : int, optional
            Seed of the random choices. By default, each sample is different.

        Returns
        -------
        list of tuple of int
            The codes, with colors from 0.

        Raises
        ------
        InputError
            If an argument is invalid.
        SizeError
            If there are too many codes for a ranking.
        """
        total = self.ranking.count
        ranks = draw_ranks(total, min(number, total), random.Random(seed))
        return [self.ranking.draw(rank) for rank in ranks]

    @cached_property
    def _weighed(self) -> WeighedCodes:
        """The codes with their weights; raises SizeError if there are too many codes to list."""
        weights = self.weights or Weights.of_colors(self.board.game, [1] * self.board.game.colors)
        return weigh_codes(self.board, weights, self.tolerance)

    @property
    def weight(self) -> Fraction:
        """The total weight of the codes. Without weights, each code has weight 1."""
        return Fraction(self.count) if self.weights is None else self._weighed.weight

    @check_arguments
    def odds(self, *, timeout: float | None = None) -> Odds:
        """Return the exact probability of every color at every peg.

        Parameters
        ----------
        timeout : float, optional
            Time limit in seconds. By default, there is no limit.

        Returns
        -------
        Odds
            The probabilities, as fractions.

        Raises
        ------
        InputError
            If the time limit is invalid.
        SizeError
            If there are too many codes for a ranking.
        TimeLimitError
            If they are not computed within `timeout`.
        """
        return run_within(timeout, self._odds, task_name="the odds")

    def _odds(self) -> Odds:
        """Return for each peg and color how many codes, or how much of their weight, have it."""
        if self.weights is not None:
            return self._weighed.odds(self.board)
        table = self.ranking.color_counts()
        return Odds(self.board.game, self.ranking.count, tuple(map(tuple, table)))

    def forced(self) -> tuple[int | None, ...]:
        """Return for each peg the color that all codes have there, or None if they differ."""
        return self.odds().forced()

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield one record per code, for pandas.DataFrame and polars: the code and its pegs.

        Codes are yielded as they are found, because there may be very many.

        Yields
        ------
        dict
            The keys `code`, "peg 1", "peg 2" and so on. Colors count from 1.
        """
        for code in self:
            pegs = {f"peg {peg}": color + 1 for peg, color in enumerate(code, 1)}
            yield {"code": self.format(code), **pegs}

    def format(self, code: Sequence[int] | str) -> str:
        """Return a code as text of the game.

        Parameters
        ----------
        code : sequence of int or str
            One color from 0 for each peg, or text such as "1122".

        Returns
        -------
        str
            The text, as in a board line.

        Raises
        ------
        InputError
            If `code` does not have one color of the game for each peg.
        """
        return self.board.game.format_code(code)

    def __repr__(self) -> str:
        lies, by = self.tolerance.lies, self.tolerance.by
        lies_argument = f", lies={lies}, by={by!r}" if lies else ""
        return f"mmsat.codes({self.board!r}{lies_argument})"


@dataclass(frozen=True, repr=False)
class Slice:
    """A lazy slice of Codes: length, indexing, slicing, iteration, `in` and `index`."""

    codes: Codes
    ranks: range
    """The ranks, in `codes`, of the codes of the slice, in its order."""

    @property
    def count(self) -> int:
        """The number of codes: an int of any size."""
        # `len(self.ranks)` raises OverflowError beyond sys.maxsize, but `index` does not.
        return self.ranks.index(self.ranks[-1]) + 1 if self.ranks else 0

    def __len__(self) -> int:
        return len(self.ranks)

    def __bool__(self) -> bool:
        return bool(self.ranks)

    @overload
    def __getitem__(self, position: int) -> Code: ...
    @overload
    def __getitem__(self, position: slice) -> Slice: ...
    def __getitem__(self, position: int | slice) -> Code | Slice:
        """Return the code at an index of the slice, or a slice of the slice."""
        if isinstance(position, slice):
            return Slice(self.codes, self.ranks[position])
        return self.codes.ranking.unrank(self.ranks[position])

    def __iter__(self) -> Iterator[Code]:
        ranking, ranks = self.codes.ranking, self.ranks
        if ranks and ranks.step == 1:
            # Zipping with the ranks limits the length. islice() fails beyond sys.maxsize.
            in_order = zip(ranks, ranking.codes(ranks.start), strict=False)
            yield from (code for _, code in in_order)
        else:
            yield from map(ranking.unrank, ranks)

    def __reversed__(self) -> Iterator[Code]:
        return map(self.codes.ranking.unrank, reversed(self.ranks))

    def __contains__(self, code: Sequence[int] | str) -> bool:
        """Return whether a code, as text or as colors from 0, is one of these."""
        board = self.codes.board
        colors = board.game.read_code(code, conventions=board.conventions)
        return colors in self.codes and self.codes.ranking.rank(colors) in self.ranks

    def index(self, code: Sequence[int] | str) -> int:
        """Return the index of a code in the slice. Raises like `Codes.index`."""
        rank = self.codes.index(code)
        if rank not in self.ranks:
            raise ValueError(f"{describe_found(code)} is not among the codes")
        return self.ranks.index(rank)

    def __repr__(self) -> str:
        start, stop, step = self.ranks.start, self.ranks.stop, self.ranks.step
        return f"{self.codes!r}[{start}:{stop}:{step}]"


def codes_from(codes: Codes, start: int) -> Iterator[Code]:
    """Yield the codes in order from the rank `start`, each scored again.

    Raises InputError if there are codes, but at most `start`. The message counts codes from 1.
    """
    total = codes.ranking.count
    if start >= total > 0:
        raise InputError.of("the first code", whole_range(1, total), start + 1)
    for code in codes[start:]:
        yield verify_listed_code(codes.board, code, codes.tolerance)


def draw_codes(codes: Codes, num_codes: int, seed: int | None) -> Iterator[Code]:
    """Yield `num_codes` different codes at random, or all if there are fewer, each scored again."""
    for code in codes.sample(num_codes, seed=seed):
        yield verify_listed_code(codes.board, code, codes.tolerance)


def draw_ranks(total: int, num_ranks: int, rng: random.Random) -> list[int]:
    """Return `num_ranks` different ranks below `total`, in random order."""
    if total <= 4 * num_ranks:
        return rng.sample(range(total), num_ranks)
    # sample() fails for ranges beyond sys.maxsize. At most a quarter of the ranks is drawn here, so
    # few draws are repetitions.
    drawn: dict[int, None] = {}
    while len(drawn) < num_ranks:
        drawn[rng.randrange(total)] = None
    return list(drawn)


@check_arguments
def codes(
    board: Board | str,
    *,
    lies: int = 0,
    by: str = "rows",
    memory: int = MEMORY,
    weights: Weights | None = None,
) -> Codes:
    """Make the lazy sequence of the consistent codes, in lexicographic order.

    Parameters
    ----------
    board : Board or str
        The game and its scored rows, or text that `Board.parse` reads, such as "4x6/1122=1.1".
    lies : int, default 0
        Maximum number of wrong scores.
    by : {"rows", "pegs"}, default "rows"
        Unit of `lies`: wrong rows, or key pegs that are wrong, summed over all rows.
    memory : int, default 4 GiB
        Memory limit in bytes of the decision diagram for ranks, samples and odds.
    weights : Weights, optional
        Relative probabilities of the codes, for odds and the total weight. By default, all codes
        are equally likely.

    Returns
    -------
    Codes
        The codes. Nothing is computed before the first use.

    Raises
    ------
    InputError
        If the board or another argument is invalid. Operations on the codes can raise SizeError
        later.

    Examples
    --------
    >>> codes = mmsat.codes("4x6/1122=1.1/3345=0.2")
    >>> len(codes), codes[0], codes[-1]
    (36, (0, 1, 2, 2), (4, 3, 1, 0))
    >>> "1233" in codes, codes.index("1233")
    (True, 0)
    """
    return Codes(Board.of(board), memory, Tolerance(lies, by), weights)
