"""What a row says, also where pegs of its guess were not read.

Such a row says that some guess, with any colors at these pegs (in a game of words: any word of the
list that fits), gets the score. Each row has a guess of its own, so that the codes of a board are
those that every row allows, whatever the other guesses were. For solvers the guess is eliminated:
the row is the set of codes for which there is such a guess, as conjunctions of which one holds, or,
where they are fewer, the other codes, of which none does.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product

from mmsat.arrays import Array, np
from mmsat.errors import SizeError
from mmsat.game.game import Game
from mmsat.game.literals import CardinalityConstraint
from mmsat.game.row import UNREAD, Code, Row, Score, hide

MOST_GUESSES = 1 << 16
"""Guesses that a row may stand for."""
MOST_PAIRS = 1 << 28
"""Words times scores of a game of words: bytes of a table."""
MOST_CODES = 1 << 17
"""Codes of a game of which some are listed for a row."""


def is_unread(row: Row) -> bool:
    """Whether some peg of the guess was not read."""
    return UNREAD in row.guess


def agrees(game: Game, code: Sequence[int], row: Row) -> bool:
    """Whether a code gets the score from the guess, or from one that it can have been."""
    guess, said = row
    if UNREAD not in guess:
        return game.scoring.agrees(code, guess, said)
    return any(hide(score, said) == said for score in scores(game, guess, code))


def agrees_all(game: Game, codes: Array, row: Row) -> Array:
    """Which of many codes agree with a row: an array of booleans."""
    if not is_unread(row):
        return game.scoring.agrees_all(codes, *row)
    found = codes_of(game, row)
    return np.array([tuple(code) in found for code in codes.tolist()], dtype=bool)


def constraints(game: Game, row: Row) -> Iterator[CardinalityConstraint]:
    """What a row says of the code. Raises SizeError for a game of too many codes to be listed."""
    if UNREAD not in row.guess:
        return game.scoring.constraints(game.variables, *row)
    found = codes_of(game, row)
    at = game.variables.at
    others = [code for code in _codes(game) if code not in found]
    is_fewer = len(found) <= len(others)
    listed = tuple(
        tuple(at(peg, color) for peg, color in enumerate(code))
        for code in (sorted(found) if is_fewer else others)
    )
    return iter((CardinalityConstraint(listed, int(is_fewer), int(is_fewer)),))


def is_allowed(game: Game, guess: Code) -> bool:
    """Whether a guess is one of the game, or can have been."""
    if UNREAD in guess:
        return game.space.table() is None or any(guesses(game, guess))
    return game.space.allows(guess)


def guesses(game: Game, guess: Code) -> Iterator[Code]:
    """The guesses that a guess can have been, in order. Raises SizeError where they are many."""
    unread = guess.count(UNREAD)
    table = game.space.table()
    if not unread:
        return iter((guess,))
    if table is not None:
        read = [(peg, color) for peg, color in enumerate(guess) if color != UNREAD]
        return (word for word in table if all(word[peg] == color for peg, color in read))
    if game.colors**unread > MOST_GUESSES:
        ways = f"up to {MOST_GUESSES:,} ways to fill the pegs that were not read"
        raise SizeError.of("a guess", ways, f"{game.colors**unread:,}")
    choices = [range(game.colors) if color == UNREAD else (color,) for color in guess]
    return product(*choices)


def scores(game: Game, guess: Code, code: Sequence[int]) -> frozenset[Score]:
    """The scores that a code can give a guess, by what it can have been.

    Costs a score for each of these, once for codes that differ by colors that are alike.
    """
    code = tuple(code)
    if game.space.table() is not None:
        return _reach(game, guess).get(code) or _scores(game, guess, code)
    if game.scoring.are_pegs_alike:  # then so are those that were not read
        pegs = [peg for peg, color in enumerate(guess) if color == UNREAD]
        moved = dict(zip(pegs, sorted(code[peg] for peg in pegs), strict=True))
        code = tuple(moved.get(peg, color) for peg, color in enumerate(code))
    if game.scoring.are_colors_alike:
        free = iter([color for color in range(game.colors) if color not in guess])
        names = {color: color for color in guess}
        code = tuple(
            names[color] if color in names else names.setdefault(color, next(free))
            for color in code
        )
    return _scores(game, guess, code)


@lru_cache(maxsize=1 << 14)
def _scores(game: Game, guess: Code, code: Code) -> frozenset[Score]:
    return frozenset(game.scoring.score(code, read) for read in guesses(game, guess))


@lru_cache(maxsize=16)
def _reach(game: Game, guess: Code) -> dict[Code, frozenset[Score]]:
    """The scores that each word can give a guess, by arrays: a score for each two words."""
    codes = _codes(game)
    columns = np.asfortranarray(np.array(codes, dtype=np.uint16))
    base = game.part_values
    weights = base ** np.arange(len(game.parts), dtype=np.int64)
    if len(codes) * base ** len(game.parts) > MOST_PAIRS:
        shorter = "words with fewer letters or scores"
        raise SizeError.of("guesses with unread pegs", shorter, f"{game.pegs} letters")
    reached = np.zeros((len(codes), base ** len(game.parts)), dtype=bool)
    numbers = np.arange(len(codes))
    for each in guesses(game, guess):
        reached[numbers, game.scoring.score_all(columns, each) @ weights] = True
    found: list[list[Score]] = [[] for _ in codes]
    for number in np.flatnonzero(reached.any(axis=0)).tolist():
        score = tuple((number // weights % base).tolist())
        for index in np.flatnonzero(reached[:, number]).tolist():
            found[index].append(score)
    return dict(zip(codes, map(frozenset, found), strict=True))


@lru_cache(maxsize=16)
def codes_of(game: Game, row: Row) -> frozenset[Code]:
    """The codes of the game that agree with a row."""
    if game.space.table() is not None and is_unread(row) and None not in row.score:
        return _by_score(game, row.guess).get(row.score, frozenset())
    return frozenset(code for code in _codes(game) if agrees(game, code, row))


@lru_cache(maxsize=16)
def _by_score(game: Game, guess: Code) -> dict[Score, frozenset[Code]]:
    """The words that can give each score to a guess."""
    found: dict[Score, list[Code]] = {}
    for code, reached in _reach(game, guess).items():
        for score in reached:
            found.setdefault(score, []).append(code)
    return {score: frozenset(codes) for score, codes in found.items()}


def _codes(game: Game) -> Sequence[Code]:
    """The codes of a game in order."""
    if game.size > MOST_CODES:
        smaller = f"a game of up to {MOST_CODES:,} codes"
        raise SizeError.of("guesses with unread pegs", smaller, f"{game} with {game.size:,}")
    return [*game.codes()]


def rescore(game: Game, code: Sequence[int], row: Row) -> list[Score]:
    """The scores that a row can get from a code, unread where the row's is, the nearest first."""
    guess, said = row
    if UNREAD not in guess:
        return [hide(game.scoring.score(code, guess), said)]
    found = {hide(score, said) for score in scores(game, guess, code)}
    distance = game.scoring.distance
    return sorted(found, key=lambda score: (distance(score, said), [part or 0 for part in score]))
