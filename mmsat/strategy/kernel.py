"""The compiled chooser of guesses, made ready for a game."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from mmsat.errors import SizeError
from mmsat.strategy.listing import all_codes
from mmsat.strategy.tree import Node

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mmsat import _core
    from mmsat.game.game import Game
    from mmsat.game.row import Code, Score
    from mmsat.strategy.grow import Progress
    from mmsat.strategy.state import State

MOST_IN_TABLE = 1 << 15
"""Codes of a game whose answers are kept in a table, a byte or two for each pair."""
PADDING = 64
SLICE = 0.1
"""Seconds between two looks at a search."""
WORK = 300_000_000
"""Comparisons of a guess and a code between two reports: a fraction of a second."""


class Player:
    """Chooses guesses by heuristics in one game."""

    def __init__(self, game: Game) -> None:
        """Lay out all codes; for scorings that the kernel has no sums for, make a table."""
        from mmsat import _core  # noqa: PLC0415  (strategies are listed without it)

        self.game = game
        self.codes = all_codes(game)
        if game.colors > 256:
            raise SizeError(f"heuristics play games of up to 256 colors, and {game} has more")
        form = form_of(game)
        if form is not None:
            table = game.space.table()
            spaces = {"repeats": _core.Space.REPEATS, "distinct": _core.Space.DISTINCT}
            listed = table is not None or game.space.name not in spaces
            space = _core.Space.LIST if listed else spaces[game.space.name]
            self.chooser = _core.Chooser(form, space, self.codes)
            self.scores = {answer: score_of(game, answer) for answer in form.answers}
            return
        answers, scores = table_of(game, self.codes)
        win = scores[game.score(*[tuple(self.codes[0].tolist())] * 2)]
        self.chooser = _core.Chooser(self.codes, answers, len(scores), win)
        self.scores = {answer: score for score, answer in scores.items()}

    def choose(self, state: State, heuristic: str, *, consistent_only: bool) -> Code:
        """The guess with the best key; among the best one that can be the code, then the first."""
        from mmsat import _core  # noqa: PLC0415

        history = [list(row.guess) for row in state.rows]
        kind = _core.Heuristic[heuristic]
        guess: Code = self.chooser.choose(state.codes, history, kind, consistent_only)
        return guess

    def grow(
        self,
        heuristic: str,
        opening: Sequence[Code],
        on_progress: Progress,
        *,
        consistent_only: bool,
    ) -> Node:
        """The whole tree of a heuristic."""
        from mmsat import _core  # noqa: PLC0415

        kind = _core.Heuristic[heuristic]
        forced = [list(guess) for guess in opening]
        grower = _core.Grower(self.chooser, kind, forced, consistent_only)
        while not grower.advance(WORK):
            on_progress(grower.done, len(self.codes))
        nodes: list[Node] = []
        for guess, parent, answer, wins in grower.nodes():
            node = Node(guess, wins)
            if parent >= 0:
                nodes[parent].branches[self.scores[answer]] = node
            nodes.append(node)
        return nodes[0]


@lru_cache(maxsize=4)
def player(game: Game) -> Player:
    """The player of a game, made once."""
    return Player(game)


def form_of(game: Game) -> _core.Form | None:
    """How the kernel scores the game, None where it takes a table."""
    from mmsat import _core  # noqa: PLC0415

    kinds = {
        "black-white": _core.Kind.BLACK_WHITE,
        "black": _core.Kind.BLACK,
        "color": _core.Kind.COLOR,
        "pairs": _core.Kind.PAIRS,
    }
    name = game.scoring.name
    if name not in kinds or game.colors > 256 or game.pegs > (5 if name == "pairs" else 255):
        return None
    shapes = game.scoring.factors(game.colors)[1] if name == "pairs" else 1
    return _core.Form(kinds[name], game.pegs, game.colors, shapes)


def score_of(game: Game, answer: int) -> Score:
    """What an answer of the kernel says."""
    side = game.pegs + 1
    if game.scoring.name == "black-white":
        black, shared = divmod(answer, side)
        return black, shared - black
    if game.scoring.name == "pairs":
        black, rest = divmod(answer, side * side)
        blue, shared = divmod(rest, side)
        return black, shared - black, blue
    return (answer,)


def packed_scores(
    game: Game, codes: NDArray[Any], guess: Sequence[int]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """What a guess scores against many codes: [code, part], and each score as one number.

    It is quick where codes are stored column by column, as by numpy's asfortranarray.
    """
    import numpy as np  # noqa: PLC0415

    base = len(game.scoring.marks) or 256
    is_wide = base ** len(game.parts) >= 1 << 63  # then numbers of any length do, slowly
    weights = base ** np.arange(len(game.parts), dtype=object if is_wide else np.int64)
    parts = game.scoring.score_all(codes, guess)
    return parts, parts @ weights


def numbered_scores(game: Game, codes: NDArray[Any], guesses: Sequence[Code]) -> NDArray[Any]:
    """What guesses score against codes: [guess, code], each score as one number from 0.

    Costs a score for each pair: compiled where the kernel knows the scoring, else by arrays.
    """
    import numpy as np  # noqa: PLC0415

    form = form_of(game)
    if form is None:
        columns = np.asfortranarray(codes)
        return np.array([packed_scores(game, columns, guess)[1] for guess in guesses])
    from mmsat._core import Scored  # noqa: PLC0415

    scored = Scored(form, codes)
    found = np.zeros((len(guesses), len(codes)), dtype=np.uint16)
    for guess, out in zip(np.array(guesses, dtype=np.uint8), found, strict=True):
        scored.score(guess, out)
    return found.astype(np.intp)


def padded(many: int) -> int:
    """The length of a row of so many answers, a multiple of 64."""
    return -(-many // PADDING) * PADDING


def solved(search: _core.Optimal) -> tuple[int, list[int]]:
    """The least total of a search, and its tree: guesses from the root down.

    Where the search gave up, they are the least that it found; no tree where that is none.
    """
    from mmsat import _core  # noqa: PLC0415

    try:
        search.start(_core.IMPOSSIBLE)
        _wait(search)
        total = min(search.total, search.standing[0])
        if total == _core.IMPOSSIBLE:
            return total, []
        search.start_tree(total)
        _wait(search)
        return total, search.tree
    finally:
        search.stop()


def _wait(search: _core.Optimal) -> None:
    while not search.wait(SLICE):  # a slice at a time, so that Ctrl-C is heard
        pass


def table_of(game: Game, codes: NDArray[Any]) -> tuple[NDArray[Any], dict[Score, int]]:
    """The number of the answer of each guess (column) to each code (row), and the scores' numbers.

    Costs a score for each pair, at the speed of the scoring's `score_all`.
    """
    import numpy as np  # noqa: PLC0415

    many = len(codes)
    if many > MOST_IN_TABLE:
        raise SizeError(
            f"heuristics play {game.scoring.name} games of up to {MOST_IN_TABLE:,} codes, "
            f"and {game} has {many:,}"
        )
    scores: dict[Score, int] = {}
    by_guess = np.zeros((padded(many), many), dtype=np.uint16)
    columns = np.asfortranarray(codes)
    known = np.array([-1])  # packed scores, ascending
    numbers = np.array([0])  # theirs
    for number, guess in enumerate(codes.tolist()):
        parts, packed = packed_scores(game, columns, guess)
        places = np.searchsorted(known, packed, side="right") - 1
        is_new = known[places] != packed
        if is_new.any():
            new, first = np.unique(packed[is_new], return_index=True)
            for index in first.tolist():
                scores[tuple(parts[is_new][index].tolist())] = len(scores)
            known = np.concatenate((known, new))
            numbers = np.concatenate((numbers, range(len(scores) - len(new), len(scores))))
            order = np.argsort(known)
            known, numbers = known[order], numbers[order]
            places = np.searchsorted(known, packed)
        by_guess[number] = numbers[places]
    kept = np.uint8 if len(scores) <= 256 else np.uint16
    return np.ascontiguousarray(by_guess.T, dtype=kept), scores
