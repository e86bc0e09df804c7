"""The meaning of rows, including rows whose guesses have unread pegs.

A row with unread pegs means that the code gives the score to some completion of the guess. A
completion has any colors at the unread pegs; if a game of words allows only words of its list as
guesses, it is any matching word of the list. The guesses of different rows are completed
independently, so a code is consistent with a board if each row separately allows it.

For solvers, such a row becomes the set of codes that it allows, as conjunctions of which exactly
one is true. If the row excludes fewer codes than it allows, the conjunctions are the excluded
codes, and all are false.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product

from mmsat._util import Array, np
from mmsat.errors import SizeError
from mmsat.game import UNREAD, Code, Row, Score, hide
from mmsat.game.game import Game
from mmsat.game.space import CardinalityConstraint

MAX_COMPLETIONS = 1 << 16
"""The maximum number of completions of a guess."""
MAX_TABLE_BYTES = 1 << 28
"""The maximum size in bytes of the table of words and scores in `_scores_by_word`."""
MAX_LISTED_CODES = 1 << 17
"""The maximum number of codes of a game in which rows with unread pegs are converted to constraints
by listing all codes."""


def is_unread(row: Row) -> bool:
    """Return whether the guess of a row has an unread peg."""
    return UNREAD in row.guess


def agrees(game: Game, code: Sequence[int], row: Row) -> bool:
    """Return whether a code gives the score of a row to its guess, or to a completion of it."""
    guess, row_score = row
    if UNREAD not in guess:
        return game.scoring.agrees(code, guess, row_score)
    scores = possible_scores(game, guess, code)
    if None not in row_score:
        return row_score in scores
    return any(hide(score, row_score) == row_score for score in scores)


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
    variables = game.variables
    excluded_codes = [code for code in _list_codes(game) if code not in consistent_codes]
    lists_consistent = len(consistent_codes) <= len(excluded_codes)
    conjunctions = tuple(
        tuple(variables.at(peg, color) for peg, color in enumerate(code))
        for code in (sorted(consistent_codes) if lists_consistent else excluded_codes)
    )
    num_true = 1 if lists_consistent else 0
    return iter((CardinalityConstraint(conjunctions, num_true, num_true),))


def is_allowed(game: Game, guess: Code) -> bool:
    """Return whether the game allows a guess, or a completion of it if it has unread pegs."""
    listed_guesses = game.space.listed_guesses()
    if UNREAD in guess:
        return listed_guesses is None or any(_matching(listed_guesses, guess))
    return game.space.allows(guess)


def matching_codes(game: Game, guess: Code) -> Iterator[Code]:
    """Iterate over the codes of the game that have the read pegs of a guess, in order.

    Raises SizeError for more than `MAX_COMPLETIONS` completions, except in games of words.
    """
    if UNREAD not in guess:
        return iter((guess,) if game.contains(guess) else ())
    table = game.space.table()
    if table is not None:
        return _matching(table, guess)
    num_completions = game.colors ** guess.count(UNREAD)
    if num_completions > MAX_COMPLETIONS:
        raise _too_many_completions(f"{num_completions:,}")
    choices = [range(game.colors) if color == UNREAD else (color,) for color in guess]
    return filter(game.contains, product(*choices))


def _matching(codes: Sequence[Code], guess: Code) -> Iterator[Code]:
    """Iterate over the codes that have the read pegs of a guess."""
    read_pegs = [(peg, color) for peg, color in enumerate(guess) if color != UNREAD]
    return (code for code in codes if all(code[peg] == color for peg, color in read_pegs))


def _completions(game: Game, guess: Code, code: Code) -> Iterator[Code]:
    """Iterate over completions of a guess that together have all scores possible with a code.

    If the guesses of the game are not a list, and its scoring treats all colors alike, colors that
    are neither in the code nor in the guess can be renamed without a change of the score.
    Therefore, the first of these colors in a completion is always the smallest, and each next one
    the next larger.

    Raises SizeError for more than `MAX_COMPLETIONS` completions, except of guesses from a list.
    """
    listed_guesses = game.space.listed_guesses()
    if listed_guesses is not None:
        return _matching(listed_guesses, guess)
    colors = range(game.colors)
    used = {*code, *guess} if game.scoring.are_colors_alike else {*colors}
    used_colors = [color for color in colors if color in used]
    new_colors = [color for color in colors if color not in used]
    choices = [used_colors + new_colors[:count] for count in range(len(guess) + 1)]
    # completions of the first pegs of the guess, each with the number of its new colors
    prefixes: list[tuple[Code, int]] = [((), 0)]
    for color in guess:
        prefixes = [
            ((*prefix, choice), num_new + (choice not in used and choice not in prefix))
            for prefix, num_new in prefixes
            for choice in (choices[num_new + 1] if color == UNREAD else (color,))
        ]
        if len(prefixes) > MAX_COMPLETIONS:
            raise _too_many_completions("more")
    return (completed for completed, _ in prefixes)


def _too_many_completions(found: str) -> SizeError:
    """Return the error for a guess with too many completions."""
    expected = f"up to {MAX_COMPLETIONS:,} ways to complete it"
    return SizeError.of("a guess with unread pegs", expected, found)


def possible_scores(game: Game, guess: Code, code: Sequence[int]) -> frozenset[Score]:
    """Return the scores that a code gives the completions of a guess.

    The cost is one score per completion. Results are cached. Codes that differ only by a symmetry
    of the scoring that preserves the guess share a result.
    """
    code = tuple(code)
    if game.space.listed_guesses() is not None:
        # `code` is not in the table if it is not a code of the game
        return _scores_by_word(game, guess).get(code) or _possible_scores(game, guess, code)
    if game.scoring.are_pegs_alike:  # sort the code's colors at the unread pegs
        pegs = [peg for peg, color in enumerate(guess) if color == UNREAD]
        moved_colors = dict(zip(pegs, sorted(code[peg] for peg in pegs), strict=True))
        code = tuple(moved_colors.get(peg, color) for peg, color in enumerate(code))
    if game.scoring.are_colors_alike:
        # number the colors outside of the guess in the order of their appearance in the code
        free_colors = iter([color for color in range(game.colors) if color not in guess])
        new_colors = {color: color for color in guess}
        code = tuple(
            new_colors[color]
            if color in new_colors
            else new_colors.setdefault(color, next(free_colors))
            for color in code
        )
    return _possible_scores(game, guess, code)


@lru_cache(maxsize=1 << 14)
def _possible_scores(game: Game, guess: Code, code: Code) -> frozenset[Score]:
    """Return the scores that a code gives the completions of a guess."""
    score = game.scoring.score
    return frozenset(score(code, completed) for completed in _completions(game, guess, code))


@lru_cache(maxsize=16)
def _scores_by_word(game: Game, guess: Code) -> dict[Code, frozenset[Score]]:
    """Return the scores that each word gives the completions of a guess.

    If guesses must be words of the list, each score is encoded as a number in base `part_values`.
    For each completion, array operations compute the scores of all words, and mark them in a
    boolean table with a row per word and a column per score.
    """
    codes = _list_codes(game)
    listed_guesses = game.space.listed_guesses()
    if listed_guesses is None:
        return {code: possible_scores(game, guess, code) for code in codes}
    columns = np.asfortranarray(np.array(codes, dtype=np.uint16))
    base = game.part_values
    weights = base ** np.arange(len(game.parts), dtype=np.int64)
    if len(codes) * base ** len(game.parts) > MAX_TABLE_BYTES:
        expected = "words with fewer letters or scores"
        raise SizeError.of("guesses with unread pegs", expected, f"{game.pegs} letters")
    is_reached = np.zeros((len(codes), base ** len(game.parts)), dtype=bool)
    word_indices = np.arange(len(codes))
    for completion in _matching(listed_guesses, guess):
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
        return _words_by_score(game, row.guess).get(row.score, frozenset())
    return frozenset(code for code in _list_codes(game) if agrees(game, code, row))


@lru_cache(maxsize=16)
def _words_by_score(game: Game, guess: Code) -> dict[Score, frozenset[Code]]:
    """Return, for each score, the words that give it to a completion of a guess."""
    words_by_score: dict[Score, list[Code]] = {}
    for code, word_scores in _scores_by_word(game, guess).items():
        for score in word_scores:
            words_by_score.setdefault(score, []).append(code)
    return {score: frozenset(codes) for score, codes in words_by_score.items()}


def _list_codes(game: Game) -> Sequence[Code]:
    """Return the codes of a game in order. Raises SizeError if there are too many."""
    if game.size > MAX_LISTED_CODES:
        expected = f"a game of up to {MAX_LISTED_CODES:,} codes"
        raise SizeError.of("guesses with unread pegs", expected, f"{game} with {game.size:,} codes")
    return [*game.codes()]


def rescore(game: Game, code: Sequence[int], row: Row) -> tuple[Score, ...]:
    """Return the scores that a code can give a row, nearest to the score of the row first.

    Parts that are unread in the row are None in each score.
    """
    guess, row_score = row
    if UNREAD not in guess:
        return (hide(game.scoring.score(code, guess), row_score),)
    return _nearest_first(game, possible_scores(game, guess, code), row_score)


@lru_cache(maxsize=1 << 12)
def _nearest_first(game: Game, scores: frozenset[Score], row_score: Score) -> tuple[Score, ...]:
    """Return scores, with the unread parts of a row hidden, nearest to the row's score first.

    Results are cached, because many codes have the same possible scores.
    """
    distance = game.scoring.distance
    return tuple(
        sorted(
            {hide(score, row_score) for score in scores},
            key=lambda score: (distance(score, row_score), [part or 0 for part in score]),
        )
    )
