"""What every guess is answered by every code, and which pegs and colors are alike."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from mmsat.errors import InternalError, SizeError
from mmsat.strategy.kernel import form_of, padded, score_of, table_of
from mmsat.strategy.listing import all_codes
from mmsat.strategy.tree import Node

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from mmsat import _core
    from mmsat.game.game import Game
    from mmsat.game.row import Code, Score

    _Answers = tuple[NDArray[Any], int, NDArray[Any], NDArray[Any], int, bool, bool, bool]

MOST_CODES = 1 << 15
"""Codes of a game that is searched; their answers take a byte a pair."""
MOST_PEGS, MOST_COLORS = 16, 255
"""Pegs and colors of a game that is searched."""
MOST_ANSWERS = 64
"""Scores of a game that is searched."""
PROBES = 64
"""Guesses on which it is tested that pegs and colors are alike."""


class Alike(NamedTuple):
    """What may be exchanged without a change of the game."""

    pegs: bool
    """The order of pegs, in all codes alike."""
    colors: bool
    """The names of colors."""
    same_answers: bool
    """Whether an exchange of pegs leaves every answer what it is, and does not exchange answers."""


@dataclass(frozen=True, eq=False)
class AnswerTable:
    """The answers of a game, numbered; the last one wins."""

    game: Game
    codes: NDArray[Any]
    """All codes in order; they are the guesses, too."""
    by_code: NDArray[Any]
    """[code, guess]: the number of the answer, a byte; rows padded to a multiple of 64."""
    by_guess: NDArray[Any]
    """The same, as [guess, code]."""
    scores: tuple[Score, ...]
    """By number."""
    alike: Alike

    @cached_property
    def guesses(self) -> tuple[Code, ...]:
        """The codes as tuples."""
        return tuple(map(tuple, self.codes.tolist()))

    @cached_property
    def numbers(self) -> dict[Code, int]:
        """The number of each code."""
        return {code: number for number, code in enumerate(self.guesses)}

    @cached_property
    def tells_all(self) -> bool:
        """Whether only the code itself gets the score that wins."""
        size = len(self.codes)
        return int((self.by_guess[:, :size] == len(self.scores) - 1).sum()) == size

    def merged(self) -> tuple[AnswerTable, list[int]]:
        """The first of all codes that get the same scores, and how many each stands for."""
        import numpy as np  # noqa: PLC0415

        size = len(self.codes)
        same: dict[bytes, list[int]] = {}
        for number, row in enumerate(self.by_code[:, :size]):
            same.setdefault(row.tobytes(), []).append(number)
        firsts = [numbers[0] for numbers in same.values()]
        padding = (0, padded(len(firsts)) - len(firsts))
        merged = AnswerTable(
            self.game,
            self.codes[firsts],
            np.pad(self.by_code[np.ix_(firsts, firsts)], ((0, 0), padding)),
            np.pad(self.by_guess[np.ix_(firsts, firsts)], ((0, 0), padding)),
            self.scores,
            Alike(pegs=False, colors=False, same_answers=False),
        )
        return merged, [*map(len, same.values())]

    def kernel(self, **options: Any) -> _core.Optimal:
        """A search over these answers."""
        from mmsat import _core  # noqa: PLC0415  (loads when needed)

        return _core.Optimal(*self._answers, **options)

    def response(
        self,
        kinds: Sequence[int],
        weights: Sequence[int],
        pause: Callable[[], None] | None = None,
    ) -> _core.Response:
        """A search over these answers where codes of a kind, by number, have its weight."""
        from mmsat import _core  # noqa: PLC0415  (loads when needed)

        return _core.Response(*self._answers, kinds, weights, pause)

    @property
    def _answers(self) -> _Answers:
        """What the searches of the kernel read."""
        many = len(self.scores)
        return self.codes, self.game.colors, self.by_code, self.by_guess, many, *self.alike

    def grown(self, guesses: Sequence[int], possible: Sequence[int] = ()) -> Node:
        """The tree of guesses that stand from the root down, classes in order of their answers.

        `possible` are the codes that are left at the root; all of them where there are none.
        """
        win = len(self.scores) - 1
        following = iter(guesses)

        def grow(left: Sequence[int]) -> Node:
            guess = next(following)
            classes: dict[int, list[int]] = {}
            answers = self.by_guess[guess][left].tolist()
            for code, answer in zip(left, answers, strict=True):
                classes.setdefault(answer, []).append(code)
            node = Node(self.guesses[guess], len(classes.pop(win, ())))
            for answer in sorted(classes):
                node.branches[self.scores[answer]] = grow(classes[answer])
            return node

        return grow(possible or [*range(len(self.codes))])

    @classmethod
    def of(cls, game: Game) -> AnswerTable:
        """Score all pairs; raises SizeError for a game beyond the limits above."""
        if game.size > MOST_CODES:
            raise SizeError(
                f"optimal play is searched in games of up to {MOST_CODES:,} codes, and {game} has "
                f"{game.size:,}; mmsat analyze has strategies for larger ones"
            )
        if game.pegs > MOST_PEGS or game.colors > MOST_COLORS:
            raise SizeError(
                f"optimal play is searched in games of up to {MOST_PEGS} pegs and {MOST_COLORS} "
                f"colors, and {game} has {game.pegs} and {game.colors}"
            )
        codes = all_codes(game)
        by_code, by_guess, scores = _scored(game, codes)
        if len(scores) > MOST_ANSWERS:
            raise SizeError(
                f"optimal play is searched in games of up to {MOST_ANSWERS} scores, and {game} has "
                f"{len(scores)}; mmsat analyze has strategies for it"
            )
        return cls(game, codes, by_code, by_guess, scores, _alike(game, codes, by_code))


def _scored(
    game: Game, codes: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any], tuple[Score, ...]]:
    """The tables and the scores: those that occur, in order, the win last."""
    import numpy as np  # noqa: PLC0415  (loads when needed)

    form = form_of(game)
    first = tuple(codes[0].tolist())
    win = game.score(first, first)
    if form is None:
        table, numbers = table_of(game, codes)
        scores = sorted(numbers, key=lambda score: (score == win, score))
        if len(scores) > MOST_ANSWERS:
            return table, table, tuple(scores)
        renumbered = np.zeros(len(scores), dtype=np.uint8)
        for number, score in enumerate(scores):
            renumbered[numbers[score]] = number
        by_code = renumbered[table]
        by_guess = np.zeros_like(by_code)
        by_guess[:, : len(codes)] = by_code[:, : len(codes)].T
        return by_code, by_guess, tuple(scores)
    from mmsat import _core  # noqa: PLC0415

    answers = sorted(form.answers, key=lambda answer: (answer == form.win, score_of(game, answer)))
    numbering = np.zeros(max(answers) + 1, dtype=np.uint8)
    numbering[answers] = np.arange(len(answers), dtype=np.uint8)
    table = np.zeros((len(codes), padded(len(codes))), dtype=np.uint8)
    scored = _core.Scored(form, codes)
    out = np.zeros(len(codes), dtype=np.uint16)
    occurs = np.zeros(len(answers), dtype=bool)
    for index, guess in enumerate(codes):
        scored.score(guess, out)
        table[index, : len(codes)] = numbering[out]
        occurs[table[index, : len(codes)]] = True
    if not occurs.all():
        table = (np.cumsum(occurs) - 1).astype(np.uint8)[table]
        table[:, len(codes) :] = 0
    kept = np.flatnonzero(occurs).tolist()
    return table, table, tuple(score_of(game, answers[number]) for number in kept)


def _alike(game: Game, codes: NDArray[Any], table: NDArray[Any]) -> Alike:
    """Test, on some guesses, what exchanging neighbors changes; a list of words has nothing alike.

    That colors are alike is the word of the kind of scoring, and only tested.
    """
    if game.space.table() is not None:
        return Alike(pegs=False, colors=False, same_answers=False)
    pegs = [
        _effect(codes, table, game.colors, codes[:, _swapped(game.pegs, *pair)])
        for pair in pairwise(range(game.pegs))
    ]
    if game.scoring.are_colors_alike:
        import numpy as np  # noqa: PLC0415

        for pair in pairwise(range(game.colors)):
            renamed = np.array(_swapped(game.colors, *pair), dtype=codes.dtype)[codes]
            if _effect(codes, table, game.colors, renamed) != "none":
                raise InternalError(f"colors are not alike in {game}, but should be")
    return Alike(
        pegs=all(effect != "other" for effect in pegs),
        colors=game.scoring.are_colors_alike,
        same_answers=all(effect == "none" for effect in pegs),
    )


def _swapped(many: int, one: int, other: int) -> list[int]:
    order = list(range(many))
    order[one], order[other] = other, one
    return order


def _effect(codes: NDArray[Any], table: NDArray[Any], colors: int, moved: NDArray[Any]) -> str:
    """What an exchange does to the answers: "none", "renamed", or "other"."""
    import numpy as np  # noqa: PLC0415

    weights = colors ** np.arange(codes.shape[1] - 1, -1, -1, dtype=np.int64)
    values = codes.astype(np.int64) @ weights  # ascending, as the codes are
    places = np.minimum(np.searchsorted(values, moved.astype(np.int64) @ weights), len(codes) - 1)
    if (codes[places] != moved).any():
        return "other"
    probes = np.arange(0, len(codes), max(1, len(codes) // PROBES))
    before = table[probes, : len(codes)]
    after = table[places[probes]][:, places]
    if (before == after).all():
        return "none"
    pairs = np.unique(before.astype(np.int64) * 256 + after)
    one_to_one = len(pairs) == len(np.unique(pairs // 256)) == len(np.unique(pairs % 256))
    return "renamed" if one_to_one else "other"
