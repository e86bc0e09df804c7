"""The one home of hypothesis strategies: games, codes, guesses, scores and boards."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from mmsat.game.board import HIGHEST, Board, Row
from mmsat.game.game import LARGEST, Game
from mmsat.game.scoring import SCORINGS
from mmsat.game.space import SPACES

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

Numbers = tuple[int, ...]

# A busy machine is no failure: no example is timed.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

SIZES = st.one_of(
    st.integers(1, 6),
    st.integers(1, 30),
    st.sampled_from([9, 10, 26, 27, 99, 100, 101, 999, LARGEST]),
)
"""Pegs or colors, mostly small, with every border of the notation."""


@st.composite
def games(
    draw: DrawFn, *, pegs: SearchStrategy[int] = SIZES, colors: SearchStrategy[int] = SIZES
) -> Game:
    """Games of every space and scoring; sizes that a space forbids are turned around."""
    size = draw(pegs), draw(colors)
    space = draw(st.sampled_from(list(SPACES.values())))
    scoring = draw(st.sampled_from(list(SCORINGS.values())))
    if space.flaw(*size):
        size = min(size), max(size)
    return Game(*size, space, scoring)


def small_games(pegs: int = 4, colors: int = 4) -> SearchStrategy[Game]:
    """Games whose codes can all be written down."""
    return games(pegs=st.integers(1, pegs), colors=st.integers(1, colors))


def product_of(game: Game) -> list[Numbers]:
    """Every guess of a small game, whether it is a code or not, in order."""
    return list(product(range(game.colors), repeat=game.pegs))


@st.composite
def guesses(draw: DrawFn, game: Game) -> Numbers:
    """Any sequence of a game's pegs and colors, colors from 0; long ones repeat a short draw."""
    few = draw(st.lists(st.integers(0, game.colors - 1), min_size=1, max_size=min(game.pegs, 12)))
    return tuple(few[peg % len(few)] for peg in range(game.pegs))


@st.composite
def codes(draw: DrawFn, game: Game) -> Numbers:
    """A code of a game, colors from 0."""
    if game.space.name == "repeats":
        return draw(guesses(game))
    start = draw(st.integers(0, game.colors - 1))
    turned = [(start + peg) % game.colors for peg in range(game.pegs)]
    return tuple(draw(st.permutations(turned))) if game.pegs <= 12 else tuple(turned)


def scores(game: Game, highest: int = HIGHEST) -> SearchStrategy[tuple[int | None, ...]]:
    """Any score that can be written, sensible or not, with unread parts."""
    part = st.one_of(st.none(), st.integers(0, min(game.pegs + 1, highest)))
    if highest > game.pegs:
        part = st.one_of(part, st.integers(0, highest))
    return st.tuples(*[part] * len(game.scoring.parts))


@st.composite
def boards(draw: DrawFn, games: SearchStrategy[Game] | None = None, max_rows: int = 5) -> Board:
    """Boards with any scores at all, most of them inconsistent."""
    game = draw(games if games is not None else globals()["games"]())
    row = st.builds(Row, guesses(game), scores(game))
    return Board(game, tuple(draw(st.lists(row, max_size=max_rows))))


@st.composite
def played_boards(
    draw: DrawFn, games: SearchStrategy[Game] | None = None, max_rows: int = 5
) -> tuple[Board, Numbers]:
    """A consistent board and a code that it is consistent with, some scores unread."""
    game = draw(games if games is not None else small_games())
    code = draw(codes(game))
    rows = []
    for guess in draw(st.lists(guesses(game), max_size=max_rows)):
        true = game.score(code, guess)
        hidden = draw(st.lists(st.booleans(), min_size=len(true), max_size=len(true)))
        keep = draw(st.booleans())
        score = tuple(
            part if keep or not hide else None for part, hide in zip(true, hidden, strict=True)
        )
        rows.append(Row(guess, score))
    return Board(game, tuple(rows)), code


@st.composite
def slipped_boards(
    draw: DrawFn, games: SearchStrategy[Game] | None = None, max_rows: int = 6
) -> tuple[Board, Board]:
    """A consistent board of at least one row, and the same with one score put down otherwise."""
    game = draw(games if games is not None else small_games())
    code = draw(codes(game))
    asked = draw(st.lists(guesses(game), min_size=1, max_size=max_rows))
    true = Board(game, tuple(Row(guess, game.score(code, guess)) for guess in asked))
    row = draw(st.integers(0, len(asked) - 1))
    part = st.integers(0, game.pegs)
    told = draw(
        st.tuples(*[part] * len(game.scoring.parts)).filter(lambda s: s != true.rows[row].score)
    )
    return true, true.changed({row: told})
