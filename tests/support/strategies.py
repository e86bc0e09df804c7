"""Strategies of hypothesis that generate games, codes, guesses, scores and boards."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import MAX_COLORS, Game
from mmsat.game.scoring import MAX_SCORE_NUMBER, SCORINGS, Pairs
from mmsat.game.space import SPACES
from mmsat.game.symbols import Symbols
from mmsat.game.words import Words

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

    from mmsat.game.scoring import Scoring

Numbers = tuple[int, ...]

SIZES = st.one_of(
    st.integers(1, 6),
    st.integers(1, 30),
    st.sampled_from([9, 10, 26, 27, 99, 100, 101, 999, MAX_COLORS]),
)
"""Numbers of pegs or colors: mostly small ones, and those at which the notation changes."""
ONE_KEY_PEGS = 10
"""Maximum number of pegs of the scoring `pairs-one-key`."""
LETTERS = "RGBYPO"
"""Symbols of colors in an order that no built-in game has."""


@st.composite
def scorings(draw: DrawFn, colors: int) -> Scoring:
    """Generate scorings for a number of colors; pairs have any suitable number of shapes."""
    scoring = draw(st.sampled_from(list(SCORINGS.values())))
    if isinstance(scoring, Pairs):
        even = [shapes for shapes in range(1, colors + 1) if colors % shapes == 0]
        return type(scoring)(draw(st.sampled_from(even)))
    return scoring


@st.composite
def games(
    draw: DrawFn, *, pegs: SearchStrategy[int] = SIZES, colors: SearchStrategy[int] = SIZES
) -> Game:
    """Generate games of every scoring with a size; invalid combinations are adjusted."""
    size = draw(pegs), draw(colors)
    space = draw(st.sampled_from(list(SPACES.values())))
    if space.unfit(*size):
        size = min(size), max(size)
    if draw(st.booleans()) and size[1] > 2 and size[1] % 2:
        size = size[0], size[1] + 1  # so that pairs are more than one color or one shape
    scoring = draw(scorings(size[1]))
    if scoring.unfit(*size):
        size = min(size[0], ONE_KEY_PEGS), size[1]
    return Game(*size, space, scoring)


@st.composite
def word_games(draw: DrawFn, pegs: int = 4, colors: int = 4, words: int = 20) -> Game:
    """Generate games of a word list, with every scoring; only JSON can describe these games."""
    size = draw(st.integers(1, pegs)), draw(st.integers(1, colors))
    word = st.tuples(*[st.integers(0, size[1] - 1)] * size[0])
    listed = draw(st.lists(word, min_size=1, max_size=words))
    # A word has one character per peg, but pairs have two, so there are no word lists of pairs.
    plain = [kind for kind in SCORINGS.values() if not isinstance(kind, Pairs)]
    return Game(
        *size,
        Words(listed, allows_any_guess=draw(st.booleans())),
        draw(st.sampled_from(plain)),
        Symbols(tuple(LETTERS[: size[1]]), draw(st.sampled_from(["letter", "animal"]))),
        "game:own.toml",
    )


def small_games(pegs: int = 4, colors: int = 4) -> SearchStrategy[Game]:
    """Generate games of every kind that are small enough for a list of all codes."""
    sized = games(pegs=st.integers(1, pegs), colors=st.integers(1, colors))
    return st.one_of(sized, sized, word_games(pegs, colors))


def product_of(game: Game) -> list[Numbers]:
    """Return every sequence of the pegs and colors of a small game, even if it is no code."""
    return list(product(range(game.colors), repeat=game.pegs))


@st.composite
def guesses(draw: DrawFn, game: Game) -> Numbers:
    """Generate any guess of a game, with colors from 0; long guesses repeat their beginning."""
    words = game.space.table()
    if words and not game.space.allows((-1,) * game.pegs):
        return draw(st.sampled_from(words))
    few = draw(st.lists(st.integers(0, game.colors - 1), min_size=1, max_size=min(game.pegs, 12)))
    return tuple(few[peg % len(few)] for peg in range(game.pegs))


@st.composite
def codes(draw: DrawFn, game: Game) -> Numbers:
    """Generate a code of a game, with colors from 0."""
    if words := game.space.table():
        return draw(st.sampled_from(words))
    if game.space.name == "repeats":
        return draw(guesses(game))
    start = draw(st.integers(0, game.colors - 1))
    turned = [(start + peg) % game.colors for peg in range(game.pegs)]
    return tuple(draw(st.permutations(turned))) if game.pegs <= 12 else tuple(turned)


@st.composite
def scores(draw: DrawFn, game: Game, highest: int = MAX_SCORE_NUMBER) -> tuple[int | None, ...]:
    """Generate any score that can be written, possible or not, with unread parts."""
    highest = min(highest, game.scoring.highest)
    part = st.one_of(st.none(), st.integers(0, min(game.pegs + 1, highest)))
    if highest > game.pegs:
        part = st.one_of(part, st.integers(0, highest))
    parts = len(game.parts)
    few = draw(st.tuples(*[part] * min(parts, 12)))  # long scores repeat their beginning
    return tuple(few[number % len(few)] for number in range(parts))


@st.composite
def boards(draw: DrawFn, games: SearchStrategy[Game] | None = None, max_rows: int = 5) -> Board:
    """Generate boards with any scores, most of them inconsistent."""
    game = draw(games if games is not None else globals()["games"]())
    row = st.builds(Row, guesses(game), scores(game))
    return Board(game, tuple(draw(st.lists(row, max_size=max_rows))))


@st.composite
def played_boards(
    draw: DrawFn, games: SearchStrategy[Game] | None = None, max_rows: int = 5
) -> tuple[Board, Numbers]:
    """Generate a consistent board and one of its codes; some parts of scores are unread."""
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
    """Generate a consistent board of at least one row, and the board with one wrong score."""
    game = draw(games if games is not None else small_games())
    code = draw(codes(game))
    guesses_of_rows = draw(st.lists(guesses(game), min_size=1, max_size=max_rows))
    true = Board(game, tuple(Row(guess, game.score(code, guess)) for guess in guesses_of_rows))
    row = draw(st.integers(0, len(guesses_of_rows) - 1))
    part = st.integers(0, min(game.pegs, game.scoring.highest))
    wrong = draw(st.tuples(*[part] * len(game.parts)).filter(lambda s: s != true.rows[row].score))
    return true, true.changed({row: wrong})
