"""The meaning of rows, including rows whose guesses have unread pegs.

Such a row means that some completion of the guess gets the score: any colors at the unread pegs,
or, in a game of words, any matching word of the list. The guesses of different rows are completed
independently, so a code is consistent with a board if each row separately allows it. For solvers,
the guess is eliminated: the row becomes the set of codes for which there is a completion, as
conjunctions of which exactly one holds. If fewer codes are excluded than allowed, the conjunctions
are the excluded codes, and none holds.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product

from mmsat._util.arrays import Array, np
from mmsat.errors import SizeError
from mmsat.game.game import Game
from mmsat.game.row import UNREAD, Code, Row, Score, hide
from mmsat.game.space import CardinalityConstraint

MAX_COMPLETIONS = 1 << 16
"""The maximum number of completions of a guess."""
MAX_TABLE_BYTES = 1 << 28
"""The maximum of words times scores in a game of words, the size of a table in bytes."""
MAX_LISTED_CODES = 1 << 17
"""The maximum number of codes of a game for which the codes of a row are listed."""


def is_unread(row: Row) -> bool:
    """Return whether the guess has an unread peg."""
    return UNREAD in row.guess


def agrees(game: Game, code: Sequence[int], row: Row) -> bool:
    """Return whether a code gives the guess, or a completion of it, the score."""
    guess, row_score = row
    if UNREAD not in guess:
        return game.scoring.agrees(code, guess, row_score)
    return any(hide(score, row_score) == row_score for score in scores(game, guess, code))


def agrees_all(game: Game, codes: Array, row: Row) -> Array:
    """Return for each code whether it agrees with a row, as an array of booleans."""
    if not is_unread(row):
        return game.scoring.agrees_all(codes, *row)
    agreeing_codes = codes_of(game, row)
    return np.array([tuple(code) in agreeing_codes for code in codes.tolist()], dtype=bool)


def constraints(game: Game, row: Row) -> Iterator[CardinalityConstraint]:
    """Return the constraints of a row on the code.

    Raises SizeError if the guess has unread pegs and the game has too many codes to list them.
    """
    if UNREAD not in row.guess:
        return game.scoring.constraints(game.variables, *row)
    consistent_codes = codes_of(game, row)
    at = game.variables.at
    others = [code for code in _codes(game) if code not in consistent_codes]
    is_fewer = len(consistent_codes) <= len(others)
    listed = tuple(
        tuple(at(peg, color) for peg, color in enumerate(code))
        for code in (sorted(consistent_codes) if is_fewer else others)
    )
    return iter((CardinalityConstraint(listed, int(is_fewer), int(is_fewer)),))


def is_allowed(game: Game, guess: Code) -> bool:
    """Return whether the game allows a guess, or a completion of it if it has unread pegs."""
    if UNREAD in guess:
        return game.space.table() is None or any(guesses(game, guess))
    return game.space.allows(guess)


def guesses(game: Game, guess: Code) -> Iterator[Code]:
    """Iterate over the completions of a guess in order.

    Raises SizeError if there are more than `MAX_COMPLETIONS`; words of a list are not limited.
    """
    unread = guess.count(UNREAD)
    table = game.space.table()
    if not unread:
        return iter((guess,))
    if table is not None:
        read_pegs = [(peg, color) for peg, color in enumerate(guess) if color != UNREAD]
        return (word for word in table if all(word[peg] == color for peg, color in read_pegs))
    if game.colors**unread > MAX_COMPLETIONS:
        ways = f"up to {MAX_COMPLETIONS:,} ways to complete it"
        raise SizeError.of("a guess with unread pegs", ways, f"{game.colors**unread:,}")
    choices = [range(game.colors) if color == UNREAD else (color,) for color in guess]
    return product(*choices)


def scores(game: Game, guess: Code, code: Sequence[int]) -> frozenset[Score]:
    """Return the scores that a code can give the completions of a guess.

    This computes one score per completion. Results are cached, and shared by codes that differ
    only by a symmetry of the scoring that preserves the guess.
    """
    code = tuple(code)
    if game.space.table() is not None:
        return _reach(game, guess).get(code) or _scores(game, guess, code)
    if game.scoring.are_pegs_alike:  # sort the code's colors at the unread pegs
        pegs = [peg for peg, color in enumerate(guess) if color == UNREAD]
        moved_colors = dict(zip(pegs, sorted(code[peg] for peg in pegs), strict=True))
        code = tuple(moved_colors.get(peg, color) for peg, color in enumerate(code))
    if game.scoring.are_colors_alike:
        # number the colors outside of the guess in the order of their appearance in the code
        free_colors = iter([color for color in range(game.colors) if color not in guess])
        names = {color: color for color in guess}
        code = tuple(
            names[color] if color in names else names.setdefault(color, next(free_colors))
            for color in code
        )
    return _scores(game, guess, code)


@lru_cache(maxsize=1 << 14)
def _scores(game: Game, guess: Code, code: Code) -> frozenset[Score]:
    return frozenset(game.scoring.score(code, completion) for completion in guesses(game, guess))


@lru_cache(maxsize=16)
def _reach(game: Game, guess: Code) -> dict[Code, frozenset[Score]]:
    """Return the scores that each word can give the completions of a guess.

    Scores are numbers in base `part_values`. For each completion, the scores of all words are
    computed by array operations and marked in a boolean table of words by scores.
    """
    codes = _codes(game)
    columns = np.asfortranarray(np.array(codes, dtype=np.uint16))
    base = game.part_values
    weights = base ** np.arange(len(game.parts), dtype=np.int64)
    if len(codes) * base ** len(game.parts) > MAX_TABLE_BYTES:
        shorter = "words with fewer letters or scores"
        raise SizeError.of("guesses with unread pegs", shorter, f"{game.pegs} letters")
    is_reached = np.zeros((len(codes), base ** len(game.parts)), dtype=bool)
    word_indices = np.arange(len(codes))
    for completion in guesses(game, guess):
        is_reached[word_indices, game.scoring.score_all(columns, completion) @ weights] = True
    word_scores: list[list[Score]] = [[] for _ in codes]
    for score_number in np.flatnonzero(is_reached.any(axis=0)).tolist():
        score = tuple((score_number // weights % base).tolist())
        for word_index in np.flatnonzero(is_reached[:, score_number]).tolist():
            word_scores[word_index].append(score)
    return dict(zip(codes, map(frozenset, word_scores), strict=True))


@lru_cache(maxsize=16)
def codes_of(game: Game, row: Row) -> frozenset[Code]:
    """Return the codes of the game that agree with a row."""
    if game.space.table() is not None and is_unread(row) and None not in row.score:
        return _by_score(game, row.guess).get(row.score, frozenset())
    return frozenset(code for code in _codes(game) if agrees(game, code, row))


@lru_cache(maxsize=16)
def _by_score(game: Game, guess: Code) -> dict[Score, frozenset[Code]]:
    """Return, for each score, the words that can give it to a completion of a guess."""
    words: dict[Score, list[Code]] = {}
    for code, word_scores in _reach(game, guess).items():
        for score in word_scores:
            words.setdefault(score, []).append(code)
    return {score: frozenset(codes) for score, codes in words.items()}


def _codes(game: Game) -> Sequence[Code]:
    """Return the codes of a game in order. Raises SizeError if there are too many."""
    if game.size > MAX_LISTED_CODES:
        smaller = f"a game of up to {MAX_LISTED_CODES:,} codes"
        raise SizeError.of("guesses with unread pegs", smaller, f"{game} with {game.size:,} codes")
    return [*game.codes()]


def rescore(game: Game, code: Sequence[int], row: Row) -> list[Score]:
    """Return the scores that a row can get from a code, nearest to the score of the row first.

    Parts that are unread in the row are None.
    """
    guess, row_score = row
    if UNREAD not in guess:
        return [hide(game.scoring.score(code, guess), row_score)]
    possible_scores = {hide(score, row_score) for score in scores(game, guess, code)}
    distance = game.scoring.distance
    return sorted(
        possible_scores,
        key=lambda score: (distance(score, row_score), [part or 0 for part in score]),
    )
